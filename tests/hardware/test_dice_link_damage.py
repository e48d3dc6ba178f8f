"""The time of reports on a bad line: no damage makes another report, and no watermark breaks."""

import random

import pytest
from dice_receiver import DICE, FACES, Receiver, linked, of_dice
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware import wire
from hardware.dice_link import DiceLink
from hardware.dice_messages import (
    DieLies,
    DieMoved,
    DieSettled,
    LinesLost,
    Message,
    Watermark,
)
from hardware.noise import LineNoise


def test_watermark_is_never_broken_when_the_clock_is_understood_better() -> None:
    receiver = Receiver()
    link = DiceLink(DICE)
    link.connection_made(0.0)
    told = link.receive_data(receiver.hello(0) + receiver.beat(0), 0.3)  # needed 300 ms
    mark = next(one for one in told if isinstance(one, Watermark))
    told = link.receive_data(receiver.report("MOVE", "d-a", 20) + receiver.beat(400), 0.4)
    moved = of_dice(told)[0]
    assert moved.at_s > mark.at_s  # type: ignore[union-attr]


def test_report_from_before_the_receiver_started_says_how_little_its_time_is_known() -> None:
    """A die keeps what nobody heard; the new receiver has no moment for it but its own start."""
    old, new = Receiver("aaaa"), Receiver("bbbb")
    link = linked(old)
    link.receive_data(old.beat(4000), 4.0)
    told = link.receive_data(new.hello(0) + new.report("FACE", "d-a", 0, "1"), 5.0)
    (settled,) = of_dice(told)
    assert isinstance(settled, DieSettled)
    assert settled.at_s - settled.within_s <= 4.001
    assert settled.at_s + settled.within_s >= 4.999


def test_throw_that_is_told_again_by_a_new_receiver_is_no_other_throw() -> None:
    """The die had not heard that its report came, and says it again."""
    old, new = Receiver("aaaa"), Receiver("bbbb")
    link = linked(old)
    data = old.report("MOVE", "d-a", 1000) + old.report("FACE", "d-a", 1500, "1")
    assert [type(one) for one in of_dice(link.receive_data(data, 1.5))] == [DieMoved, DieSettled]
    data = new.hello(0) + new.report("FACE", "d-a", 0, "1")
    assert [type(one) for one in of_dice(link.receive_data(data, 5.0))] == [DieLies]
    data = new.report("MOVE", "d-a", 900) + new.report("FACE", "d-a", 1500, "1")
    assert [type(one) for one in of_dice(link.receive_data(data, 6.5))] == [DieMoved, DieSettled]


def test_new_game_sets_the_time_back_without_harm() -> None:
    receiver = Receiver()
    link = linked(receiver, at_s=500.0)
    link.receive_data(receiver.beat(9000), 509.0)
    told = link.receive_data(receiver.beat(10_000), 0.0)
    assert told[-1].at_s == pytest.approx(0.0, abs=0.03)  # type: ignore[union-attr]
    told = link.receive_data(receiver.report("MOVE", "d-a", 10_500), 0.5)
    assert told[0].at_s == pytest.approx(0.5, abs=0.03)  # type: ignore[union-attr]


@st.composite
def bad_lines(draw: st.DrawFn) -> tuple[LineNoise, LineNoise, int]:
    share = st.floats(0, 0.25)
    shares = {k: draw(share) for k in ("damaged", "lost", "repeated", "swapped", "foreign")}
    seed = draw(st.integers(0, 2**32))
    return LineNoise(seed, **shares), LineNoise(seed + 1, **shares), seed


@settings(max_examples=40)
@given(bad_lines())
def test_no_damage_to_the_line_ever_makes_another_report(
    bad: tuple[LineNoise, LineNoise, int],
) -> None:
    there, back, seed = bad
    chance, receiver = random.Random(seed), Receiver()
    link = DiceLink(DICE)
    link.connection_made(0.0)
    sent: list[tuple[str, int]] = []
    told: list[Message] = []
    for at_ms in range(0, 3000, 25):
        asked = b"".join(there(line) for line in link.data_to_send().splitlines(True))
        lines = [
            line
            for one in asked.splitlines()
            if one.startswith((b"HELLO", b"PING", b"AGAIN")) and _is_good(one)
            for line in receiver.answers(one, at_ms).splitlines(True)
        ]
        if at_ms < 2000 and chance.random() < 0.3:
            face = chance.choice("123456")
            lines.append(receiver.report("FACE", "d-a", at_ms, face))
            sent.append((FACES[face], at_ms))
        lines.append(receiver.beat(at_ms))
        told += link.receive_data(b"".join(back(line) for line in lines), at_ms / 1000 + 0.004)
    settled = [one for one in told if isinstance(one, DieSettled)]
    for one in settled:
        true = [at_ms / 1000 for face, at_ms in sent if face == one.face]
        assert min(abs(one.at_s - at_s) for at_s in true) <= one.within_s + 0.001
    lost = sum(one.lost for one in told if isinstance(one, LinesLost))
    assert _is_subsequence([one.face for one in settled], [face for face, _ in sent])
    assert lost == link.counts.lost
    marks = [one.at_s for one in told if isinstance(one, Watermark)]
    assert marks == sorted(marks)


def _is_good(line: bytes) -> bool:
    try:
        wire.decode(line)
    except wire.WireError:
        return False
    return True


def _is_subsequence(some: list[str], of: list[str]) -> bool:
    rest = iter(of)
    return all(one in rest for one in some)
