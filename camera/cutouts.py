"""Pictures as JPEG, small enough to keep or to send: rolls as they were read, and the live view."""

from collections.abc import Sequence

import cv2
import numpy as np

from camera.calibrate import Pixels
from camera.watch import Sighting, shown_in
from camera.zone_drawing import draw_sighting

MOST_SIDE_PX = 360  # six dice of 30 px beside each other stay readable
MOST_BYTES = 24_000
QUALITIES = (82, 60, 35)  # of JPEG; the first that is small enough is kept
LIVE_SIDE_PX, LIVE_QUALITY = 960, 75
Box = tuple[int, int, int, int]


def cut_out(pixels: Pixels, boxes: Sequence[Box]) -> bytes | None:
    """The part of a picture around some boxes as JPEG of at most 24 kB; None without any box.

    pixels  (H, W, 3) uint8, BGR.
    boxes   left, top, width and height in pixels; a third of the widest is kept around them.
    """
    if not boxes:
        return None
    pad = max(max(width, height) for _, _, width, height in boxes) // 3
    left = max(0, min(box[0] for box in boxes) - pad)
    top = max(0, min(box[1] for box in boxes) - pad)
    right = max(box[0] + box[2] for box in boxes) + pad
    bottom = max(box[1] + box[3] for box in boxes) + pad
    part = pixels[top:bottom, left:right]
    return as_small_jpeg(part) if part.size else None


def as_small_jpeg(pixels: Pixels) -> bytes | None:
    """A picture, (H, W, 3) uint8 BGR, of at most 24 kB; None where even the coarsest is larger."""
    shown = at_most(pixels, MOST_SIDE_PX)
    coded = (as_jpeg(shown, quality) for quality in QUALITIES)
    return next((data for data in coded if len(data) <= MOST_BYTES), None)


def drawn_live(pixels: Pixels, sightings: Sequence[Sighting]) -> bytes:
    """A camera's picture as JPEG, with its zones and its dice drawn on it, numbered from 1."""
    drawn, first = pixels.copy(), 1
    for sighting in sightings:
        draw_sighting(drawn, sighting, first)
        first += len(shown_in(sighting))
    return as_jpeg(at_most(drawn, LIVE_SIDE_PX), LIVE_QUALITY)


def at_most(pixels: Pixels, side_px: int) -> Pixels:
    """The same picture, made smaller where one of its sides is longer than `side_px`."""
    height, width = pixels.shape[:2]
    share = side_px / max(height, width)
    if share >= 1:
        return pixels
    size = (max(1, round(width * share)), max(1, round(height * share)))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


def as_jpeg(pixels: Pixels, quality: int) -> bytes:
    """A picture as JPEG; `quality` from 1 to 100."""
    _, coded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return coded.tobytes()
