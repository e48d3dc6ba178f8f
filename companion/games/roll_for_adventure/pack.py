"""The data pack: what was printed on boards and cards, checked when it is read."""

import itertools
import re
import tomllib
from collections.abc import Mapping
from functools import cached_property
from importlib.resources import files
from typing import Annotated, Any, Literal

import msgspec

from companion.errors import ConfigError
from companion.field_words import reason
from companion.words import say

SHIPPED: Mapping[str, Any] = tomllib.loads(files(__package__).joinpath("pack.toml").read_text())
TERRITORIES = ("desert", "fortress", "forest", "ice")
FACES = ("1", "2", "3", "4", "5", "6")
EFFECT = re.compile(
    r"territory\((desert|fortress|forest|ice)\)|dragon\(([1-6])\)|phantom|giant", re.ASCII
)

Rank = Annotated[int, msgspec.Meta(ge=1, le=3)]
Face = Literal["1", "2", "3", "4", "5", "6"]
PipValue = Annotated[int, msgspec.Meta(ge=1, le=6)]
Holes = Annotated[int, msgspec.Meta(ge=1, le=30)]
Few = Annotated[int, msgspec.Meta(ge=0, le=6)]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the pack that knows all of its names."""


class DesertB(Part, frozen=True, dict=True):
    """Five chains, each over some of the spaces."""

    lines: tuple[tuple[Annotated[int, msgspec.Meta(ge=0, le=29)], ...], ...]

    def __post_init__(self) -> None:
        if len(self.lines) != 5:
            raise ValueError(f"desert_b.lines: expected five lines, got {len(self.lines)}")
        for line in self.lines:
            if not 2 <= len(line) <= 4 or len(set(line)) < len(line):
                raise ValueError(
                    f"desert_b.lines: expected two to four different spaces, got {list(line)}"
                )
        if self.used != set(range(len(self.used))):
            raise ValueError("desert_b.lines: expected spaces numbered from 0 without a gap")

    @property
    def used(self) -> set[int]:
        """The numbers of all spaces."""
        return {space for line in self.lines for space in line}

    @cached_property
    def places(self) -> tuple[str, ...]:
        """Names of all spaces, in order."""
        return tuple(f"desert-b-{space}" for space in range(len(self.used)))


class ForestB(Part, frozen=True):
    """An arch of spaces, and the value at each gap between two of them."""

    spaces: Annotated[int, msgspec.Meta(ge=2, le=30)]
    gap_values: tuple[PipValue, ...]

    def __post_init__(self) -> None:
        if len(self.gap_values) != self.spaces - 1:
            raise ValueError(
                f"forest_b.gap_values: expected one for each of the {self.spaces - 1} gaps "
                f"between {self.spaces} spaces, got {len(self.gap_values)}"
            )


Reward = Literal["bonus_dice", "defeat_enemy", "free_die", "skull_back_1", "skull_back_2"]


class IceLine(Part, frozen=True):
    """A straight line of cells, and what it is worth."""

    name: Annotated[str, msgspec.Meta(pattern="^[a-z0-9-]+$")]
    cells: tuple[str, ...]
    reward: Reward


class IceB(Part, frozen=True, dict=True):
    """A grid of cells, and the lines in it."""

    columns: Annotated[int, msgspec.Meta(ge=1, le=6)]
    rows: Annotated[int, msgspec.Meta(ge=1, le=6)]
    lines: tuple[IceLine, ...]

    def __post_init__(self) -> None:
        known = set(self.cells)
        for line in self.lines:
            strange = [cell for cell in line.cells if cell not in known]
            if strange or len(line.cells) not in (2, 3) or len(set(line.cells)) < len(line.cells):
                raise ValueError(
                    f"ice_b.lines {line.name}: expected two or three cells out of "
                    f"{', '.join(self.cells)}, got {', '.join(line.cells) or 'none'}"
                )
        if len({line.name for line in self.lines}) < len(self.lines):
            raise ValueError("ice_b.lines: expected a different name for each line")

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """The cells as lines name them, row by row."""
        rows, columns = range(1, self.rows + 1), range(1, self.columns + 1)
        return tuple(f"{row}-{column}" for row, column in itertools.product(rows, columns))

    @cached_property
    def places(self) -> tuple[str, ...]:
        """Names of the spaces for dice, row by row."""
        return tuple(f"ice-b-{cell}" for cell in self.cells)

    @cached_property
    def beside(self) -> dict[str, tuple[str, ...]]:
        """The spaces above, below, left and right of each."""
        steps = ((-1, 0), (1, 0), (0, -1), (0, 1))
        found = {}
        for cell in self.cells:
            row, column = map(int, cell.split("-"))
            around = [f"{row + down}-{column + right}" for down, right in steps]
            found[f"ice-b-{cell}"] = tuple(f"ice-b-{a}" for a in around if a in self.cells)
        return found


HOOKS_THAT_NEED = {
    "modify_die": "change",
    "heal": "amount",
    "free_from_oblivion": "amount",
    "enemy_threshold": "threshold",
    "enemy_die_bonus": "bonus",
    "extra_space": "amount",
}


class Hero(Part, frozen=True):
    """A hero: a hook, how often it may be used in the hero's own turn, and its numbers."""

    name: str
    hook: Literal[
        "none",
        "manual",
        "modify_die",
        "extra_value_per_placement",
        "reroll",
        "heal",
        "free_from_oblivion",
        "enemy_threshold",
        "enemy_die_bonus",
        "ignore_own_loss",
        "extra_space",
        "draw_peek",
    ] = "none"
    limit: Literal["turn", "roll", "none"] = "turn"
    text: str = ""
    change: dict[Face, tuple[Face, ...]] = {}
    amount: Few = 0
    cost_dice: Few = 0
    threshold: Few = 0
    ranks: tuple[Rank, ...] = (1, 2, 3)
    single: bool = False
    bonus: Few = 0
    placeholder: bool = False

    def __post_init__(self) -> None:
        needed = HOOKS_THAT_NEED.get(self.hook)
        if needed and not getattr(self, needed):
            raise ValueError(f"heroes, {self.name}: the hook {self.hook} needs `{needed}`")


class Blank(Part, frozen=True):
    """A card that an owner has made."""

    id: Annotated[str, msgspec.Meta(pattern="^blank-[1-6]$")]
    name: str
    effect: str
    rank: Rank | Literal["none"] = "none"
    stays: bool = False

    def __post_init__(self) -> None:
        if not EFFECT.fullmatch(self.effect):
            raise ValueError(
                f"blanks, {self.id}: expected an effect such as territory(desert), dragon(3), "
                f"phantom or giant, got {self.effect!r}"
            )


class DieLook(Part, frozen=True):
    """How dice of one kind look."""

    colour: Annotated[str, msgspec.Meta(pattern="^#[0-9a-f]{6}$")]
    faces: tuple[str, ...] = FACES


class Pack(Part, frozen=True):
    """Everything that is printed on boards, dice and cards."""

    placeholders: tuple[str, ...]
    damage_to_lose: Holes | dict[Literal["desert", "fortress", "forest", "ice"], Holes]
    phantom_ranks: Annotated[tuple[Rank, ...], msgspec.Meta(min_length=6, max_length=6)]
    boards: dict[str, Annotated[int, msgspec.Meta(ge=1, le=8)]]
    names: dict[str, str]
    desert_b: DesertB
    forest_b: ForestB
    ice_b: IceB
    heroes: dict[str, Hero]
    dice: dict[str, DieLook]
    blanks: tuple[Blank, ...] = ()

    def __post_init__(self) -> None:
        if len({blank.id for blank in self.blanks}) < len(self.blanks):
            raise ValueError("blanks: expected a different id for each card")

    def holes(self, territory: str) -> int:
        """Steps of the skull from the first hole of a damage track to the last."""
        holes = self.damage_to_lose
        if isinstance(holes, int):
            return holes
        return {str(name): n for name, n in holes.items()}.get(
            territory, int(SHIPPED["damage_to_lose"])
        )

    def is_placeholder(self, entry: str) -> bool:
        """True while an entry is invented: `desert_b`, `damage_to_lose.ice`, `dice.territory`."""
        name, _, territory = entry.partition(".")
        holes = self.damage_to_lose
        if name == "damage_to_lose" and isinstance(holes, dict):
            return all(counted != territory for counted in holes)
        return entry in self.placeholders or name in self.placeholders


# An owner's file never has to repeat these: they are merged name by name.
MERGED = ("heroes", "names", "boards", "dice")


def pack_from(given: Mapping[str, Any]) -> Pack:
    """The pack of the box with an owner's entries in it; ConfigError says what does not fit."""
    if not given:
        return PACK
    merged = {**SHIPPED, **given}
    for entry in MERGED:
        if isinstance(given.get(entry), Mapping):
            merged[entry] = {**SHIPPED[entry], **given[entry]}
    left = [e for e in SHIPPED["placeholders"] if not is_given(given, e) or e == "heroes"]
    merged["placeholders"] = [*given.get("placeholders", ()), *left]
    try:
        return msgspec.convert(merged, Pack)
    except (msgspec.ValidationError, TypeError) as error:
        raise ConfigError(
            say("pack: {why}; see pack.toml of the game for what is meant", why=reason(error))
        ) from error


def is_given(given: Mapping[str, Any], entry: str) -> bool:
    """True if an owner's file says something about an entry: `forest_b`, `dice.territory`."""
    name, _, inner = entry.partition(".")
    part = given.get(name)
    return name in given and (not inner or (isinstance(part, Mapping) and inner in part))


PACK = msgspec.convert(dict(SHIPPED), Pack)
