"""Blocked dice that are put aside are no roll, and dice that do not come back are missing."""

from camera.find import Body
from camera.naming import Reading, blocked_again
from camera.put_aside import put_aside
from camera.taken_up import TakenUp
from companion.dice import DiceSet, Die

TROLL, KEY, GOLD = ("white", "troll"), ("white", "key"), ("gold", "blank")
DICE = DiceSet.of(Die(f"white-{n}", "white", ("troll", "key")) for n in (1, 2, 3))


def test_blocked_die_was_put_aside_while_more_dice_are_in_a_hand() -> None:
    assert put_aside({4: TROLL}, {"w1": TROLL}, held=2).surely == {4: "w1"}
    both = put_aside({4: TROLL, 5: GOLD}, {"g1": GOLD, "w1": TROLL}, held=3)
    assert both.surely == {4: "w1", 5: "g1"}


def test_nobody_can_tell_when_no_more_dice_are_in_a_hand_than_moved() -> None:
    for held in (0, 1):
        aside = put_aside({4: TROLL}, {"w1": TROLL}, held)
        assert (aside.surely, aside.perhaps) == ({}, {4})


def test_all_were_thrown_when_one_shows_what_no_blocked_die_did() -> None:
    for moved in ({4: KEY}, {4: TROLL, 5: KEY}, {4: TROLL, 5: TROLL}, {}):
        aside = put_aside(moved, {"w1": TROLL}, held=3)
        assert not aside.surely
        assert not aside.perhaps


def test_die_that_was_taken_up_with_the_others_is_missing() -> None:
    taken_up = TakenUp()
    assert taken_up.not_back("abc", "a", (), "bc", 1.0) == set()
    assert taken_up.among("bcd") == {"b", "c"}
    assert taken_up.not_back("a", "ab", "b", "bc", 2.0) == {"c"}
    assert taken_up.among("bc") == {"c"}


def test_die_that_left_at_another_time_or_is_not_awaited_is_not_missing() -> None:
    taken_up = TakenUp()
    taken_up.not_back("abcd", "abd", (), "bc", 1.0)
    assert taken_up.not_back("abd", "b", "b", "bc", 2.0) == set()
    taken_up.forget()
    assert taken_up.among("bc") == set()


def test_die_that_nobody_rolled_is_a_blocked_one_again() -> None:
    lies = [Reading(f"white-{n}", *TROLL, 0.99, Body(n, n, 0, 1), (0, 0, 9, 9)) for n in (1, 2)]
    again = blocked_again(lies, {"white-2"}, {"white-2"}, DICE)
    assert [one.name for one in again] == ["white-1", "white-3"]
    assert list(blocked_again(lies, {"white-2"}, {"white-2", "white-3"}, DICE)) == lies
