"""A table on the LAN, as strangers, viewers, players and the referee meet it."""

from pathlib import Path
from typing import Any

from demo_desk import DemoDesk
from flask import Flask

from web.access import Access
from web.dashboard import create_app
from web.keys import Keys

LEAVE = {"type": "chose", "player": "ann", "choice": "leave"}
ORIGIN = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}


class LanTable:
    """The app of a table on the LAN, its keys, and browsers in every role."""

    def __init__(self, desk: Any = None, keys: Keys | None = None, **settings: Any) -> None:
        self.desk = desk or DemoDesk()
        self.keys = keys or Keys()
        self.app: Flask = create_app(
            self.desk, simulated=True, access=Access(self.keys, lan=True), **settings
        )

    def stranger(self) -> Any:
        return self.app.test_client()

    def viewer(self) -> Any:
        browser = self.app.test_client()
        assert browser.get(f"/join/{self.keys.link}").status_code == 303
        return browser

    def player(self, name: str) -> Any:
        browser = self.app.test_client()
        assert browser.get(f"/pair/{self.keys.seat(name)}").status_code == 303
        return browser

    def referee(self) -> Any:
        browser = self.viewer()
        reply = post(browser, "/api/v1/session", {"pin": self.keys.pin})
        assert reply.json["referee"] is True
        return browser


def token(browser: Any) -> str:
    return str(browser.get("/api/v1/session").json["csrf"])


def post(browser: Any, path: str, body: Any, method: str = "POST", **headers: str) -> Any:
    """Write as a page of this table does."""
    sent = {**ORIGIN, "X-CSRF-Token": token(browser), **headers}
    return browser.open(path, method=method, json=body, headers=sent)


def keys_file(folder: Path) -> Path:
    return folder / "table.keys.json"
