"""A made-up language that shows what nobody has marked for translation.

Every sentence that the catalogues know stands in brackets in it, ⟦like this⟧, and every other stays
bare. What is bare in it is English on a German or French screen.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from babel.messages.mofile import read_mo

from companion.messages import LANGUAGES, po_of
from companion.words import FACT, message_of, rendered

BRACKETS = re.compile(r"⟦[^⟦⟧]*⟧")
LETTERS = re.compile(r"[^\W\d_]{3}")
PROSE = re.compile(r"\b[a-z]+ [a-z]+ [a-z]+\b")  # of a value: a name or a path is no prose


class Pseudo:
    """The made-up language, in the form of a catalogue of gettext."""

    def __init__(self, every: Any) -> None:
        ids = [message.id for message in every if message.id]
        self._known = {
            one for found in ids for one in ([found] if isinstance(found, str) else found)
        }

    def gettext(self, sentence: str) -> str:
        return f"⟦{sentence}⟧" if sentence in self._known else sentence

    def ngettext(self, singular: str, plural: str, n: int) -> str:
        return self.gettext(singular if n == 1 else plural)

    def translate(self, sentence: str, plural: str | None, n: int) -> str:
        return self.gettext(sentence) if plural is None else self.ngettext(sentence, plural, n)


@cache
def pseudo() -> Pseudo:
    """The made-up language of all sentences of the catalogues, which another test keeps whole."""
    with po_of(LANGUAGES[0]).with_suffix(".mo").open("rb") as compiled:
        return Pseudo(read_mo(compiled))


def outside_brackets(text: str) -> str:
    """What of a text in the made-up language is bare."""
    while BRACKETS.search(text):
        text = BRACKETS.sub("", text)
    return text


def bare(text: str, made: Mapping[str, Any] | None = None) -> list[str]:
    """What of a sentence would stay English: parts outside brackets, and values that are prose.

    made  what texts are made of, by text, where that travels beside them.
    """
    message = message_of(text) or (made or {}).get(text)
    if message is None:
        said, values = pseudo().gettext(text), []
    else:
        said, values = rendered(message, pseudo().translate), prose_in(message)
    left = outside_brackets(said)
    return [*([left] if LETTERS.search(left) else []), *values]


def prose_in(message: Mapping[str, Any]) -> list[str]:
    """Values of a message that are sentences nobody has marked."""
    if message["id"] == FACT:
        return []
    found: list[str] = []
    for value in message["values"].values():
        if isinstance(value, Mapping):
            found += prose_in(value)
        elif isinstance(value, str) and PROSE.search(value):
            found.append(value)
    return found
