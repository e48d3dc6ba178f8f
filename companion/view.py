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
    """A row of `size` holes of which `value` are taken: how near the Troll is."""

    name: str
    label: str
    value: int
    size: int
    mood: str = "bad"


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


Component = Counter | DiceShown | Track | Grid | Pile


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
    """The whole table for a screen, and the name of what is being decided."""

    title: str
    heading: str
    zones: tuple[Zone, ...]
