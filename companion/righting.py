"""What a referee looks at before putting something right: what counts, what dice may show.

A step of the history may have been taken back or corrected since. What counts now is the referee's
line; a reader of the history sees both, so that nothing that happened is hidden from who decides.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from companion.actions import Correct, Rolled, Undo
from companion.alternatives import alternatives, is_open_to_change, key_of
from companion.errors import IllegalAction
from companion.referee import Referee
from companion.snapshot import describe_report, step_row
from companion.steps import Step
from companion.table import Table

Misread = Mapping[tuple[str, str], Counter[str]]


def review(
    referee: Referee, before: int | None, most: int, opened: Collection[int] = ()
) -> list[dict[str, Any]]:
    """The newest steps first, as a referee sees them; at most `most`, all below number `before`.

    Each row is that of `step_row`, and says besides: `counts`, whether the step still does;
    `now`, as what it counts where it was corrected, else None; `dice`, of a roll that counts,
    with the faces that each may really have shown; `changeable`, of a choice or tile that may
    have been another, the name of what it counts as, else ""; `alternatives`, what else it may
    have been, of those in `opened`.
    """
    top = referee.number if before is None else min(before - 1, referee.number)
    counting, misread = referee.counting, misreadings(referee)
    steps = reversed(referee.history[max(0, top - most) : max(0, top)])
    rows = []
    for step in steps:
        now = counting.get(step.number)
        row = reviewed(referee, step, now, misread)
        may_change = now is not None and is_open_to_change(referee, now)
        row["changeable"] = key_of(now.report.action) if now is not None and may_change else ""
        wanted = bool(row["changeable"]) and step.number in opened
        row["alternatives"] = alternatives(referee, step.number) if wanted else None
        rows.append(row)
    return rows


def reviewed(referee: Referee, step: Step, now: Step | None, misread: Misread) -> dict[str, Any]:
    """One step as a referee sees it; `now` is how it counts, None where it does not."""
    row = step_row(referee, step)
    corrected = now is not None and now.report.action != step.report.action
    row["counts"] = now is not None or isinstance(step.report.action, Undo | Correct)
    row["now"] = describe_report(referee, referee.public(now).report) if now and corrected else None
    action = now.report.action if now is not None else None
    row["dice"] = dice_rows(referee, action, misread) if isinstance(action, Rolled) else []
    return row


def dice_rows(referee: Referee, action: Rolled, misread: Misread) -> list[dict[str, Any]]:
    """The dice of a roll: what each shows, and its faces, that one first, then the likeliest."""
    dice = referee.table.dice
    return [
        {
            "name": name,
            "kind": dice[name].kind,
            "colour": dice[name].colour,
            "face": face,
            "faces": likeliest(dice[name].kind, dice[name].faces, face, misread),
        }
        for name, face in action.faces.items()
    ]


def likeliest(kind: str, sides: tuple[str, ...], shown: str, misread: Misread) -> list[str]:
    """The faces of a die: the one that was read, then the likeliest to have been read as that.

    Likelier is what people have put right before on dice of this kind, then what more sides show.
    """
    before, often = misread.get((kind, shown), Counter()), Counter(sides)
    others = [face for face in dict.fromkeys(sides) if face != shown]
    return [shown, *sorted(others, key=lambda face: (-before[face], -often[face]))]


def misreadings(referee: Referee) -> Misread:
    """Faces that people have put right in this game: what was read, and what it really was."""
    found: dict[tuple[str, str], Counter[str]] = {}
    for step in referee.history:
        wish = step.report.action
        if not (isinstance(wish, Correct) and isinstance(wish.action, Rolled)):
            continue
        read = referee.step(wish.step).report.action
        if isinstance(read, Rolled):
            note_differences(referee, read, wish.action, found)
    return found


def note_differences(
    referee: Referee, read: Rolled, right: Rolled, found: dict[tuple[str, str], Counter[str]]
) -> None:
    """Count the dice of which another face was told than had been read."""
    for name, face in right.faces.items():
        was = read.faces.get(name)
        if was is not None and was != face:
            found.setdefault((referee.table.dice[name].kind, was), Counter())[face] += 1


def counter_rows(referee: Referee) -> list[dict[str, Any]]:
    """Every public count with its label, and whether it can be set by hand."""
    table = referee.table
    fixed = derived_counters(referee)
    return [
        {"name": name, "label": table.label(name), "value": n, "adjustable": name not in fixed}
        for name, n in table.counters.items()
    ]


def derived_counters(referee: Referee) -> frozenset[str]:
    """Counts that follow from others, asked of a table of its own that nobody plays at."""
    spare = referee.game.table(referee.players, referee.options)
    return frozenset(
        name for name, n in spare.counters.items() if not is_adjustable(spare, name, n)
    )


def is_adjustable(table: Table, name: str, value: int) -> bool:
    """True for a count that takes the value that it has; on a table that nobody plays at."""
    try:
        table.adjust(name, value)
    except IllegalAction:
        return False
    return True


def labelled(referee: Referee, preview: dict[str, Any]) -> dict[str, Any]:
    """A preview with the labels of the counters that would change."""
    names = preview["changes"]
    return {**preview, "labels": {name: referee.table.label(name) for name in names}}
