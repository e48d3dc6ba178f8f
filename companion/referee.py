"""The referee drives one script: it lays out the offers, applies what fits, and says why not.

Theory of operation. A script is a generator, so it cannot be copied or turned back. Everything
that goes back in time (undo, correction, a failed attempt) is therefore a replay: a new table, a
new script, and the reports that still count, from the first one on. Two lists hold the game:
`history`, every entry ever accepted, numbered for ever; and the *line*, those actions that count
now. Undo and correction are entries of the history that change the line.

Waits. Where reports carry no time, a `Wait` passes at once, within the step that laid it. Where
they do, an action that happened beyond a wait passes it first, also within its own step; the app
answers waits explicitly, by `Waited`, when every sensor has reported up to that moment.
"""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import msgspec

from companion.actions import Action, Adjusted, Correct, Entry, Report, Rolled, Undo, Waited
from companion.errors import IllegalAction
from companion.offers import Offer, Wait, accepting, why_not
from companion.refusing import (
    RulesFailed,
    check_count,
    check_names,
    does_not_fit,
    failed,
    identity,
    stale,
)
from companion.scripts import Game, Listing
from companion.steps import Cue, Step, Told
from companion.table import Outcome, Player, Table
from companion.words import say

ADJUSTED = Cue("adjusted", "note", "Adjusted by hand")
UNDO = Cue("undo", "note", "Taken back")
CORRECTED = Cue("corrected", "note", "Corrected")
CUES = (ADJUSTED, UNDO, CORRECTED)

ENDLESS_WAITS = 1000  # a script that lays so many waits in a row will never ask anybody


class Referee:
    """Referees one game for `players`; `options` is the game's own struct, or None for defaults."""

    def __init__(
        self, game: Game, players: Sequence[Player], options: msgspec.Struct | None = None
    ) -> None:
        self.game = game
        self.players = tuple(players)
        self.options = game.options() if options is None else options
        self.history: list[Step] = []
        self._line: list[Step] = []
        self._undoable: list[tuple[int, int | list[Step]]] = []
        self._begin()
        self.opening = tuple(self.table.told)
        self._laid: list[Sequence[Offer]] = [self.offers]
        self._known_faces = {(die.name, face) for die in self.table.dice for face in die.faces}
        self._seats = frozenset(self.table.seats)

    @property
    def number(self) -> int:
        """Number of the latest step; 0 before the first."""
        return len(self.history)

    # --- what may happen --------------------------------------------------------------------------

    def since(self, offer: Offer) -> int:
        """The step from which on this offer has lain on the table without a break."""
        number = self.number
        while number > 0 and offer in self._laid[number - 1]:
            number -= 1
        return number

    def check_fresh(self, entry: Entry, seen: int) -> None:
        """Raise StaleTap unless what `entry` answers has lain there ever since step `seen`."""
        if seen > self.number:
            raise stale("That belongs to another game; look again.")
        if isinstance(entry, Undo) and seen < (self.undoable or 0):
            raise stale("Something has happened since; look again before you undo.")
        if isinstance(entry, Undo | Correct | Adjusted):
            return
        answered = [accepting(laid, entry) for laid in self._laid[max(seen, 0) :]]
        if answered[0] is None and answered[-1] is None:
            return  # never offered: the refusal says why
        if len({identity(offer) for offer in answered}) > 1:
            raise stale("That offer has left the table since; look again.")

    @property
    def undoable(self) -> int | None:
        """Number of the step that `Undo` would take back, or None."""
        return self._undoable[-1][0] if self._undoable else None

    def step(self, number: int) -> Step:
        """The step of that number; raises IllegalAction for one that never was."""
        if not 1 <= number <= self.number:
            raise IllegalAction("unknown_step", say("There is no step {step} yet.", step=number))
        return self.history[number - 1]

    @property
    def counting(self) -> dict[int, Step]:
        """The steps that count now, by number; what was corrected, as it was corrected."""
        return {step.number: step for step in self._line}

    # --- what may be shown ------------------------------------------------------------------------

    @property
    def keeps_secrets(self) -> bool:
        """True while something that was seen lies hidden again, and the past must not tell it."""
        return self.game.public is not None and self.outcome is None

    def public(self, step: Step) -> Step:
        """What of a step may be shown, told, logged or exported now; all of it in most games."""
        if self.game.public is None or self.outcome is not None:
            return step
        return self.game.public(step, self.table)

    def past_counters(self, counters: Mapping[str, int]) -> dict[str, int]:
        """Those of earlier counters that may be shown now."""
        if not self.keeps_secrets:
            return dict(counters)
        fleeting = self.game.fleeting
        return {name: n for name, n in counters.items() if not name.startswith(fleeting)}

    # --- what happened ----------------------------------------------------------------------------

    def apply(self, report: Report) -> Step:
        """Accept one entry and return its step; raise IllegalAction and change nothing."""
        action = report.action
        if type(action) is Undo:
            return self._undo(report)
        if type(action) is Correct:
            return self._correct(report, action)
        history = self.history
        number = len(history) + 1
        try:
            player = self._play(report, number)
        except RulesFailed as failure:
            self._replay(self._line)
            raise IllegalAction(
                "rules_failed", say("The rules failed: {why}", why=failure)
            ) from failure
        except IllegalAction:
            self.table.step = number - 1
            raise
        step = Step(number, report, tuple(self.table.told), player)
        line = self._line
        if type(action) is not Waited:
            self._undoable.append((number, len(line)))
        line.append(step)
        history.append(step)
        self._laid.append(self.offers)
        return step

    def undo(self, report: Report | None = None) -> Step:
        """Take back what was accepted last, passing over waits and earlier undos."""
        return self.apply(report or Report(Undo()))

    def correct(self, step: int, action: Action, drop_later: bool = False) -> Step:
        """Replace the action of one step and play the later ones again."""
        return self.apply(Report(Correct(step, action, drop_later)))

    def preview(self, correction: Correct) -> dict[str, Any]:
        """What a correction would change, without doing it: counters before and after."""
        before, line = dict(self.table.counters), self._line
        try:
            self._corrected_line(correction)
            after = dict(self.table.counters)
        finally:
            self._replay(line)
        changed = {
            name: (before.get(name), n) for name, n in after.items() if before.get(name) != n
        }
        return {"changes": changed}

    def forget_last(self) -> None:
        """Make the latest step unhappened, because it could not be kept and nobody was told."""
        again = Referee(self.game, self.players, self.options)
        for step in self.history[:-1]:
            again.apply(step.report)
        self.__dict__.update(again.__dict__)

    # --- the script -------------------------------------------------------------------------------

    def _begin(self) -> None:
        self.outcome: Outcome | None = None
        self.table = self.game.table(self.players, self.options)
        hook = type(self.table).objects
        self._objects = None if hook is Table.objects else self.table.objects
        self._script = self.game.play(self.table)
        self._listing: Listing = next(self._script)
        self._lay()

    def _lay(self) -> None:
        self.offers: Sequence[Offer] = () if self.outcome is not None else self._listing()
        self._waits = Wait in map(type, self.offers)

    def _record(self, step: Step) -> Step:
        self.table.step = step.number
        self.history.append(step)
        self._laid.append(self.offers)
        return step

    def _play(self, report: Report, number: int) -> str | None:
        """Give one report to the script, as that step, and return whose offer it answered."""
        action, at_s, table = report.action, report.at_s, self.table
        table.told, table.step = [], number
        if type(action) is Adjusted:
            waited = self._waits and at_s is not None and self._pass_waits(before_s=at_s)
            self._adjust(action, waited)
            return None
        waits = self._waits and type(action) is not Waited
        waited = waits and self._pass_waits(before_s=at_s)
        offer = accepting(self.offers, action)
        if offer is None or (
            type(action) is Rolled and not action.faces.items() <= self._known_faces
        ):
            self._refuse(self._refusal(action), waited)
        if self._objects is not None and (objection := self._objects(action, True)) is not None:
            self._refuse(objection, waited)
        if at_s is not None:
            table.at_s = at_s
        elif type(action) is Waited:
            table.at_s = action.until_s
        self._send(action)
        if self._waits and at_s is None and type(action) is not Waited:
            self._pass_waits(before_s=None)
        return offer.player

    def _refuse(self, refusal: IllegalAction, waited: bool) -> NoReturn:
        """Raise the reason why not; waits that were passed on the way come back."""
        if waited:
            self._replay(self._line)
        raise refusal

    def _refusal(self, action: Entry) -> IllegalAction:
        try:
            check_names(action, self.table.dice, self._known_faces, self._seats)
        except IllegalAction as strange:
            return strange
        if self._objects is not None and (unheard := self._objects(action, False)) is not None:
            return unheard
        if self.outcome is not None:
            return IllegalAction("game_over", "The game is over.")
        why = why_not(self.offers, action)
        return IllegalAction(why.code, why.message)

    def _pass_waits(self, before_s: float | None) -> bool:
        """Pass the waits that end before `before_s`; all of them where nobody knows the time."""
        for passed in range(ENDLESS_WAITS):
            waits = [o for o in self.offers if type(o) is Wait and o.closed is None]
            wait = min(waits, key=lambda offer: offer.until_s, default=None)
            if wait is None or (before_s is not None and before_s <= wait.until_s):
                return passed > 0
            if before_s is not None:
                self.table.at_s = wait.until_s
            self._send(Waited(wait.until_s))
        raise RulesFailed("it waits for ever")

    def _send(self, action: Any) -> None:
        try:
            self._listing = listing = self._script.send(action)
            self.offers = offers = listing()
            self._waits = Wait in map(type, offers)
        except StopIteration as end:
            if not isinstance(end.value, Outcome):
                raise RulesFailed("it ended without an outcome") from end
            self.outcome = end.value
            self._lay()
        except Exception as bug:
            raise failed(bug) from bug

    def _adjust(self, action: Adjusted, waited: bool) -> None:
        counters = self.table.counters
        before, at = counters.get(action.counter, 0), len(self.table.told)
        try:
            check_count(action, counters)
            self.table.adjust(action.counter, action.value)
            self._lay()
        except IllegalAction:
            if waited:
                self._replay(self._line)
            raise
        except Exception as bug:
            raise failed(bug) from bug
        told = Told(
            ADJUSTED,
            "By hand: {counter} is {value} now; it was {before}.",
            None,
            {"counter": self.table.label(action.counter), "value": action.value, "before": before},
        )
        self.table.told.insert(at, told)

    # --- going back -------------------------------------------------------------------------------

    def _replay(self, line: list[Step]) -> None:
        """Play a line again, silently."""
        self._begin()
        for played in line:
            self._play(played.report, played.number)
        self._line = line
        self.table.told, self.table.step = [], len(self.history)

    def _undo(self, report: Report) -> Step:
        if not self._undoable:
            raise IllegalAction("nothing_to_undo", "There is nothing to take back.")
        number, line = self._undoable.pop()
        self._replay(self._line[:line] if isinstance(line, int) else line)
        told = Told(UNDO, "Step {step} is taken back.", None, {"step": number})
        return self._record(Step(self.number + 1, report, (told,)))

    def _correct(self, report: Report, correction: Correct) -> Step:
        before = self._line
        try:
            line = self._corrected_line(correction)
        except Exception:
            self._replay(before)
            raise
        self._line = line
        number = self.number + 1
        self._undoable.append((number, before))
        told = Told(CORRECTED, "Step {step} is corrected.", None, {"step": correction.step})
        return self._record(Step(number, report, (told,)))

    def _corrected_line(self, correction: Correct) -> list[Step]:
        """Play the line with one action replaced; raise IllegalAction where it does not fit."""
        self.step(correction.step)
        at = next((i for i, p in enumerate(self._line) if p.number == correction.step), None)
        if at is None:
            raise IllegalAction(
                "not_correctable", say("Step {step} does not count any more.", step=correction.step)
            )
        old, later = self._line[at], self._line[at + 1 :]
        report = msgspec.structs.replace(old.report, action=correction.action)
        self._begin()
        line = self._line[:at]
        for played in line:
            self._play(played.report, played.number)
        player = self._guarded(lambda: self._play(report, old.number))
        line = [*line, Step(old.number, report, old.told, player)]
        if not correction.drop_later:
            line.extend(self._still_fitting(later))
        return line

    def _still_fitting(self, later: list[Step]) -> list[Step]:
        fitting = []
        for played in later:
            if type(played.report.action) is Waited:
                with contextlib.suppress(IllegalAction):  # the clock's, not a person's: it may go
                    self._guarded(lambda p=played: self._play(p.report, p.number))  # type: ignore[misc]
                    fitting.append(played)
                continue
            try:
                player = self._guarded(lambda p=played: self._play(p.report, p.number))  # type: ignore[misc]
            except IllegalAction as refusal:
                raise does_not_fit(played.number) from refusal
            if player != played.player:
                raise does_not_fit(played.number)
            fitting.append(played)
        return fitting

    def _guarded(self, play: Callable[[], str | None]) -> str | None:
        try:
            return play()
        except RulesFailed as failure:
            raise IllegalAction(
                "rules_failed", say("The rules failed: {why}", why=failure)
            ) from failure
