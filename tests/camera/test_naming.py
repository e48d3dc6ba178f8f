"""Moved dice take awaited names; the others keep theirs."""

from collections.abc import Collection, Sequence

from hypothesis import given
from hypothesis import strategies as st

from camera.find import Body
from camera.naming import Named, Reading, name_dice, never_left
from companion.dice import DiceSet, Die

DICE = DiceSet.of(
    [Die(f"white-{n}", "white", ("troll", "key")) for n in (1, 2, 3, 4)]
    + [Die(f"gold-{n}", "gold", ("blank", "gold1")) for n in (1, 2)]
)


def die(face: str, x: float, y: float, name: str | None = None, kind: str = "white") -> Reading:
    return Reading(name, kind, face, 0.99, Body(x, y, 0.3, 1.0), (0, 0, 9, 9))


def named(
    before: Sequence[Reading],
    after: Sequence[Reading],
    left: Collection[str] = (),
    awaited: Sequence[str] = ("white-1", "white-2", "white-3", "white-4"),
) -> Named:
    return name_dice(before, after, left, awaited, DICE)


WHITE = ["white-1", "white-2", "white-3", "white-4"]
FOUR = [die("troll", n * 2.0, 1.0, f"white-{n}") for n in (1, 2, 3, 4)]


def test_new_dice_take_awaited_names_when_the_tray_was_empty() -> None:
    told = named([], [die("troll", 1, 1), die("key", 3, 1)], awaited=["white-2", "white-4"])
    assert told.rolled == {"white-2", "white-4"}


def test_untouched_dice_keep_names_when_two_are_rolled_again() -> None:
    after = [FOUR[0], die("key", 5, 5), FOUR[2], die("troll", 7, 5)]
    told = named(FOUR, after, left=["white-2", "white-4"])
    assert told.rolled == {"white-2", "white-4"}
    assert [told.readings[n].name for n in (0, 2)] == ["white-1", "white-3"]


def test_die_was_rolled_when_it_lands_where_it_lay_with_the_same_face() -> None:
    assert named(FOUR, FOUR, left=["white-3"]).rolled == {"white-3"}


def test_nothing_was_rolled_when_nothing_moved() -> None:
    assert named(FOUR, FOUR).rolled == frozenset()


def test_blocked_die_keeps_its_name_when_a_rolled_die_pushes_it() -> None:
    after = [die("troll", 2.9, 1.3), die("key", 5, 5), FOUR[2], FOUR[3]]
    told = named(FOUR, after, left=["white-1", "white-2"], awaited=["white-2"])
    assert told.rolled == {"white-2"}
    assert told.readings[0].name == "white-1"


def test_die_that_was_picked_up_is_not_taken_for_one_that_was_pushed() -> None:
    after = [die("troll", 3.9, 1.3), die("key", 5, 5), FOUR[2], FOUR[3]]
    left = ["white-1", "white-2"]
    assert named(FOUR, after, left, awaited=["white-2"]).rolled == {"white-2"}
    told = name_dice(FOUR, after, left, ["white-2"], DICE, picked_up=left)
    assert (told.rolled, told.among) == (frozenset(), {"white-1", "white-2"})
    told = name_dice(FOUR, after, left, ["white-2"], DICE, picked_up=left, still={0})
    assert told.rolled == {"white-2"}


def test_nobody_can_tell_whether_a_die_was_only_pushed_when_others_were_thrown_unseen() -> None:
    after = [die("troll", 2.3, 1.1), die("key", 9, 9), *FOUR[2:]]
    assert named(FOUR, after, left=["white-2"]).rolled == {"white-2"}
    told = name_dice(FOUR, after, ["white-2"], WHITE, DICE, unseen=True)
    assert (told.rolled, told.among) == (frozenset(), {"white-1", "white-2"})
    alone = name_dice(FOUR, [after[0], *FOUR[1:]], (), WHITE, DICE, unseen=True)
    assert (alone.rolled, alone.among) == (frozenset(), frozenset())


def test_nobody_can_tell_whether_a_die_was_only_turned_when_others_were_thrown_unseen() -> None:
    lay = FOUR[0].body
    after = [die("key", lay.x + 0.1, lay.y), die("key", 9, 9), *FOUR[2:]]
    assert named(FOUR, after, left=["white-2"]).rolled == {"white-2"}
    told = name_dice(FOUR, after, ["white-2"], WHITE, DICE, unseen=True)
    assert (told.rolled, told.among) == (frozenset(), {"white-1", "white-2"})
    aside = name_dice(FOUR, after, ["white-2"], ["white-2"], DICE, unseen=True)
    assert aside.rolled == {"white-2"}


def test_untouched_dice_are_no_roll_when_nobody_could_see_them_for_a_while() -> None:
    told = name_dice(FOUR, FOUR, (), WHITE, DICE, unseen=True)
    assert (told.rolled, told.among) == (frozenset(), frozenset())


def test_free_die_was_not_rolled_when_it_was_only_nudged() -> None:
    after = [die("troll", 2.3, 1.1), *FOUR[1:]]
    told = named(FOUR, after)
    assert told.rolled == frozenset()
    assert told.readings[0].name == "white-1"


def test_die_is_no_roll_when_nobody_awaits_it() -> None:
    told = named([], [die("key", 1, 1)], awaited=[])
    assert told.rolled == frozenset()
    assert told.readings[0].name == "white-1"


def test_kinds_take_only_their_own_names_when_both_are_thrown() -> None:
    after = [die("key", 1, 1), die("gold1", 3, 3, kind="gold")]
    told = named([], after, awaited=["white-3", "gold-2"])
    assert {r.kind: r.name for r in told.readings} == {"white": "white-3", "gold": "gold-2"}


def test_face_that_was_read_stays_when_an_untouched_die_is_seen_less_clearly() -> None:
    unclear = FOUR[0]._replace(face="key", certainty=0.3)
    told = named(FOUR[:1], [unclear])
    assert (told.readings[0].face, told.readings[0].certainty) == ("troll", 0.99)


def test_untouched_die_was_not_rolled_when_it_shows_another_face() -> None:
    told = named(FOUR[:1], [FOUR[0]._replace(face="key")])
    assert told.rolled == frozenset()
    assert (told.readings[0].name, told.readings[0].face) == ("white-1", "key")


def test_face_that_people_named_stays_when_the_camera_sees_another_one() -> None:
    told = named([FOUR[0]._replace(certainty=1.0)], [FOUR[0]._replace(face="key")])
    assert told.rolled == frozenset()
    assert told.readings[0].face == "troll"


def test_die_has_no_name_when_all_of_its_kind_lie_already() -> None:
    told = named(FOUR, [*FOUR, die("key", 9, 9)])
    assert told.readings[4].name is None
    assert told.rolled == frozenset()


def test_nobody_can_tell_what_was_rolled_when_more_dice_were_thrown_than_are_awaited() -> None:
    after = [die(face, 2.0 * n, 9.0) for n, face in enumerate(("key", "troll", "troll", "key"))]
    told = named(FOUR, after, left=WHITE, awaited=["white-1", "white-4"])
    assert told.rolled == frozenset()
    assert told.among == set(WHITE)
    alike = [die("key", 2.0 * n, 9.0) for n in range(4)]
    assert named(FOUR, alike, left=WHITE, awaited=["white-1", "white-4"]).among == set(WHITE)


def test_die_that_is_thrown_again_takes_the_name_of_one_that_nobody_could_tell() -> None:
    before = [die("key", 1, 9, "white-1"), die("troll", 5, 9, "white-3")]
    after = [before[0], die("key", 7, 3)]
    told = name_dice(before, after, ["white-3"], ["white-1"], DICE, loose=["white-1", "white-3"])
    assert told.rolled == {"white-1"}
    assert [reading.name for reading in told.readings] == ["white-3", "white-1"]


def test_die_that_is_known_to_lie_still_leaves_the_awaited_name_to_the_other() -> None:
    after = [die("key", 1, 1), die("troll", 9, 9)]
    told = name_dice([], after, (), ["white-1"], DICE, still={0})
    assert told.rolled == {"white-1"}
    assert told.readings[1].name == "white-1"


def test_die_was_only_out_of_sight_when_it_lies_to_a_hair_as_it_lay() -> None:
    after = [FOUR[0], FOUR[1]._replace(face="key"), die("troll", 6.1, 1.0), die("troll", 9, 9)]
    assert never_left(FOUR, after, set(WHITE)) == {"white-1"}
    assert never_left(FOUR, FOUR, {"white-2"}) == {"white-2"}


PLACES = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6)), unique=True, min_size=0, max_size=5
)


@given(was=PLACES, now=PLACES, awaited=st.sets(st.sampled_from(list(DICE.dice))), data=st.data())
def test_names_are_unique_and_rolled_ones_awaited_for_any_places(
    was: list[tuple[int, int]],
    now: list[tuple[int, int]],
    awaited: set[str],
    data: st.DataObject,
) -> None:
    names = ["white-1", "white-2", "white-3", "white-4", None]
    step = data.draw(st.sampled_from([2.0, 0.7]))  # sides; dice may have been nudged
    before = [die("troll", step * x, step * y, n) for (x, y), n in zip(was, names, strict=False)]
    faces = st.sampled_from(["troll", "key"])
    after = [die(data.draw(faces), step * x, step * y) for x, y in now]
    left = data.draw(st.sets(st.sampled_from(["white-1", "white-2"])))
    loose = data.draw(st.sets(st.sampled_from(WHITE)))
    told = name_dice(before, after, left, sorted(awaited), DICE, loose)
    given_names = [reading.name for reading in told.readings if reading.name is not None]
    assert len(given_names) == len(set(given_names))
    assert told.rolled <= awaited & set(given_names)
    assert told.among <= set(given_names) - told.rolled
    assert [reading.body for reading in told.readings] == [reading.body for reading in after]


def test_die_that_lies_as_it_lay_is_no_die_of_another_kind_for_all_that_is_seen() -> None:
    known = FOUR[0]._replace(certainty=0.5)
    seen = die("gold1", 2.0, 1.0, kind="gold")._replace(certainty=0.7)
    (reading,) = named([known], [seen]).readings
    assert (reading.name, reading.kind, reading.face) == ("white-1", "white", "troll")
