"""Faults of browsers: real connections to the dashboard that break off, stall, or say things twice.

A tap is posted in threads of its own, for the table answers in the deciding thread; that one waits
until the taps have arrived, so that a simulated game does not run on meanwhile.
"""

import contextlib
import http.client
import socket
import struct
import threading
import time
from urllib.parse import urlsplit

import msgspec

from companion.actions import Chose, Report
from companion.errors import ConfigError
from companion.faults import Heal, Rig
from companion.inbox import Inbox

ANSWER_S = 10.0  # real time; the table takes eight at most
ARRIVES_S = 3.0  # real time in which a tap is on the table
HURRY = struct.pack("ii", 1, 0)  # close at once, and throw away what is under way
TIMES = 2


def address(rig: Rig) -> tuple[str, int]:
    """Where the dashboard of this table is."""
    if not rig.url:
        raise ConfigError("--fault: this table has no dashboard; leave --no-web out")
    parts = urlsplit(rig.url)
    return str(parts.hostname), int(parts.port or 80)


def follow(rig: Rig, last_id: str = "") -> socket.socket:
    """Open a screen's stream, from a message on, and read how it begins."""
    host, port = address(rig)
    line = socket.create_connection((host, port), ANSWER_S)
    again = f"Last-Event-ID: {last_id}\r\n" if last_id else ""
    line.sendall(f"GET /api/v1/events HTTP/1.1\r\nHost: {host}:{port}\r\n{again}\r\n".encode())
    line.recv(1024)
    return line


def break_off(rig: Rig, much: float) -> Heal:
    """Let browsers vanish in the middle of their streams; they come back where they were."""
    last_id = "" if rig.feed is None else rig.feed.last_id()
    lines = [follow(rig) for _ in range(round(much))]
    for line in lines:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, HURRY)
        line.close()

    def heal() -> None:
        for _ in lines:
            with contextlib.suppress(OSError):  # the dashboard may have closed
                follow(rig, last_id).close()

    return heal


def stall(rig: Rig, much: float) -> Heal:
    """Let browsers open their streams, and read nothing of them any more."""
    lines = [follow(rig) for _ in range(round(much))]

    def heal() -> None:
        for line in lines:
            line.close()

    return heal


def tap_twice(rig: Rig, much: float) -> Heal:
    """Let every tap be sent twice, as a bad network does."""
    host, port = address(rig)
    room, before = rig.room, rig.room.tap

    def tap(report: Report) -> None:
        assert isinstance(report.action, Chose)
        number = rig.room.step_seen
        if not Taps(rig.inbox, host, port).send(report.action, number):
            before(report)

    room.tap = tap

    def heal() -> None:
        room.tap = before

    return heal


class Taps:
    """The same tap, several times at once."""

    def __init__(self, inbox: Inbox, host: str, port: int) -> None:
        self._inbox, self._host, self._port = inbox, host, port
        self.statuses: list[int] = []

    def send(self, action: Chose, number: int) -> bool:
        """Send it; True once all have arrived, False if none did or was answered well."""
        body = msgspec.json.encode({"action": action, "step": number, "player": action.player})
        before = len(self._inbox.waiting())
        threads = [threading.Thread(target=self._post, args=(body,)) for _ in range(TIMES)]
        for thread in threads:
            thread.start()
        until_s = time.monotonic() + ARRIVES_S
        while time.monotonic() < until_s and any(thread.is_alive() for thread in threads):
            if len(self._inbox.waiting()) >= before + TIMES:
                return True
            self._inbox.wait(0.01)
        return len(self._inbox.waiting()) > before

    def _post(self, body: bytes) -> None:
        line = http.client.HTTPConnection(self._host, self._port, timeout=ANSWER_S)
        with contextlib.closing(line), contextlib.suppress(OSError, http.client.HTTPException):
            line.request("POST", "/api/v1/actions", body, {"Content-Type": "application/json"})
            with line.getresponse() as reply:
                self.statuses.append(reply.status)
