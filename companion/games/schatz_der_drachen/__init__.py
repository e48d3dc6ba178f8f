"""Schatz der Drachen: remember what lies where, stop in time, fear the spider.

Designer: Reiner Knizia; publisher: Winning Moves Deutschland. Read `script.py` beside the rule
book: it has its headings, in its order. `table_talk.py` is what people settle on the way,
`pieces.py` what lies in the box and what the referee remembers, `hidden.py` what of it may be
shown, `words.py` what is said, `show.py` what screens show.
"""

from typing import Any

from companion.games.schatz_der_drachen import words
from companion.games.schatz_der_drachen.hidden import FLEETING, public
from companion.games.schatz_der_drachen.pieces import Options, setup
from companion.games.schatz_der_drachen.script import play
from companion.scripts import Game
from companion.table import Table
from companion.words import mark


def value_label(table: Table, choice: str, value: Any) -> str:
    """What a value of a choice is called on a button."""
    if value == "stay":
        return mark("where it lies")
    return words.KINDS.get(str(value), f"({value})")


GAME = Game(
    key="schatz_der_drachen",
    title="Schatz der Drachen",
    seats=range(2, 6),
    setup=setup,
    play=play,
    options=Options,
    cues=words.CUES,
    phases=words.PHASES,
    choices=words.CHOICES,
    labels=value_label,
    public=public,
    fleeting=FLEETING,
)
