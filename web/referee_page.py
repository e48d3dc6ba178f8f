"""The referee's page: every step with where it comes from, and all that puts a game right.

The page shows what the desk knows and writes through the interface (`web/api.py`); access keeps it
for whoever brought the PIN.
"""

import json
from collections.abc import Collection, Sequence
from typing import Any, Protocol, runtime_checkable

from flask import Flask, Response, request

from web.bodies import number_in
from web.desk import Answering
from web.drawing import Brush
from web.house import House, manner_of
from web.refusals import Refused
from web.telling import in_language, in_words

STEPS_SHOWN = 40  # on one page, newest first
MOST_OPENED, DIGITS = 8, 10  # steps of which alternatives are shown at once; of their numbers


@runtime_checkable
class Reviewing(House, Protocol):
    """A desk that tells a referee which steps count, and what dice may really have shown."""

    def review(
        self, before: int | None, most: int, opened: Collection[int] = ()
    ) -> list[dict[str, Any]]:
        """The newest steps first, all below number `before`; what the opened ones may have been."""
        ...

    def counters(self) -> list[dict[str, Any]]:
        """Every public count: name, label, value, and whether it is adjustable."""
        ...

    def cameras(self) -> list[dict[str, Any]]:
        """The cameras of the table: name and label."""
        ...

    def live(self, name: str) -> tuple[str, float, bytes, Sequence[str]] | None:
        """What a camera sees, drawn: a tag, its age in s, a JPEG, and what its numbers mean.

        None where it shows nothing.
        """
        ...


def show_referee(app: Flask, desk: Reviewing, brush: Brush) -> None:
    """Serve `/referee`, and the part of it that is drawn anew with every step."""
    app.jinja_env.filters["sureness"] = sureness

    def drawn(template: str, **more: Any) -> str:
        last_id = desk.feed.last_id()
        before = number_in("before", 0) or None
        snapshot = desk.snapshot()
        told = {
            "rows": desk.review(before, STEPS_SHOWN, opened_steps()),
            "counters": desk.counters(),
            "health": desk.health(),
        }
        return brush.draw(
            template,
            snapshot,
            **in_language(told, snapshot),
            before=before,
            gauges=desk.gauges(),
            manner=manner_of(desk),
            asks=isinstance(desk, Answering),
            last_id=last_id,
            **more,
        )

    @app.get("/referee")
    def referee() -> str:
        return drawn("referee.html", cameras=desk.cameras())

    @app.get("/referee/board")
    def referee_board() -> str:
        return drawn("referee_board.html")

    @app.get("/referee/cameras/<name>")
    def camera(name: str) -> Response:
        live = desk.live(name)
        if live is None:
            raise Refused(404, "no_picture", "This camera shows nothing just now.")
        tag, age_s, jpeg, legend = live
        if request.headers.get("If-None-Match") == f'"{tag}"':
            return Response(status=304, headers={"Picture-Age-S": f"{age_s:.1f}"})
        reply = Response(jpeg, mimetype="image/jpeg")
        reply.headers |= {"ETag": f'"{tag}"', "Picture-Age-S": f"{age_s:.1f}"}
        reply.headers["Picture-Legend"] = json.dumps([in_words(text) for text in legend])
        return reply


def opened_steps() -> frozenset[int]:
    """The steps of which the page shows what they may really have been: `?open=12,15`."""
    asked = request.args.get("open", "").split(",")[:MOST_OPENED]
    return frozenset(int(one) for one in asked if one.isdecimal() and len(one) < DIGITS)


def sureness(certainty: float) -> str:
    """A certainty from 0 to 1 as per cent; never rounded up to complete certainty."""
    return "100 %" if certainty >= 1 else f"{min(99, max(0, int(certainty * 100)))} %"
