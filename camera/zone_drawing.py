"""Zones drawn into a picture, for whoever sets them, and what was seen in them."""

from collections.abc import Iterable

import cv2
import numpy as np

from camera.calibrate import Pixels, Zone
from camera.faces import CERTAIN
from camera.settle import Phase
from camera.watch import Sighting, shown_in

_LINE = (120, 210, 110)  # BGR
_INKS = (((20, 20, 20), 3), (_LINE, 1))

_STATE_COLOURS = {
    Phase.EMPTY: (160, 160, 160),
    Phase.MOVING: (60, 170, 250),
    Phase.SETTLING: (90, 220, 250),
    Phase.STILL: (120, 210, 110),
}


def draw_zones(pixels: Pixels, zones: Iterable[Zone]) -> Pixels:
    """A copy of a picture (H, W, 3) uint8 BGR with the outline and name of each zone."""
    shown = pixels.copy()
    for zone in zones:
        outline = np.round(np.array(zone.corners)).astype(np.int32)
        cv2.polylines(shown, [outline], True, _LINE, 2, cv2.LINE_AA)
        place = (int(outline[0][0]) + 6, int(outline[0][1]) + 20)
        for ink, thick_px in _INKS:
            cv2.putText(shown, zone.name, place, cv2.FONT_HERSHEY_SIMPLEX, 0.6, ink, thick_px)
    return shown


def draw_sighting(pixels: Pixels, sighting: Sighting, first: int = 1) -> None:
    """Draw on a picture, in place, what was seen in it: the zone, and its dice with numbers.

    first  number of the first die. What the numbers mean is told beside the picture, in the
           language of whoever looks: OpenCV draws no letter that English lacks.
    """
    colour = _STATE_COLOURS[Phase(sighting.state)]
    if sighting.corners:
        outline = np.round(np.array(sighting.corners)).astype(np.int32)
        cv2.polylines(pixels, [outline], True, colour, 1, cv2.LINE_AA)
    for number, reading in enumerate(shown_in(sighting), first):
        left, top, width, height = reading.box
        sure = (120, 210, 110) if reading.certainty >= CERTAIN else (70, 90, 250)
        cv2.rectangle(pixels, (left, top), (left + width, top + height), sure, 1)
        place = (max(0, left), max(12, top - 3))
        for ink, thick_px in (((20, 20, 20), 3), (sure, 1)):
            font = cv2.FONT_HERSHEY_SIMPLEX
            cv2.putText(pixels, str(number), place, font, 0.45, ink, thick_px, cv2.LINE_AA)
