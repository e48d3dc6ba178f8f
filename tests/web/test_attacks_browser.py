"""Attacks through somebody's browser: forged cookies, strangers' pages, proxies, scripts."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from demo_desk import DemoDesk
from flask.sessions import SecureCookieSessionInterface
from lan_table import LEAVE, ORIGIN, LanTable, post, token
from quiet_house import QuietHouse, faces

from web.access import Access
from web.api import harmless
from web.dashboard import create_app
from web.keys import Keys

EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>"


@pytest.fixture
def lan() -> LanTable:
    return LanTable()


def cookies_of(browser: Any) -> list[str]:
    reply = browser.get("/api/v1/session")
    return list(reply.headers.getlist("Set-Cookie"))


def test_cookie_is_out_of_reach_of_scripts_and_other_sites(lan: LanTable) -> None:
    (cookie,) = cookies_of(lan.stranger())
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Domain" not in cookie
    assert "Secure" not in cookie
    browser = lan.stranger()
    reply = browser.get("/api/v1/session", base_url="https://localhost")
    assert "Secure" in reply.headers["Set-Cookie"]


def test_cookie_holds_no_secret(lan: LanTable) -> None:
    referee = lan.referee()
    post(referee, "/api/v1/session", {"seat": lan.keys.seat("ann")})
    cookie = str(referee.get_cookie(lan.app.config["SESSION_COOKIE_NAME"]).value)
    signer = SecureCookieSessionInterface().get_signing_serializer(lan.app)
    assert signer is not None
    said = json.dumps(signer.loads(cookie))
    for secret in (lan.keys.pin, lan.keys.link, lan.keys.seat("ann"), lan.keys.secret):
        assert secret not in said


def test_forged_cookie_is_worth_nothing(lan: LanTable) -> None:
    viewer = lan.viewer()
    name = lan.app.config["SESSION_COOKIE_NAME"]
    good = str(viewer.get_cookie(name).value)
    for forged in (good[:-2] + "AA", "A" + good, good.split(".")[0], "", "e30.x.y"):
        stranger = lan.stranger()
        stranger.set_cookie(name, forged)
        assert stranger.get("/snapshot").status_code == 401
    other = LanTable()
    there = other.stranger()
    there.set_cookie(other.app.config["SESSION_COOKIE_NAME"], good)
    assert there.get("/snapshot").status_code == 401


@pytest.mark.parametrize("sent", [None, "", "x", "é".encode().decode("latin-1")])
def test_write_without_the_token_of_the_page_is_refused(lan: LanTable, sent: str | None) -> None:
    ann = lan.player("ann")
    headers = ORIGIN if sent is None else {**ORIGIN, "X-CSRF-Token": sent}
    body = {"action": LEAVE, "step": 12, "player": "ann"}
    for extra in (headers, {k: v for k, v in headers.items() if k not in ORIGIN}):
        reply = ann.post("/actions", json=body, headers=extra)
        assert (reply.status_code, reply.json["code"]) == (403, "bad_csrf_token")
    assert lan.desk.asked == []


def test_token_of_another_browser_is_refused(lan: LanTable) -> None:
    ann, bo = lan.player("ann"), lan.player("bo")
    reply = ann.post(
        "/actions",
        json={"action": LEAVE, "player": "ann", "step": 12},
        headers={**ORIGIN, "X-CSRF-Token": token(bo)},
    )
    assert reply.json["code"] == "bad_csrf_token"


def test_loopback_too_asks_browsers_for_the_token(client: Any, desk: DemoDesk) -> None:
    reply = client.post("/actions", json={"action": LEAVE, "step": 12}, headers=ORIGIN)
    assert (reply.status_code, reply.json["code"]) == (403, "bad_csrf_token")
    assert desk.asked == []


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}],
)
def test_strangers_page_writes_nothing_even_with_a_token(
    lan: LanTable, headers: dict[str, str]
) -> None:
    referee = lan.referee()
    reply = post(referee, "/api/v1/link", {}, **headers)
    assert (reply.status_code, reply.json["code"]) == (403, "other_origin")


def test_new_token_is_given_to_whoever_becomes_the_referee(lan: LanTable) -> None:
    viewer = lan.viewer()
    before = token(viewer)
    reply = post(viewer, "/api/v1/session", {"pin": lan.keys.pin})
    assert reply.json["csrf"] != before


def test_leaving_forgets_what_was_given(lan: LanTable) -> None:
    referee = lan.referee()
    sent = {**ORIGIN, "X-CSRF-Token": token(referee)}
    assert referee.delete("/api/v1/session", headers=sent).status_code == 204
    assert referee.get("/snapshot").status_code == 401


def test_headers_of_a_proxy_are_believed_only_where_one_is_configured() -> None:
    forwarded = {
        "X-Forwarded-Host": "games.example.org",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-For": "127.0.0.1",
        "Forwarded": "host=games.example.org;proto=https",
    }
    lan = LanTable()
    plain = lan.stranger().get("/api/v1/session", headers=forwarded)
    assert "Secure" not in plain.headers["Set-Cookie"]
    assert "games.example.org" not in lan.viewer().get("/link.svg", headers=forwarded).text
    behind = LanTable(proxies=1, hosts=["games.example.org"])
    reply = behind.stranger().get("/api/v1/session", headers=forwarded)
    assert "Secure" in reply.headers["Set-Cookie"]
    other = {**forwarded, "X-Forwarded-Host": "evil.example"}
    assert behind.stranger().get("/api/v1/session", headers=other).status_code == 403


def test_no_page_has_anything_inline(lan: LanTable) -> None:
    referee = lan.referee()
    html = {"Accept": "text/html"}
    pages = [
        referee.get("/", headers=html),
        referee.get("/pairing", headers=html),
        lan.viewer().get("/pairing", headers=html),
        lan.stranger().get("/", headers=html),
    ]
    assert [page.status_code for page in pages] == [200, 200, 403, 401]
    for page in pages:
        policy = page.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
        assert re.search(r"<script(?![^>]*\bsrc=)", page.text) is None
        assert re.search(r"\s(style|on\w+)\s*=", page.text) is None
        assert "<style" not in page.text
        assert "javascript:" not in page.text


def test_names_are_escaped_on_the_pairing_page() -> None:
    lan = LanTable(DemoDesk(names={"ann": EVIL}))
    page = lan.referee().get("/pairing", headers={"Accept": "text/html"}).text
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "&lt;script&gt;" in page


def test_texts_of_devices_are_escaped(desk: DemoDesk, mocker: Any) -> None:
    snapshot = desk.snapshot()
    snapshot["sources"] = [{"name": EVIL, "label": EVIL, "state": EVIL, "detail": EVIL}]
    snapshot["lamps"] = [{"name": EVIL, "label": EVIL, "colour": EVIL, "level": 1.0}]
    mocker.patch.object(desk, "snapshot", return_value=snapshot)
    page = create_app(desk, simulated=True).test_client().get("/").text
    assert "<script>alert" not in page
    assert "<img src=x" not in page


def test_table_for_a_spreadsheet_holds_no_formula(house: QuietHouse) -> None:
    api = create_app(house.desk, simulated=True).test_client()
    api.post("/api/v1/rolls", json={"faces": faces("troll"), "step": 0})
    text = api.get("/api/v1/games/1/export?as=csv").text
    assert not re.search(r'(^|,)"?[=+@-]', text.replace("-1", ""))
    assert [harmless(cell) for cell in ("=1+1", "@x", "-2", 5, None, "ok")] == [
        "'=1+1",
        "'@x",
        "'-2",
        5,
        None,
        "ok",
    ]


def test_problem_says_nothing_about_the_machine(desk: DemoDesk, mocker: Any) -> None:
    mocker.patch.object(desk, "act", side_effect=RuntimeError("/home/ann/secret.txt"))
    app = create_app(desk, simulated=True, access=Access(Keys(), lan=False))
    app.config["PROPAGATE_EXCEPTIONS"] = False
    reply = app.test_client().post("/actions", json={"action": LEAVE, "step": 12})
    assert reply.status_code == 500
    assert "secret.txt" not in reply.text


def test_scripts_come_from_files_that_are_there() -> None:
    web = Path(__file__).parents[2] / "web"
    for page in ("door", "pin", "pairing"):
        text = (web / "templates" / f"{page}.html").read_text()
        for name in re.findall(r"filename='([^']+)'", text):
            assert (web / "static" / name).is_file(), name
