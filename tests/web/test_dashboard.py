""""""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from demo_desk import DemoDesk

from companion.actions import Chose, Rolled, Undo
from companion.errors import IllegalAction, JournalError
from web.dashboard import create_app, version_of
from web.drawing import STATIC, Art, Drawing
from web.streams import Streams

LEAVE = {"type": "chose", "player": "ann", "choice": "leave"}
EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>&amp;"


def read_stream(reply: Any, until: bytes) -> bytes:
    """Read a stream until `until` has come; the feed must have published it already."""
    got = b""
    for chunk in reply.response:
        got += chunk
        if until in got:
            reply.close()
            return got
    return got


def messages(text: bytes) -> list[dict[str, str]]:
    blocks = text.decode().strip().split("\n\n")
    return [
        dict(line.split(": ", 1) for line in block.splitlines() if line[0] != ":")
        for block in blocks
    ]


def test_page_shows_the_table_before_any_script_runs(client: Any) -> None:
    page = client.get("/").text
    for words in ("Troll &amp; Dragon", "Cyrano", "Diamond Grotto", "I’m leaving!", "Take back"):
        assert words in page
    assert 'href="#troll_and_dragon-face-key"' in page
    assert 'data-last-id="demo-1"' in page


def test_page_obeys_its_own_strict_policy(client: Any) -> None:
    reply = client.get("/")
    policy = reply.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert " style=" not in reply.text
    assert "<style" not in reply.text
    assert "http://" not in reply.text.replace("http://www.w3.org", "")
    assert "https://" not in reply.text
    assert reply.headers["X-Content-Type-Options"] == "nosniff"


def test_browsers_keep_what_never_changes_under_its_path(client: Any) -> None:
    page = client.get("/")
    found = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)
    assert len(found) > 5
    for path in found:
        with client.get(path) as reply:
            assert reply.status_code == 200, path
            assert reply.cache_control.max_age == 31_536_000, path
    gone = found[0].replace(client.application.static_url_path, "/static/000000000000")
    for reply in (page, client.get(gone), client.get(found[0] + ".gone")):
        assert reply.headers["Cache-Control"] == "no-store"


def test_scripts_and_sheets_name_their_like_by_relative_paths_only() -> None:
    files = [path for path in STATIC.rglob("*") if path.suffix in (".js", ".css")]
    assert len(files) > 20
    assert [path.name for path in files if "/static/" in path.read_text("utf-8")] == []


def test_version_is_another_when_a_file_has_changed_or_moved(tmp_path: Path) -> None:
    seen = set()
    for name, text in (("a.js", "1"), ("a.js", "2"), ("b.js", "2")):
        (tmp_path / name).write_text(text, "utf-8")
        seen |= {version_of(tmp_path), version_of(tmp_path)}
    assert len(seen) == 3


def test_names_from_outside_are_escaped_everywhere() -> None:
    desk = DemoDesk(names={"ann": EVIL})
    desk.tell("x", "bad", EVIL, EVIL)
    desk.questions = [
        {"id": EVIL, "text": EVIL, "die": EVIL, "picture": f'/e"{EVIL}', "faces": [EVIL]}
    ]
    client = create_app(desk, simulated=True).test_client()
    for path in ("/", "/board"):
        text = client.get(path).text
        text = json.loads(text)["html"] if path == "/board" else text
        assert "<script>" not in text
        assert "<img src=x" not in text
        assert "&lt;script&gt;" in text
    viewer = client.get("/events?as=page")
    assert b"<script>alert" not in read_stream(viewer, b"event: table")


def test_unknown_faces_and_games_fall_back_to_text(desk: DemoDesk) -> None:
    snapshot = desk.snapshot()
    snapshot["game"]["key"] = "another_game"
    snapshot["faces"]["white-3"] = ["ring", "3"]
    desk.snapshot = lambda: snapshot  # type: ignore[method-assign]
    page = create_app(desk, simulated=True).test_client().get("/").text
    assert ">ring</text>" in page
    assert 'href="#face-3"' in page
    assert ">troll</text>" in page
    assert "games/" not in page


def test_snapshot_is_what_the_desk_says(client: Any, desk: DemoDesk) -> None:
    assert client.get("/snapshot").json == desk.snapshot()


def test_tap_reaches_the_desk_with_its_step_and_time(client: Any, desk: DemoDesk) -> None:
    body = {"action": LEAVE, "step": 12, "player": "ann", "round_trip_s": 0.1}
    reply = client.post("/actions", json=body)
    assert (reply.status_code, reply.json) == (200, {"step": 13})
    assert desk.asked == [("act", (Chose("ann", "leave"), 12, "ann", pytest.approx(123.45)))]


def test_slow_phone_gets_credit_for_a_bounded_round_trip(client: Any, desk: DemoDesk) -> None:
    client.post(
        "/actions", json={"action": LEAVE, "step": 12, "player": "ann", "round_trip_s": 3600}
    )
    assert desk.asked[0][1][3] == pytest.approx(123.5 - 0.2)


def test_roll_and_undo_can_be_entered(client: Any, desk: DemoDesk) -> None:
    rolled = {"type": "rolled", "faces": {"white-3": "key"}}
    assert client.post("/actions", json={"action": rolled, "step": 12}).status_code == 200
    assert client.post("/actions", json={"action": {"type": "undo"}, "step": 12}).status_code == 200
    assert [entry for _, (entry, *_) in desk.asked] == [Rolled({"white-3": "key"}), Undo()]


def test_stale_tap_is_refused_with_the_table_as_it_is(client: Any) -> None:
    reply = client.post("/actions", json={"action": LEAVE, "step": 3, "player": "ann"})
    assert reply.status_code == 409
    assert reply.json["code"] == "stale_tap"
    assert reply.json["snapshot"]["step"] == 12


def test_illegal_action_is_refused_with_code_and_details(client: Any) -> None:
    adjusted = {"type": "adjusted", "counter": "x", "value": 1}
    reply = client.post("/actions", json={"action": adjusted, "step": 12})
    assert reply.status_code == 422
    assert reply.mimetype == "application/problem+json"
    assert reply.json == {
        "type": "urn:companion:problem:not_adjustable",
        "title": "Not possible now",
        "status": 422,
        "detail": "That is only derived.",
        "code": "not_adjustable",
        "message": "That is only derived.",
        "counter": "x",
    }


def test_failing_journal_is_told(client: Any, desk: DemoDesk, mocker: Any) -> None:
    mocker.patch.object(desk, "act", side_effect=JournalError("disk full: journal.sqlite"))
    reply = client.post("/actions", json={"action": LEAVE, "step": 12})
    assert (reply.status_code, reply.json["code"]) == (503, "journal_error")


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("/actions", b"{", "not_json"),
        ("/actions", b"\xff\xfe", "not_json"),
        ("/actions", b"[]", "bad_fields"),
        ("/actions", b"{}", "bad_fields"),
        ("/actions", b'{"action":{"type":"dance"}}', "bad_fields"),
        ("/actions", b'{"action":{"type":"undo"},"step":"12"}', "bad_fields"),
        ("/actions", b'{"action":{"type":"undo"},"sudo":true}', "bad_fields"),
        ("/actions", b'{"action":{"type":"undo"},"round_trip_s":-1}', "bad_fields"),
        ("/throw", b'{"player":"ann"}', "bad_fields"),
        ("/throw", b'{"player":"ann","dice":"white-1"}', "bad_fields"),
        ("/seats/ann", b'{"person":"yes"}', "bad_fields"),
        ("/actions", b'{"action":{"type":"undo"}}', "bad_fields"),
        ("/throw", b'{"player":"ann","dice":["white-1"]}', "bad_fields"),
        ("/turns", b'{"player":"ann","square":"0,0"}', "bad_fields"),
        ("/seats/ann", b'{"person":true}', "bad_fields"),
        ("/games", b"{}", "bad_fields"),
        ("/answers", b'{"question":"q1","face":"key"}', "bad_fields"),
        ("/games", b"null", "bad_fields"),
    ],
)
def test_bad_body_is_refused_and_reaches_nobody(
    client: Any, desk: DemoDesk, path: str, body: bytes, code: str
) -> None:
    reply = client.post(path, data=body, content_type="application/json")
    assert (reply.status_code, reply.json["code"]) == (400, code)
    assert path in reply.json["message"]
    assert desk.asked == []


def test_throw_takes_the_dice_to_the_desk(client: Any, desk: DemoDesk) -> None:
    body = {"player": "ann", "dice": ["white-3"], "step": 12}
    assert client.post("/throw", json=body).json == {"step": 13}
    assert desk.asked == [("throw", ("ann", ["white-3"], 12))]


def test_real_dice_are_not_thrown_by_a_tap(desk: DemoDesk) -> None:
    client = create_app(desk, simulated=False).test_client()
    reply = client.post("/throw", json={"player": "ann", "dice": ["white-3"], "step": 12})
    assert (reply.status_code, reply.json["code"]) == (422, "not_simulated")
    assert desk.asked == []
    assert 'class="go throw"' not in client.get("/").text


def test_tile_is_turned_up_by_a_desk_that_can(desk: DemoDesk) -> None:
    class Turning(DemoDesk):
        def turn_up(self, player: str, square: str, *, step: int | None) -> dict[str, Any]:
            self.asked.append(("turn_up", (player, square, step)))
            return {"step": self.step}

    able = Turning()
    body = {"player": "ann", "square": "2,3", "step": 12}
    client = create_app(able, simulated=True).test_client()
    assert client.post("/turns", json=body).json == {"step": 12}
    assert able.asked == [("turn_up", ("ann", "2,3", 12))]
    for other in (create_app(able, simulated=False), create_app(desk, simulated=True)):
        reply = other.test_client().post("/turns", json=body)
        assert (reply.status_code, reply.json["code"]) == (422, "not_simulated")
    assert len(able.asked) == 1


def test_seats_are_taken_and_left(client: Any, desk: DemoDesk) -> None:
    assert client.post("/seats/ann", json={"person": True, "step": 12}).status_code == 200
    assert desk.people == {"ann"}
    assert client.post("/seats/ann", json={"person": False, "step": 12}).status_code == 200
    assert desk.people == set()
    assert client.post("/seats/nobody", json={"person": True, "step": 12}).status_code == 422


def test_another_game_begins_only_when_one_is_over(client: Any) -> None:
    assert client.post("/games", json={"step": 12}).json["code"] == "not_over"
    over = create_app(DemoDesk(scene="over"), simulated=True).test_client()
    assert "Play again" in over.get("/").text
    assert over.post("/games", json={"step": 12}).status_code == 200


def test_answer_without_an_answering_desk_is_refused(client: Any) -> None:
    reply = client.post("/answers", json={"question": "q1", "face": "key", "step": 12})
    assert (reply.status_code, reply.json["code"]) == (422, "not_offered")


def test_answer_reaches_a_desk_that_asks() -> None:
    class Asking(DemoDesk):
        def answer(self, question: str, face: str) -> dict[str, Any]:
            self.asked.append(("answer", (question, face)))
            return {"step": self.step}

    desk = Asking()
    client = create_app(desk, simulated=True).test_client()
    client.post("/answers", json={"question": "q1", "face": "key", "step": 12})
    assert desk.asked == [("answer", ("q1", "key"))]


def test_events_begin_with_the_whole_table(client: Any) -> None:
    reply = client.get("/events")
    assert reply.mimetype == "text/event-stream"
    (retry, first) = messages(read_stream(reply, b"event: table"))
    assert retry == {"retry": "1500"}
    assert (first["id"], first["event"]) == ("demo-1", "table")
    assert json.loads(first["data"])["snapshot"]["step"] == 12


def test_events_resume_after_the_last_id(client: Any, desk: DemoDesk) -> None:
    for n in range(3):
        desk.tell("x", "note", "X", f"Line {n}\nwith a second line")
    reply = client.get("/events", headers={"Last-Event-ID": "demo-2"})
    _, third, fourth = messages(read_stream(reply, b"Line 2"))
    assert (third["id"], fourth["id"]) == ("demo-3", "demo-4")
    assert json.loads(third["data"])["told"][0]["text"] == "Line 1\nwith a second line"


def test_page_is_drawn_for_the_newest_message_only(client: Any, desk: DemoDesk) -> None:
    for n in range(3):
        desk.tell("x", "note", "X", f"Line {n}")
    reply = client.get("/events?as=page&after=demo-1")
    _, *tables = messages(read_stream(reply, b"id: demo-4"))
    data = [json.loads(table["data"]) for table in tables]
    assert [bool(d["html"]) for d in data] == [False, False, True]
    assert [d["told"][0]["text"] for d in data] == ["Line 0", "Line 1", "Line 2"]
    assert 'id="board"' in data[-1]["html"]


def test_stream_too_many_is_refused_and_its_place_given_back(desk: DemoDesk) -> None:
    client = create_app(desk, simulated=True, streams=Streams(1)).test_client()
    first = client.get("/events")
    second = client.get("/events")
    assert (second.status_code, second.json["code"]) == (503, "too_many_screens")
    first.close()
    assert desk.feed.viewers == 0
    third = client.get("/events")
    assert third.status_code == 200
    third.close()


def test_unknown_path_is_refused_as_json(client: Any) -> None:
    reply = client.get("/nothing")
    assert (reply.status_code, reply.json["code"]) == (404, "not_found")
    assert client.get("/actions").status_code == 405


def test_evidence_is_served_from_its_folder_only(desk: DemoDesk, tmp_path: Any) -> None:
    folder = tmp_path / "evidence"
    folder.mkdir()
    (folder / "a.png").write_bytes(b"picture")
    (tmp_path / "secret.png").write_bytes(b"secret")
    (folder / "a.txt").write_bytes(b"text")
    rolls = tmp_path / "rolls"
    (rolls / "1").mkdir(parents=True)
    (rolls / "1" / "b.jpg").write_bytes(b"dice")
    (rolls / "1" / "leads-out.jpg").symlink_to(tmp_path / "secret.png")
    client = create_app(desk, simulated=True, evidence=folder, rolls=rolls).test_client()
    for path, picture in (("a.png", b"picture"), ("1/b.jpg", b"dice")):
        with client.get(f"/evidence/{path}") as reply:
            assert reply.data == picture
    outside = ("../secret.png", "%2e%2e/secret.png", "1/../../secret.png", "1/leads-out.jpg")
    for path in (*outside, "a.txt", "missing.png", f"{'x' * 300}.png", "a%00.png"):
        assert client.get(f"/evidence/{path}").status_code == 404


def test_page_asks_again_while_there_is_no_table(desk: DemoDesk, mocker: Any) -> None:
    client = create_app(desk, simulated=True).test_client()
    mocker.patch.object(desk, "snapshot", side_effect=IllegalAction("no_game", "One moment."))
    reply = client.get("/")
    assert reply.status_code == 503
    assert "One moment." in reply.text
    assert 'http-equiv="refresh"' in reply.text


def test_questions_notices_and_missing_scores_are_shown(desk: DemoDesk) -> None:
    snapshot = desk.snapshot() | {"journal_error": "disk full", "waiting": ["Roll: key"]}
    snapshot["players"][0]["score"] = None
    snapshot["outcome"] = {"winners": [], "scores": {}, "why": "Nobody is left."}
    snapshot["questions"] = [
        {"id": "q1", "text": "Count it?", "die": None, "picture": None, "faces": ["count it"]}
    ]
    desk.snapshot = lambda: snapshot  # type: ignore[method-assign]
    page = create_app(desk, simulated=True).test_client().get("/").text
    for words in ("disk full", "Waits for an answer: Roll: key", "Count it?", "Nobody wins!"):
        assert words in page
    assert ">None<" not in page


def test_hand_puts_what_can_be_done_before_what_is_closed(desk: DemoDesk) -> None:
    snapshot = desk.snapshot()
    open_roll = snapshot["offers"][0]
    because = {"code": "must_roll_both", "message": "Roll these dice together."}
    snapshot["offers"].insert(0, open_roll | {"closed": because})
    ann, hand = Drawing(snapshot, Art()).hands()[0]
    assert ann["key"] == "ann"
    assert [(o.get("choice", o["type"]), bool(o.get("closed"))) for o in hand] == [
        ("roll", False),
        ("set_aside", False),
        ("leave", False),
        ("claim", True),
        ("roll", True),
    ]
