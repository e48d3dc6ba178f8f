"""A simulated tray that is watched as a clip would be, with a reader that makes no mistakes."""

import numpy as np

from camera.live import LiveTray
from camera.rolled import Throw
from camera.seek import Seeker
from camera.simulated import SimulatedTray
from camera.stills import DieReading
from camera.sway import moved_back
from camera.throws import Resting

FRAME_S = 1 / 30
WHITE = ("white-1", "white-2", "white-3", "white-4")
FRAMES_AFTER_REST = 5


class Oracle:
    """Reads dice without an error: it knows how they lie. It misses those that it is told to."""

    left_over, turns = (), 0

    def __init__(self, tray, dice, crooked=()):
        self.tray, self.dice, self.crooked = tray, dice, crooked
        self.at_s, self.misses, self.looks, self.sure = 0.0, {}, 0, 0.99

    def read(self, pixels, empty):
        self.looks += 1
        motions = {name: self.tray._motion_at(name, self.at_s) for name in self.tray._ways}
        return [
            self.reading(self.dice[name].kind, motion.lies, name in self.crooked)
            for name, motion in motions.items()
            if isinstance(motion, Resting) and self.looks not in self.misses.get(name, ())
        ]

    def reading(self, kind, pose, leans):
        square = np.array([(-0.5, -0.5, 0.5), (0.5, -0.5, 0.5), (0.5, 0.5, 0.5), (-0.5, 0.5, 0.5)])
        around = [np.array(pose.centre) + np.array([*corner[:2], 0.5]) for corner in square]
        corners = self.tray._scene.project(np.array(around))
        low = corners.min(axis=0).astype(int)
        box = (int(low[0]), int(low[1]), 40, 40)
        if leans:
            return DieReading(kind, "cocked", 0.4, box, corners, (), "cocked")
        doubt = "" if self.sure > 0.9 else "unsure"
        return DieReading(kind, pose.top, self.sure, box, corners, (pose.top,), doubt)


class Watched:
    """A tray in which dice are thrown, and what was told of it."""

    def __init__(
        self,
        dice,
        seed=4,
        names=WHITE,
        expect=None,
        crooked=(),
        noise=0.0,
        shakes_px=0.0,
        frame_s=FRAME_S,
    ):
        self.tray = SimulatedTray(dice, {"tray": names}, seed=seed, size_px=(480, 270))
        self.oracle = Oracle(self.tray, dice, crooked)
        self.live = LiveTray(None, self.tray.empty(), expect=expect, reader=self.oracle)
        self.now_s, self.marks, self.frame_s = 0.0, [], frame_s
        self.noise, self.shakes_px, self.rng = noise, shakes_px, np.random.default_rng(seed)
        self.run(0.1)

    def run(self, for_s) -> list[Throw]:
        told = []
        until_s = self.now_s + for_s
        while self.now_s < until_s:
            self.now_s += self.frame_s
            self.oracle.at_s = self.now_s
            throw = self.live.see(self.frame())
            self.marks.append(self.live.watermark_s)
            if throw is not None:
                told.append(throw)
        return told

    def frame(self):
        frame = self.tray.frame(self.now_s)
        if self.shakes_px:
            way = self.rng.uniform(-self.shakes_px, self.shakes_px, 2)
            frame = frame._replace(pixels=moved_back(frame.pixels, way))
        noisy = frame.pixels + self.noise * self.rng.normal(size=frame.pixels.shape)
        return frame._replace(pixels=np.clip(noisy, 0, 255).astype(np.uint8))

    def place_of(self, name):
        motion = self.tray._motion_at(name, self.now_s)
        if not isinstance(motion, Resting):
            return (-999.0, -999.0)
        return self.oracle.reading("white", motion.lies, False).corners.mean(axis=0)

    def throw(self, faces, after_s=0.4, **how):
        rest_s = self.tray.throw(faces, self.now_s, **how)
        return rest_s, self.run(rest_s - self.now_s + after_s)


class Blind(Seeker):
    """Finds no die near a place in the picture that is known later."""

    def __init__(self, place):
        super().__init__()
        self.place = place

    def seek(self, pixels, least=0.3, turns=0):
        place, found = self.place(), super().seek(pixels, least, turns)
        return [d for d in found if np.hypot(*(d.middle - place)) > d.side_px]


def faces_of(throw: Throw, *, moved=True) -> list[str]:
    return sorted(die.reading.face for die in throw.dice if die.moved == moved)


def is_soon(throw: Throw, rest_s: float) -> bool:
    is_exact = abs(throw.at_s - rest_s) <= FRAME_S
    return is_exact and throw.declared_at_s - rest_s <= FRAMES_AFTER_REST * FRAME_S


def covered(tray, name):
    """Frames in which a dark cloth lies over a die."""
    whole, bare = tray.frame, tray.tray.empty()
    x, y = np.rint(tray.place_of(name)).astype(int)

    def frame():
        now = whole()
        pixels = now.pixels.copy()
        cloth = 0.4 * bare[y - 45 : y + 45, x - 45 : x + 45]
        pixels[y - 45 : y + 45, x - 45 : x + 45] = cloth.astype(np.uint8)
        return now._replace(pixels=pixels)

    return frame
