"""The shipped twin of a WLED controller: a real HTTP server on 127.0.0.1, with a strip that is
a list of what it has shown.

    with SimulatedWled() as wled:
        strip = Wled(wled.url, clock)

It understands what `hardware/wled.py` says, as WLED does, and can be slow, broken, or gone.
"""

import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from hardware.flashes import Levels

INFO = {"ver": "0.14.4", "name": "Simulated strip", "leds": {"count": 30, "rgbw": False}}


class SimulatedWled:
    """One controller; `shown` lists (moment, levels) for every change, beginning dark.

    now_s     clock for `shown` and for the night light.
    stall_s   so long each answer takes; the light changes when half of it is over.
    status    what it answers; 200 is fine. `garbage` is said in place of JSON.
    """

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self.now_s = now_s
        self.stall_s = 0.0
        self.status = 200
        self.garbage = b""  # what it answers in place of JSON
        self.shown: list[tuple[float, Levels]] = [(now_s(), (0.0, 0.0, 0.0))]
        self.requests = 0
        self._until_s: float | None = None  # when the night light switches off
        self._lock = threading.Lock()
        self._server: ThreadingHTTPServer | None = None
        self._port = 0
        self.plug_in()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def levels(self) -> Levels:
        """What the strip shows now: red, green and blue from 0 to 1."""
        with self._lock:
            if self._until_s is not None and self.now_s() >= self._until_s:
                self._show((0.0, 0.0, 0.0), self._until_s)
                self._until_s = None
            return self.shown[-1][1]

    def plug_in(self) -> None:
        """Be on the network, at the same address as before."""
        server = _Server(("127.0.0.1", self._port), _Handler)
        server.wled = self
        self._server, self._port = server, server.server_address[1]
        run = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        run.start()

    def pull_out(self) -> None:
        """Vanish from the network; the strip keeps what it shows."""
        if self._server is not None:
            self._server.shutdown()
            self._server.hang_up()  # type: ignore[attr-defined]
            self._server.server_close()
            self._server = None

    def close(self) -> None:
        """Vanish for ever."""
        self.pull_out()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def answer(self, path: str, said: dict[str, Any] | None) -> tuple[int, Any]:
        """Status and body for a request; `said` is what was posted."""
        self.requests += 1
        time.sleep(self.stall_s / 2)
        if self.status == 200 and path == "/json/state" and said is not None:
            self._take(said)
        time.sleep(self.stall_s / 2)
        if self.status != 200:
            return self.status, {"error": 3}
        bodies: dict[str, Any] = {"/json/info": INFO, "/json/state": {"success": True}}
        return (200, bodies[path]) if path in bodies else (404, {"error": 4})

    def _take(self, said: dict[str, Any]) -> None:
        with self._lock:
            now_s, levels = self.now_s(), self.shown[-1][1]
            for segment in said.get("seg", []):
                colour, share = segment["col"][0], said.get("bri", 255) / 255
                levels = tuple(share * part / 255 for part in colour)
            if not said.get("on", True):
                levels = (0.0, 0.0, 0.0)
            night = said.get("nl", {})
            if "on" in night:
                self._until_s = now_s + 60 * night.get("dur", 60) if night["on"] else None
            self._show(levels, now_s)

    def _show(self, levels: Levels, at_s: float) -> None:
        if levels != self.shown[-1][1]:
            self.shown.append((at_s, levels))


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    wled: SimulatedWled

    def __init__(self, *given: Any) -> None:
        self._open: set[Any] = set()
        super().__init__(*given)

    def hang_up(self) -> None:
        for connection in list(self._open):
            try:
                connection.shutdown(2)
            except OSError:
                continue  # it is closed already

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is none of the server's business."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        self._answer(None)

    def do_POST(self) -> None:
        self._answer(json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0)))))

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def _answer(self, said: dict[str, Any] | None) -> None:
        status, answer = self.server.wled.answer(self.path, said)
        body = self.server.wled.garbage or json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
