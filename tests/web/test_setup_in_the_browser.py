"""Setting up a table in a real browser, with simulated devices."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import Browsing
from quiet_house import QuietHouse, faces

from camera.pictures import save_picture
from companion.actions import Rolled
from companion.setting_up_faces import SimulatedHandOver
from web.access import Access
from web.dashboard import create_app
from web.keys import Keys
from web.serve import WebServer
from web.setup_benches import show_benches
from web.streams import Streams

KEY = ("white", "key")


@pytest.fixture
def referee(chromium: Any, house: QuietHouse) -> Iterator[Browsing]:
    app = create_app(house.desk, simulated=True, streams=Streams(6, beat_s=0.2))
    show_benches(app, house.benches(), Access(Keys(), lan=False))
    with WebServer(app, port=0) as server:
        browsing = Browsing(chromium, server.url)
        yield browsing
        browsing.close()
    assert browsing.complaints == []


def test_game_with_two_named_seats_and_a_house_rule_is_begun(
    referee: Browsing, house: QuietHouse
) -> None:
    house.desk.act(Rolled(faces("diamond")), step=0, player="ann")
    page = referee.goes_to("/setup", live=False).page
    page.get_by_label("Name at seat 1").fill("Zoë")
    page.get_by_label("Name at seat 2").fill("")
    page.get_by_label("Name at seat 3").fill("Max")
    page.get_by_label("Colour of seat 3").select_option("Teal")
    page.locator("input[name=begins]").nth(2).check()
    page.get_by_label("End mode").select_option("both")
    page.get_by_label("Tie window").fill("soon")
    assert referee.barriers() == []
    referee.button("Begin Troll & Dragon").click()
    referee.has("Expected a number from 0 to 5, got 'soon'.")
    assert page.get_by_label("Name at seat 3").input_value() == "Max"
    page.get_by_label("Tie window").fill("0.2")
    referee.button("Begin Troll & Dragon").click()
    referee.has("1 step has been taken.")
    assert house.desk.wanted == {}
    with page.expect_navigation(url=f"{referee.url}/"):
        referee.button("Set it aside, and begin Troll & Dragon").click()
    wanted = house.desk.wanted
    assert [(p.name, p.colour) for p in wanted["players"]] == [("Zoë", 0), ("Max", 5)]
    assert (wanted["options"].end_mode, wanted["options"].first_player) == ("both", "max")


def test_simulated_die_is_mapped_and_shown_its_faces_by_keyboard(
    referee: Browsing, house: QuietHouse
) -> None:
    page = referee.goes_to("/setup/dice", live=False).page
    stranger = page.locator("#die-die-a1c307")
    stranger.get_by_text("lies", exact=True).wait_for()
    stranger.get_by_label("die-a1c307 plays").select_option("white-1")
    stranger.get_by_role("button", name="Map").press("Enter")
    show = stranger.locator("button:not([disabled])", has_text="Show its faces")
    show.press("Enter")
    referee.has("All faces are known now.")
    assert referee.barriers() == []


def test_zone_is_dragged_moved_by_keys_saved_and_found_again(
    referee: Browsing, house: QuietHouse
) -> None:
    page = referee.goes_to("/setup/camera", live=False).page
    page.set_viewport_size({"width": 1280, "height": 800})
    form = page.locator("form[data-zone=dragon]")
    before = [float(box.input_value()) for box in form.locator("[data-axis]").all()]
    corner = page.get_by_role("slider", name="Corner far left of zone dragon")
    box = corner.bounding_box()
    assert box is not None
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] - 30, middle[1] + 20, steps=4)
    page.mouse.up()
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("ArrowDown")
    referee.has("Not saved yet")
    after = [float(box.input_value()) for box in form.locator("[data-axis]").all()]
    assert after[0] < before[0] - 15
    assert after[1] > before[1] + 5
    assert after[2:] == before[2:]
    with page.expect_navigation():
        form.get_by_role("button", name="Save zone dragon").click()
    zones = page.locator("form[data-zone=dragon] [data-axis]").all()
    assert [float(box.input_value()) for box in zones] == after
    assert referee.barriers() == []


def test_two_faces_are_taught_and_the_score_is_seen(
    referee: Browsing, house: QuietHouse, tmp_path: Path
) -> None:
    page = referee.goes_to("/setup/faces", live=False).page
    referee.button("Teach the dice of this game").click()
    for face in ("troll", "key"):
        shown = page.locator(f"#face-white-{face}")
        if face != "troll":
            shown.get_by_role("button", name="Show this one").click()
        referee.has(f"Show me: {face.capitalize()} (white), 1 of 8")
        for number in range(2):
            referee.button("Take the picture").click()
            shown.locator(".thumbs li").nth(number).wait_for()
    referee.has("of 4 pictures are told by the others")
    referee.has("Most easily confused: ")
    assert referee.button("Save what was learnt").is_disabled()
    assert referee.barriers() == []
    page.get_by_role("button", name="Take back picture 1 of Key (white)").click()
    referee.has("The score comes with two pictures each of two faces.")
    file = tmp_path / "key.png"
    save_picture(file, SimulatedHandOver("dice", house.companion.referee.table).show(KEY))
    page.get_by_label("Or pictures from files").set_input_files(file)
    referee.has("of 4 pictures are told by the others")
    assert page.locator("#face-white-key .thumbs li").count() == 2
