"""The composition root, between two games."""

import io
from types import SimpleNamespace

from rich.console import Console

from companion import service
from companion.config import game_named, players_named
from companion.journal import Journal


def test_real_people_keep_their_seats_in_another_game(monkeypatch, tmp_path):
    played = []

    def play_one(setting, referee, number, journal, desk, console, people):
        played.append((number, set(people)))
        room = SimpleNamespace(people={"ann"})
        return SimpleNamespace(referee=referee, room=room, wants_another=len(played) == 1)

    monkeypatch.setattr(service, "play_one", play_one)
    game = game_named("troll_and_dragon")
    setting = service.Setting(
        game, tuple(players_named(("Ann", "Bo"))), game.options(), tmp_path / "journal.sqlite"
    )
    service.run(setting, Console(file=io.StringIO()))
    assert played == [(1, set()), (2, {"ann"})]
    journal = Journal(tmp_path / "journal.sqlite")
    seats = [[player.name for player in row.players] for row in journal.games()]
    journal.close()
    assert seats == [["Ann", "Bo"], ["Ann", "Bo"]]
