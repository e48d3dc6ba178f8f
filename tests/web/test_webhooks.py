"""Webhooks, delivered to a real server on this machine."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from lan_table import LanTable, post

from companion.errors import ConfigError
from web.feed import Feed
from web.refusals import Refused
from web.webhooks import MOST, Webhooks, signature

SOON = (0.01, 0.01, 0.01)


class Receiver:
    """Takes what is posted; answers with the statuses it is given, then with 204."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.statuses: list[int] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.got.append((dict(self.headers), body))
                status = receiver.statuses.pop(0) if receiver.statuses else 204
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture
def feed() -> Iterator[Feed]:
    feed = Feed(boot="b")
    yield feed
    feed.close()


def wait_for(condition: Callable[[], object], timeout_s: float = 10.0) -> bool:
    until_s = time.monotonic() + timeout_s
    tick = threading.Event()
    while not condition() and time.monotonic() < until_s:
        tick.wait(0.005)
    return bool(condition())


def tell(feed: Feed, number: int) -> None:
    feed.publish("table", {"told": [number]}, number)


def numbers(receiver: Receiver) -> list[int]:
    return [json.loads(body)["data"]["told"][0] for _, body in receiver.got]


def test_messages_are_posted_in_order_and_signed(feed: Feed, receiver: Receiver) -> None:
    tell(feed, 0)
    hooks = Webhooks(feed, pauses_s=SOON)
    hook = hooks.add(receiver.url, ["table"])
    feed.publish("lamps", {"lamps": []}, None)
    for number in (1, 2, 3):
        tell(feed, number)
    assert wait_for(lambda: len(receiver.got) == 3)
    assert numbers(receiver) == [1, 2, 3]
    headers, body = receiver.got[0]
    assert headers["Companion-Id"] == "b-2"
    stamp = headers["Companion-Timestamp"]
    assert headers["Companion-Signature"] == signature(hook.secret, stamp, body)
    assert headers["Companion-Signature"] != signature("guess", stamp, body)
    assert headers["Companion-Signature"] != signature(hook.secret, "0", body)
    hooks.close()


def test_delivery_is_tried_again_until_it_is_taken(feed: Feed, receiver: Receiver) -> None:
    receiver.statuses = [500, 302, 404]
    hooks = Webhooks(feed, pauses_s=SOON)
    hooks.add(receiver.url, ["table"])
    tell(feed, 1)
    tell(feed, 2)
    assert wait_for(lambda: hooks.rows()[0]["delivered"] == 2)
    assert numbers(receiver) == [1, 1, 1, 1, 2]
    assert len({headers["Companion-Id"] for headers, _ in receiver.got[:4]}) == 1
    hooks.close()


def test_message_that_nobody_takes_is_given_up_and_counted(feed: Feed, receiver: Receiver) -> None:
    receiver.statuses = [500] * 4
    hooks = Webhooks(feed, pauses_s=SOON)
    hooks.add(receiver.url, ["table"])
    tell(feed, 1)
    tell(feed, 2)
    assert wait_for(lambda: hooks.rows()[0]["delivered"] == 1)
    assert hooks.rows()[0]["failed"] == 1
    hooks.close()


def test_dead_address_holds_up_neither_table_nor_another_address(
    feed: Feed, receiver: Receiver
) -> None:
    hooks = Webhooks(feed, pauses_s=(30.0,))
    hooks.add("http://127.0.0.1:1/", ["table"])
    hooks.add(receiver.url, ["table"])
    begun_s = time.monotonic()
    for number in range(40):
        tell(feed, number)
    spent_s = time.monotonic() - begun_s
    assert wait_for(lambda: len(receiver.got) == 40)
    assert spent_s < 5.0  # a single pause of the dead one would take thirty
    hooks.close()


def test_webhooks_survive_a_restart_and_keep_their_secrets(
    feed: Feed, receiver: Receiver, tmp_path: Path
) -> None:
    path = tmp_path / "hooks.json"
    hooks = Webhooks(feed, path, pauses_s=SOON)
    hook = hooks.add(receiver.url, ["table"])
    hooks.close()
    assert path.stat().st_mode & 0o777 == 0o600
    again = Webhooks(feed, path, pauses_s=SOON)
    tell(feed, 1)
    assert wait_for(lambda: receiver.got)
    headers, body = receiver.got[0]
    assert headers["Companion-Signature"] == signature(
        hook.secret, headers["Companion-Timestamp"], body
    )
    again.remove(hook.id)
    again.close()
    assert Webhooks(feed, path).rows() == []


def test_damaged_file_says_what_to_do(feed: Feed, tmp_path: Path) -> None:
    path = tmp_path / "hooks.json"
    path.write_text("[1]")
    with pytest.raises(ConfigError, match="delete the file"):
        Webhooks(feed, path)


@pytest.mark.parametrize(
    "url",
    ["ftp://x/", "file:///etc/passwd", "http://", "javascript:alert(1)", "http://a b/",
     "http://u:p@host/", "http://host:0/", "http://host:99999/", "http://[::1", "//host/",
     "http://host/\r\nX: y", "http://hóst/"],
)  # fmt: skip
def test_strange_address_is_refused(feed: Feed, url: str) -> None:
    hooks = Webhooks(feed)
    with pytest.raises(Refused, match="expected http"):
        hooks.add(url, ["table"])


def test_kinds_and_count_are_bounded(feed: Feed) -> None:
    hooks = Webhooks(feed)
    for kinds in ([], ["secrets"], ["table", "x"]):
        with pytest.raises(Refused, match="kinds"):
            hooks.add("http://127.0.0.1:1/", kinds)
    for _ in range(MOST):
        hooks.add("http://127.0.0.1:1/", ["table"])
    with pytest.raises(Refused, match="remove one"):
        hooks.add("http://127.0.0.1:1/", ["table"])
    hooks.close()


def test_only_the_referee_registers_and_sees_webhooks(receiver: Receiver) -> None:
    lan = LanTable()
    hooks = Webhooks(lan.desk.feed, pauses_s=SOON)
    lan = LanTable(lan.desk, hooks=hooks)
    body = {"url": receiver.url}
    for browser in (lan.viewer(), lan.player("ann")):
        assert post(browser, "/api/v1/webhooks", body).status_code == 403
        assert browser.get("/api/v1/webhooks").status_code == 403
    referee = lan.referee()
    made = post(referee, "/api/v1/webhooks", body)
    assert made.status_code == 201
    (row,) = referee.get("/api/v1/webhooks").json["webhooks"]
    assert row["id"] == made.json["id"]
    assert "secret" not in row
    lan.desk.tell("x", "note", "X", "Hello")
    assert wait_for(lambda: receiver.got)
    gone = post(referee, f"/api/v1/webhooks/{row['id']}", {}, method="DELETE")
    assert gone.status_code == 204
    assert post(referee, "/api/v1/webhooks/x", {}, method="DELETE").status_code == 404
    hooks.close()
