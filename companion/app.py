"""One game in play: the deciding loop, and what happens around every decision.

Theory of operation. One thread decides. It takes what the inbox releases, gives it to the referee,
makes the step durable, and only then tells lamps and screens; then it tells the sensors what is
awaited next. Other threads put reports into the inbox or ask for a `call`; nobody else touches the
referee. A step that the journal cannot keep is not told: the table hears that the journal fails,
decisions wait while it is tried again, and a person may go on without it.
"""

import itertools
import logging
import time
from collections.abc import Callable
from typing import Any, TypeVar

from companion.actions import Report, Rolled, Waited
from companion.apart import CODE as SETTING_UP
from companion.apart import WHY as SHOWN
from companion.apart import Apart
from companion.around import Alerts, News, Room
from companion.asking import JOURNAL, Asked, about_journal, about_late, question_row
from companion.calls import Calls
from companion.clock import Clock
from companion.errors import IllegalAction, JournalError
from companion.evidence import Evidence
from companion.inbox import BY_HAND, Inbox, Passed, Ticket
from companion.journal import Journal
from companion.machine import Machine
from companion.moving import moving_parts, player_rows
from companion.offers import Offer
from companion.protocol import refusal_fields
from companion.referee import Referee
from companion.snapshot import (
    describe_report,
    recent_rows,
    remedy_labels,
    table_fields,
    told_rows,
)
from companion.standing import Meter, last_decided_s, refusal_of, running, timed
from companion.steps import Step
from companion.words import say, spelled

LOG = logging.getLogger(__name__)
T = TypeVar("T")
KEPT_SENTENCES = 40
STILL_S = 0.25  # real time after which a paused table looks around
RETRY_S = 1.0  # between two tries of a failing journal


class Companion:
    """Referees one game: takes reports, decides, writes down, tells."""

    def __init__(
        self,
        referee: Referee,
        inbox: Inbox,
        clock: Clock,
        *,
        journal: Journal | None,
        number: int,
        alerts: Alerts | None = None,
        news: News | None = None,
        simulated: bool = True,
        evidence: Evidence | None = None,
    ) -> None:
        self.referee = referee
        self.inbox = inbox
        self.clock = clock
        self.number = number
        self.room: Room | None = None
        self.wants_another = False
        self.journal_error: str | None = None
        self.simulated = simulated
        self.evidence = evidence
        self.questions: dict[str, Asked] = {}
        self.paused = False
        self.ended = False  # by a person, before its end
        self.meter: Meter | None = None
        self.machine = Machine()
        self.apart = Apart(clock)
        self.looked_s = time.monotonic()  # when the deciding loop last went round
        self._journal = journal
        self._alerts = alerts
        self._news = news
        self._decided_s = last_decided_s(referee)
        self._numbers = itertools.count(1)
        self._calls = Calls(inbox.stir)
        self._stopping = False
        self._snapshot: dict[str, Any] = {}
        self._asked: list[str] = []  # as the screens have it
        self._set_apart: dict[str, Any] | None = None  # likewise
        self._waiting: Ticket | None = None  # a step that the journal has yet to take
        self._retry_at_s = 0.0
        self._stuck: int | None = None  # the step after which a wait made the rules fail

    # --- from other threads -----------------------------------------------------------------------

    def call(self, ask: Callable[[], T], timeout_s: float = 10.0) -> T:
        """Run something in the deciding thread and return its answer."""
        return self._calls.ask(ask, timeout_s)

    def stop(self) -> None:
        """Let `run` return soon; safe in a signal handler."""
        self._stopping = True
        self.inbox.stir()

    def ask(self, asked: Asked, *, holds: bool = True) -> None:
        """Put a question to the table; what was captured later waits for the answer if it holds."""
        self.questions[asked.id] = asked
        if holds:
            self.inbox.hold(asked.id, asked.at_s, asked.dice)
        self.inbox.stir()

    def next_question(self) -> str:
        """A name for a question that no other has."""
        return f"q{next(self._numbers)}"

    # --- the deciding loop ------------------------------------------------------------------------

    def begin(self, room: Room) -> None:
        """Take up the game in a room: lamps right, sensors told, screens drawn."""
        self.room = room
        self._follow()
        self._look_around(None)
        self._publish([], None)

    def run(self, *, until_end: bool = False) -> None:
        """Decide until somebody stops it, wants another game, or (`until_end`) the game is over."""
        assert self.room is not None, "begin() comes first"
        while not (self._stopping or self.wants_another):
            if not self.go_round(until_end=until_end):
                return

    def close(self) -> None:
        """Nobody decides any more: whoever waits for an answer is told so at once."""
        self._calls.close()
        self.inbox.close()

    def go_round(self, *, until_end: bool = False) -> bool:
        """Take a decision, or let time pass until one may be due; False if it is to end now."""
        assert self.room is not None, "begin() comes first"
        self.looked_s = time.monotonic()
        self.machine.look()
        self._calls.answer()
        if self.decide():
            return True
        if until_end and self.is_over:
            return False
        self._notice()
        if self.stands:
            self.inbox.wait(STILL_S)  # nobody plays on, and simulated time stands still
        else:
            self.room.advance(self.inbox.next_due_s(self._running()))
        return True

    @property
    def is_over(self) -> bool:
        """True once the game has an outcome, or was ended before it had one."""
        return self.ended or self.referee.outcome is not None

    def decide(self) -> bool:
        """Take one decision if one is due; False if the table has to wait."""
        if self._waiting is not None:
            return self._try_the_journal_again(self._waiting)
        due = self.inbox.take(self._running(), self._decided_s)
        match due:
            case None:
                return False
            case Ticket() if self.apart.takes(due.report, due.at_s):
                due.refuse(IllegalAction(SETTING_UP, SHOWN))
            case Ticket() if self.stands and (why := self._why_not_now(due.report)) is not None:
                self._refuse(due, why)
            case Passed(until_s):
                report = Report(Waited(until_s), at_s=until_s, source="clock")
                self._apply(Ticket(report, until_s, 0))
            case Ticket(late=True):
                self._ask_about_late(due)
            case Ticket():
                self._apply(due)
        return True

    def _running(self) -> list[Offer]:
        """The offers that time may decide; a wait that made the rules fail is not passed again."""
        stuck = self._stuck == self.referee.number
        return running(self.referee.offers, stands=self.stands or stuck)

    @property
    def stands(self) -> bool:
        """True while nobody plays on: in a pause, while dice are set up, or once it was ended."""
        return self.paused or self.ended or self.apart.is_on

    def _why_not_now(self, report: Report) -> IllegalAction | None:
        why = refusal_of(report, paused=self.paused, ended=self.ended)
        return why or self.apart.why_not(report)

    def stand(self, *, paused: bool | None = None, ended: bool | None = None) -> None:
        """Pause, go on, or end the game before its end; runs in the deciding thread."""
        self.paused = self.paused if paused is None else paused
        self.ended = self.ended if ended is None else ended
        self._publish([], None)

    def _apply(self, ticket: Ticket) -> None:
        report = timed(ticket)
        try:
            if ticket.seen is not None:
                self.referee.check_fresh(report.action, ticket.seen)
            step = self.referee.apply(report)
        except IllegalAction as refusal:
            self._waiting = self.journal_error = None
            if isinstance(report.action, Waited):
                self._stuck = self.referee.number
            self._refuse(ticket, refusal)
            return
        begun_s = time.perf_counter()
        try:
            if self._journal is not None:
                self._journal.append(self.number, step, self.referee)
        except JournalError as error:
            self._journal_failed(ticket, error)
            return
        self.machine.wrote(time.perf_counter() - begun_s)
        if self.meter is not None:
            self.meter.kept(time.perf_counter() - begun_s)
        self._waiting = self.journal_error = None
        self.settle(JOURNAL)
        self._tell(ticket, step)

    def _tell(self, ticket: Ticket, step: Step) -> None:
        """The step is durable: now everybody may know."""
        if not isinstance(step.report.action, BY_HAND):
            self._decided_s = max(self._decided_s, ticket.at_s)
        self._follow()
        if self._alerts is not None:
            self._alerts.show(step)
        self._close_questions(step)
        self._look_around(step.report)
        self._publish(told_rows(step.told, step.number), None)
        if self.meter is not None and not isinstance(step.report.action, BY_HAND):
            self.meter.published(step.report.source, self.clock.now_s() - ticket.at_s)
        ticket.accept(step)

    def _refuse(self, ticket: Ticket, refusal: IllegalAction) -> None:
        LOG.info("refused from %s: %s", ticket.report.source, refusal)
        refusal.details |= remedy_labels(self.referee, refusal)
        if self._alerts is not None:
            self._alerts.refused()
        self._look_around(ticket.report)
        self._publish([], refusal_fields(refusal) | {"source": ticket.report.source})
        ticket.refuse(refusal)

    def _look_around(self, report: Report | None) -> None:
        """Tell sensors and people how the table stands now."""
        if self.room is not None:
            self.room.expect(list(self.referee.offers))
            self.room.decided(self.referee, report)

    def _follow(self) -> None:
        """Set the lamps that show a count or a turn; they come before what a step tells."""
        if self._alerts is not None:
            table, over = self.referee.table, self.referee.outcome is not None
            seat = None if over else table.seats.index(table.active)
            self._alerts.follow(table.counters | table.signs, seat)

    def seat(self, player: str, *, person: bool) -> None:
        """Hand a seat to a real or to a simulated person; runs in the deciding thread."""
        assert self.room is not None
        (self.room.people.add if person else self.room.people.discard)(player)
        self._look_around(None)
        self._publish([], None)

    # --- questions --------------------------------------------------------------------------------

    def _ask_about_late(self, ticket: Ticket) -> None:
        """A roll from before what has been decided is not applied by itself."""
        what = describe_report(self.referee, ticket.report)
        ticket.refuse(IllegalAction("too_late", "This comes too late; the table is asked."))
        self.ask(about_late(self.next_question(), what, timed(ticket), self._decided_s))
        self._publish([], None)

    def answer(self, name: str, face: str) -> Ticket | None:
        """A person answers a question; the ticket of the report that follows, or None."""
        asked = self.questions.get(name)
        if asked is None:
            raise IllegalAction("unknown_question", "That question has been settled already.")
        if asked.id != JOURNAL and (why := self._why_not_now(Report(Rolled({})))) is not None:
            raise why
        if face not in asked.faces:
            raise IllegalAction(
                "bad_answer", say("Expected one of {answers}.", answers=", ".join(asked.faces))
            )
        self.settle(name)
        report = asked.answer(face)
        self._publish([], None)
        return None if report is None else self.inbox.put(report)

    def settle(self, name: str) -> None:
        """A question is answered, or has answered itself."""
        asked = self.questions.pop(name, None)
        if asked is not None:
            asked.settled()
        self.inbox.answered(name)

    def _close_questions(self, step: Step) -> None:
        """A roll settles what was asked about its dice, but not about a later throw of them."""
        for name, asked in list(self.questions.items()):
            if asked.is_settled_by(step.report):
                self.settle(name)

    # --- the journal ------------------------------------------------------------------------------

    def _journal_failed(self, ticket: Ticket, error: JournalError) -> None:
        """Nothing was told, so nothing happened: the report waits until it can be kept."""
        self.referee.forget_last()
        self._waiting, self._retry_at_s = ticket, self.clock.now_s() + RETRY_S
        if self.journal_error is None:
            LOG.error("%s", error)
            self.journal_error = str(error)
            self._ask_to_go_on(str(error))

    def _try_the_journal_again(self, ticket: Ticket) -> bool:
        """The journal gets its time; meanwhile sensors go on, and what they bring waits."""
        if self.room is not None and self.clock.now_s() < self._retry_at_s:
            self.room.advance(self._retry_at_s)
        else:
            self._apply(ticket)
        return True

    def _ask_to_go_on(self, why: str) -> None:
        asked = about_journal(why, self._decided_s, self.go_on_without_journal)
        self.ask(asked, holds=False)
        self._publish([], {"code": "journal_fails", "message": why, "source": JOURNAL})

    def go_on_without_journal(self) -> None:
        """A person decides that the game matters more than its record; in the deciding thread."""
        self._journal, self._retry_at_s = None, 0.0
        self._publish([], None)

    # --- the screens ------------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """The table for a screen, as of the last decision; safe in any thread."""
        moving, words = spelled(self._moving())
        words = {**self._snapshot.get("words", {}), **words}
        return {**self._snapshot, **moving, "words": words}

    def _moving(self) -> dict[str, Any]:
        lamps = self._alerts.lamps() if self._alerts is not None else []
        return {
            **moving_parts(self.referee, self.room, self.inbox, self.machine),
            "lamps": lamps,
            "questions": [question_row(asked) for asked in list(self.questions.values())],
            "journal_error": self.journal_error,
            "paused": self.paused,
            "ended": self.ended,
            "setting_up": self.apart.row(),
            "simulated": self.simulated,
            "clock_s": round(self.clock.now_s(), 3),
        }

    def _publish(self, told: list[dict[str, Any]], refused: dict[str, Any] | None) -> None:
        self._asked = list(self.questions)
        if self._news is None:
            return
        self._snapshot = table_fields(self.referee, self.number) | {
            "players": player_rows(self.referee, self.room),
            "told": recent_rows(self.referee, KEPT_SENTENCES),
        }
        if refused is not None:
            plain, words = spelled(refused)
            refused = plain | {"words": words}
        data = {"told": told, "refused": refused, "snapshot": self.snapshot()}
        keeps_past = not self.referee.keeps_secrets
        self._news.publish("table", data, self.referee.number, keeps_past=keeps_past)

    def _notice(self) -> None:
        """Draw the screens when something is asked or set up, or no longer, without any step."""
        shown = self.apart.row()
        if shown != self._set_apart:
            self._set_apart = shown
            if self.room is not None:
                self.room.set_apart(shown is not None)
            self._look_around(None)
            self._publish([], None)
        elif list(self.questions) != self._asked:
            self._publish([], None)
