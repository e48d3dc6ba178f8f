"""The race at the table: who was first counts, however late it is learned, in whatever order."""

import itertools

import pytest
from room import BEAT_S, Play

from companion.actions import Chose, Report, Rolled, Undo
from companion.errors import IllegalAction, StaleTap
from companion.games import GAMES
from companion.simulation import FRAME_S

DRAGON_S = 10.0
WINDOW_S = 0.1
LOST, ESCAPED = (0, 0), (2, 1)


@pytest.fixture
def play():
    """Ann carries two diamonds and a nugget; one eye of the Dragon is open; it is 8 s."""
    play = Play()
    play.into_the_race()
    return play


def race(**options):
    play = Play(**options)
    play.into_the_race()
    return play


def pack(play, seat="ann"):
    return play.count(f"pack.{seat}.diamonds"), play.count(f"pack.{seat}.gold")


def verdict(play):
    """What was told about who was first."""
    return [cue for cue in play.cues if cue in ("photo_finish", "left", "dragon_awake")]


def saw_the_dragon(play):
    """True if the second Dragon die was told, too."""
    return play.cues.count("dragon") == 2


# --- learned in every order -----------------------------------------------------------------------

BEFORE = ["left"]
PHOTO = ["photo_finish", "left"]
TOO_LATE = ["dragon_awake"]
CASES = {
    9.9: BEFORE,
    9.999: BEFORE,
    10.0: PHOTO,  # in the very instant
    10.001: PHOTO,
    10.099: PHOTO,
    10.1: PHOTO,  # at the end of the window
    10.101: TOO_LATE,
    10.5: TOO_LATE,
}
DELAYS_S = {"leave": (0.0, 0.03, 0.08), "dragon": (0.0, 0.02, 0.2)}  # until it is learned
LEARNED = list(itertools.product(*DELAYS_S.values()))


@pytest.mark.parametrize("leave_s", CASES)
@pytest.mark.parametrize(("leave_delay_s", "dragon_delay_s"), LEARNED)
def test_verdict_follows_what_happened_in_every_order_of_learning(
    play, leave_s, leave_delay_s, dragon_delay_s
):
    play.rolls("red-2 X", at_s=DRAGON_S, learned_s=DRAGON_S + dragon_delay_s)
    if leave_s <= DRAGON_S + WINDOW_S:  # a shout is heard before the window has passed, or soon
        leave_delay_s = min(leave_delay_s, max(DRAGON_S + WINDOW_S - leave_s - 1e-6, 0.0))
    play.says("ann", "leave", at_s=leave_s, learned_s=leave_s + leave_delay_s)
    play.goes_on(12.0)
    assert verdict(play) == CASES[leave_s]
    assert saw_the_dragon(play) or CASES[leave_s] == BEFORE
    assert pack(play) == (LOST if CASES[leave_s] == TOO_LATE else ESCAPED)
    assert play.referee.table.active == "bo"


@pytest.mark.parametrize("order", [*itertools.permutations(["gold", "red", "leave"])], ids="-".join)
def test_verdict_is_the_same_when_three_things_happen_at_once_and_are_learned_in_any_order(order):
    """Gold at 9.98, the Dragon at 10.0, the leave at 10.02; learned 30 ms apart, in every order."""
    play = race()
    learned_s = {what: 10.025 + 0.03 * at for at, what in enumerate(order)}
    play.rolls("gold-1 g2", "gold-2 g0", at_s=9.98, learned_s=learned_s["gold"])
    play.rolls("red-2 X", at_s=DRAGON_S, learned_s=learned_s["red"])
    play.says("ann", "leave", at_s=10.02, learned_s=learned_s["leave"])
    play.goes_on(12.0)
    assert verdict(play) == PHOTO
    assert saw_the_dragon(play)
    assert pack(play) == (2, 3)
    assert play.codes == []


@pytest.mark.parametrize("goes_to", ["adventurer", "dragon"])
@pytest.mark.parametrize("first", ["leave", "dragon"])
def test_photo_finish_is_decided_by_the_house_rule_when_both_happen_in_one_instant(goes_to, first):
    play = race(tie_goes_to=goes_to)
    delays_s = {"leave": 0.02, "dragon": 0.02} | {first: 0.0}
    play.says("ann", "leave", at_s=DRAGON_S, learned_s=DRAGON_S + delays_s["leave"])
    play.rolls("red-2 X", at_s=DRAGON_S, learned_s=DRAGON_S + delays_s["dragon"])
    play.goes_on(12.0)
    assert "photo_finish" in play.cues
    assert pack(play) == (ESCAPED if goes_to == "adventurer" else LOST)


def test_dragon_that_comes_after_the_leave_is_refused_with_its_reason(play):
    play.says("ann", "leave", at_s=9.99)
    play.rolls("red-2 X", at_s=DRAGON_S, learned_s=10.05)
    play.goes_on(12.0)
    assert verdict(play) == BEFORE
    assert not saw_the_dragon(play)
    assert play.codes == ["race_not_started"]


# --- shown at once, decided later -----------------------------------------------------------------


def test_second_dragon_is_told_at_once_and_only_the_verdict_waits(play):
    play.rolls("red-2 X", at_s=DRAGON_S, learned_s=10.02)
    play.goes_on(12.0)
    dragon_s = [at_s for at_s, cue in play.screens.told if cue == "dragon"][1]
    assert dragon_s == 10.02
    assert DRAGON_S + WINDOW_S <= play.told_at_s("dragon_awake") <= 10.02 + WINDOW_S + BEAT_S


def test_lamps_show_the_second_dragon_before_the_verdict(play):
    play.rolls("red-2 X", at_s=DRAGON_S)
    play.goes_on(10.05)
    assert play.calls[-1] == ("screens", play.referee.number)
    assert play.alerts.counters["dragon.awake"] == 2
    assert play.referee.table.phase == "photo_finish"
    assert "dragon_awake" not in play.cues


def test_roll_in_the_race_waits_only_for_the_other_party(play):
    play.rolls("gold-1 g2", "gold-2 g0", at_s=9.0, learned_s=9.1)
    play.goes_on(9.2)
    assert [at_s for at_s, cue in play.screens.told if cue == "gold"][-1] == 9.1


def test_verdict_waits_as_long_as_the_house_says(play):
    play = race(tie_window_s=0.8)
    play.rolls("red-2 X", at_s=DRAGON_S)
    play.says("ann", "leave", at_s=10.79)
    play.goes_on(12.0)
    assert verdict(play) == PHOTO


@pytest.mark.parametrize(
    ("asked_s", "within_s", "window_s"), [(0.1, FRAME_S, 0.1), (0.0, 0.04, 0.04), (0.1, 0.25, 0.25)]
)
def test_window_is_never_smaller_than_what_the_sensors_can_tell_apart(asked_s, within_s, window_s):
    game = GAMES["troll_and_dragon"]
    fair = game.fair(game.options(tie_window_s=asked_s), within_s)
    assert fair.tie_window_s == window_s


# --- a sensor falls silent ------------------------------------------------------------------------


@pytest.mark.parametrize("silent_s", [9.2, 9.6, 9.9, 9.99])
def test_silent_sensor_in_the_race_delays_the_table_by_half_a_second_at_most(play, silent_s):
    play.falls_silent("gold", at_s=silent_s)
    play.rolls("red-2 X", at_s=DRAGON_S)
    play.goes_on(12.0)
    dragon_s = [at_s for at_s, cue in play.screens.told if cue == "dragon"][1]
    assert dragon_s - DRAGON_S <= 0.5
    assert pack(play) == LOST


def test_silent_sensor_is_shown_as_silent_and_comes_back(play):
    play.falls_silent("red", at_s=9.0)
    play.says("ann", "dance", at_s=9.4)  # somebody waits, so that time passes in small steps
    play.goes_on(9.45)
    states = {row["name"]: row["state"] for row in play.companion.snapshot()["sources"]}
    assert states["red"] == "ok"
    play.goes_on(10.0)
    states = {row["name"]: row["state"] for row in play.companion.snapshot()["sources"]}
    assert states == {"white": "ok", "gold": "ok", "red": "silent"}
    play.speaks_again("red", at_s=10.5)
    play.goes_on(10.6)
    states = {row["name"]: row["state"] for row in play.companion.snapshot()["sources"]}
    assert states["red"] == "ok"


# --- what comes too late --------------------------------------------------------------------------


@pytest.fixture
def late():
    """Red rolled blank at 9.0 while its receiver was unplugged; gold at 9.5 has been decided."""
    play = race()
    play.falls_silent("red", at_s=8.5)
    play.rolls("gold-1 g2", "gold-2 g0", at_s=9.5)
    play.rolls("red-2 -", at_s=9.0, learned_s=10.5)
    play.speaks_again("red", at_s=10.5)
    play.goes_on(11.0)
    return play


def test_late_roll_is_not_applied_by_itself_but_asked_about(late):
    number = late.referee.number
    [question] = late.companion.snapshot()["questions"]
    assert question["faces"] == ["count it", "ignore it"]
    assert "red-2 blank" in question["text"]
    assert late.referee.step(number).report.source == "gold"
    with pytest.raises(IllegalAction) as refusal:
        late.tickets[-1].wait(0.0)
    assert refusal.value.code == "too_late"


def test_screens_are_drawn_with_the_question_at_once(late):
    assert late.screens.tables[-1]["snapshot"]["questions"][0]["faces"][0] == "count it"


def test_late_roll_counts_when_the_table_says_so(late):
    [question] = late.companion.questions
    ticket = late.companion.answer(question, "count it")
    late.goes_on(12.0)
    assert ticket.wait(0.0).report.action == Rolled({"red-2": "blank"})
    assert late.companion.snapshot()["questions"] == []
    assert late.referee.table.cavern.roller == "bo"  # Cy has rolled


def test_late_roll_counts_for_nothing_when_the_table_says_so(late):
    [question] = late.companion.questions
    number = late.referee.number
    assert late.companion.answer(question, "ignore it") is None
    late.goes_on(12.0)
    assert late.referee.number == number
    assert late.companion.snapshot()["questions"] == []


def test_what_was_captured_later_waits_visibly_until_the_question_is_answered(late):
    late.says("ann", "leave", at_s=11.1)
    late.goes_on(14.0)
    assert late.companion.snapshot()["waiting"] == ["Ann: I'm leaving!"]
    assert "left" not in late.cues
    [question] = late.companion.questions
    late.companion.answer(question, "ignore it")
    late.goes_on(15.0)
    assert late.cues[-2:] == ["left", "your_turn"]


def test_late_dragon_counts_after_the_leave_was_taken_back():
    """The Dragon came first, but was learned too late: undo, count it, and the race is decided."""
    play = race()
    play.falls_silent("red", at_s=9.0)
    play.rolls("red-2 X", at_s=9.1, learned_s=10.5)
    play.says("ann", "leave", at_s=9.5)
    play.speaks_again("red", at_s=10.5)
    play.goes_on(11.0)
    assert verdict(play) == BEFORE
    [question] = play.companion.questions
    play.companion.inbox.put(undo_from_the_web(play))
    play.goes_on(11.5)
    assert list(play.companion.questions) == [question]
    play.companion.answer(question, "count it")
    play.goes_on(13.0)
    assert verdict(play) == BEFORE + TOO_LATE
    assert pack(play) == LOST


def undo_from_the_web(play):
    return Report(Undo(), at_s=play.clock.now_s(), source="web")


# --- taps that come too late ----------------------------------------------------------------------


def test_tap_is_stale_when_its_offer_has_left_the_table(play):
    """Ann left, and it was Bo's and Cy's turn; an old tap of her next "leave" comes at last."""
    seen = play.referee.number
    play.says("ann", "leave", at_s=9.0)
    play.rolls("white-1 T", "white-2 T", "white-3 T", "white-4 T", at_s=10.0)  # Bo
    play.rolls("white-1 T", "white-2 T", "white-3 T", "white-4 T", at_s=11.0)  # Cy
    play.rolls("white-1 D", "white-2 T", "white-3 T", "white-4 T", at_s=12.0)  # Ann
    play.says("ann", "leave", at_s=13.0, seen=seen)
    play.goes_on(14.0)
    with pytest.raises(StaleTap):
        play.tickets[-1].wait(0.0)
    assert play.codes[-1] == "stale_tap"
    assert play.referee.table.active == "ann"


def test_tap_is_fresh_when_a_step_came_between_but_its_offer_still_lies_there(play):
    seen = play.referee.number
    play.rolls("red-2 -", at_s=9.0)
    play.rolls("gold-1 g2", "gold-2 g0", at_s=9.1)
    play.says("ann", "leave", at_s=9.2, seen=seen)
    play.goes_on(10.0)
    assert play.tickets[-1].wait(0.0).report.action == Chose("ann", "leave")
    assert play.cues[-2:] == ["left", "your_turn"]


def test_tap_is_fresh_when_the_second_dragon_came_between(play):
    """Every "leave" in a photo finish answers a screen that did not show the Dragon yet."""
    seen = play.referee.number
    play.rolls("red-2 X", at_s=DRAGON_S)
    play.says("ann", "leave", at_s=10.05, seen=seen)
    play.goes_on(12.0)
    assert verdict(play) == PHOTO


def test_tap_without_a_step_is_never_stale(play):
    play.says("ann", "leave", at_s=9.0)
    play.goes_on(10.0)
    assert play.tickets[-1].wait(0.0).number == play.referee.number
