"""What tiles look like is learnt from a few pictures, kept, and grouped by the colour of rims."""

import cv2
import numpy as np
import pytest

from camera.dice_sets import load, save
from camera.simulated_square import FACES, SimulatedSquare
from camera.square import ZONE
from camera.symbols import PATCH_PX
from camera.tile_art import BACK
from camera.tiles_looks import by_rim, enrol_simulated_tiles, learn_tiles, pictures_in
from companion.errors import PictureError


@pytest.fixture(scope="module")
def square() -> SimulatedSquare:
    return SimulatedSquare(seed=71, columns=3, size_px=(240, 180))


def patches(colour, count=2):
    picture = np.full((PATCH_PX, PATCH_PX, 3), colour, np.uint8)
    return np.array([picture] * count)


def test_faces_and_backs_are_kinds_of_their_own_when_their_rims_differ():
    looks = enrol_simulated_tiles()
    kinds = {frozenset(kind.faces) for kind in looks.kinds.values()}
    assert kinds == {frozenset(FACES), frozenset([BACK])}
    assert all(set(looks.patches[name]) == set(kind.faces) for name, kind in looks.kinds.items())


def test_kinds_follow_the_colour_of_rims():
    looks = by_rim(
        {
            "ring": patches((220, 220, 220)),
            "ball": patches((200, 205, 200)),
            "spider": patches((40, 40, 180)),
            BACK: patches((30, 90, 30)),
        }
    )
    assert {kind.faces for kind in looks.kinds.values()} == {
        ("ring", "ball"),
        ("spider",),
        (BACK,),
    }


def test_learnt_tiles_can_be_kept_and_loaded(tmp_path, square):
    zone, empty = square.zones()[ZONE], square.empty()
    pictures = []
    for face in ("ring", "ball", BACK):
        square.lay({} if face == BACK else dict.fromkeys(("0,0", "1,2"), face), gaps={"2,2"})
        if face != BACK:
            square.lay(
                dict.fromkeys(("0,0", "1,2"), face),
                gaps=set(square.squares) - {"0,0", "1,2"},
            )
        pictures.append((face, square.frame(1.0).pixels))
    looks = learn_tiles(pictures, zone, empty, columns=3)
    counts = {f: len(found) for faces in looks.patches.values() for f, found in faces.items()}
    assert counts == {"ring": 2, "ball": 2, BACK: 4}
    save(looks, tmp_path / "tiles")
    assert load(tmp_path / "tiles") == looks


def test_pictures_without_tiles_or_with_a_hand_are_refused(square):
    zone, empty = square.zones()[ZONE], square.empty()
    with pytest.raises(PictureError, match="picture 0 of ring: expected tiles"):
        learn_tiles([("ring", empty)], zone, empty, columns=3)
    square.lay({"1,1": "ring"})
    square.reach_in(5.0, stays_s=2.0)
    with pytest.raises(PictureError, match="take it again"):
        learn_tiles([("ring", square.frame(6.0).pixels)], zone, empty, columns=3)


def test_folder_of_pictures_names_what_is_missing(tmp_path, square):
    for face in FACES:
        (tmp_path / face).mkdir()
        assert cv2.imwrite(str(tmp_path / face / "a.png"), square.empty())
    with pytest.raises(PictureError, match=BACK):
        pictures_in(tmp_path)
    (tmp_path / BACK).mkdir()
    assert cv2.imwrite(str(tmp_path / BACK / "a.png"), square.empty())
    assert [face for face, _ in pictures_in(tmp_path)] == [*FACES, BACK]
