"""The command line: `companion COMMAND --help` shows examples for each."""

import errno
import gc
import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec
from rich.markup import escape

from companion.camera_command import camera
from companion.commands import (
    ERR,
    OUT,
    calibrate,
    enrol,
    examples,
    json_option,
    option_option,
)
from companion.config import Config, default_journal, game_named, load_config, players_named
from companion.errors import CompanionError
from companion.faults_command import fault_option, faults
from companion.household import COMMANDS
from companion.measuring import bench
from companion.pins_command import pins
from companion.protocol import LineProtocol, checked_options, options_from
from companion.record_command import record
from companion.referee import Referee
from companion.scripts import Game
from companion.watching import watch
from companion.words import of_system

RARELY = (50_000, 20, 50)  # a table makes next to no garbage in circles; looking for it costs time
F = TypeVar("F", bound=Callable[..., Any])


class Friendly(click.Group):
    """A group whose commands end with one clear line when something is wrong.

    Bluetooth needs 7 MB, so the command that talks to dice is loaded when it is asked for.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, by name."""
        return sorted([*super().list_commands(ctx), "dice"])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name."""
        if cmd_name != "dice":
            return super().get_command(ctx, cmd_name)
        from companion.dice_command import dice

        return dice

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; what the companion raises on purpose is said, not dumped."""
        try:
            return super().invoke(ctx)
        except CompanionError as error:
            _say_why(str(error))
            ctx.exit(2)

    def main(self, *args: Any, **given: Any) -> Any:
        """Run the command line; a full disk is said, not dumped, wherever it is met."""
        try:
            return super().main(*args, **given)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            _say_why(f"{error.filename or 'output'}: cannot be written: {of_system(error)}")
            sys.exit(2)


def _say_why(why: str) -> None:
    ERR.print(f"[bold red]companion:[/bold red] {escape(why)}", soft_wrap=True)


@click.group(cls=Friendly, epilog=examples("play", "play troll_and_dragon --players Ann,Bo"))
@click.version_option(package_name="table-companion", prog_name="companion")
@click.option("--verbose", "-v", is_flag=True, help="Log what happens inside, to stderr.")
def main(verbose: bool) -> None:
    """The referee for real tables: it reads dice, keeps rules and score, tells everybody."""
    level = logging.INFO if verbose else logging.WARNING
    logging.basicConfig(level=level, format="%(levelname)s %(name)s: %(message)s")
    gc.set_threshold(*RARELY)


main.add_command(calibrate)
main.add_command(enrol)
main.add_command(pins)
main.add_command(faults)
main.add_command(camera)
main.add_command(watch)
main.add_command(record)
main.add_command(bench)
for household in COMMANDS:
    main.add_command(household)


def game_argument(required: bool) -> Callable[[F], F]:
    """The argument that names a game."""
    return click.argument("game", required=required, default=None if required else "")


player_option = click.option(
    "--players", help="Names, separated by commas. Default: from companion.toml, or Ann,Bo,Cy."
)
journal_option = click.option(
    "--journal",
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"File of the journal. Default: {default_journal()}.",
)
config_option = click.option(
    "--config",
    "config_path",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Settings file. Default: companion.toml in this folder, if there is one.",
)
host_option = click.option("--host", help="Address of the dashboard. Default: 127.0.0.1.")
lan_option = click.option(
    "--lan", is_flag=True, help="Let other machines in the house reach the dashboard."
)
simulated_option = click.option(
    "--simulated/--real", default=None,
    help="Simulated people and hardware, or real ones. Default: simulated, unless companion.toml "
         "names a receiver, dice or a camera.",
)  # fmt: skip
port_option = click.option(
    "--port", type=click.IntRange(0, 65535), help="Port of the dashboard. Default: 8000."
)


def settings(config_path: Path | None) -> Config:
    """The settings that hold here."""
    usual = Path("companion.toml")
    return load_config(config_path or (usual if usual.is_file() else None))


def game_options(game: Game, config: Config, options: tuple[str, ...]) -> msgspec.Struct:
    """House rules from the settings file, then from the command line."""
    typed = msgspec.to_builtins(options_from(game.options, options))
    named = {setting.partition("=")[0].split(".")[0] for setting in options}
    chosen = {name: typed[name] for name in named}
    return checked_options(game.options, config.games.get(game.key, {}) | chosen)


@main.command(
    epilog=examples(
        "play",
        "play troll_and_dragon --players Ann,Bo --new",
        "play --simulated --speed 20 --until-end --no-web --seed 1",
        "play --option end_mode=both --option tie_goes_to=dragon",
        "play --fault camera-unplugged@30s --fault noisy-serial=5%",
    )
)
@game_argument(required=False)
@player_option
@option_option
@journal_option
@config_option
@click.option("--new", is_flag=True, help="Begin another game although one is unfinished.")
@click.option("--up-to", type=click.IntRange(min=0), metavar="STEP",
              help="Go on from after this step of the unfinished game.")  # fmt: skip
@simulated_option
@click.option("--seed", type=int, help="Makes a simulated game repeatable.")
@click.option("--speed", type=click.FloatRange(min=0.1), default=1.0, show_default=True,
              help="Ceiling for simulated time, times real time.")  # fmt: skip
@fault_option
@click.option("--until-end", is_flag=True, help="Stop when the game is over.")
@click.option("--web/--no-web", default=True, show_default=True, help="Serve the dashboard.")
@lan_option
@host_option
@port_option
def play(**given: Any) -> None:
    """Play a game, or go on with the one that was interrupted.

    Without hardware, simulated people play with simulated dice, until somebody takes a seat on the
    dashboard. An unfinished game in the journal is continued; --new begins another.
    """
    from companion.service import run

    run(setting_from(**given), OUT)


@main.command(
    epilog=examples(
        "serve", "serve --lan --port 80 --config /etc/companion.toml", "serve --simulated"
    )
)
@journal_option
@config_option
@simulated_option
@lan_option
@host_option
@port_option
def serve(**given: Any) -> None:
    """Run as a service: the game of companion.toml, with the hardware that it names."""
    from companion.service import run

    run(setting_from(**given), OUT)


def setting_from(
    *,
    config_path: Path | None,
    journal: Path | None,
    host: str | None,
    port: int | None,
    game: str = "",
    players: str | None = None,
    options: tuple[str, ...] = (),
    new: bool = False,
    up_to: int | None = None,
    simulated: bool | None = None,
    faults: tuple[str, ...] = (),
    seed: int | None = None,
    speed: float | None = 1.0,
    until_end: bool = False,
    web: bool = True,
    lan: bool = False,
) -> Any:
    """Everything that `play` and `serve` need, from settings and command line."""
    from companion.screens import address_of
    from companion.service import Setting

    config = settings(config_path)
    chosen = game_named(game or config.table.game)
    names = tuple(players.split(",")) if players else config.table.players
    where = address_of(host, config.web.host, lan=lan)
    address = (where, config.web.port if port is None else port)
    return Setting(
        game=chosen,
        players=tuple(players_named(names)),
        options=game_options(chosen, config, options),
        journal=journal or default_journal(),
        new=new,
        up_to=up_to,
        seed=seed,
        speed=speed,
        until_end=until_end,
        web=address if web else None,
        announce=config.web.announce,
        hosts=config.web.names,
        proxies=config.web.proxies,
        simulated=not config.is_real if simulated is None else simulated,
        faults=faults,
        dice=config.dice,
        square=config.square,
        camera=config.camera,
        alerts=config.alerts,
        pins=config.pins,
        home=config_path.parent if config_path else Path(),
        config=config_path,
        rules=config.games,
    )


@main.command(
    epilog=examples(
        "referee troll_and_dragon --players ann,bo,cy",
        "referee troll_and_dragon --players ann,bo --option end_mode=both < lines.json",
    )
)
@game_argument(required=True)
@click.option("--players", required=True, help="Names, separated by commas.")
@option_option
@config_option
def referee(game: str, players: str, options: tuple[str, ...], config_path: Path | None) -> None:
    """Referee a game over standard input and output: a JSON line in, a JSON line out."""
    chosen = game_named(game)
    house_rules = game_options(chosen, settings(config_path), options)
    seated = players_named(tuple(players.split(",")))
    protocol = LineProtocol(Referee(chosen, seated, house_rules))
    out = sys.stdout.buffer
    out.write(protocol.opening() + b"\n")
    out.flush()
    for line in sys.stdin.buffer:
        out.write(protocol.answer(line) + b"\n")
        out.flush()


@main.command(
    epilog=examples(
        "read dice.jpg", "read --json photos/*.jpg", "read --set grotto --expect 4 a.jpg"
    )
)
@click.argument("pictures", nargs=-1, required=True)
@click.option("--set", "learnt", type=click.Path(file_okay=False, path_type=Path),
              help="Learnt set of symbol dice; see `companion enrol`.")  # fmt: skip
@click.option("--expect", type=click.IntRange(1), help="How many dice lie there.")
@click.option("--empty", help="Picture of the empty tray.")
@click.option("--draw", type=click.Path(file_okay=False, path_type=Path),
              help="Folder for pictures with what was read drawn on them.")  # fmt: skip
@json_option
def read(pictures: tuple[str, ...], learnt: Path | None, **given: Any) -> None:
    """Read the dice in photographs: pip dice need no teaching, symbol dice a learnt --set."""
    from companion.reading import read_all
    from companion.symbol_reading import read_all_symbols

    if learnt is None:
        fine = read_all(pictures, OUT, **given)
    else:
        fine = read_all_symbols(pictures, OUT, learnt=learnt, **given)
    if not fine:
        sys.exit(1)


@main.command(epilog=examples("replay", "replay 3 --json", "replay companion-support.zip"))
@click.argument("which", required=False, metavar="[GAME|BUNDLE]")
@journal_option
@json_option
def replay(which: str | None, journal: Path | None, as_json: bool) -> None:
    """Print the steps of a game, by default the latest of the journal.

    GAME is its number in the journal; BUNDLE a file of `companion support-bundle`.
    """
    from companion.records import print_replay

    if which is not None and not which.isdigit():
        from companion.bundle import replay_bundle

        replay_bundle(Path(which), OUT, as_json=as_json)
        return
    number = None if which is None else int(which)
    print_replay(journal or default_journal(), number, OUT, as_json=as_json)


@main.command(epilog=examples("games", "games --json"))
@journal_option
@json_option
def games(journal: Path | None, as_json: bool) -> None:
    """List the games of the journal."""
    from companion.records import print_games

    print_games(journal or default_journal(), OUT, as_json=as_json)


@main.command(epilog=examples("doctor", "doctor --json"))
@journal_option
@config_option
@json_option
def doctor(journal: Path | None, config_path: Path | None, as_json: bool) -> None:
    """Check whether everything is there that the companion needs, and say what to do."""
    from companion.doctor import examine

    findings = examine(journal or default_journal(), config_path, OUT, as_json=as_json)
    if any(finding.state == "bad" for finding in findings):
        sys.exit(1)


if __name__ == "__main__":
    main()
