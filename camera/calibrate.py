"""Where a zone lies in the picture, and how flat pictures of it are made.

A zone is the floor of a tray, or a part of it. Lengths on it count in die edges ("sides"): x to the
right, y towards the lower edge as the corners were given, height above the floor. The floor's
four corners tell the camera's place as well (square pixels, the optical axis through the middle of
the picture), and with it where the upper sides of dice appear, one side above the floor.
Source: one-view calibration from a plane after Zhang, "A flexible new technique for camera
calibration", 2000.
"""

import math
import tomllib
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.errors import ConfigError, PictureError
from companion.field_words import reason
from companion.words import say

Floats = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.uint8]

SCALINGS = 3  # of a guess: each tells better how high above the floor the upper sides are
FARTHEST = 20.0  # times too small or too large that a guess may be
MARGIN_SIDES = 1.0  # dice at the wall rise above the floor's outline by less than this


class Zone(msgspec.Struct, frozen=True):
    """The floor of a tray in the picture.

    name         as in the configuration, such as `adventurer`.
    corners      upper left, upper right, lower right, lower left, in picture pixels.
    size_sides   width and depth of the floor in die edges.
    picture_px   width and height of the pictures in which the corners were set.
    """

    name: str
    corners: tuple[tuple[float, float], ...]
    size_sides: tuple[float, float]
    picture_px: tuple[int, int]

    def __post_init__(self) -> None:
        if len(self.corners) != 4:
            raise ConfigError(
                say("zone {name}: expected 4 corners, got {n}", name=self.name, n=len(self.corners))
            )
        if not all(math.isfinite(v) for corner in self.corners for v in corner):
            raise ConfigError(
                say(
                    "zone {name}: expected corners in pixels, got {corners}",
                    name=self.name,
                    corners=self.corners,
                )
            )
        if not all(0 < size < math.inf for size in (*self.size_sides, *self.picture_px)):
            raise ConfigError(
                say(
                    "zone {name}: expected sizes above 0, got {sides}",
                    name=self.name,
                    sides=self.size_sides,
                )
            )
        outline = np.array(self.corners, np.float32)
        if not cv2.isContourConvex(outline) or cv2.contourArea(outline) < 100:
            raise ConfigError(
                say(
                    "zone {name}: expected the corners of a tray going round, got {corners}",
                    name=self.name,
                    corners=self.corners,
                )
            )


class ZoneView:
    """A zone seen by its camera: maps between the zone's sides and picture pixels.

    top_sides  height of the upper sides above the floor: 1 for dice, less for tiles.
    """

    def __init__(self, zone: Zone, top_sides: float = 1.0) -> None:
        self.zone, self.top_sides = zone, top_sides
        width, depth = zone.size_sides
        floor = np.array([(0, 0), (width, 0), (width, depth), (0, depth)], np.float32)
        self.floor_to_px: Floats = np.asarray(
            cv2.getPerspectiveTransform(floor, np.array(zone.corners, np.float32)), np.float64
        )
        camera, turn, place = _camera_pose(self.floor_to_px, zone.picture_px)
        self._turn, self._place, self._camera = turn, place, camera

    @cached_property
    def top_to_px(self) -> Floats:
        """Homography from the plane of the upper sides to picture pixels."""
        return self.plane_to_px(self.top_sides)

    def plane_to_px(self, height_sides: float) -> Floats:
        """Homography from the plane `height_sides` above the floor to picture pixels."""
        first, second, inwards = self._turn.T
        columns = np.column_stack((first, second, self._place - height_sides * inwards))
        return np.asarray(self._camera @ columns, np.float64)

    @cached_property
    def rise(self) -> Floats:
        """Homography that takes a floor point to where the upper side above it appears."""
        return np.asarray(np.linalg.inv(self.top_to_px) @ self.floor_to_px, np.float64)

    def check(self, pixels: Pixels) -> None:
        """Raise PictureError unless `pixels` is a BGR picture of the size that was calibrated."""
        width, height = self.zone.picture_px
        is_picture = isinstance(pixels, np.ndarray) and pixels.dtype == np.uint8
        if not is_picture or pixels.shape != (height, width, 3):
            got = f"{getattr(pixels, 'shape', type(pixels))} {getattr(pixels, 'dtype', '')}"
            raise PictureError(
                say(
                    "zone {name}: expected a picture of {height} x {width} x 3 bytes, got {got}; "
                    "set the zone on a picture of this camera",
                    name=self.zone.name,
                    height=height,
                    width=width,
                    got=got,
                )
            )

    def flat_size_px(self, side_px: float) -> tuple[int, int]:
        """Width and height of `flatten`'s picture."""
        width, depth = self.zone.size_sides
        return (
            math.ceil((width + 2 * MARGIN_SIDES) * side_px),
            math.ceil((depth + 2 * MARGIN_SIDES) * side_px),
        )

    def flatten(self, pixels: Pixels, side_px: float) -> Pixels:
        """Show the zone from straight above, upper sides of dice `side_px` wide, with a margin."""
        to_px = self.top_to_px @ flat_to_zone(side_px)
        size = self.flat_size_px(side_px)
        flat = cv2.warpPerspective(
            pixels, to_px, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        )
        return np.asarray(flat, np.uint8)

    def to_px(self, points: Floats, height_sides: float | None = None) -> Floats:
        """Picture pixels (N, 2) of points (N, 2) of the zone, in sides; of upper sides if None."""
        height = self.top_sides if height_sides is None else height_sides
        return map_points(self.plane_to_px(height), points)

    def bounds_px(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom of the part of the picture that concerns this zone."""
        width, depth = self.zone.size_sides
        m = MARGIN_SIDES / 2
        right, low = width + m, depth + m
        around = np.array([(-m, -m), (right, -m), (right, low), (-m, low)])
        points = np.vstack([self.to_px(around, 0.0), self.to_px(around)])
        low = np.clip(np.floor(points.min(axis=0)), 0, self.zone.picture_px)
        high = np.clip(np.ceil(points.max(axis=0)), 0, self.zone.picture_px)
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def scaled_by(zone: Zone, tops: Sequence[Floats]) -> Zone:
    """The zone with the size in dice that dice tell which lie in it, in place of a guess.

    tops  corners (4, 2) of upper sides in picture pixels, one or more.
    """
    for _ in range(SCALINGS):
        to_sides = np.asarray(np.linalg.inv(ZoneView(zone).top_to_px), np.float64)
        seen = map_points(to_sides, np.vstack(tops)).reshape(-1, 4, 2)
        x, y = _as_squares(np.roll(seen, -1, axis=1) - seen)
        zone = msgspec.structs.replace(
            zone, size_sides=(zone.size_sides[0] * x, zone.size_sides[1] * y)
        )
    return zone


def _as_squares(edges: Floats) -> tuple[float, float]:
    """By how much to stretch x and y, so that these edges (N, 4, 2) go round squares of side 1.

    Sides of 1, at right angles to the next one, are equations in the squares of both factors.
    """
    following = np.roll(edges, -1, axis=1)
    rows = np.vstack([(edges * edges).reshape(-1, 2), (edges * following).reshape(-1, 2)])
    wanted = np.repeat([1.0, 0.0], len(rows) // 2)
    x, y = np.linalg.lstsq(rows, wanted, rcond=None)[0]
    if not 1 / FARTHEST**2 < min(x, y) <= max(x, y) < FARTHEST**2:
        return 1.0, 1.0  # no upper sides of dice
    return math.sqrt(x), math.sqrt(y)


def map_points(homography: Floats, points: Floats) -> Floats:
    """Apply a homography to points (N, 2)."""
    flat = points @ homography[:, :2].T + homography[:, 2]
    return np.asarray(flat[:, :2] / flat[:, 2:], np.float64)


def flat_to_zone(side_px: float) -> Floats:
    """Homography from `flatten`'s pixels to the zone's sides."""
    scale = 1 / side_px
    return np.array([[scale, 0, -MARGIN_SIDES], [0, scale, -MARGIN_SIDES], [0, 0, 1.0]])


def _camera_pose(floor_to_px: Floats, picture_px: tuple[int, int]) -> tuple[Floats, Floats, Floats]:
    """Find the camera matrix, its rotation (3, 3) and its translation (3,) from the floor."""
    width, height = picture_px
    centre = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1.0]])
    plane = centre @ floor_to_px
    focal_px = _focal_length_px(plane, 1.2 * max(picture_px))
    columns = np.diag([1 / focal_px, 1 / focal_px, 1]) @ plane
    scale = 2 / (np.linalg.norm(columns[:, 0]) + np.linalg.norm(columns[:, 1]))
    if columns[2, 2] < 0:
        scale = -scale  # the floor lies in front of the camera
    first, second, place = (scale * columns).T
    turn = np.column_stack((first, second, np.cross(first, second)))
    left, _, right = np.linalg.svd(turn)
    camera = np.array([[focal_px, 0, width / 2], [0, focal_px, height / 2], [0, 0, 1.0]])
    return camera, left @ right, place


def _focal_length_px(plane: Floats, otherwise_px: float) -> float:
    """Find the focal length from how the floor's sides converge; fall back when seen from above."""
    (a, b), (c, d), (e, f) = plane[0, :2], plane[1, :2], plane[2, :2]
    converging = ((e * f, -(a * b + c * d)), (e * e - f * f, b * b + d * d - a * a - c * c))
    weight, value = max(converging, key=lambda pair: abs(pair[0]))
    longest_px = 20 * otherwise_px
    if abs(weight) * longest_px**2 < abs(value) or value * weight <= 0:
        return otherwise_px
    return float(np.clip(math.sqrt(value / weight), otherwise_px / 4, longest_px))


def save_zones(zones: Iterable[Zone], path: Path) -> None:
    """Write zones as TOML."""
    lines: list[str] = []
    for zone in zones:
        corners = ", ".join(f"[{x:.2f}, {y:.2f}]" for x, y in zone.corners)
        lines += [
            f"[zones.{zone.name}]",
            f"corners = [{corners}]",
            f"size_sides = [{zone.size_sides[0]:.3f}, {zone.size_sides[1]:.3f}]",
            f"picture_px = [{zone.picture_px[0]}, {zone.picture_px[1]}]",
            "",
        ]
    path.write_text("\n".join(lines), encoding="utf-8")


def load_zones(path: Path) -> tuple[Zone, ...]:
    """Read zones that `save_zones` wrote; raise ConfigError for anything else."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8")).get("zones", {})
        return tuple(
            msgspec.convert({"name": name, **values}, Zone) for name, values in found.items()
        )
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise ConfigError(
            say("{path}: expected zones, got {why}; calibrate again", path=path, why=reason(error))
        ) from error
