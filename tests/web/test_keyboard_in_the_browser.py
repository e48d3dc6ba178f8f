"""Every control by keyboard alone: reached with the Tab key, used with keys that people know."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from browsing import LYING_TABLET, TELEVISION, Browsing
from quiet_house import QuietHouse, faces

from camera.cutouts import as_jpeg
from companion.actions import Chose, Report, Rolled
from web.access import Access
from web.dashboard import create_app
from web.keys import Keys
from web.serve import WebServer
from web.setup_benches import show_benches
from web.streams import Streams

ROLLED = {"white-1": "key", "white-2": "troll", "white-3": "diamond", "white-4": "diamond"}
IS_HERE = "one => one === document.activeElement"


@pytest.fixture
def app(house: QuietHouse, tmp_path: Any) -> Any:
    access, rolls = Access(Keys(), lan=False), tmp_path / "rolls"
    app = create_app(
        house.desk, simulated=True, streams=Streams(6, beat_s=0.2), access=access, rolls=rolls
    )
    show_benches(app, house.benches(), access)
    return app


@pytest.fixture
def person(chromium: Any, app: Any) -> Iterator[Browsing]:
    with WebServer(app, port=0) as server:
        browsing = Browsing(chromium, server.url, viewport=LYING_TABLET, reduced_motion="reduce")
        yield browsing
        browsing.close()
    assert browsing.complaints == []


def tabs_to(page: Any, found: Any, most: int = 60) -> None:
    """Press Tab until it is reached; from where the page has been read up to."""
    for _ in range(most):
        if found.evaluate(IS_HERE):
            return
        page.keyboard.press("Tab")
    raise AssertionError("the Tab key does not lead there")


def happened(house: QuietHouse, *entries: Any, evidence: str | None = None) -> None:
    for second, entry in enumerate(entries, start=1):
        report = Report(
            entry, float(second), source="camera:tray", certainty=0.9, evidence=evidence
        )
        house.companion.inbox.put(report, seen=None).wait(8.0)


def test_roll_is_corrected(person: Browsing, house: QuietHouse) -> None:
    happened(house, Rolled(ROLLED))
    page = person.goes_to("/referee").page
    tabs_to(page, page.locator("summary", has_text="Correct step 1"))
    page.keyboard.press("Enter")
    face = page.locator("fieldset[data-die=white-2] input:checked")
    tabs_to(page, face)
    assert face.get_attribute("value") == "troll"
    for _ in range(4):  # the arrows go round the faces of one die
        page.keyboard.press("ArrowRight")
        if page.evaluate("document.activeElement.value") == "diamond":
            break
    page.get_by_text("Diamonds at risk: 2 → 3").wait_for()
    tabs_to(page, person.button("Correct step 1"))
    page.keyboard.press("Enter")
    page.locator("#step-1[data-corrected]").wait_for()
    assert house.companion.referee.table.counters["pouch.diamonds"] == 3


def test_picture_of_the_dice_is_opened(
    person: Browsing, house: QuietHouse, mocker: Any, tmp_path: Any
) -> None:
    (tmp_path / "rolls" / "1").mkdir(parents=True)
    picture = as_jpeg(np.full((40, 60, 3), 90, np.uint8), 90)
    (tmp_path / "rolls" / "1" / "1.jpg").write_bytes(picture)
    happened(house, Rolled(ROLLED), evidence="1/1.jpg")
    page = person.goes_to("/referee").page
    link = page.get_by_role("link", name="The dice of step 1")
    tabs_to(page, link)
    with page.expect_navigation(url=person.url + str(link.get_attribute("href"))):
        page.keyboard.press("Enter")
    page.locator("img").wait_for()
    page.go_back()
    tabs_to(page, page.get_by_role("link", name="The dice of step 1"))
    person.complaints.clear()  # of the browser's own page around a picture, which may not be styled


def test_live_camera_is_opened_and_shut(person: Browsing, house: QuietHouse, mocker: Any) -> None:
    picture = as_jpeg(np.full((90, 160, 3), 90, np.uint8), 90)
    row = {"name": "camera", "label": "Camera, tray"}
    mocker.patch.object(house.desk, "cameras", return_value=[row])
    live = mocker.patch.object(house.desk, "live", return_value=("1/still", 0.1, picture, ()))
    page = person.goes_to("/referee").page
    panel = page.locator("summary", has_text="What the cameras see")
    tabs_to(page, panel)
    page.keyboard.press("Enter")
    page.get_by_text("just now").wait_for()
    assert live.call_count > 0
    page.keyboard.press("Space")
    page.locator("canvas[data-live]").wait_for(state="hidden")
    assert panel.evaluate(IS_HERE)


def test_odds_are_switched_on_and_off(person: Browsing, house: QuietHouse) -> None:
    page = person.goes_to("/").page
    page.set_viewport_size(TELEVISION)
    switch, panel = page.locator("#odds-switch"), page.locator("#odds")
    assert not panel.is_visible()
    tabs_to(page, switch)
    page.keyboard.press("Space")
    panel.wait_for()
    assert switch.get_attribute("aria-pressed") == "true"
    page.keyboard.press("Enter")
    panel.wait_for(state="hidden")
    assert switch.get_attribute("aria-pressed") == "false"
    assert switch.evaluate(IS_HERE)


def test_odds_on_a_phone_are_opened(person: Browsing) -> None:
    page = person.goes_to("/seat/ann").page
    tabs_to(page, page.locator("#odds summary"))
    page.keyboard.press("Enter")
    page.locator("#odds dd").first.wait_for()


def test_game_is_replayed_with_the_slider(person: Browsing, house: QuietHouse) -> None:
    happened(house, Rolled(faces("diamond")), Chose("ann", "leave"), Rolled(faces("key")))
    page = person.goes_to("/games/1", live=False).page
    slider = page.get_by_role("slider")
    tabs_to(page, slider)
    page.keyboard.press("Home")
    page.locator("#past[data-step='0']").wait_for()
    page.keyboard.press("ArrowRight")
    page.locator("#past[data-step='1']").wait_for()
    page.keyboard.press("End")
    page.locator("#past[data-step='3']").wait_for()
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.className") == "one-back"
    page.keyboard.press("Enter")
    page.locator("#past[data-step='2']").wait_for()
    assert slider.input_value() == "2"


def test_smart_die_is_told_apart_and_named(person: Browsing) -> None:
    page = person.goes_to("/setup/dice", live=False).page
    die = page.locator("#die-die-a1c300")
    die.get_by_text("lies", exact=True).wait_for()
    tabs_to(page, die.get_by_role("button", name="Blink"))
    page.keyboard.press("Enter")
    page.get_by_text("The game waits").wait_for()
    tabs_to(page, die.locator("summary"))
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("ruby")
    page.keyboard.press("Enter")
    page.locator("#die-ruby").wait_for()


def test_face_is_taught_and_its_picture_taken_back(person: Browsing) -> None:
    page = person.goes_to("/setup/faces", live=False).page
    tabs_to(page, person.button("Teach the dice of this game"))
    page.keyboard.press("Enter")
    take = person.button("Take the picture")
    take.wait_for()
    tabs_to(page, take)
    page.keyboard.press("Enter")
    picture = page.locator(".thumbs li")
    picture.first.wait_for()
    assert take.evaluate(IS_HERE)
    tabs_to(page, page.get_by_role("button", name="Take back picture 1").first)
    page.keyboard.press("Enter")
    picture.first.wait_for(state="detached")


def test_corner_of_a_zone_is_moved_and_saved(person: Browsing) -> None:
    page = person.goes_to("/setup/camera", live=False).page
    corner = page.get_by_role("slider", name="Corner near right of zone adventurer")
    before = corner.get_attribute("aria-valuetext")
    tabs_to(page, corner)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Shift+ArrowLeft")
    person.has("Not saved yet")
    moved = corner.get_attribute("aria-valuetext")
    assert moved != before
    tabs_to(page, person.button("Save zone adventurer"))
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert corner.get_attribute("aria-valuetext") == moved
    person.has("The zones lie otherwise than when this game was taken up.")


def test_game_is_set_up_and_begun(person: Browsing, house: QuietHouse) -> None:
    page = person.goes_to("/setup", live=False).page
    tabs_to(page, page.get_by_label("Name at seat 1"))
    page.keyboard.press("Control+a")
    page.keyboard.type("Zoë")
    tabs_to(page, person.button("Begin Troll & Dragon"))
    with page.expect_navigation(url=f"{person.url}/"):
        page.keyboard.press("Enter")
    assert house.desk.wanted["players"][0].name == "Zoë"
