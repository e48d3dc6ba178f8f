"""The two other games in a real browser: what lies where, what fits, tiles that are tapped."""

from typing import Any

import pytest
from browsing import PHONE, TELEVISION, barriers_of, leave_page, open_page
from played_desk import PlayedDesk, played

from companion.actions import Chose, Flipped
from companion.referee import Referee
from web.dashboard import create_app
from web.serve import WebServer
from web.streams import Streams


class Shown:
    """One screen on a played desk, with the active player's seat taken."""

    def __init__(self, chromium: Any, desk: PlayedDesk, url: str) -> None:
        seats = f'["{desk.referee.table.active}"]'
        sitting = f"localStorage.setItem('companion.seats', '{seats}')"
        self.page, self.url = open_page(chromium, begins_with=sitting), url
        self.page.goto(url)
        self.page.wait_for_selector(".connection[data-state=live]")

    def close(self) -> None:
        leave_page(self.page, self.url)


@pytest.fixture
def show(chromium: Any) -> Any:
    open_ones: list[Any] = []

    def shown(desk: PlayedDesk) -> Shown:
        app = create_app(desk, simulated=True, streams=Streams(6, beat_s=0.2))
        server = WebServer(app, port=0)
        server.start()
        open_ones.append(server)
        return Shown(chromium, desk, server.url)

    yield shown
    for server in open_ones:
        server.stop()


def placing(referee: Referee) -> bool:
    return referee.number > 50 and referee.table.phase == "place" and bool(referee.table.enemies)


@pytest.mark.parametrize("sides", ["aaaa", "bbbb"])
def test_territories_fit_every_screen_and_say_what_may_be_placed_where(
    show: Any, sides: str
) -> None:
    desk = PlayedDesk(played("roll_for_adventure", 4, placing, sides=sides))
    screen = show(desk)
    assert barriers_of(screen.page) == []
    [offer] = [
        o for o in desk.snapshot()["offers"] if o.get("choice") == "place" and not o.get("closed")
    ]
    buttons = screen.page.locator("button.choice[data-action]")
    assert buttons.count() == len(offer["values"])
    value = offer["values"][0]
    where = value["where"]
    marked = screen.page.locator(
        f'[data-dice="{where}"], [data-card="{where}"], [data-die="{where}"]'
    )
    assert marked.count() == 1
    assert screen.page.locator("[data-fits]").count() > 0
    assert screen.page.locator("[data-pawn-here]").count() == 4
    placeholders = screen.page.locator(".placeholder")
    assert placeholders.count() >= 5
    assert placeholders.first.inner_text().endswith("our guess")
    closed = screen.page.locator(".reasons .closed").first
    assert not closed.is_visible()
    screen.page.get_by_text("Why nothing else?").click()
    closed.wait_for()
    buttons.first.click()
    screen.page.wait_for_selector(f"#board:not([data-step='{offer['since']}'])")
    assert desk.asked == [Chose(offer["player"], "place", value)]
    screen.close()


def up_for_a_while(referee: Referee) -> bool:
    table: Any = referee.table
    return referee.number > 30 and len(table.up) == 2 and len(table.remembered) > 6


def test_tile_is_turned_up_by_a_tap_on_it(show: Any) -> None:
    desk = PlayedDesk(played("schatz_der_drachen", 3, up_for_a_while, assist_level="full"))
    screen = show(desk)
    assert barriers_of(screen.page) == []
    table: Any = desk.referee.table
    assert screen.page.locator(".cell[data-status=up] .symbol").count() == 2
    assert screen.page.locator("button.cell[data-local-mine]").count() == len(table.backs)
    with screen.page.expect_response("**/turns"):
        screen.page.locator(f"button.cell[data-turn='{table.backs[0]}']").click()
    assert desk.asked == [("turn_up", table.active, table.backs[0])]
    screen.close()


def test_refusal_offers_what_may_put_it_right_as_buttons(show: Any) -> None:
    desk = PlayedDesk(played("schatz_der_drachen", 3, up_for_a_while))
    screen = show(desk)
    table: Any = desk.referee.table
    square = next(s for s in table.backs if table.tiles[s] in table.remembered)
    seen = table.remembered[table.tiles[square]]
    other = next(face for face in table.faces if face not in (seen, "spider", "dragon"))
    screen.page.get_by_text("Enter what turned up").click()
    screen.page.locator("select[name=square]").select_option(square)
    screen.page.locator(f"label.face:has(input[value={other}])").click()
    screen.page.get_by_role("button", name="That is what it shows").click()
    remedies = screen.page.locator("#remedies button[data-remedy]")
    remedies.first.wait_for()
    assert remedies.count() == len(table.faces) - 1 + 2
    for words in ("It was read wrongly the first time", "Tiles were mixed up"):
        assert screen.page.get_by_role("button", name=words).count() >= 1
    screen.page.locator("#remedies").get_by_text("Tiles were mixed up").click()
    screen.page.locator("#remedies").wait_for(state="hidden")
    assert desk.asked == [Flipped(square, other), Chose(table.active, "swapped")]
    screen.close()


TALLER = """() => [...document.querySelectorAll('.cell')].map((one) => one.getBoundingClientRect())
  .map((box) => box.height / box.width).filter((shape) => shape < 0.9 || shape > 1.1)"""


def test_tiles_that_lie_open_stay_as_large_as_the_others(show: Any) -> None:
    screen = show(PlayedDesk(played("schatz_der_drachen", 3, up_for_a_while)))
    for size in (PHONE, TELEVISION):
        screen.page.set_viewport_size(size)
        assert screen.page.evaluate(TALLER) == []
    high = screen.page.evaluate("document.documentElement.scrollHeight")
    assert high <= TELEVISION["height"]
    screen.close()
