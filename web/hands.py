"""What lies in a hand on the screen: choices in groups, what fits where, and why not."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import msgspec

MOST_OPEN = 12  # values that are shown at once; what needs several places is folded beyond that
FEW_REASONS = 3  # so many closed offers are shown as they are; more are folded

Offer = dict[str, Any]


class Group(NamedTuple):
    """Values of one choice that belong together: with one face, or without any.

    plain   values with a button of their own.
    folded  values that are shown on demand.
    """

    face: str | None
    plain: tuple[Any, ...]
    folded: tuple[Any, ...]


def groups(offer: Offer) -> list[Group]:
    """The values of a choice by the face that they speak of, in the order of the offer."""
    by_face: dict[str | None, list[Any]] = {}
    for value in offer["values"]:
        by_face.setdefault(face_of(value), []).append(value)
    return [Group(face, *parted(values)) for face, values in by_face.items()]


def face_of(value: Any) -> str | None:
    """The face of dice that a value is about, or None."""
    face = value.get("face") if isinstance(value, dict) else None
    return face if isinstance(face, str) else None


def parted(values: list[Any]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Values with a button each, and those over several places, where there are too many."""
    if len(values) <= MOST_OPEN:
        return tuple(values), ()
    wide = [isinstance(v, dict) and isinstance(v.get("where"), list) for v in values]
    plain = [v for v, is_wide in zip(values, wide, strict=True) if not is_wide]
    folded = [v for v, is_wide in zip(values, wide, strict=True) if is_wide]
    return tuple(plain), tuple(folded)


def fitting(offers: Iterable[Offer]) -> dict[str, list[str]]:
    """What may be placed where now: the faces for each place that an open choice names."""
    found: dict[str, list[str]] = {}
    for offer in offers:
        if offer["type"] != "choose" or offer.get("closed"):
            continue
        for value in offer["values"]:
            face = face_of(value)
            places = value.get("where") if face is not None else ()
            for place in places if isinstance(places, list) else [places]:
                faces = found.setdefault(str(place), []) if face and place else []
                if face and face not in faces:
                    faces.append(face)
    return found


def turning(offers: Iterable[Offer]) -> dict[str, Offer]:
    """The open offer by which each square may be turned up."""
    open_ones = (o for o in offers if o["type"] == "flip" and not o.get("closed"))
    return {square: offer for offer in open_ones for square in offer["squares"]}


def is_button(offer: Offer) -> bool:
    """True for what stays a button although it is closed, so that its place does not change."""
    return bool(offer.get("button"))


def why_not(hand: Iterable[Offer]) -> list[tuple[str, list[str]]]:
    """Closed offers by name with all their reasons, each told once."""
    told: dict[str, list[str]] = {}
    for offer in hand:
        if offer.get("closed") and not is_button(offer):
            reasons = told.setdefault(label(offer), [])
            if offer["closed"]["message"] not in reasons:
                reasons.append(offer["closed"]["message"])
    return list(told.items())


def is_long(reasons: list[tuple[str, list[str]]]) -> bool:
    """True for so many reasons that they are shown on demand only."""
    return sum(len(messages) for _, messages in reasons) > FEW_REASONS


def label(offer: Offer) -> str:
    """What an offer is called on a button."""
    return str(offer.get("label") or offer.get("choice") or offer["type"]).replace("_", " ")


def key_of(value: Any) -> str:
    """A value as the key of a JSON object, under which its label is found."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
