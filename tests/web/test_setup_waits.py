"""The game waits while dice are set up, every screen says so, and it goes on afterwards."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import TELEVISION, Browsing
from quiet_house import QuietHouse, faces

from camera.pictures import load_picture
from companion.actions import Rolled
from companion.config import CameraSettings
from companion.errors import IllegalAction
from companion.stand_ins import counted
from companion.words import say
from web.serve import WebServer

API = "/api/v1/setup/faces"
SAYS = "The game stands still until that is done."


def until(look: Any) -> None:
    """Wait until the deciding thread has noticed."""
    pause = threading.Event()
    for _ in range(400):
        if look():
            return
        pause.wait(0.02)
    raise AssertionError("waited too long")


def test_every_screen_says_why_nothing_goes_on(app: Any, house: QuietHouse) -> None:
    client = app.test_client()
    screens = ("/", "/seat/ann", "/referee")
    assert not any(SAYS in client.get(path).text for path in screens)
    assert client.get(API).json["game_waits"] is False
    assert client.post(API, json={"what": "dice"}).json["game_waits"] is True
    until(lambda: house.desk.snapshot()["setting_up"])
    assert all(SAYS in client.get(path).text for path in screens)
    with pytest.raises(IllegalAction, match="being set up"):
        house.desk.act(Rolled(faces("key")), step=0, player="ann")
    assert client.post(f"{API}/go-on", json={}).json["game_waits"] is False
    assert client.get(API).json["game_waits"] is False  # a lesson that is looked at waits no more
    house.desk.act(Rolled(faces("key")), step=0, player="ann")
    shown = {"kind": "white", "face": "key"}
    assert client.post(f"{API}/pictures", json=shown).json["game_waits"] is True
    assert client.delete(API).json["game_waits"] is False
    until(lambda: house.desk.snapshot()["setting_up"] is None)
    assert not any(SAYS in client.get(path).text for path in screens)


def test_dice_that_are_mapped_let_the_game_wait(app: Any) -> None:
    client = app.test_client()
    api = "/api/v1/setup/dice"

    def is_heard() -> bool:
        dice = [die for one in client.get(api).json["receivers"] for die in one["dice"]]
        return any(die["die"] == "die-a1c300" and die["age_s"] is not None for die in dice)

    until(is_heard)
    assert client.get(api).json["game_waits"] is False
    assert client.post(f"{api}/die-a1c300/blink", json={}).json["game_waits"] is True
    assert "The game waits" in client.get("/setup/dice").text
    assert client.post(f"{api}/go-on", json={}).json["game_waits"] is False
    assert "The game waits" not in client.get("/setup/dice/board").text


def test_screens_tell_what_a_simulated_player_asks_people_for(app: Any, house: QuietHouse) -> None:
    room: Any = house.companion.room
    asked = say("Please throw {dice} for {player}.", dice=counted("white", 4), player="Ann")
    room.asks = lambda: [{"player": "ann", "text": asked, "square": None}]
    house.companion.call(lambda: house.companion.seat("ann", person=False))
    client = app.test_client()
    for path in ("/", "/seat/bo", "/referee"):
        assert "Please throw 4 white dice for Ann." in client.get(path).text
    german = client.get("/", headers={"Accept-Language": "de"}).text
    assert "Bitte wirf für Ann: 4 Würfel (weiß)." in german
    phone = client.get("/seat/bo").text
    assert 'data-enter="bo"' in phone  # no sensor may see what Bo throws for Ann


@pytest.fixture
def referee(chromium: Any, app: Any) -> Iterator[Browsing]:
    with WebServer(app, port=0) as server:
        browsing = Browsing(chromium, server.url)
        yield browsing
        browsing.close()
    assert browsing.complaints == []


def test_game_waits_while_faces_are_taught_and_trays_emptied_until_it_is_let_go_on(
    referee: Browsing, camera: CameraSettings
) -> None:
    television = referee.page.context.new_page()
    television.set_viewport_size(TELEVISION)
    television.goto(referee.url)
    page = referee.goes_to("/setup/faces", live=False).page
    begin = referee.button("Teach the dice of this game")
    begin.focus()
    page.keyboard.press("Enter")
    television.get_by_text(SAYS).wait_for()
    go_on = referee.button("Let the game go on")
    go_on.focus()
    page.keyboard.press("Enter")
    go_on.wait_for(state="detached")
    television.get_by_text(SAYS).wait_for(state="detached")
    assert page.evaluate("document.activeElement.id") == "main"
    referee.goes_to("/setup/camera", live=False)
    waits, empty = referee.button("Let the game wait"), Path(camera.empty)
    waits.click()
    television.get_by_text(SAYS).wait_for()
    waits.wait_for(state="detached")
    assert not empty.exists()
    referee.button("The trays are empty now: keep this picture").click()
    referee.has("The zones lie otherwise")
    assert load_picture(empty).shape == (240, 320, 3)
    assert referee.barriers() == []
    go_on.click()
    television.get_by_text(SAYS).wait_for(state="detached")
