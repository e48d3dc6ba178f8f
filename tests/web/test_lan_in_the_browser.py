"""Joining a table on the LAN, in a real browser."""

from collections.abc import Iterator
from typing import Any

import pytest
from browsing import barriers_of, hear, leave_page, open_page
from demo_desk import DemoDesk
from lan_table import LanTable

from web.serve import WebServer
from web.streams import Streams

SITTING = """localStorage.setItem("companion.seats", JSON.stringify(["ann"]))"""


class Visit:
    """A browser of somebody's own, and what it complained of."""

    def __init__(self, chromium: Any, url: str) -> None:
        self.page = open_page(chromium, begins_with=SITTING)
        self.complaints: list[str] = []
        hear(self.page, "pageerror", lambda error: self.complaints.append(str(error)))
        hear(self.page, "console", lambda message: self._hear(message.text))
        self.url = url

    def _hear(self, text: str) -> None:
        if "Content Security Policy" in text or "Refused to" in text:
            self.complaints.append(text)

    def goes_to(self, path: str) -> None:
        self.page.goto(self.url + path)

    def is_live(self) -> None:
        self.page.wait_for_selector(".connection[data-state=live]")

    def button(self, name: str) -> Any:
        return self.page.get_by_role("button", name=name)


@pytest.fixture
def table() -> Iterator[tuple[LanTable, WebServer]]:
    lan = LanTable(DemoDesk(), streams=Streams(8, beat_s=0.2))
    with WebServer(lan.app, port=0) as server:
        yield lan, server


@pytest.fixture
def visit(chromium: Any, table: tuple[LanTable, WebServer]) -> Iterator[Any]:
    visits: list[Visit] = []

    def visit() -> Visit:
        visits.append(Visit(chromium, table[1].url))
        return visits[-1]

    yield visit
    for one in visits:
        leave_page(one.page, one.url)
    assert [one.complaints for one in visits if one.complaints] == []


def test_link_shows_the_table_and_a_seats_code_lets_play(
    visit: Any, table: tuple[LanTable, WebServer]
) -> None:
    lan, phone = table[0], visit()
    phone.goes_to("/")
    phone.page.get_by_text("Scan the code on the big screen").wait_for()
    phone.goes_to(f"/join/{lan.keys.link}")
    phone.is_live()
    phone.button("I’m leaving!").click()
    phone.page.locator("#toast[data-shown]").get_by_text("not paired with that seat").wait_for()
    assert lan.desk.asked == []
    phone.goes_to(f"/pair/{lan.keys.seat('ann')}")
    phone.is_live()
    phone.button("Play as Ann").click()
    phone.button("I’m leaving!").click()
    phone.page.get_by_text("ann leaves with the treasure.").locator("visible=true").first.wait_for()


def test_pin_opens_the_codes_and_a_new_one_ends_the_old(
    visit: Any, table: tuple[LanTable, WebServer]
) -> None:
    lan, screen = table[0], visit()
    screen.goes_to(f"/join/{lan.keys.link}")
    screen.goes_to("/pairing")
    pin = screen.page.get_by_label("The PIN that the console shows")
    pin.fill(f"{(int(lan.keys.pin) + 1) % 10**6:06}")
    pin.press("Enter")
    screen.page.get_by_text("not the PIN that the console shows").wait_for()
    pin.fill(lan.keys.pin)
    pin.press("Enter")
    screen.page.get_by_text("Show the code of Ann").click()
    screen.page.get_by_alt_text("pairs a phone with Ann").wait_for()
    before = lan.keys.seat("ann")
    screen.button("New code, unpair all phones").first.click()
    screen.page.get_by_text("the old one is void").wait_for()
    assert lan.keys.seat("ann") != before


def test_big_screen_shows_the_code_that_phones_scan(
    visit: Any, table: tuple[LanTable, WebServer]
) -> None:
    import cv2
    import numpy as np

    lan, screen = table[0], visit()
    screen.page.set_viewport_size({"width": 1920, "height": 1080})
    screen.goes_to(f"/join/{lan.keys.link}")
    code = screen.page.locator(".link-code")
    code.wait_for()
    picture = cv2.imdecode(np.frombuffer(code.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    larger = cv2.resize(picture, None, fx=2, fy=2)
    detectors = (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco())  # either fails for some links
    texts = [detector.detectAndDecode(larger)[0] for detector in detectors]
    assert any(text.endswith(f"/join/{lan.keys.link}") for text in texts)
    assert not any("127.0.0.1" in text for text in texts)


def test_axe_finds_nothing_on_the_pages_by_which_people_join(
    visit: Any, table: tuple[LanTable, WebServer]
) -> None:
    lan, screen = table[0], visit()
    screen.goes_to("/")
    assert barriers_of(screen.page) == []
    screen.goes_to(f"/join/{lan.keys.link}")
    screen.goes_to("/pairing")
    assert barriers_of(screen.page) == []
    screen.page.keyboard.press("Tab")
    screen.page.keyboard.type(lan.keys.pin)
    screen.page.keyboard.press("Enter")
    screen.page.get_by_text("Show the code of Ann").click()
    assert barriers_of(screen.page) == []
