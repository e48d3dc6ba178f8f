"""Bytes are written out here as the published interfaces give them."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.ble_godice import D8, GoDiceTalk, face_up
from hardware.ble_messages import About, Battery, Moves, Rests

UP = {1: (-64, 0, 0), 2: (0, 0, 64), 3: (0, 64, 0), 4: (0, -64, 0), 5: (0, 0, -64), 6: (64, 0, 0)}


def xyz(*values: int) -> bytes:
    return struct.pack("bbb", *values)


def test_throw_begins_and_settles() -> None:
    die = GoDiceTalk()
    assert die.greet() == [b"\x03", b"\x17"]
    assert die.hear(b"R") == [Moves()]
    for face, up in UP.items():
        assert die.hear(b"S" + xyz(*up)) == [Rests("settled", str(face))]


@pytest.mark.parametrize("letters", [b"FS", b"MS"])
def test_false_rolls_and_small_moves_are_no_rolls(letters: bytes) -> None:
    assert GoDiceTalk().hear(letters + xyz(60, 10, -8)) == [Rests("lies", "6")]


def test_tilted_die_lies_crooked_however_near_a_face_it_is() -> None:
    assert GoDiceTalk().hear(b"TS" + xyz(64, 0, 0)) == [Rests("crooked")]


@pytest.mark.parametrize("values", [(45, 45, 0), (37, 37, 37), (0, 0, 0), (0, 45, -45)])
def test_direction_between_faces_is_no_face(values: tuple[int, int, int]) -> None:
    assert face_up(values) is None
    assert GoDiceTalk().hear(b"S" + xyz(*values)) == [Rests("crooked")]


@given(st.sampled_from(list(UP)), st.lists(st.integers(-12, 12), min_size=3, max_size=3))
def test_noise_and_a_table_that_leans_do_not_change_the_face(face: int, off: list[int]) -> None:
    x, y, z = (value + noise for value, noise in zip(UP[face], off, strict=True))
    assert face_up((x, y, z)) == face


@pytest.mark.parametrize("face", D8)
def test_shell_of_eight_faces_is_read(face: int) -> None:
    for up in D8[face]:
        assert GoDiceTalk("d8").hear(b"S" + xyz(*up)) == [Rests("settled", str(face))]


def test_battery_and_colour_are_answers() -> None:
    assert GoDiceTalk().hear(b"Bat\x42") == [Battery(66)]
    assert GoDiceTalk("d8").hear(b"Col\x01") == [About("", "d8", 8)]


def test_blink_is_one_short_message() -> None:
    assert GoDiceTalk().blink()[:2] == b"\x10\x03"


@pytest.mark.parametrize("data", [b"", b"S", b"FS\x01", b"Bat", b"Z123", b"TS"])
def test_what_is_cut_or_unknown_is_not_understood(data: bytes) -> None:
    assert GoDiceTalk().hear(data) is None


@given(st.binary(max_size=12))
def test_any_bytes_are_taken_without_a_fault(data: bytes) -> None:
    GoDiceTalk().hear(data)
