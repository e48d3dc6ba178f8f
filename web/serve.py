"""Serving the dashboard: uvicorn in a thread beside the table."""

import asyncio
import socket
import threading
from typing import Any

import uvicorn
from flask import Flask
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.errors import DeviceError
from web.native import Bridge
from web.streams import Streams

SPARE = 64  # connections for pages and taps while every stream is taken
BACKLOG = 256  # connections that wait to be accepted
SEND_BYTES = 64 * 1024  # that the system holds for one viewer; beyond that a viewer counts as slow
FIRST_WORD_S = 10.0  # a connection that asks for nothing is closed
STALLED_MS = 20_000  # a viewer that takes nothing for so long is cut off
STOP_S = 5.0  # a running answer may take this long when the server stops


class Prompt(H11Protocol):
    """Closes connections on which nobody says a word."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._patience = self.loop.call_later(FIRST_WORD_S, self._lose_patience)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._patience.cancel()
        super().connection_lost(exc)

    def _lose_patience(self) -> None:
        if self.cycle is None:
            self.transport.close()


class WebServer:
    """One dashboard on one address; `start` opens the port, `stop` ends every stream."""

    def __init__(self, app: Flask, host: str = "127.0.0.1", port: int = 8000) -> None:
        self._app = app
        self._host = host
        self._port = port
        self._streams: Streams = app.extensions["streams"]
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Open the port and serve; raises DeviceError where the port cannot be had."""
        listening = open_port(self._host, self._port)
        self._port = listening.getsockname()[1]
        self._bridge = Bridge(self._app, self._app.extensions["feed"])
        self._server = uvicorn.Server(settings(self._bridge, self._streams.most + SPARE))
        begun = threading.Event()
        self._thread = threading.Thread(
            target=self._serve, args=(listening, begun), name="web", daemon=True
        )
        self._thread.start()
        begun.wait(STOP_S)

    def _serve(self, listening: socket.socket, begun: threading.Event) -> None:
        async def serve() -> None:
            asyncio.get_running_loop().call_soon(begun.set)
            await self._server.serve(sockets=[listening])

        with listening:
            asyncio.run(serve())

    def stop(self) -> None:
        """End the streams, finish running answers, free the port; may be called twice."""
        if self._thread is None:
            return
        self._streams.end_all()
        self._server.should_exit = True
        self._thread.join(2 * STOP_S)
        self._bridge.close()
        self._thread = None

    @property
    def url(self) -> str:
        """Where a browser on this machine finds it."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(self._host, self._host)
        return f"http://[{host}]:{self._port}" if ":" in host else f"http://{host}:{self._port}"

    def __enter__(self) -> "WebServer":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def serve(app: Flask, host: str, port: int) -> WebServer:
    """Start serving `app` and come back at once; port 0 takes any free one."""
    server = WebServer(app, host, port)
    server.start()
    return server


def open_port(host: str, port: int) -> socket.socket:
    """A listening socket, or a DeviceError that says what to do."""
    if not 0 <= port <= 65535:
        raise DeviceError(f"expected a port from 0 to 65535, got {port}; choose another --port")
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, proto)
    except (OSError, UnicodeError) as error:
        raise DeviceError(
            f"no address {host!r} on this machine ({error}); choose another --host"
        ) from None
    try:
        set_options(listening)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise DeviceError(
            f"port {port} on {host} cannot be opened ({error}): is the "
            f"companion running already? Stop it, or choose another with --port {port + 1}."
        ) from None
    return listening


def settings(bridge: Bridge, connections: int) -> uvicorn.Config:
    """How uvicorn serves: one loop, no proxy believed, nothing said about itself."""
    fixed: dict[str, Any] = {"loop": "asyncio", "http": Prompt, "ws": "none", "lifespan": "off"}
    return uvicorn.Config(
        bridge,
        limit_concurrency=connections,
        backlog=BACKLOG,
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_config=None,
        timeout_graceful_shutdown=int(STOP_S),
        **fixed,
    )


def set_options(listening: socket.socket) -> None:
    """What connections inherit: little is kept for the slow, the stalled are cut off."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED_MS)
