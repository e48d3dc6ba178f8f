import numpy as np
import pytest

from camera.pips import read_dice
from camera.train_certainty import knots
from camera.train_grounds import GROUNDS, THINGS
from camera.train_tables import LIGHTS, LOOKS, make_picture


@pytest.mark.parametrize("ground", GROUNDS)
def test_pictures_have_the_size_and_the_dice_that_are_asked_for(ground):
    made = make_picture(
        np.random.default_rng(3), size=(320, 240), side_px=40.0, count=2, ground=ground
    )
    assert made.pixels.shape == (240, 320, 3)
    assert made.pixels.dtype == np.uint8
    assert len(made.dice) == 2
    assert made.factors["ground"] == ground
    for die in made.dice:
        x, y, w, h = die.box
        assert 0 <= x < x + w <= 320
        assert 0 <= y < y + h <= 240
        assert die.flaw == ""


@pytest.mark.parametrize("flaw", ["cut", "cocked"])
def test_flawed_dice_say_what_is_wrong(flaw):
    made = make_picture(np.random.default_rng(5), size=(400, 300), side_px=50.0, count=2, flaw=flaw)
    assert [die.flaw for die in made.dice].count(flaw) == 1


@pytest.mark.parametrize("thing", THINGS)
def test_things_change_the_picture(thing):
    plain, strewn = (
        make_picture(np.random.default_rng(6), size=(320, 240), side_px=40.0, count=0,
                     ground="plain", light="even", things=name).pixels
        for name in ("", thing)
    )  # fmt: skip
    assert (plain != strewn).any()


def test_the_same_seed_draws_the_same_picture():
    first, second = (
        make_picture(np.random.default_rng(9), size=(320, 240), side_px=40.0, count=1).pixels
        for _ in range(2)
    )
    assert (first == second).all()


def test_clean_made_up_dice_are_read():
    rng = np.random.default_rng(12)
    right = 0
    for look in LOOKS[:2] * 2:
        made = make_picture(rng, size=(400, 300), side_px=50.0, count=2, ground="felt",
                            light="even", look=look, steep=True)  # fmt: skip
        seen = read_dice(made.pixels)
        same = sorted(r.face for r in seen.readings) == sorted(die.face for die in made.dice)
        assert same or not seen.accepted
        right += same
    assert right >= 3
    assert "dim" in LIGHTS


def test_pooled_shares_never_fall():
    rng = np.random.default_rng(2)
    judged = [(float(raw), bool(rng.random() < raw)) for raw in rng.random(300)]
    pools = knots(judged)
    shares = [share for _, share, _ in pools]
    assert shares == sorted(shares)
    assert sum(n for _, _, n in pools) == 300
