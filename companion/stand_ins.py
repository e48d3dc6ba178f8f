"""Simulated players at a real table, for seats whose people have gone home.

A stand-in decides and says so, after a thought, as a person does by a tap. Throwing dice, turning
up tiles and drawing cards is left to the hands of those who are there: the screens show what a
stand-in asks for, and the sensors see what comes of it.
"""

import math
from typing import Any

from companion.actions import Chose, Report
from companion.clock import Clock
from companion.inbox import Inbox
from companion.offers import Choose, Offer, Roll
from companion.players import Intent, seat_simulated
from companion.referee import Referee
from companion.words import die_name, listed, say

LEAST_S = 1.5  # that a thought takes, so that people can follow


class StandIns:
    """Plays the seats in which no person sits; used by the deciding thread only."""

    def __init__(self, referee: Referee, inbox: Inbox, clock: Clock, people: set[str]) -> None:
        self._inbox, self._clock, self._people = inbox, clock, people
        self._players = seat_simulated(referee.game, referee.table.seats, referee.number)
        self._referee = referee
        self._plans: dict[str, tuple[float, Intent]] = {}

    def look(self, referee: Referee) -> None:
        """The table lies otherwise, or other people sit there: everybody thinks anew."""
        self._referee, before = referee, self._plans
        self._plans = {}
        for seat, player in self._players.items():
            if seat in self._people or referee.outcome is not None:
                continue
            intent = player.intend(referee.table, referee.offers)
            if intent is not None:
                at_s = self._clock.now_s() + max(LEAST_S, intent.delay_s)
                self._plans[seat] = (min(at_s, said_at_s(before.get(seat), intent)), intent)

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
        names = self._referee.table.names
        return [
            {"player": seat, "text": asked_for(names[seat], intent.offer, intent)}
            for seat, (_, intent) in self._plans.items()
            if not is_said(intent)
        ]


def said_at_s(planned: tuple[float, Intent] | None, intent: Intent) -> float:
    """When the same was to be said already: who is sure does not start to think again."""
    if planned is None or (planned[1].offer, planned[1].value) != (intent.offer, intent.value):
        return math.inf
    return planned[0]


def is_said(intent: Intent) -> bool:
    """True for what needs no hands."""
    return isinstance(intent.offer, Choose)


def asked_for(name: str, offer: Offer, intent: Intent) -> str:
    """What people are asked to do for a stand-in."""
    if isinstance(offer, Roll):
        dice = listed([die_name(die) for die in intent.dice], "{first} and {rest}")
        return say("Please throw {dice} for {player}.", dice=dice, player=name)
    return say("Please turn up {square} for {player}.", square=str(intent.value), player=name)
