"""Taps count that come while a page is drawn anew, or before its scripts are there."""

from collections.abc import Iterator
from typing import Any

import pytest
from browsing import Browsing
from quiet_house import QuietHouse
from test_setup_waits import app, camera  # noqa: F401

from web.serve import WebServer

GO_ON = """async () => {
  const { csrf } = await (await fetch("/api/v1/session")).json();
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": csrf };
  await fetch("/api/v1/setup/faces/go-on", { method: "POST", headers, body: "{}" });
}"""


@pytest.fixture
def referee(chromium: Any, app: Any) -> Iterator[Browsing]:  # noqa: F811
    with WebServer(app, port=0) as server:
        browsing = Browsing(chromium, server.url)
        yield browsing
        browsing.close()
    assert browsing.complaints == []


def test_press_counts_on_a_button_before_which_something_goes_away(
    referee: Browsing, house: QuietHouse
) -> None:
    page = referee.goes_to("/setup/faces", live=False).page
    referee.button("Teach the dice of this game").click()
    take = referee.button("Take the picture")
    take.hover()
    page.mouse.down()
    page.evaluate(GO_ON)
    page.locator("#waits").wait_for(state="detached")  # by itself, once in a while
    take.hover()
    page.mouse.up()
    page.locator("#face-white-troll .thumbs li").wait_for()
