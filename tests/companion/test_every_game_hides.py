"""What a screen shows follows from what is public: two games with one public record look alike.

The twin of a game is the same game, had everything that happened in one square happened in another
and the other way round, both of which lie face down now. Nothing that is serialised may tell twins
apart. Where nothing is ever hidden, a game played again from its public record alone is that twin.
"""

import random
from typing import Any

import msgspec
import pytest
from recorded import a_game, every_policy, fresh, moments, replayed

from companion.actions import Chose, Entry, Flipped, Report
from companion.errors import IllegalAction
from companion.games import GAMES
from companion.offers import Choose, Flip
from companion.protocol import encode, step_line
from companion.referee import Referee
from companion.view import Counter, View, Zone

TWINS = 12
SECRETIVE = [key for key, game in GAMES.items() if game.public is not None]
secretive = pytest.mark.parametrize("key", SECRETIVE)
candid = pytest.mark.parametrize("key", [key for key in GAMES if key not in SECRETIVE])


def record(referee: Referee) -> list[bytes]:
    """What may be published of all steps so far."""
    return [msgspec.json.encode(referee.public(step), enc_hook=str) for step in referee.history]


def shown(referee: Referee) -> dict[str, bytes]:
    """What is serialised of the table as it lies."""
    table = referee.table
    labels = [
        referee.game.labels(table, offer.choice, value)
        for offer in referee.offers
        if isinstance(offer, Choose)
        for value in offer.values
    ]
    return {
        "view": msgspec.json.encode(table.view(), enc_hook=str),
        "line": encode(step_line(referee, ())),
        "scores": msgspec.json.encode(table.scores, enc_hook=str),
        "labels": msgspec.json.encode(labels, enc_hook=str),
    }


def told_apart_by(one: Referee, other: Referee) -> set[str]:
    """Names of what is shown differently though the public records are the same."""
    lines = shown(other)
    return {name for name, line in shown(one).items() if lines[name] != line}


def exchanged(entry: Entry, places: dict[Any, str]) -> Entry:
    """The same entry, in the other of two squares."""
    match entry:
        case Flipped(square=square, face=face):
            return Flipped(places.get(square, square), face)
        case Chose(player=player, choice=choice, value=str(value)):
            return Chose(player, choice, places.get(value, value))
    return entry


def face_down(referee: Referee) -> list[str]:
    """The squares that can be turned up now."""
    flips = [o for o in referee.offers if isinstance(o, Flip) and o.closed is None]
    return sorted({square for flip in flips for square in flip.squares})


def twin(referee: Referee, rng: random.Random) -> Referee | None:
    """The game with two squares exchanged from its beginning; None where they are not alike."""
    one, other = rng.sample(face_down(referee), 2)
    places = {one: other, other: one}
    again = Referee(referee.game, referee.players)
    try:
        for step in referee.history:
            again.apply(Report(exchanged(step.report.action, places)))
    except IllegalAction:
        return None
    return again


def alike(key: str, policy: str) -> list[tuple[Referee, Referee]]:
    """Pairs of running games that differ only in what lies face down."""
    game, (seats, reports) = GAMES[key], a_game(key, policy)
    rng = random.Random(key)
    pairs = []
    for moment in moments(reports, 8):
        referee = replayed(game, seats, [Report(report.action) for report in reports[:moment]])
        if len(face_down(referee)) > 1:
            others = [twin(referee, rng) for _ in range(TWINS)]
            pairs += [(referee, other) for other in others if other is not None]
    return pairs


@secretive
@every_policy
def test_view_leaks_nothing_when_something_is_hidden(key, policy):
    pairs = alike(key, policy)
    assert len([one for one, other in pairs if other.history != one.history]) > TWINS
    for referee, other in pairs:
        assert record(other) == record(referee)
        assert told_apart_by(referee, other) == set()


@secretive
def test_leak_is_noticed_when_twins_are_compared(key, monkeypatch):
    referee, other = alike(key, "anything")[-1]
    secret = Counter("leak", repr(referee.history), 0)
    leaky = View("", "", (Zone("leak", "", (secret,)),))
    monkeypatch.setattr(referee.table, "view", lambda: leaky)
    assert told_apart_by(referee, other) == {"view"}


@candid
@every_policy
def test_public_record_tells_the_whole_table_when_nothing_is_hidden(key, policy):
    game, (seats, reports) = GAMES[key], a_game(key, policy)
    referee = replayed(game, seats, reports)
    again = fresh(game, seats)
    for step in referee.history:
        again.apply(referee.public(step).report)
    assert record(again) == record(referee)
    assert told_apart_by(referee, again) == set()
