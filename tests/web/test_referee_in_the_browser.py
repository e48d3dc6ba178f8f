"""What a referee does, in a real browser, at a real table."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from browsing import Browsing
from quiet_house import QuietHouse, faces
from test_voice_in_the_browser import STAND_IN

from camera.cutouts import as_jpeg
from camera.watch import Question
from companion.actions import Chose, Flipped, Report, Rolled, Undo
from companion.questions import CameraQuestions
from web.dashboard import create_app
from web.serve import WebServer
from web.streams import Streams

RED, BLUE = (20, 20, 230), (230, 20, 20)  # as OpenCV has them: blue, green, red
IS_COLOURED = """part => {
  const canvas = document.querySelector('canvas[data-live]');
  const read = new OffscreenCanvas(160, 90).getContext('2d', { willReadFrequently: true });
  read.drawImage(canvas, 0, 0);
  const pixel = read.getImageData(80, 45, 1, 1).data;
  return canvas.width === 160 && pixel[part] > 200;
}"""
FACES = {"white-1": "key", "white-2": "troll", "white-3": "diamond", "white-4": "diamond"}


@pytest.fixture
def referee(chromium: Any, house: QuietHouse) -> Iterator[Browsing]:
    app = create_app(house.desk, simulated=True, streams=Streams(6, beat_s=0.2))
    with WebServer(app, port=0) as server:
        browsing = Browsing(chromium, server.url)
        yield browsing
        browsing.close()
    assert browsing.complaints == []


def has_rolled(house: QuietHouse, shown: dict[str, str]) -> None:
    report = Report(Rolled(shown), source="camera:tray", certainty=0.91)
    house.companion.inbox.put(report, seen=None).wait(8.0)


def test_step_is_taken_back_by_name(referee: Browsing, house: QuietHouse) -> None:
    has_rolled(house, FACES)
    referee.goes_to("/referee")
    referee.button("Take back step 1").click()
    referee.page.locator("#step-1[data-void]").wait_for()
    assert house.companion.referee.undoable is None


def test_roll_is_corrected_after_a_look_at_what_changes(
    referee: Browsing, house: QuietHouse
) -> None:
    has_rolled(house, FACES)
    page = referee.goes_to("/referee").page
    page.locator("summary", has_text="Correct step 1").click()
    submit = referee.button("Correct step 1")
    assert submit.is_disabled()
    page.locator("fieldset[data-die=white-2] label", has_text="diamond").click()
    page.get_by_text("Diamonds at risk: 2 → 3").wait_for()
    page.get_by_text("Blocked dice: 1 → 0").wait_for()
    assert house.companion.referee.number == 1
    submit.click()
    page.locator("#step-1[data-corrected]").wait_for()
    assert house.companion.referee.table.counters["pouch.diamonds"] == 3


def test_game_is_cut_off_where_later_steps_do_not_fit(referee: Browsing, house: QuietHouse) -> None:
    has_rolled(house, FACES)
    house.desk.act(Chose("ann", "leave"), step=1, player="ann")
    page = referee.goes_to("/referee").page
    page.locator("summary", has_text="Correct step 1").click()
    for die in FACES:
        fieldset = page.locator(f"form[data-correct='1'] fieldset[data-die={die}]")
        fieldset.locator("label", has_text="troll").click()
    page.get_by_text("Step 2 would not fit any more").locator("visible=true").first.wait_for()
    assert referee.button("Correct step 1").is_disabled()
    page.get_by_label("Cut the game off there").check()
    page.get_by_text("This would change:").wait_for()
    referee.button("Correct step 1").click()
    page.locator("#step-2[data-void]").wait_for()
    assert house.companion.referee.table.counters["troll_hand.diamonds"] == 0
    assert house.companion.referee.table.counters["pack.ann.diamonds"] == 0


def test_choice_is_corrected_and_the_game_cut_off(referee: Browsing, house: QuietHouse) -> None:
    has_rolled(house, FACES)
    others = [o for o in house.companion.referee.offers if o.closed is None and o.player == "ann"]
    house.desk.act(Chose("ann", "leave"), step=1, player="ann")
    has_rolled(house, faces("diamond"))
    page = referee.goes_to("/referee").page
    assert page.locator("#step-2 form").count() == 0
    page.locator("summary", has_text="Correct step 2").click()
    chosen = page.locator("form[data-correct='2'] .instead input")
    chosen.first.wait_for()
    assert chosen.first.is_checked()
    assert chosen.count() > 1
    assert len(others) > 1
    chosen.nth(1).check()
    page.get_by_text("Step 3 would not fit any more").locator("visible=true").first.wait_for()
    page.locator("#step-2").get_by_label("Cut the game off there").check()
    page.get_by_text("This would change:").wait_for()
    referee.button("Correct step 2").click()
    page.locator("#step-2[data-corrected]").wait_for()
    page.locator("#step-3[data-void]").wait_for()
    assert house.companion.referee.table.active == "ann"


def test_tile_is_corrected_by_tapping_the_right_one(chromium: Any, tmp_path: Any) -> None:
    house = QuietHouse(tmp_path, "schatz_der_drachen")
    house.companion.inbox.put(Report(Flipped("0,3", "ball")), seen=None).wait(8.0)
    with WebServer(create_app(house.desk, simulated=True), port=0) as server:
        browsing = Browsing(chromium, server.url)
        page = browsing.goes_to("/referee").page
        page.locator("summary", has_text="Correct step 1").click()
        assert page.locator(".instead label").first.get_by_role("radio").is_checked()
        page.locator(".instead label", has_text="ring").click()
        page.locator("[data-preview] p").wait_for()
        assert browsing.barriers() == []
        browsing.button("Correct step 1").click()
        page.locator("#step-1[data-corrected]").wait_for()
        page.locator("summary", has_text="Correct step 1").click()
        page.locator(".instead label", has_text="ring").locator("input:checked").wait_for()
        browsing.close()
    house.close()
    assert house.companion.referee.table.up["0,3"] == "ring"
    assert browsing.complaints == []


def test_preview_is_made_anew_when_the_table_changes(referee: Browsing, house: QuietHouse) -> None:
    has_rolled(house, FACES)
    page = referee.goes_to("/referee").page
    page.locator("summary", has_text="Correct step 1").click()
    page.locator("fieldset[data-die=white-2] label", has_text="diamond").click()
    page.get_by_text("Diamonds at risk: 2 → 3").wait_for()
    house.desk.act(Chose("ann", "leave"), step=1, player="ann")
    page.get_by_text("Ann: diamonds: 2 → 3").wait_for()


def test_count_is_set_by_hand(referee: Browsing, house: QuietHouse) -> None:
    page = referee.goes_to("/referee").page
    page.locator("summary", has_text="Set a count").click()
    page.get_by_label("Gold in the cavern").fill("7")
    referee.button("Set Gold in the cavern").click()
    referee.has("By hand: Gold in the cavern is 7 now; it was 50.")
    assert house.companion.referee.table.counters["supply.gold"] == 7


def asks(house: QuietHouse, source: str = "camera:tray") -> None:
    """A camera asks about a die, until somebody says that nobody threw it."""
    questions = CameraQuestions(house.companion)
    questions.withdraws[source] = lambda: questions(source, None)
    asked = Question("unreadable", 0.0, ("white-2",), {}, ("key",), None)
    house.companion.call(lambda: questions(source, asked))


def test_roll_is_entered_by_hand_after_one_that_was_none(
    referee: Browsing, house: QuietHouse
) -> None:
    asks(house)
    page = referee.goes_to("/referee").page
    referee.has("What does white-2 show?")
    referee.button("that was no roll").click()
    page.locator(".question").wait_for(state="detached")
    assert (house.companion.questions, house.companion.referee.number) == ({}, 0)
    page.locator("summary", has_text="Enter a roll of Ann").click()
    for die, face in FACES.items():
        page.locator(f"fieldset[data-die={die}] label", has_text=face).click()
    referee.button("That is what lies there").click()
    page.locator("#step-1").get_by_text("web:ann").wait_for()
    assert house.companion.referee.table.counters["pouch.diamonds"] == 2


def test_pause_lets_corrections_through_only(referee: Browsing, house: QuietHouse) -> None:
    has_rolled(house, FACES)
    referee.goes_to("/referee")
    referee.button("Pause").click()
    referee.has("The game is paused.")
    refused = house.companion.inbox.put(Report(Chose("ann", "leave")), seen=None)
    referee.page.locator("#toast[data-shown]").get_by_text("paused").wait_for()
    with pytest.raises(Exception, match="paused"):
        refused.wait(8.0)
    referee.button("Take back step 1").click()
    referee.page.locator("#step-1[data-void]").wait_for()
    referee.button("Go on").click()
    referee.button("Pause").wait_for()


def test_seat_is_handed_over(referee: Browsing, house: QuietHouse) -> None:
    referee.goes_to("/referee")
    referee.button("Simulate Ann").click()
    referee.button("A person plays Ann").wait_for()
    assert house.companion.room is not None
    assert house.companion.room.people == {"bo"}
    referee.button("A person plays Ann").click()
    referee.button("Simulate Ann").wait_for()
    assert house.companion.room.people == {"ann", "bo"}


def test_game_is_ended_and_another_begun(referee: Browsing, house: QuietHouse) -> None:
    referee.goes_to("/referee")
    referee.page.locator("summary", has_text="End this game").click()
    referee.button("End it for good").click()
    with referee.page.expect_response("**/api/v1/games") as answered:
        referee.button("Play again").click()
    assert answered.value.ok
    house.close()
    assert house.companion.wants_another


def test_referee_works_by_keyboard_alone(referee: Browsing, house: QuietHouse) -> None:
    has_rolled(house, FACES)
    page = referee.goes_to("/referee").page
    for _ in range(14):
        page.keyboard.press("Tab")
        if "Take back step 1" in page.evaluate("document.activeElement.textContent"):
            break
    page.keyboard.press("Enter")
    page.locator("#step-1[data-void]").wait_for()


def tabs_to(page: Any, found: Any) -> None:
    page.locator("#main").focus()
    for _ in range(60):
        page.keyboard.press("Tab")
        if found.evaluate("one => one === document.activeElement"):
            return
    raise AssertionError("the Tab key does not lead there")


def sets_volume(reply: Any, volume: float) -> bool:
    return reply.request.method == "PUT" and reply.json()["volume"] == volume


def test_table_is_made_quiet_and_softer_by_keyboard_alone(
    referee: Browsing, house: QuietHouse
) -> None:
    page = referee.goes_to("/referee").page
    quiet, volume = page.get_by_role("switch", name="Quiet mode"), page.get_by_role("slider")
    tabs_to(page, quiet)
    with page.expect_response("**/api/v1/manner"):
        page.keyboard.press("Space")
    assert house.desk.manner()["quiet"] is True
    page.keyboard.press("Tab")
    assert volume.evaluate("one => one === document.activeElement && one.labels[0].innerText") == (
        "Volume of the buzzer"
    )
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    page.get_by_text("85 %").wait_for()
    with page.expect_response(lambda reply: sets_volume(reply, 0)):
        page.keyboard.press("Home")
    page.get_by_text("0 %", exact=True).wait_for()  # what was told of the step before may come last
    assert volume.get_attribute("aria-valuetext") == "0 %"
    assert house.desk.manner() == {"quiet": True, "volume": 0}
    house.desk.be(quiet=False, volume=0.4)  # somebody else sets it
    page.get_by_text("40 %").wait_for()
    assert (quiet.is_checked(), volume.input_value()) == (False, "40")
    for one in (quiet, volume):
        box = one.bounding_box()
        assert min(box["width"], box["height"]) >= 24
        assert box["x"] + box["width"] <= 360


def test_screens_do_not_read_aloud_while_the_table_is_quiet(
    referee: Browsing, house: QuietHouse
) -> None:
    referee.begins_with(STAND_IN)
    page = referee.goes_to("/").page
    referee.button("Sound off").click()
    house.desk.be(quiet=True, volume=None)
    referee.button("Sound on (quiet mode)").wait_for()
    assert page.evaluate("heard") == ["says Sound on", "breaks off Sound on"]
    has_rolled(house, faces("troll"))
    page.locator("#said p").first.wait_for(state="attached")
    assert len(page.evaluate("heard")) == 2
    page.reload()
    referee.button("Sound on (quiet mode)").wait_for()
    page.wait_for_selector(".connection[data-state=live]")
    house.desk.be(quiet=False, volume=None)
    page.get_by_role("button", name="Sound on", exact=True).wait_for()
    house.desk.act(Undo(), step=1, player=None)
    has_rolled(house, faces("troll"))
    page.wait_for_function("() => heard.length > 0")


LEGEND = ("weiß-1: Schlüssel", "dé bleu-2 : flèche")  # letters that OpenCV cannot draw


def test_live_camera_is_drawn_while_somebody_looks(
    referee: Browsing, house: QuietHouse, mocker: Any
) -> None:
    red, blue = (as_jpeg(np.full((90, 160, 3), bgr, np.uint8), 90) for bgr in (RED, BLUE))
    row = {"name": "camera", "label": "Camera, tray"}
    mocker.patch.object(house.desk, "cameras", return_value=[row])
    live = mocker.patch.object(house.desk, "live", return_value=("1/still", 0.1, red, LEGEND))
    page = referee.goes_to("/referee").page
    assert live.call_count == 0
    page.locator("summary", has_text="What the cameras see").click()
    page.get_by_text("just now").wait_for()
    page.wait_for_function(IS_COLOURED, arg=0)
    assert page.locator(".live-legend li").all_inner_texts() == list(LEGEND)
    live.return_value = ("2/still", 42.0, blue, ())
    page.wait_for_function(IS_COLOURED, arg=2)
    page.get_by_text("42 s ago").wait_for()
    assert page.locator(".live-legend li").count() == 0
    assert referee.barriers() == []
    page.locator("summary", has_text="What the cameras see").click()
    live.return_value = None
    page.locator("summary", has_text="What the cameras see").click()
    page.get_by_text("No picture just now").wait_for()


def test_axe_finds_nothing_on_the_referees_page(referee: Browsing, house: QuietHouse) -> None:
    has_rolled(house, FACES)
    has_rolled(house, {"white-3": "key", "white-4": "door"})
    house.desk.act(Chose("ann", "leave"), step=2, player="ann")
    has_rolled(house, faces("troll"))
    page = referee.goes_to("/referee").page
    page.locator("summary", has_text="Correct step 2").click()
    page.locator("summary", has_text="Set a count").click()
    page.locator("summary", has_text="Enter a roll of").first.click()
    assert referee.barriers() == []
