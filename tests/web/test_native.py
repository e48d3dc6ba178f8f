"""The event loop that streams: compressed once, dropped when slow, resumed without a gap."""

import gzip
import http.client
import json
import re
import socket
import threading
import time
import zlib
from collections.abc import Callable
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import pytest
from demo_desk import DemoDesk
from hypothesis import given
from hypothesis import strategies as st

from web import native
from web.dashboard import create_app
from web.feed import Feed
from web.native import GZIP_HEAD, deflated, environ_of
from web.serve import WebServer
from web.streams import Streams


def wait_for(condition: Callable[[], object], timeout_s: float = 10.0) -> bool:
    until_s = time.monotonic() + timeout_s
    tick = threading.Event()
    while not condition() and time.monotonic() < until_s:
        tick.wait(0.01)
    return bool(condition())


def opened(server: WebServer, **headers: str) -> Any:
    address = urlsplit(server.url)
    line = http.client.HTTPConnection(str(address.hostname), address.port, timeout=10)
    line.request("GET", "/events", headers=headers)
    return line


@given(st.lists(st.binary(max_size=2000), max_size=8))
def test_pieces_behind_one_head_are_one_gzip_stream(texts: list[bytes]) -> None:
    stream = GZIP_HEAD + b"".join(map(deflated, texts))
    assert zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(stream) == b"".join(texts)
    alone = [zlib.decompressobj(-zlib.MAX_WBITS).decompress(deflated(text)) for text in texts]
    assert alone == texts


def test_browser_that_takes_gzip_gets_it_message_by_message(
    server: WebServer, desk: DemoDesk
) -> None:
    with closing(opened(server, **{"Accept-Encoding": "gzip"})) as line:
        reply = line.getresponse()
        assert reply.getheader("Content-Encoding") == "gzip"
        unzip, text = zlib.decompressobj(zlib.MAX_WBITS | 16), b""
        while b"event: table" not in text:
            text += unzip.decompress(reply.read1(65536))
        desk.tell("x", "note", "X", "Hello")
        while b"Hello" not in text:
            text += unzip.decompress(reply.read1(65536))
    assert text.startswith(b"retry: ")


def test_each_message_is_painted_and_packed_once_for_all(
    desk: DemoDesk, mocker: Any, server: WebServer
) -> None:
    packed = mocker.spy(native, "deflated")
    lines = [opened(server, **{"Accept-Encoding": "gzip"}) for _ in range(5)]
    replies = [line.getresponse() for line in lines]
    assert wait_for(lambda: desk.feed.viewers == 5)
    desk.tell("x", "note", "X", "Unheard of")
    heard = []
    for reply in replies:
        unzip, text = zlib.decompressobj(zlib.MAX_WBITS | 16), b""
        while b"Unheard of" not in text:
            text += unzip.decompress(reply.read1(65536))
        heard.append(text)
    for line in lines:
        line.close()
    assert len(heard) == 5
    about = [call.args[0] for call in packed.call_args_list if b"Unheard of" in call.args[0]]
    assert len(about) == 1


def test_slow_viewer_is_dropped_and_resumes_without_a_gap() -> None:
    desk = DemoDesk()
    desk.feed = Feed(boot="slow", lag=8, keep=500)
    desk.publish([])
    padding = "x" * 20_000  # fills what the system keeps for a viewer
    with WebServer(create_app(desk, simulated=True, streams=Streams(4)), port=0) as server:
        address = urlsplit(server.url)
        slow = socket.socket()
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with closing(slow):
            slow.settimeout(10)
            slow.connect((str(address.hostname), address.port))
            slow.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert wait_for(lambda: desk.feed.viewers == 1)
            got = b""
            desk.feed.publish("table", {"n": 1, "padding": padding}, 1)
            while b'"n":1,' not in got:
                got += slow.recv(65536)
            for number in range(2, 61):
                desk.feed.publish("table", {"n": number, "padding": padding}, number)
            while not got.endswith(b"0\r\n\r\n"):
                part = slow.recv(65536)
                assert part, "the stream ended in the middle of a message"
                got += part
        assert desk.feed.dropped == 1
        heard = numbers(got)
        assert 0 < len(heard) < 60
        last_id = f"slow-{heard[-1] + 1}"  # the first message of the feed was the table
        with closing(opened(server, **{"Last-Event-ID": last_id})) as line:
            reply, rest = line.getresponse(), b""
            while b'"n":60,' not in rest:
                rest += reply.read1(65536)
    assert heard + numbers(rest) == list(range(1, 61))
    desk.feed.close()


def numbers(stream: bytes) -> list[int]:
    return [int(part.split(b",")[0]) for part in stream.split(b'data: {"n":')[1:]]


def test_publishing_never_waits_for_viewers(server: WebServer, desk: DemoDesk) -> None:
    asleep = socket.socket()
    asleep.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    address = urlsplit(server.url)
    with closing(asleep):
        asleep.connect((str(address.hostname), address.port))
        asleep.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert wait_for(lambda: desk.feed.viewers == 1)
        spent = []
        for number in range(300):
            begun_s = time.perf_counter()
            desk.feed.publish("table", {"n": number, "padding": "x" * 20_000}, number)
            spent.append(time.perf_counter() - begun_s)
    spent.sort()
    assert spent[150] < 0.05  # a viewer who sleeps would make it endless


def test_connection_that_says_nothing_is_closed(mocker: Any, desk: DemoDesk) -> None:
    mocker.patch("web.serve.FIRST_WORD_S", 0.1)
    with WebServer(create_app(desk, simulated=True), port=0) as server:
        address = urlsplit(server.url)
        with closing(socket.create_connection((str(address.hostname), address.port), 10)) as mute:
            assert mute.recv(10) == b""


def test_body_that_never_comes_holds_no_thread(mocker: Any, desk: DemoDesk) -> None:
    mocker.patch("web.native.BODY_S", 0.1)
    with WebServer(create_app(desk, simulated=True), port=0) as server:
        address = urlsplit(server.url)
        with closing(socket.create_connection((str(address.hostname), address.port), 10)) as slow:
            head = "POST /actions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            slow.sendall(f"{head}Content-Length: 50\r\n\r\n{{".encode())
            assert slow.recv(100).startswith(b"HTTP/1.1 413")


def test_body_without_a_length_is_bounded_all_the_same(server: WebServer) -> None:
    address = urlsplit(server.url)
    with closing(
        http.client.HTTPConnection(str(address.hostname), address.port, timeout=10)
    ) as line:
        parts = iter([b"x" * 1000] * 200)
        line.request(
            "POST", "/actions", body=parts, headers={"Content-Type": "application/json"},
            encode_chunked=True,
        )  # fmt: skip
        reply = line.getresponse()
        assert reply.status == 413
        assert json.loads(reply.read())["code"] == "request_entity_too_large"


def test_header_with_underscores_does_not_pass_for_another() -> None:
    scope = {
        "type": "http", "method": "GET", "path": "/", "query_string": b"", "http_version": "1.1",
        "headers": [(b"x_csrf_token", b"forged"), (b"accept", b"a"), (b"accept", b"b")],
    }  # fmt: skip
    environ = environ_of(scope, b"")
    assert "HTTP_X_CSRF_TOKEN" not in environ
    assert environ["HTTP_ACCEPT"] == "a,b"


def test_pages_come_as_flask_made_them(server: WebServer) -> None:
    address = urlsplit(server.url)
    with closing(
        http.client.HTTPConnection(str(address.hostname), address.port, timeout=10)
    ) as line:
        line.request("GET", "/")
        sheet = re.findall(r'href="(/static/[^"]+[.]css)"', line.getresponse().read().decode())[0]
        line.request("GET", sheet)
        reply = line.getresponse()
        body = reply.read()
        assert int(reply.getheader("Content-Length") or 0) == len(body) > 500
        line.request("GET", sheet, headers={"If-None-Match": reply.getheader("ETag") or ""})
        again = line.getresponse()
        assert (again.status, again.read()) == (304, b"")
        assert reply.getheader("Server") is None


@pytest.mark.parametrize("path", ["/healthz", "/api/v1/table"])
def test_answer_is_not_zipped_twice(server: WebServer, path: str) -> None:
    address = urlsplit(server.url)
    with closing(
        http.client.HTTPConnection(str(address.hostname), address.port, timeout=10)
    ) as line:
        line.request("GET", path, headers={"Accept-Encoding": "gzip"})
        reply = line.getresponse()
        data = reply.read()
        plain = gzip.decompress(data) if reply.getheader("Content-Encoding") == "gzip" else data
        assert json.loads(plain)


def test_taps_that_wait_for_the_table_hold_up_no_viewer(mocker: Any, desk: DemoDesk) -> None:
    mocker.patch("web.native.THREADS", 1)
    go_on, begun = threading.Event(), threading.Event()
    mocker.patch.object(desk, "act", side_effect=lambda *_, **__: begun.set() or go_on.wait(20.0))
    with WebServer(create_app(desk, simulated=True), port=0) as server:
        address = urlsplit(server.url)
        with closing(opened(server)) as line:
            reply, heard = line.getresponse(), b""
            tap = http.client.HTTPConnection(str(address.hostname), address.port, timeout=10)
            body = json.dumps({"action": {"type": "undo"}, "step": 12})
            tap.request("POST", "/actions", body, {"Content-Type": "application/json"})
            assert begun.wait(10.0)
            desk.tell("x", "note", "X", "Meanwhile")
            while b"Meanwhile" not in heard:
                heard += reply.read1(65536)
            go_on.set()
            tap.close()
