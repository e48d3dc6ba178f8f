"""What reading eight pip dice in a zone of 1280 x 720 px costs on one core, as a game reads them.

The tables of camera/bench_symbols.py, but with pips, are read by whoever reads a tray of a game:
beside the empty tray, after a first picture by the same camera; and whether a die leans is asked
as for learnt dice.
"""

from functools import partial

import numpy as np

from camera.bench_speed import one_thread, took_ms
from camera.bench_symbols import Drawn, are_right, draw_table
from camera.faces import CERTAIN
from camera.halves import Halves
from camera.seek import Seeker
from camera.tray_pips import PIPS, PipDice
from companion.dice import Die

DICE = (
    Die("white-1", "white", PIPS, "#f4f1e8"),
    Die("red-1", "red", PIPS, "#b3262b"),
    Die("black-1", "black", PIPS, "#222222"),
)


def game_speed(tables: int = 12) -> dict[str, float | int]:
    """Give milliseconds, with their unit in the keys, and how many tables were read rightly."""
    with one_thread():
        seeker, drawn = Seeker(), [draw_table(number, DICE) for number in range(tables)]
        took = [_timed(PipDice(DICE, seeker), one) for one in drawn]
    times = [ms for ms, _ in took]
    return {
        "eight_pip_dice_in_game_720p_tables": tables,
        "eight_pip_dice_in_game_720p_right": sum(is_right for _, is_right in took),
        "eight_pip_dice_in_game_720p_min_ms": round(min(times), 2),
        "eight_pip_dice_in_game_720p_median_ms": round(float(np.median(times)), 2),
    }


def _timed(reader: PipDice, drawn: Drawn) -> tuple[float, bool]:
    """How long a table takes, and whether all of its dice were read for sure, and rightly."""
    pixels, empty = drawn.table
    bare = Halves(empty)  # a live tray keeps it
    sure = [one for one in reader.read(pixels, bare) if one.certainty >= CERTAIN]
    return took_ms(partial(reader.read, pixels, bare)), are_right(sure, drawn)
