"""Simulated people and simulated chance, both seeded: the smart twin of a table full of players.

A simulated player looks at the offers that are hers and intends one of them; what she intends is a
thing that a person does (throw these dice, say that she leaves), never a result. Results come from
`Chance`, or, where the whole table is simulated, from dice that are thrown and read.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from companion.actions import Action, Chose, Flipped, Report, Rolled
from companion.errors import CompanionError
from companion.offers import Choose, Flip, Offer, Roll
from companion.referee import Referee
from companion.scripts import Game
from companion.table import Player, Table

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed")


class Intent(msgspec.Struct, frozen=True):
    """What a player is about to do, and after how long a thought.

    offer    the open offer that is taken.
    dice     which dice, for a roll.
    value    which value, for a choice; the square, for a flip.
    """

    offer: Offer
    dice: tuple[str, ...] = ()
    value: Any = None
    delay_s: float = 0.0


Policy = Callable[[Any, str, Sequence[Offer], random.Random], Intent | None]


class Chance:
    """Rolls dice, and turns up what lies face down: each side is as likely as any other.

    hidden  what games with tiles or cards keep here: how they were shuffled, never on the table.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.hidden: dict[str, Any] = {}

    def roll(self, table: Table, dice: Sequence[str]) -> dict[str, str]:
        """The faces that are up when these dice have come to rest."""
        return {die: self.rng.choice(table.dice[die].faces) for die in dice}

    def flip(self, table: Table, square: str) -> str:
        """The face of what lies on a square; games with tiles or cards say how."""
        turn_up = face_down().get(type(table).__name__)
        if turn_up is None:
            raise CompanionError(f"nothing lies on {square} that could be turned up")
        return turn_up(self, table, square)


def anything(table: Table, player: str, offers: Sequence[Offer], rng: random.Random) -> Intent:
    """Take any offer, with any dice or value that fits: the policy that finds dead ends."""
    offer = rng.choice(offers)
    match offer:
        case Roll(dice=dice, at_least=at_least):
            count = rng.randint(at_least, len(dice))
            thrown = set(rng.sample(dice, count))
            return Intent(offer, dice=tuple(die for die in dice if die in thrown))
        case Flip(squares=squares):
            return Intent(offer, value=rng.choice(squares))
        case Choose(values=values) if values:
            return Intent(offer, value=rng.choice(values))
    return Intent(offer)


class SimulatedPlayer:
    """One simulated person: a policy, a seeded head, and nothing hidden on the table.

    A policy that remembers gives each of them a head of her own by `seated()`, and sees by
    `watch(table, rng)` how the table lies after every step, whoever's turn it is.
    """

    def __init__(self, key: str, policy: Policy, rng: random.Random) -> None:
        self.key = key
        seated = getattr(policy, "seated", None)
        self._policy: Policy = policy if seated is None else seated()
        self._watch = getattr(self._policy, "watch", None)
        self._rng = rng

    def intend(self, table: Table, offers: Sequence[Offer]) -> Intent | None:
        """What this player does next, or None when nothing is hers to do."""
        if self._watch is not None:
            self._watch(table, self._rng)
        mine = [o for o in offers if o.closed is None and o.player == self.key]
        return self._policy(table, self.key, mine, self._rng) if mine else None


def action_of(intent: Intent, table: Table, chance: Chance) -> Action:
    """Let chance answer what a player does."""
    match intent.offer:
        case Roll():
            return Rolled(chance.roll(table, intent.dice))
        case Flip():
            return Flipped(intent.value, chance.flip(table, intent.value))
        case Choose(player=player, choice=choice):
            return Chose(player, choice, intent.value)
    raise TypeError(f"nobody can do {intent.offer}")


def policies() -> Mapping[str, Policy]:
    """How simulated people play each game; games without an entry are played anyhow."""
    from companion.players import roll_for_adventure, schatz_der_drachen, troll_and_dragon

    return {
        "troll_and_dragon": troll_and_dragon.adventurer,
        "roll_for_adventure": roll_for_adventure.adventurer,
        "schatz_der_drachen": schatz_der_drachen.TreasureHunter(),
    }


def face_down() -> Mapping[str, Callable[[Chance, Any, str], str]]:
    """How chance turns up what lies face down, by the type of the table."""
    from companion.players import roll_for_adventure, schatz_der_drachen

    return {
        "AdventureTable": roll_for_adventure.top_card,
        "TreasureTable": schatz_der_drachen.turn_up_tile,
    }


def seat_simulated(game: Game, seats: Sequence[str], seed: int) -> dict[str, SimulatedPlayer]:
    """A simulated player for each seat, each with a head of her own."""
    policy = policies().get(game.key, anything)
    return {seat: SimulatedPlayer(seat, policy, random.Random(f"{seed}/{seat}")) for seat in seats}


def some_players(count: int) -> list[Player]:
    """Players to try things with."""
    return [Player(name.lower(), name) for name in NAMES[:count]]


def play_out(
    game: Game,
    players: Sequence[Player],
    *,
    seed: int,
    options: msgspec.Struct | None = None,
    policy: Policy | None = None,
    limit: int = 20_000,
    watch: Callable[[Referee], None] | None = None,
) -> Referee:
    """Play a game to its end without clock or devices; the same seed gives the same game.

    policy  how everybody plays; the game's own policy by default.
    watch   is shown the referee before each action.
    Raises CompanionError if no offer is open before the end, or after `limit` actions.
    """
    referee = Referee(game, players, options)
    people = seat_simulated(game, referee.table.seats, seed)
    if policy is not None:
        people = {s: SimulatedPlayer(s, policy, random.Random(f"{seed}/{s}")) for s in people}
    chance = Chance(random.Random(f"{seed}/chance"))
    while referee.outcome is None:
        if watch is not None:
            watch(referee)
        intents = [i for p in people.values() if (i := p.intend(referee.table, referee.offers))]
        if not intents or referee.number >= limit:
            raise CompanionError(f"{game.key}, seed {seed}: no end after {referee.number} steps")
        first = min(intents, key=lambda intent: intent.delay_s)
        referee.apply(Report(action_of(first, referee.table, chance), source="simulated"))
    return referee
