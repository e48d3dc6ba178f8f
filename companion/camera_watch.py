"""A thread that shows the pictures of one camera, and outlives whatever goes wrong with them."""

import logging
import threading
from collections.abc import Callable
from typing import Self

from camera.health import LIVE, SILENT
from camera.source import Frame
from camera.steady import Camera, SteadyCamera
from companion.clock import Clock
from companion.errors import CompanionError, DeviceError
from companion.words import fact, say

LOG = logging.getLogger(__name__)
WAIT_S = 0.5  # for a picture, before the camera counts as blind


class CameraWatch:
    """Watches one camera; `start` begins, `close` ends. Derived classes say what is seen.

    camera   how it fares, also while it is away.
    trouble  why the latest picture could not be read; empty if it could.
    seen_s   capture time of the latest picture that was looked at.
    """

    def __init__(self, name: str, opens: Callable[[], Camera], clock: Clock, watched: str) -> None:
        self.camera = SteadyCamera(name, opens, clock)
        self.trouble = ""
        self._clock, self.seen_s = clock, clock.now_s()
        self._watched = watched
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name=watched, daemon=True)

    def start(self) -> Self:
        """Begin to watch; returns at once, whether there is a camera or not."""
        self.camera.start()
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop watching and give the camera back; may be called twice."""
        self._over.set()
        self.camera.close()
        if self._thread.is_alive():
            self._thread.join(3.0)

    @property
    def is_watching(self) -> bool:
        """True from `start` to `close`."""
        return self._thread.is_alive()

    @property
    def age_s(self) -> int:
        """How old the latest picture is, in whole seconds."""
        return int(max(0.0, self._clock.now_s() - self.seen_s))

    def _see(self, frame: Frame) -> None:
        """Take in one picture; may raise whatever it likes."""
        raise NotImplementedError

    def _go_blind(self) -> None:
        """There is no picture that could be trusted."""
        raise NotImplementedError

    # --- the thread -------------------------------------------------------------------------------

    def _watch(self) -> None:
        while not self._over.is_set():
            try:
                frame = self.camera.frame(WAIT_S)
            except DeviceError:
                self._go_blind()
                continue
            if self.camera.condition().state in (LIVE, SILENT):  # it just gave one, if a late one
                self._look(frame)
            else:
                self._go_blind()

    def _look(self, frame: Frame) -> None:
        """Show one picture; what cannot be read of it ends nothing."""
        try:
            self._see(frame)
            self.trouble = ""
        except CompanionError as error:
            self._is_troubled(str(error))
        except Exception as error:  # one picture must not end the watch over a whole evening
            LOG.exception("the %s", self._watched)
            self._is_troubled(say("this picture cannot be read: {why}", why=fact(error)))
        self.seen_s = frame.at_s

    def _is_troubled(self, why: str) -> None:
        if why != self.trouble:
            LOG.warning("the %s: %s", self._watched, why)
        self.trouble = why
