"""Taps count that come while a page is drawn anew, or before its scripts are there."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import Browsing
from quiet_house import QuietHouse

from companion.config import CameraSettings
from companion.errors import IllegalAction
from companion.setting_up_zones import ZoneBench
from web.serve import WebServer

KEEP = "The trays are empty now: keep this picture"
CHANGED = "The zones lie otherwise"
GO_ON = """async () => {
  const { csrf } = await (await fetch("/api/v1/session")).json();
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": csrf };
  await fetch("/api/v1/setup/faces/go-on", { method: "POST", headers, body: "{}" });
}"""


@pytest.fixture
def referee(chromium: Any, app: Any) -> Iterator[Browsing]:
    with WebServer(app, port=0) as server:
        browsing = Browsing(chromium, server.url)
        yield browsing
        browsing.close()
    assert browsing.complaints == []


def slowly(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let the camera take its time, as real ones do."""
    keep = ZoneBench.keep_empty

    def keep_slowly(bench: ZoneBench, name: str) -> dict[str, Any]:
        time.sleep(seconds)
        return keep(bench, name)

    monkeypatch.setattr(ZoneBench, "keep_empty", keep_slowly)


def test_what_is_refused_of_a_camera_is_told(
    referee: Browsing, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(bench: ZoneBench, name: str) -> dict[str, Any]:
        raise IllegalAction("bad_setup", "There are dice in it.")

    monkeypatch.setattr(ZoneBench, "keep_empty", refuse)
    page = referee.goes_to("/setup/camera", live=False).page
    referee.button(KEEP).click()
    page.wait_for_timeout(500)  # it must last
    assert page.locator("#toast").inner_text() == "There are dice in it."


def test_tap_that_comes_twice_is_done_once_and_told(
    referee: Browsing, monkeypatch: pytest.MonkeyPatch
) -> None:
    slowly(monkeypatch, 0.5)
    referee.goes_to("/setup/camera", live=False)
    referee.button(KEEP).dblclick()
    referee.has(CHANGED)


def test_press_counts_that_begins_while_the_game_is_let_wait(
    referee: Browsing,
    camera: CameraSettings,
) -> None:
    page = referee.goes_to("/setup/camera", live=False).page
    keep = referee.button(KEEP)
    keep.hover()
    page.mouse.down()
    page.evaluate("document.querySelector('button[data-write$=wait]').click()")
    page.locator("#waits").wait_for()
    keep.hover()
    page.mouse.up()
    referee.has(CHANGED)
    assert Path(camera.empty).exists()


def test_tap_before_the_words_of_a_language_have_come_counts(
    referee: Browsing,
    camera: CameraSettings,
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
