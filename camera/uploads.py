"""Pictures from strangers: decoded, and written anew without whatever else came with them."""

import cv2
import numpy as np

from camera.picture_headers import picture_size
from companion.errors import PictureError

MOST_PIXELS = 50_000_000  # 150 MB once decoded
SMALLEST_SIDE_PX = 16


def clean_picture(data: bytes) -> bytes:
    """Decode a JPEG, PNG or WebP picture and give it back as PNG, without place, time or comments.

    Raises PictureError for anything that is no whole picture of at least 16 x 16 and at most
    50 million pixels; its size is read before a byte of it is decoded.
    """
    try:
        size = picture_size(data)
    except ValueError as error:
        raise PictureError(f"expected a whole picture, but {error}") from error
    if size is None:
        raise PictureError("expected a JPEG, PNG or WebP picture")
    width, height = size
    if min(size) < SMALLEST_SIDE_PX or width * height > MOST_PIXELS:
        raise PictureError(
            f"expected {SMALLEST_SIDE_PX} x {SMALLEST_SIDE_PX} to 50 million pixels, "
            f"got {width} x {height}"
        )
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        done, coded = (False, None) if pixels is None else cv2.imencode(".png", pixels)
    except cv2.error as error:
        raise PictureError(f"the picture cannot be decoded: {error.err}") from error
    if not done or coded is None:
        raise PictureError("the picture cannot be decoded; the file may be damaged")
    return coded.tobytes()
