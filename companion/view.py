"""What a screen shows, whatever the game: components, grouped in zones.

A screen draws these and knows no rules; a game describes itself with these and knows no screen.
"""

import msgspec


class Counter(msgspec.Struct, frozen=True, tag="counter", tag_field="type"):
    """A number with a name. `icon` names a symbol that the screens draw (`diamond`, `gold`)."""

    name: str
    label: str
    value: int
    icon: str = ""
    adjustable: bool = True


class DieShown(msgspec.Struct, frozen=True, tag="die", tag_field="type"):
    """A die as it lies there.

    face    None while it shows nothing that counts.
    status  `free`, `blocked`, `aside`, `awake` or another word of the game, for style and label.
    label   what a person would say about it ("Key, set aside").
    """

    name: str
    kind: str
    face: str | None
    status: str
    label: str
    colour: str = "#f4f1e8"


class DiceShown(msgspec.Struct, frozen=True, tag="dice", tag_field="type"):
    """A row of dice."""

    name: str
    label: str
    dice: tuple[DieShown, ...]


class Track(msgspec.Struct, frozen=True, tag="track", tag_field="type"):
    """A row of `size` holes of which `value` are taken: how near the Troll is.

    pawn    a symbol that moves along the track, from a hole before the first; none for holes that
            are filled one by one.
    beyond  holes after the last that were there before, and are lost for this game.
    """

    name: str
    label: str
    value: int
    size: int
    mood: str = "bad"
    pawn: str = ""
    beyond: int = 0


class Card(msgspec.Struct, frozen=True, tag="card", tag_field="type"):
    """A card that lies there: an enemy with its rank, and the dice on it.

    mark    what stands in its corner (`2`), or nothing.
    text    what a person would say about it, below its label.
    icon    names a symbol that the screens draw.
    value   how much of `size` has been reached against it; 0 of 0 for a card without such a count.
    """

    name: str
    label: str
    mark: str = ""
    text: str = ""
    icon: str = ""
    dice: tuple[DieShown, ...] = ()
    value: int = 0
    size: int = 0


class Cell(msgspec.Struct, frozen=True):
    """One square of a grid: what lies there, and how it lies (`back`, `up`, `gap` ...)."""

    name: str
    status: str
    label: str
    face: str | None = None


class Grid(msgspec.Struct, frozen=True, tag="grid", tag_field="type"):
    """Squares in rows and columns, row by row."""

    name: str
    label: str
    columns: int
    cells: tuple[Cell, ...]


class Pile(msgspec.Struct, frozen=True, tag="pile", tag_field="type"):
    """A stack of things of which only the number matters, and its worth where it has one."""

    name: str
    label: str
    counters: tuple[Counter, ...]
    worth: int | None = None


Component = Counter | DiceShown | Track | Card | Grid | Pile


class Zone(msgspec.Struct, frozen=True):
    """A part of the table: the grotto, the cavern, somebody's pack.

    owner  key of the player whose it is, or None.
    lit    True for the part where something is awaited.
    """

    name: str
    label: str
    components: tuple[Component, ...]
    owner: str | None = None
    lit: bool = False


class View(msgspec.Struct, frozen=True):
    """The whole table for a screen, and the name of what is being decided.

    notices  sentences that stay there for as long as they hold ("Please cover (2,3).").
    """

    title: str
    heading: str
    zones: tuple[Zone, ...]
    notices: tuple[str, ...] = ()
