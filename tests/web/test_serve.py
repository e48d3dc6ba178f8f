import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from demo_desk import DemoDesk

from companion.errors import DeviceError
from web.dashboard import create_app
from web.serve import WebServer, serve
from web.streams import Streams


def connect(server: WebServer) -> http.client.HTTPConnection:
    address = urlsplit(server.url)
    return http.client.HTTPConnection(str(address.hostname), address.port, timeout=10)


@contextmanager
def follow(server: WebServer) -> Iterator[Any]:
    connection = connect(server)
    connection.request("GET", "/events")
    with closing(connection), connection.getresponse() as reply:
        yield reply


def lines_until(reply: Any, wanted: bytes) -> list[bytes]:
    lines = []
    for line in reply:
        lines.append(line.rstrip())
        if wanted in line:
            break
    return lines


def wait_for(condition: Any, seconds: float = 10) -> bool:
    """Poll `condition` until it is true; other threads are what is waited for."""
    tick = threading.Event()
    for _ in range(int(seconds / 0.02)):
        if condition():
            return True
        tick.wait(0.02)
    return bool(condition())


def test_steps_reach_a_real_viewer_at_once(server: WebServer, desk: DemoDesk) -> None:
    with follow(server) as reply:
        lines_until(reply, b"data: ")
        desk.tell("x", "note", "X", "Hello")
        (line,) = [text for text in lines_until(reply, b"Hello") if text.startswith(b"data: ")]
    assert json.loads(line[6:])["told"][0]["text"] == "Hello"


def test_heartbeat_comes_while_nothing_happens(server: WebServer) -> None:
    with follow(server) as reply:
        assert b": beat" in lines_until(reply, b": beat")


def test_viewer_who_hangs_up_frees_its_place(server: WebServer, desk: DemoDesk) -> None:
    with follow(server) as reply:
        lines_until(reply, b"data: ")
        assert desk.feed.viewers == 1
    assert wait_for(lambda: desk.feed.viewers == 0)


def test_pages_still_load_while_every_stream_is_taken(server: WebServer) -> None:
    with ExitStack() as stack:
        for _ in range(6):
            stack.enter_context(follow(server))
        refused = stack.enter_context(follow(server))
        assert (refused.status, refused.getheader("Retry-After")) == (503, "5")
        page = stack.enter_context(closing(connect(server)))
        page.request("GET", "/healthz")
        assert json.loads(page.getresponse().read())["viewers"] == 6


def test_stop_ends_streams_and_frees_the_port(desk: DemoDesk) -> None:
    server = serve(create_app(desk, simulated=True, streams=Streams(3)), "127.0.0.1", 0)
    with follow(server) as reply:
        lines_until(reply, b"data: ")
        server.stop()
        server.stop()
        assert b"event: table" not in reply.read()
    assert desk.feed.viewers == 0
    port = urlsplit(server.url).port
    with WebServer(create_app(desk, simulated=True), port=port or 0) as again:
        assert again.url == server.url


def test_busy_port_says_what_to_do(server: WebServer, desk: DemoDesk) -> None:
    port = urlsplit(server.url).port or 0
    with pytest.raises(DeviceError, match=f"port {port} .* --port {port + 1}"):
        serve(create_app(desk, simulated=True), "127.0.0.1", port)


@pytest.mark.parametrize(
    ("host", "port", "wanted"),
    [
        ("256.0.0.1.invalid", 0, "--host"),
        ("127.0.0.1", 70_000, "0 to 65535"),
        ("127.0.0.1", -1, "0 to 65535"),
    ],
)
def test_impossible_address_says_what_to_write(
    desk: DemoDesk, host: str, port: int, wanted: str
) -> None:
    with pytest.raises(DeviceError, match=wanted):
        serve(create_app(desk, simulated=True), host, port)


def test_viewer_who_reads_nothing_blocks_nobody(server: WebServer, desk: DemoDesk) -> None:
    address = urlsplit(server.url)
    asleep = socket.socket()
    asleep.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    with closing(asleep):
        asleep.connect((str(address.hostname), address.port or 0))
        asleep.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert wait_for(lambda: desk.feed.viewers == 1)
        with follow(server) as reply:
            lines_until(reply, b"data: ")
            for n in range(600):
                desk.tell("x", "note", "X", f"Step {n}")
                lines_until(reply, b"data: ")
    assert wait_for(lambda: desk.feed.viewers == 0)
