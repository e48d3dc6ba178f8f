"""Draw the hand that reaches into a simulated tray."""

from typing import Any

import cv2
import numpy as np

from camera.scene import Sprite

_SKINS = ((120, 152, 206), (96, 128, 184), (58, 84, 132), (40, 60, 98))
_FINGERS = ((-0.9, 0.55), (-0.3, 0.12), (0.3, 0.05), (0.9, 0.35))  # across, and below the longest


def draw_hand(side_px: float, height_px: int, rng: np.random.Generator) -> Sprite:
    """Draw a hand that points up, with its arm and a soft shadow; its top middle is its place."""
    skin = np.array(_SKINS[int(rng.integers(4))])
    width, height = round(4.2 * side_px), round(height_px + 3 * side_px)
    cover: Any = np.zeros((height, width), np.uint8)
    middle, thick = width / 2, round(0.62 * side_px)
    for finger, reach in _FINGERS:
        tip = (round(middle + finger * side_px), round((reach + 0.35) * side_px))
        palm = (round(middle + 0.8 * finger * side_px), round(2.2 * side_px))
        cv2.line(cover, tip, palm, 255, thick)
    cv2.line(
        cover,
        (round(middle + 1.55 * side_px), round(1.6 * side_px)),
        (round(middle + 0.7 * side_px), round(2.9 * side_px)),
        255,
        round(0.7 * side_px),
    )
    cv2.ellipse(
        cover,
        ((middle, 2.6 * side_px), (2.3 * side_px, 2.2 * side_px), 0),
        255,
        -1,
    )
    left, right = round(middle - 0.8 * side_px), round(middle + 0.8 * side_px)
    cv2.rectangle(cover, (left, round(2.8 * side_px)), (right, height), 255, -1)
    cover = cv2.GaussianBlur(cover, (0, 0), 1.2)
    round_shade = cv2.GaussianBlur(cover, (0, 0), 0.22 * side_px)
    shade = (cover.astype(np.float32) / 255) * (0.55 + 0.45 * round_shade / 255)
    ink = np.clip(skin * shade[..., None], 0, 255).astype(np.uint8)
    shadow = np.roll(cv2.convertScaleAbs(round_shade, alpha=0.45), round(0.25 * side_px), axis=1)
    both = cv2.cvtColor(np.maximum(cover, shadow), cv2.COLOR_GRAY2BGR)
    return Sprite(ink, np.asarray(both, np.uint8), 0, 0)
