import re

import pytest
from hypothesis import example, given
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
    "PONG": (NUMBER,),
    "AGAIN": (NUMBER,),
    "GONE": (NUMBER,),
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


@given(messages())
def test_single_flipped_bit_is_refused_wherever_it_is(message: wire.Message) -> None:
    line = written(message).rstrip()
    for at in range(len(line)):
        for bit in range(8):
            flipped = line[:at] + bytes([line[at] ^ 1 << bit]) + line[at + 1 :]
            with pytest.raises(wire.WireError):
                wire.decode(flipped)


@given(messages(), messages())
def test_cut_line_is_refused_alone_and_joined_to_the_next(
    message: wire.Message, following: wire.Message
) -> None:
    line, other = written(message).rstrip(), written(following)
    for at in range(1, len(line)):
        for cut in (line[:at], line[at:], line[:at] + other):
            with pytest.raises(wire.WireError):
                wire.decode(cut)


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
    ],
)
def test_message_that_cannot_be_read_back_is_not_written(parts: tuple[object, ...]) -> None:
    with pytest.raises(wire.WireError):
        wire.encode(*parts)  # type: ignore[arg-type]


def test_examples_of_the_docstring_are_good_lines() -> None:
    assert wire.__doc__ is not None
    examples = re.findall(r"^    ([A-Z]+ .* \*[0-9a-f]{8})$", wire.__doc__, re.MULTILINE)
    kinds = {wire.decode(line.encode()).kind for line in examples}
    assert len(examples) == 8
    assert kinds <= set(wire.KINDS)


def test_every_kind_stands_in_the_table() -> None:
    assert wire.__doc__ is not None
    assert tuple(re.findall(r"^\| ([A-Z]+) ", wire.__doc__, re.MULTILINE)) == wire.KINDS


def test_wire_error_is_a_value_error() -> None:
    assert issubclass(wire.WireError, ValueError)
