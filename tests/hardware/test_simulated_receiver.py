import random

import pytest

from firmware import wire
from hardware.dice_messages import WiredDie
from hardware.simulated_receiver import SimulatedReceiver

FACES = {"1": "dragon", "2": "blank"}


def receiver(**given: object) -> SimulatedReceiver:
    dice = {"d-a": WiredDie("red-1", FACES), "d-b": WiredDie("red-2", FACES)}
    one = SimulatedReceiver(dice, random.Random(1), **given)  # type: ignore[arg-type]
    told(one, "HELLO", 1, 1, "companion", "host")
    return one


def told(one: SimulatedReceiver, kind: str, number: int, *words: object) -> list[wire.Message]:
    one.hear(wire.encode(kind, "host", "0000", number, 0, *words))
    return [wire.decode(line) for line in one.lines_to_send()]


def said(one: SimulatedReceiver, now_s: float) -> list[wire.Message]:
    one.pass_time(now_s)
    return [wire.decode(line) for line in one.lines_to_send()]


def test_version_is_answered_and_blinking_noted() -> None:
    one = receiver()
    about, done = told(one, "VERSION", 2, "d-a")
    assert (about.kind, about.words) == ("ABOUT", ("simulated", "d6", 2))
    assert (done.kind, done.die, done.words) == ("DONE", "d-a", (2,))
    told(one, "BLINK", 3, "d-b")
    assert one.blinked == ["d-b"]


def test_stranger_is_refused() -> None:
    (answer,) = told(receiver(), "BLINK", 2, "d-z")
    assert (answer.kind, answer.words) == ("REFUSED", (2, "unknown_die"))


def test_die_says_what_it_has_learnt() -> None:
    one = receiver()
    told(one, "LEARN", 2, "d-a", 1, "dragon")
    one.throw({"red-1": "dragon"}, 1.0)
    assert [m.words for m in said(one, 2.0) if m.kind == "FACE"] == [("dragon",)]


def test_die_that_moves_learns_nothing() -> None:
    one = receiver()
    one.pick_up("red-1", 0.1)
    said(one, 0.2)
    (answer,) = told(one, "LEARN", 2, "d-a", 1, "dragon")
    assert answer.words == (2, "moving")


def test_renamed_die_goes_by_its_new_name_in_the_middle_of_a_throw() -> None:
    one = receiver()
    one.throw({"red-1": "dragon"}, 0.1)
    said(one, 0.2)
    (done,) = told(one, "NAME", 2, "d-a", "ruby")
    assert (done.die, done.words) == ("ruby", (2,))
    assert [m.die for m in said(one, 2.0) if m.kind == "FACE"] == ["ruby"]
    (taken,) = told(one, "NAME", 3, "ruby", "d-b")
    assert taken.words == (3, "name_taken")


def test_die_can_be_held_and_put_back() -> None:
    one = receiver()
    one.put_back("red-1", 0.1, "blank")
    one.pick_up("red-1", 0.2)
    one.hold("red-1", 0.6)
    one.put_back("red-1", 0.9, "dragon")
    kinds = [m.kind for m in said(one, 2.0) if m.kind in wire.REPORTS]
    assert kinds == ["LIES", "MOVE", "HELD", "LIES"]
    assert one.face_up("red-1") == "1"


def test_status_is_told_now_and_then() -> None:
    one = receiver(tells_status=True)
    kinds = [m.kind for m in said(one, 6.0)]
    assert kinds.count("BATTERY") == kinds.count("SIGNAL") == 2


@pytest.mark.parametrize("ppm", [-100.0, 100.0])
def test_clock_drifts(ppm: float) -> None:
    one = receiver(drift_ppm=ppm)
    (beat,) = said(one, 1000.0)
    assert beat.at_ms == pytest.approx(1_000_000 + ppm, abs=1)


def test_radio_delays_reports_but_not_their_time_nor_the_order_of_one_die() -> None:
    delays = iter([0.5, 0.0])
    one = receiver(radio_s=lambda: next(delays), margin_s=0.15)
    one.pick_up("red-1", 0.1)
    one.hold("red-1", 0.2)
    assert [m.kind for m in said(one, 0.4)] == ["BEAT"]
    move, held, beat = said(one, 0.7)
    assert [(m.kind, m.at_ms) for m in (move, held)] == [("MOVE", 100), ("HELD", 200)]
    assert beat.words == (550,)
