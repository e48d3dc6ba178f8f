"""Simulated players at a real table, for seats whose people have gone home.

A stand-in decides and says so, after a thought, as a person does by a tap. Throwing dice, turning
up tiles and drawing cards is left to the hands of those who are there: the screens show what a
stand-in asks for, and the sensors see what comes of it, or somebody there enters it.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from companion.actions import Chose, Report
from companion.clock import Clock
from companion.inbox import Inbox
from companion.offers import Choose, Flip, Offer, Roll
from companion.players import Intent, seat_simulated
from companion.referee import Referee
from companion.simulated_square import has_square
from companion.table import Table
from companion.words import Words, listed, say, word

LEAST_S = 1.5  # that a thought takes, so that people can follow


class StandIns:
    """Plays the seats in which no person sits; used by the deciding thread only.

    note  is told the seats that stand-ins play, whenever these are others.
    """

    def __init__(self, referee: Referee, inbox: Inbox, clock: Clock, people: set[str]) -> None:
        self._inbox, self._clock, self._people = inbox, clock, people
        self._players = seat_simulated(referee.game, referee.table.seats, referee.number)
        self._referee = referee
        self._plans: dict[str, tuple[float, Intent]] = {}
        self._played: set[str] = set()
        self.note: Callable[[set[str]], None] = lambda seats: None

    def look(self, referee: Referee) -> None:
        """The table lies otherwise, or other people sit there: everybody thinks anew."""
        self._referee, before = referee, self._plans
        self._plans = {}
        self._notice(set(self._players) - self._people)
        for seat in self._played if referee.outcome is None else ():
            intent = self._players[seat].intend(referee.table, referee.offers)
            if intent is not None:
                at_s = self._clock.now_s() + thought_s(intent, referee.offers)
                self._plans[seat] = (min(at_s, said_at_s(before.get(seat), intent)), intent)

    def _notice(self, played: set[str]) -> None:
        if played != self._played:
            self._played = played
            self.note(played)

    def next_due_s(self) -> float | None:
        """When somebody says something next; None for nobody."""
        return min((at_s for at_s, intent in self._plans.values() if is_said(intent)), default=None)

    def tick(self) -> None:
        """Say what is due."""
        now_s = self._clock.now_s()
        for seat, (at_s, intent) in list(self._plans.items()):
            offer = intent.offer
            if isinstance(offer, Choose) and now_s >= at_s:
                del self._plans[seat]
                chose = Chose(seat, offer.choice, intent.value)
                seen = self._referee.number
                self._inbox.put(Report(chose, at_s=now_s, source="simulated"), seen=seen)

    def asks(self) -> list[dict[str, Any]]:
        """What stand-ins ask the people at the table to do for them: `player` and a sentence."""
        table = self._referee.table
        return [
            {
                "player": seat,
                "text": asked_for(table.names[seat], intent, table),
                "square": intent.value if isinstance(intent.offer, Flip) else None,
            }
            for seat, (_, intent) in sorted(self._plans.items())
            if not is_said(intent)
        ]


def thought_s(intent: Intent, offers: Sequence[Offer]) -> float:
    """How long a thought takes: in a race as long as a person needs, else so that all can follow.

    Once nobody can throw any more the race is over, and nobody is to be quick with what is known.
    """
    offer = intent.offer
    races = isinstance(offer, Choose) and offer.overtakes
    goes_on = any(isinstance(one, Roll) and one.closed is None for one in offers)
    return intent.delay_s if races and goes_on else max(LEAST_S, intent.delay_s)


def said_at_s(planned: tuple[float, Intent] | None, intent: Intent) -> float:
    """When the same was to be said already: who is sure does not start to think again."""
    if planned is None or (planned[1].offer, planned[1].value) != (intent.offer, intent.value):
        return math.inf
    return planned[0]


def is_said(intent: Intent) -> bool:
    """True for what needs no hands."""
    return isinstance(intent.offer, Choose)


def asked_for(name: str, intent: Intent, table: Table) -> str:
    """What people are asked to do for a stand-in."""
    if isinstance(intent.offer, Roll):
        kinds = Counter(table.dice[die].kind for die in intent.dice)
        dice = [counted(kind, n) for kind, n in kinds.items()]
        return say(
            "Please throw {dice} for {player}.",
            dice=listed(dice, "{first} and {rest}"),
            player=name,
        )
    if has_square(table):
        return say("Please turn up ({square}) for {player}.", square=intent.value, player=name)
    return say("Please turn up the next card for {player}.", player=name)


def counted(kind: str, n: int) -> Words:
    """So many dice of a kind, as hands tell them apart."""
    return say("{n} {kind} die", "{n} {kind} dice", n=n, kind=word(kind))
