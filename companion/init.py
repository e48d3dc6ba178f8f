"""`companion init`: a commented companion.toml, written after a few questions."""

from collections.abc import Iterator
from pathlib import Path
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

LOOPBACK, EVERYWHERE = "127.0.0.1", "0.0.0.0"
PORTS = ("dev/serial/by-id/*", "dev/ttyACM*", "dev/ttyUSB*")
HEAD = """\
Settings of the companion. Lines that begin with # are comments: what stands behind them holds
anyway. Take the # away and change the value. `companion doctor` checks this file."""


def ask_and_write(path: Path, console: Console, *, yes: bool, replace: bool) -> None:
    """Ask, unless `yes`, and write the file; ConfigError where one would be replaced unasked."""
    check_free(path, yes=yes, replace=replace)
    ports = found_ports(Path("/"))
    say_devices(console, ports)
    write(path, compose(Config() if yes else ask_all(Config(), ports)), console)


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


def ask_all(config: Config, ports: list[str]) -> Config:
    """Ask which game, who plays, which receiver, and who may look."""
    keys = list(GAMES)
    game = game_named(click.prompt("Which game?", type=click.Choice(keys), default=keys[0]))
    table = msgspec.structs.replace(config.table, game=game.key, players=ask_players(game))
    config = msgspec.structs.replace(config, table=table)
    dice = example_dice(game)
    if dice and ports and click.confirm(f"Is a receiver of smart dice at {ports[0]}?"):
        settings = msgspec.structs.replace(config.dice, port=ports[0], names=ask_names(game, dice))
        config = msgspec.structs.replace(config, dice=settings)
    question = "May phones and screens in your network see the table?"
    host = EVERYWHERE if click.confirm(question, default=True) else LOOPBACK
    web = msgspec.structs.replace(config.web, host=host)
    return msgspec.structs.replace(config, web=web)


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
    names = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")[: game.seats.start]
    return [die.name for die in game.table(tuple(players_named(names))).dice]


def say_devices(console: Console, ports: list[str]) -> None:
    """Tell which devices were found."""
    cameras = [f"/dev/{one.name}" for one in sorted(Path("/dev").glob("video[0-9]*"))]
    console.print(f"Serial ports found: {', '.join(ports) or 'none'}", soft_wrap=True)
    console.print(f"Cameras found: {', '.join(cameras) or 'none'}", soft_wrap=True)


def found_ports(root: Path) -> list[str]:
    """Serial ports that may be a receiver, best names first."""
    for pattern in PORTS:
        found = sorted(f"/{port.relative_to(root)}" for port in root.glob(pattern))
        if found:
            return found
    return []


# --- the file -------------------------------------------------------------------------------------


def compose(config: Config) -> str:
    """A settings file with every key: those that differ from the defaults hold, others are told."""
    parts = [comment_lines(HEAD)]
    for field in msgspec.structs.fields(Config):
        value, usual = getattr(config, field.name), getattr(Config(), field.name)
        if isinstance(value, msgspec.Struct):
            parts += section(field.name, value, usual)
    parts.append(f"{comment(SECTIONS['games'])}\n{house_rules(config)}")
    return "\n\n".join(parts) + "\n"


def comment_lines(text: str) -> str:
    """Lines as they are, each a comment."""
    return "\n".join(f"# {line}" for line in text.splitlines())


def section(name: str, value: msgspec.Struct, usual: msgspec.Struct) -> Iterator[str]:
    """One section with all its keys, then the sections below it."""
    below: list[tuple[str, Any, Any]] = []
    heading = f"[{name}]"
    yield f"{comment(SECTIONS[name])}\n{heading}" if name in SECTIONS else heading
    for field in value.__struct_fields__:
        one, default = getattr(value, field), getattr(usual, field)
        if isinstance(one, msgspec.Struct):
            below.append((f"{name}.{field}", one, default))
        else:
            yield entry(f"{name}.{field}", one, default)
    for part in below:
        yield from section(*part)


def entry(name: str, value: Any, usual: Any) -> str:
    """One key: what it does, an example, and the line itself, commented out where it is usual."""
    key = KEYS[name]
    line = f"{name.rpartition('.')[2]} = {written(value)}"
    mark = "# " if value == usual else ""
    return f"{comment(key.doc)}\n{comment(f'Example: {key.example}')}\n{mark}{line}"


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
