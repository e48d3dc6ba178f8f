"""The boards of several dice in one process: `firmware.die_main`, each on its own clock and chip.

{"do": "start", "now": ms, "loss": share, "seed": n, "awake": ms,
    "dice": [[mac, chip, drift_ppm, felt], ...]}
{"do": "run", "upto": ms, "felt": {mac: [[at_ms, x, y, z], ...]}, "radio": [[at_ms, to, from,
    packet], ...]}
    -> {"radio": [[at_ms, from, to, packet], ...], "asleep": [mac, ...], "lit": [mac, ...],
        "lost": packets}
"""

import random

import board_shim

board_shim.install()

from board_shim import Shared, World  # noqa: E402

from firmware import die, die_main  # noqa: E402

STEP_MS = 10


class Air:
    """Who hears whom, and how badly."""

    boards = {}  # mac -> [world, board, is_asleep]
    sent = []
    lost = 0
    loss = 0.0
    now_ms = 0


def start(asked):
    random.seed(asked["seed"])
    die.AWAKE_MS = asked["awake"]
    Air.now_ms, Air.loss = asked["now"], asked["loss"]
    for mac, chip, drift_ppm, felt in asked["dice"]:
        world = Shared.world = World(mac, chip, drift_ppm)
        world.now_ms, world.felt = Air.now_ms, tuple(felt)
        world.send = sender(world)
        die_main.MEMORY = f"/{mac}.json"
        Air.boards[mac] = [world, die_main.Board(), False]
    return {}


def sender(world):
    def send(mac, packet):
        if random.random() < Air.loss:
            Air.lost += 1
            return False
        Air.sent.append([world.now_ms, world.mac, mac, packet.decode()])
        return random.random() >= Air.loss / 5  # it arrived, but the answer may not

    return send


def run(asked):
    Air.sent = []
    felt, coming = asked["felt"], asked["radio"]
    while Air.now_ms < asked["upto"]:
        Air.now_ms += STEP_MS
        while coming and coming[0][0] <= Air.now_ms:
            _, to, sender_mac, packet = coming.pop(0)
            if to in Air.boards and not Air.boards[to][2]:
                Air.boards[to][0].inbox.append((sender_mac, packet.encode(), -50))
        for mac in sorted(Air.boards):
            one_step(mac, felt.get(mac))
    asleep = [mac for mac in sorted(Air.boards) if Air.boards[mac][2]]
    lit = [mac for mac in sorted(Air.boards) if Air.boards[mac][0].lamp]
    return {"radio": Air.sent, "asleep": asleep, "lit": lit, "lost": Air.lost}


def one_step(mac, coming):
    one = Air.boards[mac]
    world, board, is_asleep = one
    world.now_ms = Air.now_ms
    while coming and coming[0][0] <= Air.now_ms:
        world.felt = tuple(coming.pop(0)[1:])
    if is_asleep and not world.is_moved():
        return
    Shared.world, die_main.MEMORY = world, f"/{mac}.json"
    if is_asleep:
        board.wake_up()
        one[2] = False
    board.step()
    if board.die.may_sleep():
        board.fall_asleep()
        one[2] = True


answer = board_shim.answering(lambda asked: {"start": start, "run": run}[asked["do"]](asked))
