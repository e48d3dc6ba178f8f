"""Games that were played out once and are looked at by many tests, and playing on by chance."""

import functools
import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
import pytest
from verbs import everything

from companion.actions import Action, Chose, Entry, Flipped, Report, Rolled
from companion.errors import IllegalAction
from companion.games import GAMES
from companion.offers import Choose, Flip, Offer, Roll
from companion.players import Chance, Policy, anything, play_out, some_players
from companion.referee import Referee
from companion.scripts import Game
from companion.view import Counter, Pile

LONG = 120  # actions; most games are over by then, and going back is a replay of all of them
POLICIES: dict[str, Policy | None] = {"sensible": None, "anything": anything}
KEYS = sorted(GAMES)
every_game = pytest.mark.parametrize("key", KEYS)
every_policy = pytest.mark.parametrize("policy", POLICIES)


class Moment(NamedTuple):
    """What people could see before an action, or at the end: the heading, and what was offered."""

    phase: str
    offers: tuple[Offer, ...]


@functools.cache
def course(key: str, seats: int, seed: int, policy: str) -> tuple[Referee, tuple[Moment, ...]]:
    """A game that is over, and every moment of it, to look at only: others look at it too."""
    seen: list[Moment] = []

    def look(referee: Referee) -> None:
        seen.append(Moment(referee.table.phase, tuple(referee.offers)))

    players, meaning = some_players(seats), POLICIES[policy]
    referee = play_out(GAMES[key], players, seed=seed, policy=meaning, watch=look)
    look(referee)
    return referee, tuple(seen)


def played(key: str, seats: int, seed: int, policy: str) -> Referee:
    """A game that is over, to look at only."""
    return course(key, seats, seed, policy)[0]


def reports_of(key: str, seats: int, seed: int, policy: str) -> tuple[Report, ...]:
    """The reports of one whole game, as a seed and a policy gave them."""
    return tuple(step.report for step in played(key, seats, seed, policy).history)


def fresh(game: Game, seats: int) -> Referee:
    """A referee at the beginning of a game."""
    return Referee(game, some_players(seats))


def replayed(game: Game, seats: int, reports: Sequence[Report]) -> Referee:
    """A referee after these reports."""
    referee = fresh(game, seats)
    for report in reports:
        referee.apply(report)
    return referee


def some_action(referee: Referee, rng: random.Random) -> Action:
    """Any action that fits an open offer; what lies face down may be whatever it can be."""
    offers = [o for o in referee.offers if o.closed is None and isinstance(o, Roll | Flip | Choose)]
    return answer(rng.choice(offers), referee.table, rng)


def answer(offer: Offer, table: Any, rng: random.Random) -> Action:
    """An action that answers this offer, with any dice, faces or value."""
    match offer:
        case Roll(dice=dice, at_least=least):
            thrown = rng.sample(dice, rng.randint(least, len(dice)))
            return Rolled({die: rng.choice(table.dice[die].faces) for die in thrown})
        case Flip(squares=squares, faces=faces):
            square = rng.choice(squares)
            face = rng.choice(faces) if faces else Chance(rng).flip(table, square)
            return Flipped(square, face)
        case Choose(player=player, choice=choice, values=values):
            return Chose(player, choice, rng.choice(values) if values else None)
    raise AssertionError(offer)


def play_on(referee: Referee, rng: random.Random, actions: int) -> None:
    """Do so many things, or play to the end; a script must not fail, whatever was set by hand."""
    for _ in range(actions):
        if referee.outcome is not None:
            return
        try:
            referee.apply(Report(some_action(referee, rng)))
        except IllegalAction as refusal:
            if refusal.code == "rules_failed":
                raise


def moments(reports: tuple[Report, ...], count: int, seed: int = 0) -> list[int]:
    """Some moments of a game, always the first action and the last among them."""
    inner = range(1, len(reports) - 1)
    some = random.Random(seed).sample(inner, min(count, len(inner)))
    return sorted({0, len(reports) - 1, *some})


def a_game(key: str, policy: str = "anything", seed: int = 1) -> tuple[int, tuple[Report, ...]]:
    """A game with as few players as can play: their number, and its first reports or all."""
    seats = GAMES[key].seats.start
    return seats, reports_of(key, seats, seed, policy)[:LONG]


def refusal_of(referee: Referee, entry: Entry) -> IllegalAction:
    """Why an entry is refused, after looking that it changed nothing."""
    before = everything(referee)
    refusal = refused(referee, entry)
    assert everything(referee) == before, entry
    return refusal


def refused(referee: Referee, entry: Entry) -> IllegalAction:
    """Why an entry is refused; whoever asks looks what it changed."""
    with pytest.raises(IllegalAction) as refusal:
        referee.apply(Report(entry))
    assert refusal.value.code != "rules_failed", entry
    assert refusal.value.message
    return refusal.value


def check_screen(referee: Referee) -> None:
    """Every count has a name and is none below zero; the view shows those, and can be sent."""
    table = referee.table
    for counter, value in table.counters.items():
        assert type(value) is int
        assert value >= 0
        assert table.label(counter)
    view = table.view()
    assert msgspec.json.decode(msgspec.json.encode(view, enc_hook=str), type=type(view)) == view
    for counter in counters_of(view):
        assert counter.value == table.counters[counter.name], counter
    assert {zone.owner for zone in view.zones} - {None} <= set(table.seats)
    assert set(table.scores) <= set(table.seats)


def counters_of(view: Any) -> Iterator[Counter]:
    """All counters that a view shows."""
    for zone in view.zones:
        for component in zone.components:
            if isinstance(component, Counter):
                yield component
            elif isinstance(component, Pile):
                yield from component.counters


def try_out(referee: Referee, entry: Entry) -> IllegalAction | None:
    """Apply an entry; when it is refused, look that it changed nothing, and say why."""
    before = everything(referee)
    try:
        referee.apply(Report(entry))
    except IllegalAction as refusal:
        same = everything(referee) == before
        return refusal if same else pytest.fail(f"{entry} was refused and changed something")
    return None
