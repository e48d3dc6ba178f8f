"""Pictures from strangers: decoded, and written anew without whatever else came with them."""

import cv2

from camera.decoding import JPEG, decoded
from camera.picture_headers import picture_size
from companion.errors import PictureError
from companion.field_words import reason
from companion.words import mark, say

MOST_PIXELS = 50_000_000  # 150 MB once decoded
SMALLEST_SIDE_PX = 16
FORMATS = (JPEG, b"\x89PNG", b"RIFF")  # as `picture_size` knows them


def clean_picture(data: bytes) -> bytes:
    """Decode a JPEG, PNG or WebP picture and give it back as PNG, without place, time or comments.

    Raises PictureError for anything that is no whole picture of at least 16 x 16 and at most
    50 million pixels; its size is read before a byte of it is decoded.
    """
    try:
        size = picture_size(data)
    except ValueError as error:
        raise PictureError(say("expected a whole picture, but {why}", why=reason(error))) from error
    if size is None or not data.startswith(FORMATS):
        raise PictureError(mark("expected a JPEG, PNG or WebP picture"))
    width, height = size
    if min(size) < SMALLEST_SIDE_PX or width * height > MOST_PIXELS:
        raise PictureError(
            say(
                "expected {least} x {least} to 50 million pixels, got {width} x {height}",
                least=SMALLEST_SIDE_PX,
                width=width,
                height=height,
            )
        )
    try:
        pixels = decoded(data)
        done, coded = (False, None) if pixels is None else cv2.imencode(".png", pixels)
    except cv2.error as error:
        raise PictureError(say("the picture cannot be decoded: {why}", why=error.err)) from error
    if not done or coded is None:
        raise PictureError(mark("the picture cannot be decoded; the file may be damaged"))
    return coded.tobytes()
