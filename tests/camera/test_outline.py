"""The outline of a tray tells how its camera looks at it, for a die that lies there alone."""

import numpy as np
import pytest
from die_drawing import FACES, SIZE_PX, camera_at, cube, scene, thrown

from camera.calibrate import Zone
from camera.outline import slants_drawn
from camera.simulated import SimulatedTray
from camera.tray import Eyes, TrayWatcher
from camera.tray_pips import PipDice
from camera.tray_readers import MixedDice, SymbolDice, tell_slant
from camera.vanishing import FOCALS
from companion.dice import DiceSet

ALONE = ("sun", (0.5, 0.4), 40)
LEANS = 20  # degrees, which seen from the side look like a flat die under another camera


def floor(tilt, width=9.0, depth=6.0, turn=0.0):
    """The corners of a tray's floor, as a camera sees them."""
    x, y = (
        np.array([-width, width, width, -width]) / 2,
        np.array([-depth, -depth, depth, depth]) / 2,
    )
    turned = np.cos(turn) * x - np.sin(turn) * y, np.sin(turn) * x + np.cos(turn) * y
    return camera_at(tilt).project(np.column_stack([*turned, np.zeros(4)]))


def zone(corners):
    return Zone("tray", tuple((float(x), float(y)) for x, y in corners), (9.0, 6.0), SIZE_PX)


def drawn(corners):
    """What an outline tells, under a lens nearly like that of the camera."""
    told = slants_drawn(zone(corners))
    return told[1] if told else None


def degrees_off(slant, tilt):
    upwards = camera_at(tilt).turn @ (0.0, 0.0, 1.0)
    return float(np.degrees(np.arccos(min(1.0, float(slant.normal @ upwards)))))


@pytest.mark.parametrize("tilt", [8, 20, 35])
@pytest.mark.parametrize("size", [(9.0, 6.0), (4.0, 4.0), (3.0, 7.0)])
@pytest.mark.parametrize("turn", [0.0, 0.3, 1.2])
def test_outline_tells_the_slant_however_the_tray_lies(tilt, size, turn):
    slant = drawn(floor(tilt, *size, turn))
    assert degrees_off(slant, tilt) < 3.0  # as far off as the focal length is


def test_outline_tells_the_slant_for_each_lens():
    told = slants_drawn(zone(floor(20)))
    assert [one.focal for one in told] == [share * SIZE_PX[0] for share in FOCALS]
    steep = [np.hypot(*one.normal[:2]) for one in told]
    assert steep == sorted(steep), "a narrow lens shows less of what is far off"


def test_corners_may_begin_anywhere_and_go_round_either_way():
    corners = floor(25, turn=0.2)
    for order in (corners, np.roll(corners, 1, axis=0), corners[::-1]):
        assert degrees_off(drawn(order), 25) < 3.0


def test_rectangle_along_the_picture_was_not_drawn():
    width, height = SIZE_PX
    assert drawn([(0, 0), (width, 0), (width, height), (0, height)]) is None
    assert drawn([(40, 30), (600, 30), (600, 400), (40, 400)]) is None
    assert drawn([(40, 32), (602, 30), (600, 402), (41, 400)]) is not None


def test_outline_of_no_tray_tells_nothing():
    assert drawn([(310, 40), (330, 40), (600, 400), (40, 400)]) is None
    assert drawn([(300, 40), (300, 440), (320, 440), (600, 0)]) is None
    assert drawn([(320, 60), (560, 240), (320, 420), (80, 240)]) is None, "no right angles"
    in_line = [(-790.0, -61.433313), (-740.0, -61.4333319), (-690.0, -61.433313), (-789.0, 38.57)]
    assert drawn(in_line) is None


@pytest.fixture
def reader_in(taught):
    """A reader in a tray of which an outline was drawn, as a camera of this tilt would see it."""

    def made(tilt):
        reader = SymbolDice(taught[0], None, taught[1])
        outline = [] if tilt is None else [zone(floor(tilt))]
        reader.standing.drawn = [slant for one in outline for slant in slants_drawn(one)]
        return reader

    return made


@pytest.mark.parametrize("tilt", [20, 30])
def test_die_alone_that_leans_is_doubted_from_the_first_throw_on(reader_in, tilt):
    leaning = scene([cube(*ALONE, LEANS)], 0, tilt)
    assert not reader_in(None).read(leaning, None)[0].doubt, "the outline is not needed"
    assert reader_in(tilt).read(leaning, None)[0].doubt


def test_flat_die_alone_is_read_from_the_first_throw_on(reader_in):
    flat = scene([cube("moon", (1.5, -0.5), 10)], 0, 10)
    assert reader_in(None).read(flat, None)[0].doubt, "the outline is not needed"
    (one,) = reader_in(10).read(flat, None)
    assert (one.face, one.doubt) == ("moon", "")


def test_outline_that_is_wrong_makes_the_table_be_asked_and_is_not_believed(reader_in):
    for wrong in (-10, 45):
        (one,) = reader_in(wrong).read(scene([cube(*ALONE)], 0, 20), None)
        assert (one.face, one.doubt) == ("sun", "unsure")


def test_dice_together_tell_more_than_an_outline(reader_in):
    reader = reader_in(40)
    assert [one.doubt for one in reader.read(scene(thrown(), 0, 20), None)] == [""] * len(FACES)
    (one,) = reader.read(scene([cube(*ALONE)], 0, 20), None)
    assert one.doubt == ""


def test_outline_that_is_wrong_is_of_no_account_after_three_throws(reader_in):
    reader, told = reader_in(-10), []
    for at in ((0.5, 0.4), (-1.4, 0.2), (1.6, -0.8), (-0.6, -1.0)):
        (one,) = reader.read(scene([cube("sun", at, 40)], 0, 20), None)
        told.append(one.doubt)
    assert told == ["unsure", "unsure", "unsure", ""]


def test_all_who_read_in_a_tray_know_its_outline(taught):
    readers = SymbolDice(taught[0], None, taught[1]), PipDice((), taught[1])
    told = slants_drawn(zone(floor(20)))
    tell_slant(MixedDice(readers), told)
    assert all(one.standing.drawn == told for one in readers)


@pytest.fixture
def watched_empty(taught):
    """A tray that is watched with this picture of it empty; who reads in it, where it begins."""
    tray = SimulatedTray(DiceSet({}), {"tray": ()}, seed=4, size_px=(960, 540))
    place = tray.zones()["tray"]

    def made(empty):
        reader = SymbolDice(taught[0], None, taught[1])
        watcher = TrayWatcher(place, None, DiceSet({}), empty, Eyes(taught[1], reader))
        return watcher, reader, slants_drawn(place)

    return tray.empty(), made


def test_tray_that_is_watched_knows_its_outline(watched_empty):
    bare, made = watched_empty
    for empty in (None, np.full_like(bare, 90)):
        watcher, reader, outlined = made(empty)
        for one, same in zip(reader.standing.drawn, outlined, strict=True):
            assert np.allclose(one.normal, same.normal)
            assert np.allclose(one.centre, np.array([480, 270]) - watcher._offset)


def test_straight_edges_of_the_empty_tray_tell_more_than_an_outline(watched_empty):
    bare, made = watched_empty
    watcher, reader, outlined = made(bare)
    for one, nearly in zip(reader.standing.drawn, outlined, strict=True):
        assert 0 < np.degrees(np.arccos(one.normal @ nearly.normal)) < 1.0
        assert np.allclose(one.centre, np.array([480, 270]) - watcher._offset)


def test_who_reads_after_a_lesson_knows_the_tray_as_well(watched_empty, taught):
    watcher, reader, _ = watched_empty[1](watched_empty[0])
    watcher.relearn(taught[0])
    assert watcher._live.reader is not reader
    assert watcher._live.reader.standing.drawn is reader.standing.drawn


@pytest.mark.parametrize(
    ("empty", "told"), [(np.full((540, 960, 3), 90, np.uint8), []), (None, None)]
)
def test_empty_tray_that_tells_nothing_is_not_looked_at_again(taught, empty, told):
    """Without its picture, those with dice in them may tell more."""
    corners = ((60.0, 40.0), (900.0, 40.0), (900.0, 500.0), (60.0, 500.0))
    reader = SymbolDice(taught[0], None, taught[1])
    place = Zone("tray", corners, (14.0, 8.0), (960, 540))
    TrayWatcher(place, None, DiceSet({}), empty, Eyes(taught[1], reader))
    assert reader.standing.drawn == told
