"""Attacks by people on the LAN who want to do more than they were given."""

import json
from typing import Any

import pytest
from demo_desk import DemoDesk
from lan_table import LEAVE, LanTable, post
from quiet_house import QuietHouse, faces

OPEN = ("/healthz", "/api/v1/openapi.json", "/api/v1/session")


@pytest.fixture
def lan() -> LanTable:
    return LanTable()


def test_stranger_sees_nothing_of_the_table_whatever_is_asked_for(house: QuietHouse) -> None:
    lan = LanTable(house.desk)
    browser = lan.stranger()
    paths = [str(rule) for rule in lan.app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    assert len(paths) > 15
    for path in paths:
        asked = path.replace("<path:filename>", "access.css").replace("<int:number>", "1")
        asked = asked.replace("<player>", "ann").replace("<token>", "wrong")
        with browser.get(asked) as reply:
            if asked in (*OPEN, f"{lan.app.static_url_path}/access.css"):
                assert reply.status_code == 200
                assert "Ann" not in reply.text
            else:
                assert reply.status_code in (401, 403), asked


def test_stranger_is_told_how_to_join_and_no_more(lan: LanTable) -> None:
    reply = lan.stranger().get("/", headers={"Accept": "text/html"})
    assert reply.status_code == 401
    assert "Scan the code" in reply.text
    assert lan.keys.link not in reply.text
    assert lan.stranger().get("/healthz").json == {"ok": True}
    assert lan.stranger().get("/api/v1/session").json["look"] is False


@pytest.mark.parametrize("guess", ["", "x", "0" * 22, "%00", "../", "é"])
def test_guessed_link_opens_nothing(lan: LanTable, guess: str) -> None:
    browser = lan.stranger()
    assert browser.get(f"/join/{guess}").status_code in (401, 403, 404, 308)
    assert browser.get(f"/pair/{guess}").status_code in (401, 403, 404, 308)
    assert browser.get("/snapshot").status_code == 401


def test_link_lets_look_and_nothing_else(lan: LanTable) -> None:
    viewer = lan.viewer()
    assert viewer.get("/snapshot").status_code == 200
    for path, body in (
        ("/actions", {"action": LEAVE, "player": "ann", "step": 12}),
        ("/actions", {"action": {"type": "undo"}, "step": 12}),
        ("/throw", {"player": "ann", "dice": ["white-3"], "step": 12}),
        ("/seats/ann", {"person": True, "step": 12}),
        ("/games", {}),
        ("/answers", {"question": "q1", "face": "key", "step": 12}),
        ("/api/v1/rolls", {"faces": {"white-3": "key"}, "step": 12, "player": "ann"}),
        ("/api/v1/link", {}),
        ("/api/v1/seats/ann/code", {}),
    ):
        reply = post(viewer, path, body)
        assert (reply.status_code, reply.json["code"][:6]) == (403, "needs_"), path
    assert lan.desk.asked == []
    assert viewer.get("/pairing").status_code == 403
    assert viewer.get("/pairing/ann.svg").status_code == 403


def test_every_write_that_nobody_thought_of_needs_the_referee(house: QuietHouse) -> None:
    lan = LanTable(house.desk)
    player = lan.player("ann")
    allowed = {"introduce", "dismiss"}
    for rule in lan.app.url_map.iter_rules():
        methods = (rule.methods or set()) & {"POST", "PUT", "DELETE", "PATCH"}
        if not methods or rule.endpoint in allowed:
            continue
        path = str(rule).replace("<player>", "bo").replace("<hook>", "x").replace("<name>", "x")
        reply = post(player, path, {"player": "bo"}, method=methods.pop())
        assert reply.status_code == 403 or rule.endpoint.endswith(("answer", "answer_question"))


def test_player_acts_for_no_other_seat(lan: LanTable) -> None:
    ann = lan.player("ann")
    assert post(ann, "/actions", {"action": LEAVE, "step": 12, "player": "ann"}).status_code == 200
    lan.desk.asked.clear()
    for player in ("bo", None, ["ann"], {"ann": 1}):
        reply = post(ann, "/actions", {"action": LEAVE, "step": 12, "player": player})
        assert reply.status_code == 403
    assert post(ann, "/seats/bo", {"person": True, "step": 12}).status_code == 403
    assert lan.desk.asked == []


def test_player_cannot_name_himself_twice(lan: LanTable) -> None:
    ann = lan.player("ann")
    action = json.dumps(LEAVE)
    body = f'{{"player": "bo", "action": {action}, "player": "bo", "player": "ann"}}'
    swapped = f'{{"player": "ann", "action": {action}, "player": "bo"}}'
    reply = post(ann, "/api/v1/session", {})
    headers = {"X-CSRF-Token": reply.json["csrf"], "Content-Type": "application/json"}
    assert ann.post("/actions", data=swapped, headers=headers).status_code == 403
    ann.post("/actions", data=body, headers=headers)
    assert [asked[2] for _, asked in lan.desk.asked] in ([], ["ann"])


def test_player_corrects_nothing(lan: LanTable) -> None:
    ann = lan.player("ann")
    for action in (
        {"type": "correct", "step": 1, "action": LEAVE},
        {"type": "adjusted", "counter": "pack.ann.gold", "value": 99},
        {"type": "waited", "until_s": 9e9},
    ):
        reply = post(ann, "/actions", {"action": action, "player": "ann", "step": 12})
        assert (reply.status_code, reply.json["code"]) == (403, "needs_referee")
    assert lan.desk.asked == []


def test_player_takes_back_only_what_she_did_last(house: QuietHouse) -> None:
    lan, undo = LanTable(house.desk), {"type": "undo"}
    ann, bo = lan.player("ann"), lan.player("bo")
    rolled = {"faces": faces("diamond"), "step": 0, "player": "ann"}
    assert post(ann, "/api/v1/rolls", rolled).status_code == 200
    assert post(ann, "/actions", {"action": LEAVE, "step": 1, "player": "ann"}).status_code == 200

    def takes_back(who: Any, name: str | None, step: int = 2, path: str = "/actions") -> Any:
        reply = post(who, path, {"action": undo, "step": step, "player": name})
        return reply.status_code, reply.json.get("code")

    assert takes_back(bo, "bo") == (422, "not_your_step")
    assert takes_back(bo, "ann") == (403, "needs_pairing")
    assert takes_back(ann, None) == (403, "needs_referee")
    assert takes_back(ann, "ann", step=1) == (409, "stale_tap")
    assert post(ann, "/api/v1/undo", {"step": 2}).status_code == 403
    assert takes_back(ann, "ann") == (200, None)
    assert takes_back(ann, "ann", step=3) == (422, "not_your_step")  # an undo came since
    assert house.companion.referee.undoable == 1
    assert post(ann, "/actions", {"action": LEAVE, "step": 3, "player": "ann"}).status_code == 200
    rolled = {"faces": faces("troll"), "step": 4, "player": "bo"}
    assert post(bo, "/api/v1/rolls", rolled).status_code == 200
    assert takes_back(ann, "ann", step=5, path="/api/v1/actions") == (422, "not_your_step")


def test_player_rolls_for_nobody_else(house: QuietHouse) -> None:
    lan = LanTable(house.desk)
    bo = lan.player("bo")
    body = {"faces": faces("diamond"), "step": 0, "player": "bo"}
    reply = post(bo, "/api/v1/rolls", body)
    assert (reply.status_code, reply.json["code"]) == (422, "not_your_seat")
    choice = {"action": LEAVE, "step": 0, "player": "bo"}
    assert post(bo, "/api/v1/actions", choice).json["code"] == "not_your_seat"


def test_referee_may_do_everything(lan: LanTable) -> None:
    referee = lan.referee()
    assert post(referee, "/actions", {"action": {"type": "undo"}, "step": 12}).status_code == 200
    assert post(referee, "/seats/bo", {"person": True, "step": 12}).status_code == 200
    assert referee.get("/pairing").status_code == 200
    assert referee.get("/pairing/ann.svg").mimetype == "image/svg+xml"
    assert referee.get("/pairing/zoe.svg").status_code == 404


def test_renewed_secrets_end_what_they_gave(lan: LanTable) -> None:
    viewer, ann, referee = lan.viewer(), lan.player("ann"), lan.referee()
    assert post(referee, "/api/v1/seats/ann/code", {}).status_code == 200
    assert post(ann, "/actions", {"action": LEAVE, "player": "ann", "step": 12}).status_code == 403
    assert post(referee, "/api/v1/link", {}).status_code == 200
    assert viewer.get("/snapshot").status_code == 401
    assert referee.get("/snapshot").status_code == 200


def test_program_with_a_seats_token_acts_for_that_seat_only(lan: LanTable) -> None:
    program = lan.stranger()
    headers = {"Authorization": f"Bearer {lan.keys.seat('ann')}"}
    body = {"action": LEAVE, "step": 12, "player": "ann"}
    assert program.post("/api/v1/actions", json=body, headers=headers).status_code == 200
    assert program.post("/api/v1/link", json={}, headers=headers).status_code == 403
    link = {"Authorization": f"Bearer {lan.keys.link}"}
    assert program.get("/metrics", headers=link).status_code == 200
    assert program.post("/api/v1/actions", json=body, headers=link).status_code == 403
    wrong = {"Authorization": f"Bearer {lan.keys.pin}"}
    assert program.get("/snapshot", headers=wrong).status_code == 401


def test_evidence_and_sent_pictures_are_behind_the_same_check(tmp_path: Any) -> None:
    (tmp_path / "a.png").write_bytes(b"a die, and half of the living room")
    lan = LanTable(evidence=tmp_path, pictures=(tmp_path, lambda data: data))
    assert lan.stranger().get("/evidence/a.png").status_code == 401
    with lan.viewer().get("/evidence/a.png") as reply:
        assert reply.status_code == 200
    assert lan.viewer().get("/api/v1/pictures").status_code == 403
    assert lan.referee().get("/api/v1/pictures").json == {"pictures": []}


def test_code_on_the_big_screen_holds_the_link_and_no_seat(lan: LanTable) -> None:
    viewer = lan.viewer()
    assert 'src="/link.svg"' in viewer.get("/").text
    code = viewer.get("/link.svg")
    assert code.mimetype == "image/svg+xml"
    assert "style" not in code.text
    assert lan.keys.seat("ann") not in viewer.get("/").text


def test_loopback_stays_as_easy_as_it_was(desk: DemoDesk, client: Any) -> None:
    assert client.get("/").status_code == 200
    assert 'src="/link.svg"' not in client.get("/").text
    assert client.post("/actions", json={"action": {"type": "undo"}, "step": 12}).status_code == 200
