"""Decode pictures from files, and hear what the decoder says of damage.

Where the data of a JPEG are damaged, libjpeg goes on with what it can make of them: the rest of
the picture turns grey, or is shifted, and dice are missing. It tells so on the process's standard
error only, and OpenCV gives no other sign; so that is listened to meanwhile.

A process has one standard error, and while a USB camera delivers damaged pictures, libjpeg says the
same of those. So damage is believed only if it is heard at each of a few tries.
Source: the manual page memfd_create(2).
"""

import contextlib
import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

import cv2
import numpy as np

JPEG = b"\xff\xd8"
DAMAGED = (b"Corrupt JPEG data", b"Premature end of JPEG file")
STANDARD_ERROR = 2
TRIES = 5  # a camera that delivers nothing but damage disturbs one of thirty
_ALONE = threading.Lock()  # a process has one standard error


def decoded(data: bytes, flags: int = cv2.IMREAD_COLOR) -> Any:
    """Decode a picture as cv2.imdecode does; None as well for a JPEG whose data are damaged.

    Raises cv2.error as that does.
    """
    coded = np.frombuffer(data, np.uint8)
    if not data.startswith(JPEG):
        return cv2.imdecode(coded, flags)
    for _ in range(TRIES):
        said: list[bytes] = []
        with _ALONE, _listening(said):
            pixels = cv2.imdecode(coded, flags)
        lines = b"".join(said).splitlines(keepends=True)
        others = [line for line in lines if not line.startswith(DAMAGED)]
        _pass_on(b"".join(others))
        if len(others) == len(lines):
            return pixels
    return None


@contextmanager
def _listening(said: list[bytes]) -> Iterator[None]:
    """Put into `said` what is written to the standard error meanwhile, if that can be had."""
    with contextlib.ExitStack() as kept:
        try:
            heard = kept.enter_context(_empty_file())
            before = os.dup(STANDARD_ERROR)
        except OSError:  # it is closed, or the disk is full: nothing can be heard
            yield
            return
        kept.callback(os.close, before)
        os.dup2(heard.fileno(), STANDARD_ERROR)
        try:
            yield
        finally:
            os.dup2(before, STANDARD_ERROR)
            size = os.fstat(heard.fileno()).st_size
            said.append(os.pread(heard.fileno(), size, 0))  # others may still write at its end


def _empty_file() -> BinaryIO:
    """A file in memory, where there is such a thing: a disk may be full, or read-only."""
    if sys.platform == "linux":
        return os.fdopen(os.memfd_create("said"), "w+b")
    return tempfile.TemporaryFile()


def _pass_on(lines: bytes) -> None:
    """Write what others said; nothing if there is no standard error."""
    with contextlib.suppress(OSError):
        os.write(STANDARD_ERROR, lines)
