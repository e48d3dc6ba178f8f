"""The settings of one table: `companion.toml`, checked strictly.

    [table]
    game = "troll_and_dragon"
    players = ["Ann", "Bo"]

    [games.troll_and_dragon]
    end_mode = "both"
    [games.troll_and_dragon.dice]
    white = ["troll", "diamond", "diamond", "diamond", "key", "door"]

    [dice]
    port = "/dev/serial/by-id/usb-..."

    [alerts]
    volume = 0.6
    wled = "192.168.1.40"

    [web]
    port = 8000

Everything has a default; what is unknown or does not fit is an error that says what to write.
"""

import os
import re
import tomllib
import unicodedata
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from companion.errors import ConfigError
from companion.field_words import IN_TOML, misfit, reason
from companion.games import GAMES
from companion.protocol import checked_options
from companion.scripts import Game
from companion.table import Player
from companion.words import Words, fact, of_system, say

DEFAULT_GAME = "troll_and_dragon"
DICE_FILE = "dice.toml"
ZONES_FILE = "zones.toml"
HOST_NAME = re.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
UNKNOWN = "Object contains unknown field "


class TableSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which game is played, and by whom."""

    game: str = DEFAULT_GAME
    players: tuple[str, ...] = ("Ann", "Bo", "Cy")


class LearntDice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `companion dice` has learnt and keeps in `dice.toml`, beside companion.toml.

    names      a smart die's own id -> the die of the game.
    faces      its id -> what it says is up -> the face of the game.
    bluetooth  an id for a Bluetooth die -> its maker and address.
    """

    names: dict[str, str] = {}
    faces: dict[str, dict[str, str]] = {}
    bluetooth: dict[str, str] = {}


class DiceSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Smart dice: the receiver's port, and what could be learnt, too (see `LearntDice`)."""

    port: str = ""
    names: dict[str, str] = {}
    faces: dict[str, dict[str, str]] = {}
    bluetooth: dict[str, str] = {}

    @property
    def are_wanted(self) -> bool:
        """True if there are real smart dice at this table."""
        return bool(self.port or self.bluetooth)


class SquareSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A camera over a real square of tiles: which, where the square lies, how tiles look."""

    camera: str = ""
    square: str = "square.toml"
    tiles: str = "tiles"


class ZoneSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One tray in the camera's picture.

    corners    of its floor, in pixels: far left, far right, near right, near left.
    rectangle  instead of corners, for a camera straight above: left, top, width, height in pixels.
    sides      width and depth of the floor in die edges; told by `die_px` where it is left out,
               and by the first dice that lie there where that is, too.
    dice       kinds or names of what is thrown there; empty for all that no other zone watches.
    """

    corners: tuple[tuple[float, float], ...] = ()
    rectangle: tuple[float, float, float, float] | None = None
    sides: tuple[float, float] | None = None
    dice: tuple[str, ...] = ()


class LearntZones(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the set-up page keeps in `zones.toml`, beside companion.toml: it goes before that.

    die_px  0 where nobody has set it.
    """

    die_px: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    zones: dict[str, ZoneSettings] = {}


class CameraSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A camera over trays of dice: which, how large dice are in its picture, how they look."""

    device: str = ""
    die_px: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    looks: str = "looks"
    empty: str = "empty.png"
    zones: dict[str, ZoneSettings] = {}


class WebSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the dashboard listens."""

    host: str = "127.0.0.1"
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 8000
    names: tuple[str, ...] = ()
    proxies: Annotated[int, msgspec.Meta(ge=0, le=5)] = 0
    announce: str = "companion"


class AlertSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Lamps, sounds and voice: how the table likes them."""

    quiet: bool = False
    volume: Annotated[float, msgspec.Meta(ge=0, le=1)] = 1.0
    mute: tuple[str, ...] = ()
    voice: bool = True
    language: Literal["en", "de", "fr"] = "en"
    cues: str = ""
    wled: str = ""
    near_tray: tuple[str, ...] = ("table", "strip")


Pin = Annotated[int, msgspec.Meta(ge=0, le=27)]


class PinSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What hangs on which pin (BCM), where a table is wired otherwise than `hardware/pins.py`."""

    table: tuple[Pin, Pin, Pin] = (17, 27, 22)
    troll: tuple[Pin, Pin, Pin, Pin] = (5, 6, 13, 19)
    dragon: Pin = 26
    seats: tuple[Pin, ...] = (23, 24, 25, 12, 16)
    buzzer: Pin = 18
    buttons: tuple[Pin, ...] = (4, 7, 8, 20, 21)


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that an owner can set."""

    table: TableSettings = TableSettings()
    dice: DiceSettings = DiceSettings()
    square: SquareSettings = SquareSettings()
    camera: CameraSettings = CameraSettings()
    alerts: AlertSettings = AlertSettings()
    pins: PinSettings = PinSettings()
    web: WebSettings = WebSettings()
    games: dict[str, dict[str, Any]] = {}

    @property
    def is_real(self) -> bool:
        """True if there is something real at this table that tells what happens."""
        return self.dice.are_wanted or bool(self.square.camera or self.camera.device)


def load_config(path: Path | None) -> Config:
    """Read a settings file; None gives the defaults. Raises ConfigError, naming file and place.

    What stands in `dice.toml` beside it, or in this folder, is added under [dice], and what stands
    in `zones.toml` under [camera].
    """
    home = path.parent if path else Path()
    learnt, zones = load_dice(home / DICE_FILE), load_zones(home / ZONES_FILE)
    if path is None:
        dice = msgspec.convert(msgspec.to_builtins(learnt), DiceSettings)
        return Config(dice=dice, camera=with_zones(CameraSettings(), zones))
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
        config = with_dice(msgspec.convert(fields, Config), learnt)
        config = msgspec.structs.replace(config, camera=with_zones(config.camera, zones))
    except OSError as error:
        raise ConfigError(
            say("{path}: cannot be read: {why}", path=path, why=of_system(error))
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(
            say("{path}: expected TOML: {why}", path=path, why=reason(error))
        ) from error
    except msgspec.ValidationError as error:
        raise ConfigError(say("{place}: {why}", place=path, why=in_words(error))) from error
    try:
        check_games(config)
        check_name(config.web.announce)
        check_alerts(config.alerts)
    except ConfigError as error:
        raise ConfigError(say("{place}: {why}", place=path, why=reason(error))) from error
    return config


def load_dice(path: Path) -> LearntDice:
    """Read what `companion dice` has learnt; nothing if the file is not there."""
    if not path.is_file():
        return LearntDice()
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), LearntDice)
    except (OSError, ValueError, msgspec.ValidationError) as error:
        raise ConfigError(
            say(
                "{path}: expected the sections [names], [faces.ID] and [bluetooth] that "
                "`companion dice` writes: {why}; correct it, or move it away and map the dice anew",
                path=path,
                why=reason(error),
            )
        ) from error


def load_zones(path: Path) -> LearntZones:
    """Read what the set-up page has kept about trays; nothing if the file is not there."""
    if not path.is_file():
        return LearntZones()
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), LearntZones)
    except (OSError, ValueError, msgspec.ValidationError) as error:
        raise ConfigError(
            say(
                "{path}: expected die_px and [zones.NAME] as the set-up page writes them: {why}; "
                "correct it, or move it away and set the zones anew",
                path=path,
                why=reason(error),
            )
        ) from error


def with_zones(camera: CameraSettings, learnt: LearntZones) -> CameraSettings:
    """Put what was set on the picture before what stands in the settings file."""
    return msgspec.structs.replace(
        camera, zones=camera.zones | learnt.zones, die_px=learnt.die_px or camera.die_px
    )


def with_dice(config: Config, learnt: LearntDice) -> Config:
    """Add what was learnt; what an owner wrote himself goes first."""
    own = config.dice
    dice = msgspec.structs.replace(
        own,
        names=learnt.names | own.names,
        faces=learnt.faces | own.faces,
        bluetooth=learnt.bluetooth | own.bluetooth,
    )
    return msgspec.structs.replace(config, dice=dice)


def in_words(error: msgspec.ValidationError) -> Words:
    """What does not fit, where (`[web] port`), and which settings there are."""
    what, _, place = str(error).partition(" - at `$")
    why = misfit(what, IN_TOML)
    if what.startswith(UNKNOWN):
        why = say("there is no setting {name}", name=what.removeprefix(UNKNOWN))
    section, _, name = place.replace("[...]", "").strip("`.").partition(".")
    where: Words = fact(f"[{section}] {name}".strip()) if section else say("top level")
    kinds = {one.name: one.type for one in msgspec.structs.fields(Config)}
    known = ", ".join(getattr(kinds.get(section, Config), "__struct_fields__", ()))
    if not known:
        return say("{place}: {why}", place=where, why=why)
    return say("{place}: {why}; there is {known}", place=where, why=why, known=known)


def check_name(name: str) -> None:
    """Raise ConfigError for a name that cannot be told to a network; empty is none at all."""
    if name and not HOST_NAME.fullmatch(name):
        raise ConfigError(
            say(
                "[web] announce: expected a name of a-z, 0-9 and -, got {name!r}; write for "
                'example "companion"',
                name=name,
            )
        )


def check_games(config: Config) -> None:
    """Raise ConfigError for an unknown game, or for house rules that do not fit."""
    game_named(config.table.game)
    for key, options in config.games.items():
        game = game_named(key)
        try:
            checked_options(game.options, options)
        except ConfigError as error:
            raise ConfigError(
                say("{place} {why}", place=f"[games.{key}]", why=reason(error))
            ) from error


def check_alerts(alerts: AlertSettings) -> None:
    """Raise ConfigError for a cue to be muted that nobody tells."""
    known = {cue.name for game in GAMES.values() for cue in game.cues} | {"refused"}
    for name in alerts.mute:
        if name not in known:
            raise ConfigError(
                say(
                    "[alerts] mute: expected names of cues ({known}), got {name!r}",
                    known=", ".join(sorted(known)),
                    name=name,
                )
            )


def game_named(key: str) -> Game:
    """A game by its key; ConfigError lists those there are."""
    if key not in GAMES:
        raise ConfigError(
            say("game: expected one of {known}, got {key!r}", known=", ".join(GAMES), key=key)
        )
    return GAMES[key]


def players_named(names: tuple[str, ...]) -> list[Player]:
    """Players with keys made from their names (`Zoë M.` is `zoe-m`)."""
    players: list[Player] = []
    for name in names:
        key = player_key(name)
        if not key and any(map(str.isalnum, name)):
            key = f"player-{len(players) + 1}"  # a name in letters that have no key of their own
        if not key:
            raise ConfigError(
                say("players: expected names with letters or digits, got {name!r}", name=name)
            )
        if any(player.key == key for player in players):
            raise ConfigError(
                say(
                    "players: expected different names, got {name!r} beside another {key!r}; add "
                    "a letter to one of them",
                    name=name,
                    key=key,
                )
            )
        players.append(Player(key, name.strip()))
    return players


def player_key(name: str) -> str:
    """The key of a name: small letters, digits, `_` and `-`."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9_]+", "-", plain.lower()).strip("-")


def default_journal() -> Path:
    """Where the journal lies unless somebody says otherwise: the user's data folder."""
    base = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(base) / "companion" / "journal.sqlite"
