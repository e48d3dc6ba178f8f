"""Streams without threads: one event loop writes to every viewer, and calls Flask for the rest.

Theory of operation. Two hundred threads that each send the same forty kilobytes ten times a second
keep a machine busy with nothing but changing between them (measured: the deciding thread woke up to
0.9 s late, viewers heard of steps after half a minute). Here one thread runs an event loop. A
message is painted and compressed once, in a thread beside it; what is left for each viewer is to
copy a few kilobytes into its socket. Pages and taps are answered by Flask in a few threads, and so
is the beginning of a stream: Flask decides who may follow, and leaves the viewer in the environ.

Compressed once for all viewers: a message is deflated by itself and flushed without being ended, so
that any sequence of such pieces behind one gzip header is one valid gzip stream (RFC 1951, 1952).
"""

import asyncio
import io
import logging
import zlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import Executor, ThreadPoolExecutor
from time import monotonic
from typing import Any

from flask import Flask

from web.feed import Feed, Message, Viewer
from web.guard import LARGEST_BODY, UPLOAD_PATHS
from web.streams import BEAT, RETRY, Form, Streams, as_text
from web.uploads import LARGEST_PICTURE

LOG = logging.getLogger(__name__)
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

THREADS = 24  # for pages and taps; a tap may wait seconds for the table
PRINTERS = 2  # threads that paint and compress, so that taps which wait hold up no viewer
STALLED_S = 20.0  # a viewer that takes nothing for so long is cut off
BODY_S = 15.0  # a request has to be here by then
PIECES = 48  # printed messages that are kept for other viewers
GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
LEVEL = 5  # of 9; more costs twice the time for 3 % less
NATIVE, STREAM = "companion.native", "companion.stream"  # in the environ: may stream; does stream


def deflated(text: bytes) -> bytes:
    """A piece of a gzip stream that needs nothing of what came before it."""
    deflate = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return deflate.compress(text) + deflate.flush(zlib.Z_FULL_FLUSH)


def as_is(text: bytes) -> bytes:
    """A piece for a viewer that does not take compressed ones."""
    return text


class Press:
    """Prints each message once for all viewers of one form; lives in the event loop."""

    def __init__(self, threads: Executor) -> None:
        self._threads = threads
        self._pieces: OrderedDict[Any, asyncio.Future[bytes]] = OrderedDict()

    async def piece(self, message: Message, form: Form, *, newest: bool, zipped: bool) -> bytes:
        """The bytes of a message as one viewer gets them."""
        key = (form.name, newest or message.kind != "table", zipped, message)
        if key not in self._pieces:
            loop = asyncio.get_running_loop()
            pack = deflated if zipped else as_is
            self._pieces[key] = asyncio.ensure_future(
                loop.run_in_executor(
                    self._threads, lambda: pack(as_text(message, form.body(message, newest)))
                )
            )
            while len(self._pieces) > PIECES:
                self._pieces.popitem(last=False)
        printed = self._pieces[key]
        return printed.result() if printed.done() else await asyncio.shield(printed)


class Bell:
    """Wakes every stream of the event loop when there is news; rung from any thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._news = asyncio.Event()

    def ring(self) -> None:
        """Wake everybody up; does nothing once the loop is closed."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def wait(self, timeout_s: float) -> None:
        """Sleep until it rings, for `timeout_s` at most."""
        news = self._news
        try:
            async with asyncio.timeout(timeout_s):
                await news.wait()
        except TimeoutError:
            return


class Bridge:
    """An ASGI application: Flask answers, the event loop streams."""

    def __init__(self, app: Flask, feed: Feed) -> None:
        self._app = app
        self._feed = feed
        self._streams: Streams = app.extensions["streams"]
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="page")
        self._printers = ThreadPoolExecutor(PRINTERS, thread_name_prefix="print")
        self._press = Press(self._printers)
        self._bell: Bell | None = None

    def close(self) -> None:
        """Stop listening to the feed and let the threads end."""
        if self._bell is not None:
            self._feed.unlisten(self._bell.ring)
        for threads in (self._threads, self._printers):
            threads.shutdown(wait=False, cancel_futures=True)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        most = LARGEST_PICTURE if scope["path"] in UPLOAD_PATHS else LARGEST_BODY
        body = await whole_body(receive, most)
        environ = environ_of(scope, b"" if body is None else body)
        if body is None:  # Flask says why: it refuses by the length that is told to it
            environ["CONTENT_LENGTH"] = str(most + 1)
        loop = asyncio.get_running_loop()
        status, headers, parts = await loop.run_in_executor(self._threads, self._ask, environ)
        start = {"type": "http.response.start", "status": status, "headers": headers}
        stream = environ.get(STREAM)
        if stream is None:
            await send(start)
            await send({"type": "http.response.body", "body": parts})
            return
        viewer, form = stream
        try:
            await self._follow(viewer, form, environ, start, receive, send)
        finally:
            viewer.close()
            self._streams.leave()

    def _ask(self, environ: dict[str, Any]) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        """Let Flask answer; in a thread."""
        begun: list[Any] = []

        def start(status: str, headers: list[tuple[str, str]], _: Any = None) -> Any:
            begun[:] = [int(status.split(" ", 1)[0]), headers]
            return begun.append

        parts = self._app.wsgi_app(environ, start)
        try:
            body = b"".join(parts)
        finally:
            getattr(parts, "close", lambda: None)()
        status, headers = begun[:2]
        raw = [(n.lower().encode("latin-1"), v.encode("latin-1")) for n, v in headers]
        return status, raw, body

    async def _follow(
        self,
        viewer: Viewer,
        form: Form,
        environ: dict[str, Any],
        start: dict[str, Any],
        receive: Receive,
        send: Send,
    ) -> None:
        """Send a stream until the viewer is dropped, has hung up, or all ends."""
        zipped = "gzip" in environ.get("HTTP_ACCEPT_ENCODING", "")
        start["headers"] = [(n, v) for n, v in start["headers"] if n != b"content-length"]
        if zipped:
            start["headers"].append((b"content-encoding", b"gzip"))
        await send(start)
        gone = asyncio.ensure_future(hung_up(receive))
        try:
            await self._send_all(viewer, form, zipped, gone, send)
        except TimeoutError:
            LOG.info("a viewer took nothing for %s s and was cut off", STALLED_S)
        finally:
            gone.cancel()

    async def _send_all(
        self, viewer: Viewer, form: Form, zipped: bool, gone: "asyncio.Future[None]", send: Send
    ) -> None:
        bell, pack = self._heard(), deflated if zipped else as_is
        await send_piece(send, (GZIP_HEAD if zipped else b"") + pack(RETRY))
        quiet_since_s = monotonic()
        while not (gone.done() or self._streams.ended):
            try:
                message = viewer.next_within(0.0)
            except StopIteration:
                break
            if message is not None:
                newest = viewer.behind == 0
                piece = await self._press.piece(message, form, newest=newest, zipped=zipped)
            elif (left_s := quiet_since_s + self._streams.beat_s - monotonic()) <= 0:
                piece = pack(BEAT)
            else:
                await bell.wait(left_s)
                continue
            await send_piece(send, piece)
            await asyncio.sleep(0)  # who has much to catch up on lets the others have their turn
            quiet_since_s = monotonic()
        await send({"type": "http.response.body", "body": b""})

    def _heard(self) -> Bell:
        if self._bell is None:
            self._bell = Bell(asyncio.get_running_loop())
            self._feed.listen(self._bell.ring)
            self._streams.on_end(self._bell.ring)
        return self._bell


async def send_piece(send: Send, piece: bytes) -> None:
    """Write a piece; TimeoutError for a viewer that takes nothing."""
    async with asyncio.timeout(STALLED_S):
        await send({"type": "http.response.body", "body": piece, "more_body": True})


async def hung_up(receive: Receive) -> None:
    """Wait until the other end is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def whole_body(receive: Receive, most: int) -> bytes | None:
    """The body of a request; None if it is longer than `most` bytes or does not come in time."""
    parts, size = [], 0
    try:
        async with asyncio.timeout(BODY_S):
            while True:
                message = await receive()
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                if size > most:
                    return None
                if not message.get("more_body", False):
                    return b"".join(parts)
    except TimeoutError:
        return None


def environ_of(scope: Scope, body: bytes) -> dict[str, Any]:
    """A request as WSGI has it (PEP 3333)."""
    host, port = scope.get("server") or ("localhost", 80)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode("utf-8").decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": (scope.get("client") or ("", 0))[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": io.StringIO(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        NATIVE: True,
    }
    for name, value in scope["headers"]:
        key = name.decode("latin-1").upper().replace("-", "_")
        text = value.decode("latin-1")
        if "_" in name.decode("latin-1") or key == "TRANSFER_ENCODING":
            continue  # `X_Forwarded_For` must not pass for `X-Forwarded-For`; the body is whole
        key = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
        environ[key] = f"{environ[key]},{text}" if key in environ else text
    environ["CONTENT_LENGTH"] = str(len(body))
    return environ
