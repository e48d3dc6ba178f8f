"""The history: games of a real journal, as HTML and in a real browser."""

from collections.abc import Iterator
from typing import Any

import pytest
from browsing import Browsing
from lan_table import LanTable
from quiet_house import QuietHouse, faces

from companion.actions import Chose, Flipped, Report, Rolled
from web.dashboard import create_app
from web.serve import WebServer

PLAYED = [
    Rolled(faces("diamond") | {"white-1": "key"}),
    Chose("ann", "leave"),
    Rolled(faces("key") | {"white-2": "troll"}),
    Chose("bo", "leave"),
    Rolled(faces("diamond")),
]


def play(house: QuietHouse, entries: list[Any]) -> None:
    for second, entry in enumerate(entries, start=1):
        report = Report(entry, at_s=float(second), source="test")
        house.companion.inbox.put(report, seen=None).wait(8.0)


@pytest.fixture
def client(house: QuietHouse) -> Any:
    play(house, PLAYED)
    return create_app(house.desk, simulated=True).test_client()


def test_games_are_listed_with_their_exports(client: Any) -> None:
    text = client.get("/games").text
    assert "Troll &amp; Dragon, game 1" in text
    assert "Ann, =2+3" in text
    assert "running" in text
    assert 'href="/api/v1/games/1/export?as=csv"' in text


def test_game_has_its_charts_and_dice(client: Any) -> None:
    text = client.get("/games/1").text
    assert text.count('class="line"') == 4
    assert text.count('class="bar"') == 3
    assert "Ann: 3, =2+3: 0." in text
    assert text.count("too few rolls to tell") == 4
    assert "style=" not in text
    assert "<script>" not in text


def test_step_shows_the_table_as_it_lay(client: Any) -> None:
    then = client.get("/games/1/steps/1").text
    now = client.get("/games/1/steps/5").text
    assert 'data-pile="pouch"' in then
    assert "Roll:" in then
    assert "button" not in then
    assert '<b class="number" data-value="3">3</b> <span>points' in now
    assert client.get("/games/1?step=1").text.count('data-step="1"') == 1
    assert client.get("/games/1/steps/6").status_code == 404
    assert client.get("/games/9").status_code == 404
    assert client.get("/games/9/steps/0").status_code == 404
    assert client.get(f"/games/{2**70}").status_code == 404


def test_dice_of_all_games_stand_together(client: Any) -> None:
    text = client.get("/games/dice").text
    assert "In 1 game" in text
    assert text.count('<th scope="row">') == 4
    assert 'href="/games/dice"' in client.get("/games").text
    told = client.get("/api/v1/fairness").json
    assert [part["key"] for part in told["parts"]] == ["troll_and_dragon"]
    assert {die["rolls"] for die in told["parts"][0]["dice"]} == {3}


def test_simulated_dice_step_back_behind_real_ones(house: QuietHouse) -> None:
    house.journal.enter(1, 0, simulated=True)
    play(house, PLAYED[:3])
    client = create_app(house.desk, simulated=True).test_client()
    alone = client.get("/games/dice").text
    assert "simulated dice" in alone
    assert "?simulated=1" not in alone
    assert "simulated</small>" in client.get("/games").text
    house.journal.enter(1, 3, simulated=False)
    play(house, PLAYED[3:])
    real, both = client.get("/games/dice").text, client.get("/games/dice?simulated=1").text
    assert (real.count("<section"), both.count("<section")) == (1, 2)
    assert "simulated dice</small>" not in real
    assert 'href="?simulated=1"' in real
    assert both.index('id="dice-troll_and_dragon"') < both.index("simulated dice</small>")
    assert client.get("/games/dice?simulated=2").status_code == 400
    assert client.get("/games/1").text.count(" dice</h3>") == 2
    parts = client.get("/api/v1/fairness").json["parts"]
    assert [(part["simulated"], part["games"]) for part in parts] == [(False, 1), (True, 1)]
    assert [{die["rolls"] for die in part["dice"]} for part in parts] == [{1}, {2}]
    export = client.get("/api/v1/games/1/export").json
    assert export["room"] == "both"
    assert [row["simulated"] for row in export["history"]] == [True] * 3 + [False] * 2
    table = client.get("/api/v1/games/1/export?as=csv").text.splitlines()
    column = table[0].split(",").index("simulated")
    assert [line.split(",")[column] for line in table[1:]] == ["True"] * 3 + ["False"] * 2


def test_game_without_measure_of_luck_says_why(tmp_path: Any) -> None:
    house = QuietHouse(tmp_path, "schatz_der_drachen")
    text = create_app(house.desk, simulated=True).test_client().get("/games/1").text
    house.close()
    assert "so there is no luck to be counted with them." in text
    assert "Luck of each player" not in text


def test_past_of_a_running_game_with_secrets_is_hidden(tmp_path: Any) -> None:
    house = QuietHouse(tmp_path, "schatz_der_drachen")
    play(house, [Flipped("0,3", "spider")])
    client = create_app(house.desk, simulated=True).test_client()
    page, step = client.get("/games/1").text, client.get("/games/1/steps/0")
    house.close()
    assert "may lie face down now" in page
    assert 'id="slider"' not in page
    assert 'id="past"' not in page
    assert (step.status_code, step.json["code"]) == (403, "hidden")


def test_history_of_a_lan_table_needs_its_link(house: QuietHouse) -> None:
    lan = LanTable(house.desk)
    for path in ("/games", "/games/1", "/games/1/steps/0", "/games/dice", "/api/v1/fairness"):
        assert lan.stranger().get(path).status_code == 401
        assert lan.viewer().get(path).status_code == 200


@pytest.fixture
def reader(chromium: Any, house: QuietHouse) -> Iterator[Browsing]:
    play(house, PLAYED)
    with WebServer(create_app(house.desk, simulated=True), port=0) as server:
        browsing = Browsing(chromium, server.url)
        yield browsing
        browsing.close()
    assert browsing.complaints == []


def test_slider_replays_the_game_step_by_step(reader: Browsing) -> None:
    page = reader.goes_to("/games", live=False).page
    page.get_by_role("link", name="Troll & Dragon, game 1").click()
    page.locator("#past[data-step='5']").wait_for()
    slider = page.get_by_role("slider")
    slider.focus()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    page.locator("#past[data-step='1']").wait_for()
    page.locator("#past .score").first.get_by_text("0").wait_for()
    page.get_by_role("link", name="On", exact=True).click()
    page.locator("#past[data-step='2']").get_by_text("Ann leaves").wait_for()
    assert page.url.endswith("?step=2")


@pytest.mark.parametrize("path", ["/games", "/games/1", "/games/dice"])
def test_axe_finds_nothing_in_the_history(reader: Browsing, path: str) -> None:
    reader.goes_to(path, live=False)
    assert reader.barriers() == []
