"""Offers: what fits them, why something else does not, and whose words are said first."""

import pytest

from companion.actions import Chose, Flipped, Rolled, Waited
from companion.offers import (
    NOT_OFFERED,
    NOT_YOUR_TURN,
    TOO_FEW_DICE,
    VALUE_NOT_OFFERED,
    Choose,
    Flip,
    Refusal,
    Roll,
    Wait,
    accepting,
    why_not,
)

BLOCKED = Refusal("blocked", "Blocked.")
ROLL = Roll("ann", ("a", "b", "c"), at_least=2)
LEAVE = Choose("ann", "leave")
TAKE = Choose("ann", "take", values=("gold", 1))
FLIP = Flip("ann", ("1,1", "2,3"))
WAIT = Wait(10.1)


def rolled(*dice):
    return Rolled(dict.fromkeys(dice, "x"))


@pytest.mark.parametrize(
    ("offer", "action", "refusal"),
    [
        (ROLL, rolled("a", "b"), None),
        (ROLL, rolled("c", "b", "a"), None),
        (ROLL, rolled("a"), TOO_FEW_DICE),
        (ROLL, rolled(), TOO_FEW_DICE),
        (ROLL, rolled("a", "d"), NOT_OFFERED),
        (ROLL, Chose("ann", "leave"), NOT_OFFERED),
        (LEAVE, Chose("ann", "leave"), None),
        (LEAVE, Chose("ann", "leave", "now"), VALUE_NOT_OFFERED),
        (LEAVE, Chose("bo", "leave"), NOT_YOUR_TURN),
        (LEAVE, Chose("ann", "take"), NOT_OFFERED),
        (LEAVE, rolled("a", "b"), NOT_OFFERED),
        (TAKE, Chose("ann", "take", "gold"), None),
        (TAKE, Chose("ann", "take", 1), None),
        (TAKE, Chose("ann", "take", True), VALUE_NOT_OFFERED),
        (TAKE, Chose("ann", "take", 1.0), VALUE_NOT_OFFERED),
        (TAKE, Chose("ann", "take"), VALUE_NOT_OFFERED),
        (TAKE, Chose("ann", "take", ["gold"]), VALUE_NOT_OFFERED),
        (TAKE, Chose("ann", "take", {"gold": 1}), VALUE_NOT_OFFERED),
        (FLIP, Flipped("2,3", "ring"), None),
        (FLIP, Flipped("9,9", "ring"), NOT_OFFERED),
        (FLIP, Chose("ann", "2,3"), NOT_OFFERED),
        (WAIT, Waited(10.1), None),
        (WAIT, Waited(99.0), None),
        (WAIT, Waited(10.0), NOT_OFFERED),
        (WAIT, rolled("a"), NOT_OFFERED),
    ],
)
def test_offer_says_why_not_when_an_action_does_not_fit(offer, action, refusal):
    assert offer.refuses(action) == refusal
    assert (accepting([offer], action) is offer) is (refusal is None)


@pytest.mark.parametrize(
    ("offer", "action"),
    [
        (Roll("ann", ("a",), closed=BLOCKED), rolled("a")),
        (Roll("ann", ("a",), closed=BLOCKED), rolled("a", "z")),
        (Choose("ann", "leave", closed=BLOCKED), Chose("ann", "leave")),
        (Choose("ann", "take", ("gold",), closed=BLOCKED), Chose("ann", "take", "gold")),
        (Choose("ann", "take", closed=BLOCKED), Chose("ann", "take", "anything")),
        (Flip("ann", ("1,1",), closed=BLOCKED), Flipped("1,1", "ring")),
        (Wait(5.0, closed=BLOCKED), Waited(6.0)),
    ],
)
def test_closed_offer_accepts_nothing_when_it_says_why(offer, action):
    assert accepting([offer], action) is None
    assert why_not([offer], action) == BLOCKED


@pytest.mark.parametrize(
    ("offer", "action"),
    [
        (Roll("ann", ("a",), closed=BLOCKED), rolled("z")),
        (Choose("ann", "leave", closed=BLOCKED), Chose("bo", "leave")),
        (Choose("ann", "leave", closed=BLOCKED), Chose("ann", "stay")),
        (Choose("ann", "take", ("gold",), closed=BLOCKED), Chose("ann", "take", "silver")),
        (Flip("ann", ("1,1",), closed=BLOCKED), Flipped("1,2", "ring")),
        (Choose("ann", "take", closed=BLOCKED), rolled("a")),
    ],
)
def test_closed_offer_keeps_silent_when_it_is_not_the_reason(offer, action):
    assert why_not([offer], action) == NOT_OFFERED


def test_open_offer_comes_first_when_a_closed_one_speaks_of_the_same():
    offers = [Choose("ann", "leave", closed=BLOCKED), LEAVE]
    assert accepting(offers, Chose("ann", "leave")) is LEAVE


def test_words_of_the_game_come_first_when_there_are_several_reasons():
    offers = [ROLL, TAKE, Roll("ann", ("d",), closed=BLOCKED)]
    assert why_not(offers, rolled("a", "d")) == BLOCKED
    assert why_not(offers, rolled("a")) == TOO_FEW_DICE
    assert why_not(offers, Chose("bo", "take", "gold")) == NOT_YOUR_TURN
    assert why_not(offers, Chose("ann", "dance")) == NOT_OFFERED
    assert why_not([], rolled("a")) == NOT_OFFERED
