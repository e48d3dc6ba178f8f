"""The referee's page: every step with where it comes from, and all that puts a game right.

The page shows what the desk knows and writes through the interface (`web/api.py`); access keeps it
for whoever brought the PIN.
"""

from typing import Any, Protocol, runtime_checkable

from flask import Flask

from web.bodies import number_in
from web.desk import Answering
from web.drawing import Brush
from web.house import House

STEPS_SHOWN = 40  # on one page, newest first


@runtime_checkable
class Reviewing(House, Protocol):
    """A desk that tells a referee which steps count, and what dice may really have shown."""

    def review(self, before: int | None, most: int) -> list[dict[str, Any]]:
        """The newest steps first, all below number `before`."""
        ...

    def counters(self) -> list[dict[str, Any]]:
        """Every public count: name, label, value, and whether it is adjustable."""
        ...


def show_referee(app: Flask, desk: Reviewing, brush: Brush) -> None:
    """Serve `/referee`, and the part of it that is drawn anew with every step."""
    app.jinja_env.filters["sureness"] = sureness

    def drawn(template: str) -> str:
        last_id = desk.feed.last_id()
        before = number_in("before", 0) or None
        return brush.draw(
            template,
            desk.snapshot(),
            rows=desk.review(before, STEPS_SHOWN),
            before=before,
            counters=desk.counters(),
            health=desk.health(),
            gauges=desk.gauges(),
            asks=isinstance(desk, Answering),
            last_id=last_id,
        )

    @app.get("/referee")
    def referee() -> str:
        return drawn("referee.html")

    @app.get("/referee/board")
    def referee_board() -> str:
        return drawn("referee_board.html")


def sureness(certainty: float) -> str:
    """A certainty from 0 to 1 as per cent; never rounded up to complete certainty."""
    return "100 %" if certainty >= 1 else f"{min(99, max(0, int(certainty * 100)))} %"
