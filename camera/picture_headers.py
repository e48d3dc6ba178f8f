"""What a picture file says about itself before it is decoded: its size, and whether it is whole.

Decoders fill what is missing in a cut file with grey and say nothing; dice in that part would be
missed silently. So the file's own structure is walked first. Sources: the JPEG (ITU T.81), PNG
(RFC 2083), BMP, WebP and TIFF 6 file layouts.
"""

import struct
import zlib
from collections.abc import Callable

START_OF_FRAME = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Give (width, height) of a whole JPEG, PNG, BMP, WebP or TIFF; None for anything else.

    Raises ValueError with the reason, as half a sentence, for a file that is cut or damaged.
    """
    for mark, read in _READERS.items():
        if data.startswith(mark):
            try:
                return read(data)
            except (struct.error, IndexError) as error:
                raise ValueError("the file is cut short") from error
    return None


def _jpeg(data: bytes) -> tuple[int, int]:
    at, size = 2, None
    while True:
        if data[at] != 0xFF:
            raise ValueError("the file is damaged")
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        length = struct.unpack_from(">H", data, at + 2)[0]
        if marker in START_OF_FRAME:
            height, width = struct.unpack_from(">HH", data, at + 5)
            size = (width, height)
        at += 2 + length
        if marker == 0xDA:
            break
    if size is None:
        raise ValueError("the file is damaged")
    if data.find(b"\xff\xd9", at) < 0:
        raise ValueError("the file is cut short")
    return size


def _png(data: bytes) -> tuple[int, int]:
    at, size = 8, None
    while True:
        length, kind = struct.unpack_from(">I4s", data, at)
        chunk = data[at + 4 : at + 8 + length]
        (sum_said,) = struct.unpack_from(">I", data, at + 8 + length)
        if zlib.crc32(chunk) != sum_said:
            raise ValueError("the file is damaged")
        if kind == b"IHDR":
            size = struct.unpack_from(">II", chunk, 4)
        if kind == b"IEND":
            break
        at += 12 + length
    if size is None:
        raise ValueError("the file is damaged")
    return int(size[0]), int(size[1])


def _bmp(data: bytes) -> tuple[int, int]:
    said, offset, width, height, bits = (
        struct.unpack_from(form, data, at)[0]
        for form, at in (("<I", 2), ("<I", 10), ("<i", 18), ("<i", 22), ("<H", 28))
    )
    compressed = struct.unpack_from("<I", data, 30)[0] in (1, 2, 4, 5)
    needed = said if compressed else offset + (abs(width) * bits + 31) // 32 * 4 * abs(height)
    if len(data) < needed:
        raise ValueError("the file is cut short")
    return abs(width), abs(height)


def _webp(data: bytes) -> tuple[int, int]:
    if data[8:12] != b"WEBP":
        raise ValueError("the file is no picture")
    if len(data) < struct.unpack_from("<I", data, 4)[0] + 8:
        raise ValueError("the file is cut short")
    kind = data[12:16]
    if kind == b"VP8X":
        width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
    elif kind == b"VP8L":
        bits = struct.unpack_from("<I", data, 21)[0]
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    else:
        width, height = (part & 0x3FFF for part in struct.unpack_from("<HH", data, 26))
    return width, height


def _tiff(data: bytes) -> tuple[int, int]:
    order = "<" if data[:2] == b"II" else ">"
    (at,) = struct.unpack_from(order + "I", data, 4)
    (entries,) = struct.unpack_from(order + "H", data, at)
    sides: dict[int, int] = {}
    for entry in range(entries):
        tag, kind = struct.unpack_from(order + "HH", data, at + 2 + 12 * entry)
        form = "H" if kind == 3 else "I"
        (value,) = struct.unpack_from(order + form, data, at + 10 + 12 * entry)
        sides.setdefault(tag, value)  # of several, decoders take the first
    if 256 not in sides or 257 not in sides:
        raise ValueError("the file is damaged")
    return int(sides[256]), int(sides[257])


_READERS: dict[bytes, Callable[[bytes], tuple[int, int]]] = {
    b"\xff\xd8": _jpeg,
    b"\x89PNG\r\n\x1a\n": _png,
    b"BM": _bmp,
    b"RIFF": _webp,
    b"II*\x00": _tiff,
    b"MM\x00*": _tiff,
}
LONGEST_MARK = max(map(len, _READERS))  # bytes, with which such a file begins


def is_marked(begins: bytes) -> bool:
    """Whether a file that begins so says that it is one of these."""
    return begins.startswith(tuple(_READERS))
