"""Corner cards: four printed markers that say where a square of tiles lies.

Each card bears a fiducial marker with a white margin. The corner of the card that its arrow points
at is laid against a corner of the square; how the card is turned does not matter. Where cards are
not wanted, four points tapped on the picture do as well.
Source: ArUco markers after Garrido-Jurado et al., "Automatic generation and detection of highly
reliable fiducial markers under occlusion", 2014, as in cv2.aruco.
"""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from camera.calibrate import Floats, Pixels, Zone, map_points
from camera.square import COLUMNS, SPACING, square_zone
from companion.errors import PictureError
from companion.words import say

CARDS = ("upper left", "upper right", "lower right", "lower left")
MARKER_MM, MARGIN_MM = 60.0, 10.0
A4_MM = (210.0, 297.0)
PX_PER_MM = 8.0  # about 200 dots an inch
_INNER = (2, 3, 0, 1)  # number of the marker's own corner that looks into the square
_NOISE_LEVELS = (12, 7, 20)  # of 255: noise hides markers at one, faint light at another
_OUTLINE: Floats = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
_A_POINT = 72 / 25.4  # a PDF counts in 72 dots an inch


def find_corner_cards(pixels: Pixels) -> tuple[tuple[float, float], ...]:
    """Find the corners of the square, in picture pixels: upper left, then going round.

    pixels  (H, W, 3) uint8 BGR. Raises PictureError, naming the cards that are not seen.
    """
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    seen: dict[int, Floats] = {}
    for levels in _NOISE_LEVELS:
        seen = _markers_in(grey, levels) | seen
    missing = [card for number, card in enumerate(CARDS) if number not in seen]
    if missing:
        raise PictureError(
            say(
                "corner cards: expected each of the four once, not seen once: {missing}; lay them "
                "flat, without shine, wholly in the picture",
                missing=", ".join(missing),
            )
        )
    return tuple(_tip(seen[number], number) for number in range(4))


def _markers_in(grey: Any, levels: int) -> dict[int, Floats]:
    """Corners (4, 2) of every marker that is seen once, in a picture with so much noise."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.adaptiveThreshConstant = levels
    found, numbers, _ = cv2.aruco.ArucoDetector(_markers(), settings).detectMarkers(grey)
    names = [] if numbers is None else [int(number) for number in np.ravel(numbers)]
    return {
        name: np.asarray(corners, np.float64)[0]
        for name, corners in zip(names, found, strict=True)
        if names.count(name) == 1
    }


def zone_from_cards(pixels: Pixels, *, columns: int = COLUMNS, spacing: float = SPACING) -> Zone:
    """The zone of a square between four corner cards; raises PictureError if one is not seen."""
    corners = find_corner_cards(pixels)
    return zone_from_taps(corners, pixels, columns=columns, spacing=spacing)


def zone_from_taps(
    taps: Sequence[tuple[float, float]],
    pixels: Pixels,
    *,
    columns: int = COLUMNS,
    spacing: float = SPACING,
) -> Zone:
    """The zone of a square whose corners were tapped on a picture: upper left, then clockwise.

    taps     in picture pixels; the first becomes the outer corner of square `0,0`.
    columns  so many rows and columns.
    spacing  from the middle of a tile to that of the next one, in tile edges.
    Raises PictureError unless four points go clockwise in the picture.
    """
    height, width = pixels.shape[:2]
    if len(taps) != 4 or not all(0 <= x <= width and 0 <= y <= height for x, y in taps):
        raise PictureError(
            say(
                "corners: expected four points in a picture of {width} x {height}, got {points}",
                width=width,
                height=height,
                points=list(taps),
            )
        )
    if cv2.contourArea(np.array(taps, np.float32), oriented=True) <= 0:
        raise PictureError(
            say("corners: expected four points going clockwise, got {points}", points=list(taps))
        )
    return square_zone(taps, (width, height), columns=columns, spacing=spacing)


def draw_card(number: int, side_px: int) -> Pixels:
    """Draw one card (side_px, side_px) grey: its marker, its name, an arrow to its corner."""
    margin_px = round(side_px * MARGIN_MM / (MARKER_MM + 2 * MARGIN_MM))
    marker_px = side_px - 2 * margin_px
    card = np.full((side_px, side_px), 255, np.uint8)
    inside = slice(margin_px, margin_px + marker_px)
    card[inside, inside] = cv2.aruco.generateImageMarker(_markers(), number, marker_px)
    tip = _OUTLINE[_INNER[number]] * (side_px - 1)
    inwards = np.sign(side_px / 2 - tip)
    begin, end = tip + inwards * 0.75 * margin_px, tip + inwards * 0.12 * margin_px
    cv2.arrowedLine(card, _whole(begin), _whole(end), (0,), max(1, margin_px // 14), tipLength=0.5)
    top = _INNER[number] in (2, 3)  # the name stands on the side away from the square
    row = round(0.55 * margin_px) if top else side_px - round(0.3 * margin_px)
    scale = margin_px / 75
    place = (margin_px * 2, row)
    cv2.putText(card, CARDS[number], place, cv2.FONT_HERSHEY_SIMPLEX, scale, (90,), 1, cv2.LINE_AA)
    cv2.rectangle(card, (0, 0), (side_px - 1, side_px - 1), (200,), 1)
    return np.asarray(card, np.uint8)


def draw_sheet() -> Pixels:
    """Draw an A4 page, grey, with the four cards and what to do with them."""
    width, height = (round(mm * PX_PER_MM) for mm in A4_MM)
    page = np.full((height, width), 255, np.uint8)
    side = round((MARKER_MM + 2 * MARGIN_MM) * PX_PER_MM)
    left, top = (width - 2 * side) // 2, round(18 * PX_PER_MM)
    for number, (column, row) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
        y, x = top + row * side, left + column * side
        page[y : y + side, x : x + side] = draw_card(number, side)
    words = (
        "Corner cards for the square of tiles",
        "Cut along the grey lines; keep the white margins.",
        "Lay each card outside the square, the corner with the arrow against",
        "the corner of the square. Take a picture from where the camera stays,",
        "before the tiles are laid. Then: companion calibrate PICTURE",
    )
    for line, text in enumerate(words):
        place = (left, top + 2 * side + round((14 + 9 * line) * PX_PER_MM))
        cv2.putText(page, text, place, cv2.FONT_HERSHEY_SIMPLEX, 1.15, (0,), 2, cv2.LINE_AA)
    return page


def sheet_png() -> bytes:
    """The sheet as a PNG file."""
    return _encoded(".png")


def sheet_pdf() -> bytes:
    """The sheet as a PDF file: one A4 page that holds one picture."""
    width, height = (round(mm * PX_PER_MM) for mm in A4_MM)
    box = tuple(round(mm * _A_POINT, 2) for mm in A4_MM)
    picture = _encoded(".jpg")
    shown = f"q {box[0]} 0 0 {box[1]} 0 0 cm /Sheet Do Q".encode()
    looks = (
        f"<< /Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace "
        f"/DeviceGray /BitsPerComponent 8 /Filter /DCTDecode /Length {len(picture)} >>"
    )
    return _pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {box[0]} {box[1]}] "
            "/Resources << /XObject << /Sheet 5 0 R >> >> /Contents 4 0 R >>".encode(),
            f"<< /Length {len(shown)} >>".encode() + _stream(shown),
            looks.encode() + _stream(picture),
        ]
    )


def _pdf(objects: Sequence[bytes]) -> bytes:
    """Number the objects of a PDF file, the catalogue first, and list where each begins."""
    written = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
    begins = []
    for number, body in enumerate(objects, 1):
        begins.append(len(written))
        written += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{begin:010d} 00000 n \n" for begin in begins)
    size = len(objects) + 1
    return (
        written
        + f"xref\n0 {size}\n0000000000 65535 f \n{table}".encode()
        + f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(written)}\n%%EOF\n".encode()
    )


def _stream(content: bytes) -> bytes:
    return b"\nstream\n" + content + b"\nendstream"


def _encoded(suffix: str) -> bytes:
    settings = [cv2.IMWRITE_JPEG_QUALITY, 92] if suffix == ".jpg" else []
    done, coded = cv2.imencode(suffix, draw_sheet(), settings)
    assert done, suffix
    return coded.tobytes()


def _markers() -> Any:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def _tip(marker: Floats, number: int) -> tuple[float, float]:
    """The corner of a card that its arrow points at, from the corners (4, 2) of its marker."""
    to_px = cv2.getPerspectiveTransform(_OUTLINE.astype(np.float32), marker.astype(np.float32))
    away = 2 * _OUTLINE[_INNER[number]] - 1
    tip = _OUTLINE[_INNER[number]] + away * MARGIN_MM / MARKER_MM
    x, y = map_points(np.asarray(to_px, np.float64), tip[None])[0]
    return float(x), float(y)


def _whole(point: Floats) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
