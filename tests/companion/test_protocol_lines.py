"""The line protocol: whatever comes in, one line of JSON goes out."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from program import CHOSE, WHITE, Program, awake, refused
from verbs import everything

from companion.actions import Adjusted, Chose, Correct, Flipped, Report, Rolled, Undo, Waited
from companion.protocol import (
    report_from,
)

# --- what comes in --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "entry"),
    [
        ({"type": "rolled", "faces": {"white-1": "troll"}}, Rolled({"white-1": "troll"})),
        ({"type": "flipped", "square": "2,3", "face": "ring"}, Flipped("2,3", "ring")),
        ({"type": "chose", "player": "ann", "choice": "leave"}, Chose("ann", "leave")),
        (
            {"type": "chose", "player": "ann", "choice": "set_aside", "value": "white-1"},
            Chose("ann", "set_aside", "white-1"),
        ),
        ({"type": "waited", "until_s": 10.1}, Waited(10.1)),
        ({"type": "waited", "until_s": 10}, Waited(10.0)),
        ({"type": "adjusted", "counter": "supply.gold", "value": 2}, Adjusted("supply.gold", 2)),
        ({"type": "undo"}, Undo()),
        (
            {"type": "correct", "step": 4, "action": {"type": "waited", "until_s": 1}},
            Correct(4, Waited(1.0)),
        ),
        (
            {
                "type": "correct",
                "step": 4,
                "action": {"type": "chose", "player": "ann", "choice": "leave"},
                "drop_later": True,
            },
            Correct(4, Chose("ann", "leave"), True),
        ),
    ],
)
def test_line_is_understood_when_it_is_of_a_known_type(fields, entry):
    assert report_from(json.dumps(fields).encode()) == Report(entry, source="protocol")
    timed = json.dumps({**fields, "at_s": 7}).encode()
    assert report_from(timed) == Report(entry, at_s=7.0, source="protocol")


NOT_JSON = [
    b"",
    b" ",
    b"hello",
    b"{",
    b'{"type":"undo"',
    b'{"type":"undo"} {"type":"undo"}',
    b"[]",
    b'"undo"',
    b"null",
    b"12",
    b"true",
    b"\xff\xfe",
    b'{"type":"\xff"}',
    b"\x00",
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b'{"type":"undo","at_s":1e999}',
    b"{'type':'undo'}",
    b'{"type":"undo"}' + b"\x00",
]


@pytest.mark.parametrize("line", NOT_JSON, ids=range(len(NOT_JSON)))
def test_line_is_refused_when_it_is_no_json_object(line):
    assert refused(Program().line(line), "not_json")


ROLLED = {"type": "rolled", "faces": {die: "troll" for die in WHITE}}
BAD_FIELDS = [
    {"type": "rolled"},
    {"type": "rolled", "faces": {}},
    {"type": "rolled", "faces": []},
    {"type": "rolled", "faces": None},
    {"type": "rolled", "faces": {"white-1": 1}},
    {"type": "rolled", "faces": {"white-1": None}},
    {**ROLLED, "player": "ann"},
    {"type": "flipped", "square": "2,3"},
    {"type": "flipped", "square": 2, "face": "ring"},
    {"type": "chose", "player": "ann"},
    {"type": "chose", "choice": "leave"},
    {"type": "chose", "player": 1, "choice": "leave"},
    {"type": "chose", "player": "ann", "choice": ["leave"]},
    {**CHOSE, "valeu": "white-1"},
    {"type": "waited"},
    {"type": "waited", "until_s": "10"},
    {"type": "waited", "until_s": None},
    {"type": "waited", "until_s": 10**400},
    {"type": "adjusted", "counter": "supply.gold"},
    {"type": "adjusted", "counter": "supply.gold", "value": "2"},
    {"type": "adjusted", "counter": "supply.gold", "value": 2.5},
    {"type": "adjusted", "counter": "supply.gold", "value": True},
    {"type": "adjusted", "counter": None, "value": 2},
    {"type": "undo", "step": 3},
    {"type": "undo", "action": {"type": "undo"}},
    {"type": "correct"},
    {"type": "correct", "step": 1},
    {"type": "correct", "action": CHOSE},
    {"type": "correct", "step": "1", "action": CHOSE},
    {"type": "correct", "step": 1.5, "action": CHOSE},
    {"type": "correct", "step": 1, "action": None},
    {"type": "correct", "step": 1, "action": "undo"},
    {"type": "correct", "step": 1, "action": {"type": "undo"}},
    {"type": "correct", "step": 1, "action": {"type": "correct", "step": 1, "action": CHOSE}},
    {"type": "correct", "step": 1, "action": {**CHOSE, "at_s": 3}},
    {"type": "correct", "step": 1, "action": {"type": "rolled", "faces": {}}},
    {"type": "correct", "step": 1, "action": CHOSE, "drop_later": "yes"},
    {"type": "correct", "step": 1, "action": CHOSE, "later": True},
    {**CHOSE, "at_s": "12"},
    {**CHOSE, "at_s": True},
    {**CHOSE, "at_s": -0.5},
    {**CHOSE, "at_s": [1]},
    {**CHOSE, "at_s": 10**400},
]


@pytest.mark.parametrize("fields", BAD_FIELDS, ids=range(len(BAD_FIELDS)))
def test_line_is_refused_when_fields_are_missing_superfluous_or_wrong(fields):
    program = Program()
    before = everything(program.referee)
    assert refused(program.send(**fields), "bad_fields")
    assert everything(program.referee) == before


@pytest.mark.parametrize("kind", ["roll", "", "Undo", None, 1, [], {}, ["undo"], True])
def test_line_is_refused_when_its_type_is_unknown(kind):
    program = Program()
    assert refused(program.send(type=kind), "unknown_type")
    action = {"type": kind, "player": "ann", "choice": "leave"}
    assert refused(program.send(type="correct", step=1, action=action), "unknown_type")
    assert refused(program.send(player="ann", choice="leave"), "unknown_type")


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":%s}',
        b'{"type":"undo","at_s":%s}',
        b'{"type":"chose","player":"ann","choice":"leave","value":%s}',
        b'{"type":"correct","step":1,"action":%s}',
        b'{"type":"correct","step":1,"action":{"type":%s}}',
    ],
)
@pytest.mark.parametrize(("start", "end"), [(b"[", b"]"), (b'{"a":', b"}"), (b'{"action":', b"}")])
def test_line_is_refused_when_it_is_nested_deeply(line, start, end):
    """At some depth one part of the program gives up, and at another the next."""
    program = Program()
    for depth in (10, 200, *range(800, 1010)):
        answer = program.line(line % (start * depth + b"1" + end * depth))
        assert set(answer) == {"step", "refused"}
        assert len(answer["refused"]["message"]) < 1000


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "x" * 10_000},
        {"type": "undo", "x" * 10_000: 1},
        {"type": "rolled", "faces": {"x" * 10_000: "troll"}},
        {"type": "rolled", "faces": {"white-1": "x" * 10_000}},
        {"type": "adjusted", "counter": "x" * 10_000, "value": 1},
        {"type": "chose", "player": "x" * 10_000, "choice": "leave"},
        {"type": "chose", "player": "ann", "choice": "x" * 10_000, "value": "x" * 10_000},
    ],
)
def test_reason_stays_short_when_a_line_is_long(fields):
    assert len(json.dumps(Program().send(**fields))) < 600


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"type": "rolled", "faces": {"white-9": "troll"}}, "unknown_die"),
        ({"type": "rolled", "faces": {"white-1": "moon"}}, "unknown_face"),
        ({"type": "rolled", "faces": {"red-1": "troll"}}, "unknown_face"),
        ({"type": "rolled", "faces": {"white-1": "troll"}}, "must_roll_all_four"),
        ({"type": "chose", "player": "zed", "choice": "leave"}, "unknown_player"),
        ({"type": "chose", "player": "ann", "choice": "leave"}, "nothing_rolled"),
        ({"type": "chose", "player": "ann", "choice": "dance"}, "not_offered"),
        ({"type": "flipped", "square": "2,3", "face": "ring"}, "not_offered"),
        ({"type": "waited", "until_s": 3}, "not_offered"),
        ({"type": "adjusted", "counter": "supply.silver", "value": 1}, "unknown_counter"),
        ({"type": "adjusted", "counter": "supply.gold", "value": -1}, "negative_count"),
        ({"type": "adjusted", "counter": "supply.gold", "value": 10**30}, "count_too_large"),
        ({"type": "adjusted", "counter": "dragon.awake", "value": 1}, "not_adjustable"),
        ({"type": "undo"}, "nothing_to_undo"),
        ({"type": "correct", "step": 1, "action": CHOSE}, "unknown_step"),
        ({"type": "correct", "step": 0, "action": CHOSE}, "unknown_step"),
        ({"type": "correct", "step": -1, "action": CHOSE}, "unknown_step"),
        ({"type": "correct", "step": 10**30, "action": CHOSE}, "unknown_step"),
    ],
)
def test_line_is_refused_when_it_does_not_fit_the_table(fields, code):
    program = Program()
    before = everything(program.referee)
    assert refused(program.send(**fields), code)
    assert everything(program.referee) == before
    assert program.rolled(WHITE, ["troll", "key", "door", "diamond"])["step"] == 1


# --- garbage --------------------------------------------------------------------------------------

QUICK = settings(
    max_examples=40,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
WORDS = st.sampled_from(
    ["ann", "bo", "zed", "leave", "set_aside", "white-1", "white-2", "gold-1", "troll", "key"]
    + ["rolled", "chose", "undo", "correct", "waited", "adjusted", "flipped", "supply.gold", ""]
)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(), WORDS
)
JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text() | WORDS, inner, max_size=4)
    ),
    max_leaves=12,
)
NAMES = ["faces", "player", "choice", "value", "counter", "step", "action", "drop_later"]
NAMES += ["until_s", "square", "face", "at_s", "typ"]
FIELDS = st.dictionaries(st.sampled_from(NAMES), JSON, max_size=5)
LINES = st.builds(lambda kind, fields: {"type": kind, **fields}, WORDS | JSON, FIELDS)
HALF_RIGHT = st.one_of(
    st.builds(
        lambda faces, at_s: {"type": "rolled", "faces": faces, **at_s},
        st.dictionaries(WORDS, WORDS, max_size=4),
        st.fixed_dictionaries({}, optional={"at_s": SCALARS}),
    ),
    st.builds(
        lambda step, action, drop: {
            "type": "correct",
            "step": step,
            "action": action,
            "drop_later": drop,
        },  # fmt: skip
        st.integers(-2, 9) | SCALARS,
        LINES,
        st.booleans() | SCALARS,
    ),
    st.builds(
        lambda counter, value: {"type": "adjusted", "counter": counter, "value": value},
        st.sampled_from(["supply.gold", "pouch.diamonds", "pack.ann.gold", "dragon.awake"]),
        st.integers() | SCALARS,
    ),
)


def check_answer(program, line):
    """One JSON line: a step, or a refusal that changed nothing."""
    before, number = everything(program.referee), program.referee.number
    answer = program.line(line)
    if "refused" in answer:
        assert everything(program.referee) == before
        assert answer["refused"]["code"] != "rules_failed"
    else:
        assert answer["step"] == number + 1


@given(st.lists(st.binary(max_size=60), max_size=4))
@QUICK
def test_any_bytes_are_answered_by_one_line(lines):
    program = Program()
    for line in lines:
        check_answer(program, line)


@given(st.lists(JSON | LINES | HALF_RIGHT, min_size=1, max_size=5))
@QUICK
def test_any_json_is_answered_by_one_line(lines):
    program = awake()
    for line in lines:
        check_answer(program, json.dumps(line).encode())


@given(st.data())
@QUICK
def test_damaged_line_is_answered_by_one_line(data):
    line = bytearray(json.dumps(data.draw(st.sampled_from([ROLLED, CHOSE, *BAD_FIELDS]))).encode())
    at = data.draw(st.integers(0, len(line) - 1))
    line[at] = data.draw(st.integers(0, 255))
    check_answer(Program(), bytes(line))
