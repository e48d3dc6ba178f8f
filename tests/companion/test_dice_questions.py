"""A table of smart dice is asked when a die that was put back may have been thrown."""

import pytest

from companion.actions import Chose, Report, Rolled
from companion.app import Companion
from companion.clock import SimulatedClock
from companion.dice_questions import WAS_PUT_BACK, WAS_ROLLED, DiceQuestions
from companion.games import GAMES
from companion.inbox import Inbox
from companion.players import some_players
from companion.referee import Referee
from companion.sensing import DiceSensor
from hardware.dice_messages import (
    DieHeld,
    DieLies,
    DieMessage,
    DieMoved,
    DieSettled,
    Watermark,
)
from hardware.rolls import CARRIED_S, RollCollector

WHITE = ("white-1", "white-2", "white-3", "white-4")
FIRST = dict(zip(WHITE, ("troll", "diamond", "key", "door"), strict=True))


class Asking:
    """A turn in the grotto: the first roll is told, two free dice are thrown, one unnoticed."""

    def __init__(self) -> None:
        self.clock = SimulatedClock()
        self.inbox = Inbox(self.clock)
        self.referee = Referee(GAMES["troll_and_dragon"], some_players(2))
        self.companion = Companion(self.referee, self.inbox, self.clock, journal=None, number=1)
        dice = [self.referee.table.dice[name] for name in WHITE]
        self.sensor = DiceSensor(RollCollector(dice), WHITE, self.inbox)
        self.sensor.ask = DiceQuestions(self.companion, self.sensor)
        self.first_roll()
        self.throws_one_unnoticed()

    def first_roll(self) -> None:
        self.awaits()
        self.hears(*(DieMoved(die, 1.0, 0.0) for die in WHITE))
        self.hears(*(DieSettled(die, face, 2.0, 0.0) for die, face in FIRST.items()))
        assert self.decides() == Rolled(FIRST)

    def throws_one_unnoticed(self) -> None:
        self.hears(DieMoved("white-2", 5.0, 0.0), DieMoved("white-3", 5.0, 0.0))
        self.hears(DieSettled("white-2", "troll", 6.0, 0.0), DieLies("white-3", "door", 6.1, 0.0))

    def awaits(self) -> None:
        self.sensor.expect(list(self.referee.offers))

    def hears(self, *messages: DieMessage) -> None:
        upto_s = max(message.at_s for message in messages)
        self.clock.move_to(upto_s)
        self.sensor.take([*messages, Watermark(upto_s)])

    def decides(self) -> object:
        """What the table decides next; None if it waits."""
        if not self.companion.decide():
            return None
        self.awaits()
        return self.referee.history[-1].report.action

    @property
    def asked(self) -> list[tuple[str, tuple[str, ...]]]:
        return [(str(one.text), one.dice) for one in self.companion.questions.values()]

    def says(self, answer: str) -> None:
        [question] = self.companion.questions
        self.companion.answer(question, answer)


@pytest.fixture
def table() -> Asking:
    return Asking()


def test_short_roll_is_not_decided_but_asked_about(table: Asking) -> None:
    [(text, dice)] = table.asked
    assert text.startswith("white-3 shows door, but was not felt to tumble.")
    assert dice == ("white-3", "white-2")
    assert table.decides() is None


def test_answer_makes_the_roll_whole(table: Asking) -> None:
    table.says(WAS_ROLLED)
    assert table.decides() == Rolled({"white-2": "troll", "white-3": "door"})
    report = table.referee.history[-1].report
    assert (report.at_s, report.source) == (6.1, "serial:dice")
    assert table.asked == []


def test_die_that_was_put_back_is_left_out_when_the_table_says_so(table: Asking) -> None:
    table.says(WAS_PUT_BACK)
    assert table.decides() == Rolled({"white-2": "troll"})
    assert table.asked == []


def test_what_was_tapped_after_the_throw_waits_for_the_answer(table: Asking) -> None:
    hero = table.referee.table.active
    table.clock.move_to(6.5)
    table.inbox.put(Report(Chose(hero, "leave"), at_s=6.5, source=f"web:{hero}"))
    table.sensor.take([Watermark(7.0)])
    assert table.decides() is None
    table.says(WAS_ROLLED)
    assert table.decides() == Rolled({"white-2": "troll", "white-3": "door"})
    assert table.decides() == Chose(hero, "leave")


def test_question_is_taken_back_when_the_die_is_thrown_again(table: Asking) -> None:
    table.hears(DieMoved("white-3", 8.0, 0.0))
    assert table.asked == []
    table.hears(DieSettled("white-3", "diamond", 9.0, 0.0))
    assert table.decides() == Rolled({"white-2": "troll", "white-3": "diamond"})


def test_roll_that_is_entered_by_hand_settles_the_question(table: Asking) -> None:
    faces = {"white-2": "troll", "white-3": "door"}
    table.inbox.put(Report(Rolled(faces), at_s=7.0, source="web:referee"))
    assert table.decides() == Rolled(faces)
    table.sensor.answered(faces)
    table.hears(DieMoved("white-4", 10.0, 0.0))
    assert table.asked == []
    table.hears(DieSettled("white-4", "key", 11.0, 0.0))
    assert table.decides() == Rolled({"white-4": "key"})


def test_every_die_in_doubt_is_asked_about_before_anything_else(table: Asking) -> None:
    table.hears(DieMoved("white-4", 5.2, 0.0))
    table.hears(DieLies("white-4", "key", 6.3, 0.0))
    table.says(WAS_ROLLED)
    [(text, _)] = table.asked
    assert text.startswith("white-4")
    assert table.decides() is None
    table.says(WAS_PUT_BACK)
    assert table.decides() == Rolled({"white-2": "troll", "white-3": "door"})


class Late(Asking):
    """The same, but a roll and the throw after it are heard at once, after the cable was out."""

    def throws_one_unnoticed(self) -> None:
        self.hears(
            DieMoved("white-2", 5.0, 0.0),
            DieSettled("white-2", "diamond", 6.0, 0.0),
            DieMoved("white-2", 7.0, 0.0),
            DieMoved("white-3", 7.0, 0.0),
            DieSettled("white-2", "troll", 8.0, 0.0),
            DieLies("white-3", "door", 8.1, 0.0),
        )


def test_throw_stays_in_question_when_an_older_roll_of_its_dice_is_decided() -> None:
    table = Late()
    asked = table.asked
    assert [dice for _, dice in asked] == [("white-3", "white-2")]
    assert table.decides() == Rolled({"white-2": "diamond"})
    assert table.asked == asked
    table.says(WAS_ROLLED)
    assert table.decides() == Rolled({"white-2": "troll", "white-3": "door"})
    assert table.asked == []


def test_later_throw_that_is_entered_by_hand_settles_its_question() -> None:
    table = Late()
    assert table.decides() == Rolled({"white-2": "diamond"})
    faces = {"white-2": "troll", "white-3": "door"}
    table.inbox.put(Report(Rolled(faces), source="web:referee"))
    assert table.decides() == Rolled(faces)
    assert table.asked == []


def test_die_in_doubt_is_not_asked_about_while_somebody_keeps_it_in_the_hand(
    table: Asking,
) -> None:
    table.hears(DieMoved("white-3", 8.0, 0.0))
    table.hears(DieHeld("white-3", 8.5, 0.0))
    table.clock.move_to(9.0 + CARRIED_S)
    table.sensor.take([Watermark(9.0 + CARRIED_S)])
    assert table.asked == []
    table.hears(DieMoved("white-3", 16.0, 0.0))
    table.hears(DieSettled("white-3", "diamond", 17.0, 0.0))
    assert table.decides() == Rolled({"white-2": "troll", "white-3": "diamond"})


def test_die_in_doubt_is_asked_about_again_when_it_is_put_back(table: Asking) -> None:
    table.hears(DieMoved("white-3", 8.0, 0.0))
    table.hears(DieHeld("white-3", 8.5, 0.0))
    table.hears(DieLies("white-3", "door", 16.0, 0.0))
    assert [dice for _, dice in table.asked] == [("white-3", "white-2")]
    table.says(WAS_ROLLED)
    assert table.decides() == Rolled({"white-2": "troll", "white-3": "door"})


@pytest.mark.parametrize("answer", [WAS_ROLLED, WAS_PUT_BACK])
def test_answer_is_void_when_the_die_has_just_been_taken_up(table: Asking, answer: str) -> None:
    table.sensor.collector.take(DieMoved("white-3", 8.0, 0.0))  # the question is still open
    table.says(answer)
    assert table.decides() is None
    table.hears(DieSettled("white-3", "diamond", 9.0, 0.0))
    assert table.decides() == Rolled({"white-2": "troll", "white-3": "diamond"})


def test_question_is_taken_back_at_once_when_its_offer_goes(table: Asking) -> None:
    chose = Chose(table.referee.table.active, "leave")
    table.referee.apply(Report(chose, at_s=6.5, source="web:ann"))
    table.awaits()
    assert table.asked == []


def test_question_is_taken_back_at_once_when_the_table_knows_the_roll(table: Asking) -> None:
    table.sensor.answered({"white-2": "troll", "white-3": "door"})
    assert table.asked == []
