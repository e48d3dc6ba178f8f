"""Damage inside a JPEG is heard, and nothing else that is written meanwhile is lost."""

import os
import struct
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest

from camera import decoding
from camera.decoding import JPEG, STANDARD_ERROR, TRIES, decoded
from camera.picture_headers import picture_size
from camera.pictures import load_picture
from companion.errors import PictureError

END = b"\xff\xd9"


@pytest.fixture(scope="module")
def jpeg():
    """A picture with much in it."""
    noise = np.random.default_rng(3).integers(0, 255, (60, 80, 3), np.uint8)
    pixels = cv2.resize(noise, (640, 480), interpolation=cv2.INTER_CUBIC)
    return cv2.imencode(".jpg", pixels)[1].tobytes()


def holed(jpeg):
    """The same with nothing in the middle, as a copy that broke off and was put together."""
    third = len(jpeg) // 3
    return jpeg[:third] + bytes(third) + jpeg[2 * third :]


def test_whole_picture_is_decoded(jpeg):
    assert decoded(jpeg).shape == (480, 640, 3)
    assert (decoded(jpeg + b"what a camera wrote after it") == decoded(jpeg)).all()


@pytest.mark.parametrize("kind", [".png", ".bmp", ".webp"])
def test_other_kinds_are_decoded_as_ever(jpeg, kind):
    coded = cv2.imencode(kind, decoded(jpeg))[1].tobytes()
    assert decoded(coded).shape == (480, 640, 3)


@pytest.mark.parametrize("damaged", [holed, lambda jpeg: jpeg[: len(jpeg) // 2] + END])
def test_damaged_picture_is_none(jpeg, damaged, tmp_path):
    assert cv2.imdecode(np.frombuffer(damaged(jpeg), np.uint8), cv2.IMREAD_COLOR) is not None
    assert decoded(damaged(jpeg)) is None
    path = tmp_path / "damaged.jpg"
    path.write_bytes(damaged(jpeg))
    with pytest.raises(PictureError, match=r"damaged\.jpg: .*damaged"):
        load_picture(path)


@pytest.fixture
def meanwhile(monkeypatch):
    """Lines that another thread writes to the standard error, one while each picture is decoded."""
    lines, decode = [], cv2.imdecode
    with ThreadPoolExecutor(1) as other:

        def disturbed(coded, flags):
            other.submit(os.write, STANDARD_ERROR, lines.pop(0) if lines else b"").result()
            return decode(coded, flags)

        monkeypatch.setattr(cv2, "imdecode", disturbed)
        yield lines


def open_files():
    return sorted(os.listdir("/proc/self/fd"))


def test_what_others_write_meanwhile_is_not_lost(jpeg, capfd, meanwhile):
    meanwhile += [b"line 1\n", b"line 2\n", b"line 3\nline 4\n"]
    assert decoded(jpeg).shape == (480, 640, 3)
    assert decoded(jpeg).shape == (480, 640, 3)
    assert decoded(holed(jpeg)) is None
    assert capfd.readouterr().err.splitlines() == [f"line {number}" for number in range(1, 5)]


def test_damage_to_what_others_decode_meanwhile_is_none_of_ours(jpeg, capfd, meanwhile):
    """It cannot be told apart, but others are not damaged all the time."""
    damage = b"Corrupt JPEG data: premature end of data segment\n"
    meanwhile += [damage] * (TRIES - 1)
    assert decoded(jpeg).shape == (480, 640, 3)
    meanwhile[:] = [damage] * TRIES
    assert decoded(jpeg) is None
    assert decoded(holed(jpeg)) is None


def test_no_open_file_is_left(jpeg):
    files = open_files()
    for data in (jpeg, holed(jpeg), JPEG + b"no picture"):
        decoded(data)
    assert open_files() == files


def test_pictures_are_decoded_where_nothing_can_be_kept(jpeg, monkeypatch):
    """As on a full disk, or a system that is mounted for reading only."""

    def refuses():
        raise FileNotFoundError("no usable temporary directory")

    monkeypatch.setattr(decoding, "_empty_file", refuses)
    files = open_files()
    assert decoded(jpeg).shape == (480, 640, 3)
    assert open_files() == files


def test_pictures_are_decoded_where_there_is_no_standard_error(jpeg, capfd):
    with capfd.disabled():
        kept = os.dup(STANDARD_ERROR)
        os.close(STANDARD_ERROR)
        try:
            assert decoded(jpeg).shape == (480, 640, 3)
        finally:
            os.dup2(kept, STANDARD_ERROR)
            os.close(kept)


def test_first_size_counts_of_a_picture_that_tells_several():
    """As it does for decoders: one that told a small size last could fill the memory."""
    tags = [(256, 9000), (257, 9000), (256, 100), (257, 100)]
    entries = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags)
    assert picture_size(b"II*\0" + struct.pack("<IH", 8, len(tags)) + entries) == (9000, 9000)
