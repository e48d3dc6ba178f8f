"""Where the dashboard listens, and what the console says about it."""

import io
import json
import urllib.error
import urllib.request

import pytest
from rich.console import Console

from companion.errors import ConfigError
from companion.house_desk import HouseDesk
from companion.screens import address_of, examined, open_screens
from web.feed import Feed


@pytest.mark.parametrize(
    ("host", "configured", "lan", "address"),
    [
        (None, "127.0.0.1", False, "127.0.0.1"),
        (None, "127.0.0.1", True, "0.0.0.0"),
        (None, "192.168.1.5", True, "192.168.1.5"),
        (None, "0.0.0.0", False, "0.0.0.0"),  # the owner's file says so
        ("::1", "127.0.0.1", False, "::1"),
        ("192.168.1.5", "127.0.0.1", True, "192.168.1.5"),
    ],
)
def test_dashboard_listens_where_it_was_told(host, configured, lan, address):
    assert address_of(host, configured, lan=lan) == address


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "companion.local"])
def test_address_beyond_this_machine_wants_lan_said_as_well(host):
    with pytest.raises(ConfigError, match="say --lan"):
        address_of(host, "127.0.0.1", lan=False)


def test_doctor_on_the_dashboard_looks_at_the_settings_of_this_table(tmp_path):
    settings = tmp_path / "table.toml"
    settings.write_text("[web]\nprot = 8000\n")
    found = [row for rows in examined(None, settings).values() for row in rows]
    [finding] = [row for row in found if row["code"] == "settings"]
    assert "table.toml: [web]: there is no setting `prot`" in finding["finding"]
    assert finding["state"] == "bad"


def said_by(host, journal):
    console = Console(file=io.StringIO(), width=40)
    desk = HouseDesk(Feed())
    with open_screens(desk, (host, 0), console, journal=journal, simulated=True) as server:
        port = server.url.rsplit(":", 1)[1]
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/health") as reply:
                status = reply.status
        except urllib.error.HTTPError as error:
            status = error.code
            error.close()
    return console.file.getvalue(), status


def test_loopback_asks_for_nothing_and_says_nothing_of_a_pin(tmp_path):
    said, status = said_by("127.0.0.1", tmp_path / "journal.sqlite")
    assert status == 200
    assert said.splitlines()[0].startswith("Dashboard: http://127.0.0.1:")
    assert "PIN" not in said


def test_lan_says_link_and_pin_once_and_asks_for_them(tmp_path):
    said, status = said_by("0.0.0.0", tmp_path / "journal.sqlite")
    assert status == 401
    keys = json.loads((tmp_path / "journal.keys.json").read_text())
    assert f"PIN of the referee: {keys['pin']}" in said
    assert f"/join/{keys['link']}" in said
    assert keys["secret"] not in said
    assert (
        said_by("0.0.0.0", tmp_path / "journal.sqlite")[0].split("PIN")[1] == said.split("PIN")[1]
    )
