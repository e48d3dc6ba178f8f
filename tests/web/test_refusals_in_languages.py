"""Whatever is refused says why in the language of who is refused: nothing of it stays English."""

from typing import Any

import pytest
from lan_table import ORIGIN, LanTable, token
from pseudo import bare, outside_brackets, pseudo
from quiet_house import QuietHouse

from companion.setting_up import Plan
from companion.words import message_of
from web import i18n
from web.access import Access
from web.setup_benches import show_benches

ARGUMENTS = {
    "picture": "p1",
    "player": "ann",
    "number": 1,
    "camera": "trays",
    "zone": "x",
    "die": "d1",
    "name": "x",
}
BODIES: tuple[Any, ...] = (
    b"", b"{", b"[]", b"{}", b'{"step": "x"}', b'{"step": -1}', b'{"step": 0, "more": 1}',
    b'{"step": 0, "player": 3, "dice": {}, "faces": []}', b'{"step": 0, "volume": 7}',
    b'{"step": 0, "action": {"type": "flew"}}', b'{"step": 0, "action": {"type": "undo"}}',
    b'{"step": 0, "faces": {"white-9": "troll"}, "player": "zed"}', b'{"step": 0, "url": "x:y"}',
    b'{"step": 0, "counter": "x", "value": -1}', b'{"what": "x", "kind": "x", "face": "x"}',
    b'{"game": "chess", "seats": [], "options": {}}',
    b'{"game": "troll_and_dragon", "seats": [{"name": "!"}], "options": {"end_mode": "x"}}',
)  # fmt: skip
LOOKED_AT = (
    "/api/v1/steps?after=x", "/api/v1/steps/77", "/api/v1/games/77", "/api/v1/games/1?as=pdf",
    "/api/v1/games/1/steps/99", "/evidence/x", "/nowhere", "/api/v1/undo", "/seat/zed",
    "/games/77", "/games/1/steps/99", "/referee/cameras/x", "/api/v1/steps/1/alternatives",
    "/api/v1/setup/form?game=chess", "/referee?before=x", "/events?after=x",
)  # fmt: skip


@pytest.fixture
def referee(house: QuietHouse, monkeypatch: pytest.MonkeyPatch) -> Any:
    lan = LanTable(house.desk)
    show_benches(lan.app, house.benches(), Access(lan.keys, lan=True))
    browser = lan.referee()
    monkeypatch.setattr(i18n, "catalogue", lambda name: pseudo())
    return browser


def english(reply: Any) -> list[str]:
    """What of a refusal is bare; nothing of an answer that is none."""
    if reply.status_code < 400 or "json" not in reply.mimetype:
        return []
    told = reply.json
    texts = [told["title"], told["detail"], *(told.get("errors") or {}).values()]
    return [left for text in texts if any(map(str.isalpha, left := outside_brackets(text)))]


def test_no_write_is_refused_in_english_alone(referee: Any) -> None:
    app, seen = referee.application, set()
    german = {"Accept-Language": "de", "Content-Type": "application/json", **ORIGIN}
    german["X-CSRF-Token"] = token(referee)
    for rule in app.url_map.iter_rules():
        methods = {"POST", "PUT", "DELETE"} & (rule.methods or set())
        if not rule.rule.startswith("/api/v1") or not methods or "session" in rule.rule:
            continue
        path = rule.rule
        for name in rule.arguments - set(rule.defaults or {}):
            path = path.replace(f"<int:{name}>", "77").replace(
                f"<{name}>", str(ARGUMENTS.get(name, "x"))
            )
        for body in BODIES:
            reply = referee.open(path, method=methods.copy().pop(), data=body, headers=german)
            assert english(reply) == [], f"{path} {body!r}"
            seen.add((reply.status_code, (reply.json or {}).get("code")))
    assert {400, 422} <= {status for status, _ in seen}
    assert {"bad_fields", "not_json", "bad_setup", "unknown_die"} <= {code for _, code in seen}


@pytest.mark.parametrize("path", LOOKED_AT)
def test_no_page_is_refused_in_english_alone(referee: Any, path: str) -> None:
    reply = referee.get(path, headers={"Accept-Language": "de", "Accept": "application/json"})
    assert english(reply) == []


def test_setting_that_devices_do_not_fit_is_told_at_the_game(house: QuietHouse) -> None:
    """What devices say of a game reaches the set-up page with its words."""
    from companion.config import CameraSettings, ZoneSettings
    from companion.setting_up import SetUp
    from companion.tray_zones import dice_by_zone

    zones = {"a": ZoneSettings(dice=("white",), sides=(9.0, 9.0)),
             "b": ZoneSettings(dice=("white-1",), sides=(9.0, 9.0))}  # fmt: skip

    def fits(plan: Plan) -> None:
        dice_by_zone(CameraSettings(zones=zones), plan.game.table(plan.players).dice)

    with pytest.raises(ValueError, match="bad_setup") as found:
        SetUp(house.desk, fits=fits).begin(
            "troll_and_dragon", [{"name": "Ann"}, {"name": "Bo"}], {}
        )
    [(field, text)] = found.value.details["errors"].items()  # type: ignore[attr-defined]
    assert field == "game"
    assert message_of(text) is not None
    assert bare(text) == []
