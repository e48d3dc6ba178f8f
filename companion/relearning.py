"""What was learnt is taken over beside the game: to make readers of dice anew takes a second."""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from camera.dice_sets import DiceLooks

LOG = logging.getLogger(__name__)


class Relearning:
    """Lets somebody take what was learnt, in one thread of its own; `close` ends it.

    watched  what is read with it, for the log.
    take     makes readers anew, and may be slow.
    """

    def __init__(self, watched: str, take: Callable[[DiceLooks], None]) -> None:
        self._watched, self._take = watched, take
        self._lock = threading.Lock()
        self._newest: DiceLooks | None = None  # that waits to be taken
        self._is_over = False
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="relearning")

    def hand_on(self, looks: DiceLooks) -> None:
        """Let this be taken soon; returns at once.

        It holds all that was learnt before, so whatever still waits is not taken any more.
        """
        with self._lock:
            if self._is_over:
                return
            is_awaited = self._newest is not None
            self._newest = looks
            if not is_awaited:
                self._thread.submit(self._take_newest)

    def close(self) -> None:
        """Take nothing more, for nobody reads with it; what is being taken is waited for.

        May be called twice.
        """
        with self._lock:
            self._is_over = True
        self._thread.shutdown(cancel_futures=True)

    # --- the thread -------------------------------------------------------------------------------

    def _take_newest(self) -> None:
        with self._lock:
            newest, self._newest = self._newest, None
        try:
            if newest is not None:
                self._take(newest)
        except Exception:  # dice are read as before, and what was learnt is kept for the next start
            LOG.exception("the %s: what was learnt", self._watched)
