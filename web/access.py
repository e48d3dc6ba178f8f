"""Who may do what: look, act for a seat, be the referee.

On the machine itself (a table that listens on loopback only) everybody may do everything. A table
on the LAN asks of everybody, however near: its link for looking, a pairing for acting, the PIN for
refereeing. What a person was given stands in a signed cookie, as marks of the secrets, so that a
renewed secret ends it. Programs send a secret as `Authorization: Bearer`; the PIN they cannot.

What is not named here is closed: a path that nobody thought of needs the link, and a write the PIN.
"""

import secrets
from typing import Any, NamedTuple

import msgspec
from flask import Flask, Request, Response, current_app, redirect, render_template, request, session
from flask.sessions import SecureCookieSessionInterface

from web.guard import FORMS
from web.keys import Keys, same
from web.refusals import Refused

STRANGERS = frozenset(  # endpoints for anybody
    {"static", "healthz", "join", "pair", "openapi", "session", "introduce", "dismiss"}
)
SEATED = frozenset({"act", "throw", "turn", "seat", "api_act", "api_throw", "api_roll", "api_seat"})
ANY_SEAT = frozenset({"answer_question", "api_answer"})
REFEREES = frozenset(
    {"api_webhooks", "api_pictures", "api_picture", "pairing", "seat_code"}
)  # what only a referee may read
REFEREE_PAGES = ("/referee", "/setup", "/pairing", "/doctor", "/api/v1/setup")
CORRECTIONS = frozenset({"correct", "adjusted", "waited"})  # and undo, but of one's own step
SAFE = ("GET", "HEAD", "OPTIONS")
DAYS = 30  # that a cookie lasts


class Roles(NamedTuple):
    """What somebody may do: look, act for some seats (None for all), referee."""

    look: bool
    seats: frozenset[str] | None
    referee: bool

    def may_act(self, player: object) -> bool:
        """True if this somebody may speak for the player."""
        return self.referee or self.seats is None or player in self.seats


EVERYTHING = Roles(True, None, True)


class Access:
    """The rules of one table: its keys, and whether it is open to everybody who reaches it."""

    def __init__(self, keys: Keys, *, lan: bool) -> None:
        self.keys = keys
        self.lan = lan

    def roles(self) -> Roles:
        """What the sender of this request may do."""
        if not self.lan:
            return EVERYTHING
        token = bearer(request)
        return self._by_cookie() if token is None else self._by_token(token)

    def _by_token(self, token: str) -> Roles:
        player = self.keys.seat_of(token)
        look = player is not None or same(self.keys.link, token)
        return Roles(look, frozenset() if player is None else frozenset([player]), False)

    def _by_cookie(self) -> Roles:
        mark, given = self.keys.mark, session.get("seats")
        seats = given if isinstance(given, dict) else {}
        mine = {p for p, m in seats.items() if same(str(m), mark(self.keys.seat(p)))}
        referee = same(str(session.get("referee", "")), mark(self.keys.pin))
        look = same(str(session.get("link", "")), mark(self.keys.link))
        return Roles(look or referee or bool(mine), frozenset(mine), referee)

    def join(self, token: str) -> bool:
        """Let this browser look, if it brings the link."""
        if not same(self.keys.link, token):
            return False
        session["link"] = self.keys.mark(token)
        return True

    def pair(self, token: str) -> str | None:
        """Let this browser act for the seat that the token pairs with; None if there is none."""
        player = self.keys.seat_of(token)
        if player is not None:
            seats = session.get("seats")
            mine = seats if isinstance(seats, dict) else {}
            session["seats"] = {**mine, player: self.keys.mark(token)}
            session["link"] = self.keys.mark(self.keys.link)
        return player

    def referee(self, pin: str) -> None:
        """Let this browser be the referee; raises Refused."""
        self.keys.try_pin(pin)
        session["referee"] = self.keys.mark(pin)
        session["csrf"] = secrets.token_urlsafe(16)

    def leave(self) -> None:
        """Forget what this browser was given."""
        session.clear()

    def csrf(self) -> str:
        """The token that this browser has to bring with every write."""
        session.permanent = True
        if not isinstance(session.get("csrf"), str):
            session["csrf"] = secrets.token_urlsafe(16)
        return str(session["csrf"])


class Cookies(SecureCookieSessionInterface):
    """Flask's signed cookies, kept from plain connections where this one is not plain."""

    def get_cookie_secure(self, app: Flask) -> bool:
        """True for a request that came encrypted."""
        return request.is_secure


def bearer(asked: Request) -> str | None:
    """The secret that a program sends, or None."""
    kind, _, token = asked.headers.get("Authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else None


def control(app: Flask, access: Access) -> None:
    """Let every request of `app` do only what its sender may."""
    app.secret_key = access.keys.secret
    app.session_interface = Cookies()
    app.config |= {
        "SESSION_COOKIE_NAME": f"companion-{access.keys.mark('cookie')[:8]}",
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "SESSION_REFRESH_EACH_REQUEST": False,
        "PERMANENT_SESSION_LIFETIME": DAYS * 24 * 3600,
    }
    app.extensions["access"] = access

    @app.before_request
    def check() -> Response | tuple[str, int] | None:
        endpoint = request.endpoint or ""
        if request.method not in SAFE:
            check_csrf(access)
        if endpoint in STRANGERS:
            return None
        roles = access.roles()
        if not roles.look:
            return show_the_door()
        if needs_referee(endpoint) and not roles.referee:
            return ask_for_the_pin()
        if request.method not in SAFE:
            check_role(roles, endpoint)
        return None


def needs_referee(endpoint: str) -> bool:
    """True for what only a referee may even read."""
    return endpoint in REFEREES or request.path.startswith(REFEREE_PAGES)


def check_csrf(access: Access) -> None:
    """A browser has to bring the token that only pages of this address can read."""
    if bearer(request) is not None:
        return  # no browser sends that by itself
    by_browser = "Origin" in request.headers or "Sec-Fetch-Site" in request.headers
    if not by_browser and request.endpoint not in FORMS and not request.cookies.get(cookie_name()):
        return
    known, sent = session.get("csrf"), request.headers.get("X-CSRF-Token", "")
    if request.endpoint in FORMS:
        sent = request.form.get("csrf", "")
    if not isinstance(known, str) or not same(known, sent):
        raise Refused(
            403, "bad_csrf_token", "Ask /api/v1/session for a token; send it as X-CSRF-Token."
        )


def cookie_name() -> str:
    """The name of this table's cookie."""
    return str(current_app.config["SESSION_COOKIE_NAME"])


def check_role(roles: Roles, endpoint: str) -> None:
    """Raise Refused unless these roles allow the write."""
    if roles.referee:
        return
    if endpoint in ANY_SEAT and roles.seats:
        return
    if endpoint not in SEATED:
        raise Refused(403, "needs_referee", "Only the referee may do that; enter the PIN first.")
    player, kind = who_and_what()
    if kind in CORRECTIONS or (kind == "undo" and player is None):
        raise Refused(403, "needs_referee", "Only the referee takes back, corrects and adjusts.")
    if not roles.may_act(player):
        raise Refused(403, "needs_pairing", "This screen is not paired with that seat.")


def who_and_what() -> tuple[object, object]:
    """For whom this request speaks, and which kind of action it brings."""
    try:
        body = msgspec.json.decode(request.get_data(cache=True))
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError, RecursionError):
        body = None
    fields: dict[str, Any] = body if isinstance(body, dict) else {}
    action = fields.get("action")
    kind = action.get("type") if isinstance(action, dict) else None
    player = (request.view_args or {}).get("player", fields.get("player"))
    return (player if isinstance(player, str) else None), kind


def show_the_door() -> tuple[str, int]:
    """Say how one may look; as a page to people, as JSON to programs."""
    if not wants_page():
        raise Refused(401, "needs_link", "Join with the table's link first: scan its QR code.")
    return render_template("door.html"), 401


def ask_for_the_pin() -> Response | tuple[str, int]:
    """Say how one becomes the referee."""
    if not wants_page():
        raise Refused(403, "needs_referee", "Only the referee may do that; enter the PIN first.")
    return render_template("pin.html"), 403


def wants_page() -> bool:
    """True where a browser opens a page."""
    best = request.accept_mimetypes.best_match(["application/json", "text/html"])
    return request.method == "GET" and best == "text/html"


def home(path: str = "/") -> Response:
    """Back to the table, or to a page of it."""
    response = redirect(path, 303)
    assert isinstance(response, Response)
    return response
