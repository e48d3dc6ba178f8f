"""The picture of a tray without dice, beside which others are read."""

from camera.canvas import Pixels
from companion.errors import PictureError
from companion.words import say


def check_empty(pixels: Pixels, empty: Pixels) -> None:
    """Raise PictureError where the empty tray's picture has another size than the one to read."""
    if empty.shape != pixels.shape:
        raise PictureError(
            say(
                "the empty tray: expected a picture of {width} x {height} pixels, got "
                "{wide} x {high}; take it with the same camera",
                width=pixels.shape[1],
                height=pixels.shape[0],
                wide=empty.shape[1],
                high=empty.shape[0],
            )
        )
