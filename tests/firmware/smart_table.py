"""A table of smart dice whose firmware runs on MicroPython, in real processes, over a real cable.

The dice share one process, the receiver has another; between them is simulated air that loses
packets. The receiver's USB cable is a pseudo-terminal that the companion's own `SerialPort` opens.
Everything follows one simulated clock: time goes on only when everybody has worked off what came.
"""

import json
import os
import random
import shutil
import subprocess
import tty
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.clock import SimulatedClock
from hardware.dice_link import DiceLink
from hardware.dice_messages import Message, WiredDie
from hardware.serial_port import SerialPort
from hardware.simulated_motion import Accelerometer, any_turn
from hardware.simulated_motion_hands import Die

BOARD = Path(__file__).parent / "board"
FIRMWARE = Path(__file__).parents[2] / "firmware"
RECEIVER = "a0b1c2d3e4f5"
STEP_MS = 40  # time goes on in steps as long as a heartbeat
LIMIT_S = 20.0
START_MS = 1000


def need(tool: str, is_there: bool) -> None:
    """Skip, or fail where tools are required, unless this is there (`make test` installs it)."""
    if not is_there:
        required = os.environ.get("COMPANION_REQUIRE_TOOLS") == "1"
        (pytest.fail if required else pytest.skip)(f"needs {tool}: run `sh tests/tools.sh`")


class BoardProcess:
    """MicroPython on Node, running one program of the folder `board`."""

    def __init__(self, program: str, usb: int | None = None) -> None:
        node = shutil.which("node")
        need("node", node is not None)
        need("MicroPython for Node", (BOARD / "node_modules").is_dir())
        command = [str(node), str(BOARD / "run.mjs"), str(FIRMWARE), program]
        self._process = subprocess.Popen(
            command + ([] if usb is None else [str(usb)]),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=() if usb is None else (usb,),
        )

    def ask(self, do: str, **words: Any) -> Any:
        """Let it do something; return what it answers."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do, **words}).encode() + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the board has stopped; what it said stands above"
        return json.loads(line)

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        with self._process:
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self._process.kill()


class SmartTable:
    """Dice, receiver and cable; `told` is what the companion's link has made of it.

    dice  name of the game -> its faces, side 1 first.
    loss  share of packets that the air loses.     awake_ms  a die sleeps so long after it moved.
    """

    def __init__(
        self, dice: Mapping[str, Sequence[str]], *, seed: int, loss: float, awake_ms: int = 4000
    ) -> None:
        self.chance = random.Random(seed)
        self.clock = SimulatedClock(START_MS / 1000)
        self.now_ms = START_MS
        self.faces = {name: tuple(faces) for name, faces in dice.items()}
        self.macs = {name: f"0242ac1100{number:02x}" for number, name in enumerate(dice, 16)}
        self.ids = {name: "die-" + mac[6:] for name, mac in self.macs.items()}
        self.bodies = {name: self._body() for name in dice}
        self.told: list[Message] = []
        self.asleep: list[str] = []
        self.packets = self.lost_packets = 0
        self._felt: dict[str, list[list[int]]] = {}
        self._to_dice: list[list[Any]] = []
        self._to_receiver: list[list[Any]] = []
        self._said = self._heard = 0
        self._cable()
        self._start(loss, seed, awake_ms)

    def _body(self) -> Die:
        body = Die(self.chance, sensor=Accelerometer.any(self.chance))
        body.lie(20)
        return body

    def _cable(self) -> None:
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        wired = {
            self.ids[name]: WiredDie(name, {str(i): f for i, f in enumerate(faces, 1)})
            for name, faces in self.faces.items()
        }
        link = DiceLink(wired)
        path = os.ttyname(self._slave)
        self.port = SerialPort(path, link, lambda told: self.told.extend(told), self.clock)

    def _start(self, loss: float, seed: int, awake_ms: int) -> None:
        self._receiver = BoardProcess("receiver_board", self._master)
        self._dice = BoardProcess("dice_board")
        self._receiver.ask("start", mac=RECEIVER, now=self.now_ms, drift=60)
        chips = ("lis3dh", "lsm6ds3")
        rows = [
            [mac, chips[i % 2], self.chance.randrange(-100, 101), self.bodies[name].samples[-1][1:]]
            for i, (name, mac) in enumerate(self.macs.items())
        ]
        words = {"loss": loss, "seed": seed, "awake": awake_ms, "dice": rows}
        self._dice.ask("start", now=self.now_ms, **words)
        self.port.start()
        assert self.port.wait_until(lambda port: port.state == "connected", LIMIT_S)

    def close(self) -> None:
        """End every process, and leave nothing behind."""
        self.port.close()
        self._receiver.close()
        self._dice.close()
        os.close(self._master)
        os.close(self._slave)

    # Hands

    def throw(self, names: Sequence[str]) -> dict[str, str]:
        """Take dice up and throw them by the laws of physics; return what they will show."""
        shown = {}
        for name in names:
            body = self.bodies[name]
            body.samples.clear()
            begun_ms = body.now_ms
            body.carry(any_turn(self.chance), self.chance.randrange(150, 300))
            body.shake(self.chance.randrange(0, 150), 2.0)
            rest = body.throw()
            body.lie(40)
            shown[name] = self.faces[name][rest.side - 1]
            self._feel(name, begun_ms)
        return shown

    def put_back(self, name: str, side: int = 0) -> str:
        """Take a die up and put it down unrolled, any side up or this; return what it shows."""
        body = self.bodies[name]
        body.samples.clear()
        begun_ms = body.now_ms
        body.carry(any_turn(self.chance), 400)
        rest = body.set_down(side or self.chance.randrange(6) + 1, 400)
        body.lie(40)
        self._feel(name, begun_ms)
        return self.faces[name][rest.side - 1]

    def _feel(self, name: str, begun_ms: int) -> None:
        late_ms = self.now_ms - begun_ms
        samples = [[at_ms + late_ms, x, y, z] for at_ms, x, y, z in self.bodies[name].samples]
        self._felt[self.macs[name]] = samples

    # Time

    def go_on(self, for_ms: int) -> None:
        """Let time pass for everybody."""
        for _ in range(-(-for_ms // STEP_MS)):
            self._step()

    def _step(self) -> None:
        upto_ms = self.now_ms + STEP_MS
        told = self._dice.ask("run", upto=upto_ms, felt=self._due(upto_ms), radio=self._to_dice)
        self.packets += len(told["radio"])
        self.lost_packets, self.asleep = told["lost"], told["asleep"]
        rows = [[at_ms, mac, packet, -40] for at_ms, mac, _, packet in told["radio"]]
        said = self._receiver.ask("run", upto=upto_ms, radio=rows)
        self._to_dice = [[upto_ms, to, RECEIVER, packet] for _, to, packet in said["radio"]]
        self.now_ms = upto_ms
        self.clock.move_to(upto_ms / 1000)
        self._said, self._heard = said["said"], said["heard"]
        assert self.port.wait_until(lambda port: port.bytes_received >= self._said, LIMIT_S)

    def _due(self, upto_ms: int) -> dict[str, list[list[int]]]:
        due = {}
        for mac, samples in list(self._felt.items()):
            due[mac] = [sample for sample in samples if sample[0] <= upto_ms]
            self._felt[mac] = samples[len(due[mac]) :]
            if not self._felt[mac]:
                del self._felt[mac]
        return due

    def ask(self, kind: str, name: str, *words: object) -> str:
        """Ask a die for something over the whole way; return its answer."""
        asked = self.port.ask(kind, self.ids[name], *words)
        for _ in range(200):
            self.go_on(STEP_MS)
            if asked.answer:
                return asked.answer
        raise AssertionError(f"{name} never answered {kind}")
