"""The line protocol: one JSON line in, one JSON line out, so that any program can use the referee.

    in   {"type":"rolled","faces":{"white-1":"troll","white-2":"diamond"}}
    in   {"type":"chose","player":"ann","choice":"leave","at_s":12.5}
    in   {"type":"undo"}    {"type":"correct","step":4,"action":{...},"drop_later":false}
    out  {"step":3,"active":"ann","phase":"grotto","told":[...],"counters":{...},"offers":[...],
          "outcome":null}
    out  {"step":3,"refused":{"code":"die_blocked","message":"..."}}

Step 0 is told before the first line is read. Nothing that comes in can end the program.
"""

import math
import reprlib
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec

from companion.actions import Adjusted, Chose, Correct, Entry, Flipped, Report, Rolled, Undo, Waited
from companion.errors import ConfigError, IllegalAction
from companion.field_words import reason
from companion.offers import Choose, Flip, Offer, Roll, Wait
from companion.referee import Referee
from companion.steps import Step, Told
from companion.table import Outcome
from companion.words import Words, say

TYPES: dict[str, type] = {
    "rolled": Rolled,
    "flipped": Flipped,
    "chose": Chose,
    "waited": Waited,
    "adjusted": Adjusted,
    "undo": Undo,
    "correct": Correct,
}


AN_OBJECT = '{"type":"undo"}'
MESSAGE = 200  # letters of a library's own message that are passed on


class LineProtocol:
    """Speaks the protocol for one referee."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee

    def opening(self) -> bytes:
        """The line of step 0."""
        return encode(step_line(self.referee, self.referee.opening))

    def answer(self, line: bytes) -> bytes:
        """Apply one line and return the line that answers it."""
        referee = self.referee
        try:
            step = referee.apply(report_from(line))
        except IllegalAction as refusal:
            return encode({"step": referee.number, "refused": refusal_fields(refusal)})
        return encode(step_line(referee, step.told))


def encode(fields: dict[str, Any]) -> bytes:
    """One line of JSON, without the line end."""
    return msgspec.json.encode(fields, enc_hook=str)


def report_from(line: bytes, source: str = "protocol") -> Report:
    """Read one line; raise IllegalAction `not_json`, `unknown_type` or `bad_fields`."""
    try:
        fields = msgspec.json.decode(line)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise IllegalAction(
            "not_json", f"Expected one JSON object a line: {shorter(error)}."
        ) from error
    if not isinstance(fields, dict):
        raise IllegalAction("not_json", f"Expected a JSON object such as {AN_OBJECT}.")
    at_s = time_from(fields)
    return Report(entry_from(fields), at_s=at_s, source=source)


def shown(value: Any) -> str:
    """What came in, in a few words, however long or deep it is."""
    return reprlib.repr(value)


def shorter(error: Exception) -> str:
    """What an error says, without what a sender could make it say at length."""
    said = str(error)
    return said if len(said) <= MESSAGE else said[:MESSAGE] + " ..."


def time_from(fields: dict[str, Any]) -> float | None:
    """Take `at_s` out of the fields of a line."""
    at_s = fields.pop("at_s", None)
    if at_s is None:
        return None
    if isinstance(at_s, bool) or not isinstance(at_s, int | float):
        raise IllegalAction("bad_fields", f"at_s: expected seconds, got {shown(at_s)}.")
    try:
        seconds = float(at_s)
    except OverflowError:
        seconds = math.inf
    if not (math.isfinite(seconds) and seconds >= 0):
        raise IllegalAction("bad_fields", f"at_s: expected seconds from 0 on, got {shown(at_s)}.")
    return seconds


def entry_from(fields: dict[str, Any]) -> Entry:
    """Turn decoded JSON into an entry; the field `type` says which."""
    kind = fields.get("type")
    if not isinstance(kind, str) or kind not in TYPES:
        expected = ", ".join(TYPES)
        raise IllegalAction("unknown_type", f"type: expected {expected}, got {shown(kind)}.")
    inner = fields.get("action")
    if kind == "correct" and isinstance(inner, dict):
        if inner.get("type") in ("undo", "correct"):
            raise IllegalAction("bad_fields", "Only actions can be put in another's place.")
        entry_from(inner)
    try:
        entry: Entry = msgspec.convert(fields, TYPES[kind])
    except (msgspec.ValidationError, RecursionError, OverflowError) as error:
        raise IllegalAction("bad_fields", f"{kind}: {shorter(error)}.") from error
    if isinstance(entry, Rolled) and not entry.faces:
        raise IllegalAction("bad_fields", "rolled: expected at least one die in faces.")
    return entry


# --- what goes out --------------------------------------------------------------------------------


def step_line(referee: Referee, told: tuple[Told, ...]) -> dict[str, Any]:
    """Everything that a program has to know after a step."""
    table = referee.table
    return {
        "step": referee.number,
        "active": table.active,
        "phase": table.phase,
        "told": told_fields(told),
        "counters": table.counters,
        "offers": [offer_fields(offer, referee.since(offer)) for offer in referee.offers],
        "outcome": outcome_fields(referee.outcome),
    }


def told_fields(told: tuple[Told, ...]) -> list[dict[str, str]]:
    """Sentences with the names that lamps and sounds go by."""
    return [{"cue": one.cue.name, "text": one.text} for one in told]


def refusal_fields(refusal: IllegalAction) -> dict[str, Any]:
    """Code, message and what else a program can use."""
    return {"code": refusal.code, "message": refusal.message, **refusal.details}


def outcome_fields(outcome: Outcome | None) -> dict[str, Any] | None:
    """Who won and why, or None while the game goes on."""
    if outcome is None:
        return None
    return {"winners": list(outcome.winners), "scores": outcome.scores, "why": outcome.why}


def offer_fields(offer: Offer, since: int) -> dict[str, Any]:
    """An offer with the step since which it has lain on the table."""
    fields: dict[str, Any]
    match offer:
        case Roll(player=player, dice=dice, at_least=at_least):
            fields = {"type": "roll", "player": player, "dice": dice, "at_least": at_least}
        case Flip(player=player, squares=squares, faces=faces):
            fields = {"type": "flip", "player": player, "squares": squares}
            if faces:
                fields["faces"] = faces
        case Choose(player=player, choice=choice, values=values):
            fields = {"type": "choose", "player": player, "choice": choice, "values": values}
        case Wait(until_s=until_s):
            fields = {"type": "wait", "until_s": until_s}
    fields["since"] = since
    if offer.closed is not None:
        fields["closed"] = {"code": offer.closed.code, "message": offer.closed.message}
    return fields


def replayed(referee: Referee, reports: Iterable[Report]) -> list[dict[str, Any]]:
    """The lines that the reports of a game gave, from step 0 on; `referee` starts fresh.

    Of a running game that keeps secrets they leave out what is hidden again: the past has no offers
    and only those counters that tell nothing, and of what was told only what may still be said.
    """
    lines = [step_line(referee, referee.opening)]
    applied: list[Step] = []
    for report in reports:
        applied.append(referee.apply(report))
        lines.append(step_line(referee, applied[-1].told))
    if referee.keeps_secrets:
        told = [referee.opening, *(referee.public(step).told for step in applied)]
        past = zip(lines[:-1], told, strict=False)
        lines[:-1] = [past_line(referee, line, sentences) for line, sentences in past]
    return lines


def past_line(referee: Referee, line: dict[str, Any], told: tuple[Told, ...]) -> dict[str, Any]:
    """What may be shown now of an earlier line of a running game that keeps secrets."""
    counters = referee.past_counters(line["counters"])
    return line | {"told": told_fields(told), "counters": counters, "offers": []}


# --- options --------------------------------------------------------------------------------------


def options_from(options: type[msgspec.Struct], settings: tuple[str, ...]) -> msgspec.Struct:
    """Read `name=value` settings into a game's options; ConfigError says what to write.

    Dotted names reach into tables (`dice.white=troll,troll,diamond,diamond,key,door`); commas
    separate lists; `true` and `false` are what they say.
    """
    fields: dict[str, Any] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise ConfigError(f"--option: expected name=value, got {setting!r}")
        path, inner = name.strip().split("."), fields
        for part in path[:-1]:
            inner = inner.setdefault(part, {})
            if not isinstance(inner, dict):
                raise ConfigError(f"--option {name}: {part} is a value already")
        inner[path[-1]] = as_value(value.strip(), is_list=len(path) > 1)
    return checked_options(options, fields)


def as_value(text: str, *, is_list: bool) -> Any:
    """A word, a truth, or a list of words."""
    if is_list:
        return [part.strip() for part in text.split(",")]
    return {"true": True, "false": False}.get(text.lower(), text)


def checked_options(options: type[msgspec.Struct], fields: dict[str, Any]) -> msgspec.Struct:
    """Check option fields, from wherever they come, against a game's options.

    Where an option is a table, the name of a TOML file that holds it does too; the file is read
    here, once, so that the rules get plain values and the journal keeps what was in it.
    """
    tables = {f.name for f in msgspec.structs.fields(options) if get_origin(f.type) is dict}
    read = {
        name: read_toml(name, value) if name in tables and isinstance(value, str) else value
        for name, value in fields.items()
    }
    try:
        return msgspec.convert(read, options, strict=False)
    except msgspec.ValidationError as error:
        raise ConfigError(
            say("option: {why}; {what}", why=reason(error), what=what_fits(options, str(error)))
        ) from error


def what_fits(options: type[msgspec.Struct], complaint: str) -> Words:
    """What may be written: the values of the option that is named, or the names of all."""
    for field in msgspec.structs.fields(options):
        if f"$.{field.name}`" in complaint and get_origin(field.type) is Literal:
            return say(
                "{option} is one of {values}",
                option=field.name,
                values=", ".join(get_args(field.type)),
            )
    return say("the options are {options}", options=", ".join(options.__struct_fields__))


def read_toml(option: str, path: str) -> dict[str, Any]:
    """What a TOML file holds; ConfigError names the option and the file."""
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(
            say(
                "option {option}: expected a TOML file, got {path!r}: {why}",
                option=option,
                path=path,
                why=reason(error),
            )
        ) from error
