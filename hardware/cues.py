"""The table of alerts: what lamps, strip, buzzer and voice do for each cue, from `cues.toml`.

Colours have names, of a palette that people with any kind of colour blindness can tell apart, on a
screen and in the light of LEDs (a test simulates it); even so no alert says anything by colour
alone, for each has light, sound and text.
"""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from companion.errors import ConfigError
from companion.steps import FAMILIES, Cue

CUES_TOML = Path(__file__).with_name("cues.toml")
NOTE = r"^(-|[C-G]#?[3-5]|[AB]#?[2-5]|[C-G]#?6|A6)$"  # two octaves to either side of A4
PARTS = {"families", "cues", "follow", "palette"}

Level = Annotated[float, Meta(ge=0.0, le=1.0)]
Seconds = Annotated[float, Meta(ge=0.05, le=10.0)]
Colour = Annotated[str, Meta(pattern=r"^#[0-9a-fA-F]{6}$")]


class Light(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step of a lamp that has any colour: the lamp over the table, or the strip."""

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
    """What one cue does: a priority, the steps of each lamp, a melody, and what is said.

    strip   without steps of its own it glows steadily in the first colour of `table`.
    volume  of the melody, 0 to 1; `mute` leaves melody and voice away.
    say     `title` (short: "Dragon!"), `text` (the whole sentence) or `no`.
    """

    priority: Annotated[int, Meta(ge=0, le=100)]
    table: tuple[Light, ...] = ()
    strip: tuple[Light, ...] = ()
    troll: tuple[Glow, ...] = ()
    dragon: tuple[Glow, ...] = ()
    seat: tuple[Glow, ...] = ()
    buzzer: tuple[Tone, ...] = ()
    volume: Level = 1.0
    mute: bool = False
    say: Literal["title", "text", "no"] = "text"

    def on_strip(self) -> tuple[Light, ...]:
        """The steps of the strip: its own, or one steady light for as long as the table's."""
        if self.strip or not self.table:
            return self.strip
        first, lasts_s = self.table[0], sum(light.for_s for light in self.table)
        return (Light(first.colour, lasts_s, first.level),)


class Gauge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lamp that follows a counter of the game, and is lit wholly when it stands at `of`.

    of  a number, or the name of another counter.
    """

    counter: str
    of: Annotated[int, Meta(ge=1)] | str
    level: Level = 1.0

    def share(self, counters: Mapping[str, int]) -> float:
        """How much of it is lit, 0 to 1; nothing in games that count no such thing."""
        whole = counters.get(self.of, 0) if isinstance(self.of, str) else self.of
        return min(1.0, max(0.0, counters.get(self.counter, 0) / whole)) if whole > 0 else 0.0


class Caution(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lamp that shines in one colour for as long as a counter is above 0."""

    counter: str
    colour: Colour
    level: Level = 0.35


class Follow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the lamps show while no alert has them.

    seat_level    the seat whose turn it is.
    button_level  a seat whose button does something now.
    buttons       choice -> steps that go round instead, so that the lamp tells which choice it is.
    bar           the Troll bar in games without a Troll: the first of these that is lit at all.
    warning       the lamp over the table, while something is about to be lost.
    """

    seat_level: Level = 0.35
    button_level: Level = 0.7
    buttons: dict[str, Annotated[tuple[Glow, ...], Meta(min_length=1)]] = {}
    troll: Gauge | None = None
    dragon: Gauge | None = None
    bar: tuple[Gauge, ...] = ()
    warning: Caution | None = None


class CueBook(msgspec.Struct, frozen=True):
    """All alerts: by family, and by the name of the cue."""

    families: dict[str, Alert]
    cues: dict[str, Alert]
    follow: Follow
    palette: dict[str, str] = {}

    def alert(self, cue: Cue) -> Alert:
        """The cue's own alert, or that of its family; of `note` if the family is unknown, too."""
        own = self.cues.get(cue.name)
        return own or self.families.get(cue.family) or self.families["note"]


class Manner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the table likes its alerts.

    quiet   no sound, no voice, no blinking, and half as bright.
    volume  of the buzzer, 0 to 1, times that of each cue.
    mute    names of cues that make no sound.
    """

    quiet: bool = False
    volume: Level = 1.0
    mute: tuple[str, ...] = ()


def read_cues(path: Path = CUES_TOML) -> CueBook:
    """Read a table of alerts; ConfigError says in which entry what was expected."""
    try:
        return _cues_of(path.read_bytes(), path)
    except OSError as error:
        raise ConfigError(f"{path.name}: expected a readable file ({error})") from error


@lru_cache(maxsize=4)
def _cues_of(written: bytes, path: Path) -> CueBook:
    """What a file says; the shipped one is read for every game anew, and says the same."""
    try:
        found = tomllib.loads(written.decode("utf-8"))
    except ValueError as error:
        raise ConfigError(f"{path.name}: expected TOML in UTF-8 ({error})") from error
    unknown = sorted(set(found) - PARTS)
    if unknown:
        known = "[families.NAME], [cues.NAME], [palette] and [follow]"
        raise ConfigError(f"{path.name}: expected {known}, got [{unknown[0]}]; remove it")
    palette = _fitting(found.get("palette", {}), dict[str, Colour], path, "palette")
    families = _alerts(found, path, "families", palette)
    _check_families(families, path)
    follow = _fitting(found.get("follow", {}), Follow, path, "follow")
    return CueBook(families, _alerts(found, path, "cues", palette), follow, palette)


def _alerts(
    found: dict[str, Any], path: Path, part: str, palette: dict[str, str]
) -> dict[str, Alert]:
    entries = _fitting(found.get(part, {}), dict[str, dict[str, Any]], path, part)
    return {
        name: _fitting(_coloured(entry, palette, path, f"{part}.{name}"), Alert, path,
                       f"{part}.{name}")
        for name, entry in entries.items()
    }  # fmt: skip


def _coloured(
    entry: dict[str, Any], palette: dict[str, str], path: Path, where: str
) -> dict[str, Any]:
    """The entry with colours in place of their names; what does not fit is left as it is."""
    whole = dict(entry)
    for row in ("table", "strip"):
        steps = entry.get(row)
        if isinstance(steps, list):
            whole[row] = [_coloured_step(step, palette, path, where) for step in steps]
    return whole


def _coloured_step(step: Any, palette: dict[str, str], path: Path, where: str) -> Any:
    name = step.get("colour") if isinstance(step, dict) else None
    if not isinstance(name, str) or name.startswith("#"):
        return step
    if name not in palette:
        known = ", ".join(palette) or "none is defined in [palette]"
        raise ConfigError(
            f"{path.name} [{where}]: expected a colour #rrggbb or a name of [palette] ({known}), "
            f"got {name!r}"
        )
    return step | {"colour": palette[name]}


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
