"""Corner cards are printed and found again; taps do as well."""

import functools
import re

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from camera.corners import (
    CARDS,
    draw_card,
    draw_sheet,
    find_corner_cards,
    sheet_pdf,
    sheet_png,
    zone_from_cards,
    zone_from_taps,
)
from camera.square import SPACING
from companion.errors import ConfigError, PictureError

SIZE = (900, 700)
SQUARE = np.array([(260.0, 170.0), (640.0, 190.0), (700.0, 540.0), (210.0, 520.0)])


@functools.cache
def table(turns=(0.0, 0.0, 0.0, 0.0), cards=(0, 1, 2, 3), noise=4.0):
    """A felt with cards whose tips lie on the corners of SQUARE, each turned by some radians."""
    picture = np.full((SIZE[1], SIZE[0], 3), (70, 96, 60), np.float32)
    picture += noise * np.random.default_rng(2).standard_normal(picture.shape, np.float32)
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    plane = cv2.getPerspectiveTransform(unit, SQUARE.astype(np.float32))
    for number in cards:
        tip = unit[number].astype(float)
        away = 2 * tip - 1
        edge = 0.26
        cos, sin = np.cos(turns[number]), np.sin(turns[number])
        inner = np.array([(1, 1), (0, 1), (0, 0), (1, 0)])[number]
        corners = (unit - inner) * edge @ np.array([[cos, sin], [-sin, cos]]) + tip
        assert (away * (corners.mean(axis=0) - tip) > 0).all()
        there = cv2.perspectiveTransform(corners[None].astype(np.float32), plane)[0]
        side = 400
        card = draw_card(number, side)
        box = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
        lay = cv2.getPerspectiveTransform(box, there)
        drawn = cv2.warpPerspective(card, lay, SIZE, flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full_like(card, 255), lay, SIZE)
        share = (mask / np.float32(255))[..., None]
        picture = picture * (1 - share) + drawn[..., None] * share * np.float32(0.8)
    soft = cv2.GaussianBlur(np.clip(picture, 0, 255).astype(np.uint8), (0, 0), 0.8)
    return np.asarray(soft, np.uint8)


def test_corners_are_found_when_four_cards_lie_around_the_square():
    corners = np.array(find_corner_cards(table()))
    assert np.abs(corners - SQUARE).max() < 1.5
    zone = zone_from_cards(table(), columns=6)
    assert zone.size_sides == pytest.approx((6 * SPACING, 6 * SPACING))
    assert zone.picture_px == SIZE


@settings(max_examples=5)
@given(st.tuples(*[st.floats(-0.4, 0.4)] * 4))
def test_corners_are_found_however_cards_are_turned(turns):
    assert np.abs(np.array(find_corner_cards(table(turns))) - SQUARE).max() < 2.5


@pytest.mark.parametrize("missing", range(4))
def test_missing_card_is_named(missing):
    cards = tuple(number for number in range(4) if number != missing)
    with pytest.raises(PictureError, match=f"not seen once: {CARDS[missing]};"):
        find_corner_cards(table(cards=cards))


def test_arrows_meet_in_the_middle_of_the_sheet():
    sheet = draw_sheet()
    corners = np.array(find_corner_cards(cv2.cvtColor(sheet, cv2.COLOR_GRAY2BGR)))
    assert np.ptp(corners, axis=0).max() < 3
    assert abs(corners[:, 0].mean() - sheet.shape[1] / 2) < 3


def test_sheet_is_a_png_that_shows_the_same():
    decoded = cv2.imdecode(np.frombuffer(sheet_png(), np.uint8), cv2.IMREAD_GRAYSCALE)
    assert np.array_equal(decoded, draw_sheet())


def test_sheet_is_a_pdf_whose_table_points_at_its_objects():
    pdf = sheet_pdf()
    assert pdf.startswith(b"%PDF-1.4")
    begin = int(re.search(rb"startxref\n(\d+)\n%%EOF", pdf)[1])
    assert pdf[begin:].startswith(b"xref\n0 6\n")
    entries = re.findall(rb"(\d{10}) 00000 n ", pdf[begin:])
    for number, entry in enumerate(entries, 1):
        assert pdf[int(entry) :].startswith(b"%d 0 obj" % number)
    length = int(re.search(rb"/DCTDecode /Length (\d+)", pdf)[1])
    jpeg = pdf[pdf.index(b"\xff\xd8") :][:length]
    assert pdf[pdf.index(b"\xff\xd8") + length :].startswith(b"\nendstream")
    page = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert np.abs(page.astype(int) - draw_sheet()).mean() < 2


def test_four_taps_do_as_well():
    zone = zone_from_taps([tuple(corner) for corner in SQUARE.tolist()], table())
    assert np.array(zone.corners) == pytest.approx(SQUARE)


@pytest.mark.parametrize(
    ("taps", "error", "complaint"),
    [
        ([(1, 1), (5, 5)], PictureError, "four points"),
        ([(1, 1), (500, 1), (500, 500), (1, 2000)], PictureError, "900 x 700"),
        ([(1, 1), (1, 500), (500, 500), (500, 1)], PictureError, "clockwise"),
        ([(1, 1), (500, 1), (1, 500), (520, 510)], (PictureError, ConfigError), "going"),
    ],
)
def test_taps_are_refused_when_they_go_round_no_square(taps, error, complaint):
    with pytest.raises(error, match=complaint):
        zone_from_taps(taps, table())
