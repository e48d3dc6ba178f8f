"""Dice that say that they were put back while others were rolled: were they thrown as well?"""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rolls_table import RED, WHITE, Table, faces_of

from companion.offers import Roll
from hardware.dice_messages import DieLies, DieMoved, DieSettled, LinesLost, Watermark
from hardware.rolls import CARRIED_S, NUDGED_S, TOGETHER_S, RollCollector, RollInDoubt

NAMES = tuple(die.name for die in WHITE)
LAY = {name: "troll" for name in NAMES}
MARGIN_S = 0.05


@pytest.fixture
def table() -> Table:
    """Four white dice that show trolls; any of them may be rolled."""
    table = Table()
    lay(table)
    table.collector.expect(NAMES, 1)
    return table


def lay(table: Table) -> None:
    for name, face in LAY.items():
        table.lies(name, face)


def thrown_but_missed(table: Table, face: str) -> list[dict[str, str]]:
    """Two dice are thrown; the firmware of the second does not notice."""
    table.moves("white-1", "white-2")
    table.now_s += 1.0
    told = table.settles("white-1", "key")
    return faces_of(told + table.lies("white-2", face))


@pytest.mark.parametrize("face", ["troll", "door"])
def test_die_that_was_laid_down_with_the_throw_puts_the_roll_in_doubt(
    table: Table, face: str
) -> None:
    assert thrown_but_missed(table, face) == []
    doubt = table.collector.in_doubt
    assert doubt == RollInDoubt("white-2", face, {"white-1": "key"}, table.now_s)
    assert table.collector.take(Watermark(table.now_s + 60.0)) == []


def test_roll_is_whole_when_the_table_says_that_the_die_was_rolled(table: Table) -> None:
    thrown_but_missed(table, "door")
    [report] = table.collector.was_rolled("white-2")
    assert faces_of([report]) == [{"white-1": "key", "white-2": "door"}]
    assert (report.at_s, report.source) == (table.now_s, "serial:test")
    assert table.collector.in_doubt is None


def test_roll_is_told_without_it_when_the_table_says_that_it_was_put_back(table: Table) -> None:
    thrown_but_missed(table, "door")
    [report] = table.collector.was_put_back("white-2")
    assert faces_of([report]) == [{"white-1": "key"}]
    assert table.collector.in_doubt is None
    assert faces_of(table.rolls(white_2="key")) == [{"white-2": "key"}]


def test_die_in_doubt_that_is_thrown_again_joins_the_roll(table: Table) -> None:
    thrown_but_missed(table, "door")
    table.moves("white-2")
    assert table.collector.in_doubt is None
    told = table.settles("white-2", "diamond")
    assert faces_of(told) == [{"white-1": "key", "white-2": "diamond"}]


def test_doubt_stays_when_its_die_is_lifted_once_more_and_laid_as_it_lay(table: Table) -> None:
    thrown_but_missed(table, "door")
    table.moves("white-2")
    table.now_s += CARRIED_S
    assert table.collector.take(Watermark(table.now_s)) == []
    assert table.lies("white-2", "troll") == []
    assert table.collector.in_doubt is not None


def test_every_die_in_doubt_is_asked_about(table: Table) -> None:
    table.moves("white-1", "white-2", "white-3")
    table.now_s += 1.0
    table.settles("white-1", "key")
    table.lies("white-2", "door")
    table.lies("white-3", "door")
    assert table.collector.was_put_back("white-2") == []
    assert table.collector.in_doubt is not None
    assert faces_of(table.collector.was_rolled("white-3")) == [
        {"white-1": "key", "white-3": "door"}
    ]


def nudged(table: Table) -> None:
    table.moves("white-2")
    table.now_s += NUDGED_S - 0.1 - MARGIN_S
    table.lies("white-2", "troll")


def laid_by_a_hand_that_was_felt(table: Table) -> None:
    table.moves("white-2")
    table.holds("white-2")
    table.now_s += 1.0
    table.lies("white-2", "door")


def put_aside_before(table: Table) -> None:
    table.moves("white-2")
    table.now_s += 1.0
    table.lies("white-2", "troll")
    table.now_s += TOGETHER_S + MARGIN_S


@pytest.mark.parametrize("honest", [nudged, laid_by_a_hand_that_was_felt, put_aside_before])
def test_honest_put_back_is_neither_a_roll_nor_a_question(
    table: Table, honest: Callable[[Table], None]
) -> None:
    table.moves("white-1")
    honest(table)
    assert faces_of(table.settles("white-1", "key")) == [{"white-1": "key"}]
    assert table.collector.in_doubt is None


def test_die_that_is_kept_in_the_hand_and_laid_back_as_it_lay_is_no_question(table: Table) -> None:
    table.moves("white-1", "white-2")
    table.settles("white-1", "key")
    table.now_s += TOGETHER_S + MARGIN_S
    assert faces_of(table.lies("white-2", "troll")) == [{"white-1": "key"}]


def test_turned_die_is_asked_about_whenever_it_was_laid(table: Table) -> None:
    table.moves("white-2")
    table.now_s += 1.0
    table.lies("white-2", "door")
    table.now_s += 60.0
    assert table.rolls(white_1="key") == []
    assert table.collector.in_doubt is not None


def test_turned_die_that_is_laid_as_it_lay_is_not_asked_about(table: Table) -> None:
    for face in ("door", "troll"):
        table.moves("white-2")
        table.now_s += 1.0
        table.lies("white-2", face)
    table.now_s += 1.0
    assert faces_of(table.rolls(white_1="key")) == [{"white-1": "key"}]


def test_die_that_lies_otherwise_though_nobody_heard_it_move_is_asked_about(table: Table) -> None:
    table.collector.take(LinesLost(2, "2 lines never arrived"))
    table.lies("white-2", "door")
    assert table.rolls(white_1="key") == []
    assert table.collector.in_doubt is not None


def test_roll_that_is_whole_has_no_doubt(table: Table) -> None:
    table.collector.expect(["white-1", "white-3"], 1)
    table.moves("white-1", "white-2", "white-3")  # a blocked one is swept away
    table.settles("white-1", "key")
    table.lies("white-2", "door")
    assert faces_of(table.settles("white-3", "key")) == [{"white-1": "key", "white-3": "key"}]


def test_doubts_end_with_their_offer(table: Table) -> None:
    table.moves("white-2")
    table.lies("white-2", "door")
    table.collector.expect(["white-1", "white-2"], 1)
    assert faces_of(table.rolls(white_1="key")) == [{"white-1": "key"}]


def test_die_that_was_laid_down_is_asked_for_again_where_the_others_are_too_few() -> None:
    table = Table()
    lay(table)
    table.collector.expect(NAMES, 4)
    table.moves(*NAMES)
    table.now_s += 1.0
    for name in NAMES[:3]:
        table.settles(name, "key")
    assert table.lies("white-4", "door") == []
    assert table.collector.in_doubt is None
    assert table.collector.asked_again == ("white-4",)
    [told] = faces_of(table.rolls(white_4="key"))
    assert told == dict.fromkeys(NAMES, "key")


def test_hand_is_not_believed_of_dice_whose_firmware_is_not_ours() -> None:
    table = Table()
    table.collector = RollCollector(WHITE, "ble:dice", knows_hands=False)
    lay(table)
    table.collector.expect(NAMES, 1)
    table.moves("white-1")
    laid_by_a_hand_that_was_felt(table)
    assert table.settles("white-1", "key") == []
    assert table.collector.in_doubt is not None


def test_question_names_the_die_by_its_label(table: Table) -> None:
    table.collector.expect(["white-1"], 1)
    table.rolls(white_2="key")  # its label is white-1 from now on
    table.collector.expect(["white-1", "white-3"], 1)
    table.moves("white-2", "white-3")
    table.now_s += 1.0
    table.lies("white-2", "door")
    table.settles("white-3", "key")
    doubt = table.collector.in_doubt
    assert doubt is not None
    assert doubt.die == "white-1"
    [told] = faces_of(table.collector.was_rolled("white-1"))
    assert told == {"white-1": "door", "white-3": "key"}


@given(st.data())
def test_thrown_die_that_nobody_noticed_is_never_left_out_in_silence(data: st.DataObject) -> None:
    """Whatever was done with the dice before: thrown together they are told together, or asked."""
    collector = RollCollector([*WHITE, *RED])
    now_s = 0.0
    for name, face in LAY.items():
        collector.take(DieLies(name, face, now_s, 0.0))
    collector.expect_rolls([Roll("ann", NAMES, 1)])
    for name in data.draw(st.lists(st.sampled_from(NAMES), max_size=4)):
        now_s += 0.5
        collector.take(DieMoved(name, now_s, 0.0))
        now_s += data.draw(st.floats(0.05, 2.0))
        collector.take(DieLies(name, data.draw(st.sampled_from("abc")), now_s, 0.0))
    thrown = data.draw(st.permutations(NAMES))[: data.draw(st.integers(2, 3))]
    seen = data.draw(st.integers(1, len(thrown) - 1))
    truth, told = {}, []
    now_s += 1.0
    for name in thrown:
        told += collector.take(DieMoved(name, now_s, 0.0))
    for name in thrown:
        at_s = now_s + 1.0 + data.draw(st.floats(0.0, TOGETHER_S))
        truth[name] = data.draw(st.sampled_from("abc"))
        kind = DieSettled if name in thrown[:seen] else DieLies
        told += collector.take(kind(name, truth[name], at_s, 0.0))
    assert told == []
    while (doubt := collector.in_doubt) is not None:
        answer = collector.was_rolled if doubt.die in thrown else collector.was_put_back
        told += answer(doubt.die)
    assert faces_of(told) == [dict(sorted(truth.items()))]
