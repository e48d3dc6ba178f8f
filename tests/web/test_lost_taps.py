"""Taps count that come while a page is drawn anew, or before its scripts are there."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import Browsing
from quiet_house import QuietHouse
from test_setup_waits import app, camera  # noqa: F401

from companion.config import CameraSettings
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


def test_tap_before_the_words_of_a_language_have_come_counts(
    referee: Browsing,
    camera: CameraSettings,  # noqa: F811
) -> None:
    page, held = referee.page, []
    page.set_extra_http_headers({"Accept-Language": "de"})
    page.route("**/words/de.json", lambda route: held.append(route))
    page.goto(referee.url + "/setup/camera", wait_until="load")
    page.locator("button[data-write$=empty]").click()
    held[0].continue_()
    page.unroute_all()
    page.set_extra_http_headers({})
    page.locator("#changed").wait_for()
    assert Path(camera.empty).exists()


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
