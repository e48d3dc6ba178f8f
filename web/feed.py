"""News for every screen: numbered messages that can be resumed, and lossy ones.

Theory of operation. One publisher, many viewers, one lock that is only ever held for a moment.
Numbered messages go into a ring; a viewer is a place in that ring, so a slow viewer costs no
memory and nobody waits for it. Who lags too far behind is dropped: its iterator ends, its browser
connects again with the last id that it saw, and the ring gives it the rest without a gap. Whoever
asks for more than the ring holds, or for an id of another boot, gets the whole table first. Of
lossy messages (lamps, sensing) only the newest of each kind exists.
"""

import logging
import secrets
import threading
from collections import deque
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any, NamedTuple

import msgspec

log = logging.getLogger(__name__)

KINDS = ("table", "lamps", "sensing", "manner")  # of messages; `web/openapi_news.py` tells of each
KEEP = 500  # numbered messages that can be resumed: about six games' worth of one minute
LAG = 64  # messages a viewer may lag behind before it is dropped


class Message(NamedTuple):
    """One message: its kind, its data as JSON, and its id where it can be resumed from."""

    kind: str
    body: bytes
    id: str | None = None


class Feed:
    """Messages from the table to its screens."""

    def __init__(self, *, keep: int = KEEP, lag: int = LAG, boot: str | None = None) -> None:
        self.boot = boot or secrets.token_hex(4)
        self.lag = lag
        self.viewers = 0
        self.dropped = 0
        self.lost = 0
        self._news = threading.Condition()
        self._kept: deque[Message] = deque(maxlen=keep)
        self._count = 0
        self._table: Message | None = None
        self._lossy: dict[str, tuple[int, Message]] = {}
        self._closed = False
        self._listeners: tuple[Callable[[], None], ...] = ()

    def listen(self, ring: Callable[[], None]) -> None:
        """Call `ring` after every message and at the end; it must return at once."""
        self._listeners += (ring,)

    def unlisten(self, ring: Callable[[], None]) -> None:
        """Call it no more."""
        self._listeners = tuple(one for one in self._listeners if one != ring)

    def _tell_listeners(self) -> None:
        for ring in self._listeners:
            try:
                ring()
            except Exception:
                log.exception("a listener of the feed failed")

    def publish(
        self, kind: str, data: dict[str, Any], number: int | None, *, keeps_past: bool = True
    ) -> None:
        """Send `data` to every viewer; never blocks and never raises.

        number      the step that it tells of, for what must not be missed; None for lossy news.
        keeps_past  False if what was sent before must not be told again: who missed it gets the
                    whole table as it lies now.
        """
        try:
            body = msgspec.json.encode(data, enc_hook=str)
        except Exception:
            self.lost += 1
            log.exception("the screens missed a message of kind %r that is no JSON", kind)
            return
        with self._news:
            if not keeps_past:
                self._kept.clear()
            if number is None:
                self._put_lossy(kind, body)
            else:
                self._put_numbered(kind, body)
            self._news.notify_all()
        self._tell_listeners()

    def _put_lossy(self, kind: str, body: bytes) -> None:
        version, _ = self._lossy.get(kind, (0, None))
        self._lossy[kind] = (version + 1, Message(kind, body))

    def _put_numbered(self, kind: str, body: bytes) -> None:
        self._count += 1
        message = Message(kind, body, self._id(self._count))
        self._kept.append(message)
        if kind == "table":
            self._table = message

    def last_id(self) -> str:
        """The id of the newest numbered message; resuming from it brings only what comes later."""
        with self._news:
            return self._id(self._count)

    def subscribe(self, last_event_id: str | None) -> "Viewer":
        """Follow the feed, from `last_event_id` on where that can still be had."""
        with self._news:
            seen = self._resumable(last_event_id)
            first = None
            if seen is None:
                seen, first = self._count, self._whole_table()
            self.viewers += 1
            return Viewer(self, seen, first)

    def close(self) -> None:
        """End all streams; what is published afterwards reaches nobody."""
        with self._news:
            self._closed = True
            self._news.notify_all()
        self._tell_listeners()

    def _id(self, count: int) -> str:
        return f"{self.boot}-{count}"

    def _resumable(self, last_event_id: str | None) -> int | None:
        boot, _, count = (last_event_id or "").rpartition("-")
        if boot != self.boot or not (count.isascii() and count.isdigit() and len(count) < 19):
            return None
        oldest = self._count - len(self._kept)
        return int(count) if oldest <= int(count) <= self._count else None

    def _whole_table(self) -> Message | None:
        if self._table is None:
            return None
        data = msgspec.json.decode(self._table.body)
        body = msgspec.json.encode({**data, "told": [], "refused": None})
        return Message("table", body, self._id(self._count))


class Viewer(Iterator[Message]):
    """One screen's place in the feed; iterating waits for news and ends when it is dropped."""

    def __init__(self, feed: Feed, seen: int, first: Message | None) -> None:
        self._feed = feed
        self._seen = seen
        self._first = first
        self._seen_lossy: dict[str, int] = {}
        self._limit = feed._count - seen + feed.lag
        self._open = True

    @property
    def behind(self) -> int:
        """How many numbered messages are still to come at once."""
        return self._feed._count - self._seen

    def __next__(self) -> Message:
        while True:
            message = self.next_within(60.0)
            if message is not None:
                return message

    def next_within(self, timeout_s: float) -> Message | None:
        """The next message, or None after `timeout_s`; raises StopIteration at the end."""
        until_s = monotonic() + timeout_s
        with self._feed._news:
            while True:
                self._stop_if_over()
                message = self._take()
                if message is not None:
                    return message
                left_s = until_s - monotonic()
                if left_s <= 0:
                    return None
                self._feed._news.wait(left_s)

    def close(self) -> None:
        """Leave; may be called twice."""
        with self._feed._news:
            if self._open:
                self._open = False
                self._feed.viewers -= 1

    def _stop_if_over(self) -> None:
        feed = self._feed
        too_slow = self.behind > min(self._limit, len(feed._kept))
        if self._open and too_slow and not feed._closed:
            feed.dropped += 1
        if self._open and (too_slow or feed._closed):
            self._open = False
            feed.viewers -= 1
        if not self._open:
            raise StopIteration

    def _take(self) -> Message | None:
        if self._first is not None:
            first, self._first = self._first, None
            return first
        if self.behind:
            message = self._feed._kept[-self.behind]
            self._seen += 1
            self._limit = min(self._limit, self.behind + self._feed.lag)
            return message
        for kind, (version, message) in self._feed._lossy.items():
            if self._seen_lossy.get(kind, 0) < version:
                self._seen_lossy[kind] = version
                return message
        return None
