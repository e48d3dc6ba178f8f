"""Actions and reports are values: the same in memory, in the journal and in JSON."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.actions import (
    Action,
    Adjusted,
    Chose,
    Correct,
    Entry,
    Flipped,
    Report,
    Rolled,
    Undo,
    Waited,
)
from companion.steps import Cue, Step, Told

NAMES = st.text(max_size=8)
VALUES = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | NAMES | st.lists(NAMES)
ACTIONS = st.one_of(
    st.builds(Rolled, st.dictionaries(NAMES, NAMES)),
    st.builds(Flipped, NAMES, NAMES),
    st.builds(Chose, NAMES, NAMES, VALUES),
    st.builds(Waited, st.floats(0, 1e6)),
    st.builds(Adjusted, NAMES, st.integers(0, 2**53)),
)
ENTRIES = ACTIONS | st.just(Undo()) | st.builds(Correct, st.integers(1), ACTIONS, st.booleans())
REPORTS = st.builds(
    Report,
    ENTRIES,
    at_s=st.none() | st.floats(0, 1e6),
    within_s=st.floats(0, 1),
    source=NAMES,
    certainty=st.floats(0, 1),
    evidence=st.none() | NAMES,
)
TOLD = st.builds(
    Told,
    st.builds(Cue, NAMES, NAMES, NAMES),
    NAMES,
    st.none() | NAMES,
    st.dictionaries(NAMES, st.integers(0, 99) | NAMES),
)
STEPS = st.builds(Step, st.integers(1), REPORTS, st.lists(TOLD).map(tuple), st.none() | NAMES)
QUICK = settings(max_examples=25, derandomize=True)


@given(ENTRIES)
@QUICK
def test_entry_is_equal_when_it_went_through_json(entry):
    assert msgspec.json.decode(msgspec.json.encode(entry), type=Entry) == entry


@given(STEPS)
@QUICK
def test_step_is_equal_when_it_went_through_json(step):
    assert msgspec.json.decode(msgspec.json.encode(step, enc_hook=str), type=Step) == step


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        (Rolled({"white-1": "troll"}), '{"type":"rolled","faces":{"white-1":"troll"}}'),
        (Flipped("2,3", "ring"), '{"type":"flipped","square":"2,3","face":"ring"}'),
        (Waited(10.1), '{"type":"waited","until_s":10.1}'),
        (Adjusted("a.b", 2), '{"type":"adjusted","counter":"a.b","value":2}'),
        (Undo(), '{"type":"undo"}'),
    ],
)
def test_entry_is_one_flat_object_when_it_is_json(entry, line):
    assert msgspec.json.encode(entry).decode() == line


@pytest.mark.parametrize(
    "line",
    [
        '{"type":"rolled"}',
        '{"type":"rolled","faces":{"white-1":1}}',
        '{"type":"undo","step":1}',
        '{"type":"chose","player":"ann","choice":"leave","at_s":1}',
        '{"type":"correct","step":1,"action":{"type":"undo"}}',
        '{"type":"adjusted","counter":"a","value":1.5}',
        '{"faces":{}}',
        '{"type":"thrown","faces":{}}',
    ],
)
def test_json_is_refused_when_it_is_no_entry(line):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(line, type=Entry)


def test_action_cannot_be_changed_when_it_has_happened():
    action = Chose("ann", "leave")
    with pytest.raises(AttributeError):
        action.choice = "stay"  # type: ignore[misc]
    assert action == Chose("ann", "leave")
    assert isinstance(action, Action)


def test_report_leaves_out_what_nobody_said():
    assert msgspec.json.decode(msgspec.json.encode(Report(Undo()))) == {"action": {"type": "undo"}}


def test_sentence_is_filled_in_and_counted_when_it_is_told():
    one = Told(Cue("c", "note", "C"), "{n} die of {who}", "{n} dice of {who}", {"n": 1, "who": "x"})
    assert one.text == "1 die of x"
    many = msgspec.structs.replace(one, values={"n": 0, "who": "{x}"})
    assert many.text == "0 dice of {x}"
    assert many.render(lambda s, p, n: f"{s}|{p}|{n}") == "0 die of {x}|0 dice of {x}|0"
