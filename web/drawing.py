"""Drawing a snapshot: shapes, colours and symbols that the templates ask for.

The page's policy forbids styles in the markup, so what depends on the game is drawn as SVG
attributes and what depends on taste as classes.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from math import isqrt
from pathlib import Path
from typing import Any, NamedTuple

from flask import Flask, render_template
from markupsafe import Markup

from companion.words import face_word
from web.hands import fitting, groups, is_button, is_long, key_of, label, turning, why_not
from web.i18n import WRITTEN, Fraction, current, gettext, translate
from web.telling import in_language, in_words

TEMPLATES = Path(__file__).parent / "templates"
STATIC = Path(__file__).parent / "static"

MOST_PIECES = 100  # drawn in one heap; beyond that only the number grows
PIECE = 10  # width of one piece in a heap's own units
APART = 7.6  # from one piece to the next in a row: they touch and overlap
ROW = 4.8  # how much higher the next row lies: pieces sink into each other
SHADES = {"light": "#f4f1e8", "ink": "#20160d", "paper": "#fff6e0"}


class Heap(NamedTuple):
    """Where the pieces of a heap lie, in the units of its `box` (an SVG viewBox)."""

    box: str
    pieces: tuple[tuple[float, float], ...]


@lru_cache(maxsize=256)
def heap(count: int, least: int = 4) -> Heap:
    """Pile up `count` pieces; each keeps its place when others come or go.

    least  pieces for which the box has room at least, so that small heaps look small.
    """
    count = max(0, min(count, MOST_PIECES))
    steps = isqrt(max(count, least, 1) - 1) + 1
    width, height = PIECE + (2 * steps - 2) * APART, PIECE + (steps - 1) * ROW
    places = sorted(
        ((abs(column) + row, row, column) for row in range(steps) for column in _row(steps, row)),
    )
    pieces = tuple(
        (
            round(width / 2 + column * APART - PIECE / 2 + _jitter(row, column), 1),
            round(height - PIECE - row * ROW, 1),
        )
        for _, row, column in places[:count]
    )
    return Heap(f"-2 -3 {width + 4} {round(height + 4, 1)}", pieces)


def _row(steps: int, row: int) -> range:
    return range(row + 1 - steps, steps - row)


def _jitter(row: int, column: int) -> float:
    return ((row * 7 + column * 13) % 5 - 2) * 0.7


def colour(text: object, otherwise: str = SHADES["light"]) -> str:
    """`text` where it is a colour as `#rrggbb`, else another one."""
    fits = isinstance(text, str) and re.fullmatch(r"#[0-9a-fA-F]{6}", text)
    return str(text) if fits else otherwise


def luminance(shade: str) -> float:
    """Relative luminance of `#rrggbb`, 0 to 1, as WCAG 2 defines it."""
    parts = [int(shade[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ink(body: object) -> str:
    """The colour that is readable on a die of this colour."""
    light = luminance(colour(body))
    dark_contrast = (light + 0.05) / (luminance(SHADES["ink"]) + 0.05)
    paper_contrast = (luminance(SHADES["paper"]) + 0.05) / (light + 0.05)
    return SHADES["ink"] if dark_contrast >= paper_contrast else SHADES["paper"]


class Art:
    """Which symbols are drawn: the common ones, and those of each game that brings its own."""

    def __init__(self, templates: Path = TEMPLATES, static: Path = STATIC) -> None:
        self.common = _symbols(templates / "symbols.svg")
        self.games = {path.stem: _symbols(path) for path in (templates / "games").glob("*.svg")}
        self.styles = {path.stem for path in (static / "games").glob("*.css")}

    def symbol(self, game: str, *wanted: str) -> str | None:
        """The id of the first symbol that is drawn for this game, or None: then write text."""
        for name in wanted:
            if name in self.games.get(game, ()):
                return f"{game}-{name}"
            if name in self.common:
                return name
        return None


def _symbols(path: Path) -> frozenset[str]:
    ids = re.findall(r'<symbol id="([^"]+)"', path.read_text("utf-8"))
    prefix = "" if path.name == "symbols.svg" else f"{path.stem}-"
    return frozenset(name.removeprefix(prefix) for name in ids)


class Drawing:
    """A snapshot with what the templates have to work out of it."""

    def __init__(self, snapshot: dict[str, Any], art: Art) -> None:
        self.snapshot = snapshot
        self.art = art
        self.game = str(snapshot["game"]["key"])
        self._number = snapshot["game"].get("number", 0)
        self.players = snapshot["players"]
        common = [zone for zone in snapshot["view"]["zones"] if zone.get("owner") is None]
        self.stages = [zone for zone in common if is_stage(zone)]
        self.sides = [zone for zone in common if not is_stage(zone)]
        self.offers = [offer for offer in snapshot["offers"] if offer.get("player")]
        self.dice = {die["name"]: die for die in self._dice()}
        self.takes = fitting(self.offers)
        self.turning = turning(self.offers)
        self.asked = {ask.get("square") for ask in snapshot.get("asks") or ()}
        self.rollable = self._rollable()
        self.tumbling = self._tumbling()

    def symbol(self, *wanted: str) -> str | None:
        """The id of the first symbol that this game has, or None."""
        return self.art.symbol(self.game, *wanted)

    def named(self, player: str | None) -> str:
        """What people call a player."""
        return next((p["name"] for p in self.players if p["key"] == player), player or "")

    @property
    def winners(self) -> str:
        """Who has won, in words."""
        first, *others = [self.named(key) for key in self.snapshot["outcome"]["winners"]][::-1]
        before = ", ".join(others[::-1])
        return gettext("{first} and {rest}", first=before, rest=first) if others else first

    def seat(self, player: str) -> str:
        """The class that gives a player their colour: the chosen one, or that of the place."""
        place, row = next((n, p) for n, p in enumerate(self.players) if p["key"] == player)
        chosen = row.get("colour")
        return f"seat-{(place if chosen is None else chosen) % 6}"

    def ranking(self) -> list[dict[str, Any]]:
        """The players with their final scores, best first."""
        scores = (self.snapshot["outcome"] or {}).get("scores", {})
        players = [{**p, "score": scores.get(p["key"], p["score"])} for p in self.players]
        return sorted(players, key=lambda p: -(p["score"] or 0))

    def owned(self, player: str) -> list[dict[str, Any]]:
        """The zones that belong to a player."""
        return [zone for zone in self.snapshot["view"]["zones"] if zone.get("owner") == player]

    def hands(self) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
        """Every player with the offers that are theirs: what can be done first."""
        return [(player, self._hand(player["key"])) for player in self.players]

    def _hand(self, player: str) -> list[dict[str, Any]]:
        mine = [offer for offer in self.offers if offer["player"] == player]
        rolls = [set(o["dice"]) for o in mine if o["type"] == "roll" and not o.get("closed")]
        shown = [o for o in mine if not (is_closed_roll(o) and set(o["dice"]) in rolls)]
        return sorted(shown, key=rank)

    def takes_of(self, part: dict[str, Any]) -> list[str]:
        """The faces that may be placed on a row of dice or a card now, on any of its spaces."""
        places = [part["name"], *(die["name"] for die in part["dice"])]
        return sorted({face for place in places for face in self.takes.get(place, ())})

    @property
    def is_race(self) -> bool:
        """True while several players may act at once."""
        return len({offer["player"] for offer in self.offers if not offer.get("closed")}) > 1

    @property
    def awaited(self) -> list[tuple[str, str]]:
        """Whom the table waits for, and for what, in words."""
        by_name: dict[str, list[str]] = {}
        for offer in self.offers:
            if not offer.get("closed"):
                by_name.setdefault(self.named(offer["player"]), []).append(label(offer))
        return [(name, " · ".join(dict.fromkeys(words))) for name, words in by_name.items()]

    @property
    def tales(self) -> list[tuple[str, dict[str, Any]]]:
        """What was told, newest first, each with a key that stays its own."""
        spoken: dict[Any, int] = {}
        keyed = []
        for told in self.snapshot["told"]:
            spoken[told["step"]] = spoken.get(told["step"], 0) + 1
            keyed.append((f"tale-{self._number}-{told['step']}-{spoken[told['step']]}", told))
        return keyed[::-1]

    def _dice(self) -> Iterable[dict[str, Any]]:
        for zone in self.snapshot["view"]["zones"]:
            for component in zone["components"]:
                if component["type"] in ("dice", "card"):
                    yield from component["dice"]

    def _tumbling(self) -> frozenset[str]:
        """Dice on the move: named by a zone, a row of dice or a die, else all that are awaited."""
        moving = set(self.snapshot.get("moving", ()))
        named = {name for name in self.dice if name in moving}
        for zone in self.snapshot["view"]["zones"]:
            for row in zone["components"]:
                if row["type"] == "dice" and moving & {zone["name"], row["name"]}:
                    named |= {die["name"] for die in row["dice"]}
        return frozenset(named or (self.rollable if moving else ()))

    def _rollable(self) -> frozenset[str]:
        """The dice that somebody may roll now."""
        rolls = (o for o in self.offers if o["type"] == "roll" and not o.get("closed"))
        return frozenset(die for offer in rolls for die in offer["dice"])


def is_stage(zone: dict[str, Any]) -> bool:
    """True for a zone where things happen: with dice or squares, not with counts alone."""
    return any(component["type"] in ("dice", "grid") for component in zone["components"])


def is_closed_roll(offer: dict[str, Any]) -> bool:
    """True for dice that cannot be rolled now, with the reason."""
    return offer["type"] == "roll" and bool(offer.get("closed"))


def rank(offer: dict[str, Any]) -> tuple[bool, int]:
    """Where an offer lies in a hand: rolls first, then decisions, what is closed last."""
    order = {"roll": 0, "flip": 1, "choose": 2}.get(offer["type"], 3)
    if offer.get("closed") and not offer.get("button"):
        return True, order
    return False, order + 3 * bool(offer.get("button"))


def plain(text: object) -> str:
    """A name as the rules write it (`set_aside`), as people read it; of a die (`white-1`) too."""
    name = str(face_word(str(text)))
    kind, dash, number = name.rpartition("-")
    return f"{translate(kind)}-{number}" if dash and number.isdigit() else translate(name)


def written(number: float, how: str) -> str:
    """A number in a format such as `.1f`, as the language of the viewer writes it."""
    return format(Fraction(number), how)


def typed(number: str) -> str:
    """A number as it stands in a field, as the language of the viewer writes it."""
    return number if current() == WRITTEN else number.replace(".", ",")


def whose(name: str) -> Markup:
    """A player's name, set off in a sentence."""
    return Markup('<span class="whose">{}</span>').format(name)


def code(text: str) -> Markup:
    """What one types, set off in a sentence."""
    return Markup("<code>{}</code>").format(text)


class Brush:
    """Draws snapshots with the templates of one app; safe from any thread."""

    def __init__(self, app: Flask, *, title: str, simulated: bool, answering: bool) -> None:
        self._app = app
        self.art = Art()
        env = app.jinja_env
        env.trim_blocks = env.lstrip_blocks = True
        env.filters.update(colour=colour, ink=ink, plain=plain, code=code, in_words=in_words)
        env.filters.update(written=written, typed=typed)
        env.globals.update(
            heap=heap,
            label=label,
            key_of=key_of,
            groups=groups,
            is_button=is_button,
            is_long=is_long,
            why_not=why_not,
            whose=whose,
            title=title,
            simulated=simulated,
            answering=answering,
        )

    def board(self, snapshot: dict[str, Any]) -> str:
        """What changes with the table, as HTML."""
        return self._render("board.html", snapshot)

    def page(self, snapshot: dict[str, Any], last_id: str, *, quiet: bool = False) -> str:
        """The whole page; `last_id` is the message of the feed that it is as new as.

        quiet  True where it is not to say anything aloud.
        """
        return self._render("page.html", snapshot, last_id=last_id, quiet=quiet)

    def draw(self, template: str, snapshot: dict[str, Any], **more: Any) -> str:
        """Another page about a snapshot; `more` is what else its template asks for."""
        return self._render(template, snapshot, **more)

    def patience(self, why: str) -> str:
        """A page that asks again by itself, while there is no table to show."""
        with self._app.app_context():
            return render_template("patience.html", why=in_words(why))

    def _render(self, template: str, snapshot: dict[str, Any], **more: Any) -> str:
        with self._app.app_context():
            told = in_language(snapshot)
            drawing = Drawing(told, self.art)
            return render_template(template, s=told, d=drawing, art=self.art, **more)
