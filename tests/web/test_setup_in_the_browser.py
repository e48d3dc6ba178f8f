"""Setting up a table in a real browser, with simulated devices."""

from collections.abc import Iterator
from typing import Any

import pytest
from browsing import Browsing
from quiet_house import QuietHouse, faces

from companion.actions import Rolled
from web.access import Access
from web.dashboard import create_app
from web.keys import Keys
from web.serve import WebServer
from web.setup_benches import show_benches
from web.streams import Streams


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
