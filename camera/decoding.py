"""Decode pictures from files, and hear what the decoder says of damage.

Where the data of a JPEG are damaged, libjpeg goes on with what it can make of them: the rest of
the picture turns grey, or is shifted, and dice are missing. It tells so on the process's standard
error only, and OpenCV gives no other sign; so that is listened to meanwhile.
"""

import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import cv2
import numpy as np

JPEG = b"\xff\xd8"
DAMAGED = (b"Corrupt JPEG data", b"Premature end of JPEG file")
STANDARD_ERROR = 2
_ALONE = threading.Lock()  # a process has one standard error


def decoded(data: bytes, flags: int = cv2.IMREAD_COLOR) -> Any:
    """Decode a picture as cv2.imdecode does; None as well for a JPEG whose data are damaged.

    Raises cv2.error as that does.
    """
    coded = np.frombuffer(data, np.uint8)
    if not data.startswith(JPEG):
        return cv2.imdecode(coded, flags)
    said: list[bytes] = []
    with _ALONE, _listening(said):
        pixels = cv2.imdecode(coded, flags)
    lines = b"".join(said).splitlines(keepends=True)
    others = [line for line in lines if not line.startswith(DAMAGED)]
    if others:
        os.write(STANDARD_ERROR, b"".join(others))
    return None if len(others) < len(lines) else pixels


@contextmanager
def _listening(said: list[bytes]) -> Iterator[None]:
    """Put into `said` what is written to the standard error meanwhile, if there is one."""
    try:
        kept = os.dup(STANDARD_ERROR)
    except OSError:  # it is closed: nothing can be heard
        yield
        return
    with tempfile.TemporaryFile() as heard:
        os.dup2(heard.fileno(), STANDARD_ERROR)
        try:
            yield
        finally:
            os.dup2(kept, STANDARD_ERROR)
            os.close(kept)
            heard.seek(0)
            said.append(heard.read())
