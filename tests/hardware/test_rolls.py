""""""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rolls_table import RED, WHITE, Table, faces_of

from companion.actions import Report, Rolled
from companion.offers import Roll
from hardware.dice_messages import (
    DieSettled,
    Greeting,
    LinesLost,
    Watermark,
)


@pytest.fixture
def table() -> Table:
    return Table()


def test_dice_that_moved_together_are_one_report_when_all_lie_still(table: Table) -> None:
    table.collector.expect(["red-1", "red-2"], 2)
    assert table.moves("red-1", "red-2") == []
    assert table.settles("red-2", "blank", 0.010) == []
    assert table.settles("red-1", "dragon") == [
        Report(
            Rolled({"red-1": "dragon", "red-2": "blank"}),
            at_s=0.4,
            within_s=0.010,
            source="serial:test",
        )
    ]


@given(st.permutations(["white-1", "white-2", "white-3"]), st.data())
def test_order_of_moving_and_settling_does_not_matter(
    order: list[str], data: st.DataObject
) -> None:
    table = Table()
    table.collector.expect(["white-1", "white-2", "white-3"], 1)
    settling = data.draw(st.permutations(order))
    assert table.moves(*order) == []
    told = [table.settles(die, "key") for die in settling]
    assert faces_of(list(itertools.chain(*told))) == [dict.fromkeys(sorted(order), "key")]
    assert told[:2] == [[], []]


def test_straggler_is_waited_for(table: Table) -> None:
    table.collector.expect(["red-1", "red-2"], 2)
    assert table.rolls(red_1="dragon") == []
    assert table.collector.take(Watermark(60.0)) == []
    table.now_s = 60.0
    assert faces_of(table.rolls(red_2="blank")) == [{"red-1": "dragon", "red-2": "blank"}]


def test_fewer_dice_are_enough_where_the_offer_says_so(table: Table) -> None:
    table.collector.expect(["white-1", "white-2", "white-3"], 1)
    assert faces_of(table.rolls(white_2="key")) == [{"white-2": "key"}]


def test_next_roll_does_not_carry_faces_of_the_last(table: Table) -> None:
    table.collector.expect(["red-1", "red-2"], 1)
    table.rolls(red_1="dragon", red_2="blank")
    assert faces_of(table.rolls(red_2="blank")) == [{"red-2": "blank"}]


def test_die_put_back_unrolled_is_no_roll(table: Table) -> None:
    table.collector.expect(["red-1", "red-2"], 1)
    table.rolls(red_1="blank", red_2="blank")
    table.moves("red-1")
    assert table.collector.rolling == {"red-1": 0.5}
    assert table.lies("red-1", "dragon") == []
    assert table.collector.rolling == {}


def test_settled_die_that_is_only_nudged_keeps_its_face(table: Table) -> None:
    table.collector.expect(["red-1", "red-2"], 2)
    table.rolls(red_1="dragon")
    table.moves("red-1")
    table.lies("red-1", "dragon")
    assert faces_of(table.rolls(red_2="blank")) == [{"red-1": "dragon", "red-2": "blank"}]


def test_settled_die_that_is_turned_by_hand_has_to_be_thrown_again(table: Table) -> None:
    table.collector.expect(["red-1", "red-2"], 2)
    table.rolls(red_1="blank")
    table.moves("red-1")
    table.lies("red-1", "dragon")
    assert table.rolls(red_2="blank") == []
    assert table.collector.asked_again == ("red-1",)
    assert faces_of(table.rolls(red_1="blank")) == [{"red-1": "blank", "red-2": "blank"}]
    assert table.collector.asked_again == ()


def test_die_thrown_once_more_counts_with_its_last_face(table: Table) -> None:
    table.collector.expect(["red-1", "red-2"], 2)
    table.rolls(red_1="dragon")
    table.rolls(red_1="blank")
    assert faces_of(table.rolls(red_2="blank")) == [{"red-1": "blank", "red-2": "blank"}]


def test_last_die_put_back_completes_the_roll_at_that_moment(table: Table) -> None:
    table.collector.expect(["white-1", "white-2"], 1)
    table.moves("white-1", "white-2")
    assert table.settles("white-1", "key") == []
    (report,) = table.lies("white-2", "troll")
    assert faces_of([report]) == [{"white-1": "key"}]
    assert report.at_s == 0.4


def test_crooked_die_is_asked_for_and_joins_the_same_roll(table: Table) -> None:
    table.collector.expect(["red-1", "red-2"], 2)
    table.moves("red-1", "red-2")
    table.settles("red-1", "dragon")
    assert table.crooked("red-2") == []
    assert table.collector.asked_again == ("red-2",)
    table.moves("red-2")
    assert table.lies("red-2", "dragon") == []  # flattened by a finger: that is no throw
    assert table.collector.asked_again == ("red-2",)
    assert faces_of(table.rolls(red_2="blank")) == [{"red-1": "dragon", "red-2": "blank"}]


def test_labels_follow_the_dice_that_were_really_rolled(table: Table) -> None:
    table.collector.expect(["white-1", "white-3"], 1)
    assert faces_of(table.rolls(white_2="key", white_3="door")) == [
        {"white-1": "key", "white-3": "door"}
    ]
    assert table.collector.labels["white-2"] == "white-1"
    assert table.collector.labels["white-1"] == "white-2"
    table.collector.expect(["white-2"], 1)  # the one that lay there all the time
    assert faces_of(table.rolls(white_1="troll")) == [{"white-2": "troll"}]


def test_labels_never_cross_kinds(table: Table) -> None:
    table.collector.expect(["red-1", "red-2"], 1)
    assert faces_of(table.rolls(white_1="key")) == [{"white-1": "key"}]
    assert table.collector.labels["white-1"] == "white-1"


def test_more_dice_than_awaited_keep_their_names_for_the_table_to_refuse(table: Table) -> None:
    table.collector.expect(["white-1", "white-2"], 1)
    told = table.rolls(white_1="key", white_2="key", white_3="troll")
    assert faces_of(told) == [{"white-1": "key", "white-2": "key", "white-3": "troll"}]


def test_dice_that_nobody_awaits_are_told_each_kind_by_itself(table: Table) -> None:
    table.moves("red-1", "red-2", "white-1")
    assert table.settles("red-1", "dragon") == []
    assert faces_of(table.settles("white-1", "key")) == [{"white-1": "key"}]
    assert faces_of(table.settles("red-2", "dragon")) == [{"red-1": "dragon", "red-2": "dragon"}]


def test_two_parties_in_a_race_never_wait_for_each_other(table: Table) -> None:
    table.collector.expect_rolls(
        [Roll("ann", ("gold-1", "gold-2"), 2), Roll("bo", ("red-1", "red-2"), 2)]
    )
    table.moves("gold-1", "red-1", "red-2", "gold-2")
    table.settles("red-1", "blank")
    assert faces_of(table.settles("red-2", "dragon")) == [{"red-1": "blank", "red-2": "dragon"}]
    table.settles("gold-2", "blank")
    assert faces_of(table.settles("gold-1", "gold2")) == [{"gold-1": "gold2", "gold-2": "blank"}]


def test_step_of_the_other_party_does_not_disturb_dice_in_the_air(table: Table) -> None:
    gold, red = Roll("ann", ("gold-1", "gold-2"), 2), Roll("bo", ("red-1", "red-2"), 2)
    table.collector.expect_rolls([gold, red])
    table.moves("red-1", "red-2")
    table.settles("red-1", "dragon")
    table.collector.expect_rolls([Roll("ann", ("gold-1", "gold-2"), 2), red])
    assert faces_of(table.settles("red-2", "blank")) == [{"red-1": "dragon", "red-2": "blank"}]


def test_faces_of_an_offer_that_left_count_for_nothing(table: Table) -> None:
    table.collector.expect(["red-1", "red-2"], 2)
    table.rolls(red_1="dragon")
    table.collector.expect(["red-2"], 1)  # somebody tapped the roll in
    assert faces_of(table.rolls(red_2="blank")) == [{"red-2": "blank"}]


def test_forgotten_faces_do_not_join_the_next_roll(table: Table) -> None:
    table.collector.expect(["red-1", "red-2"], 2)
    table.rolls(red_1="dragon")
    table.collector.forget()
    assert table.rolls(red_2="blank") == []
    assert faces_of(table.rolls(red_1="blank")) == [{"red-1": "blank", "red-2": "blank"}]


def test_other_key_may_be_put_aside_than_the_one_in_the_book(table: Table) -> None:
    """The book put white-1 aside; the player's hand took white-2, which shows a key as well."""
    table.collector.expect([die.name for die in WHITE], 4)
    table.rolls(white_1="key", white_2="key", white_3="troll", white_4="door")
    table.collector.expect(["white-2", "white-3", "white-4"], 3)
    table.moves("white-2")
    table.lies("white-2", "key")  # carried aside
    told = table.rolls(white_1="door", white_3="key", white_4="troll")
    assert faces_of(told) == [{"white-2": "door", "white-3": "key", "white-4": "troll"}]
    table.collector.expect(["white-2", "white-3"], 2)  # now white-4 is blocked in the book
    told = table.rolls(white_1="troll", white_4="key")  # and the hand left white-3 lying
    assert faces_of(told) == [{"white-2": "troll", "white-3": "key"}]


@settings(max_examples=30)
@given(st.data())
def test_dice_of_a_kind_are_never_refused_for_their_names(data: st.DataObject) -> None:
    """However often other dice of the kind are taken than the book has, the roll fits its offer."""
    table = Table()
    names = [die.name for die in WHITE]
    for _ in range(data.draw(st.integers(1, 6))):
        count = data.draw(st.integers(1, 4))
        awaited = data.draw(st.permutations(names))[:count]
        taken = data.draw(st.permutations(names))[: data.draw(st.integers(1, count))]
        table.collector.expect(awaited, len(taken))
        faces = {die.replace("-", "_"): data.draw(st.sampled_from("abc")) for die in taken}
        (rolled,) = faces_of(table.rolls(**faces))
        assert set(rolled) <= set(awaited)
        assert sorted(rolled.values()) == sorted(faces.values())


def test_watermark_and_greeting_are_no_rolls(table: Table) -> None:
    assert table.collector.take(Greeting("rx", "1", 1, True)) == []
    assert table.collector.take(Watermark(2.5)) == []
    assert table.collector.watermark_s == 2.5
    table.collector.take(Watermark(2.0))
    assert table.collector.watermark_s == 2.5


def test_die_of_another_table_is_passed_over(table: Table) -> None:
    assert table.does(DieSettled("blue-9", "6", 1.0, 0.0)) == []


VERBS = st.sampled_from(["moves", "holds", "settles", "lies", "crooked", "lost"])
NAMES = [die.name for die in [*WHITE, *RED]]


@settings(max_examples=60)
@given(st.lists(st.tuples(VERBS, st.sampled_from(NAMES), st.sampled_from("ab")), max_size=60))
def test_no_report_ever_tells_a_face_that_its_die_did_not_settle_on(
    story: list[tuple[str, str, str]],
) -> None:
    table = Table()
    table.collector.expect_rolls([Roll("ann", ("white-1", "white-2"), 1), Roll("bo", ("red-1",))])
    last_face: dict[str, str] = {}
    for verb, die, face in story:
        if verb == "moves":
            told = table.moves(die)
        elif verb == "holds":
            told = table.holds(die)
        elif verb == "settles":
            last_face[die] = face
            told = table.settles(die, face)
        elif verb == "lost":
            told = table.collector.take(LinesLost(1, ""))
        else:
            told = table.lies(die, face) if verb == "lies" else table.crooked(die)
        bearer = {label: name for name, label in table.collector.labels.items()}
        assert sorted(bearer) == sorted(table.collector.labels)
        for report in told:
            for label, told_face in faces_of([report])[0].items():
                assert last_face[bearer[label]] == told_face
            assert report.at_s is not None
            assert report.at_s <= table.now_s
