"""What most dice show tells how the camera looks at the floor; one that leans is overruled."""

import numpy as np
import pytest

from camera.agreed_slant import FINE, FOCALS, KNOWN, OFF, Earlier, Ways
from camera.leaning import FOUND, tilted
from camera.slant import Slant

MIDDLES = np.array([(80, 60), (420, 90), (300, 330), (560, 400), (180, 260), (600, 200)], float)
ALL = np.ones(len(MIDDLES), bool)


def looking(tilt, focal=736.0):
    """A camera so many degrees away from straight down."""
    low = np.radians(tilt)
    return Slant(np.array([0.0, np.sin(low), -np.cos(low)]), 60.0, focal, np.array([320.0, 240.0]))


def beside(slant, *by_deg):
    """The same, tilted; dice look as large."""
    other = slant._replace(normal=tilted(slant.normal, np.array([by_deg], float))[0])
    larger = np.median(slant.sides(MIDDLES) / other.sides(MIDDLES))
    return other._replace(scale=other.scale * larger)


def ways_of(slant, middles=MIDDLES):
    """Where dice show their lower sides, in pixels."""
    return slant.down(middles)


def heard(start, spread, ways, middles=MIDDLES, *, offs=OFF, sure=None, earlier=None):
    """What dice say, all of them seen alike well or each as it is told."""
    sure = np.ones(len(middles), bool) if sure is None else sure
    offs = np.broadcast_to(offs, len(middles))
    return Ways(start, spread, middles, ways, offs, sure, earlier)


def apart_deg(one, other):
    return np.degrees(np.arccos(np.clip(np.asarray(one) @ np.asarray(other), -1, 1)))


FINE_DEG = np.degrees(FINE)


@pytest.mark.parametrize("tilt", [5, 20, 38])
@pytest.mark.parametrize("off", [(9, 0), (-6, 7), (0, -11)])
def test_dice_tell_the_slant_better_than_it_was_known(tilt, off):
    true = looking(tilt)
    told = heard(beside(true, *off), FOUND, ways_of(true)).agreed()
    assert apart_deg(told.slant.normal, true.normal) < 1.5 * FINE_DEG
    assert (apart_deg(told.beside.normals, true.normal) < 2 * FINE_DEG).all()


def test_die_that_leans_is_overruled_and_has_no_say_in_what_it_is_compared_with():
    true = looking(20)
    ways = ways_of(true)
    ways[2] += (15, 18)
    told = heard(beside(true, 4, 3), FOUND, ways).agreed()
    assert apart_deg(told.slant.normal, true.normal) < 1.5 * FINE_DEG
    assert apart_deg(told.beside.normals[2], true.normal) < FINE_DEG


def test_dice_that_are_hardly_seen_have_less_of_a_say():
    true = looking(20)
    ways, offs = ways_of(true), np.full(len(MIDDLES), OFF)
    ways[:3] += (6, 4)
    offs[:3] = 4 * OFF
    alike, told = (heard(true, FOUND, ways, offs=one).agreed().slant for one in (OFF, offs))
    assert apart_deg(told.normal, true.normal) < FINE_DEG
    assert apart_deg(alike.normal, true.normal) > 1.5 * FINE_DEG


def test_of_two_dice_each_is_compared_with_the_other():
    flat, other = looking(20), beside(looking(20), 8, 0)
    ways = np.stack([ways_of(flat)[0], ways_of(other)[1]])
    told = heard(looking(20), FOUND, ways, MIDDLES[:2]).agreed()
    assert apart_deg(told.beside.normals[1], flat.normal) < FINE_DEG
    assert apart_deg(told.beside.normals[0], other.normal) < 3 * FINE_DEG


def test_die_alone_is_compared_with_what_was_known():
    told = heard(looking(20), FOUND, ways_of(looking(40))[:1], MIDDLES[:1]).agreed()
    assert np.allclose(told.beside.normals, looking(20).normal)


def test_what_is_no_die_for_sure_is_not_heard():
    true, sure = looking(20), ALL.copy()
    ways = ways_of(true)
    ways[:3] = ways_of(beside(true, 12, 9))[:3]
    sure[:3] = False
    told = heard(true, FOUND, ways, sure=sure).agreed()
    assert apart_deg(told.slant.normal, true.normal) < FINE_DEG
    nobody = heard(true, FOUND, ways_of(true), sure=~ALL).agreed()
    assert apart_deg(nobody.slant.normal, true.normal) < FINE_DEG


def test_dice_all_over_the_picture_tell_a_narrower_lens():
    true = looking(25, 736.0 * FOCALS[-1])
    told = heard(looking(25), FOUND, ways_of(true)).agreed()
    assert np.isclose(told.slant.focal, true.focal)
    known = heard(looking(25), KNOWN, ways_of(true)).agreed()
    assert np.isclose(known.slant.focal, 736.0), "a camera that is known has its lens"


def test_camera_that_is_known_is_believed_more_than_two_dice():
    ways = ways_of(looking(28))
    far = [
        apart_deg(heard(looking(20), spread, ways[:2], MIDDLES[:2]).agreed().slant.normal,
                  looking(20).normal)
        for spread in (FOUND, KNOWN)
    ]  # fmt: skip
    assert far[0] > 6 > far[1]


def test_order_of_dice_changes_nothing():
    ways = ways_of(looking(20)) + np.linspace(-6, 6, 12).reshape(-1, 2)
    one = heard(looking(24), FOUND, ways).agreed()
    other = heard(looking(24), FOUND, ways[::-1], MIDDLES[::-1]).agreed()
    assert np.allclose(one.slant.normal, other.slant.normal)
    assert np.allclose(one.beside.normals, other.beside.normals[::-1])


def test_slants_are_doubted_by_all_dice_but_the_one_that_they_are_for():
    true = looking(20)
    ways = ways_of(true)
    ways[0] += (24, -18)
    told = heard(true, FOUND, ways)
    tried = tilted(true.normal, np.array([(0, 0), (4, 0), (8, 0), (16, 0)], float))
    own, others = (told.doubts(tried, true.focal, die) for die in (0, 3))
    assert np.isclose(own[0], 0)
    assert (np.diff(own) > 0).all()
    assert others[0] > 1


def test_floor_that_is_seen_nearly_from_the_side_tells_something_too():
    """Some of the slants that are tried do not meet the floor in that corner of the picture."""
    normal = np.array([1.12, 0.84, -1.0]) / np.linalg.norm([1.12, 0.84, -1.0])
    true = Slant(normal, 60.0, 576.0, np.array([320.0, 240.0]))
    middles = np.array([(60, 40), (320, 200), (200, 300), (625, 465)], float)
    told = heard(true, FOUND, ways_of(true, middles), middles).agreed()
    assert apart_deg(told.slant.normal, true.normal) < 0.1
    assert (apart_deg(told.beside.normals, true.normal) < 0.1).all()


def test_dice_of_earlier_pictures_tell_how_the_camera_looks_at_a_die_alone():
    true, started = looking(20), beside(looking(20), 9, -4)
    odd, earlier = ways_of(true)[:1] + (12, -14), Earlier(MIDDLES[1:], ways_of(true)[1:])
    told = heard(started, FOUND, odd, MIDDLES[:1], earlier=earlier).agreed()
    assert len(told.beside.normals) == len(told.beside.scales) == 1
    assert apart_deg(told.beside.normals[0], true.normal) < 2 * FINE_DEG
    doubts = heard(started, FOUND, odd, MIDDLES[:1], earlier=earlier).doubts(
        np.stack([true.normal, started.normal]), true.focal, 0
    )
    assert doubts[0] < doubts[1]
