"""A smart die and a receiver with their real firmware behind a pseudo-terminal, and a hand.

What the die feels is simulated, sample by sample; firmware, wire and cable are the real ones. Time
goes some eight times as fast here, less on a busy machine; whoever talks with it reads its clock.
"""

import os
import random
import threading
import tty
from typing import Any

from firmware import wire
from firmware.die import Die, blank_memory
from firmware.receiver import Receiver
from hardware import simulated_motion_hands
from hardware.simulated_motion import Matrix, Solid, any_turn, into_body

STEP_MS = 10
STEP_TAKES_S = 0.001
PATIENT_MS = 30_000  # then people put a die down again that nobody seems to have noticed
MAC, HOME = "0242ac110010", "a0b1c2d3e4f5"


class FirmwareHand:
    """One die `die-110010`; its hand lays it down anew whenever a side of it was shown.

    order  physical sides, in the order in which they are laid up once calibration begins.
    glued  how the sensor sits in the die.
    solid  its shape; a cube unless another is given.
    """

    def __init__(self, order: list[int], glued: Matrix, solid: Solid | None = None) -> None:
        self.chance = random.Random(5)
        self.order, self.glued = list(order), glued
        self.kept: dict[str, Any] = {}
        self.receiver = Receiver("rx-1", "7f3a")
        self.body = simulated_motion_hands.Die(self.chance, solid)
        self.die = Die(blank_memory("die-110010") | {"receiver": HOME}, self.kept.update, "00a1")
        self.now_ms = 0
        self.heard: list[tuple[str, ...]] = []  # lines that the companion said: kind, then words
        self._shown = 0
        self._laid, self._laid_ms = 0, 0
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.port = os.ttyname(self._slave)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._drive)

    def __enter__(self) -> "FirmwareHand":
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._over.set()
        self._thread.join()
        os.close(self._master)
        os.close(self._slave)

    def now_s(self) -> float:
        """What the time is; the hand is the clock, so that neither can be left behind."""
        return self.now_ms / 1000

    def was_told(self, kind: str) -> set[tuple[str, ...]]:
        """Different lines of a kind; one whose answer comes late is said again."""
        return {line for line in self.heard if line[0] == kind}

    def lay(self, side: int) -> None:
        """Take the die up and put it down with this side up."""
        self.body.carry(any_turn(self.chance), 200)
        self.body.set_down(side, 300)

    def says_when(self, side: int) -> str:
        """What the die says once this side is up, the companion being gone; in this thread."""
        self.lay(side)
        for _ in range(400):
            self._live()
        return self.die._face(self.die.motion.side)

    def _drive(self) -> None:
        while not self._over.wait(STEP_TAKES_S):
            self._listen()
            self._live()
            self._lay_next()

    def _lay_next(self) -> None:
        shown = sum(self.die.motion.sides.shown)
        if self.was_told("CALIBRATE") and shown == self._shown and self.order:
            self.body.lie(800)  # people read first which face is wanted
            self._lay_down(self.order.pop(0))
            self._shown = shown + 1
        elif shown < self._shown and self.now_ms > self._laid_ms + PATIENT_MS:
            self._lay_down(self._laid)

    def _lay_down(self, side: int) -> None:
        self.lay(side)
        self._laid, self._laid_ms = side, self.now_ms

    def _listen(self) -> None:
        try:
            data = os.read(self._master, 4096)
        except BlockingIOError:
            data = b""
        told = [wire.decode(line) for line in data.splitlines() if line]
        self.heard += [(one.kind, *one.words) for one in told]
        self.receiver.usb(data)
        said = self.receiver.usb_out()
        if said:
            os.write(self._master, said)

    def _live(self) -> None:
        self.now_ms += STEP_MS
        if not self.body.samples:
            self.body.lie(STEP_MS)
        _, *felt = self.body.samples.pop(0)
        x, y, z = (round(part) for part in into_body(self.glued, (felt[0], felt[1], felt[2])))
        self.die.sample(self.now_ms, x, y, z)
        packet = self.die.packet(self.now_ms)
        if packet is not None:
            self.receiver.radio(MAC, packet, 50, self.now_ms)
            self.die.arrived()
        self.receiver.tick(self.now_ms)
        for _, back in self.receiver.radio_out():
            self.die.hear(back, HOME, self.now_ms)
