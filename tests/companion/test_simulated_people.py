"""What simulated people say when the table asks: they look, and leave real people's dice alone."""

import pytest

from camera.simulated import SimulatedTray
from camera.watch import Question
from companion.actions import Chose, Report, Rolled, Undo
from companion.asking import COUNT_IT, IGNORE_IT, NO_ROLL, Asked
from companion.bench.faults import Evening, wrong_rolls
from companion.games import GAMES
from companion.players import some_players
from companion.referee import Referee
from companion.simulated_people import AGAIN_S, GIVE_UP_S, LOOK_CLOSER_S, SimulatedPeople

DICE = ("white-1", "white-2")
WHITE = ("white-1", "white-2", "white-3", "white-4")
FACES = ("troll", "diamond", "key", "door")


class Questions:
    """A table that asks one thing, and keeps what it is told."""

    learners: dict[str, object] = {}
    withdraws: dict[str, object] = {}
    game_waits = False

    def __init__(self) -> None:
        self.open: list[Asked] = []
        self.said: list[tuple[str, str]] = []

    def __call__(self, source, question):
        raise AssertionError("no camera is here")

    def open_ones(self):
        return self.open

    def answer(self, question, face):
        self.said.append((question, face))
        self.open = [one for one in self.open if one.id != question]


class Crowd:
    """Simulated people who see `lies` when they look."""

    def __init__(self) -> None:
        referee = Referee(GAMES["troll_and_dragon"], some_players(2))
        self.ask, self.real = Questions(), set()
        self.lies = {"white-1": "key"}
        self.people = SimulatedPeople(referee, self.ask, 1, real=self.real, look=self.lies.get)

    def asks(self, faces=FACES, dice=DICE, late=None, at_s=0.0):
        """Ask, and wait for as long as people take."""
        asked = Asked("q1", "?", at_s, "camera:tray", faces, lambda face: None, dice, late=late)
        self.ask.open.append(asked)
        self.people.answer_questions(at_s)
        assert self.ask.said == []  # nobody sees it at once
        self.people.answer_questions(at_s + LOOK_CLOSER_S)
        return [face for _, face in self.ask.said]

    def asks_whether_late_dice_count(self, rolled_s, at_s):
        late = Report(Rolled(dict.fromkeys(DICE, "key")), at_s=rolled_s, source="serial:dice")
        return self.asks((COUNT_IT, IGNORE_IT), DICE, late, at_s)


@pytest.fixture
def crowd():
    return Crowd()


def test_who_has_thrown_looks_at_the_die_that_cannot_be_read(crowd):
    crowd.people.threw("ann", DICE, 0.0)
    assert crowd.asks() == ["key"]


def test_nobody_answers_for_a_real_person_or_for_dice_that_nobody_threw(crowd):
    crowd.real.add("ann")
    crowd.people.threw("ann", DICE, 0.0)
    assert crowd.asks() == []
    crowd.people.resolved(DICE, 1.0)
    crowd.people.answer_questions(9.0)
    assert crowd.ask.said == []


def test_dice_that_nobody_threw_are_told_to_be_no_roll(crowd):
    assert crowd.asks((*FACES, NO_ROLL)) == [NO_ROLL]


def test_dice_that_somebody_threw_are_never_told_to_be_no_roll(crowd):
    crowd.people.threw("ann", DICE, 0.0)
    assert crowd.asks((*FACES, NO_ROLL)) == ["key"]


def test_real_people_say_for_themselves_whether_that_was_a_roll(crowd):
    crowd.real.add("ann")
    assert crowd.asks((*FACES, NO_ROLL)) == []


def test_first_of_two_tiles_is_told(crowd):
    crowd.people.threw("ann", ["2,2"], 0.0)
    crowd.people.threw("ann", ["1,5"], 0.5)
    assert crowd.asks(faces=("1,5", "2,2"), dice=("1,5", "2,2")) == ["2,2"]


def test_late_roll_counts_while_its_dice_lie_there_and_nobody_else_has_told_it(crowd):
    crowd.people.threw("ann", DICE, 0.0)
    assert crowd.asks_whether_late_dice_count(0.7, 2.0) == [COUNT_IT]


def test_late_roll_does_not_count_once_its_dice_were_thrown_again(crowd):
    crowd.people.threw("ann", DICE, 0.0)
    crowd.people.threw("ann", DICE, GIVE_UP_S)
    assert crowd.asks_whether_late_dice_count(0.7, GIVE_UP_S + 0.1) == [IGNORE_IT]


def test_late_roll_does_not_count_once_it_was_told_otherwise(crowd):
    crowd.people.threw("ann", DICE, 0.0)
    crowd.people.resolved(DICE, 1.0)
    assert crowd.asks_whether_late_dice_count(0.7, 2.0) == [IGNORE_IT]


def test_throw_that_nobody_reads_is_repeated_once_and_then_read_aloud(crowd):
    crowd.people.threw("ann", DICE, 0.0)
    assert crowd.people.give_up(GIVE_UP_S / 2) == (False, [])
    assert crowd.people.give_up(GIVE_UP_S) == (True, [])
    crowd.people.threw("ann", DICE, GIVE_UP_S)
    assert crowd.people.give_up(2 * GIVE_UP_S) == (True, [list(DICE)])
    assert crowd.people.unread == set()


def test_throw_is_still_unread_when_what_lay_there_before_it_is_read(crowd):
    crowd.people.threw("ann", DICE, 5.0)
    crowd.people.resolved(DICE, 4.9)
    assert crowd.people.unread == set(DICE)
    crowd.people.resolved(DICE, 6.0)
    assert crowd.people.unread == set()


def test_nobody_throws_again_or_reads_aloud_while_the_screens_say_that_the_game_waits(crowd):
    crowd.people.threw("ann", DICE, 0.0)
    crowd.ask.game_waits = True
    assert crowd.people.give_up(3 * GIVE_UP_S) == (False, [])
    assert min(crowd.people.moments(3 * GIVE_UP_S)) == 4 * GIVE_UP_S
    crowd.ask.game_waits = False
    assert crowd.people.give_up(3.5 * GIVE_UP_S) == (False, [])
    assert crowd.people.give_up(4 * GIVE_UP_S) == (True, [])


def test_unread_dice_are_thrown_again_before_anything_is_decided_by_how_they_lay(crowd):
    table = Referee(GAMES["troll_and_dragon"], some_players(2))
    faces = dict(zip(WHITE, ("key", "diamond", "diamond", "diamond"), strict=True))
    table.apply(Report(Rolled(faces)))
    seat = table.table.active
    crowd.people.threw(seat, WHITE, 1.0)
    crowd.people.plan(table, 1.0 + GIVE_UP_S, lambda seat: False)
    plan = crowd.people.plans[seat]
    assert (plan.intent.dice, plan.at_s) == (WHITE, 1.0 + GIVE_UP_S + AGAIN_S)


def test_only_those_unread_dice_are_thrown_again_that_the_table_still_awaits(crowd):
    table = Referee(GAMES["troll_and_dragon"], some_players(2))
    seat = table.table.active
    crowd.people.threw(seat, WHITE, 1.0)
    faces = dict(zip(WHITE, ("troll", "diamond", "troll", "diamond"), strict=True))
    table.apply(Report(Rolled(faces)))  # thrown before, and learned of only now
    crowd.people.plan(table, 1.0 + GIVE_UP_S, lambda seat: False)
    assert crowd.people.plans[seat].intent.dice == ("white-2", "white-4")


def test_who_has_read_dice_aloud_waits_for_the_answer(crowd):
    table = Referee(GAMES["troll_and_dragon"], some_players(2))
    seat = table.table.active
    for at_s in (0.0, GIVE_UP_S):
        crowd.people.threw(seat, WHITE, at_s)
        _, aloud = crowd.people.give_up(at_s + GIVE_UP_S)
    assert aloud == [list(WHITE)]
    crowd.people.plan(table, 2 * GIVE_UP_S, lambda seat: False)
    assert seat not in crowd.people.plans
    crowd.people.resolved(WHITE, 2 * GIVE_UP_S)
    crowd.people.plan(table, 2 * GIVE_UP_S + 0.1, lambda seat: False)
    assert seat in crowd.people.plans


def test_evening_goes_on_when_a_camera_asks_about_dice_that_nobody_threw(tmp_path):
    """Such a question holds up all that comes after it, and nobody had an answer."""
    evening = Evening([], tmp_path, seed=2)
    referee, asked = evening.referee, Question("unreadable", 0.0, WHITE[:1], {}, (), None)
    with evening.stack:
        evening.companion.begin(evening.room)
        while referee.number < 1:
            evening.companion.go_round()
        evening.room.crowd._ask("camera:adventurer", asked._replace(at_s=evening.clock.now_s()))
        until_s = evening.clock.now_s() + 2 * GIVE_UP_S
        while referee.number < 2 and evening.clock.now_s() < until_s:
            evening.companion.go_round()
        assert referee.number == 2


def test_dice_that_nobody_has_read_are_not_taken_away(tmp_path):
    """The next player has thrown already when whose turn it is changes back."""
    evening = Evening([], tmp_path, seed=4)
    room, referee = evening.room, evening.referee
    with evening.stack:
        evening.companion.begin(room)
        faces = dict(zip(WHITE, ("troll", "diamond", "troll", "diamond"), strict=True))
        referee.apply(Report(Rolled(faces)))
        referee.apply(Report(Chose(referee.table.active, "leave")))
        room.decided(referee, None)
        room.throw(referee.table.active, WHITE)
        referee.apply(Report(Undo()))
        room.decided(referee, None)
        assert len({room.tray.place_px(die) for die in WHITE}) == len(WHITE)


def test_die_is_looked_at_where_it_lies_whatever_its_name():
    dice = GAMES["troll_and_dragon"].table(tuple(some_players(2))).dice
    tray = SimulatedTray(dice, {"tray": DICE}, seed=1)
    tray.throw({"white-1": "troll", "white-2": "key"}, 0.0)
    places = {name: tray.place_px(name) for name in DICE}
    assert [tray.shows("white", places[name]) for name in DICE] == ["troll", "key"]
    tray.call_as_seen({"white-1": places["white-2"], "white-2": places["white-1"]})
    assert tray.shows("white", places["white-1"]) == "troll"
    assert tray.shows("gold", places["white-1"]) is None


def test_people_say_what_lies_where_the_camera_shows_a_die_by_another_name(tmp_path, mocker):
    evening = Evening([], tmp_path, seed=4)
    with evening.stack:
        evening.companion.begin(evening.room)
        evening.room.throw(evening.referee.table.active, WHITE)
        faces = evening.room.thrown[-1].faces
        one, other = WHITE[0], next(name for name in WHITE if faces[name] != faces[WHITE[0]])
        places = {to: evening.room.tray.place_px(of) for to, of in ((one, other), (other, one))}
        mocker.patch("companion.simulation.places_of", return_value=places)
        assert evening.room.what_lies(one) == faces[other]
        assert evening.room.what_lies(other) == faces[one]


def test_unreadable_die_is_told_as_it_lies_though_the_camera_names_dice_otherwise(tmp_path):
    """In this game the camera calls the die that it cannot read by another one's name."""
    evening = Evening([], tmp_path, seed=95)
    with evening.stack:
        evening.companion.begin(evening.room)
        while evening.referee.number < 1:
            evening.companion.go_round()
        [step] = evening.referee.history
        assert step.report.source == "table"
        assert wrong_rolls(evening.referee, evening.room) == []
