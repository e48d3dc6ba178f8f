"""Golden playthroughs: whole games in the line protocol, recorded once and compared ever after.

    python tests/companion/playthrough.py            # record all again, as their headers say
    python tests/companion/playthrough.py GAME       # one game; one file for each number of players
    python tests/companion/playthrough.py GAME --players 4 --seed 7 --timed --option end_mode=both

A file holds a header, then a line that came in and the line that answered it, in turn. Answers are
kept in brief: of the counters those that changed, of the offers a digest. When a rule changes,
record again and read the difference; where old journals would play differently now, raise the
revision of the game. Besides what simulated people do, the lines hold some that are refused, some
that are taken back and done again, corrections, and counts set by hand.
"""

import argparse
import hashlib
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion.actions import Waited
from companion.games import GAMES
from companion.offers import Wait
from companion.players import Chance, action_of, seat_simulated, some_players
from companion.protocol import LineProtocol, options_from
from companion.referee import Referee

FOLDER = Path(__file__).parents[1] / "playthroughs"
LIMIT = 2000  # lines of one game
SPICE = 0.08  # share of the moments at which something out of the ordinary happens

Header = dict[str, Any]
Line = dict[str, Any]


def path_of(key: str, players: int) -> Path:
    """Where the playthrough of a game for so many players lies."""
    return FOLDER / f"{key}-{players}.jsonl"


def protocol_for(header: Header) -> LineProtocol:
    """The program's end of the line, at the beginning of the game that a header describes."""
    game = GAMES[header["game"]]
    options = options_from(game.options, tuple(header["options"]))
    return LineProtocol(Referee(game, some_players(header["players"]), options))


class Answers:
    """Shortens answers; remembers the counters, so that only changes are kept."""

    def __init__(self, opening: bytes) -> None:
        self.counters: dict[str, int] = json.loads(opening)["counters"]

    def brief(self, answer: bytes) -> Line:
        """What a reader of the difference between two recordings wants to see."""
        fields = json.loads(answer)
        if "refused" in fields:
            return {"step": fields["step"], "refused": fields["refused"]["code"]}
        counters = fields["counters"]
        changed = {c: n for c, n in counters.items() if self.counters.get(c) != n}
        changed |= {c: None for c in self.counters if c not in counters}
        self.counters = counters
        line = {key: fields[key] for key in ("step", "active", "phase")}
        line["told"] = [f"{told['cue']}: {told['text']}" for told in fields["told"]]
        line["counters"] = changed
        line["offers"] = f"{len(fields['offers'])} {digest(fields['offers'])}"
        return line if fields["outcome"] is None else {**line, "outcome": fields["outcome"]}


def digest(value: Any) -> str:
    """Eight letters that stand for a JSON value."""
    text = json.dumps(value, sort_keys=True).encode()
    return hashlib.sha256(text).hexdigest()[:8]


# --- playing --------------------------------------------------------------------------------------


def played(header: Header) -> Iterator[tuple[Line, Line]]:
    """Play the game of a header; give each line that comes in, and its answer in brief."""
    protocol = protocol_for(header)
    answers, seed = Answers(protocol.opening()), header["seed"]
    rng, at_s = random.Random(f"{seed}/spice"), 0.0
    people = seat_simulated(GAMES[header["game"]], protocol.referee.table.seats, seed)
    chance, referee = Chance(random.Random(f"{seed}/chance")), protocol.referee
    while referee.outcome is None and referee.number < LIMIT:
        intents = [i for p in people.values() if (i := p.intend(referee.table, referee.offers))]
        first = min(intents, key=lambda intent: intent.delay_s)
        action: Any = action_of(first, referee.table, chance)
        at_s = round(at_s + first.delay_s, 3)
        waits = [o.until_s for o in referee.offers if isinstance(o, Wait)]
        if header["timed"] and waits and min(waits) < at_s:
            action, at_s = Waited(min(waits)), min(waits)
        line = msgspec.to_builtins(action)
        if header["timed"]:
            line["at_s"] = at_s
        spice = spiced(line, referee, rng) if rng.random() < SPICE else [line]
        for one in spice:
            yield one, answers.brief(protocol.answer(json.dumps(one).encode()))


def spiced(line: Line, referee: Referee, rng: random.Random) -> list[Line]:
    """A line with something out of the ordinary around it, after which it has its effect."""
    kind = rng.choice(["undo", "refused", "adjusted", "correct"])
    if kind == "undo" and line["type"] != "waited":
        return [line, {"type": "undo"}, line]
    if kind == "adjusted":
        counter, value = rng.choice(list(referee.table.counters.items()))
        return [{"type": "adjusted", "counter": counter, "value": value}, line]
    if kind == "correct" and referee.number:
        step = referee.step(rng.randint(max(1, referee.number - 5), referee.number))
        action = msgspec.to_builtins(step.report.action)
        return [{"type": "correct", "step": step.number, "action": action}, line]
    stranger = {"type": "chose", "player": referee.table.seats[-1], "choice": "dance"}
    nothing = {"type": "adjusted", "counter": "", "value": 1}
    return [stranger, {**line, "by": "nobody"}, nothing, line]


# --- files ----------------------------------------------------------------------------------------


def read(path: Path) -> tuple[Header, list[tuple[Line, Line]]]:
    """The header of a file, and its lines with their answers."""
    header, *lines = (json.loads(line) for line in path.read_text().splitlines())
    return header, list(zip(lines[::2], lines[1::2], strict=True))


def record(header: Header) -> Path:
    """Play the game of a header and write its file."""
    FOLDER.mkdir(exist_ok=True)
    header = {**header, "revision": GAMES[header["game"]].revision}
    lines = [header, *(line for both in played(header) for line in both)]
    path = path_of(header["game"], header["players"])
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    return path


def header_of(key: str, players: int) -> Header:
    """The header that a file has, or that a new one gets; every other one is timed."""
    path = path_of(key, players)
    if path.exists():
        return read(path)[0]
    timed = players % 2 > 0
    return {"game": key, "players": players, "options": [], "seed": players, "timed": timed}


def main() -> None:
    """Record what the command line names."""
    parser = argparse.ArgumentParser(description="Record golden playthroughs.")
    parser.add_argument("games", nargs="*", metavar="GAME", help="keys of games; all without any")
    parser.add_argument("--players", type=int, help="only this number of players")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--timed", action=argparse.BooleanOptionalAction, default=None)
    parser.add_argument("--option", action="append", dest="options", metavar="NAME=VALUE")
    asked = parser.parse_args()
    wanted = {n: v for n in ("seed", "timed", "options") if (v := getattr(asked, n)) is not None}
    for key in asked.games or GAMES:
        for players in GAMES[key].seats if asked.players is None else [asked.players]:
            path = record({**header_of(key, players), **wanted})
            print(f"{path.name}: {len(path.read_text().splitlines())} lines")


if __name__ == "__main__":
    main()
