"""A steady camera over a lens that shows what a test gives it."""

import queue

import numpy as np

from camera.locks import held
from camera.source import Frame
from camera.steady import SteadyCamera
from companion.clock import SimulatedClock

LIMIT_S = 10.0
PAUSES_S = (0.001, 0.002)


class Lens:
    """A camera on a string: gives what the test puts in, waits when there is nothing."""

    def __init__(self):
        self.given = queue.Queue()
        self.opened, self.closed = 0, 0
        self.refuses = self.controls = None
        self.locked = {}  # since it was set up before

    def open(self):
        if self.refuses is not None:
            raise self.refuses
        self.opened += 1
        return held(self, self.locked)

    def read(self):
        what = self.given.get(timeout=LIMIT_S)
        if isinstance(what, Exception):
            raise what
        return what

    def close(self):
        self.closed += 1


class Scene:
    """A steady camera over a lens, on a clock that the test moves."""

    def __init__(self):
        self.clock, self.lens = SimulatedClock(10.0), Lens()
        self.camera = SteadyCamera("tray", self.lens.open, self.clock, pauses_s=PAUSES_S)
        self.count = self.shown = 0

    def show(self, *, until_s, same=False, level=120):
        """Frames up to a moment, 10 a second; waits until they have been looked at."""
        while self.clock.now_s() < until_s - 0.05:
            self.clock.advance(0.1)
            self.count += 0 if same else 1
            pixels = np.full((48, 64, 3), level, np.uint8)
            pixels[0, 0] = self.count % 250
            self.lens.given.put(Frame(self.clock.now_s(), pixels))
            self.shown += 1
        self.wait_for(lambda: self.camera._watchdog.frames == self.shown)

    def wait_for(self, fits):
        with self.camera._arrived:
            assert self.camera._arrived.wait_for(fits, LIMIT_S), self.camera._watchdog.frames

    def becomes(self, state):
        """Wait for a condition; what is awaited is another thread."""
        watchdog = self.camera._watchdog
        self.wait_for(lambda: watchdog.condition(self.clock.now_s()).state == state)
        return self.camera.condition()
