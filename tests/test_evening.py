"""An evening at the real service: each thing that a person does, in a real browser.

Ann and Bo are people; their dice are simulated, and the real pipeline reads them.
"""

import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from running import Service

PATIENCE_MS = 60_000
BOTH_HERE = """localStorage.setItem("companion.seats", JSON.stringify(["ann", "bo"]))"""
SEND = """async ([path, body, method]) => {
  const main = document.querySelector("script[type=module]").src;
  const { send } = await import(new URL("post.js", main));
  return (await send(path, body, method)).status;
}"""
IS_DRAWN = "picture => picture.complete && picture.naturalWidth > 20"
Row = dict[str, Any]


class Evening:
    """The service, and a browser at it."""

    def __init__(self, url: str, page: Any) -> None:
        self.url, self.page = url, page

    def look(self) -> Row:
        """The table as programs see it; empty while one is being laid out."""
        try:
            with urllib.request.urlopen(f"{self.url}/snapshot", timeout=10) as answer:
                return dict(json.load(answer))
        except urllib.error.HTTPError as error:
            if error.code != 503:
                raise
            return {}

    def comes_to(self, what: Callable[[Row], bool]) -> Row:
        """Look until it is so."""
        for _ in range(600):
            if (now := self.look()) and what(now):
                return now
            self.page.wait_for_timeout(100)
        raise AssertionError(f"the table never came to it; at last it was {now}")

    def sends(self, path: str, method: str, **body: Any) -> int:
        step = self.look()["step"]
        return int(self.page.evaluate(SEND, [f"/api/v1/{path}", {"step": step, **body}, method]))

    def goes_to(self, path: str) -> Any:
        self.page.goto(self.url + path)
        return self.page

    def has(self, words: str) -> None:
        self.page.get_by_text(words).locator("visible=true").first.wait_for()

    def taps(self, name: str) -> None:
        self.page.get_by_role("button", name=name).locator("visible=true").first.click()

    def slides_back(self) -> int:
        """Move the slider of a game's history by one step; the step that it is to show then."""
        past = self.page.locator("#past[data-step]")
        past.wait_for()
        before = int(past.get_attribute("data-step")) - 1
        self.page.get_by_role("slider").focus()
        self.page.keyboard.press("ArrowLeft")
        return before

    def throws(self) -> int:
        """Throw all dice that may be, on the big screen; the number of the step that it made."""
        before = self.look()["step"]
        self.goes_to("/").locator("button.throw:visible").first.click()
        return int(self.comes_to(lambda now: now["step"] > before)["step"])


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    journal = tmp_path_factory.mktemp("evening") / "journal.sqlite"
    service = Service(journal, "--speed", "4", "--seed", "3", "--players", "Ann,Bo")
    yield service
    assert service.stop() == 0


@pytest.fixture(scope="module")
def opened(table: Service, chromium: Any) -> Iterator[Evening]:
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(BOTH_HERE)
    evening = Evening(table.url, context.new_page())
    evening.comes_to(bool)
    evening.goes_to("/")
    yield evening
    context.close()


@pytest.fixture
def evening(opened: Evening) -> Evening:
    """A game of Troll & Dragon that goes on, both seats taken."""
    now = opened.look()
    if now["outcome"] or now["game"]["key"] != "troll_and_dragon":
        begins_anew(opened)
    for player in ("ann", "bo"):
        assert opened.sends(f"seats/{player}", "PUT", person=True) == 200
    return opened


def begins_anew(evening: Evening) -> None:
    before = evening.look()["game"]["number"]
    evening.sends("games/current/end", "POST")
    assert evening.sends("games", "POST", game="troll_and_dragon", players=["Ann", "Bo"]) == 200
    evening.comes_to(lambda now: now["game"]["number"] > before)


def test_dice_are_thrown_and_the_roll_is_taken_back(evening: Evening) -> None:
    step = evening.throws()
    assert evening.look()["undoable"]["step"] == step
    evening.taps("Take back")
    evening.comes_to(lambda now: (now["undoable"] or {"step": 0})["step"] < step)


def test_phone_enters_a_roll_leaves_and_comes_back(evening: Evening) -> None:
    begins_anew(evening)
    assert evening.sends("seats/ann", "PUT", person=True) == 200
    assert evening.sends("seats/bo", "PUT", person=True) == 200
    now = evening.look()
    me, before = now["active"], now["step"]
    page = evening.goes_to(f"/seat/{me}")
    page.locator("summary", has_text="Enter what lies there").first.click()
    for die in ("white-1", "white-2", "white-3", "white-4"):
        page.locator(f"fieldset[data-die={die}] label", has_text="diamond").click()
    evening.taps("That is what lies there")
    evening.comes_to(lambda now: now["step"] > before)
    evening.taps("I'm leaving!")
    evening.comes_to(lambda now: now["active"] != me)
    evening.taps("Take back")
    evening.comes_to(lambda now: now["active"] == me)


def test_referee_corrects_a_roll_beside_its_picture(evening: Evening) -> None:
    step = evening.throws()
    page = evening.goes_to("/referee")
    row = page.locator(f"#step-{step}")
    row.locator("img").first.wait_for()
    assert row.locator("img").first.evaluate(IS_DRAWN)
    row.locator("summary", has_text="Correct step").click()
    faces = row.locator("fieldset.faces").first.locator("label")
    faces.nth(1).click()
    row.locator("button[type=submit]:not([disabled])").click()
    page.locator(f"#step-{step}[data-corrected]").wait_for()


def test_count_is_set_by_hand(evening: Evening) -> None:
    page = evening.goes_to("/referee")
    page.locator("summary", has_text="Set a count").click()
    page.get_by_label("Gold in the cavern").fill("7")
    evening.taps("Set Gold in the cavern")
    evening.has("Gold in the cavern is 7 now")


def test_paused_table_takes_no_throw_until_it_goes_on(evening: Evening) -> None:
    evening.goes_to("/referee")
    evening.taps("Pause")
    evening.has("The game is paused.")
    before = evening.look()["step"]
    page = evening.goes_to("/")
    evening.has("The game is paused.")
    page.locator("button.throw:visible").first.click()
    page.locator("#toast[data-shown]").wait_for()
    assert evening.look()["step"] == before
    evening.goes_to("/referee")
    evening.taps("Go on")
    evening.comes_to(lambda now: not now["paused"])
    evening.throws()


def test_last_tap_before_a_page_is_left_counts(evening: Evening) -> None:
    page = evening.goes_to("/referee")
    button = page.get_by_role("button", name="Pause").locator("visible=true").first
    button.evaluate("(button) => { button.click(); location.href = '/'; }")
    evening.comes_to(lambda now: now["paused"])
    page.wait_for_url(evening.url + "/")
    evening.goes_to("/referee")
    evening.taps("Go on")
    evening.comes_to(lambda now: not now["paused"])


def test_seat_is_handed_to_a_simulated_player_who_plays_on(evening: Evening) -> None:
    now = evening.look()
    me, before = now["active"], now["step"]
    name = next(player["name"] for player in now["players"] if player["key"] == me)
    evening.goes_to("/referee")
    evening.taps(f"Simulate {name}")
    evening.comes_to(lambda now: now["step"] > before)
    evening.taps(f"A person plays {name}")
    evening.comes_to(lambda now: all(player["person"] for player in now["players"]))


def test_game_is_ended_and_played_again(evening: Evening) -> None:
    before = evening.look()["game"]["number"]
    page = evening.goes_to("/referee")
    page.locator("summary", has_text="End this game").click()
    evening.taps("End it for good")
    evening.taps("Play again")
    evening.comes_to(lambda now: now["game"]["number"] == before + 1)


def test_quiet_table_and_live_camera_on_the_referees_page(evening: Evening) -> None:
    page = evening.goes_to("/referee")
    switch = page.get_by_role("switch", name="Quiet mode")
    with page.expect_response("**/api/v1/manner"):
        switch.click()
    assert switch.is_checked()
    with page.expect_response("**/api/v1/manner"):
        switch.click()
    page.wait_for_function("document.querySelector('canvas[data-live]').width > 300")


def test_history_is_replayed_with_the_slider(evening: Evening) -> None:
    evening.throws()
    page = evening.goes_to("/games")
    page.get_by_role("link", name="Troll & Dragon, game").first.click()
    before = evening.slides_back()
    page.locator(f"#past[data-step='{before}']").wait_for()


def test_slider_may_be_moved_before_its_script_has_come(evening: Evening) -> None:
    evening.throws()
    page, held = evening.goes_to("/games"), list[Any]()
    page.route("**/js/history.js*", lambda route: held.append(route))
    with page.expect_request("**/js/history.js*"):
        page.get_by_role("link", name="Troll & Dragon, game").first.click()
    before = evening.slides_back()
    held[0].continue_()
    page.unroute("**/js/history.js*")
    page.locator(f"#past[data-step='{before}']").wait_for()


def test_language_odds_and_voice_are_switched_on_the_big_screen(evening: Evening) -> None:
    page = evening.goes_to("/")
    evening.taps("Odds")
    page.locator(".odds").wait_for()
    evening.taps("Sound off")
    evening.has("Sound on")
    page.get_by_role("link", name="Deutsch").click()
    evening.has("Was passiert ist")
    page.get_by_role("link", name="English").click()
    evening.has("What happened")


def test_zone_is_moved_and_saved(evening: Evening) -> None:
    page = evening.goes_to("/setup/camera")
    corner = page.get_by_role("slider", name="Corner far left of zone dragon")
    corner.focus()
    before = corner.get_attribute("aria-valuetext")
    page.keyboard.press("ArrowLeft")
    evening.has("Not saved yet")
    with page.expect_navigation():
        evening.taps("Save zone dragon")
    assert corner.get_attribute("aria-valuetext") != before


def test_face_is_taught(evening: Evening) -> None:
    page = evening.goes_to("/setup/faces")
    evening.taps("Teach the dice of this game")
    evening.has("Show me: Troll (white), 1 of 8")
    evening.taps("Take the picture")
    page.locator("#face-white-troll .thumbs li").first.wait_for()
    evening.has("Show me: Troll (white), 2 of 8")


def test_smart_die_is_mapped(evening: Evening) -> None:
    page = evening.goes_to("/setup/dice")
    stranger = page.locator("#die-die-a1c307")
    stranger.get_by_text("lies", exact=True).wait_for()
    stranger.get_by_label("die-a1c307 plays").select_option("white-1")
    stranger.get_by_role("button", name="Map").click()
    stranger.locator("option[value=white-1][selected]").wait_for(state="attached")


def test_another_game_is_set_up_and_a_tile_turned(evening: Evening) -> None:
    page = evening.goes_to("/setup")
    page.get_by_role("link", name="Schatz der Drachen").click()
    page.get_by_label("Name at seat 1").fill("Ann")
    page.get_by_label("Name at seat 2").fill("Bo")
    evening.taps("Begin Schatz der Drachen")
    aside = page.get_by_role("button", name="Set it aside")
    aside.or_(page.locator("button.cell").first).first.wait_for()
    if aside.count():
        aside.click()
    evening.comes_to(lambda now: now["game"]["key"] == "schatz_der_drachen")
    before = evening.look()["step"]
    for player in ("ann", "bo"):
        assert evening.sends(f"seats/{player}", "PUT", person=True) == 200
    evening.goes_to("/").locator("button.cell:visible").first.click()
    evening.comes_to(lambda now: now["step"] > before)
