"""The receiver's board: `firmware.receiver_main` on a simulated clock, radio and USB cable.

    {"do": "start", "mac": "...", "now": ms, "drift": ppm}
    {"do": "run", "upto": ms, "radio": [[at_ms, from, packet, rssi], ...]}
        -> {"radio": [[at_ms, to, packet], ...], "said": bytes on USB, "heard": bytes from USB}

Packets are text: the lines of `firmware.wire`.
"""

import board_shim
import cable

board_shim.install()

from board_shim import Shared, World  # noqa: E402

from firmware import receiver_main  # noqa: E402

STEP_MS = 10


class Board:
    board = None


def start(asked):
    world = Shared.world = World(asked["mac"], drift_ppm=asked["drift"])
    world.now_ms = asked["now"]

    def send(mac, packet):
        world.sent.append([world.now_ms, mac, packet.decode()])
        return True

    world.send = send
    Board.board = receiver_main.Board()
    return {}


def run(asked):
    world, coming = Shared.world, asked["radio"]
    world.sent = []
    while world.now_ms < asked["upto"]:
        world.now_ms = min(world.now_ms + STEP_MS, asked["upto"])
        while coming and coming[0][0] <= world.now_ms:
            _, mac, packet, rssi = coming.pop(0)
            world.inbox.append((mac, packet.encode(), rssi))
        Board.board.step()
    return {"radio": world.sent, "said": cable.said(), "heard": cable.heard()}


answer = board_shim.answering(lambda asked: {"start": start, "run": run}[asked["do"]](asked))
