"""The interface for programs, on a real table."""

import csv
import io
from typing import Any

import pytest
from quiet_house import QuietHouse, faces

from web.dashboard import create_app

API = "/api/v1"


@pytest.fixture
def api(house: QuietHouse) -> Any:
    figures: Any = house.desk.meter
    return create_app(house.desk, simulated=True, figures=figures).test_client()


def roll(api: Any, step: int = 0, face: str = "diamond", **fields: Any) -> Any:
    return api.post(f"{API}/rolls", json={"faces": faces(face), "step": step, **fields})


def test_roll_undo_and_history_as_a_program_sees_them(api: Any) -> None:
    assert roll(api, player="ann").json == {"step": 1}
    assert api.get(f"{API}/table").json["step"] == 1
    assert api.post(f"{API}/undo", json={"step": 1}).json == {"step": 2}
    steps = api.get(f"{API}/steps").json["steps"]
    assert [row["action"]["type"] for row in steps] == ["rolled", "undo"]
    assert [row["source"] for row in steps] == ["web:ann", "web"]
    assert steps[0]["certainty"] == 1.0
    assert api.get(f"{API}/steps?after=1&limit=1").json["steps"] == steps[1:]
    assert api.get(f"{API}/steps/1").json == steps[0]
    assert api.get(f"{API}/steps/9").status_code == 404


def test_program_asks_what_a_choice_may_really_have_been(api: Any) -> None:
    roll(api)
    leave = {"type": "chose", "player": "ann", "choice": "leave"}
    assert api.post(f"{API}/actions", json={"action": leave, "step": 1}).status_code == 200
    rows = api.get(f"{API}/steps/2/alternatives").json["alternatives"]
    assert rows[0]["action"] == {**leave, "value": None}
    assert [row["label"] for row in rows] == ["I'm leaving!"]  # no key, no door: nothing else
    of_a_roll = api.get(f"{API}/steps/1/alternatives")
    assert (of_a_roll.status_code, of_a_roll.json["code"]) == (404, "not_correctable")
    assert api.get(f"{API}/steps/9/alternatives").status_code == 404


def test_write_for_an_offer_that_has_left_brings_the_table_as_it_is(api: Any) -> None:
    roll(api, face="troll")
    late = roll(api, step=0)
    assert (late.status_code, late.json["code"]) == (409, "stale_tap")
    assert late.mimetype == "application/problem+json"
    assert late.json["snapshot"]["step"] == 1


@pytest.mark.parametrize(
    "path",
    ["undo", "pause", "resume", "games/current/end", "games", "adjustments", "corrections",
     "corrections/preview", "actions", "rolls", "throws", "answers"],
)  # fmt: skip
def test_no_write_goes_without_its_step(api: Any, path: str) -> None:
    reply = api.post(f"{API}/{path}", json={})
    assert (reply.status_code, reply.json["code"]) == (400, "bad_fields")


@pytest.mark.parametrize("path", ["pause", "resume", "games/current/end", "games"])
def test_write_of_another_game_is_stale(api: Any, path: str) -> None:
    reply = api.post(f"{API}/{path}", json={"step": 99})
    assert (reply.status_code, reply.json["code"]) == (409, "stale_tap")


def test_correction_is_previewed_and_then_made(api: Any) -> None:
    roll(api)
    trolls = {"type": "rolled", "faces": faces("troll")}
    wish = {"at": 1, "action": trolls, "step": 1}
    changes = api.post(f"{API}/corrections/preview", json=wish).json["changes"]
    assert changes
    assert api.get(f"{API}/table").json["step"] == 1
    assert api.post(f"{API}/corrections", json=wish).json == {"step": 2}


def test_adjusted_counter_is_set(api: Any) -> None:
    wish = {"counter": "supply.gold", "value": 9, "step": 0}
    assert api.post(f"{API}/adjustments", json=wish).json == {"step": 1}
    wrong = api.post(f"{API}/adjustments", json={**wish, "counter": "nothing"})
    assert (wrong.status_code, wrong.json["code"]) == (422, "unknown_counter")


def test_paused_table_takes_corrections_and_refuses_reports(api: Any) -> None:
    roll(api)
    assert api.post(f"{API}/pause", json={"step": 1}).json == {"step": 1, "paused": True}
    leave = {"type": "chose", "player": "ann", "choice": "leave"}
    body = {"action": leave, "step": 1, "player": "ann"}
    refused = api.post(f"{API}/actions", json=body)
    assert (refused.status_code, refused.json["code"]) == (422, "paused")
    assert api.get(f"{API}/table").json["paused"] is True
    assert api.post(f"{API}/undo", json={"step": 1}).status_code == 200
    api.post(f"{API}/resume", json={"step": 2})
    assert roll(api, step=2).status_code == 200


def test_seat_goes_to_the_simulated_player_and_back(api: Any, house: QuietHouse) -> None:
    body = {"person": False, "step": 0}
    assert api.put(f"{API}/seats/bo", json=body).json == {"player": "bo", "person": False}
    assert house.companion.room is not None
    assert house.companion.room.people == {"ann"}
    api.put(f"{API}/seats/bo", json={**body, "person": True})
    seats = api.get(f"{API}/seats").json["seats"]
    assert [(row["key"], row["person"]) for row in seats] == [("ann", True), ("bo", True)]
    assert api.put(f"{API}/seats/zoe", json=body).json["code"] == "unknown_player"


def test_ended_game_takes_nothing_and_lets_another_begin(api: Any, house: QuietHouse) -> None:
    assert api.post(f"{API}/games", json={"step": 0}).json["code"] == "game_not_over"
    assert api.post(f"{API}/games/current/end", json={"step": 0}).json["ended"] is True
    again = api.post(f"{API}/games/current/end", json={"step": 0})
    assert again.json["code"] == "game_ended"
    assert roll(api).json["code"] == "game_ended"
    assert api.get(f"{API}/games").json["games"][0]["ended"] is True
    assert house.journal.unfinished("troll_and_dragon") is None
    fields = {"step": 0, "game": "schatz_der_drachen", "players": ["Zoë", "Max"]}
    assert api.post(f"{API}/games", json=fields).status_code == 200
    assert house.desk.wanted["game"].key == "schatz_der_drachen"
    assert [player.key for player in house.desk.wanted["players"]] == ["zoe", "max"]


@pytest.mark.parametrize(
    "wish",
    [
        {"game": "chess"},
        {"players": ["Ann"]},
        {"players": ["Ann", "ann"]},
        {"options": {"end_mode": "never"}},
        {"options": {"dice": "/etc/passwd"}},
    ],
)
def test_impossible_game_is_refused(api: Any, house: QuietHouse, wish: dict[str, Any]) -> None:
    api.post(f"{API}/games/current/end", json={"step": 0})
    reply = api.post(f"{API}/games", json={"step": 0, **wish})
    assert (reply.status_code, reply.json["code"]) == (422, "bad_setup")
    assert house.companion.wants_another is False


def test_game_is_exported_as_json_and_csv(api: Any) -> None:
    roll(api)
    game = api.get(f"{API}/games/1/export").json
    assert (game["game"], game["key"], len(game["history"])) == (1, "troll_and_dragon", 1)
    assert game["history"][0]["written_at"] > 0
    reply = api.get(f"{API}/games/1/export?as=csv")
    assert "game-1.csv" in reply.headers["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(reply.text)))
    assert [(row["step"], row["source"], row["action"]) for row in rows] == [("1", "web", "rolled")]
    assert api.get(f"{API}/games/77").json["code"] == "unknown_game"
    assert api.get(f"{API}/games/1/export?as=xml").status_code == 400


def test_running_game_with_secrets_exports_none(tmp_path: Any) -> None:
    house = QuietHouse(tmp_path, "schatz_der_drachen")
    api = create_app(house.desk, simulated=True).test_client()
    action = {"type": "flipped", "square": "0,3", "face": "spider"}
    assert api.post(f"{API}/actions", json={"action": action, "step": 0}).status_code == 200
    games = api.get(f"{API}/games/1/export").json, api.get(f"{API}/games/1/export?as=csv").text
    steps = api.get(f"{API}/steps").json["steps"]
    house.close()
    withheld = {"type": "flipped", "square": "?", "face": "?"}
    assert games[0]["history"][0]["action"] == steps[0]["action"] == withheld
    assert "0,3" not in games[1]


def test_devices_and_health_are_told(api: Any, house: QuietHouse, mocker: Any) -> None:
    assert api.get(f"{API}/health").json == {"ok": True, "troubles": []}
    assert api.get("/healthz").status_code == 200
    assert set(api.get(f"{API}/devices").json) >= {"sources", "lamps", "ages_s", "lost_lines"}
    house.companion.journal_error = "disk full"
    reply = api.get("/healthz")
    assert (reply.status_code, reply.json["troubles"]) == (503, ["disk full"])


def test_figures_are_those_of_the_table(api: Any, house: QuietHouse) -> None:
    roll(api)
    house.companion.inbox.add_source("camera:tray", ["white-1"])
    text = api.get("/metrics").text
    for line in (
        'companion_capture_to_publish_seconds_count{source="web"} 1.0',
        "companion_journal_fsync_seconds_count 1.0",
        "companion_viewers 0.0",
        'companion_frame_age_seconds{source="camera:tray"} 0.0',
    ):
        assert line in text


def test_events_of_the_interface_resume(api: Any, house: QuietHouse) -> None:
    first = house.desk.feed.last_id()
    roll(api)
    reply = api.get(f"{API}/events", headers={"Last-Event-ID": first})
    texts = iter(reply.response)
    got = next(texts) + next(texts)
    reply.close()
    assert got.count(b"event: table") == 1
    assert b'"cue":"treasure"' in got


def test_table_is_told_to_be_quiet_by_whoever_knows_the_game(api: Any) -> None:
    assert api.get(f"{API}/manner").json == {"quiet": False, "volume": 1.0}
    said = api.put(f"{API}/manner", json={"step": 0, "quiet": True, "volume": 0.5})
    assert said.json == {"quiet": True, "volume": 0.5}
    assert api.put(f"{API}/manner", json={"step": 0, "volume": 1.5}).status_code == 400
    assert api.put(f"{API}/manner", json={"step": 99, "quiet": False}).status_code == 409
    assert api.get(f"{API}/manner").json == {"quiet": True, "volume": 0.5}
