import math
import random

import pytest

from companion.bench.dice_physics import HANDLINGS, calibrated, handled, thrown, told_by
from firmware.motion import (
    CARRIED_MS,
    CROOKED_MS,
    HIT_STILL_MS,
    PUT_MS,
    SAMPLE_MS,
    SET_DOWN_MS,
    STILL_MS,
    UNSURE_MS,
    Motion,
)
from firmware.sides import Sides
from hardware.simulated_motion_hands import Die

Vector = tuple[int, int, int]
FLAT: Vector = (0, 0, 1000)  # side 6 is up
ON_EDGE: Vector = (707, 0, 707)
TREMBLES: tuple[Vector, ...] = tuple((x, 20, 750) for x in (700, 750, 750, 700, 650, 650)) * 3


class Trace:
    """Samples by hand, one every 10 ms, and what the firmware tells about them."""

    def __init__(self) -> None:
        felt = [[1000 * part // 1000 for part in up] for up in Sides("d6").ups]
        self.motion = Motion(Sides("d6", felt))
        self.at_ms = 0
        self.told: list[tuple[str, int, int]] = []
        self.told_at_ms: list[int] = []
        self.upto_ms: list[int] = []

    def feels(self, *vectors: Vector, times: int = 1) -> "Trace":
        for vector in vectors * times:
            self.at_ms += SAMPLE_MS
            before = self.upto_ms[-1] if self.upto_ms else -1
            report = self.motion.sample(self.at_ms, *vector)
            if report is not None:
                assert report[1] > before, "it was promised that nothing more had happened"
                self.told.append(report)
                self.told_at_ms.append(self.at_ms)
            self.upto_ms.append(max(before, self.motion.upto_ms()))
        return self

    def lies(self, at: Vector = FLAT, for_ms: int = 400) -> "Trace":
        return self.feels(at, times=for_ms // SAMPLE_MS)

    def flies(self) -> "Trace":
        return self.feels((30, 10, 20), times=8)

    def tumbles(self) -> "Trace":
        hits: tuple[Vector, ...] = ((2500, 300, -900), (200, -300, 150), (-400, 1900, 800))
        return self.feels(*hits, (100, 100, 300), times=3)

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _, _ in self.told]


def test_die_says_where_it_lies_when_it_starts() -> None:
    assert Trace().lies().told == [("LIES", 10, 6)]


def test_throw_is_told_with_the_side_and_the_moment_of_rest() -> None:
    trace = Trace().lies().flies().tumbles()
    rest_ms = trace.at_ms + SAMPLE_MS
    trace.lies((0, 1000, 0))
    assert trace.told[1:] == [("MOVE", 410, 0), ("FACE", rest_ms, 5)]
    assert trace.told_at_ms[-1] - rest_ms == STILL_MS


def test_die_that_was_only_hit_is_watched_longer_than_one_that_flew() -> None:
    trace = Trace().lies()
    trace.feels((2500, 300, -900), (-300, 200, 1500), (400, -1900, 800), (900, 700, -600), times=4)
    rest_ms = trace.at_ms + SAMPLE_MS
    trace.lies((0, 1000, 0))
    assert trace.told[-1] == ("FACE", rest_ms, 5)
    assert trace.told_at_ms[-1] - rest_ms == HIT_STILL_MS


def test_thrown_die_on_its_edge_is_crooked_and_gets_more_time() -> None:
    trace = Trace().lies().flies().tumbles()
    rest_ms = trace.at_ms + SAMPLE_MS
    trace.lies(ON_EDGE)
    assert trace.told[-1] == ("CROOKED", rest_ms, 0)
    assert trace.told_at_ms[-1] - rest_ms == CROOKED_MS


def test_die_that_falls_off_its_edge_in_time_is_not_crooked() -> None:
    trace = Trace().lies().flies().tumbles().lies(ON_EDGE, 150)
    trace.feels((900, 0, 400), (1900, 0, 300), (800, 0, 100)).lies((1000, 0, 0))
    assert trace.kinds == ["LIES", "MOVE", "FACE"]
    assert trace.told[-1][2] == 4


def slow_turn(times: int, chance: random.Random) -> list[Vector]:
    """What a hand does: from flat to an edge and on, trembling a little."""
    return [
        (i * 700 // times + chance.randrange(-15, 15), 20, 1000 - i * 250 // times)
        for i in range(times)
    ]


def test_hand_is_told_and_takes_back_what_shaking_looked_like() -> None:
    trace = Trace().lies().tumbles().feels(*slow_turn(90, random.Random(1)))
    assert trace.kinds == ["LIES", "MOVE", "HELD"]
    trace.lies()
    assert trace.told[-1] == ("LIES", trace.told[-1][1], 6)


def brought(times: int) -> list[Vector]:
    """A hand brings it to the table, and turns it by a right angle on the way; uneven, as hands."""
    way = [i * 90 / times for i in range(times)]
    return [
        (
            round(900 * math.cos(math.radians(w))),
            100 * (i // 6 % 2),
            round(900 * math.sin(math.radians(w))),
        )
        for i, w in enumerate(way)
    ]


@pytest.mark.parametrize("ms", [CARRIED_MS // 2, CARRIED_MS + 100])
def test_shaken_die_is_no_roll_when_it_was_brought_to_the_table(ms: int) -> None:
    trace = Trace().lies().flies().tumbles().feels(*brought(ms // SAMPLE_MS))
    trace.feels((100, 0, 2400), (0, 0, 1100)).lies()
    assert trace.kinds[-1] == ("LIES" if ms > CARRIED_MS else "FACE")


def test_die_that_slides_far_and_hits_a_wall_has_been_rolled() -> None:
    trace = Trace().lies().flies().tumbles().feels((300, 100, 1000), (230, 60, 990), times=20)
    trace.feels((2400, 0, 900), (300, 0, 1000)).lies()
    assert trace.kinds == ["LIES", "MOVE", "FACE"]


def test_throw_out_of_a_hand_is_told_as_motion_again() -> None:
    trace = Trace().lies().feels(*slow_turn(90, random.Random(2)))
    assert trace.kinds == ["LIES", "MOVE", "HELD"]
    trace.flies().tumbles().lies((0, -1000, 0))
    assert trace.kinds == ["LIES", "MOVE", "HELD", "MOVE", "FACE"]
    assert trace.told[-1][2] == 2


def test_die_that_a_hand_sets_down_on_its_edge_has_not_left_the_hand() -> None:
    trace = Trace().lies().feels(*slow_turn(90, random.Random(3)), *TREMBLES)
    trace.feels((700, 20, 1900), (300, 0, 1100), (150, 0, 1050), (80, 0, 1700)).lies()
    assert trace.kinds == ["LIES", "MOVE", "HELD", "LIES"]


def test_held_die_that_goes_on_after_a_hit_is_told_as_motion_again() -> None:
    trace = Trace().lies().feels(*slow_turn(90, random.Random(3)), *TREMBLES)
    hit_ms = trace.at_ms + SAMPLE_MS
    trace.feels((700, 20, 1900), (300, 0, 1100), *[(400, 0, 900), (300, 200, 950)] * 12)
    assert trace.kinds == ["LIES", "MOVE", "HELD", "MOVE"]
    assert trace.told[-1][1] == hit_ms
    assert trace.told_at_ms[-1] - hit_ms == SET_DOWN_MS


def test_hit_after_a_spin_that_hides_the_flight_is_told_as_motion_at_once() -> None:
    # Half a g that never changes: the sensor lies beside the centre of the spin.
    trace = Trace().lies().feels(*slow_turn(90, random.Random(4)), *TREMBLES)
    trace.feels((350, -60, 600), *[(0, -135, 440)] * 12, (300, 200, 800), (1200, 900, 300))
    assert trace.kinds == ["LIES", "MOVE", "HELD", "MOVE"]
    assert trace.told[-1][1] == trace.told_at_ms[-1] == trace.at_ms


def test_hit_that_no_hand_has_brought_about_smoothly_is_told_as_motion_at_once() -> None:
    # It falls from the height of a finger, and is too heavy in its spin to feel that it flies.
    trace = Trace().lies().feels(*slow_turn(90, random.Random(4)), *TREMBLES)
    trace.feels((300, 260, 370), (0, 440, 290), *[(-80, 470, 280)] * 3, (830, 1090, -130))
    assert trace.kinds == ["LIES", "MOVE", "HELD", "MOVE"]
    assert trace.told[-1][1] == trace.at_ms


def test_slid_die_is_put_not_rolled() -> None:
    trace = Trace().lies().feels((300, 100, 1000), (250, 0, 990), (300, 50, 1010), times=6).lies()
    assert trace.kinds == ["LIES", "MOVE", "LIES"]
    assert trace.told_at_ms[-1] - trace.told[-1][1] == PUT_MS


@pytest.mark.parametrize("ringing", [1, 2])
def test_short_knock_on_the_table_says_nothing(ringing: int) -> None:
    trace = Trace().lies().feels((0, 0, 1900), times=ringing).lies()
    assert trace.kinds == ["LIES"]


def test_spin_that_feels_like_gravity_is_not_taken_for_rest() -> None:
    # In flight a spinning die feels something steady; here 1.08 g along side 6, for 120 ms.
    trace = Trace().lies().tumbles().feels((0, 0, 1080), times=12).tumbles().lies((0, 0, -1000))
    assert trace.told[-1][::2] == ("FACE", 1)
    assert trace.kinds.count("FACE") == 1


def test_nothing_is_promised_that_is_broken_later() -> None:
    chance = random.Random(5)
    for _ in range(20):
        trace = Trace().lies()
        for _ in range(6):
            chance.choice([trace.flies, trace.tumbles, trace.lies])()
            trace.feels(*slow_turn(chance.randrange(5, 60), chance))
            trace.lies(chance.choice([FLAT, ON_EDGE, (1000, 0, 0)]), chance.randrange(20, 400))
        late_ms = [at * SAMPLE_MS - upto for at, upto in enumerate(trace.upto_ms, 1)]
        assert max(late_ms[20:]) <= UNSURE_MS + 3 * SAMPLE_MS


def test_woken_die_says_that_it_moves() -> None:
    trace = Trace().lies()
    assert trace.motion.stir(5000) == ("MOVE", 5000, 0)
    assert trace.motion.phase == "moving"


@pytest.mark.parametrize("shape", ["d6", "d8"])
def test_physical_throws_are_told_with_the_side_that_is_up(shape: str) -> None:
    missed = 0
    for number in range(6):
        rest, told, gone_ms = thrown(f"test/{number}", shape)
        rolls = [one for one in told if one[1] == "FACE"]
        assert all(side == rest.side and at_ms > gone_ms for at_ms, _, _, side in rolls)
        assert all(at_ms - rest.at_ms < 250 for at_ms, *_ in rolls)
        missed += not rolls
    assert missed <= 1


@pytest.mark.parametrize("handling", HANDLINGS)
def test_handling_is_no_roll(handling: object) -> None:
    for number, shape in enumerate(("d6", "d8", "d6")):
        told = handled(f"test/{number}", shape, handling)  # type: ignore[arg-type]
        assert "FACE" not in {kind for _, kind, _, _ in told}


def test_die_in_its_box_says_nothing_while_the_table_shakes() -> None:
    die = Die(random.Random(3))
    die.lie(3000, shaking_g=0.02)
    assert [one[1] for one in told_by(die, calibrated(die, "d6"))] == ["LIES"]
