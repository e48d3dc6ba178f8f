"""The race against the Dragon on the clock: verdicts, photo finishes, reminders, stale taps."""

import itertools

import pytest
from verbs import GOLD, RED, WHITE

from companion.actions import Chose, Rolled, Undo
from companion.errors import StaleTap
from companion.offers import Wait
from companion.table import Outcome

DRAGON_S = 10.0
ESCAPED = (2, 1)  # diamonds and gold that Ann carries at risk in these races


def race(seat, *seats, **options):
    """Let the race run until one Dragon die is up, with two diamonds and one nugget at risk."""
    at = seat(*(seats or ("ann", "bo", "cy")), **options)
    at.enter("K O D D", at_s=1.0)
    at.golden("g1 g0", at_s=5.0)
    at.red("X -", at_s=6.0)
    return at


# --- the verdict ----------------------------------------------------------------------------------


def test_second_dragon_is_told_at_once_when_the_verdict_has_to_wait(seat):
    at = race(seat)
    assert at.red("X", at_s=DRAGON_S) == ["dragon"]
    assert at.phase == "photo_finish"
    assert at.count("dragon.awake") == 2
    assert at.treasure("pouch") == ESCAPED
    assert at.open_offers(Wait) == [Wait(10.1)]


def test_treasure_is_dropped_when_the_window_has_passed(seat):
    at = race(seat)
    at.red("X", at_s=DRAGON_S)
    assert at.wait(10.1) == ["dragon_awake", "shared", "shared", "your_turn"]
    assert at.pack("ann") == (0, 0)
    assert at.pack("cy") == (1, 1)
    assert at.pack("bo") == (1, 0)


def test_wait_is_refused_when_it_is_too_short_or_nobody_waits(seat):
    at = race(seat)
    with at.refused("not_offered"):
        at.wait(99.0)
    at.red("X", at_s=DRAGON_S)
    with at.refused("not_offered"):
        at.wait(10.099)
    at.wait(11.0)


@pytest.mark.parametrize(
    ("leave_s", "photo"), [(7.0, False), (9.95, False), (9.999, False), (10.0, True)]
)
def test_adventurer_escapes_when_the_leave_is_learned_after_the_dragon(seat, leave_s, photo):
    at = race(seat)
    at.red("X", at_s=DRAGON_S)
    cues = at.leave(at_s=leave_s)
    assert cues == (["photo_finish"] if photo else []) + ["left", "your_turn"]
    assert at.pack("ann") == ESCAPED
    assert at.active == "bo"


@pytest.mark.parametrize("leave_s", [10.0, 10.001, 10.05, 10.1])
def test_leave_is_a_photo_finish_when_it_comes_within_the_window(seat, leave_s):
    at = race(seat)
    at.red("X", at_s=DRAGON_S)
    assert at.leave(at_s=leave_s) == ["photo_finish", "left", "your_turn"]
    assert at.pack("ann") == ESCAPED


@pytest.mark.parametrize("leave_s", [10.101, 10.2, 60.0])
def test_leave_is_refused_when_it_comes_after_the_window(seat, leave_s):
    at = race(seat)
    at.red("X", at_s=DRAGON_S)
    with at.refused("not_offered"):
        at.leave(at_s=leave_s)
    assert at.phase == "photo_finish"
    at.wait(10.1)
    assert at.pack("ann") == (0, 0)


@pytest.mark.parametrize("leave_s", [9.95, 9.999])
def test_dragon_finds_nobody_when_the_leave_was_applied_first(seat, leave_s):
    """In the other order of arrival the turn is over, and the red dice rest."""
    at = race(seat)
    at.leave(at_s=leave_s)
    with at.refused("race_not_started"):
        at.roll("red-2 X", at_s=DRAGON_S)
    assert at.pack("ann") == ESCAPED


def test_outcome_is_the_same_when_leave_and_dragon_arrive_in_either_order(seat):
    happened = {"leave": 9.9, "dragon": DRAGON_S}
    packs = []
    for order in itertools.permutations(happened):
        at = race(seat)
        for what in order:
            if what == "dragon" and order[0] == "leave":
                with at.refused("race_not_started"):
                    at.roll("red-2 X", at_s=DRAGON_S)
            elif what == "dragon":
                at.red("X", at_s=DRAGON_S)
            else:
                at.leave(at_s=happened["leave"])
        packs.append([at.pack(p) for p in ("ann", "bo", "cy")])
        assert (at.active, at.phase) == ("bo", "grotto")
    assert packs[0] == packs[1]


def test_photo_finish_closes_when_the_next_report_lies_beyond_it(seat):
    """Nobody answers the wait; the next player's roll passes it, within one step."""
    at = race(seat)
    at.red("X", at_s=DRAGON_S)
    number = at.referee.number
    cues = at.white("D D T K", at_s=12.0)
    assert cues[:2] == ["dragon_awake", "shared"]
    assert cues[-2:] == ["treasure", "key_door"]
    assert at.referee.number == number + 1
    assert at.active == "bo"
    assert at.treasure("pouch") == (2, 0)


def test_count_set_by_hand_meets_the_next_turn_when_it_lies_beyond_the_window(seat):
    at = race(seat)
    at.red("X", at_s=DRAGON_S)
    at.adjust("supply.gold", 49, at_s=10.05)
    assert at.phase == "photo_finish"
    with at.refused("unknown_counter"):
        at.adjust("supply.silver", 1, at_s=12.0)
    cues = at.adjust("pouch.diamonds", 3, at_s=12.0)
    assert cues[0] == "dragon_awake"
    assert cues[-2:] == ["adjusted", "audit"]
    assert at.active == "bo"
    assert at.treasure("pouch") == (3, 0)


def test_verdict_comes_at_once_when_nobody_knows_the_time(at):
    at.enter()
    at.golden("g1 g0")
    assert at.red("X X") == ["dragon", "dragon_awake", "shared", "shared", "your_turn"]
    with at.refused("not_offered"):
        at.choose("ann", "leave")


@pytest.mark.parametrize("order", [("blank", "dragon"), ("dragon", "blank")])
def test_waker_is_who_rolled_the_second_die_when_the_rolls_go_around(seat, order):
    at = seat("ann", "bo", "cy")
    at.enter(at_s=1.0)
    at.golden("g1 g0", at_s=2.0)
    at.roll("red-1 " + order[0], "red-2 " + order[1], at_s=3.0)
    at.red("-", at_s=4.0)
    at.red("X", at_s=5.0)
    at.wait(5.1)
    assert at.pack("bo") == (0, 1)
    assert at.pack("cy") == (1, 0)


# --- the house rule of the photo finish -----------------------------------------------------------


def test_dragon_wins_the_photo_finish_when_the_table_says_so(seat):
    at = race(seat, tie_goes_to="dragon")
    at.red("X", at_s=DRAGON_S)
    cues = at.leave(at_s=10.05)
    assert cues == ["photo_finish", "dragon_awake", "shared", "shared", "your_turn"]
    assert at.pack("ann") == (0, 0)


def test_leave_before_the_dragon_counts_when_the_dragon_wins_ties(seat):
    at = race(seat, tie_goes_to="dragon")
    at.red("X", at_s=DRAGON_S)
    assert at.leave(at_s=9.999) == ["left", "your_turn"]
    assert at.pack("ann") == ESCAPED


@pytest.mark.parametrize(("again", "pack"), [("X", (0, 0)), ("-", ESCAPED)])
def test_dragon_die_is_rolled_again_when_ties_are_rerolled(seat, again, pack):
    at = race(seat, tie_goes_to="reroll")
    at.red("X", at_s=DRAGON_S)
    assert at.leave(at_s=10.05) == ["photo_finish"]
    assert at.phase == "photo_finish"
    assert at.rollers() == {"cy": ("red-2",)}
    assert at.count("dragon.awake") == 1
    with at.refused("die_blocked"):
        at.roll("red-1 blank", at_s=10.5)
    with at.refused("dragon_is_awake"):
        at.golden("g2 g2", at_s=10.5)
    with at.refused("grotto_left"):
        at.white("D D D D", at_s=10.5)
    with at.refused("not_offered"):
        at.leave(at_s=10.6)
    at.red(again, at_s=11.0)
    assert at.pack("ann") == pack
    assert (at.active, at.phase) == ("bo", "grotto")


@pytest.mark.parametrize(("again", "escapes"), [("X X", False), ("X -", True), ("- -", True)])
def test_both_dice_are_rolled_again_when_both_woke_in_the_tie(seat, again, escapes):
    at = seat("ann", "bo", "cy", tie_goes_to="reroll")
    at.enter(at_s=1.0)
    at.golden("g1 g0", at_s=2.0)
    at.red("X X", at_s=DRAGON_S)
    at.leave(at_s=10.1)
    assert at.rollers() == {"bo": RED}
    with at.refused("must_roll_both"):
        at.roll("red-1 X", at_s=11.0)
    at.red(again, at_s=11.0)
    assert at.pack("ann") == ((1, 1) if escapes else (0, 0))


@pytest.mark.parametrize(("window_s", "last_s"), [(0.0, 10.0), (0.25, 10.25), (5.0, 15.0)])
def test_window_is_as_wide_as_configured_when_the_verdict_waits(seat, window_s, last_s):
    at = race(seat, tie_window_s=window_s)
    at.red("X", at_s=DRAGON_S)
    with at.refused("not_offered"):
        at.leave(at_s=last_s + 0.001)
    assert at.leave(at_s=last_s)[0] == "photo_finish"


def test_unclaimed_gold_goes_along_when_the_adventurer_escapes_the_photo_finish(seat):
    at = race(seat, auto_take_gold=False)
    assert at.count("supply.gold") == 50
    at.red("X", at_s=DRAGON_S)
    assert at.leave(at_s=10.05) == ["photo_finish", "gold", "left", "your_turn"]
    assert at.pack("ann") == ESCAPED


# --- going back -----------------------------------------------------------------------------------


def test_dragon_die_is_rolled_anew_when_it_was_taken_back(seat):
    at = race(seat)
    at.red("X", at_s=DRAGON_S)
    at.wait(10.1)
    assert at.undo() == ["undo"]
    assert at.phase == "cavern"
    assert at.treasure("pouch") == ESCAPED
    assert at.rollers() == {"ann": GOLD, "cy": ("red-2",)}
    at.red("-", at_s=DRAGON_S)
    assert at.leave(at_s=10.05) == ["left", "your_turn"]


def test_leave_becomes_a_photo_finish_when_a_misread_blank_is_corrected(seat):
    at = race(seat)
    at.red("-", at_s=DRAGON_S)
    misread = at.referee.number
    at.leave(at_s=10.05)
    assert at.correct(misread, Rolled({"red-2": "dragon"})) == ["corrected"]
    assert at.pack("ann") == ESCAPED
    assert at.active == "bo"


def test_correction_is_refused_when_a_later_leave_came_too_late(seat):
    at = race(seat)
    at.red("-", at_s=DRAGON_S)
    misread = at.referee.number
    at.leave(at_s=10.2)
    with at.refused("later_steps_do_not_fit"):
        at.correct(misread, Rolled({"red-2": "dragon"}))
    at.correct(misread, Rolled({"red-2": "dragon"}), drop_later=True)
    assert at.phase == "photo_finish"
    at.undo()
    assert at.pack("ann") == ESCAPED


def test_answered_wait_falls_away_when_the_dragon_is_corrected_to_a_blank(seat):
    at = race(seat)
    at.red("X", at_s=DRAGON_S)
    misread = at.referee.number
    at.wait(10.1)
    at.correct(misread, Rolled({"red-2": "blank"}))
    assert at.phase == "cavern"
    assert at.treasure("pouch") == ESCAPED
    at.undo()
    assert at.pack("cy") == (1, 1)


# --- the reminder ---------------------------------------------------------------------------------


def test_adventurer_is_reminded_when_the_gold_dice_lay_still_for_long(seat):
    at = seat("ann", "bo", cavern_timeout_s=20.0)
    at.enter(at_s=1.0)
    assert at.open_offers(Wait) == []
    at.golden("g1 g0", at_s=5.0)
    at.red("- -", at_s=8.0)
    assert at.open_offers(Wait) == [Wait(25.0)]
    assert at.wait(25.0) == ["reminder"]
    assert at.open_offers(Wait) == []
    assert at.phase == "cavern"
    at.golden("g0 g0", at_s=30.0)
    assert at.open_offers(Wait) == [Wait(50.0)]
    assert at.leave(at_s=51.0) == ["reminder", "left", "your_turn"]


@pytest.mark.parametrize("options", [{}, {"cavern_timeout_s": 20.0}])
def test_nobody_is_reminded_when_it_is_off_or_there_is_no_clock(seat, options):
    at = seat("ann", "bo", **options)
    at.enter()
    at_s = None if options else 5.0
    at.golden("g1 g0", at_s=at_s)
    assert at.open_offers(Wait) == []


# --- stale taps -----------------------------------------------------------------------------------


def test_leave_is_fresh_when_only_dice_were_rolled_since(seat):
    at = race(seat)
    seen = at.referee.number
    at.golden("g0 g0", at_s=7.0)
    at.red("-", at_s=8.0)
    at.referee.check_fresh(Chose("ann", "leave"), seen)
    at.red("X", at_s=DRAGON_S)
    at.referee.check_fresh(Chose("ann", "leave"), seen)


def test_leave_is_stale_when_it_answers_an_earlier_turn(seat):
    at = seat("ann", "bo")
    at.white("D D T K")
    seen = at.referee.number
    at.leave()
    at.white("D T T K")
    at.leave()
    at.white("D D T K")
    with pytest.raises(StaleTap):
        at.referee.check_fresh(Chose("ann", "leave"), seen)
    at.referee.check_fresh(Chose("ann", "leave"), at.referee.number)


def test_since_tells_from_which_step_on_an_offer_lies_there(seat):
    at = race(seat)
    leave = next(o for o in at.referee.offers if getattr(o, "choice", "") == "leave")
    entered = next(s.number for s in at.referee.history if "cavern" in told(s))
    assert at.referee.since(leave) == entered
    at.golden("g0 g0", at_s=7.0)
    assert at.referee.since(leave) == entered


def told(step):
    """Names of the cues of a step."""
    return [one.cue.name for one in step.told]


def test_undo_is_stale_when_something_happened_since(seat):
    at = race(seat)
    seen = at.referee.number
    at.referee.check_fresh(Undo(), seen)
    at.golden("g0 g0", at_s=7.0)
    with pytest.raises(StaleTap):
        at.referee.check_fresh(Undo(), seen)


def test_game_can_end_when_the_window_of_the_last_race_passes(seat):
    at = seat("ann", "bo")
    at.adjust("supply.gold", 1)
    at.enter("K O T T", at_s=1.0)
    at.golden("g2 g2", at_s=5.0)
    at.red("X X", at_s=DRAGON_S)
    assert at.wait(10.1) == ["dragon_awake", "shared", "game_over"]
    assert at.referee.outcome == Outcome(
        ("bo",), {"ann": 0, "bo": 3}, "Bo wins with treasure worth 3."
    )


def test_roll_is_stale_when_the_same_dice_are_another_players_now(seat):
    at = seat("ann", "bo")
    roll = Rolled(dict.fromkeys(WHITE, "diamond"))
    at.white("D D D D")
    at.referee.check_fresh(roll, 0)
    at.leave()
    with pytest.raises(StaleTap):
        at.referee.check_fresh(roll, 0)
    at.referee.check_fresh(roll, 2)


def test_leave_is_stale_when_its_offer_has_gone_for_good(seat):
    at = seat()
    at.white("D D T K")
    seen = at.referee.number
    at.leave()
    with pytest.raises(StaleTap):
        at.referee.check_fresh(Chose("ann", "leave"), seen)


def test_tap_is_stale_when_it_was_made_in_a_longer_game(seat):
    at = seat()
    with pytest.raises(StaleTap):
        at.referee.check_fresh(Chose("ann", "leave"), 40)


def test_tap_that_was_never_offered_is_left_to_the_refusal(seat):
    at = seat()
    at.referee.check_fresh(Chose("bo", "leave"), 0)
