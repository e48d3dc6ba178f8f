"""What somebody may really have chosen or turned up in an earlier step, as the game lay then.

The game is played again up to that step, as it counts now, on a table that nobody sees; its offers
tell what else was possible. Rolls need none of this: any die may show any of its faces.
"""

import zlib
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from companion.actions import Chose, Correct, Entry, Flipped, Report
from companion.errors import IllegalAction
from companion.offers import Choose, Flip, Offer, accepting
from companion.referee import Referee
from companion.snapshot import describe_report, label_of
from companion.steps import Step
from companion.words import mark, say, word_of

NO_CHOICE = mark("That step is no choice and no tile; of a roll, each die may show any face.")


def is_open_to_change(referee: Referee, now: Step | None) -> bool:
    """True for a choice or a tile that counts, and of which nothing lies covered now."""
    if now is None or not isinstance(now.report.action, Flipped | Chose):
        return False
    return referee.public(now).report.action == now.report.action


def key_of(action: Entry) -> str:
    """A short name for an action: another one for every other action."""
    return f"{zlib.crc32(msgspec.json.encode(action)):08x}"


def alternatives(referee: Referee, number: int) -> list[dict[str, Any]]:
    """What a step may really have been: the action, and its label; as it counts now comes first.

    Raises IllegalAction for a step that does not count, is no choice or tile, or lies covered.
    """
    now = referee.counting.get(number)
    if now is None:
        raise IllegalAction(
            "not_correctable", say("Step {step} does not count any more.", step=number)
        )
    if not is_open_to_change(referee, now):
        if not isinstance(now.report.action, Flipped | Chose):
            raise IllegalAction("not_correctable", NO_CHOICE)
        raise IllegalAction("hidden", "What lies covered now is not told until the end.")
    before = table_before(referee, number)
    action = now.report.action
    others: Sequence[Entry] = ()
    if isinstance(action, Flipped):
        others = flips_beside(referee, before.offers, action)
    elif isinstance(action, Chose):
        others = choices_beside(before.offers, action)
    every = [action, *(other for other in others if other != action)]
    return [{"label": label_for(before, one), "action": msgspec.to_builtins(one)} for one in every]


def table_before(referee: Referee, number: int) -> Referee:
    """A game of its own, as this one lay before a step, as far as it counts now."""
    spare = Referee(referee.game, referee.players, referee.options)
    for step in referee.counting.values():
        if step.number >= number:
            break
        spare.apply(step.report)
    return spare


def flips_beside(referee: Referee, offers: Sequence[Offer], action: Flipped) -> list[Flipped]:
    """What else may have turned up there: what people have put right before comes first."""
    offer = accepting(offers, action)
    faces = offer.faces if isinstance(offer, Flip) else ()
    often = tiles_misread(referee, action.face)
    return [Flipped(action.square, face) for face in sorted(faces, key=lambda f: -often[f])]


def tiles_misread(referee: Referee, face: str) -> Counter[str]:
    """What tiles and cards really were that were taken for `face` in this game."""
    found: Counter[str] = Counter()
    for step in referee.history:
        wish = step.report.action
        if isinstance(wish, Correct) and isinstance(wish.action, Flipped):
            read = referee.step(wish.step).report.action
            if isinstance(read, Flipped) and read.face == face:
                found[wish.action.face] += 1
    return found


def choices_beside(offers: Sequence[Offer], action: Chose) -> list[Chose]:
    """What else this person could have chosen then: other values of the same choice first."""
    mine = [
        offer
        for offer in offers
        if isinstance(offer, Choose) and offer.closed is None and offer.player == action.player
    ]
    mine.sort(key=lambda offer: offer.choice != action.choice)
    return [
        Chose(offer.player, offer.choice, value)
        for offer in mine
        for value in offer.values or (None,)
    ]


def label_for(before: Referee, action: Entry) -> str:
    """What people call this action, on the table as it lay then."""
    if isinstance(action, Flipped):
        return word_of(before.game.labels(before.table, "flip", action.face))
    offer = accepting(before.offers, action)
    if isinstance(action, Chose) and action.value is None and offer is not None:
        return label_of(before, offer)
    return describe_report(before, Report(action))
