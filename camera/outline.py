"""How a camera looks at a tray, told by the outline that somebody drew around its floor.

The floor of most trays is a rectangle. Where its sides would meet tells how the floor lies, however
long they are, for each lens that the camera may have. An outline may be drawn carelessly, or around
a tray that is no rectangle: what dice tell together counts more (camera/tray_leaning.py).
Source: vanishing line of a plane, as in Hartley and Zisserman, "Multiple View Geometry", 2004.
"""

import math

import numpy as np

from camera.calibrate import Floats, Zone
from camera.slant import STEEPEST, Slant
from camera.vanishing import FOCALS

PARALLEL_PX = 0.5  # so exactly along the picture's edges nobody draws: it was not drawn at all
RIGHT = math.sin(math.radians(15.0))  # cosine of the angle between the sides of a tray, at most


def slants_drawn(zone: Zone) -> tuple[Slant, ...]:
    """Tell how a zone's floor lies, for each lens; nothing where its outline hardly can tell it.

    The scale, which the outline cannot tell, is 1.
    """
    corners = np.array(zone.corners, np.float64)
    if _is_along(corners):
        return ()
    centre, longer = np.array(zone.picture_px) / 2, max(zone.picture_px)
    across, along = _vanishing((corners - centre) / longer)
    told = [(focal, _normal(across, along, focal)) for focal in FOCALS]
    return tuple(
        Slant(normal, 1.0, focal * longer, centre) for focal, normal in told if normal is not None
    )


def _vanishing(corners: Floats) -> tuple[Floats, Floats]:
    """Where opposite sides meet, as homogeneous points (3,)."""
    places = np.column_stack([corners, np.ones(4)])
    sides = np.cross(places, np.roll(places, -1, axis=0))
    return np.cross(sides[0], sides[2]), np.cross(sides[1], sides[3])


def _normal(across: Floats, along: Floats, focal: float) -> Floats | None:
    """Upwards (3,), as the camera sees it; None if the sides are at no right angle, or too steep.

    across, along  where sides meet; the picture's longer side is 1.
    """
    ways = np.array([across, along]) / (focal, focal, 1.0)
    lengths = np.linalg.norm(ways, axis=1)
    level = np.cross(*ways)
    if abs(ways[0] @ ways[1]) > RIGHT * lengths.prod() or not level[2]:
        return None
    normal = level / -np.copysign(np.linalg.norm(level), level[2])
    return normal if np.hypot(*normal[:2]) < STEEPEST * -normal[2] else None


def _is_along(corners: Floats) -> bool:
    """True for a rectangle along the picture's edges."""
    sides = np.abs(np.roll(corners, -1, axis=0) - corners)
    return bool((sides.min(axis=1) < PARALLEL_PX).all())
