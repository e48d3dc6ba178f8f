"""What the table says, in the language of whoever looks.

The table speaks English. Beside its texts a snapshot carries `words`: what each composed text is
made of, its message id and values. Any other text is its own message id. Names of people are never
translated. Everything else (keys, codes, faces) is left alone: only fields with texts are read.
"""

from collections.abc import Mapping
from typing import Any

from companion.words import message_of, rendered
from web.i18n import WRITTEN, Fraction, current, translate

TEXTS = {  # fields that hold a text
    *("label", "title", "heading", "text", "why", "message", "detail", "what", "fix", "finding"),
    *("journal_error", "now", "detail"),
}
ROWS = {  # fields that hold several
    *("notices", "waiting", "troubles", "errors"),
    *("remedy_labels", "value_labels", "face_labels", "labels"),
}

Made = Mapping[str, Mapping[str, Any]]


class Teller:
    """Puts the texts of one snapshot into the current language."""

    def __init__(self, made: Made, names: frozenset[str]) -> None:
        self._made = made
        self._names = names

    def text(self, text: str) -> str:
        """One text in the current language; as it is where nobody has translated it."""
        made = message_of(text) or self._made.get(text)
        if made is not None:
            return rendered(made, translate, Fraction)
        return text if text in self._names else translate(text)

    def told(self, value: Any, field: str = "") -> Any:
        """Plain JSON with all its texts in the current language."""
        if isinstance(value, str):
            return self.text(value) if field in TEXTS or field in ROWS else value
        if isinstance(value, Mapping):
            row = {
                name: self.told(one, field if field in ROWS else name)
                for name, one in value.items()
                if name != "words"
            }
            made = value.get("message")
            if isinstance(made, Mapping):
                row |= {"text": rendered(made, translate, Fraction), "message": made}
            return row
        if isinstance(value, list | tuple):
            return [self.told(one, field) for one in value]
        return value


def in_language(data: dict[str, Any], snapshot: dict[str, Any] | None = None) -> dict[str, Any]:
    """Plain JSON of the table in the current language.

    snapshot  where `data` is not the snapshot itself: whose words and names it uses.
    """
    if current() == WRITTEN:
        return data
    about = data if snapshot is None else snapshot
    names = frozenset(str(player["name"]) for player in about.get("players", ()))
    made = {**about.get("words", {}), **(data.get("words") or {})}
    for part in data.values():
        if isinstance(part, Mapping) and isinstance(part.get("words"), Mapping):
            made |= part["words"]
    told: dict[str, Any] = Teller(made, names).told(data)
    return told


def in_words(text: str) -> str:
    """One text of this machine's own (a refusal, a label) in the current language."""
    return Teller({}, frozenset()).text(text)
