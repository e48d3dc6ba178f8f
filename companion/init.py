"""`companion init`: a commented companion.toml, written after a few questions."""

import importlib.util
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click
import msgspec
from rich.console import Console

from companion.config import Config, game_named, load_config, players_named
from companion.config_keys import (
    KEYS,
    SECTIONS,
    bare,
    comment,
    option_values,
    option_words,
    written,
)
from companion.errors import CompanionError, ConfigError
from companion.games import GAMES
from companion.scripts import Game
from companion.table import Player

LOOPBACK, EVERYWHERE = "127.0.0.1", "0.0.0.0"
PORTS = ("dev/serial/by-id/*", "dev/ttyACM*", "dev/ttyUSB*")
NONE = "none"
FOUND = "Found at this machine: take the # away to use it."
HEAD = """\
Settings of the companion. Lines that begin with # are comments: what stands behind them holds
anyway. Take the # away and change the value. `companion doctor` checks this file."""


def ask_and_write(path: Path, console: Console, *, yes: bool, replace: bool) -> None:
    """Ask, unless `yes`, and write the file; ConfigError where one would be replaced unasked."""
    check_free(path, yes=yes, replace=replace)
    ports, cameras = found_ports(Path("/")), found_cameras(Path("/"))
    console.print(f"Serial ports found: {', '.join(ports) or 'none'}", soft_wrap=True)
    console.print(f"Cameras found: {', '.join(cameras) or 'none'}", soft_wrap=True)
    config = Config() if yes else ask_all(Config(), ports, cameras)
    write(path, compose(config, keys_of(ports, cameras)), console)


def check_free(path: Path, *, yes: bool, replace: bool) -> None:
    """Raise ConfigError, or ask, where a file would be replaced."""
    if not path.exists() or replace:
        return
    if yes:
        raise ConfigError(
            f"{path}: expected no file of that name; say --replace to write another (the old one "
            f"is kept as {aside(path).name}), or --file NAME"
        )
    said = f"{path} is there already. Write another, and keep it as {aside(path).name}?"
    if not click.confirm(said):
        raise ConfigError(f"{path}: nothing was written")


def aside(path: Path) -> Path:
    """Where an older file is kept: the first free of NAME.1, NAME.2, ..."""
    numbers = iter(range(1, 10_000))
    return next(one for n in numbers if not (one := path.with_name(f"{path.name}.{n}")).exists())


# --- the questions --------------------------------------------------------------------------------


def ask_all(config: Config, ports: list[str], cameras: list[str]) -> Config:
    """Ask which game, who plays, which receiver and camera, and who may look."""
    keys = list(GAMES)
    game = game_named(click.prompt("Which game?", type=click.Choice(keys), default=keys[0]))
    table = msgspec.structs.replace(config.table, game=game.key, players=ask_players(game))
    config = msgspec.structs.replace(config, table=table)
    dice = example_dice(game)
    if dice and ports and click.confirm(f"Is a receiver of smart dice at {ports[0]}?"):
        settings = msgspec.structs.replace(config.dice, port=ports[0], names=ask_names(game, dice))
        config = msgspec.structs.replace(config, dice=settings)
    config = ask_camera(config, game, cameras)
    question = "May phones and screens in your network see the table?"
    host = EVERYWHERE if click.confirm(question, default=True) else LOOPBACK
    web = msgspec.structs.replace(config.web, host=host)
    return msgspec.structs.replace(config, web=web)


def ask_camera(config: Config, game: Game, cameras: list[str]) -> Config:
    """Ask which camera looks at the dice, or at the square of tiles; and say what comes next."""
    things = "square of tiles" if has_tiles(game) else "dice" if example_dice(game) else ""
    if not things or not cameras:
        return config
    offered = click.Choice([*cameras, NONE])
    camera = click.prompt(f"Which camera looks at the {things}?", type=offered, default=NONE)
    if camera == NONE:
        return config
    click.echo("`companion camera` tries it; the README tells how dice and tiles are taught.")
    if things == "dice":
        trays = msgspec.structs.replace(config.camera, device=camera)
        return msgspec.structs.replace(config, camera=trays)
    square = msgspec.structs.replace(config.square, camera=camera)
    return msgspec.structs.replace(config, square=square)


def ask_players(game: Game) -> tuple[str, ...]:
    """Names that fit the game, asked until they do."""
    least, most = game.seats.start, game.seats.stop - 1
    while True:
        said = click.prompt(f"Who plays ({least} to {most}, clockwise)?", default="Ann,Bo,Cy")
        names = tuple(part.strip() for part in said.split(",") if part.strip())
        try:
            game.table(tuple(players_named(names)))
        except CompanionError as error:
            click.echo(str(error))
        else:
            return names


def ask_names(game: Game, dice: list[str]) -> dict[str, str]:
    """Which smart die is which die of the game, asked until all are known."""
    click.echo(f"Its dice, as their own name=die of the game, for example d1={dice[0]}")
    while True:
        said = click.prompt(f"Dice of {game.title}: {', '.join(dice)}")
        pairs = [part.partition("=") for part in said.split(",") if part.strip()]
        names = {own.strip(): die.strip() for own, _, die in pairs}
        strange = [f"{own}={die}" for own, die in names.items() if not own or die not in dice]
        if names and not strange:
            return names
        click.echo(f"expected name=die with a die of {game.title}, got {', '.join(strange)}")


def example_dice(game: Game) -> list[str]:
    """The dice of a game."""
    return [die.name for die in game.table(some_seats(game)).dice]


def has_tiles(game: Game) -> bool:
    """True for a game with a square of tiles."""
    return hasattr(game.table(some_seats(game)), "tiles")


def some_seats(game: Game) -> tuple[Player, ...]:
    """As many players as the game needs."""
    return tuple(players_named(("Ann", "Bo", "Cy", "Di", "Ed", "Flo")[: game.seats.start]))


def found_ports(root: Path) -> list[str]:
    """Serial ports that may be a receiver, best names first."""
    for pattern in PORTS:
        found = sorted(f"/{port.relative_to(root)}" for port in root.glob(pattern))
        if found:
            return found
    return []


def found_cameras(root: Path) -> list[str]:
    """Cameras of this machine: the Pi's own where its library is there, then those by cable."""
    own = ["picamera"] if importlib.util.find_spec("picamera2") else []
    by_cable = sorted(root.glob("dev/video[0-9]*"), key=lambda one: (len(one.name), one.name))
    return own + [f"/{one.relative_to(root)}" for one in by_cable]


def keys_of(ports: list[str], cameras: list[str]) -> dict[str, str]:
    """What was found, by the keys that would use it."""
    wanted = {"dice.port": ports, "camera.device": cameras, "square.camera": cameras}
    return {key: found[0] for key, found in wanted.items() if found}


# --- the file -------------------------------------------------------------------------------------


def compose(config: Config, found: Mapping[str, str] = MappingProxyType({})) -> str:
    """A settings file with every key: those that differ from the defaults hold, others are told.

    found  devices of this machine, by the keys that would use them.
    """
    parts = [comment_lines(HEAD)]
    for field in msgspec.structs.fields(Config):
        value, usual = getattr(config, field.name), getattr(Config(), field.name)
        if isinstance(value, msgspec.Struct):
            parts += section(field.name, value, usual, found)
    parts.append(f"{comment(SECTIONS['games'])}\n{house_rules(config)}")
    return "\n\n".join(parts) + "\n"


def comment_lines(text: str) -> str:
    """Lines as they are, each a comment."""
    return "\n".join(f"# {line}" for line in text.splitlines())


def section(
    name: str, value: msgspec.Struct, usual: msgspec.Struct, found: Mapping[str, str]
) -> Iterator[str]:
    """One section with all its keys, then the sections below it."""
    below: list[tuple[str, Any, Any]] = []
    heading = f"[{name}]"
    yield f"{comment(SECTIONS[name])}\n{heading}" if name in SECTIONS else heading
    for field in value.__struct_fields__:
        one, default = getattr(value, field), getattr(usual, field)
        if isinstance(one, msgspec.Struct):
            below.append((f"{name}.{field}", one, default))
        else:
            yield entry(f"{name}.{field}", one, default, found.get(f"{name}.{field}"))
    for part in below:
        yield from section(*part, found)


def entry(name: str, value: Any, usual: Any, found: str | None = None) -> str:
    """One key: what it does, an example, and the line itself, commented out where it is usual."""
    key = KEYS[name]
    is_offered = value == usual and found is not None
    line = f"{name.rpartition('.')[2]} = {written(found if is_offered else value)}"
    mark = "# " if value == usual else ""
    words = [key.doc, f"Example: {key.example}", *([FOUND] if is_offered else [])]
    return "\n".join([*map(comment, words), f"{mark}{line}"])


def house_rules(config: Config) -> str:
    """The section of the game on the table, with all its options."""
    game = game_named(config.table.game)
    chosen, words = config.games.get(game.key, {}), option_words(game)
    lines = [f"[games.{bare(game.key)}]"]
    usual = game.options()
    for field in msgspec.structs.fields(game.options):
        told = f"{words[field.name]}{option_values(field.type)}"
        lines.append("\n" + comment(told[0].upper() + told[1:]))
        value = chosen.get(field.name, getattr(usual, field.name))
        mark = "" if field.name in chosen else "# "
        lines.append(f"{mark}{field.name} = {written(value)}")
    return "\n".join(lines)


def write(path: Path, text: str, console: Console) -> None:
    """Write the file in one go, keeping an older one aside; it is read back before it counts."""
    fresh = path.with_name(f"{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_text(text, encoding="utf-8")
        load_config(fresh)
        if path.exists():
            kept = aside(path)
            path.replace(kept)
            console.print(f"{path} was there; it is now {kept}", soft_wrap=True)
        fresh.replace(path)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror}") from error
    console.print(f"{path}: written; `companion doctor` checks it", soft_wrap=True)
