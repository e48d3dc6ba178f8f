"""Where the steps of a game were played: with real dice, or in a simulated room.

A journal notes it whenever a game is taken up, so a game that goes on elsewhere has both. What was
written before such notes were kept is told by its sources: only simulated people are `simulated`.
"""

from collections.abc import Callable, Sequence

from companion.journal import GameRow, StepRow

REAL, SIMULATED, BOTH, UNKNOWN = "real", "simulated", "both", "unknown"
BY_SIMULATED = "simulated"  # source of reports that simulated people bring


def room_of(row: GameRow) -> str:
    """Where a game was played, as far as its notes tell."""
    kinds = {is_simulated for _, is_simulated in row.rooms}
    if len(kinds) > 1:
        return BOTH
    return UNKNOWN if not kinds else SIMULATED if kinds.pop() else REAL


def simulated_steps(row: GameRow, steps: Sequence[StepRow]) -> Callable[[int], bool]:
    """Tell of a step, by its number, whether it was played in a simulated room."""
    unnoted = any(step.report.source == BY_SIMULATED for step in steps)

    def is_simulated(number: int) -> bool:
        before = [simulated for after, simulated in row.rooms if after < number]
        return before[-1] if before else unnoted

    return is_simulated
