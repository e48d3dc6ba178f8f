"""Serving the dashboard: waitress in threads beside the table."""

import socket
import threading

from flask import Flask
from waitress import wasyncore
from waitress.server import create_server

from companion.errors import DeviceError
from web.streams import Streams

SPARE_THREADS = 8  # for pages and taps while every stream is taken
BACKLOG = 128  # connections that wait to be accepted
OUTBOX_BYTES = 128 * 1024  # that lie ready for one viewer before its thread waits
STALLED_MS = 20_000  # a viewer that takes nothing for so long is cut off and its thread freed
STOP_S = 5.0  # a running answer may take this long when the server stops


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
        self._server = create_server(
            self._app,
            sockets=[listening],
            threads=self._streams.most + SPARE_THREADS,
            connection_limit=4 * (self._streams.most + SPARE_THREADS),
            backlog=BACKLOG,
            asyncore_use_poll=True,
            channel_request_lookahead=1,
            outbuf_high_watermark=OUTBOX_BYTES,
            ident=None,
            clear_untrusted_proxy_headers=True,
        )
        self._server.adj.socket_options = socket_options()
        self._thread = threading.Thread(target=self._server.run, name="web", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the streams, finish running answers, free the port; may be called twice."""
        if self._thread is None:
            return
        self._streams.end_all()
        self._server.task_dispatcher.shutdown(timeout=STOP_S)
        self._server.trigger.pull_trigger(lambda: wasyncore.close_all(self._server._map))
        self._thread.join(STOP_S)
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
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise DeviceError(
            f"port {port} on {host} cannot be opened ({error}): is the "
            f"companion running already? Stop it, or choose another with --port {port + 1}."
        ) from None
    return listening


def socket_options() -> list[tuple[int, int, int]]:
    """What every connection gets: no delay for small messages, an end for stalled viewers."""
    options = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)]
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        options.append((socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED_MS))
    return options
