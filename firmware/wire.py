"""The wire format between the receiver of the smart dice and the companion: one line a message.

This file exists once and runs unchanged on MicroPython (receiver, dice) and CPython (companion).
Dice speak the same lines to their receiver, several in one radio packet.

A line is ASCII words with one space between them, and ends with a line feed:

    KIND die run:number at_ms [word...] *crc

    KIND    what the line says, see the table
    die     id of the die, 1 to 16 of `a-z 0-9 _ -`; `-` is the receiver, `host` the companion
    run     four hex digits, new each time that the receiver starts; the host always writes 0000
    number  counts the reports of dice (MOVE HELD FACE LIES CROOKED) of this run: 1, 2, 3 ...;
            every other line of the receiver carries the number of the last report sent before it
            (0: none yet), so a lost report is noticed at the next heartbeat. The host counts its
            lines, from 1 each time that it opens the port
    at_ms   the sender's clock in whole ms, rounded down, never back within a run (the host: time
            of the game). In a report it is when it happened, within REPORT_WITHIN_MS; in other
            lines it is when it was sent
    crc     CRC-32 of everything before ` *`, eight hex digits, small letters

| kind      | from     | words                | says                                               |
| --------- | -------- | -------------------- | -------------------------------------------------- |
| HELLO     | both     | version firmware who | I am here; the receiver answers the host's with    |
|           |          |                      | its own, and tells with LIES what lies there       |
| MOVE      | receiver |                      | the die left its rest, or a hand threw it          |
| HELD      | receiver |                      | the die is in a hand, and has not been thrown yet  |
| FACE      | receiver | face                 | the die has tumbled and came to rest, this face up |
| LIES      | receiver | face                 | the die lies still and was not rolled: it was put  |
|           |          |                      | back, or the conversation has just begun           |
| CROOKED   | receiver |                      | the die came to rest, and no face is up            |
| BEAT      | receiver | upto_ms              | heartbeat, 20 a second or more: no report still to |
|           |          |                      | come happened at or before `upto_ms`               |
| BATTERY   | receiver | percent millivolts   | what is left in the die                            |
| SIGNAL    | receiver | weaker lost          | its radio: dB below 1 mW (64 is -64 dBm), and how  |
|           |          |                      | many of its packets never came                     |
| ASLEEP    | receiver |                      | the die sleeps, and holds no heartbeat back; it    |
|           |          |                      | wakes when it is moved                             |
| SILENT    | receiver |                      | the die is awake but not heard any more; it is not |
|           |          |                      | waited for                                         |
| ABOUT     | receiver | firmware shape sides | answers VERSION; how many sides it can tell apart  |
| DONE      | receiver | number               | the die has done what the host's line of that      |
|           |          |                      | number asked for                                   |
| REFUSED   | receiver | number why           | ... could not; `why` is one of REASONS             |
| PING      | host     |                      | what does your clock say?                          |
| PONG      | receiver | number               | `at_ms` is when the host's PING of that number came|
| AGAIN     | host     | number               | send your reports again from that number on        |
| GONE      | receiver | number               | reports up to that number cannot be sent again     |
| BLINK     | host     | die                  | show which die you are                             |
| VERSION   | host     | die                  | which firmware and shape have you?                 |
| NAME      | host     | die id               | be called `id` from now on                         |
| CALIBRATE | host     | die shape            | be a `d6` or a `d8`, or `any` solid whose sides    |
|           |          |                      | will be shown; forget sides and faces              |
| SHOWN     | host     | die side             | this side lies up now; every side once             |
| LEARN     | host     | die side face        | what is drawn on this side, to be told in its place|

A face is 1 to 16 of `a-z 0-9 _`: a number for pips, or a word. A side is a number from 1; a die
tells the side until it has learnt a face for it. Examples:

    HELLO - 7f3a:0 12 1 0.1.0 rx-94a1 *8cc6574b
    MOVE red-1 7f3a:1 104233 *6573af19
    FACE red-1 7f3a:2 104710 6 *3af02867
    CROOKED red-2 7f3a:3 104733 *6cea9462
    BEAT - 7f3a:3 104750 104750 *7ee8897d
    BATTERY red-1 7f3a:3 104755 83 3920 *fad6487a
    SIGNAL red-1 7f3a:3 104755 64 2 *dc559d31
    PING host 0000:2 98120 *a7993ec7
    PONG - 7f3a:3 104771 2 *b7d34add
    AGAIN host 0000:3 98200 2 *66114ae2
    LEARN host 0000:4 98310 red-1 6 dragon *3b11fd17
    DONE red-1 7f3a:3 104801 4 *68a6cb4e

Versions. The host's HELLO names the newest version that it speaks; the receiver answers with the
newest that both speak, or with its own newest if there is none (`answer_version`). The host goes on
if it speaks what was answered (`is_spoken`), else it says so and passes everything over.

A report is taken once and in the order of its number; a repeated, late or foreign line is known by
run and number (see `hardware.dice_link`). CRC-32 finds every flipped bit and every burst of up to
32 bits; a line has exactly one spelling, so a change that keeps its value is damage, too. A command
may be sent again with another number: doing it twice changes nothing more. An answer that is lost
is not sent again, so the host asks until it hears one.
"""

from binascii import crc32
from collections import namedtuple

try:
    from micropython import const
except ImportError:

    def const(value: int) -> int:  # type: ignore[misc]
        """Mark a number that the board's compiler may put in place of its name."""
        return value


PROTOCOL = const(1)  # the newest version that is spoken here
OLDEST = const(1)  # and the oldest
MAX_LINE = const(128)  # bytes, line feed included; the longest line that can be written has 111
MAX_NUMBER = const(999999999999)  # 12 digits: 31 years of ms
REPORT_WITHIN_MS = const(10)  # a die looks every 10 ms, and its radio is as quick

REPORTS = ("MOVE", "HELD", "FACE", "LIES", "CROOKED")
COMMANDS = ("BLINK", "VERSION", "NAME", "CALIBRATE", "SHOWN", "LEARN")  # first word: the die
SHAPES = ("d6", "d8", "any")
REASONS = {
    "unknown_die": "no die of that id has been heard",
    "asleep": "the die sleeps; pick it up",
    "silent": "the die does not answer; is its battery empty?",
    "busy": "the die is still doing what was asked before",
    "moving": "the die has to lie still for this",
    "too_near": "another side points nearly the same way; which one is up?",
    "no_such_side": "the die has no such side",
    "name_taken": "another die has that name",
    "not_kept": "the die could not store it",
}
RECEIVER = "-"
HOST = "host"
HOST_RUN = "0000"

_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
_DIE = _LETTERS + "_-"
_FACE = _LETTERS + "_"
_WORD = _LETTERS + "._-"
_HEX = "0123456789abcdef"

_seen: set = set()  # (letters, text) that were found good
_MOST_SEEN = const(64)

# kind, die: str; run: four hex digits; number, at_ms: int; words: tuple of str and int
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
    try:
        return _parse(body.decode().split(" "))
    except UnicodeError as error:
        raise WireError("expected ASCII, got %r" % line) from error


def is_spoken(version: int) -> bool:
    """True if this end speaks that version."""
    return OLDEST <= version <= PROTOCOL


def answer_version(theirs: int) -> int:
    """Say what a receiver answers to a host whose newest version is `theirs`."""
    common = min(theirs, PROTOCOL)
    return common if is_spoken(common) else PROTOCOL


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
    if len(parts) < 4 or parts[0] not in _FORMS:
        raise WireError("expected one of %s and its words, got %r" % (" ".join(_FORMS), parts))
    kind, die, stamp, at_ms = parts[:4]
    form, words = _FORMS[kind], parts[4:]
    if len(words) != len(form):
        raise WireError("expected %d words after at_ms, got %r" % (len(form), parts))
    run, number = _stamp(stamp)
    read = tuple([form[i](words[i]) for i in range(len(form))])
    return Message(kind, _made_of(_DIE, die), run, number, _number(at_ms), read)


def _stamp(text: str) -> tuple:
    run, number = text[:4], text[5:]
    if len(run) != 4 or text[4:5] != ":":
        raise WireError("expected run:number such as 7f3a:12, got %r" % text)
    return _made_of(_HEX, run), _number(number)


def _number(text: str) -> int:
    # `isdigit` alone would take the digits of other scripts, which `int` reads, too.
    if not text.isdigit() or len(text) > 12 or len(text.encode()) > len(text):
        raise WireError("expected a number of 1 to 12 digits, got %r" % text)
    if text[0] == "0" and text != "0":
        raise WireError("expected a number without leading zeros, got %r" % text)
    return int(text)


def _made_of(letters: str, text: str) -> str:
    # A board is slow at this, and the same few words come again and again.
    if (letters, text) in _seen:
        return text
    if not 0 < len(text) <= 16 or not all([c in letters for c in text]):
        raise WireError("expected 1 to 16 of %s, got %r" % (letters, text))
    if len(_seen) >= _MOST_SEEN:
        _seen.clear()
    _seen.add((letters, text))
    return text


def _die(text: str) -> str:
    return _made_of(_DIE, text)


def _face(text: str) -> str:
    return _made_of(_FACE, text)


def _word(text: str) -> str:
    return _made_of(_WORD, text)


def _percent(text: str) -> int:
    percent = _number(text)
    if percent > 100:
        raise WireError("expected a number up to 100, got %r" % text)
    return percent


def _shape(text: str) -> str:
    if text not in SHAPES:
        raise WireError("expected one of %s, got %r" % (" ".join(SHAPES), text))
    return text


def _reason(text: str) -> str:
    if text not in REASONS:
        raise WireError("expected one of %s, got %r" % (" ".join(sorted(REASONS)), text))
    return text


# In the order of the table above.
_FORMS = {
    "HELLO": (_number, _word, _word),
    "MOVE": (),
    "HELD": (),
    "FACE": (_face,),
    "LIES": (_face,),
    "CROOKED": (),
    "BEAT": (_number,),
    "BATTERY": (_percent, _number),
    "SIGNAL": (_number, _number),
    "ASLEEP": (),
    "SILENT": (),
    "ABOUT": (_word, _shape, _number),
    "DONE": (_number,),
    "REFUSED": (_number, _reason),
    "PING": (),
    "PONG": (_number,),
    "AGAIN": (_number,),
    "GONE": (_number,),
    "BLINK": (_die,),
    "VERSION": (_die,),
    "NAME": (_die, _die),
    "CALIBRATE": (_die, _shape),
    "SHOWN": (_die, _number),
    "LEARN": (_die, _number, _face),
}
KINDS = tuple(_FORMS)
