"""The table of alerts: what lamps and buzzer do for each cue, read from `cues.toml`."""

import tomllib
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from companion.errors import ConfigError
from companion.steps import FAMILIES, Cue

CUES_TOML = Path(__file__).with_name("cues.toml")
NOTE = r"^(-|[C-G]#?[3-5]|[AB]#?[2-5]|[C-G]#?6|A6)$"  # two octaves to either side of A4

Level = Annotated[float, Meta(ge=0.0, le=1.0)]
Seconds = Annotated[float, Meta(ge=0.05, le=10.0)]
Colour = Annotated[str, Meta(pattern=r"^#[0-9a-fA-F]{6}$")]


class Light(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step of the lamp over the table."""

    colour: Colour
    for_s: Seconds
    level: Level = 1.0


class Glow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step of a lamp that has one colour."""

    for_s: Seconds
    level: Level = 1.0


class Tone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One note of a melody; `-` is a rest."""

    note: Annotated[str, Meta(pattern=NOTE)]
    for_s: Seconds


class Alert(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one cue does: a priority, the steps of each lamp, and a melody."""

    priority: Annotated[int, Meta(ge=0, le=100)]
    table: tuple[Light, ...] = ()
    troll: tuple[Glow, ...] = ()
    dragon: tuple[Glow, ...] = ()
    seat: tuple[Glow, ...] = ()
    buzzer: tuple[Tone, ...] = ()


class Gauge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lamp that follows a counter of the game, and is lit wholly when it stands at `of`."""

    counter: str
    of: Annotated[int, Meta(ge=1)]
    level: Level = 1.0


class Follow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the lamps show while no alert has them."""

    seat_level: Level = 0.35
    troll: Gauge | None = None
    dragon: Gauge | None = None


class CueBook(msgspec.Struct, frozen=True):
    """All alerts: by family, and by the name of the cue."""

    families: dict[str, Alert]
    cues: dict[str, Alert]
    follow: Follow

    def alert(self, cue: Cue) -> Alert:
        """The cue's own alert, or that of its family; of `note` if the family is unknown, too."""
        own = self.cues.get(cue.name)
        return own or self.families.get(cue.family) or self.families["note"]


def read_cues(path: Path = CUES_TOML) -> CueBook:
    """Read a table of alerts; ConfigError says in which entry what was expected."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path.name}: expected a readable file ({error})") from error
    except ValueError as error:
        raise ConfigError(f"{path.name}: expected TOML in UTF-8 ({error})") from error
    unknown = sorted(set(found) - {"families", "cues", "follow"})
    if unknown:
        known = "[families.NAME], [cues.NAME] and [follow]"
        raise ConfigError(f"{path.name}: expected {known}, got [{unknown[0]}]; remove it")
    families = _alerts(found, path, "families")
    _check_families(families, path)
    follow = _fitting(found.get("follow", {}), Follow, path, "follow")
    return CueBook(families, _alerts(found, path, "cues"), follow)


def _alerts(found: dict[str, Any], path: Path, part: str) -> dict[str, Alert]:
    entries = _fitting(found.get(part, {}), dict[str, dict[str, Any]], path, part)
    return {name: _fitting(entry, Alert, path, f"{part}.{name}") for name, entry in entries.items()}


def _check_families(families: dict[str, Alert], path: Path) -> None:
    for family in FAMILIES:
        if family not in families:
            raise ConfigError(f"{path.name}: expected an entry [families.{family}]; write one")
    for family in families:
        if family not in FAMILIES:
            known = ", ".join(FAMILIES)
            raise ConfigError(
                f"{path.name}: expected families {known}, got [families.{family}]; remove it"
            )


Entry = TypeVar("Entry")


def _fitting(value: object, kind: type[Entry], path: Path, where: str) -> Entry:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        message = str(error).replace(" - at `$", " in `").replace("`.", "`")
        raise ConfigError(
            f"{path.name} [{where}]: {message}; the head of cues.toml says what may stand here"
        ) from error
