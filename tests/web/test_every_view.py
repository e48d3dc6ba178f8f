"""Every view of the dashboard, on every screen and by keyboard: one table, twelve pages.

What axe cannot see is looked at here: where the keyboard leads, whether one sees where one is,
whether anything covers it, and whether large letters and chosen colours leave all of it there.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import (
    LARGEST,
    LYING_TABLET,
    ONLY_DRAWN,
    PHONE,
    SCREENS,
    TABLET,
    TELEVISION,
    Browsing,
    found_by,
)
from demo_desk import LAMPS, DemoDesk
from quiet_house import QuietHouse, faces

from companion.actions import Chose, Report, Rolled
from web.access import Access
from web.dashboard import create_app
from web.doctor import show_doctor
from web.keys import Keys
from web.serve import WebServer
from web.setup_benches import show_benches
from web.streams import Streams

VIEWS = (
    "/", "/seat/ann", "/referee", "/games", "/games/1", "/games/dice", "/pairing", "/doctor",
    "/setup", "/setup/dice", "/setup/camera", "/setup/faces",
)  # fmt: skip
FOUND = {"machine": [{"code": "heat", "state": "bad", "finding": "84 °C", "fix": "give it air"}]}
STOPS = 30  # of the Tab key, on one page
# What is focused: a mark of its own, whether its outline shows, lies on the screen, and uncovered.
FOCUSED = """() => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  one.dataset.stop ??= String(document.querySelectorAll('[data-stop]').length);
  const shown = one.closest('label') ?? one, box = shown.getBoundingClientRect();
  const style = getComputedStyle(one);
  const x = Math.min(Math.max(box.x + box.width / 2, 0), innerWidth - 1);
  const y = Math.min(Math.max(box.y + Math.min(box.height / 2, 20), 0), innerHeight - 1);
  const above = document.elementFromPoint(x, y);
  return {
    stop: Number(one.dataset.stop),
    name: one.outerHTML.slice(0, 60),
    outlined: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
    on_screen: box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth,
    uncovered: above !== null && (shown.contains(above) || above.contains(shown)
      || above.closest('label, svg, .chart-room, .table-room') !== null),
    place: one.compareDocumentPosition(window.focusedBefore ?? document.body),
    moved: (window.focusedBefore = one) !== null,
  };
}"""
SMALL = """() => [...document.querySelectorAll('a, button, input, select, summary, [role=slider]')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.skip'))
  .filter((one) => getComputedStyle(one).display !== 'inline' && !one.closest('.visually-hidden'))
  .map((one) => [one, (one.closest('label') ?? one).getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && Math.min(box.width, box.height) < 23.9)
  .map(([one, box]) => [one.outerHTML.slice(0, 70), box.width, box.height])"""
CUT = """() => [...document.querySelectorAll('h1, h2, h3, p, button, a, th, label, summary, li')]
  .filter((one) => one.checkVisibility() && !one.closest('.visually-hidden, svg, .lamps'))
  .filter((one) => ['hidden', 'clip'].includes(getComputedStyle(one).overflowX))
  .filter((one) => one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent.trim().slice(0, 40))"""
OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll('.lamp-label')].map((label) => {
    const words = document.createRange();
    words.selectNodeContents(label);
    return [label.textContent, words.getBoundingClientRect()];
  });
  return boxes.slice(1).filter(([, box], n) => box.left < boxes[n][1].right
    && box.top < boxes[n][1].bottom).map(([text]) => text);
}"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[QuietHouse]:
    house = QuietHouse(tmp_path_factory.mktemp("views"))
    played: list[Any] = [Rolled(faces("diamond")), Chose("ann", "leave")]
    for second, entry in enumerate(played, start=1):
        report = Report(entry, at_s=float(second), source="camera:tray")
        house.companion.inbox.put(report, seen=None).wait(8.0)
    yield house
    house.close()


@pytest.fixture(scope="module")
def url(house: QuietHouse) -> Iterator[str]:
    access = Access(Keys(), lan=False)
    app = create_app(house.desk, simulated=True, streams=Streams(24, beat_s=0.2), access=access)
    show_benches(app, house.benches(), access)
    show_doctor(app, lambda: FOUND)
    with WebServer(app, port=0) as server:
        yield server.url


@pytest.fixture(scope="module")
def browsing(chromium: Any, url: str) -> Iterator[Browsing]:
    browsing = Browsing(chromium, url, locale="de")
    yield browsing
    browsing.close()
    assert browsing.complaints == []


@pytest.fixture(scope="module", params=VIEWS)
def view(browsing: Browsing, request: pytest.FixtureRequest) -> Browsing:
    """One page, opened once for all that is looked at there; as large as each test wants it."""
    browsing.page.emulate_media(color_scheme="light", reduced_motion="reduce")
    return browsing.goes_to(request.param, live=False)


@pytest.mark.parametrize("path", ["/pairing", "/doctor"])  # the others: where they are used
def test_nothing_keeps_people_out_on_any_screen(browsing: Browsing, path: str) -> None:
    browsing.goes_to(path, live=False)
    assert browsing.barriers(SCREENS) == []


def test_keyboard_leads_through_the_page_and_shows_where_it_is(view: Browsing) -> None:
    page = view.page
    page.set_viewport_size(LYING_TABLET)
    stops: list[dict[str, Any]] = []
    for _ in range(STOPS):
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None or focused["stop"] < len(stops):
            break  # round the page, and out of it
        stops.append(focused)
    assert len(stops) > 3
    looks = ("outlined", "on_screen", "uncovered")
    wrong = [(one["name"], look) for one in stops for look in looks if not one[look]]
    assert wrong == []
    before = [one["place"] & 4 for one in stops[1:]]  # 4: the one before lies after this one
    assert not any(before)


def test_large_letters_and_small_screens_cut_nothing_off(view: Browsing) -> None:
    page, path = view.page, view.page.evaluate("location.pathname")
    page.evaluate("document.activeElement.blur()")  # the way past the head lies over it in focus
    page.evaluate(Axe().axe_script)
    on_the_wall = (TELEVISION, LARGEST) if path == "/" else ()
    for size in (PHONE, TABLET, *on_the_wall):
        page.set_viewport_size(size)
        assert (size["width"], page.evaluate(SMALL)) == (size["width"], [])
        assert (size["width"], page.evaluate(CUT)) == (size["width"], [])
        if size in (TABLET, LARGEST):  # the others: where the pages are used
            assert found_by(page, ONLY_DRAWN) == []
    for width, letters in ((320, "100%"), (640, "200%")):  # as pages are at 400 %
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate("size => { document.documentElement.style.fontSize = size; }", letters)
        assert (width, page.evaluate(CUT)) == (width, [])
        assert (path, page.evaluate("document.documentElement.scrollWidth")) <= (path, width)
    page.emulate_media(forced_colors="active")
    assert page.evaluate(CUT) == []
    page.emulate_media(forced_colors="none")


def test_lamps_on_the_big_screen_have_room_for_their_names(chromium: Any) -> None:
    names = ("Tisch", *(f"Troll {n}" for n in range(1, 5)), "Drache", "Schatz", "Du bist dran",
             *(f"Platz {n}" for n in range(1, 6)), "Summer")  # fmt: skip
    desk = DemoDesk()
    lamps = [{"name": n, "label": n, "colour": LAMPS[0][2], "level": 0.5} for n in names]
    desk.lamps = lambda level: lamps  # type: ignore[method-assign]
    app = create_app(desk, simulated=True, streams=Streams(6, beat_s=0.2))
    with WebServer(app, port=0) as server:
        browsing = Browsing(chromium, server.url, locale="de")
        page = browsing.goes_to("/").page
        for width in (1088, 1280, 1366, 1920, 3840):
            page.set_viewport_size({"width": width, "height": width * 9 // 16})
            assert (width, page.evaluate(OVERLAPS)) == (width, [])
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        browsing.close()
