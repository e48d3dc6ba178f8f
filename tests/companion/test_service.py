"""The composition root, between two games."""

import io
import os
import signal
from types import SimpleNamespace

from rich.console import Console

from companion import outputs, service
from companion.config import game_named, players_named
from companion.house_desk import HouseDesk
from companion.journal import Journal
from hardware.pins import choose_pins


def test_real_people_keep_their_seats_in_another_game(monkeypatch, tmp_path):
    played = []

    def play_one(setting, referee, number, journal, desk, console, seating):
        room = SimpleNamespace(people=set())
        seating.begin(room, referee, number)
        played.append((number, set(room.people)))
        room.people.add("ann")
        seating.end(room, referee)
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


def test_lamps_are_dark_and_the_step_is_kept_when_the_service_is_stopped(monkeypatch, tmp_path):
    pins = choose_pins(real=False)
    shone = []
    serve = HouseDesk.serve

    def stop_when_something_shines(desk, companion):
        serve(desk, companion)
        follow = companion._follow

        def follow_and_look():
            follow()
            if any(pin.state for pin in pins.factory.pins.values()):
                shone.append(True)
                os.kill(os.getpid(), signal.SIGTERM)

        companion._follow = follow_and_look

    monkeypatch.setattr(HouseDesk, "serve", stop_when_something_shines)
    monkeypatch.setattr(outputs, "choose_pins", lambda: pins)
    game = game_named("troll_and_dragon")
    setting = service.Setting(
        game,
        tuple(players_named(("Ann", "Bo"))),
        game.options(),
        tmp_path / "journal.sqlite",
        seed=3,
        speed=None,
    )
    assert service.run(setting, Console(file=io.StringIO())) is None
    assert shone
    assert not any(pin.state for pin in pins.factory.pins.values())
    journal = Journal(tmp_path / "journal.sqlite")
    (row,) = journal.games()
    assert journal.resume(row.number).number == row.steps
    journal.close()
