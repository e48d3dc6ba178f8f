"""Dice that are carried, held or lost from sight: what is believed, and what is thrown again."""

import pytest
from rolls_table import Table, faces_of

from companion.offers import Refusal, Roll
from hardware.dice_messages import (
    LinesLost,
    Watermark,
)
from hardware.rolls import CARRIED_S


@pytest.fixture
def table() -> Table:
    return Table()


def test_closed_offers_and_dice_of_other_sources_are_passed_over(table: Table) -> None:
    closed = Roll("bo", ("red-1",), closed=Refusal("not_yet", "Wait for the race."))
    camera = Roll("ann", ("blue-1", "blue-2"), 2)
    mixed = Roll("cy", ("blue-3", "gold-1"), 2)
    table.collector.expect_rolls([closed, camera, mixed])
    assert faces_of(table.rolls(gold_1="blank")) == [{"gold-1": "blank"}]


def test_blocked_die_that_is_carried_away_does_not_hold_up_the_roll(table: Table) -> None:
    table.collector.expect(["white-1", "white-2"], 1)
    table.moves("white-1", "white-4")
    assert table.settles("white-1", "key") == []  # the other one might have been thrown with it
    assert table.collector.take(Watermark(0.2 + CARRIED_S - 0.01)) == []
    (report,) = table.collector.take(Watermark(0.2 + CARRIED_S))
    assert faces_of([report]) == [{"white-1": "key"}]
    assert report.at_s == 0.2 + CARRIED_S


def test_blocked_die_on_its_edge_does_not_hold_up_the_roll(table: Table) -> None:
    table.collector.expect(["white-1", "white-2"], 1)
    table.moves("white-4")
    table.crooked("white-4")
    assert faces_of(table.rolls(white_1="key")) == [{"white-1": "key"}]


def test_crooked_die_may_have_been_thrown_in_place_of_one_that_is_missed(table: Table) -> None:
    table.collector.expect(["white-1", "white-2"], 2)
    table.moves("white-4")
    table.crooked("white-4")
    table.rolls(white_1="key")
    assert table.collector.asked_again == ("white-4",)
    told = table.rolls(white_4="door")
    assert faces_of(told) == [{"white-1": "key", "white-2": "door"}]


def test_lost_lines_put_everything_untold_in_doubt(table: Table) -> None:
    table.collector.expect(["red-1", "red-2"], 2)
    table.moves("red-1", "red-2")
    table.settles("red-1", "dragon")
    assert table.collector.take(LinesLost(1, "1 line never arrived")) == []
    assert table.collector.asked_again == ("red-1", "red-2")
    assert table.settles("red-2", "blank") == []
    assert faces_of(table.rolls(red_1="blank")) == [{"red-1": "blank", "red-2": "blank"}]


def test_settled_dice_are_believed_again_when_they_still_lie_there_after_a_loss(
    table: Table,
) -> None:
    table.collector.expect(["red-1", "red-2"], 2)
    table.rolls(red_1="dragon")
    table.collector.take(LinesLost(0, "the receiver has started again"))
    assert table.collector.asked_again == ("red-1",)
    table.lies("red-1", "dragon")
    assert table.collector.asked_again == ()
    assert faces_of(table.rolls(red_2="blank")) == [{"red-1": "dragon", "red-2": "blank"}]


def test_die_that_shows_another_face_after_a_loss_is_thrown_again(table: Table) -> None:
    table.collector.expect(["red-1", "red-2"], 2)
    table.rolls(red_1="dragon")
    table.collector.take(LinesLost(0, "the receiver has started again"))
    table.lies("red-1", "blank")
    assert table.rolls(red_2="blank") == []
    assert table.collector.asked_again == ("red-1",)


def test_die_in_the_hand_during_a_loss_is_thrown_again_wherever_it_lies(table: Table) -> None:
    table.collector.expect(["red-1", "red-2"], 2)
    table.moves("red-1")
    table.collector.take(LinesLost(1, "1 line never arrived"))
    table.lies("red-1", "dragon")
    assert table.rolls(red_2="blank") == []
    assert table.collector.asked_again == ("red-1",)


def test_loss_of_one_die_leaves_the_others_alone(table: Table) -> None:
    table.collector.expect(["red-1", "red-2"], 2)
    table.rolls(red_1="dragon")
    table.moves("red-2")
    table.collector.take(LinesLost(0, "red-2 was out of reach", "red-2"))
    assert table.collector.asked_again == ("red-2",)
    assert faces_of(table.rolls(red_2="blank")) == [{"red-1": "dragon", "red-2": "blank"}]


def test_die_that_is_only_held_may_be_overtaken_until_it_is_thrown(table: Table) -> None:
    table.collector.expect(["red-1"], 1)
    table.moves("red-1")
    assert table.collector.rolling == {"red-1": 0.1}
    table.holds("red-1")
    assert table.collector.rolling == {}
    table.moves("red-1")
    assert table.collector.rolling == {"red-1": 0.3}
    assert faces_of(table.settles("red-1", "dragon")) == [{"red-1": "dragon"}]


def test_die_that_was_held_and_put_back_is_no_roll(table: Table) -> None:
    table.collector.expect(["red-1", "red-2"], 2)
    table.rolls(red_1="dragon")
    table.moves("red-1")
    table.holds("red-1")
    assert table.lies("red-1", "dragon") == []
    assert faces_of(table.rolls(red_2="blank")) == [{"red-1": "dragon", "red-2": "blank"}]


def test_die_kept_in_the_hand_does_not_hold_up_a_roll_that_is_whole_without_it(
    table: Table,
) -> None:
    table.collector.expect(["white-1", "white-2", "white-3"], 1)
    table.moves("white-1", "white-2", "white-3")
    table.holds("white-3")
    assert table.settles("white-1", "key") == []
    assert table.settles("white-2", "door") == []
    assert table.collector.take(Watermark(0.4 + CARRIED_S - 0.01)) == []
    (report,) = table.collector.take(Watermark(0.4 + CARRIED_S))
    assert faces_of([report]) == [{"white-1": "key", "white-2": "door"}]


def test_die_kept_in_the_hand_is_waited_for_while_too_few_lie_there(table: Table) -> None:
    table.collector.expect(["red-1", "red-2"], 2)
    table.moves("red-1", "red-2")
    table.holds("red-2")
    table.settles("red-1", "dragon")
    assert table.collector.take(Watermark(60.0)) == []
    table.now_s = 60.0
    assert faces_of(table.rolls(red_2="blank")) == [{"red-1": "dragon", "red-2": "blank"}]
