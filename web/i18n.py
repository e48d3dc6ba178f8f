"""Languages: which one a viewer reads, and how sentences get into it.

Everything is written in English; the sentence is its own message id. Templates and Python say
`_("Take back: {what}", what=...)` and `ngettext("{n} die", "{n} dice", n)`. Catalogues are in
the form of gettext, under `translations/`. A viewer's language is what the page was asked for
(`?lang=de`, kept in a cookie), else the best that the browser accepts, else English.
"""

import gettext as standard
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from flask import Flask, Response, request
from markupsafe import Markup

LANGUAGES = {"en": "English", "de": "Deutsch", "fr": "Français"}
WRITTEN = "en"
COOKIE = "companion-language"
KEPT_S = 365 * 24 * 3600
TRANSLATIONS = Path(__file__).parent / "translations"
DOMAIN = "messages"

_language: ContextVar[str] = ContextVar("language", default=WRITTEN)


@lru_cache
def catalogue(language: str) -> standard.NullTranslations:
    """The messages of one language; English has none of its own."""
    if language == WRITTEN:
        return standard.NullTranslations()
    return standard.translation(DOMAIN, TRANSLATIONS, [language], fallback=True)


def current() -> str:
    """The language in which this thread speaks just now."""
    return _language.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak this language inside the `with`."""
    before = _language.set(language)
    try:
        yield
    finally:
        _language.reset(before)


def translate(sentence: str, plural: str | None = None, n: int = 1) -> str:
    """The words of a message in the current language, its fields not filled in yet."""
    if not sentence:
        return ""  # gettext keeps the head of the catalogue under the empty message
    words = catalogue(current())
    return words.gettext(sentence) if plural is None else words.ngettext(sentence, plural, n)


class Fraction(float):
    """A number that is written as the current language writes it: most have a comma."""

    def __format__(self, spec: str) -> str:
        written = super().__format__(spec)
        return written if current() == WRITTEN else written.replace(".", ",")


def filled(text: str, values: dict[str, Any]) -> str:
    """Fill in the fields; escaped for HTML where one of the values is HTML already."""
    values = {name: Fraction(one) if type(one) is float else one for name, one in values.items()}
    if any(hasattr(value, "__html__") for value in values.values()):
        return Markup.escape(text).format(**values)
    return text.format(**values) if values else text


def gettext(sentence: str, /, **values: Any) -> str:
    """The sentence in the current language, with its values."""
    return filled(translate(sentence), values)


def ngettext(singular: str, plural: str, n: int, /, **values: Any) -> str:
    """The sentence that fits the number, in the current language; `{n}` is the number."""
    return filled(translate(singular, plural, n), {"n": n, **values})


_ = gettext


def language_of_request() -> str:
    """The language that the sender of this request reads."""
    for asked in (request.args.get("lang"), request.cookies.get(COOKIE)):
        if asked in LANGUAGES:
            return str(asked)
    return request.accept_languages.best_match(list(LANGUAGES), default=WRITTEN) or WRITTEN


def page_in(code: str) -> str:
    """The address of this very page in another language."""
    asked = [(name, value) for name, value in request.args.items() if name != "lang"]
    return f"?{urlencode([*asked, ('lang', code)])}"


def speak_to_viewers(app: Flask) -> None:
    """Answer every request of `app` in the language of its viewer; `_` in all templates."""
    app.jinja_env.globals.update(
        _=gettext,
        gettext=gettext,
        ngettext=ngettext,
        language=current,
        languages=LANGUAGES,
        in_language_of=page_in,
    )

    @app.before_request
    def listen() -> None:
        _language.set(language_of_request())

    @app.after_request
    def keep(response: Response) -> Response:
        asked = request.args.get("lang")
        if asked in LANGUAGES and response.mimetype == "text/html":
            response.set_cookie(
                COOKIE, asked, max_age=KEPT_S, samesite="Lax", secure=request.is_secure
            )
        if response.mimetype == "text/html":
            response.vary.add("Accept-Language")
            response.vary.add("Cookie")
            response.content_language.add(current())
        return response
