"""What a library finds wrong with fields, as sentences of our own."""

import tomllib
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pseudo import bare

from companion.errors import ConfigError
from companion.field_words import IN_TOML, field_words, misfit, reason
from companion.words import message_of, say
from web import asked

BODIES = [one for one in vars(asked).values() if isinstance(one, type) and
          issubclass(one, msgspec.Struct) and one.__module__ == asked.__name__]  # fmt: skip
FIELDS = ["step", "faces", "action", "volume", "url", "players", "x"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 2**60) | st.floats(-2, 2) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)


def complaint(kind: Any, value: Any) -> Exception:
    """What msgspec says of this value."""
    with pytest.raises(msgspec.ValidationError) as found:
        msgspec.convert(value, kind)
    return found.value


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        (int, "x", "expected a whole number, got a text"),
        (int | None, "x", "expected a whole number or nothing, got a text"),
        (Annotated[int, msgspec.Meta(ge=0)], -1, "expected a whole number from 0 on"),
        (Annotated[float, msgspec.Meta(le=1)], 2.0, "expected a number up to 1"),
        (Annotated[str, msgspec.Meta(min_length=1)], "", "expected a text of length 1 or more"),
        (tuple[int, int], [1], "expected a list of length 2, got 1"),
        (asked.Answers, {}, "the field `step` is missing"),
        (asked.Answers, {"step": 1, "stop": 2}, "there is no field `stop`"),
        (asked.Answers, {"step": []}, "step: expected a whole number, got a list"),
        (Literal["a", "b"], "c", "'c' is none of what can be chosen"),
    ],
)
def test_complaint_is_said_in_plain_words(kind: Any, value: Any, said: str) -> None:
    assert field_words(complaint(kind, value)) == said


@settings(max_examples=40)
@given(fields=st.dictionaries(st.sampled_from(FIELDS), JSON))
def test_every_complaint_about_a_body_can_be_told_in_another_language(
    fields: dict[str, Any],
) -> None:
    for kind in BODIES:
        said = say("true or false")
        try:
            msgspec.json.decode(msgspec.json.encode(fields), type=kind)
        except msgspec.ValidationError as error:
            said = field_words(error)
        assert bare(said) == []
        assert (message_of(said) or {})["id"] != "{text}", f"nobody has words for {said}"


@pytest.mark.parametrize("text", [b"", b"{", b"{x}", b"[1] 2", b"\xff", b"[" * 100_000, b'{"a" 1}'])
def test_what_is_no_json_is_said_in_plain_words(text: bytes) -> None:
    with pytest.raises((msgspec.DecodeError, UnicodeDecodeError, RecursionError)) as found:
        msgspec.json.decode(text)
    assert bare(reason(found.value)) == []
    assert (message_of(reason(found.value)) or {})["id"] != "{text}"


def test_settings_are_called_as_they_are_written() -> None:
    assert misfit("Expected `str`, got `int`", IN_TOML).startswith("expected text in quotes")
    with pytest.raises(tomllib.TOMLDecodeError) as found:
        tomllib.loads("a = 1\nb = ?")
    assert reason(found.value) == "no TOML in line 2, column 5"


def test_errors_of_ours_keep_their_words_and_strange_ones_stay() -> None:
    ours = ConfigError(say("there is no setting {name}", name="x"))
    assert message_of(reason(ours)) == message_of(say("there is no setting {name}", name="x"))
    assert reason(ValueError("what?")) == "what?"
    assert reason(ValueError()) == "ValueError"
    assert reason(OSError(2, "whatever the system calls it")) == "No such file or directory"
    assert misfit("Expected `int` != 3") == "Expected `int` != 3"
