"""Joining: the table's link, seats to pair with, the PIN, and the QR codes of all that."""

import io
import ipaddress
import socket
from typing import Any
from urllib.parse import urlsplit

import msgspec
import segno
from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import NotFound

from web.access import Access, home
from web.bodies import body_as
from web.desk import Desk
from web.refusals import Refused

ELSEWHERE = ("192.0.2.1", 9)  # an address for documentation: nothing is ever sent there


class Credentials(msgspec.Struct, forbid_unknown_fields=True):
    """What somebody brings to be let in: one of the three, or nothing for a token only."""

    link: str | None = None
    seat: str | None = None
    pin: str | None = None


class Code(msgspec.Struct, forbid_unknown_fields=True):
    """Ask for a new code."""


def let_in(app: Flask, access: Access, desk: Desk) -> None:
    """Serve everything by which people join a table."""
    open_links(app, access)
    keep_sessions(app, access)
    show_codes(app, access, desk)

    @app.context_processor
    def joining() -> dict[str, Any]:
        return {"joining": access.lan}


def open_links(app: Flask, access: Access) -> None:
    """Serve the links that QR codes hold; they give a cookie and go on to the table."""

    @app.get("/join/<token>")
    def join(token: str) -> Response:
        if not access.join(token):
            raise Refused(403, "unknown_link", "That link is not this table's any more.")
        access.csrf()
        return home()

    @app.get("/pair/<token>")
    def pair(token: str) -> Response:
        player = access.pair(token)
        if player is None:
            raise Refused(403, "unknown_link", "That code pairs with no seat any more.")
        access.csrf()
        return home(f"/seat/{player}")


def keep_sessions(app: Flask, access: Access) -> None:
    """Serve the session of one browser: what it may do, and the token for its writes."""

    def shown() -> Response:
        roles = access.roles()
        seats = None if roles.seats is None else sorted(roles.seats)
        fields = {"look": roles.look, "seats": seats, "referee": roles.referee}
        return jsonify({**fields, "csrf": access.csrf(), "lan": access.lan})

    @app.get("/api/v1/session")
    def session() -> Response:
        return shown()

    @app.post("/api/v1/session")
    def introduce() -> Response:
        brought = body_as(Credentials)
        if brought.link is not None and not access.join(brought.link):
            raise Refused(403, "unknown_link", "That link is not this table's any more.")
        if brought.seat is not None and access.pair(brought.seat) is None:
            raise Refused(403, "unknown_link", "That code pairs with no seat any more.")
        if brought.pin is not None and not access.roles().look:
            raise Refused(401, "needs_link", "Join with the table's link first.")
        if brought.pin is not None:
            access.referee(brought.pin)
        return shown()

    @app.delete("/api/v1/session")
    def dismiss() -> tuple[str, int]:
        access.leave()
        return "", 204


def show_codes(app: Flask, access: Access, desk: Desk) -> None:
    """Serve QR codes: the table's link to everybody who may look, seats to the referee."""

    @app.get("/link.svg")
    def link_code() -> Response:
        return drawn(f"{reachable()}/join/{access.keys.link}")

    @app.get("/pairing")
    def pairing() -> str:
        return render_template("pairing.html", players=desk.snapshot()["players"])

    @app.get("/pairing/<player>.svg")
    def seat_code(player: str) -> Response:
        check_player(desk, player)
        return drawn(f"{reachable()}/pair/{access.keys.seat(player)}")

    @app.post("/api/v1/seats/<player>/code")
    def renew_seat(player: str) -> Response:
        check_player(desk, player)
        body_as(Code)
        access.keys.renew_seat(player)
        return jsonify({"player": player})

    @app.post("/api/v1/link")
    def renew_link() -> Response:
        body_as(Code)
        access.keys.renew_link()
        access.join(access.keys.link)
        return jsonify({})


def check_player(desk: Desk, player: str) -> None:
    """Raise NotFound for somebody who does not sit here."""
    if all(one["key"] != player for one in desk.snapshot()["players"]):
        raise NotFound(f"Nobody here is called {player!r}.")


def drawn(text: str) -> Response:
    """A QR code as a picture."""
    svg = io.BytesIO()
    segno.make(text, error="m").save(
        svg, kind="svg", scale=8, border=3, dark="#000", light="#fff", xmldecl=False
    )
    return Response(svg.getvalue(), mimetype="image/svg+xml")


def reachable() -> str:
    """Under which address another screen in the house reaches this table."""
    asked = urlsplit(request.host_url)
    if not is_loopback(asked.hostname or ""):
        return f"{asked.scheme}://{asked.netloc}"
    port = f":{asked.port}" if asked.port else ""
    return f"{asked.scheme}://{house_address()}{port}"


def is_loopback(host: str) -> bool:
    """True for a name or address that leads to this very machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def house_address() -> str:
    """This machine's address in the house, as far as its routes tell."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        try:
            line.connect(ELSEWHERE)
        except OSError:
            return socket.gethostname()
        return str(line.getsockname()[0])
