"""What was read, drawn on a picture: boxes, faces, places that are asked about, and why."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np

from camera.canvas import Pixels
from camera.faces import CERTAIN
from camera.pictures import ANY_PIPS

FONT = cv2.FONT_HERSHEY_SIMPLEX
LEAST_WIDTHS = 40  # of a line, that a picture is wide below which words are written
RING_WIDTHS = 14  # of a line: the radius around a place where no die was read
DIMMED = 3  # so much darker is a picture behind words
OVER_WORDS = 10  # how much worse it is to cover other words than to cover a die
ACCEPTED_BGR = (80, 200, 60)
ASKED_BGR = (0, 140, 255)
PLACE = re.compile(r"\((\d+), (\d+)\)")  # in a doubt
Colour = tuple[int, int, int]


class Area(NamedTuple):
    """A part of a picture, in pixels."""

    left: int
    top: int
    width: int
    height: int

    def shared(self, other: "Area") -> int:
        """How many pixels both have."""
        across = min(self.left + self.width, other.left + other.width) - max(self.left, other.left)
        down = min(self.top + self.height, other.top + other.height) - max(self.top, other.top)
        return max(0, across) * max(0, down)


def name_of(die: dict[str, Any]) -> str:
    """What a die of a line shows: its face, with its kind where there are several of them."""
    return str(die["face"] if die["kind"] == ANY_PIPS else f"{die['kind']} {die['face']}")


def draw_readings(pixels: Pixels, line: dict[str, Any]) -> Pixels:
    """Draw what a line of `companion read` tells on a copy of its picture.

    What is sure is green; a die that has to be asked about is orange, a place where something else
    may be a die has a ring, and why stands below.
    """
    drawn, width = pixels.copy(), max(1, round(max(pixels.shape[:2]) / 400))
    boxes = [Area(*die["box"]) for die in line["dice"]]
    colours = [_colour(die, is_accepted=line["accepted"]) for die in line["dice"]]
    doubts, written = line.get("doubts", ()), list[Area]()
    for box, colour in zip(boxes, colours, strict=True):
        cv2.rectangle(drawn, box[:2], (box.left + box.width, box.top + box.height), colour, width)
    for place in _places_beside(doubts, boxes):
        cv2.circle(drawn, place, RING_WIDTHS * width, ASKED_BGR, width)
    for number, (die, colour) in enumerate(zip(line["dice"], colours, strict=True)):
        written.append(_label(drawn, _words_of(die), boxes, number, written, colour, width))
    return _with_words_below(drawn, doubts, width)


def _colour(die: dict[str, Any], *, is_accepted: bool) -> Colour:
    is_sure = die["certainty"] >= CERTAIN and not (die.get("flaw") or die.get("doubt"))
    return ACCEPTED_BGR if is_accepted or is_sure else ASKED_BGR


def _words_of(die: dict[str, Any]) -> str:
    return f"{name_of(die)}  {die['certainty']:.2f}  {die.get('flaw', '')}".rstrip()


def _places_beside(doubts: Sequence[str], boxes: Sequence[Area]) -> Iterator[tuple[int, int]]:
    """Where something is in doubt that was read as no die."""
    for doubt in doubts:
        for x, y in PLACE.findall(doubt):
            place = Area(int(x), int(y), 1, 1)
            if not any(place.shared(box) for box in boxes):
                yield place[:2]


def _label(
    drawn: Pixels, text: str, boxes: Sequence[Area], number: int, written: Sequence[Area],
    colour: Colour, width: int,
) -> Area:  # fmt: skip
    """Write beside a box where that covers least of dice and of other words; tell where."""
    size = cv2.getTextSize(text, FONT, 0.4 * width, width)[0]
    areas = _areas_beside(boxes[number], size, drawn.shape[:2], 2 * width)
    at = min(areas, key=lambda area: _covered(area, written, boxes))
    drawn[at.top : at.top + at.height, at.left : at.left + at.width] //= DIMMED
    foot = (at.left, at.top + at.height - 2 * width)
    cv2.putText(drawn, text, foot, FONT, 0.4 * width, colour, width)
    return at


def _covered(area: Area, written: Sequence[Area], boxes: Sequence[Area]) -> int:
    words = sum(area.shared(other) for other in written)
    return OVER_WORDS * words + sum(area.shared(other) for other in boxes)


def _areas_beside(box: Area, size: Sequence[int], shape: Sequence[int], gap: int) -> list[Area]:
    """Where words of this size may stand: above and below a box, in the picture; best first."""
    wide, high = size[0], size[1] + 2 * gap
    above, below = box.top - high - gap, box.top + box.height + gap
    tried = (above, below, above - high - gap, below + high + gap)
    rows = [row for row in tried if 0 <= row <= shape[0] - high]
    columns = (box.left, box.left + box.width - wide, box.left + (box.width - wide) // 2)
    last = max(0, shape[1] - wide)
    return [
        Area(min(max(0, column), last), row, wide, high)
        for row in rows or [box.top]
        for column in columns
    ]


def _with_words_below(drawn: Pixels, words: Sequence[str], width: int) -> Pixels:
    """Add lines of text below a picture, as large as its width allows; none below a narrow one."""
    high, wide = drawn.shape[:2]
    if wide < LEAST_WIDTHS * width:
        return drawn
    line_px = 16 * width
    whole = cv2.copyMakeBorder(drawn, 0, line_px * len(words), 0, 0, cv2.BORDER_CONSTANT)
    needs_px = [cv2.getTextSize(text, FONT, 0.4 * width, width)[0][0] for text in words]
    size = 0.4 * width * min(1.0, (wide - 8 * width) / max(needs_px, default=1))
    for number, text in enumerate(words, start=1):
        at = (4 * width, high + number * line_px - 4 * width)
        cv2.putText(whole, text, at, FONT, size, ASKED_BGR, width)
    return np.asarray(whole, np.uint8)
