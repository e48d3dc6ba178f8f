"""The pieces of Schatz der Drachen: options, tiles, and the table on which they lie.

A tile is named after the square where it was laid at the start, and keeps this name wherever it
goes. What the referee has seen of a tile it remembers under that name, so a spider that moves takes
what is known of it along. The layout itself is unknown: nobody has looked under the tiles.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Annotated, Any, Literal

import msgspec

from companion.actions import Chose, Correct, Entry, Flipped
from companion.dice import DiceSet
from companion.errors import ConfigError, IllegalAction
from companion.games.schatz_der_drachen import words
from companion.games.schatz_der_drachen.show import show
from companion.table import Player, Table, not_adjustable
from companion.view import View
from companion.words import listed, mark, say, word

PACK: Mapping[str, Any] = tomllib.loads(files(__package__).joinpath("pack.toml").read_text())
KINDS = tuple(words.KINDS)
SETS: Mapping[str, int] = PACK["sets"]
GUARD: str = PACK["clash"]["guard"]
TREASURES: tuple[str, ...] = tuple(PACK["clash"]["treasures"])
SPIDER = "spider"

Seconds = Annotated[float, msgspec.Meta(ge=0, le=3600)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The house rules of Schatz der Drachen.

    square         the whole square, or the short game with 36 tiles.
    assist_level   show nothing, the sets that are possible with what lies face up, or also how
                   many tiles of each kind are left (never where).
    surplus        which tile of an incomplete set stays: the player chooses, or the latest does.
    may_decline    complete sets may be left lying.
    allow_pass     a turn may end without a tile being turned up.
    spider_goes    to a gap in the square, in exchange for any covered tile too, or nowhere.
    spider_mover   who says where: the player whose turn it is, or everybody by vote.
    close_eyes     the others close their eyes while it moves.
    dragons_chase  a dragon that guarded its treasure may be moved like a spider.
    two_at_once    of two tiles turned up at once the second is covered, or the turn is lost.
    apart_s        tiles turned up so close together count as turned up at once; 0 is never.
    tiebreak       a tie is shared, or goes to more dragons, or to more chests.
    turn_s         seconds of the sand timer for a turn; 0 is none.
    reminder_s     remind of tiles that are not covered after so long; 0 is never.
    first_player   key of who begins; empty for the player named first.
    memory         how well simulated people remember, from 0 (nothing) to 1 (everything).
    """

    square: Literal["7x7", "6x6"] = "7x7"
    assist_level: Literal["none", "sets", "full"] = "none"
    surplus: Literal["choose", "latest_stays"] = "choose"
    may_decline: bool = False
    allow_pass: bool = False
    spider_goes: Literal["gap", "swap", "nowhere"] = "gap"
    spider_mover: Literal["active", "vote"] = "active"
    close_eyes: bool = False
    dragons_chase: bool = False
    two_at_once: Literal["cover", "lose_turn"] = "cover"
    apart_s: Annotated[float, msgspec.Meta(ge=0, le=5)] = 0.2
    tiebreak: Literal["shared", "dragons", "chests"] = "shared"
    turn_s: Seconds = 0.0
    reminder_s: Seconds = 5.0
    first_player: str = ""
    memory: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.6


@dataclass
class TreasureTable(Table):
    """The table of Schatz der Drachen.

    tiles       name of the tile on each square; None is a gap.
    up          what lies face up, by square, in the order in which it was turned up.
    turned_in   the step in which the tile on a square was last turned up.
    remembered  face of every tile that has been seen, by its name. Hidden while the game runs.
    latest      tile and face that were turned up last, which everybody has just seen.
    kept        surplus tiles of this turn that stay, as chosen so far.
    declined    complete sets of each kind that are left lying in this turn.
    votes       who wants the spider where.
    to_cover    squares that people have yet to cover; only where there is a clock.
    at_once     the square of a tile that was turned up together with another, until it is covered.
    """

    options: Options = field(default_factory=Options)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.box: Mapping[str, int] = PACK["tiles"][self.options.square]
        self.faces = tuple(kind for kind in KINDS if self.box[kind])
        self.sets = SETS
        self.columns: int = PACK["square"][self.options.square]
        rows = range(self.columns)
        self.squares = tuple(f"{row},{column}" for row in rows for column in rows)
        self.tiles: dict[str, str | None] = {square: square for square in self.squares}
        self.piles = {seat: dict.fromkeys(KINDS, 0) for seat in self.seats}
        self.up: dict[str, str] = {}
        self.turned_in: dict[str, int] = {}
        self.remembered: dict[str, str] = {}
        self.latest: tuple[int, str, str] | None = None
        self.kept: list[str] = []
        self.declined: dict[str, int] = {}
        self.votes: dict[str, str] = {}
        self.to_cover: tuple[str, ...] = ()
        self.at_once = ""
        self.cover_by_s: float | None = None
        self.flipped_s: float | None = None
        self.began_s: float | None = None
        self.turn_ends_s: float | None = None
        self.advised = False
        self.phase = "reveal"

    # --- what lies where --------------------------------------------------------------------------

    @property
    def gaps(self) -> tuple[str, ...]:
        """Squares without a tile."""
        return tuple([square for square, tile in self.tiles.items() if tile is None])

    @property
    def backs(self) -> tuple[str, ...]:
        """Squares with a tile that lies face down."""
        up = self.up
        return tuple([s for s, tile in self.tiles.items() if tile is not None and s not in up])

    @property
    def flippable(self) -> tuple[str, ...]:
        """Where a tile may be turned up; a gap too, when tiles were put back nobody knows where."""
        lying = len(self.squares) - len(self.gaps)
        if self.tiles_left <= lying:
            return self.backs
        return tuple([square for square in self.squares if square not in self.up])

    def up_of(self, kind: str) -> list[str]:
        """Squares where this kind lies face up, in the order in which it was turned up."""
        return [square for square, face in self.up.items() if face == kind]

    def collected(self, kind: str) -> int:
        """Tiles of a kind in all piles together."""
        return sum(pile[kind] for pile in self.piles.values())

    def left(self, kind: str) -> int:
        """Tiles of a kind that are still in the square, face up or down, as the piles tell."""
        return max(0, self.box[kind] - self.collected(kind))

    @property
    def tiles_left(self) -> int:
        """Tiles in the square, as the piles tell."""
        return sum(self.left(kind) for kind in KINDS)

    @property
    def only_spiders_left(self) -> bool:
        """True when everything but the spiders has been collected."""
        return not any(self.left(kind) for kind in SETS)

    @property
    def only_spiders_down(self) -> bool:
        """True when everything but the spiders lies face up or has been collected."""
        return all(self.left(kind) <= len(self.up_of(kind)) for kind in SETS)

    def total(self, seat: str) -> int:
        """Height of a player's pile."""
        return sum(self.piles[seat].values())

    # --- what happens to tiles --------------------------------------------------------------------

    def see(self, square: str, face: str) -> None:
        """A tile has been seen, and everybody may remember it."""
        tile = self.tiles[square] = self.tile_on(square)
        self.remembered[tile] = face
        self.turned_in[square] = self.step
        self.latest = (self.step, tile, face)

    def tile_on(self, square: str) -> str:
        """Name of the tile on a square; in a gap, of the one that would have been put back there.

        Nobody knows which of the collected tiles lies in a gap again; its own, if that is away.
        """
        tile = self.tiles[square]
        if tile is not None:
            return tile
        lying = set(self.tiles.values())
        return next(one for one in (square, *self.squares) if one not in lying)

    def turn_up(self, square: str, face: str) -> None:
        """A tile lies face up at its place."""
        self.see(square, face)
        self.up[square] = face

    def cover(self, squares: Iterable[str]) -> None:
        """Tiles lie face down again; people are given some time to do it."""
        covered = list(squares)
        for square in covered:
            self.up.pop(square, None)
        if self.at_s is not None and covered and self.options.reminder_s:
            self.to_cover = (*self.to_cover, *covered)
            self.cover_by_s = round(self.at_s + self.options.reminder_s, 6)

    def all_is_covered(self) -> None:
        """Nobody has to cover anything any more."""
        self.to_cover, self.cover_by_s, self.at_once = (), None, ""

    def take(self, seat: str, square: str) -> None:
        """A tile goes from the square to somebody's pile and leaves a gap."""
        self.piles[seat][self.up.pop(square)] += 1
        self.remembered.pop(self.tiles[square] or "", None)
        self.turned_in.pop(square, None)
        self.tiles[square] = None

    def move(self, square: str, to: str) -> None:
        """A tile changes places with a gap, or with another tile."""
        self.tiles[square], self.tiles[to] = self.tiles[to], self.tiles[square]
        for place in (square, to):
            if self.tiles[place] is None:
                self.turned_in.pop(place, None)

    # --- audit ------------------------------------------------------------------------------------

    def objects(self, action: Entry, offered: bool) -> IllegalAction | None:
        """Refuse squares and faces that are not in this game, and tiles that have changed."""
        if not isinstance(action, Flipped):
            return None
        if action.square not in self.tiles:
            return IllegalAction(
                "unknown_square",
                say("There is no square {square} here.", square=repr(action.square)),
            )
        if action.face not in self.faces:
            faces = listed([word(words.KINDS[face]) for face in self.faces])
            not_so = say("Tiles show {faces}, not {face}.", faces=faces, face=repr(action.face))
            return IllegalAction("unknown_face", not_so)
        seen = self.remembered.get(self.tiles[action.square] or "")
        return self.tile_changed(action) if offered and seen not in (None, action.face) else None

    def tile_changed(self, action: Flipped) -> IllegalAction:
        """The refusal for a tile that looked different before; it does not tell how.

        All other faces are named, whichever it was, and the earlier step is that of this square.
        """
        square, step = action.square, self.turned_in.get(action.square)
        remedies: list[Entry] = [
            Flipped(square, face) for face in self.faces if face != action.face
        ]
        if step is not None:
            remedies.append(Correct(step, action))
        remedies.append(Chose(self.active, "swapped"))
        return IllegalAction(
            "tile_changed",
            say(
                "The tile at ({square}) has shown another face before. Look again; "
                "or it was misread then, or tiles have been swapped.",
                square=square,
            ),
            square=square,
            remedies=[msgspec.to_builtins(entry) for entry in remedies],
        )

    def count_again(self, kind: str) -> None:
        """Tell it when more tiles of a kind have been seen than the box holds."""
        n = self.collected(kind) + len(self.up_of(kind)) - self.box[kind]
        if n > 0:
            self.tell(
                words.AUDIT,
                "Count again: {kind}, {n} more than the box holds.",
                kind=word(words.PLURALS[kind]),
                n=n,
            )

    # --- counters ---------------------------------------------------------------------------------

    @property
    def counters(self) -> dict[str, int]:
        """Tiles in the square, in the piles and face up; at full assistance, what is left."""
        counts = {"tiles.left": self.tiles_left}
        for seat, pile in self.piles.items():
            for kind, n in pile.items():
                counts[f"pile.{seat}.{kind}"] = n
            counts[f"pile.{seat}.total"] = sum(pile.values())
        faces = list(self.up.values())
        counts.update((f"up.{kind}", faces.count(kind)) for kind in KINDS)
        if self.options.assist_level == "full":
            counts.update((f"left.{kind}", self.left(kind)) for kind in KINDS)
        return counts

    @property
    def scores(self) -> dict[str, int]:
        """The height of everybody's pile."""
        return {seat: self.total(seat) for seat in self.seats}

    def adjust(self, counter: str, value: int) -> None:
        """Move tiles between a pile and the square; everything else follows from the piles."""
        match counter.split("."):
            case ["pile", seat, kind] if kind in KINDS:
                self.piles[seat][kind] = value
                self.count_again(kind)
            case _:
                raise not_adjustable(counter)

    def label(self, counter: str) -> str:
        """What people call this count."""
        match counter.split("."):
            case ["pile", seat, kind]:
                what = word(words.IN_A_PILE[kind])
                return say("{player}: {what}", player=self.names[seat], what=what)
            case ["up", kind]:
                return say("{what} face up", what=word(words.PLURALS[kind]))
            case ["left", kind]:
                return say("{what} in the square", what=word(words.PLURALS[kind]))
        return mark("Tiles in the square")

    def view(self) -> View:
        """The table as a screen shows it."""
        return show(self)


def setup(players: tuple[Player, ...], options: Options) -> TreasureTable:
    """Lay all tiles face down in a square; the youngest begins (rule book: preparation)."""
    table = TreasureTable(players, DiceSet({}), options=options)
    if options.first_player:
        if options.first_player not in table.seats:
            raise ConfigError(
                say(
                    "first_player: expected one of {seats}, got {first_player!r}",
                    seats=", ".join(table.seats),
                    first_player=options.first_player,
                )
            )
        table.active = options.first_player
    return table
