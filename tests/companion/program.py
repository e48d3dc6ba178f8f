"""A program at the other end of the line protocol."""

import json

from companion.games import GAMES
from companion.protocol import (
    LineProtocol,
    checked_options,
)
from companion.referee import Referee
from companion.table import Player

TROLL = GAMES["troll_and_dragon"]
WHITE = ["white-1", "white-2", "white-3", "white-4"]
GOLD = ["gold-1", "gold-2"]
RED = ["red-1", "red-2"]
CHOSE = {"type": "chose", "player": "ann", "choice": "leave"}


class Program:
    """A program at the other end of the line."""

    def __init__(self, *seats, **options):
        players = [Player(seat, seat.capitalize()) for seat in seats or ("ann", "bo", "cy")]
        self.referee = Referee(TROLL, players, checked_options(TROLL.options, options))
        self.protocol = LineProtocol(self.referee)

    def send(self, **fields):
        return self.line(json.dumps(fields).encode())

    def line(self, line):
        answer = self.protocol.answer(line)
        assert isinstance(answer, bytes)
        assert b"\n" not in answer
        fields = json.loads(answer)
        assert fields["step"] == self.referee.number
        return fields

    def rolled(self, dice, faces, **more):
        return self.send(type="rolled", faces=dict(zip(dice, faces, strict=True)), **more)

    def chose(self, player, choice, value=None, **more):
        if value is not None:
            more["value"] = value
        return self.send(type="chose", player=player, choice=choice, **more)

    def enter(self, **more):
        self.rolled(WHITE, ["key", "door", "diamond", "diamond"], **more)
        self.chose("ann", "set_aside", "white-1", **more)
        return self.chose("ann", "set_aside", "white-2", **more)


def refused(answer, code):
    """True for a line that says why not, with nothing more in it than it should have."""
    assert set(answer) == {"step", "refused"}
    assert {"code", "message"} <= set(answer["refused"])
    assert answer["refused"]["message"]
    assert len(json.dumps(answer)) < 2000
    return answer["refused"]["code"] == code


def cues(answer):
    return [told["cue"] for told in answer["told"]]


def awake(**options):
    """A program whose Dragon has been up since second 10."""
    program = Program(**options)
    program.enter(at_s=1)
    program.rolled(GOLD, ["gold1", "blank"], at_s=5)
    assert program.rolled(RED, ["dragon", "dragon"], at_s=10)["phase"] == "photo_finish"
    return program
