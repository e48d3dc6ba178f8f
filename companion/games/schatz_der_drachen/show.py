"""What the screens show of Schatz der Drachen: the square as it lies, and everybody's pile."""

from typing import TYPE_CHECKING

from companion.games.schatz_der_drachen import words
from companion.view import Cell, Component, Counter, Grid, Pile, Track, View, Zone
from companion.words import say, word

if TYPE_CHECKING:
    from companion.games.schatz_der_drachen.pieces import TreasureTable


def show(table: "TreasureTable") -> View:
    """Lay out the whole table; nothing here depends on what lies face down."""
    heading = words.PHASES[table.phase]
    if table.phase == "reveal" and table.only_spiders_down:
        heading = words.ONLY_SPIDERS_LEFT.title
    piles = (pile(table, seat) for seat in table.seats)
    zones = (square(table), *help_with(table), *piles)
    return View("Schatz der Drachen", heading, zones, reminders(table))


def reminders(table: "TreasureTable") -> tuple[str, ...]:
    """What has to be covered: at once for a second tile, after a while for those of a turn."""
    if table.at_once in table.to_cover:
        return (say("One at a time! Please cover ({square}).", square=table.at_once),)
    if table.to_cover and table.cover_by_s is None:
        squares = words.in_words(table.squares, table.to_cover)
        return (say("Please cover {squares}.", squares=squares),)
    return ()


def square(table: "TreasureTable") -> Zone:
    """Backs, faces that are up, and gaps, as they lie on the table."""
    cells = tuple(cell(table, name) for name in table.squares)
    parts = (
        Grid("square", "The square", table.columns, cells),
        Counter("tiles.left", table.label("tiles.left"), table.tiles_left, "tile", False),
    )
    return Zone("square", "The square", parts, lit=table.phase != "over")


def cell(table: "TreasureTable", name: str) -> Cell:
    """One square: what lies there for everybody to see."""
    face = table.up.get(name)
    if face is not None:
        status = "kept" if name in table.kept else "up"
        return Cell(
            name, status, say("({square}): {what}", square=name, what=word(words.KINDS[face])), face
        )
    if table.tiles[name] is None:
        return Cell(name, "gap", say("({square}): gap", square=name))
    if name in table.to_cover:
        return Cell(name, "cover", say("({square}): please cover", square=name))
    return Cell(name, "back", say("({square}): face down", square=name))


def help_with(table: "TreasureTable") -> tuple[Zone, ...]:
    """The help that was agreed on: which sets are possible, and how many tiles are left."""
    level = table.options.assist_level
    if level == "none":
        return ()
    parts: tuple[Component, ...] = sets(table)
    if level == "full":
        left = {f"left.{kind}": (table.left(kind), kind) for kind in words.KINDS}
        counters = [
            Counter(name, table.label(name), n, icon, False) for name, (n, icon) in left.items()
        ]
        parts = (*parts, Pile("left", "Still in the square", tuple(counters)))
    return (Zone("help", "Sets", parts),) if parts else ()


def sets(table: "TreasureTable") -> tuple[Track, ...]:
    """How far the sets are that lie face up."""
    tracks = []
    for kind, size in table.sets.items():
        n = len(table.up_of(kind))
        if n:
            holes = -(-n // size) * size
            what, ready = word(words.PLURALS[kind]), n // size * size
            label = say("{what}: {ready} to take", what=what, ready=ready)
            tracks.append(Track(f"sets.{kind}", label, n, holes, "good"))
    return tuple(tracks)


def pile(table: "TreasureTable", seat: str) -> Zone:
    """What one player has collected."""
    counters = tuple(
        Counter(name, table.label(name), n, kind)
        for kind, n in table.piles[seat].items()
        for name in [f"pile.{seat}.{kind}"]
    )
    stack = Pile(f"pile.{seat}", "Pile", counters, table.total(seat))
    return Zone(f"pile.{seat}", table.names[seat], (stack,), seat, lit=seat == table.active)
