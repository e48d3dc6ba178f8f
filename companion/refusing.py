"""What the referee refuses of itself: strange names, counts that are none, late taps."""

import reprlib
from collections.abc import Container, Mapping

from companion.actions import Adjusted, Chose, Entry, Rolled
from companion.dice import DiceSet
from companion.errors import IllegalAction, StaleTap
from companion.offers import Offer
from companion.words import die_name, face_word, listed, say

MOST = 2**53 - 1  # the largest count that every screen and every JSON reader shows exactly


class RulesFailed(Exception):
    """A script raised; the referee turns this into a refusal."""


def check_names(
    action: Entry,
    dice: DiceSet,
    known_faces: Container[tuple[str, str]],
    seats: Container[str],
) -> None:
    """Raise IllegalAction for a die, a face or a player that this game has not."""
    if type(action) is Rolled:
        for die, face in action.faces.items():
            if die not in dice:
                raise IllegalAction(
                    "unknown_die",
                    say("There is no die {die} in this game.", die=reprlib.repr(die)),
                )
            if (die, face) not in known_faces:
                faces = listed([face_word(one) for one in sorted(set(dice[die].faces))])
                raise IllegalAction(
                    "unknown_face",
                    say(
                        "{die} shows {faces}, not {face}.",
                        die=die_name(die),
                        faces=faces,
                        face=reprlib.repr(face),
                    ),
                )
    elif type(action) is Chose and action.player not in seats:
        raise IllegalAction(
            "unknown_player",
            say("Nobody here is called {name}.", name=reprlib.repr(action.player)),
        )


def failed(bug: Exception) -> RulesFailed:
    """What a script, or a listing of its offers, raised."""
    return RulesFailed(f"{type(bug).__name__}: {bug}")


def check_count(action: Adjusted, counters: Mapping[str, int]) -> None:
    """Raise IllegalAction for a counter that is not there, or a number that is no count."""
    if action.counter not in counters:
        raise IllegalAction(
            "unknown_counter",
            say("There is no counter {counter}.", counter=reprlib.repr(action.counter)),
        )
    if action.value < 0:
        raise IllegalAction("negative_count", "A count cannot be less than 0.")
    if action.value > MOST:
        raise IllegalAction(
            "count_too_large", say("A count cannot be more than {most}.", most=MOST)
        )


def identity(offer: Offer | None) -> tuple[type, str | None, str | None]:
    """What makes an offer the same offer, though its dice or values may have changed."""
    if offer is None:
        return type(None), None, None
    return type(offer), offer.player, getattr(offer, "choice", None)


def stale(message: str) -> StaleTap:
    """The refusal for a tap that answers what is no longer there."""
    return StaleTap("stale_tap", message)


def does_not_fit(number: int) -> IllegalAction:
    """The refusal of a correction that later steps contradict."""
    return IllegalAction(
        "later_steps_do_not_fit",
        say(
            "Step {step} would not fit any more; correct it first, or cut the game off there.",
            step=number,
        ),
        step=number,
    )
