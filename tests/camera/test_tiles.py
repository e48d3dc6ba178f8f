"""Tiles that are turned up are reported; hands, covers and moves are not."""

import copy
import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from camera.bench_tiles import Watched
from camera.dice_sets import DiceLooks
from camera.find import Body
from camera.simulated_square import FACES, SimulatedSquare
from camera.source import Frame
from camera.square import ZONE, Lattice, square_view
from camera.symbols import FaceReader
from camera.tile_art import BACK
from camera.tiles import ASK_AFTER_S, TileWatcher
from camera.tiles_find import SquareFinder
from camera.tiles_looks import enrol_simulated_tiles
from camera.watch import CERTAIN
from camera.zone_drawing import draw_sighting
from companion.actions import Flipped
from companion.errors import PictureError


@pytest.fixture(scope="module")
def looks() -> DiceLooks:
    return enrol_simulated_tiles()


@pytest.fixture(scope="module")
def reader(looks: DiceLooks) -> FaceReader:
    return FaceReader(looks.patches)


@pytest.fixture(scope="module")
def watched(looks: DiceLooks):
    """Squares that were watched until nothing stirred; each test gets a copy of its own."""

    @functools.cache
    def ready(seed: int, **how) -> Watched:
        square = SimulatedSquare(seed=seed, columns=4, size_px=(400, 300), **how)
        watcher = TileWatcher(square.zones()[ZONE], looks, square.empty(), columns=4)
        table = Watched(square, watcher)
        assert table.until(0.4) == ([], None)
        return table

    return lambda seed=5, **how: copy.deepcopy(ready(seed, **how))


def turn_up(table: Watched, square: str, face: str):
    return table.until(table.square.turn_up(square, face, table.now_s) + 0.3)


def test_tile_is_reported_when_it_is_turned_up(watched):
    table = watched()
    begun_s = table.now_s
    gone_s = table.square.turn_up("2,3", "ring", begun_s)
    [report], question = table.until(gone_s + 0.3)
    assert report.action == Flipped("2,3", "ring")
    assert report.source == "camera:square"
    assert begun_s < report.at_s <= gone_s + 0.05  # the first frame without the hand
    assert 0 < report.within_s < 0.05
    assert report.certainty >= CERTAIN
    assert report.evidence is None
    assert question is None
    assert table.watcher.up == ("2,3",)
    assert table.watcher.lies == table.square.lies()
    [reading] = table.sighting.readings
    assert (reading.name, reading.face) == ("2,3", "ring")


def test_every_face_is_read_when_tiles_are_turned_up_one_by_one(watched):
    table = watched(seed=6, tilt_deg=28, swing_deg=10, lamp=(0.8, 0.9, 1.05))
    for square, face in zip(table.square.squares, FACES, strict=False):
        [report], _ = turn_up(table, square, face)
        assert report.action == Flipped(square, face)


def test_hand_is_no_flip_when_it_stops_above_the_square(watched):
    table = watched()
    for stays_s in (0.1, 0.7, 2.5):
        begun_s = table.now_s
        gone_s = table.square.reach_in(begun_s, stays_s=stays_s)
        states = set()
        while table.now_s < gone_s - 0.2:
            table.now_s += 0.04
            sighting = table.watcher.see(table.square.frame(table.now_s))
            states.add(sighting.state)
            assert not sighting.reports
            assert sighting.question is None or stays_s > ASK_AFTER_S
        assert "moving" in states
        assert table.until(gone_s + 0.3) == ([], None)


def test_table_is_asked_which_was_first_when_two_tiles_are_turned_up_at_once(watched):
    table = watched()
    table.square.turn_up("0,0", "car", table.now_s)
    gone_s = table.square.turn_up("1,2", "doll", table.now_s)
    reports, question = table.until(gone_s + 0.3)
    assert reports == []
    assert (question.reason, question.names) == ("at_once", ("0,0", "1,2"))
    assert question.faces == {"0,0": "car", "1,2": "doll"}
    table.watcher.answered({"1,2": "doll"})
    [report], _ = table.until(table.now_s + 0.1)
    assert report.action == Flipped("0,0", "car")
    assert report.at_s == question.at_s
    assert table.sighting.question is None


def test_question_is_withdrawn_when_one_of_two_tiles_is_covered(watched):
    table = watched()
    table.square.turn_up("0,0", "car", table.now_s)
    table.until(table.square.turn_up("1,2", "doll", table.now_s) + 0.3)
    [report], _ = table.until(table.square.cover("1,2", table.now_s) + 0.3)
    assert report.action == Flipped("0,0", "car")
    assert table.sighting.question is None


def test_face_is_forgotten_when_its_tile_is_covered(watched):
    table = watched()
    turn_up(table, "1,1", "spider")
    assert table.until(table.square.cover("1,1", table.now_s) + 0.3) == ([], None)
    assert table.watcher.up == ()
    assert table.sighting.readings == ()
    assert table.watcher.lies["1,1"] == "covered"
    kept, _ = table.watcher._finder._kept["1,1"]
    back, _ = table.watcher._finder._kept["1,2"]
    assert abs(float(kept.mean()) - float(back.mean())) < 10
    assert table.watcher._seen["1,1"].face == BACK
    [report], _ = turn_up(table, "1,1", "spider")
    assert report.action == Flipped("1,1", "spider")


def test_moves_and_gaps_are_no_flips(watched):
    table = watched()
    turn_up(table, "3,3", "spider")
    turn_up(table, "0,1", "ring")
    assert table.until(table.square.take("0,1", table.now_s) + 0.3) == ([], None)
    assert table.watcher.lies["0,1"] == "empty"
    assert table.until(table.square.move("3,3", "0,1", table.now_s) + 0.3) == ([], None)
    assert table.watcher.up == ("0,1",)
    assert table.until(table.square.cover("0,1", table.now_s) + 0.3) == ([], None)
    assert table.until(table.square.move("0,1", "3,3", table.now_s) + 0.3) == ([], None)
    assert table.until(table.square.put("0,1", table.now_s) + 0.3) == ([], None)
    assert table.watcher.lies == table.square.lies()
    assert set(table.watcher.lies.values()) == {"covered"}


def test_covered_tile_is_a_flip_when_it_is_lifted_and_laid_face_up(watched):
    table = watched()
    table.square.lay({}, gaps={"2,2"})
    assert table.until(table.now_s + 0.4) == ([], None)
    assert table.watcher.lies["2,2"] == "empty"
    table.square.lay({"2,2": "ball"})
    [report], _ = table.until(table.now_s + 0.4)
    assert report.action == Flipped("2,2", "ball")


def test_tiles_that_the_table_knows_are_not_reported(watched):
    table = watched()
    table.watcher.expect({"1,0"})
    assert turn_up(table, "1,0", "chest") == ([], None)
    assert table.watcher.up == ("1,0",)


def test_tiles_are_seen_again_when_all_was_forgotten_while_nothing_moves(watched):
    table = watched()
    turn_up(table, "1,0", "chest")
    table.watcher.start_anew()
    assert table.until(table.now_s + 0.4) == ([], None)
    assert table.watcher.up == ("1,0",)
    [report], _ = turn_up(table, "3,3", "ring")
    assert report.action == Flipped("3,3", "ring")


def test_tiles_are_no_flips_when_they_are_up_at_first_sight(looks):
    square = SimulatedSquare(seed=8, columns=4, size_px=(400, 300))
    square.lay({"0,0": "ring", "3,1": "doll"}, gaps={"1,1"})
    watcher = TileWatcher(square.zones()[ZONE], looks, square.empty(), columns=4)
    table = Watched(square, watcher)
    assert table.until(0.4) == ([], None)
    assert watcher.lies == square.lies()
    assert {r.name: r.face for r in table.sighting.readings} == {"0,0": "ring", "3,1": "doll"}
    picture = square.frame(table.now_s + 1).pixels
    before = picture.copy()
    draw_sighting(picture, table.sighting)
    assert (picture != before).any()


def test_table_is_asked_when_a_face_was_never_enrolled(looks):
    square = SimulatedSquare(seed=9, columns=4, size_px=(400, 300), faces=(*FACES, "key"))
    table = Watched(square, TileWatcher(square.zones()[ZONE], looks, square.empty(), columns=4))
    table.until(0.4)
    reports, question = turn_up(table, "0,2", "key")
    assert reports == []
    assert (question.reason, question.names) == ("unreadable", ("0,2",))
    assert set(question.choices) <= set(FACES)
    assert question.crop is not None
    table.watcher.answered({"0,2": "ball"})
    assert table.until(table.now_s + 0.2) == ([], None) or table.sighting.question is None


def test_everything_is_read_again_when_the_light_changes(watched):
    table = watched()
    turn_up(table, "1,1", "candlestick")
    table.square._lamp = (0.85, 0.85, 0.9)
    assert table.until(table.now_s + 0.6) == ([], None)
    assert table.watcher.up == ("1,1",)
    [report], _ = turn_up(table, "0,3", "dragon")
    assert report.action == Flipped("0,3", "dragon")


def test_frames_of_another_size_are_refused(watched):
    table = watched()
    with pytest.raises(PictureError, match="square"):
        table.watcher.see(Frame(9.0, np.zeros((10, 10, 3), np.uint8)))


@settings(max_examples=6)
@given(seed=st.integers(0, 2**32 - 1), coarse=st.integers(1, 60))
def test_random_pictures_are_never_flips(watched, seed, coarse):
    table = watched(seed=3)
    rng = np.random.default_rng(seed)
    shape = (-(-300 // coarse), -(-400 // coarse), 3)
    blocks = rng.integers(0, 256, shape, np.uint8).repeat(coarse, 0).repeat(coarse, 1)
    picture = np.ascontiguousarray(blocks[:300, :400])
    for number in range(8):
        sighting = table.watcher.see(Frame(1.0 + 0.04 * number, picture))
        assert sighting.reports == ()


@settings(max_examples=8)
@given(
    seed=st.integers(0, 10**6),
    face=st.sampled_from([*FACES, BACK]),
    tilt_deg=st.floats(0, 35),
    angle=st.floats(-0.5, 0.5),
    aside=st.tuples(st.floats(-0.1, 0.1), st.floats(-0.1, 0.1)),
)
def test_accepted_reading_is_the_same_when_the_tile_is_turned_by_90_degrees(
    reader, seed, face, tilt_deg, angle, aside
):
    square = SimulatedSquare(seed=seed, columns=2, size_px=(120, 90), tilt_deg=tilt_deg)
    square.lay({} if face == BACK else {"0,1": face})
    view = square_view(square.zones()[ZONE])
    pixels = square.frame(1.0).pixels
    x, y = Lattice(view.zone, 2).middle("0,1") + aside
    turned = [Body(x, y, angle + k * np.pi / 2, 1.0) for k in range(4)]
    likely = [reader.read(view, pixels, body) for body in turned]
    assert len({like.face for like in likely if like.certainty >= CERTAIN}) <= 1


@settings(max_examples=6)
@given(seed=st.integers(0, 10**6), face=st.sampled_from(FACES))
def test_tile_is_found_and_read_whichever_way_it_lies(reader, seed, face):
    square = SimulatedSquare(seed=seed, columns=2, size_px=(120, 90))
    square.lay({"1,0": face})
    view = square_view(square.zones()[ZONE])
    pixels = square.frame(1.0).pixels
    laid = SquareFinder(view, Lattice(view.zone, 2), square.empty()).find(pixels)
    assert laid.is_clear
    assert len(laid.bodies) == 4
    like = reader.read(view, pixels, laid.bodies["1,0"])
    assert like.face == face or like.certainty < CERTAIN
