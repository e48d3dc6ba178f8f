"""Simple pip dice on textured ground, drawn for the tests of the pip reader."""

from dataclasses import dataclass

import cv2
import numpy as np

from camera.pip_faces import Face

PLACES = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
WHITE, BLACK, RED, BLUE = (225, 232, 235), (25, 22, 28), (40, 30, 190), (170, 60, 30)


@dataclass(frozen=True)
class DrawnDie:
    """One die to draw: face, centre and edge in pixels, turn in degrees, colours in BGR."""

    face: int
    x: float
    y: float
    side_px: float
    turn_deg: float
    body: tuple[int, int, int] = WHITE
    pips: tuple[int, int, int] = BLACK


def textured_ground(rng, size, colour=(70, 110, 80), grain=9.0, weave_px=6.0):
    """Draw cloth: smooth noise in three sizes over one colour, (height, width) of `size`."""
    ground = np.zeros((*size, 3), np.float32) + colour
    for blur_px, share in ((0.8, 0.5), (weave_px, 1.0), (60.0, 1.0)):
        noise = rng.standard_normal(size).astype(np.float32)
        noise = cv2.GaussianBlur(noise, (0, 0), blur_px)
        ground += (noise / noise.std() * grain * share)[..., None]
    return ground


def draw_dice(rng, dice, size=(480, 640), blur_px=0.7, noise=2.0, **ground):
    """Draw dice seen from above, four times finer than the picture, then soften and add noise."""
    picture = textured_ground(rng, size, **ground)
    for die in dice:
        _lay(picture, die)
    picture = cv2.GaussianBlur(picture, (0, 0), blur_px)
    picture += rng.standard_normal(picture.shape).astype(np.float32) * noise
    return np.clip(picture, 0, 255).astype(np.uint8)


def _lay(picture, die):
    fine = 4
    pad = int(die.side_px)
    left, top = int(die.x) - pad, int(die.y) - pad
    body = np.zeros((2 * pad * fine, 2 * pad * fine), np.float32)
    pips = body.copy()
    turn = np.deg2rad(die.turn_deg)
    turned = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    centre = (np.array([die.x - left, die.y - top])) * fine
    unit = die.side_px * fine
    corners = centre + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ turned.T * unit * 0.4
    corners = corners.round().astype(np.int32)
    cv2.fillConvexPoly(body, corners, 1.0)
    cv2.polylines(body, [corners], True, 1.0, int(unit * 0.2))  # rounds the corners off
    for place in PLACES[die.face]:
        at = centre + turned @ np.array(place) * unit * 0.23
        cv2.circle(pips, tuple(at.round().astype(int).tolist()), round(unit * 0.095), 1.0, -1)
    for mask, colour in ((body, die.body), (pips, die.pips)):
        share = cv2.resize(mask, (2 * pad, 2 * pad), interpolation=cv2.INTER_AREA)[..., None]
        rows, columns = slice(max(top, 0), top + 2 * pad), slice(max(left, 0), left + 2 * pad)
        area = picture[rows, columns]
        share = share[rows.start - top :, columns.start - left :][: area.shape[0], : area.shape[1]]
        area[:] = area * (1 - share) + np.float32(colour) * share


def face_at(x, y, value=4, step=8.0):
    """An upper face seen from straight above, with so many pixels between its pips."""
    at, axes = np.array([x, y], float), np.eye(2) * step
    return Face(value, at, axes @ axes / 9, axes, 3.0, frozenset(), 0, 0, 0, 0, 90.0)
