"""`companion dice`: shows smart dice live, names, maps and calibrates them.

The settings are companion.toml's; what is learnt is kept in `dice.toml` beside it. `--simulated`
does everything with dice that do not exist, and keeps nothing.
"""

import asyncio
import contextlib
import sys
import threading
from pathlib import Path

import click
from rich.live import Live
from rich.table import Table

from companion.commands import ERR, OUT, examples
from companion.config import load_config
from companion.dice_calibrating import calibrate as calibrate_die
from companion.dice_case import LISTEN_S, Case, case_for
from companion.dice_file import calibrated, mapped, peered, renamed
from companion.dice_table import shown, snapshot
from companion.errors import ConfigError, DeviceError
from companion.protocol import encode
from firmware import wire
from hardware.ble_dice import checked_peer
from hardware.ble_radio import nearby as bluetooth_nearby
from hardware.ports import find_ports

LOOK_S = 0.1

pass_case = click.make_pass_decorator(Case)


@click.group(
    "dice",
    invoke_without_command=True,
    epilog=examples(
        "dice --simulated",
        "dice --json",
        "dice map die-94a1c3 red-1",
        "dice calibrate die-94a1c3",
        "dice map ruby red-2 --bluetooth 'pixels E0:5A:1B:00:00:01'",
    ),
)
@click.option("--config", "config_path",
              type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Settings file. Default: companion.toml here, if there is one.")  # fmt: skip
@click.option("--game", default="", help="Whose dice. Default: the game of the settings.")
@click.option("--port", default="", help="Port of the receiver; auto looks for one.")
@click.option("--simulated", is_flag=True, help="Dice that do not exist, to try it out.")
@click.option("--seconds", type=click.FloatRange(min=0.0), help="Show them only for so long.")
@click.option("--json", "as_json", is_flag=True, help="One look, as JSON for programs.")
@click.pass_context
def dice(
    ctx: click.Context,
    config_path: Path | None,
    game: str,
    port: str,
    simulated: bool,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Show smart dice live, and set them up: names, dice of the game, faces."""
    usual = Path("companion.toml")
    path = config_path or (usual if usual.is_file() else None)
    ctx.obj = case_for(load_config(path), path, game, port, OUT, simulated=simulated)
    if ctx.invoked_subcommand is None:
        _look(ctx.obj, seconds, as_json=as_json)


def _look(case: Case, seconds: float | None, *, as_json: bool) -> None:
    with case.open(idle=False) as station:
        station.wait_until_heard(LISTEN_S if seconds is None else seconds)
        if as_json:
            sys.stdout.buffer.write(encode(snapshot(station.health())) + b"\n")
        elif OUT.is_terminal:
            _live(case, seconds)
        else:
            OUT.print(shown(station.health(), station.clock.now_s()))


def _live(case: Case, seconds: float | None) -> None:
    station, pause = case.station, threading.Event()
    until_s = float("inf") if seconds is None else station.clock.now_s() + seconds
    with contextlib.suppress(KeyboardInterrupt), Live(console=OUT, auto_refresh=False) as live:
        while station.clock.now_s() < until_s:
            live.update(shown(station.health(), station.clock.now_s()), refresh=True)
            pause.wait(LOOK_S)


@dice.command("map", epilog=examples("dice map die-94a1c3 white-1"))
@click.argument("own")
@click.argument("name")
@click.option("--bluetooth", "peer", help="A Bluetooth die: its maker and address.")
@pass_case
def map_die(case: Case, own: str, name: str, peer: str | None) -> None:
    """Say which die of the game (NAME, such as white-1) a smart die plays (OWN is its own id)."""
    die = case.die_of_game(name)
    if peer is not None:
        checked_peer(peer)
        case.keep(lambda learnt: peered(mapped(learnt, own, die.name), own, peer))
    else:
        case.keep(lambda learnt: mapped(learnt, own, die.name))
    OUT.print(f"{own} plays {die.name}.", markup=False)


@dice.command("name", epilog=examples("dice name die-94a1c3 ruby"))
@click.argument("own")
@click.argument("new")
@pass_case
def name_die(case: Case, own: str, new: str) -> None:
    """Give a smart die another id of its own; 1 to 16 of a-z 0-9 _ -."""
    with case.open() as station:
        case.die_heard(own)
        station.ask("NAME", own, new)
    case.keep(lambda learnt: renamed(learnt, own, new))
    OUT.print(f"{own} is called {new} now.", markup=False)


@dice.command(epilog=examples("dice blink die-94a1c3"))
@click.argument("own")
@pass_case
def blink(case: Case, own: str) -> None:
    """Let a smart die blink, to see which one it is."""
    with case.open() as station:
        case.die_heard(own)
        station.ask("BLINK", own)
    OUT.print(f"{own} blinks.", markup=False)


@dice.command(epilog=examples("dice calibrate die-94a1c3", "dice calibrate ruby --as red-1"))
@click.argument("own")
@click.option("--as", "name", help="The die of the game that it plays. Default: as it is mapped.")
@click.option("--shape", type=click.Choice(wire.SHAPES), help="Its body. Default: as it says.")
@pass_case
def calibrate(case: Case, own: str, name: str | None, shape: str | None) -> None:
    """Find out which face is on which side of a smart die: show each of them once."""
    wired = case.station.wired.get(own)
    if name is None and wired is None:
        raise DeviceError(f"{own} plays no die of the game yet; say --as red-1, or map it first")
    die = case.die_of_game(name or (wired.name if wired else ""))
    with case.open():
        sides = calibrate_die(case, own, die, shape or "")
    case.keep(lambda learnt: calibrated(mapped(learnt, own, die.name), own, sides))
    OUT.print(f"{own} is calibrated as {die.name}.", markup=False)


@dice.command(epilog=examples("dice nearby", "dice nearby --json"))
@click.option("--bluetooth/--no-bluetooth", default=True, help="Look for Bluetooth dice, too.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def nearby(bluetooth: bool, as_json: bool) -> None:
    """List serial ports that may be receivers, and Bluetooth dice in reach."""
    rows = [("port", port.path, port.usb_id or "no USB") for port in find_ports()]
    if bluetooth:
        rows += _bluetooth_rows()
    if as_json:
        keys = ("what", "where", "details")
        listed = [dict(zip(keys, row, strict=True)) for row in rows]
        sys.stdout.buffer.write(encode({"nearby": listed}) + b"\n")
        return
    table = Table("what", "where", "")
    for row in rows:
        table.add_row(*row)
    OUT.print(table)


def _bluetooth_rows() -> list[tuple[str, str, str]]:
    try:
        found = asyncio.run(bluetooth_nearby())
    except (DeviceError, ConfigError) as error:
        ERR.print(str(error), style="yellow", markup=False, soft_wrap=True)
        return []
    return [(name or "?", address, f"{dbm} dBm") for name, address, dbm in found]
