"""What may be shown of a running game: nothing that joins a square with what lies covered there.

The referee remembers every face that was turned up, so that it notices when a tile changes. People
are to remember by themselves. What lies face up may be shown with its square; everything else that
was reported is shown without square, face and picture, and what was told about it is not told
again. Nobody is shown where a spider was put, and squares that had to be covered are not repeated.
"""

from typing import TYPE_CHECKING

import msgspec

from companion.actions import Action, Chose, Correct, Entry, Flipped
from companion.games.schatz_der_drachen import words
from companion.steps import Step, Told

if TYPE_CHECKING:
    from companion.games.schatz_der_drachen.pieces import TreasureTable

WITHHELD = "?"
FLEETING = ("up.",)  # the step in which such a count rose is the step of a square
TELLS_A_FACE = {
    cue.name
    for cue in (
        words.TURNED_UP,
        words.SET_COMPLETE,
        words.RING,
        words.DRAGON,
        words.CLASH,
        words.SPIDER,
        words.SPIDER_COVERED,
        words.ONLY_SPIDERS_LEFT,
        words.AUDIT,
    )
}
TELLS_A_SQUARE = {words.PLEASE_COVER.name, words.ONE_AT_A_TIME.name}
TURNED_UP_ONCE = Told(words.TURNED_UP, "A tile was turned up; it is covered again.")
ASKED_TO_COVER = Told(words.PLEASE_COVER, "Please cover the tiles.")


def public(step: Step, table: "TreasureTable") -> Step:
    """What of a step may be shown as long as the game runs, as the table lies now."""
    report = step.report
    shown = shown_entry(report.action, step.number, table)
    hidden = shown is not report.action
    if hidden:
        report = msgspec.structs.replace(report, action=shown, evidence=None)
    told = step.told if step.number == table.step else told_again(step.told, hidden)
    return Step(step.number, report, told, step.player)


def shown_entry(entry: Entry, number: int, table: "TreasureTable") -> Entry:
    """The entry of a step, or what may be shown of it."""
    if isinstance(entry, Correct):
        action = shown_action(entry.action, entry.step, table)
        if action is entry.action:
            return entry
        return Correct(entry.step, action, entry.drop_later)
    return entry if not isinstance(entry, Flipped | Chose) else shown_action(entry, number, table)


def shown_action(action: Action, number: int, table: "TreasureTable") -> Action:
    """The action of a step, without the square unless the tile lies face up there now."""
    match action:
        case Flipped(square=square, face=face):
            lies_there = table.up.get(square) == face and table.turned_in.get(square) == number
            return action if lies_there else Flipped(WITHHELD, WITHHELD)
        case Chose(player=player, choice="keep", value=square):
            return action if square in table.up else Chose(player, "keep", WITHHELD)
        case Chose(player=player, choice="move_spider" | "move_dragon" as choice):
            return Chose(player, choice, WITHHELD)
    return action


def told_again(told: tuple[Told, ...], hidden: bool) -> tuple[Told, ...]:
    """What may be told once more, when the step is no longer the latest."""
    again: list[Told] = []
    for one in told:
        if one.cue.name in TELLS_A_SQUARE:
            one = ASKED_TO_COVER
        elif hidden and one.cue.name in TELLS_A_FACE:
            one = TURNED_UP_ONCE
        if one not in again:
            again.append(one)
    return tuple(again)
