"""Roll for Adventure: place dice together, win power stones, hold the Master of Shadows off.

Designers: Matthew Dunstan and Brett J. Gilbert; publisher: Kosmos. Read `script.py` beside the
rule book, for the course of a turn; then a module for each heading: desert, fortress, forest, ice,
enemies, vortex, heroes. `placing` says what may be placed where, `pieces` what lies on the table,
`pack.toml` what is printed on it.
"""

from typing import Any

from companion.games.roll_for_adventure import words
from companion.games.roll_for_adventure.options import Options
from companion.games.roll_for_adventure.pieces import AdventureTable
from companion.games.roll_for_adventure.script import play
from companion.games.roll_for_adventure.setup import setup
from companion.scripts import Game
from companion.table import Table


def value_label(table: Table, choice: str, value: Any) -> str:
    """What a value of a choice is called on a button."""
    if isinstance(table, AdventureTable):
        return words.value_name(table.names, {c.id: c.name for c in table.cards.values()}, value)
    return str(value)


GAME = Game(
    key="roll_for_adventure",
    title="Roll for Adventure",
    seats=range(2, 5),
    setup=setup,
    play=play,
    options=Options,
    cues=words.CUES,
    phases=words.PHASES,
    choices=words.CHOICES,
    labels=value_label,
)
