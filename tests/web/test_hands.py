"""Choices in groups, what fits where, and why not: what the templates ask of the offers."""

from typing import Any

from web.hands import Group, fitting, groups, is_long, turning, why_not


def place(face: str, count: int, where: Any) -> dict[str, Any]:
    return {"face": face, "count": count, "where": where}


def offer_of(*values: Any, **more: Any) -> dict[str, Any]:
    return {"type": "choose", "player": "ann", "choice": "place", "values": list(values), **more}


def test_values_are_grouped_by_the_face_that_they_speak_of() -> None:
    one, two, six = place("1", 1, "desert-1"), place("1", 2, "desert-1"), place("6", 1, "forest")
    assert groups(offer_of(one, two, six)) == [
        Group("1", (one, two), ()),
        Group("6", (six,), ()),
    ]
    assert groups(offer_of("red", "blue")) == [Group(None, ("red", "blue"), ())]


def test_values_over_several_spaces_are_folded_when_there_are_many() -> None:
    single = [place("1", 1, f"desert-b-{n}") for n in range(8)]
    pairs = [place("1", 2, [f"desert-b-{n}", f"desert-b-{n + 1}"]) for n in range(7)]
    [group] = groups(offer_of(*single, *pairs))
    assert (group.plain, group.folded) == (tuple(single), tuple(pairs))
    [group] = groups(offer_of(*single[:2], *pairs[:2]))
    assert group.folded == ()


def test_places_say_what_fits_there_now() -> None:
    values = [place("1", 1, "desert-1"), place("3", 2, "desert-1"), place("1", 2, ["b-1", "b-2"])]
    closed = offer_of(place("6", 1, "forest"), closed={"code": "no", "message": "No."})
    assert fitting([offer_of(*values, "red", {"face": "2", "to": "3"}), closed]) == {
        "desert-1": ["1", "3"],
        "b-1": ["1"],
        "b-2": ["1"],
    }


def test_reasons_are_told_once_for_each_name() -> None:
    no, never = {"code": "no", "message": "No."}, {"code": "never", "message": "Never."}
    hand = [offer_of(closed=no), offer_of(closed=no), offer_of(closed=never), offer_of("red")]
    hand.append(offer_of(closed=no, button=True))
    assert why_not(hand) == [("place", ["No.", "Never."])]
    assert not is_long(why_not(hand))
    assert is_long([("place", ["1", "2", "3", "4"])])


def test_squares_that_may_be_turned_up_know_their_offer() -> None:
    flip = {"type": "flip", "player": "ann", "squares": ["0,0", "0,1"]}
    closed = {**flip, "squares": ["2,2"], "closed": {"code": "no", "message": "No."}}
    assert turning([flip, closed]) == {"0,0": flip, "0,1": flip}
