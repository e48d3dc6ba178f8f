"""How a camera looks at a tray, told by the outline that somebody drew around its floor.

The floor of most trays is a rectangle. Where its sides would meet tells how the floor lies, however
long they are, for each lens that the camera may have. An outline may be drawn carelessly, or around
a tray that is no rectangle: what dice tell together counts more (camera/tray_leaning.py).
Source: vanishing line of a plane, as in Hartley and Zisserman, "Multiple View Geometry", 2004.
"""

import cv2
import numpy as np

from camera.calibrate import Floats, Zone
from camera.slant import STEEPEST, Slant
from camera.vanishing import FOCALS

PARALLEL_PX = 0.5  # so exactly along the picture's edges nobody draws: it was not drawn at all
_SQUARE = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)


def slants_drawn(zone: Zone) -> tuple[Slant, ...]:
    """Tell how a zone's floor lies, for each lens; nothing where its outline hardly can tell it.

    The scale, which the outline cannot tell, is 1.
    """
    corners = np.array(zone.corners, np.float64)
    if _is_along(corners):
        return ()
    centre, longer = np.array(zone.picture_px) / 2, max(zone.picture_px)
    square_to_px = cv2.getPerspectiveTransform(_SQUARE, (corners - centre).astype(np.float32))
    across, down, beside = np.linalg.inv(np.asarray(square_to_px, np.float64))[2]
    levels = [(share * longer, share * longer * np.array([across, down])) for share in FOCALS]
    return tuple(
        Slant(_unit(*level / -beside, -1.0), 1.0, focal, centre)
        for focal, level in levels
        if np.hypot(*level) < STEEPEST * abs(beside)
    )


def _unit(*parts: float) -> Floats:
    return np.asarray(np.array(parts) / np.linalg.norm(parts), np.float64)


def _is_along(corners: Floats) -> bool:
    """True for a rectangle along the picture's edges."""
    sides = np.abs(np.roll(corners, -1, axis=0) - corners)
    return bool((sides.min(axis=1) < PARALLEL_PX).all())
