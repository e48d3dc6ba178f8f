"""The page in a real browser: what a person at the table does."""

from collections.abc import Iterator
from typing import Any

import pytest
from browsing import PHONE, TELEVISION, barriers_of, hear, leave_page, open_page
from demo_desk import DemoDesk

from companion.actions import Chose, Rolled, Undo
from web.dashboard import create_app
from web.serve import WebServer
from web.streams import Streams

SITTING = """localStorage.setItem("companion.seats", JSON.stringify(["ann"]))"""


class Screen:
    """One page in a browser, and everything that it complained of."""

    def __init__(self, chromium: Any, url: str, *, sitting: bool = False, **settings: Any) -> None:
        settings = {"begins_with": SITTING if sitting else "", **settings}
        self.page = open_page(chromium, **settings)
        self.complaints: list[str] = []
        hear(self.page, "console", lambda message: self._hear(message.type, message.text))
        hear(self.page, "pageerror", lambda error: self.complaints.append(str(error)))
        self.url = url
        self.open()

    def _hear(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(text)

    def open(self) -> None:
        self.page.goto(self.url)
        self.page.wait_for_selector(".connection[data-state=live]")

    def close(self) -> None:
        leave_page(self.page, self.url)

    def button(self, name: str) -> Any:
        return self.page.get_by_role("button", name=name)

    def has(self, words: str) -> None:
        self.page.get_by_text(words).locator("visible=true").first.wait_for()


@pytest.fixture
def screens(chromium: Any, server: WebServer) -> Iterator[Any]:
    made: list[Screen] = []

    def make(**settings: Any) -> Screen:
        made.append(Screen(chromium, server.url, **settings))
        return made[-1]

    yield make
    complaints = [text for screen in made for text in screen.complaints]
    for screen in made:
        screen.close()
    assert complaints == []


def test_tap_before_the_scripts_have_come_counts_once_they_are_there(
    chromium: Any, desk: DemoDesk, server: WebServer
) -> None:
    page = open_page(chromium, viewport=TELEVISION)
    held: list[Any] = []
    page.route("**/js/main.js", lambda route: held.append(route))
    page.goto(server.url, wait_until="commit")
    page.get_by_role("button", name="Play as Ann").click()
    before = sorted(desk.people)
    held[0].continue_()
    page.unroute_all()
    page.get_by_role("button", name="Leave Ann’s seat").wait_for()
    leave_page(page, server.url)
    assert (before, sorted(desk.people)) == ([], ["ann"])


def test_steps_appear_without_a_reload(screens: Any, desk: DemoDesk) -> None:
    screen = screens()
    desk.tell("troll", "bad", "The Troll!", "The Troll grabs 3 diamonds from Ann.")
    screen.page.locator("#banner").get_by_text("The Troll!").wait_for()
    screen.page.locator("#said").get_by_text("grabs 3 diamonds").wait_for(state="attached")
    screen.page.locator(".ticker").get_by_text("grabs 3 diamonds").wait_for()


def test_person_takes_a_seat_plays_and_leaves_it(screens: Any, desk: DemoDesk) -> None:
    screen = screens()
    assert not screen.button("I’m leaving!").is_visible()
    screen.button("Play as Ann").click()
    screen.button("I’m leaving!").click()
    screen.has("ann leaves with the treasure.")
    assert desk.asked[-1][1][:3] == (Chose("ann", "leave"), 12, "ann")
    assert desk.people == {"ann"}
    screen.open()
    screen.button("Leave Ann’s seat").click()
    screen.button("Play as Ann").wait_for()
    assert desk.people == set()
    assert not screen.button("I’m leaving!").is_visible()


def test_roll_throws_the_dice_that_are_picked(screens: Any, desk: DemoDesk) -> None:
    screen = screens(sitting=True)
    screen.page.locator(".pick").first.click()
    screen.button("Roll the dice only 1 of them").click()
    screen.has("Ann rolled diamond.")
    assert desk.asked == [("throw", ("ann", ["white-4"], 12))]


def test_roll_is_entered_by_tapping_faces(screens: Any, desk: DemoDesk) -> None:
    screen = screens(sitting=True)
    screen.page.get_by_text("Enter what lies there").click()
    for die, face in (("white-3", "key"), ("white-4", "troll")):
        screen.page.locator(f".faces[data-die={die}] .face", has_text=face).click()
    desk.tell("x", "note", "X", "Something happens meanwhile.")
    screen.has("Something happens meanwhile.")
    screen.button("That is what lies there").click()
    screen.has("Ann rolled key, troll.")
    entry, step, player, _ = desk.asked[-1][1]
    assert (entry, step, player) == (Rolled({"white-3": "key", "white-4": "troll"}), 13, "ann")


def test_undo_is_one_tap(screens: Any, desk: DemoDesk) -> None:
    screen = screens()
    screen.button("Take back: Ann set the key aside").click()
    screen.has("The last step is taken back.")
    assert desk.asked[-1][1][0] == Undo()


def test_closed_offer_says_why(screens: Any, desk: DemoDesk) -> None:
    screen = screens(sitting=True)
    screen.has("A door opens the cavern only beside a key.")
    screen.has("The cavern is shut.")
    screen.button("Claim the gold").click(force=True)
    screen.page.locator("#toast[data-shown]").get_by_text("only beside a key").wait_for()
    assert desk.asked == []


def test_stale_tap_is_explained_and_the_table_drawn_anew(screens: Any, desk: DemoDesk) -> None:
    screen = screens(sitting=True)
    desk.step += 9
    screen.button("I’m leaving!").click()
    screen.page.locator("#toast[data-shown]").get_by_text("That offer has left").wait_for()
    screen.page.locator("#board[data-step='21']").wait_for()
    screen.complaints = [text for text in screen.complaints if "409" not in text]


def test_refused_report_is_shown_to_everybody(screens: Any, desk: DemoDesk) -> None:
    screen = screens()
    refused = {"code": "die_blocked", "message": "That die is blocked.", "source": "camera"}
    desk.publish([], refused)
    screen.page.locator("#toast[data-shown]").get_by_text("That die is blocked.").wait_for()


def test_lamps_and_sensors_follow_at_once(screens: Any, desk: DemoDesk) -> None:
    screen = screens()
    desk.feed.publish("lamps", {"lamps": desk.lamps(0.0)[:3]}, None)
    screen.page.get_by_role("img", name="Troll 1: dark").wait_for()
    assert screen.page.locator(".lamp").count() == 3
    lost = {"name": "dice", "label": "Red dice", "state": "lost", "detail": "unplugged"}
    zones = [{"name": "camera-zone", "state": "moving", "dice": ["white-3"]}]
    desk.feed.publish("sensing", {"zones": zones, "sources": [lost]}, None)
    screen.page.locator(".source[data-state=lost]").get_by_text("unplugged").wait_for()
    assert screen.page.locator("[data-tumbling]").count() == 1
    desk.feed.publish("sensing", {"zones": [{"name": "grotto", "state": "moving"}]}, None)
    screen.page.locator("figure[data-die=white-1][data-tumbling]").wait_for()
    assert screen.page.locator("[data-tumbling]").count() == 4


def test_game_that_is_over_is_played_again(chromium: Any) -> None:
    desk = DemoDesk(scene="over")
    with WebServer(create_app(desk, simulated=True), port=0) as server:
        screen = Screen(chromium, server.url)
        screen.has("Ann wins!")
        screen.button("Play again").click()
        screen.has("Ann begins the turn.")
        screen.has("Diamond Grotto")
        screen.close()
    assert screen.complaints == []


def test_screen_reconnects_after_a_restart(chromium: Any, desk: DemoDesk) -> None:
    server = WebServer(create_app(desk, simulated=True), port=0)
    server.start()
    port = int(server.url.rsplit(":", 1)[1])
    screen = Screen(chromium, server.url)
    server.stop()
    screen.page.locator(".connection[data-state=reconnecting]").wait_for()
    desk.tell("x", "note", "X", "While nobody looked.")
    with WebServer(create_app(desk, simulated=True), port=port):
        screen.page.locator(".connection[data-state=live]").wait_for()
        screen.has("While nobody looked.")
        screen.page.locator("#said").get_by_text("While nobody looked.").wait_for(state="attached")
        screen.close()


def test_two_tabs_share_one_connection(screens: Any, desk: DemoDesk) -> None:
    screen = screens()
    other = screen.page.context.new_page()
    other.goto(screen.url)
    other.wait_for_selector(".connection[data-state=live]")
    assert desk.feed.viewers == 1
    desk.tell("x", "note", "X", "For both tabs.")
    for page in (screen.page, other):
        page.locator(".ticker").get_by_text("For both tabs.").wait_for()


def test_keyboard_alone_is_enough(screens: Any, desk: DemoDesk) -> None:
    screen = screens(sitting=True)
    screen.page.keyboard.press("Tab")
    assert screen.page.evaluate("document.activeElement.textContent") == "To my move"
    screen.page.keyboard.press("Enter")
    for _ in range(12):
        screen.page.keyboard.press("Tab")
        if screen.page.evaluate("document.activeElement.textContent").strip() == "I’m leaving!":
            break
    screen.page.keyboard.press("Enter")
    screen.has("ann leaves with the treasure.")
    assert screen.page.evaluate("document.activeElement.textContent").strip() == "I’m leaving!"


def test_nothing_scrolls_sideways(screens: Any) -> None:
    page = screens(sitting=True).page
    for width in (320, 360, 768, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_leave_button_is_huge_on_a_phone_in_the_race(chromium: Any) -> None:
    with WebServer(create_app(DemoDesk(scene="race"), simulated=True), port=0) as server:
        screen = Screen(chromium, server.url, sitting=True)
        box = screen.button("I’m leaving!").bounding_box()
        screen.close()
    assert box["width"] > 300
    assert box["height"] > 150
    assert box["y"] + box["height"] <= PHONE["height"]


def test_everything_fits_on_the_television(screens: Any) -> None:
    screen = screens(viewport=TELEVISION)
    assert screen.page.evaluate("document.documentElement.scrollHeight") <= TELEVISION["height"]
    smallest = screen.page.evaluate(
        """words => Math.min(...[...document.querySelectorAll(words)]
        .map((e) => parseFloat(getComputedStyle(e).fontSize)))""",
        "[data-lit] figcaption, .tale, .awaited, .number",
    )
    assert smallest >= 20


@pytest.mark.parametrize("scene", ["grotto", "race", "over"])
def test_axe_finds_nothing_to_complain_of(chromium: Any, scene: str) -> None:
    streams = Streams(6, beat_s=0.2)
    app = create_app(DemoDesk(scene=scene), simulated=True, streams=streams)
    with WebServer(app, port=0) as server:
        screen = Screen(chromium, server.url, sitting=True, reduced_motion="reduce")
        assert barriers_of(screen.page) == []
        screen.close()


def test_reduced_motion_is_respected(screens: Any, desk: DemoDesk) -> None:
    screen = screens(reduced_motion="reduce")
    desk.tell("troll", "bad", "The Troll!", "The Troll grabs 3 diamonds from Ann.")
    screen.page.locator("#banner").get_by_text("The Troll!").wait_for()
    assert screen.page.evaluate("document.getAnimations().length") == 0
