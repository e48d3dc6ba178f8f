"""Bytes are written out here as the published descriptions give them, field by field."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.ble_messages import About, Battery, Moves, Rests
from hardware.ble_pixels import PixelsTalk, face_number


def old_greeting(state: int, face: int, leds: int = 6, kind: int = 2) -> bytes:
    # id, LEDs, design, type; hash, pixel id; flash; build time; state, face, percent, battery
    head = bytes([2, leds, 1, kind])
    return (
        head + struct.pack("<IIHI", 0xAABB, 0x1234, 9, 1_650_000_000) + bytes([state, face, 81, 0])
    )


def new_greeting(state: int, face: int, kind: int = 2, leds: int = 6) -> bytes:
    chunks = [
        struct.pack("<HIHHHH", 0x0104, 1_730_000_000, 1, 2, 3, 4),
        struct.pack("<IBBBBB", 0x1234, 0, kind, leds, 1, 0),
        b"\0",
        b"my die\0",
        struct.pack("<III", 1, 2, 3),
        bytes([81, 0, state, face]),
    ]
    return b"\x02" + b"".join(bytes([len(one) + 1]) + one for one in chunks)


def test_throw_is_handled_rolls_and_settles() -> None:
    die = PixelsTalk()
    assert die.greet() == [b"\x01", b"\x21"]
    assert die.hear(bytes([3, 2, 0])) == [Moves(is_held=True)]
    assert die.hear(bytes([3, 3, 0])) == [Moves(is_held=False)]
    assert die.hear(bytes([3, 2, 4])) == [Moves(is_held=False)]  # bumps on its way are no hand
    assert die.hear(bytes([3, 1, 4])) == [Rests("settled", "5")]


def test_face_without_a_roll_lies_there_with_any_firmware() -> None:
    die = PixelsTalk()
    for at_rest in (1, 5):  # older firmware says 1 for both
        assert die.hear(bytes([3, 2, 0])) == [Moves(is_held=True)]
        assert die.hear(bytes([3, at_rest, 2])) == [Rests("lies", "3")]


def test_roll_that_newer_firmware_doubts_is_none() -> None:
    die = PixelsTalk()
    die.hear(bytes([3, 3, 0]))
    assert die.hear(bytes([3, 5, 2])) == [Rests("lies", "3")]
    assert die.hear(bytes([3, 1, 2])) == [Rests("lies", "3")]  # its rolling is used up


def test_crooked_die_says_so_whatever_face_it_names() -> None:
    die = PixelsTalk()
    die.hear(bytes([3, 3, 0]))
    assert die.hear(bytes([3, 4, 2])) == [Rests("crooked")]


def test_unknown_state_says_nothing() -> None:
    assert PixelsTalk().hear(bytes([3, 0, 0])) == []


@pytest.mark.parametrize("greeting", [old_greeting, new_greeting])
def test_greeting_says_what_lies_there_and_never_that_it_was_rolled(greeting) -> None:
    die = PixelsTalk()
    die.hear(bytes([3, 3, 0]))
    about, battery, rests = die.hear(greeting(1, 3)) or []
    assert isinstance(about, About)
    assert (about.shape, about.sides) == ("d6", 6)
    assert (battery, rests) == (Battery(81), Rests("lies", "4"))


def test_shape_comes_from_the_lights_where_older_firmware_does_not_tell() -> None:
    about, *_ = PixelsTalk().hear(old_greeting(1, 0, leds=8, kind=0)) or []
    assert about == About("1650000000", "d8", 8)


@pytest.mark.parametrize(
    ("shape", "index", "number"),
    [("d6", 0, 1), ("d8", 7, 8), ("d20", 19, 20), ("d10", 0, 0), ("d00", 3, 30), ("d4", 5, 4)],
)
def test_index_of_a_face_becomes_its_number(shape: str, index: int, number: int) -> None:
    assert face_number(index, shape) == number


def test_battery_is_told() -> None:
    assert PixelsTalk().hear(bytes([34, 55, 1])) == [Battery(55)]


def test_blink_has_the_fields_of_the_description() -> None:
    data = PixelsTalk().blink()
    assert len(data) == 14
    assert (data[0], data[1], data[2:4]) == (29, 3, (2000).to_bytes(2, "little"))


@given(st.binary(max_size=80))
def test_any_bytes_are_taken_without_a_fault(data: bytes) -> None:
    die = PixelsTalk()
    for start in (b"", b"\x02", b"\x03", b"\x22"):
        die.hear(start + data)


@given(st.integers(0, 60))
def test_greeting_that_was_cut_is_not_understood(size: int) -> None:
    data = new_greeting(1, 3)
    if size < len(data) and size != 22:
        assert PixelsTalk().hear(data[:size]) is None
