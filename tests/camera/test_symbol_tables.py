"""Symbol dice as cubes in lit scenes: taught in one tray, read in others, refused in doubt."""

import shutil

import cv2
import numpy as np
import pytest
from die_drawing import FACES, PLACES, cube, floor, lay, scene, thrown

from camera.bench_dice import paired
from camera.dice_sets import DiceLooks, Kind, load, save
from camera.enrol_dice import Teacher, tell_apart
from camera.face_features import described
from camera.faces import HARDLY, PLAIN, FaceMatcher
from camera.slant import slant_of
from camera.stills import NO_COLOURS, StillReader

TAUGHT_IN, READ_IN = 6, (0, 8)  # seeds of floors


def taught(faces):
    """A set of these faces, with three pictures each."""
    teacher = Teacher()
    for face in faces:
        for n in range(3):
            pixels = scene([cube(face, (n - 1.0, 0.5 - 0.4 * n), 15 + 29 * n)], TAUGHT_IN)
            assert teacher.show("white", face, pixels, f"{face} {n}"), teacher.skipped
    return teacher.learnt([("white", face) for face in faces])


@pytest.fixture(scope="module")
def looks():
    """Four faces, one of them blank."""
    return taught(FACES)


@pytest.fixture(scope="module")
def reader(looks):
    return StillReader(looks)


@pytest.mark.parametrize(("seed", "tilt"), [(READ_IN[0], 8.0), (READ_IN[1], 33.0)])
def test_dice_are_read_in_another_tray_from_another_angle(reader, seed, tilt):
    look = reader.read(scene(thrown(), seed, tilt), expect=4)
    assert sorted(reading.face for reading in look.readings) == sorted(FACES)
    assert look.doubts == ()
    assert look.accepted


@pytest.mark.parametrize(("tilt", "lean"), [(8.0, 40), (38.0, 20), (38.0, 30)])
def test_die_that_leans_is_not_accepted(reader, tilt, lean):
    assert not reader.read(scene(thrown(lean), READ_IN[0], tilt), expect=4).accepted


def test_die_that_leans_is_to_be_thrown_again(reader):
    look = reader.read(scene(thrown(lean=40), READ_IN[0], 20.0), expect=4)
    assert [reading.doubt for reading in look.readings].count("cocked") == 1
    assert [told for told in look.doubts if "throw this one again" in told]


def test_accepted_dice_stay_the_same_when_the_picture_is_turned_or_dimmed(reader):
    pixels = scene(thrown(), READ_IN[0], 14.0)
    assert reader.read(pixels).accepted
    others = [np.ascontiguousarray(np.rot90(pixels, turns)) for turns in (1, 2, 3)]
    others += [cv2.convertScaleAbs(pixels, alpha=gain) for gain in (0.7, 1.15)]
    others += [cv2.resize(pixels, None, fx=size, fy=size) for size in (0.8, 1.4)]
    looks = [reader.read(other) for other in others]
    accepted = [look for look in looks if look.accepted]
    assert len(accepted) >= 4
    for look in accepted:
        assert sorted(reading.face for reading in look.readings) == sorted(FACES)


def test_die_that_was_never_taught_keeps_a_roll_from_being_accepted(looks, reader):
    dice = [*thrown()[:2], cube("moon", PLACES[2], 40, body=(30.0, 30.0, 200.0))]
    assert not reader.read(scene(dice, READ_IN[0])).accepted
    only = {face: looks.patches["white"][face] for face in ("sun", "blank")}
    few = StillReader(type(looks)(looks.kinds, {"white": only}))
    assert not few.read(scene(thrown(), READ_IN[0])).accepted


def test_die_cut_by_the_edge_is_not_accepted(reader):
    pixels = scene(thrown(), READ_IN[0])
    box = min((r.box for r in reader.read(pixels).readings), key=lambda box: box[0])
    look = reader.read(np.ascontiguousarray(pixels[:, box[0] + box[2] // 3 :]), expect=4)
    assert not look.accepted
    assert look.doubts


def grey(pixels):
    """The same as a camera shows it that sees in the dark."""
    return cv2.cvtColor(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)


def test_dice_told_apart_by_colours_are_asked_about_in_a_picture_without_any(looks):
    pixels = scene(thrown(), READ_IN[0])
    blue = (looks.patches["white"]["sun"] * (1.0, 0.2, 0.1)).astype(np.uint8)
    kinds = {**looks.kinds, "blue": Kind(("sun",), "#1a33ff")}
    both = DiceLooks(kinds, {**looks.patches, "blue": {"sun": blue}})
    assert StillReader(both).read(pixels).accepted
    look = StillReader(both).read(grey(pixels))
    assert NO_COLOURS in look.doubts
    assert all(reading.doubt for reading in look.readings)
    assert NO_COLOURS not in StillReader(looks).read(grey(pixels)).doubts
    assert NO_COLOURS not in StillReader(both, kinds=["white"]).read(grey(pixels)).doubts


def test_other_count_is_not_accepted(reader):
    pixels = scene(thrown(), READ_IN[0])
    assert not reader.read(pixels, expect=3).accepted
    assert not reader.read(pixels, expect=5).accepted


def test_dice_that_lay_there_in_the_empty_tray_are_none(reader):
    pixels = scene(thrown(), READ_IN[0])
    look = reader.read(pixels, empty=pixels)
    assert look.readings == ()


def test_learnt_pictures_are_told_by_the_others(looks):
    apart = tell_apart(looks)
    assert apart.right == apart.patches == 12
    assert apart.closest is not None
    assert 0.0 < apart.closeness < 1.0


def test_faces_that_look_the_same_after_turning_are_told():
    """A star in the middle has four equal points, a blank face nothing; others have one way."""
    looks = taught(("sun", "moon", "centred", "blank"))
    turns = {face: turn for (_, face), turn in tell_apart(looks).turns.items()}
    assert turns == {"sun": "none", "moon": "none", "centred": "any", "blank": "any"}


def test_set_can_be_copied_to_another_place(looks, reader, tmp_path):
    save(looks, tmp_path / "here")
    shutil.copytree(tmp_path / "here", tmp_path / "there" / "copied")
    shutil.rmtree(tmp_path / "here")
    again = load(tmp_path / "there" / "copied")
    assert again == looks
    pixels = scene(thrown(), READ_IN[0])
    told = [(r.kind, r.face, r.certainty) for r in reader.read(pixels).readings]
    assert told == [(r.kind, r.face, r.certainty) for r in StillReader(again).read(pixels).readings]


def test_picture_with_two_dice_is_not_learnt_from():
    teacher = Teacher()
    assert not teacher.show("white", "sun", scene(thrown()[:2], TAUGHT_IN), "two.jpg")
    assert teacher.skipped == [
        "two.jpg: expected one die alone in the tray, got 2 dice, or one and its hard shadow: "
        "soften the light"
    ]


def test_boxes_cover_whole_dice(reader):
    """A die twice as near the edge of the view shows its sides too; its box holds them."""
    look = reader.read(scene(thrown(), READ_IN[0], 33.0))
    for reading in look.readings:
        x, y, width, height = reading.box
        low, high = reading.corners.min(axis=0), reading.corners.max(axis=0)
        assert x <= low[0]
        assert y <= low[1] + 1
        assert high[0] <= x + width
        assert height > 1.15 * (high[1] - low[1])
    assert len(paired([r.box for r in look.readings], [r.box for r in look.readings])) == 4


def test_slant_is_told_from_exact_dice():
    """Two dice seen from 25 degrees: the way down points down the picture by the sine of it."""
    flat = np.array([(-40.0, -36.2), (40.0, -36.2), (40.0, 36.2), (-40.0, 36.2)])
    corners = np.array([flat + (300, 240), flat + (340, 240)])
    downs = np.tile((0.0, 80 * np.sin(np.radians(25))), (2, 1))
    slant = slant_of(corners, downs, (640, 480))
    assert np.degrees(np.arccos(-slant.normal[2])) == pytest.approx(25, abs=5)
    assert slant.disagrees(corners, downs).max() < 0.08
    leaning = slant.disagrees(corners[:1], downs[:1] * -1.0)
    assert leaning[0, 1] > 0.5


def test_brightness_hardly_changes_how_a_face_is_described():
    patch = cv2.resize(lay(floor(), "sun", (100, 100), 0)[61:139, 61:139], (40, 40))
    dim = np.clip(0.7 * patch, 0, 255).astype(np.uint8)
    other = cv2.resize(lay(floor(), "moon", (100, 100), 0)[61:139, 61:139], (40, 40))
    one, darker, strange = described(np.stack([patch, dim, other]))[0]
    assert np.linalg.norm(one - darker) < 0.25 * np.linalg.norm(one - strange)


def test_blank_dice_of_two_greys_are_told_apart_only_where_their_light_is_clear():
    greys = {kind: np.full((3, 40, 40, 3), level, np.uint8) for kind, level in
             (("black", 25), ("white", 225))}  # fmt: skip
    matcher = FaceMatcher({kind: {"blank": patches} for kind, patches in greys.items()})
    assert matcher.plain == {("black", "blank"), ("white", "blank")}
    black, between, white = matcher.match(
        np.concatenate([np.full((1, 40, 40, 3), level, np.uint8) for level in (25, 85, 225)])
    )
    assert (black.kind, white.kind) == ("black", "white")
    assert between.certainty < 0.8 < min(black.certainty, white.certainty)


def test_faint_symbol_beside_a_blank_face_is_no_blank_face():
    pale = np.full((3, 40, 40, 3), 225, np.uint8)
    shown = pale.copy()
    for number, patch in enumerate(shown):
        cv2.circle(patch, (20, 19 + number), 6, (200, 150, 225), 1, cv2.LINE_AA)
    matcher = FaceMatcher({"pale": {"blank": pale, "ring": shown}})
    assert matcher.plain == {("pale", "blank")}
    blank, ring = matcher.match(np.concatenate([pale[:1], shown[1:2]]))
    assert (blank.face, ring.face) == ("blank", "ring")


def test_grain_of_stone_is_no_symbol():
    rng = np.random.default_rng(3)
    stone = []
    for _ in range(6):
        grain = cv2.GaussianBlur(rng.normal(0, 1, (40, 40)).astype(np.float32), (0, 0), 1.5)
        stone.append(np.clip(110 + 40 * grain[..., None], 0, 255).astype(np.uint8).repeat(3, 2))
    blank = np.array(stone[:3])
    cross = np.array(stone[3:])
    cross[:, 18:22, 10:30] = cross[:, 10:30, 18:22] = 235
    matcher = FaceMatcher({"stone": {"blank": blank, "cross": cross}})
    lengths = [float((described(patches)[0] ** 2).sum(axis=1).min()) for patches in (blank, cross)]
    assert PLAIN < lengths[0] < HARDLY * lengths[1]
    assert matcher.plain == {("stone", "blank")}
