"""The wire format between the receiver of the smart dice and the companion: one line a message.

This file exists once and runs unchanged on MicroPython (receiver, dice) and CPython (companion).

A line is ASCII words with one space between them, and ends with a line feed:

    KIND die run:number at_ms [word...] *crc

    KIND    what the line says, see the table
    die     id of the die, 1 to 16 of `a-z 0-9 _ -`; `-` is the receiver, `host` the companion
    run     four hex digits, new each time that the receiver starts; the host always writes 0000
    number  counts the reports of dice (MOVE FACE LIES CROOKED) of this run: 1, 2, 3 ...; every
            other line of the receiver carries the number of the last report sent before it (0:
            none yet), so a lost report is noticed at the next heartbeat. The host counts its
            lines, from 1 each time that it opens the port
    at_ms   the sender's clock in whole ms, rounded down, never back within a run (the host: time
            of the game). In a report it is when it happened, in other lines when it was sent
    crc     CRC-32 of everything before ` *`, eight hex digits, small letters

| kind    | from     | words                | says                                                 |
| ------- | -------- | -------------------- | ---------------------------------------------------- |
| HELLO   | both     | version firmware who | I am here; the receiver answers the host's with its  |
|         |          |                      | own, and tells with LIES what lies on the table      |
| MOVE    | receiver |                      | the die left its rest: it is in a hand, or tumbles   |
| FACE    | receiver | face                 | the die has tumbled and came to rest, this face up   |
| LIES    | receiver | face                 | the die lies still and was not rolled: it was put    |
|         |          |                      | back, or the conversation has just begun             |
| CROOKED | receiver |                      | the die has tumbled and came to rest, no face up     |
| BEAT    | receiver | upto_ms              | heartbeat, 20 a second or more: no report still to   |
|         |          |                      | come happened at or before `upto_ms`                 |
| PING    | host     |                      | what does your clock say?                            |
| PONG    | receiver | number               | `at_ms` is when the host's PING of that number came  |
| AGAIN   | host     | number               | send your reports again from that number on          |
| GONE    | receiver | number               | reports up to that number cannot be sent again       |

A face is 1 to 16 of `a-z 0-9 _`: a number for pips, or a word. Examples:

    HELLO - 7f3a:0 12 1 0.1.0 rx-94a1 *8cc6574b
    MOVE red-1 7f3a:1 104233 *6573af19
    FACE red-1 7f3a:2 104710 6 *3af02867
    CROOKED red-2 7f3a:3 104733 *6cea9462
    BEAT - 7f3a:3 104750 104750 *7ee8897d
    PING host 0000:2 98120 *a7993ec7
    PONG - 7f3a:3 104771 2 *b7d34add
    AGAIN host 0000:3 98200 2 *66114ae2

A report is taken once and in the order of its number; a repeated, late or foreign line is known by
run and number (see `hardware.dice_link`). CRC-32 finds every flipped bit and every burst of up to
32 bits; a line has exactly one spelling, so a change that keeps its value is damage, too.
"""

from binascii import crc32
from collections import namedtuple

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:
        """Mark a number that the board's compiler may put in place of its name."""
        return value


PROTOCOL = const(1)
MAX_LINE = const(128)  # bytes, line feed included; the longest line that can be written has 111
MAX_NUMBER = const(999999999999)  # 12 digits: 31 years of ms

REPORTS = ("MOVE", "FACE", "LIES", "CROOKED")
RECEIVER = "-"
HOST = "host"
HOST_RUN = "0000"

_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
_DIE = _LETTERS + "_-"
_FACE = _LETTERS + "_"
_WORD = _LETTERS + "._-"
_HEX = "0123456789abcdef"

Message = namedtuple("Message", ("kind", "die", "run", "number", "at_ms", "words"))


class WireError(ValueError):
    """A line that is no message: damaged, or somebody else's chatter."""


def encode(kind: str, die: str, run: str, number: int, at_ms: int, *words: object) -> bytes:
    """Write a message as a line (bytes, line feed included); WireError if a part does not fit."""
    parts = [kind, die, run + ":" + str(number), str(at_ms)]
    parts.extend([str(word) for word in words])
    _parse(parts)
    body = " ".join(parts).encode()
    return body + b" *" + _sum_of(body) + b"\n"


def decode(line: bytes) -> Message:
    """Read a line (bytes, with or without its end) as a Message; WireError if it is none.

    Numbers among `words` are ints, all else is str.
    """
    line = _without_end(line)
    body, mark, crc = line[:-10], line[-10:-8], line[-8:]
    if mark != b" *" or len(line) >= MAX_LINE:
        raise WireError("expected `KIND die run:number at_ms ... *crc`, got %r" % line)
    if crc != _sum_of(body):
        raise WireError("expected *%s at the end of %r" % (_sum_of(body).decode(), line))
    if any([byte > 126 for byte in body]):
        raise WireError("expected ASCII, got %r" % line)
    return _parse(body.decode().split(" "))


def _without_end(line: bytes) -> bytes:
    # A board whose stdout is a text stream ends its lines with \r\n.
    if line.endswith(b"\n"):
        line = line[:-1]
    if line.endswith(b"\r"):
        line = line[:-1]
    return line


def _sum_of(body: bytes) -> bytes:
    return ("%08x" % (crc32(body) & 0xFFFFFFFF)).encode()


def _parse(parts: list) -> Message:
    if len(parts) < 4 or parts[0] not in _SHAPES:
        raise WireError("expected one of %s and its words, got %r" % (" ".join(_SHAPES), parts))
    kind, die, stamp, at_ms = parts[:4]
    shape, words = _SHAPES[kind], parts[4:]
    if len(words) != len(shape):
        raise WireError("expected %d words after at_ms, got %r" % (len(shape), parts))
    run, number = _stamp(stamp)
    read = tuple([shape[i](words[i]) for i in range(len(shape))])
    return Message(kind, _made_of(_DIE, die), run, number, _number(at_ms), read)


def _stamp(text: str) -> tuple:
    run, number = text[:4], text[5:]
    if len(run) != 4 or text[4:5] != ":" or not all([c in _HEX for c in run]):
        raise WireError("expected run:number such as 7f3a:12, got %r" % text)
    return run, _number(number)


def _number(text: str) -> int:
    if not 0 < len(text) <= 12 or not all([c in "0123456789" for c in text]):
        raise WireError("expected a number of 1 to 12 digits, got %r" % text)
    if text[0] == "0" and text != "0":
        raise WireError("expected a number without leading zeros, got %r" % text)
    return int(text)


def _made_of(letters: str, text: str) -> str:
    if not 0 < len(text) <= 16 or not all([c in letters for c in text]):
        raise WireError("expected 1 to 16 of %s, got %r" % (letters, text))
    return text


def _face(text: str) -> str:
    return _made_of(_FACE, text)


def _word(text: str) -> str:
    return _made_of(_WORD, text)


_SHAPES = {
    "HELLO": (_number, _word, _word),
    "MOVE": (),
    "FACE": (_face,),
    "LIES": (_face,),
    "CROOKED": (),
    "BEAT": (_number,),
    "PING": (),
    "PONG": (_number,),
    "AGAIN": (_number,),
    "GONE": (_number,),
}
KINDS = tuple(_SHAPES)
