"""The dashboard as a Flask app: one page, its news, and the taps that it sends."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from flask import Flask, Response, jsonify, request
from werkzeug.middleware.proxy_fix import ProxyFix

from companion.errors import IllegalAction
from web import asked
from web.access import Access, control
from web.api import act_on, serve_interface
from web.bodies import body_as
from web.desk import Answering, Desk, Turning
from web.drawing import STATIC, Brush
from web.evidence import show_evidence
from web.following import PLAIN, stream_of
from web.guard import guard
from web.history import Remembering, show_history
from web.house import House, manner_of
from web.i18n import LANGUAGES, current, speak_to_viewers
from web.keys import Keys
from web.metrics import Figures, show_health
from web.pairing import let_in
from web.referee_page import Reviewing, show_referee
from web.refusals import say_no
from web.seat_page import show_seats
from web.streams import Painter, Streams
from web.uploads import Clean, take_pictures
from web.webhooks import Webhooks, serve_webhooks

HERE = Path(__file__).resolve().parent


def create_app(
    desk: Desk,
    *,
    simulated: bool,
    title: str = "Companion",
    streams: Streams | None = None,
    hosts: Iterable[str] = (),
    evidence: Path | None = None,
    rolls: Path | None = None,
    access: Access | None = None,
    proxies: int = 0,
    figures: Figures | None = None,
    hooks: Webhooks | None = None,
    pictures: tuple[Path, Clean] | None = None,
) -> Flask:
    """Build the dashboard for one table.

    simulated  True where dice are thrown by a tap.
    streams    how many screens may follow at once; the server needs more threads than that.
    hosts      names under which it may be reached besides addresses and names of the house.
    evidence   folder of the pictures that questions show, or None.
    rolls      folder of the pictures that rolls were read from, or None.
    access     who may do what; without it whoever reaches the dashboard may do everything.
    proxies    how many proxies of the owner's stand before it, whose headers are believed.
    figures    what the table measures, for /metrics.
    hooks      webhooks of this table; None for none.
    pictures   folder for pictures that are sent in, and what decodes them; None takes none.
    """
    app = Flask(
        "web",
        root_path=str(HERE),
        instance_path=str(HERE / "instance"),
        static_url_path=f"/static/{version_of(STATIC)}",
    )
    app.json.sort_keys = False  # type: ignore[attr-defined]
    streams = streams or Streams()
    app.extensions |= {"streams": streams, "feed": desk.feed}
    brush = Brush(app, title=title, simulated=simulated, answering=isinstance(desk, Answering))
    access = access or Access(Keys(), lan=False)
    speak_to_viewers(app)
    guard(app, hosts)
    control(app, access)
    let_in(app, access, desk)
    show_health(app, desk, access, figures or Figures())
    serve_interface(app, desk, streams, access, simulated=simulated)
    if hooks is not None:
        serve_webhooks(app, hooks)
    if pictures is not None:
        take_pictures(app, *pictures)
    if proxies:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=proxies, x_proto=proxies, x_host=proxies
        )
    say_no(app, desk)
    show_the_table(app, desk, brush)
    show_the_news(app, desk, brush, streams)
    show_seats(app, desk, brush, access)
    if isinstance(desk, Reviewing):
        show_referee(app, desk, brush)
    if isinstance(desk, Remembering):
        show_history(app, desk, brush)
    take_taps(app, desk, simulated=simulated)
    show_evidence(app, evidence, rolls)
    return app


def version_of(folder: Path) -> str:
    """Tell from what its files hold which version of a folder this is: another one, other paths."""
    held = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            held.update(f"{path.relative_to(folder)}\n".encode() + path.read_bytes())
    return held.hexdigest()[:12]


def show_the_table(app: Flask, desk: Desk, brush: Brush) -> None:
    """Serve the page and what it is drawn from."""

    @app.get("/")
    def page() -> str | tuple[str, int]:
        last_id = desk.feed.last_id()
        try:
            snapshot = desk.snapshot()
        except IllegalAction as error:
            return brush.patience(error.message), 503
        manner = manner_of(desk)
        return brush.page(snapshot, last_id, quiet=manner is not None and bool(manner["quiet"]))

    @app.get("/board")
    def board() -> Response:
        snapshot = desk.snapshot()
        return jsonify({"html": brush.board(snapshot), "game": snapshot["game"]["key"]})

    @app.get("/snapshot")
    def snapshot() -> Response:
        return jsonify(desk.snapshot())


def show_the_news(app: Flask, desk: Desk, brush: Brush, streams: Streams) -> None:
    """Serve the stream of events, resumed after `Last-Event-ID` (or `?after=`)."""
    painter = Painter(brush.board)
    painted = {language: painter.form(language) for language in LANGUAGES}

    @app.get("/events")
    def events() -> Response:
        page = painted[current()] if request.args.get("as") == "page" else PLAIN
        return stream_of(desk.feed, streams, page)


def take_taps(app: Flask, desk: Desk, *, simulated: bool) -> None:
    """Take what people tap to the desk; every tap says which step its screen showed."""

    def check(step: int) -> None:
        if isinstance(desk, House):
            desk.check_step(step)

    @app.post("/actions")
    def act() -> Response:
        now_s = desk.now_s()
        return jsonify(act_on(desk, body_as(asked.Act), now_s))

    @app.post("/throw")
    def throw() -> Response:
        wish = body_as(asked.Throw)
        if not simulated:
            raise IllegalAction("not_simulated", "These dice are real: roll them on the table.")
        return jsonify(desk.throw(wish.player, wish.dice, step=wish.step))

    @app.post("/turns")
    def turn() -> Response:
        wish = body_as(asked.Turn)
        if not simulated or not isinstance(desk, Turning):
            raise IllegalAction("not_simulated", "These tiles are real: turn them up by hand.")
        return jsonify(desk.turn_up(wish.player, wish.square, step=wish.step))

    @app.post("/seats/<player>")
    def seat(player: str) -> Response:
        wish = body_as(asked.Sit)
        check(wish.step)
        return jsonify((desk.take_seat if wish.person else desk.leave_seat)(player))

    @app.post("/games")
    def another_game() -> Response:
        check(body_as(asked.Answers).step)
        return jsonify(desk.new_game())

    @app.post("/answers")
    def answer_question() -> Response:
        said = body_as(asked.AnswerGiven)
        if not isinstance(desk, Answering):
            raise IllegalAction("not_offered", "Enter the whole roll instead.")
        check(said.step)
        return jsonify(desk.answer(said.question, said.face))
