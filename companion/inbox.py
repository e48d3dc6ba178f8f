"""Reports in, ordered by when things happened; the only crossing between threads.

Theory of operation. Sensors learn of things at different speeds, so the inbox holds a report back
until no other source can still bring an earlier one that matters. Three rules say how long:

1. A report waits only for sources that *compete*: that could answer an offer which is open now.
   A source is waited for until its watermark, the moment up to which it has reported everything,
   has passed the report. People's taps carry the moment themselves; nobody waits for a screen.
   What happened in the same instant counts in this order, however it arrives: dice before words,
   then by name of the source.
2. A source that was silent for `SILENT_S` is not waited for any longer, and is shown as silent;
   so is one whose watermark stands still, such as a camera with a hand lying in its zone.
   A roll that it brings afterwards, from before a step that has been decided, is *late*: it is
   handed out as such, and the table is asked.
3. Who has thrown cannot take it back: a choice made while the player's own dice are rolling goes
   behind their roll, for `ROLLING_S` at most, unless the offer says that it overtakes. Nobody else
   waits for it meanwhile.

A question (a die that nobody can read) takes a place in the queue like a report: what was captured
later waits until it is answered. A roll that a person enters for those dice takes the place of the
question. Undo, correction and adjustment are by hand and wait for nobody.
"""

import math
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.actions import Adjusted, Chose, Correct, Flipped, Report, Rolled, Undo, Waited
from companion.calls import CLOSED
from companion.clock import Clock
from companion.errors import CompanionError
from companion.offers import Choose, Flip, Offer, Roll, Wait, accepting
from companion.steps import Step
from companion.words import die_name, face_word, listed, mark, say, word

SILENT_S = 0.5  # a sensor that says nothing for so long delays nobody any longer
ROLLING_S = 3.0  # dice that roll longer than this do not come to rest any more
BY_HAND = (Undo, Correct, Adjusted)


@dataclass
class Source:
    """Somebody who sends reports: a camera's zone, a dice receiver, a screen.

    dice          what it can report; empty for people, who are never waited for.
    players       whose buttons it knows: they compete while somebody else may act as well.
    watermark_s   moment up to which it has reported everything.
    heard_s     when its watermark last moved on.
    moving_since_s  since when its dice roll, or None while they lie still.
    """

    name: str
    dice: frozenset[str] = frozenset()
    watermark_s: float = 0.0
    heard_s: float = 0.0
    moving_since_s: float | None = None
    players: frozenset[str] = frozenset()

    def competes(self, offers: Iterable[Offer], player: str | None = None) -> bool:
        """True if it could answer one of the open offers (of `player`, if given)."""
        for offer in offers:
            if offer.closed is None and (player is None or offer.player == player):
                things: tuple[str, ...] = getattr(offer, "dice", ()) or getattr(
                    offer, "squares", ()
                )
                if isinstance(offer, Roll | Flip) and not self.dice.isdisjoint(things):
                    return True
        return player is None and bool(self.players) and self._races(offers)

    def _races(self, offers: Iterable[Offer]) -> bool:
        """True if one of its buttons does something, and another player may act as well."""
        acting = [o for o in offers if o.closed is None and not isinstance(o, Wait)]
        pressing = {o.player for o in acting if isinstance(o, Choose) and o.button}
        return bool(pressing & self.players) and len({o.player for o in acting}) > 1


@dataclass(eq=False)
class Ticket:
    """A report in the inbox; whoever put it there may wait for its answer."""

    report: Report
    at_s: float
    arrived: int
    seen: int | None = None  # the step that a tap answers
    began_s: float | None = None  # since when the dice of a roll have been moving
    late: bool = False
    step: Step | None = None
    error: CompanionError | None = None
    _done: threading.Event = field(default_factory=threading.Event)

    def accept(self, step: Step) -> None:
        """Answer: this is the step that it became."""
        self.step = step
        self._done.set()

    def refuse(self, error: CompanionError) -> None:
        """Answer: this is why not."""
        self.error = error
        self._done.set()

    def place(self) -> tuple[float, bool, str, int]:
        """Where it stands in the queue; the order of arrival decides within one source only."""
        seen = isinstance(self.report.action, Rolled | Flipped)
        return self.at_s, not seen, self.report.source, self.arrived

    def wait(self, timeout_s: float) -> Step:
        """The step that the report became; raises its refusal, or CompanionError if none came."""
        if not self._done.wait(timeout_s):
            raise CompanionError("the table has not answered yet; it may be waiting for a sensor")
        if self.error is not None:
            raise self.error
        assert self.step is not None
        return self.step


@dataclass(frozen=True)
class Passed:
    """A wait on the table is over: everything up to `until_s` is known."""

    until_s: float


class Inbox:
    """Holds reports until their turn has come. Any thread puts, one thread takes."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._tickets: list[Ticket] = []
        self._sources: dict[str, Source] = {}
        self._questions: dict[str, tuple[float, frozenset[str]]] = {}
        self._arrived = 0
        self._stirred = self._is_closed = False
        self._is_timed = False  # the table waits for a moment to pass

    # --- in, from any thread ----------------------------------------------------------------------

    def add_source(self, name: str, dice: Iterable[str], players: Iterable[str] = ()) -> None:
        """Make a sensor known; from now on reports that compete wait for it."""
        with self._changed:
            now_s = self._clock.now_s()
            source = Source(name, frozenset(dice), now_s, now_s, players=frozenset(players))
            self._sources[name] = source

    def put(self, report: Report, seen: int | None = None) -> Ticket:
        """Hand in a report; one without a time happened now."""
        with self._changed:
            self._arrived += 1
            at_s = self._moment(report)
            source = self._sources.get(report.source)
            began_s = source.moving_since_s if source else None
            ticket = Ticket(report, at_s, self._arrived, seen, began_s)
            self._tickets.append(ticket)
            self._tickets.sort(key=Ticket.place)
            if self._is_closed:
                self._refuse_all()
            self._stir()
            return ticket

    def close(self) -> None:
        """Nobody takes any more: who waits for an answer is told so, and who comes later."""
        with self._changed:
            self._is_closed = True
            self._refuse_all()

    def _refuse_all(self) -> None:
        for ticket in self._tickets:
            ticket.refuse(CompanionError(CLOSED))
        self._tickets = []

    def _moment(self, report: Report) -> float:
        """When it happened; what is entered by hand lay there when it was asked about."""
        at_s = self._clock.now_s() if report.at_s is None else report.at_s
        if report.source in self._sources:
            return at_s
        match report.action:
            case Rolled(faces=faces):
                things = set(faces)
            case Flipped(square=square):
                things = {square}
            case _:
                return at_s
        asked = [t_s for t_s, dice in self._questions.values() if not dice.isdisjoint(things)]
        return min([at_s, *asked])

    def heard(self, name: str, watermark_s: float, moving_since_s: float | None = None) -> None:
        """A source is alive and has reported everything up to `watermark_s`."""
        with self._changed:
            source = self._sources[name]
            is_news = source.moving_since_s != moving_since_s
            if watermark_s > source.watermark_s:  # who lives but cannot tell is silent as well
                source.watermark_s, source.heard_s = watermark_s, self._clock.now_s()
            source.moving_since_s = moving_since_s
            if is_news or self._tickets or self._is_timed:  # else nothing waits for what is heard
                self._stir()

    def hold(self, question: str, at_s: float, dice: Iterable[str] = ()) -> None:
        """What was captured after `at_s` waits until this question about `dice` is answered."""
        with self._changed:
            self._questions[question] = at_s, frozenset(dice)
            self._stir()

    def answered(self, question: str) -> None:
        """The question is settled; what waited for it goes on."""
        with self._changed:
            self._questions.pop(question, None)
            self._stir()

    def ages_s(self) -> dict[str, float]:
        """How long ago each sensor had reported everything, in seconds of the game."""
        with self._changed:
            now_s = self._clock.now_s()
            return {name: now_s - one.watermark_s for name, one in self._sources.items()}

    def stir(self) -> None:
        """Wake up whoever waits in `wait`."""
        with self._changed:
            self._stir()

    def _stir(self) -> None:
        self._stirred = True
        self._changed.notify_all()

    # --- out, to the deciding thread --------------------------------------------------------------

    def wait(self, timeout_s: float) -> bool:
        """Sleep until something stirs; False if nothing did within `timeout_s` of real time."""
        with self._changed:
            if not self._stirred:
                self._changed.wait(timeout_s)
            stirred, self._stirred = self._stirred, False
            return stirred

    def take(self, offers: Sequence[Offer], decided_s: float) -> Ticket | Passed | None:
        """What is to be decided now, or None while the table has to wait.

        offers     what lies on the table.
        decided_s  when the latest decided step happened; rolls from before it are late.
        """
        with self._changed:
            now_s = self._clock.now_s()
            ticket = self._first_ready(offers, now_s)
            until_s = min(ends_of_waits(offers), default=None)
            self._is_timed = until_s is not None
            if until_s is not None and self._is_over(until_s, ticket, offers, now_s):
                return Passed(until_s)
            if ticket is not None:
                self._tickets.remove(ticket)
                ticket.late = isinstance(ticket.report.action, Rolled) and (
                    ticket.at_s < decided_s and ticket.report.source in self._sources
                )
            return ticket

    def waiting(self) -> list[Report]:
        """Reports that are held back, for the screens."""
        with self._changed:
            return [ticket.report for ticket in self._tickets]

    def silent(self) -> list[str]:
        """Names of the sensors that have not been heard for too long."""
        with self._changed:
            now_s = self._clock.now_s()
            return [s.name for s in self._sources.values() if is_silent(s, now_s)]

    def next_due_s(self, offers: Sequence[Offer]) -> float | None:
        """The next moment at which the mere passing of time may change what `take` answers."""
        with self._changed:
            now_s = self._clock.now_s()
            moments = ends_of_waits(offers)
            if self._tickets or moments:
                moments += [s.heard_s + SILENT_S for s in self._sources.values()]
            moments += [ticket.at_s + ROLLING_S for ticket in self._tickets]
            return min((moment for moment in moments if moment > now_s), default=None)

    # --- whose turn -------------------------------------------------------------------------------

    def _first_ready(self, offers: Sequence[Offer], now_s: float) -> Ticket | None:
        for ticket in self._tickets:
            if isinstance(ticket.report.action, BY_HAND):
                return ticket
        held_by = self._held_by_s()
        for ticket in self._tickets:
            if ticket.at_s > held_by:
                return None
            if not self._is_behind_dice(ticket, offers, now_s):
                return ticket if self._is_known(ticket.at_s, ticket.report, offers, now_s) else None
        return None

    def _held_by_s(self) -> float:
        return min((at_s for at_s, _ in self._questions.values()), default=math.inf)

    def _is_known(
        self, at_s: float, report: Report | None, offers: Sequence[Offer], now_s: float
    ) -> bool:
        """True if no competing source can still bring something from before `at_s`."""
        return not any(
            source.watermark_s < at_s and not is_silent(source, now_s) and source.competes(offers)
            for source in self._sources.values()
            if report is None or source.name != report.source
        )

    def _is_behind_dice(self, ticket: Ticket, offers: Sequence[Offer], now_s: float) -> bool:
        """True if the same player had thrown before this choice, and the roll is still to come."""
        action = ticket.report.action
        if not isinstance(action, Chose) or now_s >= ticket.at_s + ROLLING_S:
            return False
        offer = accepting(offers, action)
        if isinstance(offer, Choose) and offer.overtakes:
            return False
        own = [s for s in self._sources.values() if s.competes(offers, action.player)]
        return any(self._is_rolling(source, ticket.at_s, now_s) for source in own)

    def _is_rolling(self, source: Source, at_s: float, now_s: float) -> bool:
        """True if dice of this source were rolling at `at_s` and their roll is still to come."""
        since_s = source.moving_since_s
        if since_s is not None and since_s <= at_s and not is_silent(source, now_s):
            return True
        return any(
            ticket.report.source == source.name
            and ticket.began_s is not None
            and ticket.began_s <= at_s < ticket.at_s
            for ticket in self._tickets
        )

    def _is_over(
        self, until_s: float, ticket: Ticket | None, offers: Sequence[Offer], now_s: float
    ) -> bool:
        if now_s < until_s or (ticket is not None and ticket.at_s <= until_s):
            return False
        earlier = any(
            one.at_s <= until_s for one in self._tickets if one is not ticket
        )  # held back, but from before the end of the wait
        if earlier or self._held_by_s() <= until_s:
            return False
        return self._is_known(until_s, None, offers, now_s)


def ends_of_waits(offers: Iterable[Offer]) -> list[float]:
    """When the waits end that lie on the table."""
    return [o.until_s for o in offers if isinstance(o, Wait) and o.closed is None]


def is_silent(source: Source, now_s: float) -> bool:
    """True if a sensor has told nothing new for `SILENT_S`."""
    return now_s >= source.heard_s + SILENT_S


DONE: dict[type, str] = {Undo: mark("undo"), Waited: mark("waited"), Flipped: mark("turned up")}


def describe(action: Any) -> str:
    """A few words for what a report says, for screens and histories."""
    match action:
        case Rolled(faces=faces):
            return listed([die_shown(die, face) for die, face in faces.items()])
        case Chose(player=player, choice=choice, value=value):
            return f"{player}: {choice}" + ("" if value is None else f" {value}")
        case Adjusted(counter=counter, value=value):
            return say("{counter} set to {value}", counter=counter, value=value)
        case Correct(step=step):
            return say("step {step} corrected", step=step)
    return word(DONE.get(type(action), type(action).__name__.lower()))


def die_shown(die: str, face: str) -> str:
    """A die and what it shows, in words."""
    return say("{die} {face}", die=die_name(die), face=face_word(face))
