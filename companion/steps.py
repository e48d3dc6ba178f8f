"""What an accepted action did: a numbered step, and the sentences that the rules told about it."""

from collections.abc import Callable
from typing import Any

import msgspec

from companion.actions import Report
from companion.words import say

FAMILIES = ("turn", "good", "bad", "hurry", "over", "note")


class Cue(msgspec.Struct, frozen=True):
    """A name that lamps, sounds and screens know.

    family  one of `FAMILIES`; a cue without its own alert is shown as its family.
    title   a few words for screens and settings ("The Troll!").
    """

    name: str
    family: str
    title: str


class Told(msgspec.Struct, frozen=True, gc=False):
    """One sentence of the rules: a format string, its plural, and the values that go into it."""

    cue: Cue
    sentence: str
    plural: str | None = None
    values: dict[str, Any] = {}

    @property
    def text(self) -> str:
        """The sentence in the language in which the rules are written, and what it is made of."""
        return say(self.sentence, self.plural, **self.values)

    def render(self, translate: Callable[[str, str | None, int], str]) -> str:
        """Fill in the values after `translate(singular, plural, n)` has chosen the words."""
        n = self.values.get("n", 1)
        return translate(self.sentence, self.plural, n).format(**self.values)


class Step(msgspec.Struct, frozen=True, gc=False):
    """One accepted entry. Its number is never used again.

    player  whose offer it answered; None for what nobody's turn decides.
    """

    number: int
    report: Report
    told: tuple[Told, ...] = ()
    player: str | None = None
