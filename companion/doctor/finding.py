"""What a check says: a code, a state, what was found, and what to do about it."""

from collections.abc import Callable

import msgspec

OK, NOTE, BAD, NONE = "ok", "note", "bad", "none"


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at.

    code   stable name for programs and for searching.
    state  `ok`, `note` (works, but know it), `bad` (a game would suffer) or `none` (nothing of the
           kind is here to look at).
    fix    what to do, where something is to be done.
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
        words = f"could not be looked at: {error or type(error).__name__}"
        return note(code, words, "run `companion -v doctor` and keep what it says")
