"""What a library finds wrong with fields that came in, in words of our own.

msgspec complains in English: "Expected `int`, got `str` - at `$.step`". People read that on their
screens, so it is taken apart here, and said as a sentence that can be told in another language.
What nobody has met before stays as it is.
"""

import re
import tomllib
from collections.abc import Callable, Mapping

import msgspec

from companion.errors import CompanionError
from companion.words import Words, fact, mark, of_system, say, word, word_of

KINDS = {
    "array": mark("a list"),
    "bool": mark("true or false"),
    "float": mark("a number"),
    "int": mark("a whole number"),
    "null": mark("nothing"),
    "object": mark("a table of fields"),
    "str": mark("a text"),
}
IN_TOML = KINDS | {
    "array": mark("a list in brackets"),
    "object": mark("a table of settings"),
    "str": mark("text in quotes"),
}
IN_LINE = re.compile(r"\(at line (\d+), column (\d+)\)")
PLACE = " - at `$"
SIGNS = {">=": mark("{kind} from {bound} on"), "<=": mark("{kind} up to {bound}")}
LENGTHS = {
    ">=": mark("{kind} of length {bound} or more"),
    "<=": mark("{kind} of length {bound} or less"),
    "==": mark("{kind} of length {bound}"),
}


def field_words(error: Exception | str) -> Words:
    """A complaint of msgspec as a sentence without a full stop, with the field that it is about."""
    what, _, place = str(error).partition(PLACE)
    field = place.rstrip("`").lstrip(".")
    said = misfit(what)
    return say("{place}: {why}", place=field, why=said) if field else said


def reason(error: Exception) -> Words:
    """What any error says, in words that are translated where they are known."""
    if isinstance(error, CompanionError):
        return word_of(str(error))
    if isinstance(error, OSError):
        return of_system(error)
    toml = IN_LINE.search(str(error))
    if isinstance(error, tomllib.TOMLDecodeError) and toml:
        return say("no TOML in line {line}, column {column}", line=toml[1], column=toml[2])
    if isinstance(error, msgspec.MsgspecError | UnicodeDecodeError | RecursionError):
        return field_words(error)
    return fact(str(error) or type(error).__name__)


def misfit(what: str, kinds: Mapping[str, str] = KINDS) -> Words:
    """What does not fit, without the place; `kinds` are what kinds of values are called."""
    for pattern, told in SAID:
        found = pattern.fullmatch(what)
        if found is not None:
            return told(found, kinds)
    return fact(what)


def kind_of(text: str, kinds: Mapping[str, str]) -> Words:
    """`int | null` as words: a whole number or nothing."""
    first, *others = (word(kinds.get(one.strip(), one.strip())) for one in text.split("|"))
    said = first
    for other in others:
        said = say("{first} or {other}", first=said, other=other)
    return said


def bounded(found: re.Match[str], ways: Mapping[str, str], kinds: Mapping[str, str]) -> Words:
    """A kind of value with its least or its most."""
    sentence = ways.get(found["sign"])
    if sentence is None:
        return fact(found[0])
    kind, bound = kind_of(found["kind"], kinds), found["bound"].removesuffix(".0")
    return say("expected {what}", what=say(sentence, kind=kind, bound=bound))


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.DOTALL)


_BOUND = r"(?P<sign>>=|<=|==) (?P<bound>\S+)"
Told = Callable[[re.Match[str], Mapping[str, str]], Words]
SAID: tuple[tuple[re.Pattern[str], Told], ...] = (
    (
        _pattern("Expected `(?P<kind>[^`]+)`, got `(?P<got>[^`]+)`"),
        lambda m, kinds: say(
            "expected {what}, got {got}",
            what=kind_of(m["kind"], kinds),
            got=kind_of(m["got"], kinds),
        ),
    ),
    (
        _pattern(f"Expected `(?P<kind>[^`]+)` of length {_BOUND}"),
        lambda m, kinds: bounded(m, LENGTHS, kinds),
    ),
    (_pattern(f"Expected `(?P<kind>[^`]+)` {_BOUND}"), lambda m, kinds: bounded(m, SIGNS, kinds)),
    (
        _pattern("Expected `(?P<kind>[^`]+)`"),
        lambda m, kinds: say("expected {what}", what=kind_of(m["kind"], kinds)),
    ),
    (
        _pattern("Object contains unknown field `(?P<name>.*)`"),
        lambda m, kinds: say("there is no field `{name}`", name=m["name"]),
    ),
    (
        _pattern("Object missing required field `(?P<name>.*)`"),
        lambda m, kinds: say("the field `{name}` is missing", name=m["name"]),
    ),
    (
        _pattern("Invalid (?:enum )?value (?P<got>.*)"),
        lambda m, kinds: say("{got} is none of what can be chosen", got=m["got"]),
    ),
    (
        _pattern("Expected `(?P<kind>[^`]+)` of length (?P<bound>\\d+), got (?P<got>\\d+)"),
        lambda m, kinds: say(
            "expected {what}, got {got}",
            what=say(LENGTHS["=="], kind=kind_of(m["kind"], kinds), bound=m["bound"]),
            got=m["got"],
        ),
    ),
    (
        _pattern("Expected `str` matching regex (?P<form>.*)"),
        lambda m, kinds: say("expected a text of the form {form}", form=m["form"]),
    ),
    (_pattern("maximum recursion depth.*"), lambda m, kinds: say("it is nested too deeply")),
    (_pattern("Integer (?:value )?out of range"), lambda m, kinds: say("the number is too large")),
    (_pattern("Input data was truncated"), lambda m, kinds: say("the JSON breaks off too early")),
    (
        _pattern(r"JSON is malformed: (?P<why>.*) \(byte (?P<byte>\d+)\)"),
        lambda m, kinds: say("this is no JSON, from byte {byte} on", byte=m["byte"]),
    ),
    (
        _pattern("Invalid UTF-8.*|.*codec can't decode.*"),
        lambda m, kinds: say("the text is not UTF-8"),
    ),
)
