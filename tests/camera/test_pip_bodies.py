import numpy as np
import pytest
from pip_drawing import BLACK, BLUE, WHITE, DrawnDie, draw_dice

from camera.pip_blobs import Pyramid, find_marks
from camera.pip_bodies import Surroundings, body_places, unread_dice
from camera.pip_ellipses import measure_pips
from camera.pip_faces import find_faces
from camera.pips import read_dice, working_copy

SIDE_PX = 56


def seen(picture):
    """Read faces as the first reader does: levels, and faces of two pips or more."""
    pyramid = Pyramid(working_copy(picture)[0])
    pips = measure_pips(pyramid, find_marks(pyramid))
    faces = find_faces(pyramid.levels[0], pips)
    return pyramid.levels, [face for face in faces if face.value > 1]


@pytest.mark.parametrize("body", [WHITE, BLACK, BLUE])
def test_a_body_without_pips_is_found_where_it_lies(body):
    rng = np.random.default_rng(3)
    pips = BLACK if body == WHITE else WHITE
    dice = [
        DrawnDie(5, 150, 150, SIDE_PX, 20, body, pips),
        DrawnDie(6, 450, 300, SIDE_PX, 50, body, pips),
    ]
    blank = DrawnDie(4, 320, 120, SIDE_PX, 30, body, body)
    picture = draw_dice(rng, [*dice, blank], grain=2.0)
    _, faces = seen(picture)
    places = body_places(Surroundings(picture, 1.0, [], faces, SIDE_PX))
    assert len(places) == 1
    assert np.hypot(*(places[0] - (320, 120))) < 0.3 * SIDE_PX


def test_nothing_is_found_beside_dice_that_were_read():
    rng = np.random.default_rng(4)
    dice = [DrawnDie(face, 90 + 95 * face, 200, SIDE_PX, 17 * face) for face in (2, 3, 4, 5)]
    picture = draw_dice(rng, dice, (400, 700), grain=2.0)
    levels, faces = seen(picture)
    assert len(faces) >= 4
    assert len(body_places(Surroundings(picture, 1.0, [], faces, SIDE_PX))) == 0
    assert len(unread_dice(Surroundings(picture, 1.0, levels, faces, SIDE_PX))[1]) == 0


def test_a_die_that_the_first_reader_overlooks_is_asked_about():
    rng = np.random.default_rng(5)
    dice = [DrawnDie(5, 150, 150, SIDE_PX, 20), DrawnDie(6, 450, 300, SIDE_PX, 50)]
    faint = DrawnDie(4, 320, 120, SIDE_PX, 30, WHITE, (190, 196, 200))
    picture = draw_dice(rng, [*dice, faint], grain=2.0)
    levels, faces = seen(picture)
    known = [face for face in faces if np.hypot(*(face.at - (320, 120))) > SIDE_PX]
    assert unread_dice(Surroundings(picture, 1.0, levels, known, SIDE_PX))[1].max() > 0.85
    assert len(read_dice(picture).readings) == 3 or not read_dice(picture).accepted
