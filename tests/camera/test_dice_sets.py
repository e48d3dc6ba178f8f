"""Learnt sets are plain files that can be copied to another table."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from camera.calibrate import ZoneView
from camera.dice_sets import (
    DiceLooks,
    Example,
    Kind,
    joined,
    kinds_of,
    learn,
    load,
    load_if_any,
    save,
)
from camera.simulated import SimulatedTray
from camera.symbols import PATCH_PX
from companion.dice import DiceSet
from companion.errors import ConfigError, PictureError


def test_learnt_set_is_equal_when_saved_and_loaded(grotto_looks: DiceLooks, tmp_path: Path) -> None:
    save(grotto_looks, tmp_path / "set")
    assert load(tmp_path / "set") == grotto_looks


def test_odd_names_survive_when_saved_and_loaded(tmp_path: Path) -> None:
    patch = np.zeros((1, PATCH_PX, PATCH_PX, 3), np.uint8)
    faces = ("ä ö", "1/2", "🐉")
    looks = DiceLooks({'a "b"': Kind(faces)}, {'a "b"': dict.fromkeys(faces, patch)})
    save(looks, tmp_path)
    assert load(tmp_path) == looks


def test_enrolment_learns_every_face_of_every_kind(
    grotto_looks: DiceLooks, grotto_dice: DiceSet
) -> None:
    assert grotto_looks.kinds == kinds_of(grotto_dice)
    assert set(grotto_looks.patches["white"]) == {"troll", "diamond", "key", "door"}
    for name, kind in grotto_looks.kinds.items():
        assert set(grotto_looks.patches[name]) == set(kind.faces)


def test_an_answer_becomes_one_more_picture(grotto_looks: DiceLooks) -> None:
    known = grotto_looks.patches["red"]["dragon"]
    more = grotto_looks.with_patch("red", "dragon", known[0])
    assert len(more.patches["red"]["dragon"]) == len(known) + 1
    assert more != grotto_looks


def test_sets_are_put_together_when_learnt_in_two_lights(grotto_looks: DiceLooks) -> None:
    both = joined([grotto_looks, grotto_looks])
    twice = 2 * len(grotto_looks.patches["white"]["key"])
    assert len(both.patches["white"]["key"]) == twice


def test_sets_are_put_together_when_each_knows_other_faces(grotto_looks: DiceLooks) -> None:
    parts = [
        DiceLooks({"white": Kind((face,))}, {"white": {face: grotto_looks.patches["white"][face]}})
        for face in ("troll", "key")
    ]
    both = joined([*parts, parts[0]])
    assert both.kinds["white"].faces == ("troll", "key")
    assert len(both.patches["white"]["key"]) == len(grotto_looks.patches["white"]["key"])


def test_picture_is_refused_when_no_die_or_two_lie_there(grotto_dice: DiceSet) -> None:
    tray = SimulatedTray(grotto_dice, {"tray": ["white-1", "white-2"]}, seed=4)
    view = ZoneView(tray.zones()["tray"])
    rest_s = tray.throw({"white-1": "key", "white-2": "key"}, 0.0)
    for pixels in (tray.empty(), tray.frame(rest_s).pixels):
        with pytest.raises(PictureError, match="white key: expected one die alone"):
            learn(kinds_of(grotto_dice), [Example("white", "key", pixels)], view, tray.empty())


def test_folder_is_refused_when_it_holds_no_set(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="expected the kinds of a dice set"):
        load(tmp_path)


def test_table_that_has_learnt_nothing_yet_has_no_set(
    grotto_looks: DiceLooks, tmp_path: Path
) -> None:
    assert load_if_any(tmp_path) is None
    save(grotto_looks, tmp_path)
    assert load_if_any(tmp_path) == grotto_looks


def test_set_that_was_copied_in_part_says_what_is_missing(
    grotto_looks: DiceLooks, tmp_path: Path
) -> None:
    save(grotto_looks, tmp_path)
    (tmp_path / "patches.npz").unlink()
    with pytest.raises(ConfigError, match="found no such file; copy it with set.toml, or enrol"):
        load(tmp_path)


@pytest.mark.parametrize("face", ["key", "door"])
def test_set_is_refused_when_its_files_are_not_of_one_set(
    grotto_looks: DiceLooks, tmp_path: Path, face: str
) -> None:
    save(grotto_looks, tmp_path)
    told = (tmp_path / "set.toml").read_text(encoding="utf-8")
    (tmp_path / "set.toml").write_text(told.replace(f'"{face}"', '"boot"'), encoding="utf-8")
    with pytest.raises(ConfigError, match=f"npz: face {face} of .+: expected one of .+boot"):
        load(tmp_path)


def test_damaged_pictures_are_refused_with_the_file_name(
    grotto_looks: DiceLooks, tmp_path: Path
) -> None:
    save(grotto_looks, tmp_path)
    whole = (tmp_path / "patches.npz").read_bytes()
    (tmp_path / "patches.npz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ConfigError, match="patches.npz: expected learnt pictures"):
        load(tmp_path)


def flipped(whole: bytes, at: int) -> bytes:
    return whole[:at] + bytes(byte ^ 0x55 for byte in whole[at : at + 10]) + whole[at + 10 :]


@pytest.mark.parametrize("share", [0.01, 0.1, 0.3, 0.5, 0.7, 0.95, 0.999])
def test_set_is_refused_in_words_wherever_its_file_is_damaged(
    grotto_looks: DiceLooks, tmp_path: Path, share: float
) -> None:
    save(grotto_looks, tmp_path)
    whole = (tmp_path / "patches.npz").read_bytes()
    (tmp_path / "patches.npz").write_bytes(flipped(whole, int(share * len(whole))))
    with pytest.raises(ConfigError, match="patches.npz: expected learnt pictures, got .+; enrol"):
        load(tmp_path)


def test_set_is_refused_in_words_when_a_header_in_its_file_is_damaged(
    grotto_looks: DiceLooks, tmp_path: Path
) -> None:
    save(grotto_looks, tmp_path)
    with np.load(tmp_path / "patches.npz") as found:
        np.savez(tmp_path / "patches.npz", **found)  # not compressed: there the header is found
    whole = (tmp_path / "patches.npz").read_bytes()
    at = whole.index(b"(", whole.index(b"NUMPY"))
    (tmp_path / "patches.npz").write_bytes(whole[:at] + b";" + whole[at + 1 :])
    with pytest.raises(ConfigError, match="patches.npz: expected learnt pictures, got .+; enrol"):
        load(tmp_path)


def test_set_is_refused_in_words_when_a_damaged_header_tells_of_more_than_fits_into_memory(
    grotto_looks: DiceLooks, tmp_path: Path
) -> None:
    save(grotto_looks, tmp_path)
    shape = (999_999_999, 999, 64, 3)  # 192 TB
    with zipfile.ZipFile(tmp_path / "patches.npz", "w") as archive, io.BytesIO() as header:
        told = {"descr": "|u1", "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(header, told)
        archive.writestr("white/key.npy", header.getvalue())
    with pytest.raises(ConfigError, match="patches.npz: expected learnt pictures, got .+; enrol"):
        load(tmp_path)


def test_other_files_in_place_of_pictures_are_refused_without_advice_to_trust_them(
    grotto_looks: DiceLooks, tmp_path: Path
) -> None:
    save(grotto_looks, tmp_path)
    with (tmp_path / "patches.npz").open("wb") as file:
        np.save(file, np.zeros(3))
    with pytest.raises(ConfigError, match="not a zip file; enrol again"):
        load(tmp_path)
    np.savez(tmp_path / "patches.npz")
    with pytest.raises(ConfigError, match="patches.npz: expected at least one picture, got none"):
        load(tmp_path)


def test_pictures_of_a_kind_that_the_set_does_not_name_are_refused_with_the_file_name(
    grotto_looks: DiceLooks, tmp_path: Path
) -> None:
    save(grotto_looks, tmp_path)
    (tmp_path / "set.toml").write_text('[kinds.red]\nfaces = ["dragon"]\n')
    with pytest.raises(
        ConfigError, match="patches.npz: kind .+: expected one of red; copy it together"
    ):
        load(tmp_path)


@pytest.mark.parametrize(
    ("shape", "dtype"),
    [((1, 9, 9, 3), np.uint8), ((0, PATCH_PX, PATCH_PX, 3), np.uint8), ((3,), np.float64)],
)
def test_patches_are_refused_when_they_are_of_another_shape(
    shape: tuple[int, ...], dtype: type
) -> None:
    with pytest.raises(ConfigError, match="white key: expected"):
        DiceLooks({"white": Kind(("key",))}, {"white": {"key": np.zeros(shape, dtype)}})


def test_patches_are_refused_when_their_kind_is_not_in_the_set() -> None:
    with pytest.raises(ConfigError, match="kind green: expected one of"):
        DiceLooks({"white": Kind(("key",))}, {"green": {}})
