import math
import random

import pytest

from hardware.simulated_motion import (
    QUIET_M_S,
    Accelerometer,
    any_turn,
    cube,
    dot,
    into_body,
    into_room,
    octahedron,
    turned,
    with_up,
)
from hardware.simulated_motion_hands import Die

STILL = Accelerometer(noise_mg=0.0, step_mg=1)


@pytest.mark.parametrize("solid", [cube(), octahedron()])
def test_thrown_die_comes_to_lie_flat_on_one_of_its_sides(solid: object) -> None:
    sides = set()
    for seed in range(15):
        die = Die(random.Random(seed), solid)  # type: ignore[arg-type]
        die.turn = any_turn(die.chance)
        rest = die.throw()
        assert rest.leans_deg < 1.5
        assert 60 < rest.at_ms < 4000
        sides.add(rest.side)
    assert len(sides) >= 4


def test_same_seed_throws_alike() -> None:
    one, other = (Die(random.Random(7)) for _ in range(2))
    assert one.throw() == other.throw()
    assert one.samples == other.samples


def test_flying_die_feels_nothing_but_its_spin() -> None:
    die = Die(random.Random(1), sensor=Accelerometer(noise_mg=0.0, place=(0.002, 0.0, 0.0)))
    die.throw(speed_m_s=0.0, spin_rad_s=0.0, from_m=0.3)
    flying = [one for one in die.samples if 40 < one[0] < 200]
    assert all(max(abs(part) for part in one[1:]) < 30 for one in flying)


def test_die_at_rest_feels_1_g_upwards() -> None:
    die = Die(random.Random(2), sensor=STILL, side=6)
    die.lie(100)
    at_ms, x, y, z = die.samples[-1]
    assert z == pytest.approx(1000, abs=3)
    assert math.hypot(x, y) < 40  # no table is level


def test_hits_saturate_the_sensor_and_its_filter_makes_them_long() -> None:
    sensor = Accelerometer(noise_mg=0.0)
    for _ in range(50):
        sensor.feel((0.0, 0.0, 1.0))
    sensor.feel((0.0, 0.0, 300.0))
    felt = []
    for _ in range(30):
        sensor.feel((0.0, 0.0, 1.0))
        felt.append(sensor.read(random.Random(0))[2])
    assert 1300 < max(felt) < 8000
    assert felt[-1] == pytest.approx(1000, abs=30)


def test_die_that_is_set_down_ends_with_the_side_that_was_wanted() -> None:
    for side in range(1, 9):
        die = Die(random.Random(side), octahedron())
        die.carry(any_turn(die.chance), 300)
        assert die.set_down(side, 300).side == side
        assert die.rest.leans_deg < 3


def test_tipped_die_shows_the_side_beside_it() -> None:
    die = Die(random.Random(3), side=6)
    assert die.tip_over(5).side == 5


def test_turns_keep_lengths_and_angles() -> None:
    chance = random.Random(4)
    turn = any_turn(chance)
    for _ in range(2000):
        turn = turned(turn, (chance.gauss(0, 0.05), chance.gauss(0, 0.05), chance.gauss(0, 0.05)))
    there = into_room(turn, (0.3, -0.4, 1.2))
    assert dot(there, there) == pytest.approx(0.09 + 0.16 + 1.44)
    assert into_body(turn, there) == pytest.approx((0.3, -0.4, 1.2))
    assert into_room(with_up((0.0, 1.0, 0.0), chance), (0.0, 1.0, 0.0)) == pytest.approx((0, 0, 1))


def test_rest_means_slower_than_anybody_sees() -> None:
    assert QUIET_M_S <= 0.012
