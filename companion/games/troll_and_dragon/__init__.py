"""Troll & Dragon: brave the grotto, race the Dragon for its gold, know when to leave.

Designer: Alexandre Emerit; publisher: LOKI. Read `script.py` beside the rule book, then its
headings in their order: `grotto.py`, `cavern.py`, `dragon.py`. `pieces.py` is what lies in the box,
`words.py` what is said, `show.py` what screens show.
"""

from typing import Any

import msgspec

from companion.games.troll_and_dragon import words
from companion.games.troll_and_dragon.pieces import Options, TrollTable, setup
from companion.games.troll_and_dragon.script import play
from companion.games.troll_and_dragon.show import FACE_NAMES
from companion.scripts import Game
from companion.table import Table
from companion.words import die_name, mark, say, word

TAKEN = {"gold": mark("one gold nugget"), "diamond": mark("one diamond")}


def fair(options: Options, within_s: float) -> Options:
    """The options with a tie window that is no smaller than what the sensors can tell apart."""
    return msgspec.structs.replace(options, tie_window_s=max(options.tie_window_s, within_s))


def value_label(table: Table, choice: str, value: Any) -> str:
    """What a value of a choice is called on a button."""
    if choice == "set_aside" and isinstance(table, TrollTable):
        face = word(FACE_NAMES[table.grotto.faces.get(str(value))])
        return say("{face} ({die})", face=face, die=die_name(str(value)))
    return TAKEN.get(str(value), str(value))


GAME = Game(
    key="troll_and_dragon",
    title="Troll & Dragon",
    seats=range(2, 6),
    setup=setup,
    play=play,
    options=Options,
    cues=words.CUES,
    phases=words.PHASES,
    choices=words.CHOICES,
    labels=value_label,
    fair=fair,
)
