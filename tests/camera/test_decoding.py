"""Damage inside a JPEG is heard, and nothing else that is written meanwhile is lost."""

import os
import struct
import threading

import cv2
import numpy as np
import pytest

from camera.decoding import STANDARD_ERROR, decoded
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


def test_what_others_write_meanwhile_is_not_lost(jpeg, capfd):
    pixels = []
    threads = [threading.Thread(target=lambda: pixels.append(decoded(jpeg))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for number in range(200):
        os.write(STANDARD_ERROR, b"line %d\n" % number)
    for thread in threads:
        thread.join()
    decoded(holed(jpeg))
    said = capfd.readouterr().err.splitlines()
    assert sorted(said) == sorted(f"line {number}" for number in range(200))
    assert all(one.shape == (480, 640, 3) for one in pixels)


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
