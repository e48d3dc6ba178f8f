"""Pages, hosts and bodies of strangers change nothing at the table."""

import json
from typing import Any

import pytest
from demo_desk import DemoDesk

from web.dashboard import create_app

LEAVE = {"type": "chose", "player": "ann", "choice": "leave"}


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:9999"},
        {"Origin": "http://localhost.evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_write_from_a_strangers_page_is_refused(
    client: Any, desk: DemoDesk, headers: dict[str, str]
) -> None:
    reply = client.post("/actions", json={"action": LEAVE, "step": 12}, headers=headers)
    assert (reply.status_code, reply.json["code"]) == (403, "other_origin")
    assert desk.asked == []


def test_write_from_the_own_page_is_taken(client: Any) -> None:
    token = client.get("/api/v1/session").json["csrf"]
    headers = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    headers["X-CSRF-Token"] = token
    body = {"action": LEAVE, "step": 12, "player": "ann"}
    assert client.post("/actions", json=body, headers=headers).status_code == 200


def test_form_of_a_strangers_page_cannot_carry_json(client: Any, desk: DemoDesk) -> None:
    body = json.dumps({"action": LEAVE})
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        reply = client.post("/actions", data=body, content_type=kind)
        assert reply.status_code == 415
    assert desk.asked == []


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "a.local.evil.example"])
def test_name_that_a_stranger_can_own_is_refused(client: Any, host: str) -> None:
    headers = {"Host": host, "Origin": f"http://{host}"}
    assert client.get("/snapshot", headers=headers).status_code == 403
    assert (
        client.post("/actions", json={"action": LEAVE, "step": 12}, headers=headers).status_code
        == 403
    )


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1:8000",
        "192.168.1.5",
        "[::1]:8000",
        "companion",
        "companion.local:8000",
        "LOCALHOST",
    ],
)
def test_names_of_the_house_are_fine(client: Any, host: str) -> None:
    assert client.get("/healthz", headers={"Host": host}).status_code == 200


def test_configured_name_is_fine(desk: DemoDesk) -> None:
    client = create_app(desk, simulated=True, hosts=["Games.Example.org"]).test_client()
    assert client.get("/healthz", headers={"Host": "games.example.org"}).status_code == 200


def test_huge_body_is_refused(client: Any, desk: DemoDesk) -> None:
    reply = client.post("/actions", data=b" " * 70_000, content_type="application/json")
    assert reply.status_code == 413
    assert desk.asked == []
