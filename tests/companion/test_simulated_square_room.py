"""Schatz der Drachen in the simulated room: tiles are turned up by hands and read by the camera."""

import itertools
from typing import Any

import numpy as np
import pytest

from camera.dice_sets import DiceLooks, load
from camera.simulated_square import SimulatedSquare
from camera.symbols import PATCH_PX
from camera.tiles import TileWatcher
from camera.watch import Question
from companion.actions import Adjusted, Chose, Flipped, Report
from companion.app import Companion
from companion.asking import question_row
from companion.clock import SimulatedClock
from companion.config import game_named
from companion.desk import Desk
from companion.errors import IllegalAction
from companion.evidence import Evidence
from companion.inbox import Inbox
from companion.learning import Learner
from companion.offers import Flip
from companion.players import some_players
from companion.questions import CameraQuestions
from companion.referee import Referee
from companion.simulated_people import GIVE_UP_S
from companion.simulated_square import enrolled
from companion.simulation import SimulatedRoom
from companion.steps import Step
from web.feed import Feed

GAME = game_named("schatz_der_drachen")


class Session:
    """A table with a simulated square, without journal, lamps or screens."""

    def __init__(self, seed: int = 4, square: str = "6x6") -> None:
        options = GAME.options(square=square)
        self.referee = Referee(GAME, some_players(2), options)
        self.clock = SimulatedClock(0.0)
        self.inbox = Inbox(self.clock)
        self.companion = Companion(
            self.referee, self.inbox, self.clock, journal=None, number=1, simulated=True
        )
        self.ask = CameraQuestions(self.companion)
        self.room = SimulatedRoom(
            self.referee, self.inbox, self.clock, self.ask, seed=seed, speed=None
        )
        self.companion.begin(self.room)

    def plays(self, steps: int, tries: int = 20_000) -> "Session":
        """Let simulated people play until so many steps have been taken."""
        for _ in range(tries):
            if self.referee.number >= steps or self.referee.outcome is not None:
                return self
            if not self.companion.decide():
                self.room.advance(self.inbox.next_due_s(self.referee.offers))
        raise AssertionError(f"stuck after step {self.referee.number}")

    def looks_on(self, frames: int = 20) -> "Session":
        """Let the camera look on, and decide all that is due."""
        for _ in range(frames):
            self.clock.move_to(self.clock.now_s() + 0.04)
            self.room._sense()
            while self.companion.decide():
                pass
        return self

    @property
    def flip(self) -> Step:
        """The latest step in which a tile was turned up."""
        return [s for s in self.referee.history if isinstance(s.report.action, Flipped)][-1]

    @property
    def reports(self) -> list[Report]:
        return [step.report for step in self.referee.history]


@pytest.fixture(scope="module")
def session() -> Session:
    return Session().plays(28)


def test_every_tile_is_read_as_chance_has_laid_it(session):
    flips = [r for r in session.reports if isinstance(r.action, Flipped)]
    hidden = session.room._chance.hidden["tiles"]
    assert len(flips) >= 10
    assert {flip.source for flip in flips} == {"camera:square"}
    assert {flip.evidence for flip in flips} == {None}
    for flip in flips[:6]:  # no spider has moved yet
        assert hidden[flip.action.square] == flip.action.face
    assert session.companion.questions == {}


def test_square_looks_as_the_table_says(session):
    table: Any = session.referee.table
    lies = session.room.square.tray.lies()
    assert {s for s, how in lies.items() if how == "up"} == set(table.up)
    assert {s for s, how in lies.items() if how == "empty"} == set(table.gaps)


def test_camera_says_when_all_is_covered_again(session):
    chose = [r for r in session.reports if isinstance(r.action, Chose)]
    said = [report for report in chose if report.action.choice == "covered"]
    assert said
    assert {report.source for report in said} == {"camera:square"}


def test_game_is_the_same_when_the_seed_is():
    one, other = Session(seed=9).plays(6), Session(seed=9).plays(6)
    assert one.reports == other.reports
    assert Session(seed=10).plays(6).reports != one.reports


def test_tile_that_is_tapped_in_is_turned_up_on_the_square_and_not_read_twice():
    session = Session()
    player = session.referee.table.active
    session.room.people.update(session.referee.table.seats)
    session.inbox.put(Report(Flipped("2,2", "ring"), at_s=0.0, source=f"web:{player}"))
    session.looks_on(3)
    assert session.room.square.tray.lies()["2,2"] == "up"
    session.looks_on(40)
    assert session.referee.number == 1
    assert session.room.camera.still_up == ("2,2",)


def asked(session: Session, question: Question) -> Any:
    session.ask("camera:square", question)
    [open_one] = session.companion.questions.values()
    return open_one


def test_table_says_what_an_unreadable_tile_shows():
    session = Session()
    question = Question("unreadable", 0.0, ("1,3",), {}, ("ring", "doll"), None)
    open_one = asked(session, question)
    assert open_one.text == "What does the tile at (1,3) show?"
    assert open_one.faces[:2] == ("ring", "doll")
    flips = [o for o in session.referee.offers if isinstance(o, Flip) and o.closed is None]
    assert set(open_one.faces) == set(flips[0].faces)
    session.companion.answer(open_one.id, "ring")
    session.looks_on()
    assert session.flip.report.action == Flipped("1,3", "ring")
    assert session.companion.questions == {}


def test_tile_that_is_tapped_in_counts_although_it_is_being_asked_about():
    session = Session()
    asked(session, Question("unreadable", 0.0, ("1,3",), {}, (), None))
    session.inbox.put(Report(Flipped("1,3", "doll"), at_s=0.4, source="web"))
    session.looks_on()
    assert session.flip.report.action == Flipped("1,3", "doll")


def test_table_says_which_of_two_tiles_was_first_and_hears_one_at_a_time():
    session = Session()
    faces = {"0,0": "car", "3,3": "ring"}
    open_one = asked(session, Question("at_once", 0.1, ("0,0", "3,3"), faces, ("0,0", "3,3"), None))
    assert "One at a time!" in open_one.text
    assert open_one.faces == ("0,0", "3,3")
    session.companion.answer(open_one.id, "3,3")
    session.looks_on()
    assert session.flip.report.action == Flipped("3,3", "ring")
    session.inbox.put(Report(Flipped("0,0", "car"), at_s=0.1, source="camera:square"))
    session.looks_on()
    assert [told.cue.name for told in session.flip.told] == ["one_at_a_time"]


def test_table_is_asked_once_more_when_the_first_tile_cannot_be_read():
    session = Session()
    open_one = asked(session, Question("at_once", 0.1, ("0,0", "3,3"), {"0,0": "car"}, (), None))
    assert session.companion.answer(open_one.id, "3,3") is None
    [again] = session.companion.questions.values()
    assert again.text == "What does the tile at (3,3) show?"
    session.companion.answer(again.id, "spider")
    session.looks_on()
    assert session.flip.report.action == Flipped("3,3", "spider")


# --- pictures of what is asked, and what is learnt from answers -----------------------------------


def unreadable(square: str = "1,3") -> Question:
    picture = np.full((40, 40, 3), 90, np.uint8)
    patch = np.full((PATCH_PX, PATCH_PX, 3), 90, np.uint8)
    return Question("unreadable", 0.0, (square,), {}, ("ring", "doll"), picture, patch)


def test_question_shows_its_picture_only_as_long_as_it_is_open(tmp_path):
    session = Session(seed=2)
    session.companion.evidence = Evidence(tmp_path)
    for end in ("answered", "taken back", "entered by hand"):
        square = {"answered": "1,3", "taken back": "2,2", "entered by hand": "0,4"}[end]
        open_one = asked(session, unreadable(square))
        [picture] = tmp_path.iterdir()
        assert open_one.picture == f"/evidence/{picture.name}"
        assert question_row(open_one)["labels"]["ring"] == "Ring"
        assert len(picture.stem) > 20
        if end == "answered":
            session.companion.answer(open_one.id, "ring")
        elif end == "taken back":
            session.ask("camera:square", None)
        else:
            session.inbox.put(Report(Flipped(square, "ring"), at_s=0.4, source="web"))
            session.ask("camera:square", None)
        assert list(tmp_path.iterdir()) == []


def test_no_picture_is_left_when_the_tile_that_was_asked_about_is_covered_again(tmp_path):
    """Nobody answers: a hand covers the tile, and its face is shown nowhere any more."""
    session = Session(seed=2)
    session.companion.evidence = Evidence(tmp_path)
    session.ask.learners.clear()
    player = session.referee.table.active
    session.room.people.update(session.referee.table.seats)
    session.looks_on(10)
    watcher = session.room.camera.watchers[0]
    watcher._reader = Doubtful(watcher._reader)
    session.room.turn_up(player, "2,2")
    session.room._turn_what_was_tapped(session.room.square)
    session.looks_on(45)
    assert [asked.dice for asked in session.companion.questions.values()] == [("2,2",)]
    [picture] = tmp_path.iterdir()
    snapshot = session.companion.snapshot()["questions"]
    assert [row["picture"] for row in snapshot] == [f"/evidence/{picture.name}"]
    session.room.square.tray.cover("2,2", session.clock.now_s())
    session.looks_on(12)
    assert list(tmp_path.iterdir()) == []
    session.looks_on(40)
    assert list(tmp_path.iterdir()) == []
    assert session.companion.snapshot()["questions"] == []
    assert session.referee.number == 0


def test_question_comes_without_a_picture_when_it_cannot_be_kept(tmp_path):
    session = Session(seed=2)
    session.companion.evidence = Evidence(tmp_path / "gone")
    assert asked(session, unreadable()).picture is None


def test_question_about_several_tiles_shows_none_of_them(tmp_path):
    session = Session(seed=2)
    session.companion.evidence = Evidence(tmp_path)
    faces = {"0,0": "car", "3,3": "ring"}
    asked(session, Question("at_once", 0.1, ("0,0", "3,3"), faces, ("0,0", "3,3"), None))
    assert list(tmp_path.iterdir()) == []


def test_answer_is_learnt_as_one_more_picture_of_that_face(tmp_path):
    session = Session(seed=2)
    learner = session.ask.learners["camera:square"]
    took = []
    session.ask.learners["camera:square"] = Learner(learner.looks, tmp_path / "set", took.append)
    before = {f: len(p) for faces in learner.looks.patches.values() for f, p in faces.items()}
    open_one = asked(session, unreadable())
    session.companion.answer(open_one.id, "doll")
    [looks] = took
    after = {f: len(p) for faces in looks.patches.values() for f, p in faces.items()}
    assert after == before | {"doll": before["doll"] + 1}
    assert load(tmp_path / "set") == looks
    assert Learner(looks, None, took.append).learn("unicorn", unreadable().patch) is False


def test_tile_that_was_unreadable_is_read_once_it_has_been_learnt():
    tray = SimulatedSquare(seed=5, columns=3)
    patches = {
        kind: {face: found for face, found in faces.items() if face != "ring"}
        for kind, faces in enrolled().patches.items()
    }
    looks = DiceLooks(enrolled().kinds, patches)
    watcher = TileWatcher(tray.zones()["square"], looks, tray.empty(), columns=3)
    learner = Learner(looks, None, watcher.relearn)
    asked_about, read = [], []
    at_s = 0.0
    for square in ("0,0", "1,1", "2,2", "0,2", "2,0"):
        until_s = tray.turn_up(square, "ring", at_s + 0.5) + 1.5
        while at_s < until_s:
            at_s = round(at_s + 0.04, 3)
            sighting = watcher.see(tray.frame(at_s))
            read += [report.action for report in sighting.reports]
        if sighting.question is not None:
            asked_about.append(square)
            assert learner.learn("ring", sighting.question.patch)
            watcher.answered({square: "ring"})
    assert "0,0" in asked_about
    assert read[-1:] == [Flipped("2,0", "ring")]
    assert {action.face for action in read} == {"ring"}


def test_simulated_people_say_what_the_camera_cannot_read():
    session = Session(seed=2)
    session.plays(1)
    session.ask.learners.clear()
    reader = session.room.camera.watchers[0]._reader
    session.room.camera.watchers[0]._reader = Doubtful(reader)
    session.plays(6)
    table_said = [r for r in session.reports if r.source == "table"]
    assert len(table_said) >= 2
    hidden = session.room._chance.hidden["tiles"]
    for report in table_said:
        assert hidden[report.action.square] == report.action.face
    assert max(b.at_s - a.at_s for a, b in itertools.pairwise(session.reports)) < GIVE_UP_S


class Doubtful:
    """Reads as the other does, and is never sure of a face."""

    def __init__(self, reader: Any) -> None:
        self._reader = reader

    def read(self, *seen: Any) -> Any:
        like = self._reader.read(*seen)
        return like if like.face == "back" else like._replace(certainty=0.5)


# --- a real person at the simulated square --------------------------------------------------------


def person_plays(session: Session) -> Desk:
    """The active player is a real person, with the desk that she taps on."""
    player = session.referee.table.active
    session.companion.seat(player, person=True)
    session.room.speed = 100.0  # with people in the room, time goes no faster than they do
    session.companion.call = lambda ask, timeout_s=0: ask()  # this thread is the deciding one
    desk = Desk(Feed())
    desk.serve(session.companion)
    return desk


def test_tile_that_a_person_taps_is_turned_up_by_a_hand_and_read_by_the_camera():
    session = Session(seed=2)
    desk, player = person_plays(session), session.referee.table.active
    desk.turn_up(player, "3,3", step=0)
    session.plays(1, tries=300)
    assert session.flip.report.source == "camera:square"
    assert session.flip.report.action.square == "3,3"
    assert session.flip.report.action.face == session.room._chance.hidden["tiles"]["3,3"]


def test_taps_in_a_hurry_are_turned_up_one_after_the_other():
    session = Session(seed=2)
    desk, player = person_plays(session), session.referee.table.active
    desk.turn_up(player, "3,3", step=0)
    desk.turn_up(player, "3,4", step=0)
    desk.turn_up(player, "3,3", step=0)
    session.plays(1, tries=300)
    assert session.companion.questions == {}
    assert session.flip.report.action.square == "3,3"


def test_tap_is_refused_when_no_tile_is_awaited_there_or_it_is_not_your_turn():
    session = Session(seed=2)
    desk, player = person_plays(session), session.referee.table.active
    other = next(seat for seat in session.referee.table.seats if seat != player)
    for who, square, code in (
        (other, "3,3", "not_your_turn"),
        (player, "9,9", "not_offered"),
    ):
        with pytest.raises(IllegalAction) as refused:
            desk.turn_up(who, square, step=0)
        assert refused.value.code == code
    session.companion.simulated = False
    with pytest.raises(IllegalAction, match="by hand"):
        desk.turn_up(player, "3,3", step=0)


def test_tile_that_was_put_back_into_a_gap_is_laid_there_and_turned_up():
    session = Session(seed=2)
    while not session.referee.table.gaps:
        session.plays(session.referee.number + 1)
    table = session.referee.table
    pile, n = next(
        (f"pile.{seat}.{kind}", n)
        for seat, kinds in table.piles.items() for kind, n in kinds.items() if n
    )  # fmt: skip
    desk, player = person_plays(session), session.referee.table.active
    session.inbox.put(Report(Adjusted(pile, n - 1), source="web"))
    session.plays(session.referee.number + 1)
    gap, step = session.referee.table.gaps[0], session.referee.number
    desk.turn_up(player, gap, step=step)
    session.plays(step + 1, tries=600)
    assert session.flip.number == step + 1
    assert session.flip.report.action.square == gap
