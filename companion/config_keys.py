"""Every key of `companion.toml` in words: what the file's comments are made of.

A key stands here once, by its dotted name; its default and what fits are `Config`'s. Whoever adds a
setting adds a line here; a test holds the two together. House rules are told by the docstring of a
game's options, a line or more for each.
"""

import inspect
import json
import re
import textwrap
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import msgspec

from companion.config import Config
from companion.scripts import Game

WIDTH = 96
SECRET = re.compile(r"secret|password|token|psk|(^|[._-])(pin|key)$", re.IGNORECASE)


class Key(msgspec.Struct, frozen=True):
    """One setting: what it does, a value as one would write it, and whether nobody may see it."""

    doc: str
    example: str
    secret: bool = False


SECTIONS = {
    "table": "What is played, and by whom.",
    "dice": "Smart dice, which say themselves what was rolled.",
    "square": "A camera over a real square of tiles, for games with tiles.",
    "camera": "A camera over trays of dice.",
    "alerts": "Lamps, sounds and voice.",
    "pins": "What hangs on which pin of the header (BCM numbers); `companion pins` draws it.",
    "web": "The dashboard: screens and phones.",
    "games": "House rules, a section for each game.",
}

KEYS = {
    "table.game": Key(
        "The game on the table; `companion play GAME` plays another for once.",
        '"schatz_der_drachen"',
    ),
    "table.players": Key(
        "Who plays, clockwise from whoever begins. Names must differ in their letters.",
        '["Ann", "Bo"]',
    ),
    "dice.port": Key(
        "Serial port of the receiver; its name below /dev/serial/by-id stays the same. "
        "Or auto, or usb:303a:1001 by its USB id. Empty: no receiver; without Bluetooth dice "
        "`companion play` simulates everything.",
        '"/dev/serial/by-id/usb-Receiver"',
    ),
    "dice.bluetooth": Key(
        "Pixels and GoDice: an id for each, then its maker (pixels, godice, godice-d8) and its "
        "address. Needs the extra ble.",
        '{ ruby = "pixels E0:5A:1B:00:00:01" }',
    ),
    "dice.faces": Key(
        "What a smart die's sides are, where it differs from the game's list: `companion dice "
        "calibrate` finds out.",
        '{ d1 = { 1 = "dragon", 2 = "blank" } }',
    ),
    "dice.names": Key(
        "Which die of the game each smart die is: its own name, then the game's.",
        '{ d1 = "red-1", d2 = "red-2" }',
    ),
    "alerts.quiet": Key("No sound, no voice, no blinking, and lamps half as bright.", "true"),
    "alerts.volume": Key("How loud the buzzer is, from 0 to 1.", "0.5"),
    "alerts.mute": Key("Cues that make no sound, by their names in cues.toml.", '["troll_near"]'),
    "alerts.voice": Key("Say sentences aloud, where espeak-ng is installed.", "false"),
    "alerts.language": Key("In which language the table speaks: en, de or fr.", '"de"'),
    "alerts.cues": Key(
        "A table of alerts of your own, written like hardware/cues.toml. Empty: the usual one.",
        '"/etc/companion/cues.toml"',
    ),
    "alerts.wled": Key(
        "Address of a WLED controller with a strip of LEDs. Empty: there is none.",
        '"192.168.1.40"',
    ),
    "alerts.near_tray": Key(
        "Lamps whose light falls into the dice tray: they keep steady while dice are being read.",
        '["table", "strip", "dragon"]',
    ),
    "pins.table": Key("Red, green and blue of the lamp over the table.", "[2, 3, 14]"),
    "pins.troll": Key("The four LEDs of the Troll bar, farthest first.", "[6, 5, 13, 19]"),
    "pins.dragon": Key("The Dragon lamp.", "2"),
    "pins.seats": Key("A lamp for each seat, clockwise from the first.", "[23, 24, 25]"),
    "pins.buzzer": Key("The buzzer.", "2"),
    "pins.buttons": Key("A big button for each seat; [] for none.", "[4, 7, 8]"),
    "square.camera": Key(
        "The camera: its number or /dev/video0; a clip or a folder of pictures will do, too. "
        "Without one, tiles are tapped on a screen.",
        '"0"',
    ),
    "square.square": Key("Where the square lies; `companion calibrate` writes it.", '"club.toml"'),
    "square.tiles": Key("Learnt tiles; `companion enrol` writes them.", '"club-tiles"'),
    "camera.device": Key(
        "The camera: its path (the name below /dev/v4l/by-id stays the same), its number, or "
        "picamera; a clip or a folder of pictures is played once. Empty: no camera; dice without "
        "a sensor are entered on a screen.",
        '"/dev/video0"',
    ),
    "camera.die_px": Key(
        "How many pixels wide a die is in the middle of the picture; tells how large trays are. "
        "Left out, each tray learns it from the first dice that lie in it.",
        "34",
    ),
    "camera.looks": Key(
        "Folder of the learnt dice; `companion enrol` writes it. Dice with the faces 1 to 6 need "
        "none.",
        '"club-dice"',
    ),
    "camera.empty": Key(
        "A picture of the trays without dice; `companion camera --empty` takes it. Where there is "
        "none, the first picture of a game is taken for it.",
        '"tray.png"',
    ),
    "camera.zones": Key(
        "Trays in the picture, by name: corners of the floor in pixels (far left, far right, near "
        "right, near left) or a rectangle (left, top, width, height); perhaps its width and depth "
        "in die edges (sides); and which dice are thrown there, by kind or name. Without zones, "
        "all of the picture is one tray for all dice. The set-up page keeps what is set there in "
        "zones.toml, which goes before this.",
        '{ dragon = { rectangle = [330, 40, 260, 280], dice = ["red"] } }',
    ),
    "web.host": Key(
        'Address on which the dashboard listens: "127.0.0.1" for this machine alone, "0.0.0.0" '
        "for every machine in the house.",
        '"0.0.0.0"',
    ),
    "web.names": Key(
        "Further names under which the dashboard may be reached, beside addresses and names of "
        "the house.",
        '["games.example.org"]',
    ),
    "web.proxies": Key(
        "How many proxies of yours stand before the dashboard. Their headers are believed, so that "
        "0 is right unless there is one.",
        "1",
    ),
    "web.announce": Key(
        "Name that the network is told, so that browsers find http://NAME.local; empty for none. "
        "Small letters, digits and - only.",
        '"games-room"',
    ),
    "web.port": Key("Port of the dashboard; 0 takes any that is free.", "8080"),
    "games": Key(
        "House rules by game: a section [games.KEY] each, with the options of that game.",
        '{ troll_and_dragon = { end_mode = "both" } }',
    ),
}


def names_of(kind: Any = Config, before: str = "") -> Iterator[str]:
    """The dotted names of all settings; a table of free names is one."""
    for field in msgspec.structs.fields(kind):
        name = f"{before}{field.name}"
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            yield from names_of(field.type, f"{name}.")
        else:
            yield name


def default_of(name: str) -> Any:
    """What holds unless the file says otherwise."""
    value: Any = Config()
    for part in name.split("."):
        value = getattr(value, part)
    return value


def is_secret(name: str) -> bool:
    """True for a setting that must not leave the house."""
    key = KEYS.get(name)
    return bool(SECRET.search(name)) or (key is not None and key.secret)


def written(value: Any) -> str:
    """A value as TOML has it, on one line."""
    plain = msgspec.to_builtins(value)
    if isinstance(plain, dict):
        inside = ", ".join(f"{bare(name)} = {written(one)}" for name, one in plain.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(plain, list | tuple):
        return f"[{', '.join(map(written, plain))}]"
    return quoted(plain)


def bare(name: str) -> str:
    """A name as TOML has it, in quotes only where it needs them."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else quoted(name)


def quoted(plain: Any) -> str:
    """A text, number or truth; JSON's way of writing it is TOML's, but for one character."""
    return json.dumps(plain, ensure_ascii=False).replace("\x7f", "\\u007f")


def comment(text: str) -> str:
    """Text as comment lines of a settings file."""
    return "\n".join(f"# {line}".rstrip() for line in textwrap.wrap(text, WIDTH))


def option_words(game: Game) -> dict[str, str]:
    """What each house rule of a game is, from the docstring of its options."""
    words: dict[str, str] = {}
    latest = ""
    for line in inspect.getdoc(game.options).splitlines()[1:]:  # type: ignore[union-attr]
        match = re.match(r"(\w+)\s{2,}(.*)", line)
        if match:
            latest, words[match[1]] = match[1], match[2].strip()
        elif latest and line.strip():
            words[latest] += f" {line.strip()}"
    return words


def option_values(kind: Any) -> str:
    """What fits an option, where only some values do."""
    return f" One of {', '.join(map(written, get_args(kind)))}." if is_choice(kind) else ""


def is_choice(kind: Any) -> bool:
    """True for an option with a few values."""
    return get_origin(kind) is Literal
