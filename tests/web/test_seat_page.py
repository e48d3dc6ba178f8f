"""The phone of one seat, as HTML and in a real browser."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from browsing import PHONE, TELEVISION, Browsing
from demo_desk import DemoDesk
from lan_table import LanTable, post
from quiet_house import QuietHouse, faces

from companion.actions import Chose, Report, Rolled
from companion.asking import NO_ROLL
from web.dashboard import create_app
from web.seat_page import at_risk
from web.serve import WebServer
from web.streams import Streams

HEAR = "window.trembled = []; navigator.vibrate = (ms) => window.trembled.push(ms);"


def test_phone_shows_the_offers_of_its_seat_only(client: Any, desk: DemoDesk) -> None:
    desk.people |= {"ann", "bo"}
    mine = client.get("/seat/ann").text
    assert 'data-hand="ann"' in mine
    assert 'data-hand="bo"' not in mine
    assert "I’m leaving!" in mine
    assert "I’m leaving!" not in client.get("/seat/bo").text


def test_phone_shows_what_is_carried_at_risk(client: Any, desk: DemoDesk) -> None:
    assert [part["name"] for part in at_risk(desk.snapshot())] == ["pouch", "troll"]
    text = client.get("/seat/ann/board").text
    assert 'data-pile="pouch"' in text
    assert "In the pouch" in text


def test_odds_are_there_for_who_opens_them(house: QuietHouse) -> None:
    client = create_app(house.desk, simulated=True).test_client()
    text = client.get("/seat/ann").text
    assert '<details class="odds" id="odds">' in text
    assert "<dd>1.2 %</dd>" in text
    house.companion.inbox.put(Report(Rolled(faces("troll"))), seen=None).wait(8.0)
    again = client.get("/seat/ann/board").text
    assert "<dd>1.2 %</dd>" in again


def test_odds_are_off_on_the_big_screen_until_switched_on(chromium: Any, house: QuietHouse) -> None:
    with WebServer(create_app(house.desk, simulated=True), port=0) as server:
        big = Browsing(chromium, server.url, viewport=TELEVISION).goes_to("/")
        panel = big.page.locator(".odds")
        assert not panel.is_visible()
        big.button("Odds").click()
        assert big.button("Odds").get_attribute("aria-pressed") == "true"
        panel.get_by_text("The Troll comes, if you roll all free dice again").wait_for()
        panel.get_by_text("1.2 %").wait_for()
        assert big.barriers() == []
        big.goes_to("/")
        panel.wait_for()
        big.button("Odds").click()
        panel.wait_for(state="hidden")
        big.close()
    assert big.complaints == []


def test_game_without_odds_has_no_switch_for_them(tmp_path: Any) -> None:
    house = QuietHouse(tmp_path, "roll_for_adventure")
    text = create_app(house.desk, simulated=True).test_client().get("/").text
    house.close()
    assert "odds" not in text


def test_unknown_seat_is_not_there(client: Any) -> None:
    reply = client.get("/seat/zoe")
    assert (reply.status_code, reply.json["code"]) == (404, "unknown_player")


def test_phone_that_is_not_paired_gets_no_buttons() -> None:
    lan = LanTable(DemoDesk())
    lan.desk.people.add("ann")
    assert "not paired with that seat" in lan.viewer().get("/seat/ann").text
    assert "I’m leaving!" not in lan.viewer().get("/seat/ann").text
    assert "I’m leaving!" in lan.player("ann").get("/seat/ann").text
    assert "I’m leaving!" not in lan.player("bo").get("/seat/ann").text
    assert lan.stranger().get("/seat/ann").status_code == 401


def test_phone_of_a_player_answers_what_a_camera_asks() -> None:
    row = {"id": "q1", "text": "What is that?", "die": None, "picture": None, "faces": [NO_ROLL]}

    class Asking(DemoDesk):
        def snapshot(self) -> dict[str, Any]:
            return super().snapshot() | {"questions": [row]}

        def answer(self, question: str, face: str) -> dict[str, Any]:
            self.asked.append(("answer", (question, face)))
            return {"step": self.step}

    lan = LanTable(Asking())
    ann = lan.player("ann")
    assert f'data-question="q1" data-face="{NO_ROLL}"' in ann.get("/seat/ann").text
    assert "What is that?" not in lan.player("bo").get("/seat/ann").text
    given = {"question": "q1", "face": NO_ROLL, "step": 12}
    assert post(ann, "/api/v1/answers", given).status_code == 200
    assert lan.desk.asked == [("answer", ("q1", NO_ROLL))]


def test_code_of_a_seat_leads_to_its_phone_page() -> None:
    lan = LanTable(DemoDesk())
    reply = lan.app.test_client().get(f"/pair/{lan.keys.seat('ann')}")
    assert reply.headers["Location"] == "/seat/ann"


def test_names_are_escaped_on_the_phone() -> None:
    desk = DemoDesk(names={"ann": "<b>Ann</b>"})
    text = create_app(desk, simulated=True).test_client().get("/seat/ann").text
    assert "<b>Ann" not in text
    assert "&lt;b&gt;Ann" in text


@pytest.fixture
def phone(chromium: Any) -> Iterator[Callable[..., Browsing]]:
    """A phone at a table of its own: `phone(desk)`."""
    servers: list[WebServer] = []
    phones: list[Browsing] = []

    def phone(desk: DemoDesk, seat: str = "ann") -> Browsing:
        app = create_app(desk, simulated=True, streams=Streams(6, beat_s=0.2))
        servers.append(WebServer(app, port=0))
        servers[-1].start()
        phones.append(Browsing(chromium, servers[-1].url, begins_with=HEAR))
        return phones[-1].goes_to(f"/seat/{seat}")

    yield phone
    for one in phones:
        one.close()
    for server in servers:
        server.stop()
    assert [one.complaints for one in phones if one.complaints] == []


def test_person_sits_down_and_plays_on_the_phone(phone: Any, desk: DemoDesk) -> None:
    mine = phone(desk)
    mine.button("Play as Ann").click()
    mine.button("I’m leaving!").click()
    mine.has("ann leaves with the treasure.")
    assert desk.asked[-1][1][:3] == (Chose("ann", "leave"), 12, "ann")
    mine.button("Leave Ann’s seat").click()
    mine.button("Play as Ann").wait_for()
    assert desk.people == set()


def test_phone_trembles_when_it_is_my_turn(phone: Any, desk: DemoDesk) -> None:
    desk.people.add("bo")
    mine = phone(desk, "bo")
    desk.tell("x", "note", "X", "Nothing for Bo yet.")
    mine.has("Nothing for Bo yet.")
    assert mine.page.evaluate("window.trembled") == []
    desk.scene = "race"
    desk.tell("race", "hurry", "Go!", "Bo, wake the Dragon!")
    mine.page.locator("#board[data-turn=mine]").wait_for()
    assert mine.page.evaluate("window.trembled") == [[180, 90, 180]]
    desk.tell("x", "note", "X", "The race goes on.")
    mine.has("The race goes on.")
    assert mine.page.evaluate("window.trembled.length") == 1


def test_own_last_choice_is_taken_back_on_the_phone(chromium: Any, house: QuietHouse) -> None:
    house.companion.inbox.put(Report(Rolled(faces("diamond"))), seen=None).wait(8.0)
    with WebServer(create_app(house.desk, simulated=True), port=0) as server:
        mine = Browsing(chromium, server.url).goes_to("/seat/ann")
        assert mine.button("Take back").count() == 0
        mine.button("I'm leaving!").click()
        mine.button("Take back: Ann: I'm leaving!").click()
        mine.page.locator(".undo").wait_for(state="detached")
        mine.close()
    assert house.companion.referee.table.active == "ann"
    assert mine.complaints == []


def test_way_out_is_huge_in_the_race(phone: Any) -> None:
    desk = DemoDesk(scene="race")
    desk.people.add("ann")
    mine = phone(desk)
    box = mine.button("I’m leaving!").bounding_box()
    assert box["width"] > 300
    assert box["height"] > 0.4 * PHONE["height"]
    assert box["y"] + box["height"] <= PHONE["height"]


def test_stale_tap_on_the_phone_is_explained(phone: Any, desk: DemoDesk) -> None:
    desk.people.add("ann")
    mine = phone(desk)
    desk.step += 9
    mine.button("I’m leaving!").click()
    mine.page.locator("#toast[data-shown]").get_by_text("That offer has left").wait_for()
    mine.page.locator("#board[data-step='21']").wait_for()


@pytest.mark.parametrize("scene", ["grotto", "race"])
def test_axe_finds_nothing_on_the_phone(phone: Any, scene: str) -> None:
    desk = DemoDesk(scene=scene)
    desk.people.add("ann")
    assert phone(desk).barriers() == []
