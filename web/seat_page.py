"""The phone of one seat: what its person may do now, and what they carry."""

from typing import Any

from flask import Flask

from companion.words import say
from web.access import Access
from web.desk import Desk
from web.drawing import Brush
from web.refusals import Refused
from web.telling import in_language


def show_seats(app: Flask, desk: Desk, brush: Brush, access: Access) -> None:
    """Serve `/seat/NAME`, and the part of it that is drawn anew with every step."""

    def drawn(template: str, seat: str) -> str:
        last_id = desk.feed.last_id()
        snapshot = desk.snapshot()
        shown = in_language(snapshot)
        mine = next((one for one in snapshot["players"] if one["key"] == seat), None)
        if mine is None:
            said = say("Nobody here is called {name}.", name=repr(seat))
            raise Refused(404, "unknown_player", said)
        return brush.draw(
            template,
            snapshot,
            me=mine,
            paired=access.roles().may_act(seat),
            risk=at_risk(shown),
            last_id=last_id,
        )

    @app.get("/seat/<seat>")
    def seat_page(seat: str) -> str:
        return drawn("seat.html", seat)

    @app.get("/seat/<seat>/board")
    def seat_board(seat: str) -> str:
        return drawn("seat_board.html", seat)


def at_risk(snapshot: dict[str, Any]) -> list[dict[str, Any]]:
    """Piles with a worth that are nobody's yet, and tracks that tell how near a danger is."""
    common = [zone for zone in snapshot["view"]["zones"] if zone.get("owner") is None]
    parts = [part for zone in common for part in zone["components"]]
    piles = [part for part in parts if part["type"] == "pile" and part.get("worth") is not None]
    dangers = [
        part
        for zone in common
        if zone.get("lit")
        for part in zone["components"]
        if part["type"] == "track" and part.get("mood") == "bad"
    ]
    return piles + dangers
