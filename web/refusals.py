"""How the dashboard says no: a status, a stable code, a sentence, as problem details (RFC 9457).

    {"type": "urn:companion:problem:stale_tap", "title": "The table has moved on", "status": 409,
     "detail": "That offer has left the table since; look again.",
     "code": "stale_tap", "message": "That offer has left the table since; look again."}

`code` and `message` say once more, in one word each, what `type` and `detail` do.
"""

import logging
import re
from typing import Any

from flask import Flask, Response, jsonify
from werkzeug.exceptions import HTTPException

from companion.errors import CompanionError, IllegalAction, StaleTap
from companion.words import mark
from web.desk import Desk
from web.telling import in_language, in_words

log = logging.getLogger(__name__)
PROBLEM = "application/problem+json"
OTHERWISE = mark("That did not work")
TITLES = {
    400: mark("That was not understood"),
    401: mark("Not let in yet"),
    403: mark("Not allowed"),
    404: mark("Not there"),
    405: mark("Not done that way"),
    409: mark("The table has moved on"),
    413: mark("Too much at once"),
    415: mark("Not of that kind"),
    422: mark("Not possible now"),
    429: mark("Too many tries"),
    503: mark("Not ready just now"),
}
WHY = {  # where nobody here has said more: the server's own words are in English only
    400: mark("The request cannot be understood."),
    404: mark("There is nothing at this address."),
    405: mark("At this address that cannot be done."),
    408: mark("That took too long."),
    413: mark("That is more than is taken in at once."),
    415: mark("Something else was expected at this address."),
    500: mark("Something went wrong here; the log of the companion says what."),
}


class Refused(Exception):
    """A request that is answered with `status` and the reason.

    retry_after_s  when it is worth asking again; None where nobody knows.
    """

    def __init__(
        self, status: int, code: str, message: str, *, retry_after_s: int | None = None
    ) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
        self.status = status
        self.code = code
        self.message = message


def answer(status: int, code: str, message: str, **details: Any) -> Response:
    """The reason as problem details; their own fields win over details of the same name."""
    message = in_words(message)
    problem = {
        "type": f"urn:companion:problem:{code}",
        "title": in_words(TITLES.get(status, OTHERWISE)),
        "status": status,
        "detail": message,
        "code": code,
        "message": message,
    }
    response = jsonify({**in_language(details), **problem})
    response.mimetype = PROBLEM
    response.status_code = status
    return response


def say_no(app: Flask, desk: Desk) -> None:
    """Answer everything that goes wrong in `app` with JSON that programs and people can read."""

    @app.errorhandler(Refused)
    def refused(error: Refused) -> Response:
        refusal = answer(error.status, error.code, error.message)
        if error.retry_after_s is not None:
            refusal.headers["Retry-After"] = str(error.retry_after_s)
        return refusal

    @app.errorhandler(StaleTap)
    def stale(error: StaleTap) -> Response:
        return answer(
            409, error.code, error.message, **{**error.details, "snapshot": desk.snapshot()}
        )

    @app.errorhandler(IllegalAction)
    def illegal(error: IllegalAction) -> Response:
        status = 503 if error.code == "no_game" else 422
        return answer(status, error.code, error.message, **error.details)

    @app.errorhandler(CompanionError)
    def failed(error: CompanionError) -> Response:
        log.error("the table could not answer: %s", error)
        code = re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__).lower()
        return answer(503, code, str(error))

    @app.errorhandler(HTTPException)
    def other(error: HTTPException) -> Response:
        code, status = re.sub(r"\W+", "_", error.name.lower()), error.code or 500
        said = None if error.description == type(error).description else error.description
        return answer(status, code, said or WHY.get(status, OTHERWISE))
