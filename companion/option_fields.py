"""House rules as fields of a form: what kind each is, what fits, and what is wrong with a text."""

import math
import tomllib
from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec import inspect

from companion.config_keys import option_words, written
from companion.scripts import Game
from companion.words import say

LONGEST = 8000  # letters of one house rule; a table of dice has a few hundred
LONGEST_NUMBER = 18  # digits
TRUE = ("true", "on", "yes", "1")


def option_rows(game: Game, options: msgspec.Struct) -> list[dict[str, Any]]:
    """Every house rule of a game: name, explanation, kind, what fits, and its value as text."""
    words = option_words(game)
    kinds = {one.name: one.type for one in fields_of(game)}
    return [
        {
            "name": one.name,
            **called(one.name),
            "words": sentence(words[one.name]),
            "value": as_text(getattr(options, one.name)),
            **shape(kinds[one.name], one.type),
        }
        for one in msgspec.structs.fields(game.options)
    ]


def called(name: str) -> dict[str, str]:
    """What a house rule is called, and its unit: `tie_window_s` is a tie window in seconds."""
    label, _, unit = name.rpartition("_")
    in_seconds = unit == "s" and bool(label)
    return {
        "label": (label if in_seconds else name).replace("_", " "),
        "unit": "seconds" if in_seconds else "",
    }


def fields_of(game: Game) -> tuple[inspect.Field, ...]:
    """The house rules with their bounds."""
    info = inspect.type_info(game.options)
    assert isinstance(info, inspect.StructType)
    return info.fields


def sentence(text: str) -> str:
    """An explanation as a sentence of its own."""
    return text[0].upper() + text[1:]


def shape(kind: inspect.Type, told: Any) -> dict[str, Any]:
    """How a house rule is filled in: `choice`, `truth`, `number`, `table`, or `text`."""
    if get_origin(told) is Literal:
        return {"kind": "choice", "values": [str(value) for value in get_args(told)]}
    if isinstance(kind, inspect.BoolType):
        return {"kind": "truth"}
    if isinstance(kind, inspect.IntType | inspect.FloatType):
        whole = isinstance(kind, inspect.IntType)
        return {"kind": "number", "least": kind.ge, "most": kind.le, "whole": whole}
    return {"kind": "table"} if isinstance(kind, inspect.DictType) else {"kind": "text"}


def as_text(value: Any) -> str:
    """A value as people write it into a field."""
    match value:
        case bool():
            return "true" if value else "false"
        case dict():
            return "\n".join(f"{name} = {written(one)}" for name, one in value.items())
        case list() | tuple():
            return ", ".join(str(one) for one in value)
    return str(value)


def read_options(game: Game, texts: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """The values of these texts by house rule, and what is wrong by field (`option.NAME`)."""
    values: dict[str, Any] = {}
    errors: dict[str, str] = {}
    known = {one.name: one for one in fields_of(game)}
    told = {one.name: one.type for one in msgspec.structs.fields(game.options)}
    for name, text in texts.items():
        if name not in known:
            errors["game"] = say("{game} has no option {name}.", game=game.title, name=repr(name))
            continue
        form = shape(known[name].type, told[name])
        try:
            values[name] = msgspec.convert(value_of(text, form), told[name], strict=False)
        except (ValueError, RecursionError, msgspec.ValidationError):
            errors[f"option.{name}"] = expected(form, text)
    return values, errors


def value_of(text: str, form: Mapping[str, Any]) -> Any:
    """What a text in a field means; ValueError where it means nothing."""
    if len(text) > LONGEST:
        raise ValueError("too long")
    if form["kind"] == "table":
        return tomllib.loads(text)
    if form["kind"] == "truth":
        return text.strip().lower() in TRUE
    if form["kind"] == "number":
        return number_of(text.strip(), whole=form["whole"])
    return text.strip()


def number_of(text: str, *, whole: bool) -> float:
    """A number as people write it, with a comma or a point; ValueError for anything else."""
    if len(text) > LONGEST_NUMBER:
        raise ValueError("too long")
    number = int(text) if whole else float(text.replace(",", "."))
    if not math.isfinite(number):
        raise ValueError("not a number")
    return number


def expected(form: Mapping[str, Any], text: str) -> str:
    """What was expected at a field, in a sentence."""
    got = repr(text if len(text) <= 40 else f"{text[:40]} ...")
    least, most = form.get("least"), form.get("most")
    if form["kind"] == "choice":
        return say("Expected one of {values}, got {got}.", values=", ".join(form["values"]),
                   got=got)  # fmt: skip
    if form["kind"] == "table":
        return say('Expected lines such as white = ["troll", "key"], got {got}.', got=got)
    if form["kind"] != "number":
        return say("Expected fewer than {most} letters.", most=LONGEST)
    if most is None:
        return say("Expected a number from {least} on, got {got}.", least=least or 0, got=got)
    return say("Expected a number from {least} to {most}, got {got}.", least=least, most=most,
               got=got)  # fmt: skip
