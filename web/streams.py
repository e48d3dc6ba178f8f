"""Server-sent events: the feed as a text stream, for programs (JSON) and for the page (painted)."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any, NamedTuple

import msgspec

from web.feed import Message, Viewer
from web.i18n import LANGUAGES, WRITTEN, current, speaking
from web.telling import in_language

STREAMS = 256  # a room full of people, and their tablets; each costs the server some 150 kB
BEAT_S = 10.0  # below the half minute after which home routers forget a silent connection
LOOK_UP_S = 1.0  # how soon a viewer who has left, or a stop, is noticed
RETRY_MS = 1500
PAINTED = 8  # pictures of the newest messages that are kept for other viewers
RETRY = f"retry: {RETRY_MS}\n\n".encode()
BEAT = b": beat\nevent: beat\ndata: {}\n\n"


class Form(NamedTuple):
    """How messages look to one kind of viewer: a name, and the data of a message.

    body  takes the message, and whether it is the newest for this viewer.
    """

    name: str
    body: Callable[[Message, bool], bytes]


class Painter:
    """Turns messages into what the page draws, once for all viewers of one language."""

    def __init__(self, paint: Callable[[dict[str, Any]], str]) -> None:
        self._paint = paint
        self._lock = threading.Lock()
        self._painted: OrderedDict[tuple[str, Message], bytes] = OrderedDict()

    def form(self, language: str) -> Form:
        """How messages look to those who read this language."""

        def body(message: Message, newest: bool) -> bytes:
            with speaking(language):
                return self.body(message, newest=newest)

        return Form(f"page-{language}", body)

    def body(self, message: Message, *, newest: bool) -> bytes:
        """The page's data of a message; one that is overtaken already brings its words only."""
        if message.kind != "table":
            return self._in_language(message)
        if not newest:
            return msgspec.json.encode(self._words(message))
        key = (current(), message)
        with self._lock:
            if key not in self._painted:
                self._painted[key] = self._with_picture(message)
                while len(self._painted) > PAINTED * len(LANGUAGES):
                    self._painted.popitem(last=False)
            return self._painted[key]

    def _in_language(self, message: Message) -> bytes:
        if current() == WRITTEN:
            return message.body
        return msgspec.json.encode(in_language(msgspec.json.decode(message.body)))

    def _words(self, message: Message) -> dict[str, Any]:
        data = msgspec.json.decode(message.body)
        words = {"told": data.get("told", []), "refused": data.get("refused")}
        return {**in_language(words, data.get("snapshot") or {}), "html": None}

    def _with_picture(self, message: Message) -> bytes:
        snapshot = msgspec.json.decode(message.body)["snapshot"]
        picture = {"html": self._paint(snapshot), "game": snapshot["game"]["key"]}
        return msgspec.json.encode({**self._words(message), **picture})


def as_text(message: Message, body: bytes) -> bytes:
    """One message in the wire format of server-sent events."""
    named = f"id: {message.id}\n" if message.id else ""
    return f"{named}event: {message.kind}\ndata: ".encode() + body + b"\n\n"


class Streams:
    """Counts the open streams, refuses one too many, and ends them all at once."""

    def __init__(self, most: int = STREAMS, *, beat_s: float = BEAT_S) -> None:
        self.most = most
        self.beat_s = beat_s
        self._open = 0
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._at_end: list[Callable[[], None]] = []

    @property
    def open(self) -> int:
        """How many streams run now."""
        return self._open

    @property
    def ended(self) -> bool:
        """True once `end_all` was called."""
        return self._ended.is_set()

    def on_end(self, wake: Callable[[], None]) -> None:
        """Call `wake` when all streams are to end; it must return at once."""
        self._at_end.append(wake)

    def end_all(self) -> None:
        """Let every stream end within a second, and no further one begin."""
        self._ended.set()
        for wake in self._at_end:
            wake()

    def enter(self) -> bool:
        """Reserve a stream; False when there are as many as there may be."""
        with self._lock:
            if self._open >= self.most or self._ended.is_set():
                return False
            self._open += 1
            return True

    def leave(self) -> None:
        """Give a reserved stream back."""
        with self._lock:
            self._open -= 1

    def texts(
        self,
        viewer: Viewer,
        body: Callable[[Message, bool], bytes],
        is_gone: Callable[[], bool],
    ) -> Iterator[bytes]:
        """Everything that goes out to one viewer, until it is dropped, gone, or all ends.

        body     the data of a message; told whether it is the newest for this viewer.
        is_gone  True once the other end has hung up.
        """
        yield RETRY
        quiet_since_s = monotonic()
        while not (self._ended.is_set() or is_gone()):
            try:
                message = viewer.next_within(min(LOOK_UP_S, self.beat_s))
            except StopIteration:
                return
            if message is not None:
                yield as_text(message, body(message, viewer.behind == 0))
                quiet_since_s = monotonic()
            elif monotonic() - quiet_since_s >= self.beat_s:
                yield BEAT
                quiet_since_s = monotonic()


class Stream(Iterator[bytes]):
    """One viewer's stream as a WSGI body; closing it gives its place back exactly once."""

    def __init__(self, streams: Streams, viewer: Viewer, texts: Iterator[bytes]) -> None:
        self._streams = streams
        self._viewer = viewer
        self._texts = texts
        self._closed = False

    def __next__(self) -> bytes:
        return next(self._texts)

    def close(self) -> None:
        """Leave the feed and free the place, even where nothing was ever read."""
        if not self._closed:
            self._closed = True
            self._viewer.close()
            self._streams.leave()
