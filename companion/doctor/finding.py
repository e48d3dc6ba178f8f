"""What a check says: a code, a state, what was found, and what to do about it."""

from collections.abc import Callable

import msgspec

from companion.field_words import reason
from companion.words import Words, fact, say

OK, NOTE, BAD, NONE = "ok", "note", "bad", "none"


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at.

    code   stable name for programs and for searching.
    state  `ok`, `note` (works, but know it), `bad` (a game would suffer) or `none` (nothing of the
           kind is here to look at).
    fix    what to do, where something is to be done.

    Both are sentences of the catalogues: plain where they have no values, else made by `say`; what
    reads the same everywhere (a version, a command) is a `fact`.
    """

    code: str
    state: str
    finding: str
    fix: str = ""


def ok(code: str, finding: str) -> Finding:
    """All is well."""
    return Finding(code, OK, finding)


def none(code: str, finding: str) -> Finding:
    """There is nothing of the kind here; `finding` says why it was not looked at."""
    return Finding(code, NONE, finding)


def note(code: str, finding: str, fix: str = "") -> Finding:
    """Works, but people should know."""
    return Finding(code, NOTE, finding, fix)


def bad(code: str, finding: str, fix: str) -> Finding:
    """A game would suffer; `fix` says what to do."""
    return Finding(code, BAD, finding, fix)


def looked_at(code: str, check: Callable[[], Finding]) -> Finding:
    """Run one check; one that fails itself is a finding too, and ends nothing."""
    try:
        return check()
    except Exception as error:
        words = say("could not be looked at: {why}", why=reason(error))
        return note(code, words, "run `companion -v doctor` and keep what it says")


def said_by(answer: str) -> Words:
    """What another program answered; some do not answer."""
    return fact(answer) if answer else say("no answer")


def join_group(name: str) -> Words:
    """How a user gets into a group of the system."""
    return say("sudo usermod -aG {name} $USER, then log in again", name=name)
