"""What screens hear of a table beside its game: who sits there, how sensors fare, what waits."""

from typing import Any

from companion.around import Room
from companion.inbox import Inbox
from companion.machine import Machine
from companion.referee import Referee
from companion.snapshot import describe_report


def player_rows(referee: Referee, room: Room | None) -> list[dict[str, Any]]:
    """The seats: key, name, score, colour, and whether a person sits there."""
    people = room.people if room is not None else set()
    scores = referee.table.scores
    return [
        {
            "key": one.key,
            "name": one.name,
            "person": one.key in people,
            "score": scores.get(one.key),
            "colour": one.colour,
        }
        for one in referee.players
    ]


def moving_parts(
    referee: Referee, room: Room | None, inbox: Inbox, machine: Machine
) -> dict[str, Any]:
    """Sensors and machine, where dice roll, and the reports that wait."""
    sources = [*(room.sources() if room is not None else []), *machine.rows()]
    asks = getattr(room, "asks", list)  # only real people are asked for their hands
    return {
        "asks": asks(),
        "sources": sources,
        "moving": [row["name"] for row in sources if row.get("moving")],
        "waiting": [describe_report(referee, report) for report in inbox.waiting()],
    }
