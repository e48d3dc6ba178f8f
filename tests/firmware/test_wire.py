import contextlib
import itertools
import random
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from firmware import wire

SMALL = "abcdefghijklmnopqrstuvwxyz0123456789"
DIE = st.text(SMALL + "_-", min_size=1, max_size=16)
FACE = st.text(SMALL + "_", min_size=1, max_size=16)
WORD = st.text(SMALL + "._-", min_size=1, max_size=16)
NUMBER = st.integers(0, wire.MAX_NUMBER)
RUN = st.text("0123456789abcdef", min_size=4, max_size=4)
WORDS = {
    "HELLO": (NUMBER, WORD, WORD),
    "FACE": (FACE,),
    "LIES": (FACE,),
    "BEAT": (NUMBER,),
    "BATTERY": (st.integers(0, 100), NUMBER),
    "SIGNAL": (NUMBER, NUMBER),
    "ABOUT": (WORD, st.sampled_from(wire.SHAPES), NUMBER),
    "DONE": (NUMBER,),
    "REFUSED": (NUMBER, st.sampled_from(sorted(wire.REASONS))),
    "PONG": (NUMBER,),
    "AGAIN": (NUMBER,),
    "GONE": (NUMBER,),
    "BLINK": (DIE,),
    "VERSION": (DIE,),
    "NAME": (DIE, DIE),
    "CALIBRATE": (DIE, st.sampled_from(wire.SHAPES)),
    "SHOWN": (DIE, NUMBER),
    "LEARN": (DIE, NUMBER, FACE),
}


@st.composite
def messages(draw: st.DrawFn) -> wire.Message:
    kind = draw(st.sampled_from(wire.KINDS))
    words = tuple(draw(word) for word in WORDS.get(kind, ()))
    return wire.Message(kind, draw(DIE), draw(RUN), draw(NUMBER), draw(NUMBER), words)


def written(message: wire.Message) -> bytes:
    return wire.encode(*message[:5], *message.words)


@given(messages())
def test_message_is_read_as_it_was_written(message: wire.Message) -> None:
    line = written(message)
    assert wire.decode(line) == message
    assert wire.decode(line.rstrip()) == message
    assert wire.decode(line.rstrip() + b"\r\n") == message
    assert len(line) <= wire.MAX_LINE
    assert line.endswith(b"\n")
    assert line.isascii()


@settings(max_examples=30)
@given(messages())
def test_single_flipped_bit_is_refused_wherever_it_is(message: wire.Message) -> None:
    line = written(message).rstrip()
    for at in range(len(line)):
        for bit in range(8):
            flipped = line[:at] + bytes([line[at] ^ 1 << bit]) + line[at + 1 :]
            with pytest.raises(wire.WireError):
                wire.decode(flipped)


@settings(max_examples=30)
@given(messages(), messages())
def test_cut_line_is_refused_alone_and_joined_to_the_next(
    message: wire.Message, following: wire.Message
) -> None:
    line, other = written(message).rstrip(), written(following)
    for at in range(1, len(line)):
        for cut in (line[:at], line[at:], line[:at] + other):
            with pytest.raises(wire.WireError):
                wire.decode(cut)


@settings(max_examples=40)
@given(st.lists(messages(), min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_repeated_and_swapped_lines_are_still_those_that_were_written(
    sent: list[wire.Message], chance: random.Random
) -> None:
    lines = [written(message) for message in sent for _ in range(chance.randint(1, 3))]
    chance.shuffle(lines)
    assert {wire.decode(line) for line in b"".join(lines).splitlines()} == set(sent)


@settings(max_examples=40)
@given(st.lists(messages(), min_size=2, max_size=5), st.data())
def test_swapped_pieces_of_a_stream_never_make_another_message(
    sent: list[wire.Message], data: st.DataObject
) -> None:
    # What a buffer that overflows, or two writers on one port, do: blocks change places.
    stream = b"".join(written(message) for message in sent)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), min_size=3, max_size=3)))
    first, second, third, fourth = (
        stream[a:b] for a, b in itertools.pairwise([0, *cuts, len(stream)])
    )
    for line in (first + third + second + fourth).split(b"\n"):
        with contextlib.suppress(wire.WireError):
            assert wire.decode(line) in sent


@given(messages(), messages(), st.data())
def test_words_of_two_lines_never_make_a_third(
    message: wire.Message, other: wire.Message, data: st.DataObject
) -> None:
    ours, theirs = written(message).split(b" "), written(other).split(b" ")
    mixed = ours[: data.draw(st.integers(1, len(ours)))] + theirs[-data.draw(st.integers(1, 3)) :]
    if mixed in (ours, theirs):
        return
    with pytest.raises(wire.WireError):
        wire.decode(b" ".join(mixed))


@given(st.binary(max_size=200))
@example(b"")
@example(b" *00000000")
def test_garbage_raises_nothing_but_wire_error(garbage: bytes) -> None:
    with pytest.raises(wire.WireError):
        wire.decode(garbage)


def signed(body: bytes) -> bytes:
    return body + b" *" + wire._sum_of(body)


@pytest.mark.parametrize(
    "body",
    [
        b"FACE red-1 7f3a:2 0104710 6",  # a second spelling of the same number
        b"FACE red-1 7f3a:2 104710  6",
        b"FACE red-1 7F3A:2 104710 6",
        b"FACE red-1 7f3a:2 104710",
        b"FACE red-1 7f3a:2 104710 6 6",
        b"FACE red-1 7f3a-2 104710 6",
        b"FACE RED-1 7f3a:2 104710 6",
        b"FACE seventeen-letters 7f3a:2 104710 6",
        b"FACE red-1 7f3a:2 -1 6",
        b"FACE red-1 7f3a:2 1e3 6",
        b"ROLL red-1 7f3a:2 104710 6",
        b"FACE red-1 7f3a:2 104710 \xc3\xa9",
        b"MOVE red-1 7f3a:2 1234567890123",
        b"",
    ],
)
def test_line_with_a_good_sum_is_refused_when_its_form_is_wrong(body: bytes) -> None:
    assert wire.decode(signed(b"FACE red-1 7f3a:2 104710 6")).words == ("6",)
    with pytest.raises(wire.WireError, match="expected"):
        wire.decode(signed(body))


@pytest.mark.parametrize(
    "parts",
    [
        ("FACE", "Red 1", "7f3a", 1, 1, "6"),
        ("FACE", "red-1", "7f3", 1, 1, "6"),
        ("FACE", "red-1", "7f3a", -1, 1, "6"),
        ("FACE", "red-1", "7f3a", 1, 1.5, "6"),
        ("FACE", "red-1", "7f3a", 1, 10**12, "6"),
        ("FACE", "red-1", "7f3a", 1, 1, "a b"),
        ("FACE", "red-1", "7f3a", 1, 1),
        ("ROLL", "red-1", "7f3a", 1, 1),
        ("BATTERY", "red-1", "7f3a", 1, 1, 101, 4200),
        ("SIGNAL", "red-1", "7f3a", 1, 1, -64, 0),
        ("CALIBRATE", "host", "0000", 1, 1, "red-1", "d20"),
        ("REFUSED", "red-1", "7f3a", 1, 1, 4, "tired"),
    ],
)
def test_message_that_cannot_be_read_back_is_not_written(parts: tuple[object, ...]) -> None:
    with pytest.raises(wire.WireError):
        wire.encode(*parts)  # type: ignore[arg-type]


def test_examples_of_the_docstring_are_good_lines() -> None:
    assert wire.__doc__ is not None
    examples = re.findall(r"^    ([A-Z]+ .* \*[0-9a-f]{8})$", wire.__doc__, re.MULTILINE)
    kinds = {wire.decode(line.encode()).kind for line in examples}
    assert len(examples) == 12
    assert kinds <= set(wire.KINDS)


def test_every_kind_stands_in_the_table() -> None:
    assert wire.__doc__ is not None
    assert tuple(re.findall(r"^\| ([A-Z]+) ", wire.__doc__, re.MULTILINE)) == wire.KINDS


def test_longest_line_fits_when_every_part_is_as_long_as_it_may_be() -> None:
    most, word = wire.MAX_NUMBER, "w" * 16
    lines = [
        wire.encode("HELLO", word, "ffff", most, most, most, word, word),
        wire.encode("LEARN", word, "ffff", most, most, word, most, word),
        wire.encode("REFUSED", word, "ffff", most, most, most, max(wire.REASONS, key=len)),
    ]
    assert max(len(line) for line in lines) == 111 < wire.MAX_LINE


def test_versions_meet_at_the_newest_that_both_speak() -> None:
    newer, older = wire.PROTOCOL + 1, wire.OLDEST - 1
    assert wire.answer_version(wire.PROTOCOL) == wire.PROTOCOL
    assert wire.answer_version(newer) == wire.PROTOCOL
    assert not wire.is_spoken(newer)
    assert not wire.is_spoken(older)
    assert wire.answer_version(older) == wire.PROTOCOL  # such a host hears what it cannot speak


def test_wire_error_is_a_value_error() -> None:
    assert issubclass(wire.WireError, ValueError)
