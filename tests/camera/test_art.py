"""Faces are drawn, whatever they are called."""

import numpy as np
import pytest

from camera.art import PICTURES, PIPS, colour_of, draw_face

WHITE = (232, 241, 244)


def test_colour_is_blue_green_red_when_given_as_hex() -> None:
    assert colour_of("#0a14ff") == (255, 20, 10)


@pytest.mark.parametrize("face", ["blank", ""])
def test_blank_face_shows_only_its_body(face: str) -> None:
    assert (draw_face(face, WHITE) == WHITE).all()


@pytest.mark.parametrize("face", sorted(PICTURES))
def test_picture_differs_when_turned_or_mirrored(face: str) -> None:
    drawn = draw_face(face, (40, 40, 190), 48).astype(int)
    alike = [np.rot90(drawn, k) for k in (1, 2, 3)] + [drawn[:, ::-1], drawn[::-1]]
    if face == "gold2":  # two equal nuggets: half a turn shows nearly the same
        del alike[1]
    assert min(np.abs(drawn - other).mean() for other in alike) > 0.8


def test_every_face_looks_different_on_the_same_body() -> None:
    faces = [*PICTURES, *PIPS, "blank", "stone", "wood"]
    drawn = [draw_face(face, WHITE).astype(int) for face in faces]
    apart = [np.abs(a - b).mean() for i, a in enumerate(drawn) for b in drawn[:i]]
    assert min(apart) > 1.0


def test_symbols_leave_the_rim_free_so_that_the_body_shows() -> None:
    for face in [*PICTURES, *PIPS, "x", "anything"]:
        drawn = draw_face(face, WHITE, 48)
        rim = np.concatenate([drawn[:3].reshape(-1, 3), drawn[-3:].reshape(-1, 3)])
        assert np.median(np.abs(rim.astype(int) - WHITE)) == 0
