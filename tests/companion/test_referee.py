"""The referee with small games made for it: waits, going back, scripts that fail."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from verbs import everything

from companion.actions import Adjusted, Chose, Correct, Report, Rolled, Undo, Waited
from companion.dice import DiceSet, Die
from companion.errors import CompanionError, IllegalAction, StaleTap
from companion.offers import Choose, Roll, Wait
from companion.players import some_players
from companion.referee import Referee
from companion.scripts import Game, Script
from companion.steps import Cue
from companion.table import Outcome, Table, not_adjustable
from companion.view import View

SAID = Cue("said", "note", "Said")


class Options(msgspec.Struct, frozen=True):
    """No house rules."""


class Jar(Table):
    """A jar of beans, and how often somebody waited."""

    beans, waited, broken = 0, 0, False

    @property
    def counters(self) -> dict[str, int]:
        return {"beans": self.beans, "waited": self.waited}

    def adjust(self, counter: str, value: int) -> None:
        if counter == "waited":
            raise not_adjustable(counter)
        if value == 13:
            raise RuntimeError("unlucky")
        self.beans = value

    def label(self, counter: str) -> str:
        return counter.capitalize()

    def view(self) -> View:
        return View("Jar", f"{self.beans} beans, {self.waited} waited, {self.at_s}", ())


def setup(players: Any, options: Options) -> Jar:
    return Jar(players, DiceSet.of([Die("d", "die", ("1", "2", "3"))]))


def game(play: Callable[[Any], Script]) -> Game:
    return Game("jar", "Jar", range(1, 4), setup, play, Options, (SAID,), {}, {})


def seated(play: Callable[[Any], Script]) -> Referee:
    return Referee(game(play), some_players(2))


def fill_it(table: Jar) -> Script:
    """Roll beans into the jar until there are ten."""
    table.tell(SAID, "Fill the jar.")
    while table.beans < 10:
        match (yield lambda: [Roll("ann", ("d",)), Choose("bo", "sip", values=(1, 2))]):
            case Rolled(faces):
                table.beans += int(faces["d"])
                table.tell(SAID, "{n} bean", "{n} beans", n=table.beans)
            case Chose(value=n):
                table.beans = max(0, table.beans - n)
    return Outcome(("ann",), {"ann": table.beans}, "Full.")


def two_waits(table: Jar) -> Script:
    """After each roll, a wait of one second and then another; then somebody may stop."""
    while True:
        yield lambda: [Roll("ann", ("d",))]
        start_s = table.at_s or 0.0
        for n in (1, 2):
            until_s = start_s + n
            match (yield lambda until_s=until_s: [Wait(until_s), Choose("bo", "stop")]):
                case Chose():
                    return Outcome(("bo",), {}, f"Stopped after {table.waited}.")
            table.waited += 1


def rolled(face: str, at_s: float | None = None) -> Report:
    return Report(Rolled({"d": face}), at_s=at_s)


# --- steps ----------------------------------------------------------------------------------------


def test_opening_is_told_when_the_game_begins():
    referee = seated(fill_it)
    assert [told.text for told in referee.opening] == ["Fill the jar."]
    assert (referee.number, referee.undoable, referee.outcome) == (0, None, None)


def test_step_names_whose_offer_was_answered():
    referee = seated(fill_it)
    assert referee.apply(rolled("3")).player == "ann"
    assert referee.apply(Report(Chose("bo", "sip", 1))).player == "bo"
    assert referee.apply(Report(Adjusted("beans", 7))).player is None
    assert [referee.step(n).number for n in (1, 2, 3)] == [1, 2, 3]
    for number in (0, 4, -1):
        with pytest.raises(IllegalAction, match="unknown_step"):
            referee.step(number)


def test_game_ends_when_the_script_returns():
    referee = seated(fill_it)
    for _ in range(4):
        referee.apply(rolled("3"))
    assert referee.outcome == Outcome(("ann",), {"ann": 12}, "Full.")
    with pytest.raises(IllegalAction, match="game_over"):
        referee.apply(rolled("3"))


def test_unknown_face_is_named_before_anything_else():
    with pytest.raises(IllegalAction, match=r"d shows 1, 2, 3, not '9'\. \(unknown_face\)"):
        seated(fill_it).apply(rolled("9"))


# --- waits ----------------------------------------------------------------------------------------


def test_waits_pass_at_once_when_there_is_no_time():
    referee = seated(two_waits)
    referee.apply(rolled("1"))
    assert referee.table.waited == 2
    assert referee.number == 1
    with pytest.raises(IllegalAction, match="not_offered"):
        referee.apply(Report(Chose("bo", "stop")))


@pytest.mark.parametrize(("at_s", "waited"), [(5.5, 0), (6.0, 0), (6.01, 1), (7.0, 1)])
def test_waits_that_lie_before_a_report_pass_first(at_s, waited):
    referee = seated(two_waits)
    referee.apply(rolled("1", at_s=5.0))
    referee.apply(Report(Chose("bo", "stop"), at_s=at_s))
    assert referee.outcome.why == f"Stopped after {waited}."


def test_waits_come_back_when_the_report_beyond_them_is_refused():
    referee = seated(two_waits)
    referee.apply(rolled("1", at_s=5.0))
    before = everything(referee)
    with pytest.raises(IllegalAction, match="not_offered"):
        referee.apply(Report(Chose("bo", "stop"), at_s=7.5))
    assert everything(referee) == before
    assert referee.table.waited == 0
    referee.apply(rolled("1", at_s=7.5))
    assert referee.table.waited == 2


def test_wait_is_answered_one_by_one_when_somebody_says_so():
    referee = seated(two_waits)
    referee.apply(rolled("1", at_s=5.0))
    assert referee.apply(Report(Waited(6.0))).number == 2
    assert (referee.table.waited, referee.table.at_s) == (1, 6.0)
    referee.apply(Report(Waited(7.5)))
    assert referee.table.waited == 2


def test_undo_passes_over_waits():
    referee = seated(two_waits)
    referee.apply(rolled("1", at_s=5.0))
    referee.apply(Report(Waited(6.0)))
    referee.apply(Report(Waited(7.0)))
    assert referee.undoable == 1
    told = referee.undo().told
    assert [one.text for one in told] == ["Step 1 is taken back."]
    assert (referee.table.waited, referee.number, referee.undoable) == (0, 4, None)


def test_earliest_wait_passes_first_when_several_lie_there():
    order = []

    def play(table: Jar) -> Script:
        yield lambda: [Roll("ann", ("d",))]
        for _ in range(2):
            waits = [Wait(9.0), Wait(4.0)] if not order else [Wait(9.0)]
            answer = yield lambda waits=waits: [*waits, Choose("bo", "stop")]
            order.append(answer)
        yield lambda: [Choose("bo", "stop")]
        return Outcome((), {}, "Over.")

    referee = seated(play)
    referee.apply(rolled("1", at_s=1.0))
    referee.apply(Report(Chose("bo", "stop"), at_s=5.0))
    assert order == [Waited(4.0), Chose("bo", "stop")]


def test_script_is_stopped_when_it_waits_for_ever():
    def play(table: Jar) -> Script:
        yield lambda: [Roll("ann", ("d",))]
        while True:
            yield lambda: [Wait(1.0)]

    referee = seated(play)
    with pytest.raises(IllegalAction, match="it waits for ever"):
        referee.apply(rolled("1"))
    assert referee.number == 0


# --- going back -----------------------------------------------------------------------------------


def test_undo_goes_back_step_by_step_when_it_is_said_again():
    referee = seated(fill_it)
    for face in "123":
        referee.apply(rolled(face))
    assert [referee.undo().number for _ in range(3)] == [4, 5, 6]
    assert referee.table.beans == 0
    with pytest.raises(IllegalAction, match="nothing_to_undo"):
        referee.undo()
    assert referee.apply(rolled("2")).number == 7


def test_undo_brings_back_what_a_correction_dropped():
    referee = seated(fill_it)
    for face in "123":
        referee.apply(rolled(face))
    referee.correct(1, Rolled({"d": "3"}), drop_later=True)
    assert referee.table.beans == 3
    referee.undo()
    assert referee.table.beans == 6
    referee.undo()
    assert referee.table.beans == 3


def test_step_can_be_corrected_twice():
    referee = seated(fill_it)
    for face in "123":
        referee.apply(rolled(face))
    referee.correct(1, Rolled({"d": "3"}))
    referee.correct(1, Rolled({"d": "2"}))
    assert referee.table.beans == 7
    referee.undo()
    assert referee.table.beans == 8
    referee.undo()
    assert referee.table.beans == 6


def test_correction_is_refused_when_the_step_does_not_count_any_more():
    referee = seated(fill_it)
    referee.apply(rolled("1"))
    referee.undo()
    for step in (1, 2):
        with pytest.raises(IllegalAction, match="not_correctable"):
            referee.correct(step, Rolled({"d": "2"}))


def test_correction_is_refused_when_a_later_answer_is_another_players():
    def play(table: Jar) -> Script:
        answer = yield lambda: [Choose("ann", "who", values=("ann", "bo"))]
        yield lambda: [Roll(answer.value, ("d",))]
        return Outcome((), {}, "Over.")

    referee = seated(play)
    referee.apply(Report(Chose("ann", "who", "bo")))
    referee.apply(rolled("1"))
    with pytest.raises(IllegalAction) as refusal:
        referee.correct(1, Chose("ann", "who", "ann"))
    assert refusal.value.code == "later_steps_do_not_fit"
    assert refusal.value.details == {"step": 2}


def test_preview_changes_nothing_when_it_says_what_would():
    referee = seated(fill_it)
    for face in "123":
        referee.apply(rolled(face))
    before = everything(referee)
    assert referee.preview(Correct(2, Rolled({"d": "1"}))) == {"changes": {"beans": (6, 5)}}
    with pytest.raises(IllegalAction, match="unknown_face"):
        referee.preview(Correct(2, Rolled({"d": "9"})))
    assert everything(referee) == before


def test_step_is_unhappened_when_it_could_not_be_kept():
    referee = seated(fill_it)
    referee.apply(rolled("1"))
    before = everything(referee)
    referee.apply(rolled("2"))
    referee.forget_last()
    assert everything(referee) == before


# --- counts ---------------------------------------------------------------------------------------


def test_offers_are_laid_afresh_when_a_count_is_adjusted():
    def play(table: Jar) -> Script:
        yield lambda: [Choose("ann", "take", values=tuple(range(1, table.beans + 1)))]
        return Outcome((), {}, "Over.")

    referee = seated(play)
    step = referee.apply(Report(Adjusted("beans", 2)))
    assert step.told[0].text == "By hand: Beans is 2 now; it was 0."
    assert referee.offers[0].values == (1, 2)


def test_nothing_is_lost_when_adjusting_fails():
    referee = seated(fill_it)
    referee.apply(rolled("3"))
    before = everything(referee)
    for value, code in ((13, "rules_failed"), (-1, "negative_count"), (2**53, "count_too_large")):
        with pytest.raises(IllegalAction) as refusal:
            referee.apply(Report(Adjusted("beans", value)))
        assert refusal.value.code == code
        assert everything(referee) == before


def test_nothing_is_lost_when_the_offers_cannot_be_laid_after_adjusting():
    def play(table: Jar) -> Script:
        yield lambda: [Choose("ann", "take", values=(10 // (7 - table.beans),))]
        return Outcome((), {}, "Over.")

    referee = seated(play)
    before = everything(referee)
    with pytest.raises(IllegalAction, match="ZeroDivisionError"):
        referee.apply(Report(Adjusted("beans", 7)))
    assert everything(referee) == before


# --- stale taps -----------------------------------------------------------------------------------


def test_tap_is_stale_when_its_offer_has_left_and_come_back():
    def play(table: Jar) -> Script:
        for _ in range(3):
            yield lambda: [Choose("ann", "take")]
            yield lambda: [Choose("bo", "take")]
        return Outcome((), {}, "Over.")

    referee = seated(play)
    referee.check_fresh(Chose("ann", "take"), 0)
    referee.apply(Report(Chose("ann", "take")))
    referee.apply(Report(Chose("bo", "take")))
    with pytest.raises(StaleTap):
        referee.check_fresh(Chose("ann", "take"), 0)
    referee.check_fresh(Chose("ann", "take"), 2)
    assert referee.since(referee.offers[0]) == 2


def test_roll_is_fresh_when_a_step_came_between():
    referee = seated(fill_it)
    referee.apply(Report(Chose("bo", "sip", 1)))
    referee.check_fresh(Rolled({"d": "1"}), 0)
    assert referee.since(referee.offers[0]) == 0
    with pytest.raises(StaleTap):
        referee.check_fresh(Undo(), 0)
    referee.check_fresh(Undo(), 1)


def test_game_is_refused_when_players_share_a_key():
    players = some_players(1) * 2
    with pytest.raises(CompanionError, match="expected different players"):
        Referee(game(fill_it), players)
