"""The referee's page: what it shows of a real table, as HTML."""

import json
import re
from typing import Any

import pytest
from lan_table import LanTable
from quiet_house import QuietHouse, faces

from companion.actions import Adjusted, Correct, Report, Rolled, Undo
from companion.words import die_name, say, word
from web.dashboard import create_app
from web.referee_page import sureness


@pytest.fixture
def page(house: QuietHouse) -> Any:
    app = create_app(house.desk, simulated=True)
    return lambda path="/referee": app.test_client().get(path)


def roll(house: QuietHouse, face: str, **report: Any) -> None:
    ticket = house.companion.inbox.put(Report(Rolled(faces(face)), **report), seen=None)
    ticket.wait(8.0)


def step_of(text: str, number: int) -> str:
    found = re.search(rf'<li class="step" id="step-{number}".*?\n</li>', text, re.DOTALL)
    assert found is not None
    return found[0]


def test_step_shows_source_certainty_and_picture(house: QuietHouse, tmp_path: Any) -> None:
    roll(house, "diamond", source="camera:tray", certainty=0.876, evidence="1/roll.jpg", at_s=3.0)
    client = create_app(house.desk, simulated=True, rolls=tmp_path).test_client()
    assert "<img" not in step_of(client.get("/referee").text, 1)
    (tmp_path / "1").mkdir()
    (tmp_path / "1" / "roll.jpg").write_bytes(b"dice")
    step = step_of(client.get("/referee").text, 1)
    assert "camera:tray" in step
    assert "87 % certain" in step
    assert 'src="/evidence/1/roll.jpg"' in step
    assert "3.00 s" in step
    assert 'src="/evidence/1/roll.jpg"' in client.get("/games/1/steps/1").text
    with client.get("/evidence/1/roll.jpg") as reply:
        assert (reply.data, reply.headers["Cache-Control"]) == (b"dice", "no-store")


def test_undo_names_the_step_that_it_takes_back(page: Any, house: QuietHouse) -> None:
    assert "Take back" not in page().text
    roll(house, "diamond")
    assert "Take back step 1: Roll:" in page().text
    house.desk.act(Undo(), step=1, player=None)
    text = page("/referee/board").text
    assert "Take back" not in text
    assert "taken back" in step_of(text, 1)
    assert "data-correct" not in step_of(text, 1)


def test_corrected_step_says_what_it_counts_as(page: Any, house: QuietHouse) -> None:
    roll(house, "diamond")
    house.desk.act(Correct(1, Rolled(faces("troll"))), step=1, player=None)
    step = step_of(page().text, 1)
    assert "corrected: Roll:" in step
    assert "data-corrected" in step
    chosen = re.findall(r'name="c1-white-1" value="(\w+)"( checked)?', step)
    assert chosen[0] == ("troll", " checked")


def test_faces_are_offered_likeliest_first(page: Any, house: QuietHouse) -> None:
    roll(house, "diamond")
    offered = lambda: re.findall(r'name="c1-white-2" value="(\w+)"', page().text)  # noqa: E731
    assert offered() == ["diamond", "troll", "key", "door"]
    house.desk.act(Correct(1, Rolled(faces("diamond") | {"white-1": "door"})), step=1, player=None)
    assert offered() == ["diamond", "door", "troll", "key"]


def test_only_counts_that_can_be_set_have_a_field(page: Any, house: QuietHouse) -> None:
    text = page().text
    assert 'data-adjust="supply.gold"' in text
    assert 'data-adjust="grotto.blocked"' not in text
    assert "Blocked dice (0)" in text
    before = house.desk.snapshot()["step"], house.desk.counters()
    house.desk.act(Adjusted("supply.gold", 9), step=0, player=None)
    assert {"name": "supply.gold", "label": "Gold in the cavern", "value": 9,
            "adjustable": True} in house.desk.counters()  # fmt: skip
    assert before[0] == 0


def test_older_steps_are_a_page_further(page: Any, house: QuietHouse) -> None:
    for value in range(45):
        house.desk.act(Adjusted("supply.gold", value), step=value, player=None)
    text = page().text
    assert text.count('<li class="step"') == 40
    assert '"/referee?before=6"' in text
    older = page("/referee?before=6").text
    assert older.count('<li class="step"') == 5
    assert "Newest steps" in older


def test_names_are_escaped(page: Any, house: QuietHouse) -> None:
    roll(house, "diamond", source="<script>alert(1)</script>")
    assert "<script>alert" not in page().text
    assert "&lt;script&gt;alert" in page().text


def test_paused_and_ended_games_offer_what_still_goes(page: Any, house: QuietHouse) -> None:
    house.desk.pause(paused=True)
    assert "The game is paused" in page().text
    assert "/api/v1/resume" in page().text
    house.desk.pause(paused=False)
    house.desk.end_game()
    text = page().text
    assert "Play again" in text
    assert "/api/v1/games/current/end" not in text
    assert "data-adjust" not in text


def test_referee_of_a_lan_table_needs_the_pin(house: QuietHouse) -> None:
    lan = LanTable(house.desk)
    for path in ("/referee", "/referee/board"):
        assert lan.stranger().get(path).status_code == 401
        assert lan.viewer().get(path).status_code == 403
        assert lan.player("ann").get(path).status_code == 403
        assert lan.referee().get(path).status_code == 200


def test_running_secret_is_not_told_to_the_referee(tmp_path: Any) -> None:
    house = QuietHouse(tmp_path, "schatz_der_drachen")
    client = create_app(house.desk, simulated=True).test_client()
    action = {"type": "flipped", "square": "0,3", "face": "spider"}
    assert client.post("/actions", json={"action": action, "step": 0}).status_code == 200
    step = step_of(client.get("/referee").text, 1)
    house.close()
    assert "0,3" not in step
    assert re.search(r'class="did">(.*?)<', step)[1] == "turned up"


def test_certainty_is_never_rounded_up() -> None:
    assert [sureness(c) for c in (1.0, 0.9999, 0.5, 0.0)] == ["100 %", "99 %", "50 %", "0 %"]


SEEN = (  # what the numbers on a picture mean
    say("{die}: {face}", die=die_name("white-1"), face=word("key")),
    say("{die}: perhaps {face}", die=word("red"), face=word("dragon")),
)


def test_live_camera_is_for_the_referee_and_never_kept(house: QuietHouse, mocker: Any) -> None:
    row = {"name": "camera", "label": "Camera, tray"}
    mocker.patch.object(house.desk, "cameras", return_value=[row])
    live = mocker.patch.object(house.desk, "live", return_value=("1.5/still", 0.25, b"jpeg", SEEN))
    lan, path = LanTable(house.desk), "/referee/cameras/camera"
    assert lan.stranger().get(path).status_code == 401
    assert lan.player("ann").get(path).status_code == 403
    client = lan.referee()
    assert f'data-live="{path}"' in client.get("/referee").text
    reply = client.get(path)
    assert (reply.data, reply.mimetype) == (b"jpeg", "image/jpeg")
    assert reply.headers["Cache-Control"] == "no-store"
    assert reply.headers["Picture-Age-S"] == "0.2"
    assert json.loads(reply.headers["Picture-Legend"]) == ["white-1: key", "red: perhaps dragon"]
    german = client.get(path, headers={"Accept-Language": "de"}).headers["Picture-Legend"]
    assert json.loads(german) == ["weiß-1: Schlüssel", "rot: vielleicht Drache"]
    again = client.get(path, headers={"If-None-Match": reply.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    live.return_value = None
    assert client.get(path).json["code"] == "no_picture"


def test_table_without_cameras_shows_no_live_picture(page: Any) -> None:
    assert "data-live" not in page().text
    assert page("/referee/cameras/camera").status_code == 404
