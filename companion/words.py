"""Sentences that can still be told in another language: text that knows of what it was made.

Everything is written in English. `Words` is that text, and carries the message id and the values
behind it, so that a screen can say the same in its viewer's language. What has no values may stay
a plain string: its text is its message id; `mark` says so to whoever collects messages.
"""

import errno
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

Translate = Callable[[str, str | None, int], str]
PLAIN = (str, int, float, list, tuple, type(None))  # values that JSON has
FACT = "{text}"
OF_SYSTEM = {  # what the system says most often of a file or a device, as it says it in English
    errno.EACCES: "Permission denied",
    errno.EAGAIN: "locked by another program",
    errno.EADDRINUSE: "Address already in use",
    errno.EBUSY: "Device or resource busy",
    errno.EIO: "Input/output error",
    errno.EISDIR: "Is a directory",
    errno.ENODEV: "No such device",
    errno.ENOENT: "No such file or directory",
    errno.ENOSPC: "No space left on device",
    errno.ENOTDIR: "Not a directory",
    errno.ENXIO: "No such device or address",
    errno.EPERM: "Operation not permitted",
    errno.EROFS: "Read-only file system",
}


def mark(sentence: str) -> str:
    """The sentence itself; its text is a message id of the catalogues."""
    return sentence


FACES = {"gold1": mark("one nugget"), "gold2": mark("two nuggets")}  # keys that are no words


def as_written(sentence: str, plural: str | None, n: int) -> str:
    """Choose singular or plural as English does; the place where a translation comes in."""
    return sentence if plural is None or n == 1 else plural


class Words(str):
    """A sentence in English with its message id, plural and values.

    Values that are `Words` or marked are words themselves and are translated; all others
    (names of people, numbers) stay as they are.
    """

    __slots__ = ("plural", "sentence", "values")

    sentence: str
    plural: str | None
    values: Mapping[str, Any]


def say(sentence: str, plural: str | None = None, **values: Any) -> Words:
    """Fill in the values; `n` among them chooses singular or plural.

    A value that is no JSON (a path, an error) goes in as its text; errors keep their words.
    """
    for name, one in values.items():
        if not isinstance(one, PLAIN):
            values[name] = str(one)
    words = Words(as_written(sentence, plural, values.get("n", 1)).format(**values))
    words.sentence, words.plural, words.values = sentence, plural, values
    return words


def fact(text: object) -> Words:
    """What reads the same in every language: a version, a name, a command to type."""
    return say(FACT, text=str(text))


def word(text: str) -> Words:
    """A word that goes into sentences and is translated there."""
    words = Words(text)
    words.sentence, words.plural, words.values = text, None, {}
    return words


def of_system(error: OSError) -> Words:
    """Why the system did not do something, in words that are translated where they are common."""
    return word(OF_SYSTEM.get(error.errno or 0, error.strerror or str(error) or "OSError"))


def message_of(text: str) -> dict[str, Any] | None:
    """What `text` was made of as plain JSON, `{"id", "plural", "values"}`; None for plain text."""
    if not isinstance(text, Words):
        return None
    return message(text.sentence, text.plural, text.values)


def message(sentence: str, plural: str | None, values: Mapping[str, Any]) -> dict[str, Any]:
    """A message as plain JSON; values that are words are messages themselves."""
    plain = {name: as_value(value) for name, value in values.items()}
    return {"id": sentence, "plural": plural, "values": plain}


def as_value(value: Any) -> Any:
    """A value of a message as plain JSON."""
    if isinstance(value, list | tuple):
        return [as_value(one) for one in value]
    made = message_of(value) if isinstance(value, str) else None
    return value if made is None else made


def rendered(
    made: Mapping[str, Any], translate: Translate, number: Callable[[float], float] = float
) -> str:
    """A message as plain JSON in words; the way back from `message`.

    number  makes of a fraction one that is written as the language writes it.
    """
    values = {name: filling(value, translate, number) for name, value in made["values"].items()}
    n = values.get("n", 1)
    return translate(made["id"], made["plural"], n if isinstance(n, int) else 1).format(**values)


def filling(value: Any, translate: Translate, number: Callable[[float], float]) -> Any:
    """A value of a message as it goes into the sentence."""
    if isinstance(value, Mapping):
        return rendered(value, translate, number)
    return number(value) if isinstance(value, float) else value


def word_of(text: str) -> Words:
    """`text` as it is where it knows what it is made of, else as a word."""
    return text if isinstance(text, Words) else word(text)


class Glossary:
    """Collects what the words of one snapshot are made of, while it is turned into JSON."""

    def __init__(self) -> None:
        self.messages: dict[str, dict[str, Any]] = {}

    def plain(self, value: Any) -> Any:
        """`value` as plain text, noted; a hook for encoders, which meet words as a stranger."""
        if not isinstance(value, Words):
            raise TypeError(f"expected plain values or words, got {type(value).__name__}")
        if value.values or value.sentence != value:
            self.messages[str(value)] = message(value.sentence, value.plural, value.values)
        return str(value)


def listed(parts: Sequence[str], last: str = "{first}, {rest}") -> str:
    """Several words in a row; `last` joins the last two ("{first} and {rest}")."""
    if not parts:
        return ""
    *before, said = parts
    for n, part in enumerate(reversed(before)):
        said = say("{first}, {rest}" if n else last, first=part, rest=said)
    return said


def row_of(parts: Sequence[str]) -> str:
    """Several things that are told one after the other."""
    said = parts[-1] if parts else ""
    for part in reversed(parts[:-1]):
        said = say("{first}; {rest}", first=part, rest=said)
    return said


def face_word(face: str) -> str:
    """What people call the face of a die by its key; a number stays one."""
    return face if face.isdigit() else word(FACES.get(face, face.replace("_", " ")))


def die_name(name: str) -> Words:
    """What people call a die by its key (`white-1`)."""
    kind, _, number = name.partition("-")
    return say("{kind}-{number}", kind=word(kind), number=number) if number else word(name)


def spelled(fields: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """The same as plain JSON values, and what its texts are made of, by text."""
    glossary = Glossary()
    plain: dict[str, Any] = msgspec.to_builtins(fields, enc_hook=glossary.plain)
    return plain, glossary.messages
