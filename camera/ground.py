"""Tell what lies on a tray or square from the ground that was seen empty.

The zone is shown flat, in the plane of the upper sides. What is not the empty ground makes the
foreground. Shadows are ground: the same colour, only darker; and so is all of it in another light.
"""

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from camera.calibrate import MARGIN_SIDES, Floats, Pixels, ZoneView, map_points

FIND_PX = 24  # an edge in the flat picture: enough for one degree and a twentieth of a side
SHADOW_DEEPEST = 0.50  # light that is left in the deepest shadow
GLOW = 1.12  # light that a die throws on the floor beside it
DIFFERENT = 26.0  # sum over the channels, of 3 * 255, that no noise or cloth reaches
_SMALL = cv2.getStructuringElement(cv2.MORPH_RECT, (3, 3))


class Ground:
    """The empty ground of one zone.

    empty      a picture of the zone with nothing in it.
    is_packed  True where things may cover most of the zone: the light is then told from around it.
    """

    def __init__(self, view: ZoneView, empty: Pixels, *, is_packed: bool = False) -> None:
        view.check(empty)
        self._view = view
        self._empty = _softened(view.flatten(empty, FIND_PX))
        self._inside = self._floor_mask()
        floor = self._inside[::5, ::5] > 0
        beside = (~floor) & (self._empty[::5, ::5].max(axis=2) > 0)  # black lies out of the picture
        self._lit = beside if is_packed and beside.any() else floor

    def flat(self, pixels: Pixels) -> Pixels:
        """Show a picture flat, under the light of the empty one."""
        return self._under_same_light(_softened(self._view.flatten(pixels, FIND_PX)))

    def foreground(self, flat: Pixels) -> npt.NDArray[np.uint8]:
        """Mark what is not the empty ground under less or a little more light."""
        same = cv2.inRange(cv2.absdiff(flat, self._empty), (0, 0, 0), (8, 8, 8))
        places = np.flatnonzero(np.asarray(same) < self._inside)
        seen = flat.reshape(-1, 3)[places].astype(np.float32)
        empty = self._empty.reshape(-1, 3)[places].astype(np.float32)
        light = np.einsum("ij,ij->i", seen, empty) / (np.einsum("ij,ij->i", empty, empty) + 1.0)
        apart = np.abs(seen - np.clip(light, SHADOW_DEEPEST, GLOW)[:, None] * empty).sum(axis=1)
        mask = np.zeros(self._inside.shape, np.uint8)
        mask.reshape(-1)[places] = apart > DIFFERENT
        whole = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _SMALL)
        return np.asarray(cv2.morphologyEx(whole, cv2.MORPH_OPEN, _SMALL), np.uint8)

    def _floor_mask(self) -> npt.NDArray[np.uint8]:
        """Mark where a die of the zone can appear: the floor, and what rises above its rim."""
        width, depth = self._view.zone.size_sides
        floor = np.array([(0, 0), (width, 0), (width, depth), (0, depth)])
        hull = np.vstack([floor, map_points(self._view.rise, floor)])
        outline = cv2.convexHull(flat_px(hull).astype(np.float32))
        mask = np.zeros(self._empty.shape[:2], np.uint8)
        cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], (255,))
        return mask

    def _under_same_light(self, soft: Pixels) -> Pixels:
        """Take away what exposure and white balance did to the whole picture since `empty`."""
        seen = soft[::5, ::5][self._lit].astype(np.float32) + 1.0
        gain = np.median((self._empty[::5, ::5][self._lit] + 1.0) / seen, axis=0)
        if np.abs(gain - 1.0).max() < 0.02:
            return soft
        channels: Any = (*gain.tolist(), 0.0)
        return np.asarray(cv2.multiply(soft, channels), np.uint8)


def _softened(flat: Pixels) -> Pixels:
    return np.asarray(cv2.GaussianBlur(flat, (3, 3), 0), np.uint8)


def flat_px(sides: Floats) -> Floats:
    """Pixels of the flat picture, for points in sides."""
    return (sides + MARGIN_SIDES) * FIND_PX
