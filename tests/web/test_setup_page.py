"""The set-up page without scripts, for the referee only, and what attackers try on it."""

import threading
from typing import Any

import pytest
from lan_table import ORIGIN, LanTable, post, token
from pseudo import Pseudo
from quiet_house import QuietHouse, faces
from test_languages import unmarked

from companion.actions import Rolled
from companion.messages import read
from web import i18n
from web.access import Access
from web.dashboard import create_app
from web.keys import Keys
from web.setup_benches import show_benches

API = "/api/v1/setup"
FORM = {
    "game": "troll_and_dragon", "name.0": "Zoë", "colour.0": "4", "name.3": "<b>Max</b>",
    "colour.3": "1", "begins": "3", "option.end_mode": "both", "option.tie_window_s": "0.2",
}  # fmt: skip


@pytest.fixture
def lan(house: QuietHouse) -> LanTable:
    table = LanTable(house.desk)
    show_benches(table.app, house.benches(), Access(table.keys, lan=True))
    return table


@pytest.fixture
def client(house: QuietHouse) -> Any:
    app = create_app(house.desk, simulated=True)
    show_benches(app, house.benches(), Access(Keys(), lan=False))
    return app.test_client()


def send(browser: Any, fields: dict[str, str], **headers: str) -> Any:
    body = {"csrf": token(browser), **fields}
    return browser.post("/setup", data=body, headers={**ORIGIN, **headers})


def test_form_begins_a_game_without_scripts(client: Any, house: QuietHouse) -> None:
    page = client.get("/setup?game=roll_for_adventure")
    assert "Roll for Adventure" in page.text
    assert "form-action 'self'" in page.headers["Content-Security-Policy"]
    reply = send(client, FORM)
    assert (reply.status_code, reply.location) == (303, "/")
    wanted = house.desk.wanted
    assert [(p.name, p.colour) for p in wanted["players"]] == [("Zoë", 4), ("<b>Max</b>", 1)]
    assert wanted["options"].end_mode == "both"
    assert wanted["options"].first_player == "b-max-b"
    assert wanted["options"].auto_take_gold is False  # its box was not ticked


@pytest.mark.parametrize(("language", "shown"), [("en", "0.2"), ("de", "0,2"), ("fr", "0,2")])
def test_fractions_stand_in_their_fields_as_the_language_writes_them(
    client: Any, house: QuietHouse, language: str, shown: str
) -> None:
    """What stands there is also understood when it is sent back; another field does not fit."""
    wrong = FORM | {"option.tie_window_s": shown, "option.end_mode": "never"}
    reply = send(client, wrong, **{"Accept-Language": language})
    assert reply.status_code == 422
    assert f'name="option.tie_window_s" value="{shown}"' in reply.text
    send(client, FORM | {"option.tie_window_s": shown}, **{"Accept-Language": language})
    assert house.desk.wanted["options"].tie_window_s == 0.2


def test_mistakes_are_shown_at_their_fields_and_nothing_typed_is_lost(
    client: Any, house: QuietHouse
) -> None:
    reply = send(client, {**FORM, "option.tie_window_s": "soon", "name.0": "<i>"})
    assert reply.status_code == 422
    assert 'id="wrong-option.tie_window_s"' in reply.text
    assert "Expected a number from 0 to 5, got &#39;soon&#39;." in reply.text
    assert 'value="&lt;b&gt;Max&lt;/b&gt;"' in reply.text
    assert "<b>Max" not in reply.text
    assert house.desk.wanted == {}


def test_game_in_play_is_set_aside_after_a_question_only(client: Any, house: QuietHouse) -> None:
    house.desk.act(Rolled(faces("diamond")), step=0, player="ann")
    asked = send(client, FORM)
    assert asked.status_code == 409
    assert "1 step has been taken" in asked.text
    assert house.desk.wanted == {}
    assert send(client, {**FORM, "aside": "1"}).status_code == 303
    assert house.desk.wanted["options"].end_mode == "both"


def test_set_up_by_interface_is_refused_with_problem_details(
    client: Any, house: QuietHouse
) -> None:
    wish = {"game": "troll_and_dragon", "seats": [{"name": "Ann"}], "options": {"end_mode": "x"}}
    reply = client.post(f"{API}/game", json=wish)
    assert (reply.status_code, reply.mimetype) == (422, "application/problem+json")
    assert set(reply.json["errors"]) == {"seats", "option.end_mode"}
    fits = {**wish, "seats": [{"name": "Ann"}, {"name": "Bo", "colour": 5}], "options": {}}
    assert client.post(f"{API}/game", json=fits).json == {"step": 0}
    assert [p.colour for p in house.desk.wanted["players"]] == [0, 5]
    assert client.post(f"{API}/games/77/resume", json={}).status_code == 422


@pytest.fixture
def others(lan: LanTable) -> list[Any]:
    return [lan.stranger(), lan.viewer(), lan.player("ann")]


def test_nobody_but_the_referee_sees_or_does_anything(
    lan: LanTable, others: list[Any], house: QuietHouse
) -> None:
    paths = [str(r) for r in lan.app.url_map.iter_rules() if "/setup" in str(r)]
    assert len(paths) >= 4
    for browser in others:
        for path in paths:
            asked = path.replace("<int:number>", "1").replace("<game>", "troll_and_dragon")
            asked = asked.replace("<die>", "d1").replace("<camera>", "trays")
            asked = asked.replace("<zone>", "dragon").replace("<picture>", "p1")
            with browser.get(asked) as reply:
                assert reply.status_code in (401, 403, 405), asked
                assert "Ann" not in reply.text
        assert send(browser, FORM).status_code in (401, 403)
        assert post(browser, f"{API}/game", {"game": "x", "seats": []}).status_code in (401, 403)
    assert house.desk.wanted == {}


def test_referee_sees_and_does_it(lan: LanTable, house: QuietHouse) -> None:
    referee = lan.referee()
    assert referee.get("/setup").status_code == 200
    assert send(referee, FORM).status_code == 303


STRANGE: tuple[tuple[dict[str, str], dict[str, str]], ...] = (
    ({"csrf": ""}, {}),
    ({"csrf": "x" * 22}, {}),
    ({}, {"Origin": "http://evil.example"}),
    ({}, {"Origin": "null"}),
    ({}, {"Sec-Fetch-Site": "cross-site"}),
    ({}, {"Sec-Fetch-Site": "same-site"}),
)


def test_form_of_another_page_changes_nothing(lan: LanTable, house: QuietHouse) -> None:
    referee = lan.referee()
    for fields, headers in STRANGE:
        assert send(referee, {**FORM, **fields}, **headers).status_code == 403
    assert house.desk.wanted == {}


def test_forms_are_taken_nowhere_else(client: Any) -> None:
    body = {"csrf": token(client)}
    for path in ("/actions", "/games", f"{API}/game", "/api/v1/session"):
        reply = client.post(path, data=body, headers=ORIGIN)
        assert reply.status_code in (403, 415), path
    large = client.post("/setup", data={**body, "name.0": "x" * 100_000}, headers=ORIGIN)
    assert large.status_code == 413


def test_page_may_not_send_forms_elsewhere(client: Any) -> None:
    policy = client.get("/setup").headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "form-action 'none'" in client.get("/").headers["Content-Security-Policy"]


def heard(client: Any, headers: dict[str, str]) -> Any:
    """The page of the smart dice, once the receiver has said how strongly it hears each of them."""
    between = threading.Event()
    for _ in range(1500):
        page = client.get("/setup/dice", headers=headers)
        if page.text.count(" dBm<") == 8:
            return page
        between.wait(0.02)
    raise AssertionError(f"eight signal strengths were never shown: {page.text}")


def test_no_text_of_the_set_up_is_unmarked(
    client: Any, house: QuietHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    language, german = Pseudo(read("de")), {"Accept-Language": "de"}
    monkeypatch.setattr(i18n, "catalogue", lambda name: language)
    client.post("/api/v1/setup/faces", json={"what": "dice"})
    client.post("/api/v1/setup/faces/pictures", json={"kind": "white", "face": "key"})
    wrong = {**FORM, "option.tie_window_s": "soon", "name.0": "!", "colour.3": "9"}
    parts = ("", "/camera", "/faces", "?game=schatz_der_drachen")
    pages = [client.get(f"/setup{part}", headers=german) for part in parts]
    pages.append(heard(client, german))
    pages.append(send(client, wrong, **german))
    said = {"X-CSRF-Token": token(client)}
    assert client.post("/api/v1/setup/faces/go-on", json={}, headers=said).status_code == 200
    house.desk.act(Rolled(faces("diamond")), step=0, player="ann")
    pages.append(send(client, FORM, **german))
    for page in pages:
        assert "⟦" in page.text
        assert unmarked(page.text, {"Ann", "=2+3", "Zoë", "<b>Max</b>"}) == [], page.request.path


NO_PICTURES: tuple[tuple[bytes, dict[str, str], int], ...] = (
    (b"\xff\xd8\xff" + b"x" * 100, {"Content-Type": "image/jpeg"}, 422),
    (b"<svg onload='alert(1)'/>", {"Content-Type": "image/svg+xml"}, 415),
    (b"{}", {"Content-Type": "application/json"}, 422),
    (b"x" * (8 * 1024 * 1024 + 1), {"Content-Type": "image/png"}, 413),
    (b"x", {"Content-Type": "image/png", "X-CSRF-Token": "stolen"}, 403),
    (b"x", {"Content-Type": "image/png", "Origin": "http://evil.example"}, 403),
)


def test_picture_that_is_none_is_not_learnt(client: Any) -> None:
    client.post(f"{API}/faces", json={"what": "dice"})
    address = f"{API}/faces/uploads?kind=white&face=key"
    for data, headers, status in NO_PICTURES:
        sent = {**ORIGIN, "X-CSRF-Token": token(client), **headers}
        reply = client.post(address, data=data, headers=sent)
        assert (reply.status_code, reply.mimetype) == (status, "application/problem+json")
    rows = client.get(f"{API}/faces").json["lesson"]["faces"]
    assert not any(row["pictures"] for row in rows)
