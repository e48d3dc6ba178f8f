"""A table that stands still, in a pause or after its end; and who measures a running one."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

from companion.actions import Report
from companion.errors import IllegalAction
from companion.inbox import BY_HAND, Ticket
from companion.offers import Offer, Wait
from companion.referee import Referee


class Meter(Protocol):
    """Whoever measures the table; returns at once, never raises."""

    def kept(self, seconds: float) -> None:
        """A step is durable, after so long."""

    def published(self, source: str, seconds: float) -> None:
        """A step is on the screens, so long after it was captured, in the game's time."""


def running(offers: Sequence[Offer], *, stands: bool) -> list[Offer]:
    """The offers that time may decide: while the table stands still, no wait runs out."""
    return [offer for offer in offers if not (stands and isinstance(offer, Wait))]


def refusal_of(report: Report, *, paused: bool, ended: bool) -> IllegalAction | None:
    """Why a table that stands still takes no such report, or None."""
    if ended:
        return IllegalAction("game_ended", "This game was ended; begin another.")
    if paused and not isinstance(report.action, BY_HAND):
        return IllegalAction("paused", "The game is paused; go on first.")
    return None


def timed(ticket: Ticket) -> Report:
    """The report with the moment that it was ordered by."""
    if ticket.report.at_s == ticket.at_s:
        return ticket.report
    return msgspec.structs.replace(ticket.report, at_s=ticket.at_s)


def last_decided_s(referee: Referee) -> float:
    """When the latest step of a resumed game happened."""
    times = [step.report.at_s for step in referee.history if step.report.at_s is not None]
    return max(times, default=0.0)
