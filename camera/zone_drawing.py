"""Zones drawn into a picture, for whoever sets them."""

from collections.abc import Iterable

import cv2
import numpy as np

from camera.calibrate import Pixels, Zone

_LINE = (120, 210, 110)  # BGR
_INKS = (((20, 20, 20), 3), (_LINE, 1))


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
