"""JSON bodies of requests, checked strictly."""

from typing import TypeVar

import msgspec
from flask import request

from companion.field_words import reason
from companion.words import say
from web.refusals import Refused

T = TypeVar("T")


def body_as(kind: type[T]) -> T:
    """The JSON body of this request as `kind`; 400 with what was expected where it is not."""
    raw = request.get_data(cache=True)
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.ValidationError as error:
        raise Refused(
            400, "bad_fields", say("{path}: {why}", path=request.path, why=reason(error))
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(
            400, "not_json", say("{path}: {why}", path=request.path, why=reason(error))
        ) from None


def number_in(name: str, default: int, *, most: int = 2**53 - 1) -> int:
    """A whole number of the query from 0 to `most`; 400 for anything else."""
    text = request.args.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 17 and int(text) <= most):
        raise Refused(
            400,
            "bad_fields",
            say(
                "{name}: expected 0 to {most}, got {text!r}.", name=name, most=most, text=text[:40]
            ),
        )
    return int(text)
