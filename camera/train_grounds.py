"""What dice may lie on in made-up pictures, and things that are no dice."""

from collections.abc import Callable

import cv2
import numpy as np

from camera.pip_blobs import Floats, Pixels

GROUNDS = ("plain", "felt", "wood", "carpet", "cloth", "print")
THINGS = ("domino", "button", "screw", "text", "coin", "card")


def draw_ground(
    rng: np.random.Generator, size: tuple[int, int], name: str, side_px: float
) -> Pixels:
    """Draw a ground of (width, height) px as (H, W, 3) float32 BGR, 0 to 1."""
    base = np.clip(rng.uniform(0.05, 0.9) + rng.normal(0, 0.12, 3), 0.03, 0.95)
    other = np.clip(
        base + rng.choice([-1, 1]) * rng.uniform(0.06, 0.35) + rng.normal(0, 0.05, 3), 0.02, 1
    )
    share = np.clip(_SHARES[name](rng, size, side_px), 0, 1)[..., None].astype(np.float32)
    return np.asarray(base.astype(np.float32) * (1 - share) + other.astype(np.float32) * share)


def _noise(
    rng: np.random.Generator, size: tuple[int, int], x_px: float, y_px: float | None = None
) -> Floats:
    """Draw smooth noise with a spread of 1, its grain in px along x and y."""
    small = max(1.0, min(x_px, y_px or x_px) / 2)
    shape = (int(size[1] / small) + 2, int(size[0] / small) + 2)
    noise: Floats = rng.standard_normal(shape, dtype=np.float32)
    noise = cv2.GaussianBlur(
        noise, (0, 0), sigmaX=max(x_px / small, 0.3), sigmaY=max((y_px or x_px) / small, 0.3)
    )
    noise = cv2.resize(noise, size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(noise / noise.std())


def _plain(rng: np.random.Generator, size: tuple[int, int], side_px: float) -> Floats:
    return 0.5 + 0.15 * _noise(rng, size, 60.0)


def _felt(rng: np.random.Generator, size: tuple[int, int], side_px: float) -> Floats:
    return 0.5 + 0.12 * _noise(rng, size, rng.uniform(0.6, 1.5)) + 0.1 * _noise(rng, size, 40.0)


def _wood(rng: np.random.Generator, size: tuple[int, int], side_px: float) -> Floats:
    grain = _noise(rng, size, rng.uniform(0.5, 3) * side_px, rng.uniform(0.02, 0.12) * side_px)
    knots = np.clip(_noise(rng, size, 0.25 * side_px) - 2.6, 0, 1)
    planks = (np.mgrid[0 : size[1], 0 : size[0]][0] % (2.2 * side_px)) < max(1.0, 0.04 * side_px)
    return np.asarray(0.45 + 0.22 * grain + 0.8 * knots + 0.5 * planks * (rng.random() < 0.5))


def _carpet(rng: np.random.Generator, size: tuple[int, int], side_px: float) -> Floats:
    knob = side_px * rng.uniform(0.05, 0.2)
    y, x = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    bend = 0.4 * knob * _noise(rng, size, 3 * knob)
    rows = np.sin((x + bend) / knob * np.pi) * np.sin((y - bend) / knob * np.pi)
    loops = _noise(rng, size, 0.5 * knob)
    return np.asarray(0.5 + rng.uniform(0.1, 0.3) * loops + rng.uniform(0, 0.3) * rows)


def _cloth(rng: np.random.Generator, size: tuple[int, int], side_px: float) -> Floats:
    y, x = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    step, angle = side_px * rng.uniform(0.25, 1.6), rng.uniform(0, np.pi)
    u = (np.cos(angle) * x + np.sin(angle) * y) / step
    v = (np.cos(angle) * y - np.sin(angle) * x) / step
    match int(rng.integers(0, 4)):
        case 0:
            figure = (np.floor(u) + np.floor(v)) % 2
        case 1:
            figure = (np.floor(u) % 2).astype(np.float32)
        case 2:
            radius = rng.uniform(0.08, 0.35)
            figure = (np.hypot(u % 1 - 0.5, v % 1 - 0.5) < radius).astype(np.float32)
        case _:
            figure = 0.5 * (np.floor(u) % 2 + np.floor(v) % 2)
    return np.asarray(figure + 0.06 * _noise(rng, size, 1.0))


def _print(rng: np.random.Generator, size: tuple[int, int], side_px: float) -> Floats:
    """Draw flowers, dots and letters, strewn."""
    share = np.zeros((size[1], size[0]), np.uint8)
    for _ in range(int(min(500, 0.6 * size[0] * size[1] / side_px**2))):
        at = tuple(rng.integers((0, 0), size).tolist())
        reach = side_px * rng.uniform(0.04, 0.3)
        tone = int(rng.integers(80, 256))
        match int(rng.integers(0, 4)):
            case 0:
                cv2.circle(share, at, max(1, round(reach)), tone, -1, cv2.LINE_AA)
            case 1:
                axes = (max(1, round(reach)), max(1, round(reach * rng.uniform(0.3, 0.9))))
                cv2.ellipse(share, at, axes, rng.uniform(0, 180), 0, 360, tone, -1, cv2.LINE_AA)
            case 2:
                letter = chr(int(rng.integers(33, 123)))
                thick = max(1, round(reach / 6))
                cv2.putText(share, letter, at, 0, reach / 12, tone, thick, cv2.LINE_AA)
            case _:
                for turn in np.arange(5) * 2 * np.pi / 5:
                    leaf = (at[0] + reach * np.cos(turn), at[1] + reach * np.sin(turn))
                    leaf_at = (round(leaf[0]), round(leaf[1]))
                    cv2.circle(share, leaf_at, max(1, round(reach / 2)), tone, -1, cv2.LINE_AA)
    return np.asarray(share / np.float32(255) + 0.05 * _noise(rng, size, 1.5))


_SHARES: dict[str, Callable[[np.random.Generator, tuple[int, int], float], Floats]] = {
    "plain": _plain,
    "felt": _felt,
    "wood": _wood,
    "carpet": _carpet,
    "cloth": _cloth,
    "print": _print,
}


def draw_things(rng: np.random.Generator, picture: Pixels, name: str, side_px: float) -> None:
    """Draw one thing that is no die into a picture (H, W, 3) float32, somewhere, turned."""
    reach = int(2.2 * side_px)
    patch: Pixels = np.zeros((2 * reach, 2 * reach, 4), np.uint8)
    _DRAWN[name](rng, patch, side_px)
    turn = cv2.getRotationMatrix2D((reach, reach), rng.uniform(0, 360), 1.0)
    patch = cv2.warpAffine(patch, turn, (2 * reach, 2 * reach)) / np.float32(255)
    height, width = picture.shape[:2]
    left, top = (int(rng.integers(-reach // 2, side - reach)) for side in (width, height))
    rows, columns = slice(max(top, 0), top + 2 * reach), slice(max(left, 0), left + 2 * reach)
    area = picture[rows, columns]
    patch = patch[max(-top, 0) :, max(-left, 0) :][: area.shape[0], : area.shape[1]]
    area[:] = area * (1 - patch[..., 3:]) + patch[..., :3] * patch[..., 3:]


def _ink(rng: np.random.Generator, light: bool) -> tuple[float, float, float, float]:
    tone = rng.uniform(0.7, 1.0) if light else rng.uniform(0.02, 0.3)
    b, g, r = (255 * np.clip(tone + rng.normal(0, 0.05, 3), 0, 1)).tolist()
    return b, g, r, 255.0


def _domino(rng: np.random.Generator, patch: Pixels, side_px: float) -> None:
    middle, half = patch.shape[0] // 2, side_px / 2
    light = bool(rng.random() < 0.6)
    body, ink = _ink(rng, light), _ink(rng, not light)
    corners = [
        (round(middle - 2 * half), round(middle - half)),
        (round(middle + 2 * half), round(middle + half)),
    ]
    cv2.rectangle(patch, corners[0], corners[1], body, -1, cv2.LINE_AA)
    line = [(middle, round(middle + sign * 0.8 * half)) for sign in (-1, 1)]
    cv2.line(patch, line[0], line[1], ink, max(1, round(0.04 * side_px)), cv2.LINE_AA)
    for side in (-1, 1):
        for x, y in SPOTS[int(rng.integers(0, 7))]:
            at = (
                round(middle + side * half + x * 0.27 * side_px),
                round(middle + y * 0.27 * side_px),
            )
            cv2.circle(patch, at, max(1, round(0.09 * side_px)), ink, -1, cv2.LINE_AA)


SPOTS: dict[int, list[tuple[int, int]]] = {
    0: [],
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
}


def _button(rng: np.random.Generator, patch: Pixels, side_px: float) -> None:
    middle, radius = patch.shape[0] // 2, round(side_px * rng.uniform(0.35, 0.8))
    light = bool(rng.random() < 0.5)
    body, ink = _ink(rng, light), _ink(rng, not light)
    cv2.circle(patch, (middle, middle), radius, body, -1, cv2.LINE_AA)
    cv2.circle(patch, (middle, middle), round(0.8 * radius), ink, max(1, radius // 12), cv2.LINE_AA)
    gap = 0.25 * radius
    holes = [(-1, -1), (1, 1)] if rng.random() < 0.4 else [(-1, -1), (1, 1), (1, -1), (-1, 1)]
    for x, y in holes:
        at = (round(middle + x * gap), round(middle + y * gap))
        cv2.circle(patch, at, max(1, round(0.13 * radius)), ink, -1, cv2.LINE_AA)


def _screw(rng: np.random.Generator, patch: Pixels, side_px: float) -> None:
    middle, radius = patch.shape[0] // 2, max(2, round(side_px * rng.uniform(0.1, 0.35)))
    tone, dark = float(rng.uniform(110, 230)), float(rng.uniform(10, 80))
    cv2.circle(patch, (middle, middle), radius, (tone, tone, tone, 255.0), -1, cv2.LINE_AA)
    for step in ((1, 0), (0, 1))[: int(rng.integers(1, 3))]:
        ends = [
            (round(middle + s * step[0] * 0.7 * radius), round(middle + s * step[1] * 0.7 * radius))
            for s in (-1, 1)
        ]
        cv2.line(
            patch, ends[0], ends[1], (dark, dark, dark, 255.0), max(1, radius // 5), cv2.LINE_AA
        )


def _text(rng: np.random.Generator, patch: Pixels, side_px: float) -> None:
    words = "".join(chr(int(letter)) for letter in rng.integers(33, 123, 14))
    ink, scale = _ink(rng, bool(rng.random() < 0.5)), side_px * rng.uniform(0.008, 0.03)
    for line in range(3):
        at = (int(0.3 * side_px), int(patch.shape[0] // 2 + (line - 1) * 34 * scale))
        cv2.putText(patch, words[line:], at, 0, scale, ink, max(1, round(2 * scale)), cv2.LINE_AA)


def _coin(rng: np.random.Generator, patch: Pixels, side_px: float) -> None:
    middle, radius = patch.shape[0] // 2, round(side_px * rng.uniform(0.4, 0.9))
    b, g, r = rng.uniform(60, 130), rng.uniform(100, 150), rng.uniform(130, 190)
    cv2.circle(patch, (middle, middle), radius, (b, g, r, 255.0), -1, cv2.LINE_AA)
    cv2.circle(
        patch, (middle, middle), round(0.9 * radius), (b / 2, g / 2, r / 2, 255.0), 1, cv2.LINE_AA
    )
    at = (round(middle - 0.4 * radius), round(middle + 0.4 * radius))
    number, thick = str(rng.integers(1, 51)), max(1, radius // 15)
    cv2.putText(patch, number, at, 0, radius / 22, (b / 2, g / 2, r / 2, 255.0), thick, cv2.LINE_AA)


def _card(rng: np.random.Generator, patch: Pixels, side_px: float) -> None:
    """Draw a playing card: suits in rows and columns, like pips, but on a large even ground."""
    middle, half = patch.shape[0] // 2, (round(1.3 * side_px), round(1.9 * side_px))
    cv2.rectangle(patch, (middle - half[0], middle - half[1]), (middle + half[0], middle + half[1]),
                  (242.0, 242.0, 242.0, 255.0), -1)  # fmt: skip
    ink = (25.0, 25.0, 190.0, 255.0) if rng.random() < 0.5 else (25.0, 25.0, 25.0, 255.0)
    for x, y in SPOTS[int(rng.integers(1, 7))]:
        at = (round(middle + 0.6 * x * side_px), round(middle + 1.2 * y * side_px))
        size = round(0.16 * side_px)
        diamond = np.array([(0, -1.3), (1, 0), (0, 1.3), (-1, 0)]) * size + at
        cv2.fillConvexPoly(patch, diamond.round().astype(np.int32), ink, cv2.LINE_AA)


_DRAWN: dict[str, Callable[[np.random.Generator, Pixels, float], None]] = {
    "domino": _domino,
    "button": _button,
    "screw": _screw,
    "text": _text,
    "coin": _coin,
    "card": _card,
}
