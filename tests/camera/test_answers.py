"""Answers are learnt as pictures: limited in number, scaled to fit, kept whole or not at all."""

import itertools
from pathlib import Path

import numpy as np
import pytest

from camera.answers import MOST, TAUGHT, keep, replace, with_answer
from camera.dice_sets import DiceLooks, Kind, load, save


def picture(level, side_px=40):
    return np.full((side_px, side_px, 3), level, np.uint8)


@pytest.fixture
def looks():
    kinds = {"gold": Kind(("blank", "gold1")), "red": Kind(("blank", "dragon"))}
    faces = {"blank": np.array([picture(1), picture(2)])}
    return DiceLooks(kinds, {"gold": faces, "red": faces})


def test_answer_is_learnt_for_the_kind_that_was_asked_about(looks):
    more = with_answer(looks, "red", "dragon", picture(9))
    assert more.patches["red"]["dragon"][0, 0, 0, 0] == 9
    assert len(more.patches["gold"]["blank"]) == 2


def test_picture_of_another_size_is_scaled(looks):
    more = with_answer(looks, "red", "blank", picture(9, side_px=28))
    assert more.patches["red"]["blank"].shape == (3, 40, 40, 3)


def test_oldest_answer_goes_when_there_are_too_many(looks):
    for level in range(100, 100 + 2 * MOST):
        looks = with_answer(looks, "gold", "blank", picture(level))
    levels = looks.patches["gold"]["blank"][:, 0, 0, 0].tolist()
    assert len(levels) == MOST
    assert levels[:2] == [1, 2]
    assert levels[TAUGHT:] == list(range(100 + 2 * MOST - (MOST - TAUGHT), 100 + 2 * MOST))


def test_set_is_kept_whole_when_the_disk_fails(looks, tmp_path, mocker):
    keep(looks, tmp_path)
    mocker.patch("camera.answers.save", side_effect=OSError("disk full"))
    with pytest.raises(OSError, match="disk full"):
        keep(with_answer(looks, "red", "dragon", picture(9)), tmp_path)
    assert load(tmp_path) == looks
    assert sorted(path.name for path in tmp_path.iterdir()) == ["patches.npz", "set.toml"]


@pytest.mark.parametrize("is_cut_after", range(3))
def test_set_can_be_read_wherever_the_power_goes(looks, tmp_path, mocker, is_cut_after):
    """The new set has other faces of one kind, and a kind less."""
    other = np.array([picture(7)])
    new = DiceLooks({"gold": Kind(("gold2",))}, {"gold": {"gold2": other}})
    save(looks, tmp_path)
    replaced = Path.replace
    done = []

    def replace(path, target):
        if len(done) == is_cut_after:
            raise OSError("no power")
        done.append(target)
        return replaced(path, target)

    mocker.patch.object(Path, "replace", replace)
    with pytest.raises(OSError, match="no power"):
        keep(new, tmp_path)
    kept = load(tmp_path).patches
    assert kept.keys() == (new if is_cut_after > 1 else looks).patches.keys()
    assert ("gold2" in kept["gold"]) == (is_cut_after > 1)


def test_set_is_on_the_disk_before_it_takes_the_place_of_the_old_one(looks, tmp_path, mocker):
    done = mocker.Mock()
    done.attach_mock(mocker.patch("camera.answers.os.fsync"), "fsync")
    done.attach_mock(mocker.patch.object(Path, "replace", autospec=True), "replace")
    keep(looks, tmp_path)
    assert [name for name, _, _ in done.mock_calls] == ["fsync"] * 3 + ["replace"] * 3


def test_kept_set_is_the_one_that_save_writes(looks, tmp_path):
    keep(looks, tmp_path / "one")
    save(looks, tmp_path / "other")
    assert load(tmp_path / "one") == load(tmp_path / "other")


def test_set_that_is_learnt_anew_leaves_the_one_before_to_be_taken_from(looks, tmp_path):
    sets = [with_answer(looks, "red", "dragon", picture(level)) for level in (7, 8, 9)]
    assert replace(sets[0], tmp_path) is None
    for old, new in itertools.pairwise(sets):
        assert replace(new, tmp_path) == tmp_path / "before"
        assert (load(tmp_path / "before"), load(tmp_path)) == (old, new)
    assert replace(sets[2], tmp_path) is None  # nothing new
    assert load(tmp_path / "before") == sets[1]


def test_what_was_kept_before_stays_when_the_disk_fails_or_a_set_is_damaged(
    looks, tmp_path, mocker
):
    sets = [with_answer(looks, "red", "dragon", picture(level)) for level in (7, 8, 9)]
    for one in sets[:2]:
        replace(one, tmp_path)
    for writes in ([OSError("disk full")], [None, OSError("disk full")]):
        mocker.patch("camera.answers.keep", side_effect=writes)
        with pytest.raises(OSError, match="disk full"):
            replace(sets[2], tmp_path)
        mocker.stopall()
        assert (load(tmp_path / "before"), load(tmp_path)) == (sets[0], sets[1])
    (tmp_path / "patches.npz").write_bytes(b"PK")
    assert replace(sets[2], tmp_path) is None
    assert (load(tmp_path / "before"), load(tmp_path)) == (sets[0], sets[2])
