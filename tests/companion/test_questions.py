"""What a camera asks, and how people say that nobody rolled what lies there."""

import numpy as np
import pytest

from camera.source import Frame
from camera.watch import Question, Sighting
from companion.actions import Chose, Report, Rolled
from companion.app import Companion
from companion.asking import NO_ROLL
from companion.clock import SimulatedClock
from companion.errors import IllegalAction
from companion.games import GAMES
from companion.inbox import Inbox
from companion.players import some_players
from companion.questions import CameraQuestions
from companion.referee import Referee
from companion.sensing import CameraSensor

WHITE = ("white-1", "white-2", "white-3", "white-4")
FACES = dict(zip(WHITE, ("troll", "diamond", "key", "door"), strict=True))
ASKED = {
    "unreadable": WHITE[1:2],
    "crooked": WHITE[1:2],
    "too_few": WHITE[1:],
    "too_many": WHITE[:2],
    "turned": WHITE[:1],
}


class Zone:
    """A zone that asks one thing until it is told that there was no roll."""

    name = "adventurer"

    def __init__(self, reason):
        self.question = Question(reason, 5.0, ASKED[reason], {}, (), None)

    def see(self, frame):
        return Sighting((), frame.at_s, "still", (), self.question)

    def expect(self, dice, at_least=1):
        """Whatever is awaited, it asks."""

    def answered(self, faces):
        """Whatever is entered, it asks."""

    def start_anew(self):
        """Whatever it missed, it asks."""

    def no_roll(self):
        self.question = None


class Asking:
    """A table in a turn, and a camera over it."""

    def __init__(self, reason):
        self.clock = SimulatedClock()
        self.inbox = Inbox(self.clock)
        self.referee = Referee(GAMES["troll_and_dragon"], some_players(2))
        self.referee.apply(Report(Rolled(FACES), at_s=1.0))
        self.companion = Companion(self.referee, self.inbox, self.clock, journal=None, number=1)
        self.zone, ask = Zone(reason), CameraQuestions(self.companion)
        self.camera = CameraSensor([self.zone], {"adventurer": WHITE}, self.inbox, ask)
        self.look(6.0)

    def look(self, at_s):
        self.clock.move_to(at_s)
        self.camera.see(Frame(at_s, np.zeros((2, 2, 3), np.uint8)))

    @property
    def asked(self):
        return list(self.companion.questions.values())


@pytest.mark.parametrize("reason", list(ASKED))
def test_every_question_about_dice_is_over_when_people_say_that_nobody_rolled(reason):
    table = Asking(reason)
    [asked] = table.asked
    assert asked.faces[-1] == NO_ROLL
    assert table.companion.answer(asked.id, NO_ROLL) is None
    assert table.zone.question is None
    table.look(7.0)
    assert table.asked == []
    assert table.referee.number == 1


def test_what_waited_for_a_question_goes_on_when_that_was_no_roll():
    """A die that nobody threw must not hold the game up until it is thrown."""
    table = Asking("unreadable")
    chose = Chose(table.referee.table.active, "leave")
    table.inbox.put(Report(chose, at_s=6.0, source="simulated"))
    assert not table.companion.decide()
    table.companion.answer(table.asked[0].id, NO_ROLL)
    table.look(6.1)
    assert table.companion.decide()
    assert table.referee.history[-1].report.action == chose


def test_face_can_still_be_said_and_nothing_else():
    table = Asking("unreadable")
    [asked] = table.asked
    assert set(asked.faces) == {"troll", "diamond", "key", "door", NO_ROLL}
    with pytest.raises(IllegalAction, match="Expected one of"):
        table.companion.answer(asked.id, "dragon")
    ticket = table.companion.answer(asked.id, "key")
    assert ticket.report.action == Rolled({"white-2": "key"})
