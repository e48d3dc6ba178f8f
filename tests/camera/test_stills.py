"""Symbol dice that were taught from a folder are read in other pictures, in stills and in clips."""

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from die_drawing import FACES, SIDE_PX, floor, lay, teach

from camera.clips import throws_in
from camera.dice_sets import DiceLooks, Kind, load
from camera.enrol_dice import Teacher, learn_dice, pictures_below
from camera.faces import Likeness
from camera.leaning import Leaning, LeanVoter
from camera.pictures import load_picture
from camera.seek import Seen
from camera.stills import StillReader, _is_die, as_values
from camera.upper_sides import Top
from companion.cli import main
from companion.errors import ConfigError, PictureError


@pytest.fixture(scope="module")
def lessons(tmp_path_factory):
    """A folder with four pictures of each face."""
    return teach(tmp_path_factory.mktemp("lessons"), 4)


@pytest.fixture(scope="module")
def looks(lessons):
    return learn_dice(lessons, Teacher(), pictures_below(lessons))


def throw(light=1.0):
    """Three dice in a tray that is not the one of the lessons."""
    pixels = floor(99, light)
    for face, at, turn in (
        ("sun", (100, 100), 40),
        ("moon", (250, 220), 77),
        ("star", (390, 120), 12),
    ):
        lay(pixels, face, at, turn, light)
    return pixels


@pytest.mark.parametrize("light", [1.0, 0.75])
def test_taught_faces_are_read_when_they_lie_elsewhere(looks, light):
    look = StillReader(looks).read(throw(light), expect=3)
    assert [reading.face for reading in look.readings] == ["sun", "moon", "star"]
    assert all(reading.kind == "white" for reading in look.readings)
    for reading, x, y in zip(look.readings, (100, 250, 390), (100, 220, 120), strict=True):
        assert np.hypot(*(reading.corners.mean(axis=0) - (x, y))) < 0.1 * SIDE_PX


def test_roll_is_not_accepted_when_the_count_differs(looks):
    look = StillReader(looks).read(throw(), expect=4)
    assert not look.accepted
    assert "expected 4 dice, saw 3" in look.doubts


def test_roll_is_not_accepted_when_the_edge_has_left_a_little_of_a_die(looks):
    pixels = lay(throw(), "blank", (60, 300), 0)
    assert len(StillReader(looks).read(pixels).readings) == 4
    cut = np.ascontiguousarray(pixels[:, 75:])
    look = StillReader(looks).read(cut)
    assert not look.accepted
    assert any("cut by the edge" in doubt for doubt in look.doubts)


def test_empty_tray_gives_no_dice(looks):
    look = StillReader(looks).read(floor(5))
    assert look.readings == ()
    assert not look.accepted


def test_face_that_was_never_taught_is_not_read_for_certain(looks):
    few = {face: patches for face, patches in looks.patches["white"].items() if face != "star"}
    look = StillReader(DiceLooks(looks.kinds, {"white": few})).read(
        lay(floor(7), "star", (240, 180), 30)
    )
    assert not look.accepted


def test_picture_of_another_size_is_no_empty_tray(looks):
    with pytest.raises(PictureError, match="the empty tray: expected a picture of 480 x 360"):
        StillReader(looks).read(throw(), empty=floor()[:100])


def test_folder_without_pictures_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="expected folders KIND/FACE"):
        pictures_below(tmp_path)


def test_face_without_any_picture_is_told_and_not_left_out(tmp_path):
    for face in ("troll", "door"):
        (tmp_path / "white" / face).mkdir(parents=True)
    cv2.imwrite(str(tmp_path / "white/troll/00.png"), throw())
    (tmp_path / "white/door/00.heic").write_bytes(b"no picture")
    with pytest.raises(ConfigError, match=r"white/door: expected pictures of this face \(.bmp, "):
        pictures_below(tmp_path)
    (tmp_path / "white/door").rename(tmp_path / "white/.door")
    assert [face for _, face, _ in pictures_below(tmp_path)] == ["troll"]


def test_commands_enrol_and_read(lessons, tmp_path):
    done = CliRunner().invoke(main, ["enrol", str(tmp_path / "set"), "--from", str(lessons)])
    assert done.exit_code == 0, done.output
    assert load(tmp_path / "set").patches["white"].keys() == FACES.keys()
    cv2.imwrite(str(tmp_path / "roll.png"), throw())
    picture = load_picture(str(tmp_path / "roll.png"))
    rows = as_values(StillReader(load(tmp_path / "set")).read(picture).readings)
    assert [row["face"] for row in rows] == ["sun", "moon", "star"]


def test_clip_of_one_roll_tells_it_once(looks, tmp_path):
    """The tray lies empty, dice slide in and come to rest in the frame numbered 12."""
    for number in range(26):
        slide = max(0, 12 - number)
        pixels = floor(100 + number)
        if number >= 4:
            for n, (face, x, y) in enumerate((("sun", 120, 120), ("moon", 330, 210))):
                lay(pixels, face, (x + 9 * slide, y + 5 * slide * (1 - 2 * n)), 30 + 14 * slide)
        cv2.imwrite(str(tmp_path / f"{number:03}.png"), pixels)
    rolls = list(throws_in(tmp_path, looks))
    assert [[die["face"] for die in roll["dice"]] for roll in rolls] == [["sun", "moon"]]
    assert abs(rolls[0]["at_s"] - 12 / 30) < 0.1
    assert rolls[0]["at_s"] < rolls[0]["declared_at_s"]


def blank_between(*others):
    """A blank die between two others, for one alone tells little of how the camera looks."""
    pixels = lay(floor(8), "blank", (240, 180), 30)
    for face, at, turn in zip(others, ((120, 150), (360, 210)), (40, 70), strict=True):
        lay(pixels, face, at, turn)
    return pixels


@pytest.fixture
def flat(mocker):
    """Dice that lie flat for sure: what leans is told elsewhere."""

    def leaning(voter, picture, slant, middles, sure, **_):
        odds = np.full(len(middles), -30.0)
        return Leaning(odds, slant, slant.down(middles), odds)

    mocker.patch.object(LeanVoter, "leaning", leaning)


@pytest.mark.usefixtures("flat")
def test_blank_face_that_is_burnt_out_in_part_is_not_read_for_certain(looks):
    pixels = blank_between("sun", "moon")
    assert StillReader(looks).read(pixels).accepted
    cv2.circle(pixels, (248, 172), SIDE_PX // 5, (255, 255, 255), -1)
    assert not StillReader(looks).read(cv2.GaussianBlur(pixels, (0, 0), 1)).accepted


@pytest.mark.usefixtures("flat")
def test_coloured_blank_die_that_is_burnt_out_wholly_is_not_read_for_certain(looks):
    """A lamp that is mirrored in it may hide any symbol, and its colour."""
    blank = looks.patches["white"]["blank"]
    orange = (blank * np.array([0.15, 0.5, 0.95])).astype(np.uint8)
    taught = DiceLooks({"orange": Kind(("blank",))}, {"orange": {"blank": orange}})
    pixels = blank_between("blank", "blank")
    pixels[pixels.min(axis=2) > 150] = (240, 254, 255)
    assert not StillReader(taught).read(pixels).accepted
    assert StillReader(DiceLooks(looks.kinds, {"white": {"blank": blank}})).read(pixels).accepted


def with_symbol(blank, grey):
    """Pictures of a face with a symbol of that much light on the bodies of others."""
    patches = blank.copy()
    patches[:, 12:28, 16:24] = grey
    return patches


@pytest.mark.usefixtures("flat")
@pytest.mark.parametrize(("grey", "accepted"), [(60, True), (190, False)])
def test_blank_white_die_that_is_burnt_out_may_be_another_whose_symbol_is_pale(
    looks, grey, accepted
):
    pixels, blank = blank_between("blank", "blank"), looks.patches["white"]["blank"]
    faces = {"blank": blank, "sun": with_symbol(blank, grey)}
    reader = StillReader(DiceLooks(looks.kinds, {"white": faces}))
    assert reader.read(pixels).accepted
    pixels[pixels.min(axis=2) > 150] = (253, 254, 255)
    look = reader.read(pixels)
    assert {reading.face for reading in look.readings} == {"blank"}
    assert look.accepted is accepted


@pytest.mark.parametrize(
    ("heat", "certainty", "is_blank", "leans", "told"),
    [
        (0.8, 0.0, True, 0.1, True),  # whatever it shows, it looks like a die
        (0.6, 0.2, False, 0.1, False),
        (0.6, 0.2, False, 0.9, False),
        (0.6, 0.2, False, 0.95, True),  # no shadow leans
        (0.6, 0.4, True, 0.1, True),
        (0.4, 0.6, False, 0.1, True),  # no floor looks like a symbol
        (0.4, 0.6, True, 0.1, False),
        (0.4, 0.6, True, 0.99, False),
        (0.4, 0.95, True, 0.1, True),
    ],
)
def test_what_looks_little_like_a_die_is_one_if_it_shows_a_symbol_or_leans(
    heat, certainty, is_blank, leans, told
):
    corners = np.array([(0.0, 0.0), (60.0, 0.0), (60.0, 60.0), (0.0, 60.0)])
    top = Top(Seen(corners, heat, 0.1, np.zeros(2)), corners, np.zeros(3))
    like = Likeness("white", "sun", certainty, (("white", "sun", 1.0),), 0.5, 0.0)
    assert _is_die(top, like, leans, is_blank=is_blank) == told
