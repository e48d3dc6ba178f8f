"""What other threads want done in the thread that decides, and its answers."""

import queue
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any, TypeVar

from companion.errors import CompanionError

T = TypeVar("T")
Call = tuple[Callable[[], Any], Future[Any]]
CLOSED = "the table does not answer; it may have been closed"


class Calls:
    """A queue of things to do. Any thread asks, one thread answers, until it closes the queue."""

    def __init__(self, stir: Callable[[], None]) -> None:
        self._stir = stir
        self._waiting: queue.SimpleQueue[Call] = queue.SimpleQueue()
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
        for what, future in self._wanted():
            try:
                future.set_result(what())
            except BaseException as error:
                future.set_exception(error)

    def close(self) -> None:
        """Nobody answers any more: who waits is told so at once, and who asks later."""
        self._is_closed = True
        self._refuse()

    def _refuse(self) -> None:
        for _, future in self._wanted():
            future.set_exception(CompanionError(CLOSED))

    def _wanted(self) -> Iterator[Call]:
        """Take out of the queue what somebody still waits for."""
        while True:
            try:
                what, future = self._waiting.get_nowait()
            except queue.Empty:
                return
            if future.set_running_or_notify_cancel():
                yield what, future
