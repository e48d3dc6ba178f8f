"""What other threads want done in the thread that decides, and its answers."""

import queue
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from companion.errors import CompanionError

T = TypeVar("T")
CLOSED = "the table does not answer; it may have been closed"


class Calls:
    """A queue of things to do. Any thread asks, one thread answers, until it closes the queue."""

    def __init__(self, stir: Callable[[], None]) -> None:
        self._stir = stir
        self._waiting: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = (
            queue.SimpleQueue()
        )
        self._is_closed = False

    def ask(self, what: Callable[[], T], timeout_s: float) -> T:
        """Have something done and give its answer; raise CompanionError if nobody answers."""
        future: Future[T] = Future()
        self._waiting.put((what, future))
        if self._is_closed:  # perhaps after the last look at the queue
            self._refuse()
        self._stir()
        try:
            return future.result(timeout_s)
        except TimeoutError:
            future.cancel()
            raise CompanionError(CLOSED) from None

    def answer(self) -> None:
        """Do all that is wanted; what was raised goes to who asked."""
        while not self._waiting.empty():
            what, future = self._waiting.get()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(what())
            except BaseException as error:
                future.set_exception(error)

    def close(self) -> None:
        """Nobody answers any more: who waits is told so at once, and who asks later."""
        self._is_closed = True
        self._refuse()

    def _refuse(self) -> None:
        while True:
            try:
                _, future = self._waiting.get_nowait()
            except queue.Empty:
                return
            if future.set_running_or_notify_cancel():
                future.set_exception(CompanionError(CLOSED))
