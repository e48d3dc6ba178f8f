"""Buttons at the table: which choice a press is, when, and what a long one takes back."""

from typing import Any

import pytest
from verbs import faces_of

from companion.actions import Chose, Report, Rolled, Undo
from companion.app import Companion
from companion.clock import SimulatedClock
from companion.games import GAMES
from companion.inbox import Inbox
from companion.offers import Choose
from companion.players import play_out, some_players
from companion.pressing import SOURCE, ButtonSensor
from companion.protocol import checked_options
from companion.referee import Referee
from companion.table import Player
from hardware.buttons import LONG_S
from hardware.simulated_buttons import SimulatedFingers

STEP_S = 0.01
DRAGON = "serial:dice"


class ButtonRoom:
    """A room with nothing but buttons, and a receiver of dice that may be behind."""

    def __init__(self, *seats: str, **options: Any) -> None:
        game = GAMES["troll_and_dragon"]
        players = [Player(seat, seat.capitalize()) for seat in seats or ("ann", "bo", "cy")]
        self.people = set(seats)
        self.clock = SimulatedClock()
        self.inbox = Inbox(self.clock)
        self.referee = Referee(game, players, checked_options(game.options, options))
        self.lit: list[int] = []
        self.inbox.add_source(DRAGON, ["red-1", "red-2"])
        self.sensor = ButtonSensor(self.referee.table.seats, self.inbox, self._light)
        self.fingers = SimulatedFingers(len(players), seed=1)
        self.lag_s = 0.0
        self.refused: list[str] = []
        self.companion = Companion(
            self.referee, self.inbox, self.clock, journal=None, number=1, news=self
        )
        self.companion.begin(self)

    def _light(self, seats: Any) -> None:
        self.lit = sorted(seats)

    # What the companion asks of a room and of screens

    def set_apart(self, is_apart: bool) -> None:
        pass

    def expect(self, offers: Any) -> None:
        """Nothing else is here."""

    def decided(self, referee: Referee, report: Report | None) -> None:
        self.sensor.look(referee, self.clock.now_s())

    def sources(self) -> list[dict[str, Any]]:
        return [self.sensor.row(self.inbox.silent())]

    def publish(
        self, kind: str, data: dict[str, Any], number: int | None, *, keeps_past: bool = True
    ) -> None:
        if data["refused"]:
            self.refused.append(data["refused"]["code"])

    # What happens

    def wait(self, for_s: float) -> None:
        until_s = self.clock.now_s() + for_s
        while self.clock.now_s() < until_s - 1e-9:
            self.clock.move_to(min(until_s, self.clock.now_s() + STEP_S))
            now_s = self.clock.now_s()
            self.inbox.heard(DRAGON, now_s - self.lag_s)
            presses = self.fingers.tick(now_s)
            self.sensor.take(presses, self.fingers.panel.known_until_s(now_s))
            while self.companion.decide():
                pass

    def press(self, seat: str, for_s: float = 0.1) -> None:
        self.fingers.press(self.referee.table.seats.index(seat), self.clock.now_s(), for_s)
        self.wait(for_s + 0.2)

    def roll(self, *dice: str) -> None:
        self.inbox.put(Report(Rolled(faces_of(dice)), at_s=self.clock.now_s(), source="web"))
        self.wait(STEP_S)

    @property
    def last(self) -> Report:
        return self.referee.history[-1].report


@pytest.fixture
def room() -> ButtonRoom:
    room = ButtonRoom()
    room.wait(0.5)
    return room


RACE = (("set_aside", "white-1"), ("set_aside", "white-2"))
WHITE = ("white-1 D", "white-2 D", "white-3 T", "white-4 T")


def test_press_is_the_marked_choice_at_the_moment_of_its_first_edge(room: ButtonRoom) -> None:
    room.roll(*WHITE)
    at_s = room.clock.now_s()
    room.press("ann")
    assert room.last.action == Chose("ann", "leave")
    assert room.last.at_s == pytest.approx(at_s)
    assert room.last.source == SOURCE
    assert 0 < room.last.within_s < 0.01
    assert room.refused == []


def test_choice_is_reported_before_the_button_is_released(room: ButtonRoom) -> None:
    room.roll(*WHITE)
    room.fingers.press(0, room.clock.now_s(), for_s=5.0)
    room.wait(0.05)
    assert room.last.action == Chose("ann", "leave")
    number = room.referee.number
    room.wait(6.0)
    assert room.referee.number == number


def test_seat_whose_button_does_something_shines(room: ButtonRoom) -> None:
    assert room.lit == []
    room.roll(*WHITE)
    assert room.lit == [0]
    room.press("ann")
    assert room.lit == []


def test_press_that_is_not_allowed_yet_is_refused_with_the_reason_of_the_rules(
    room: ButtonRoom,
) -> None:
    room.press("ann")
    assert room.referee.number == 0
    assert room.refused == ["nothing_rolled"]


def test_press_of_a_button_that_does_nothing_is_refused_aloud(room: ButtonRoom) -> None:
    room.roll(*WHITE)
    number = room.referee.number
    room.press("bo")
    assert room.referee.number == number
    assert room.refused == ["not_offered"]


def test_long_press_takes_back_ones_own_last_choice(room: ButtonRoom) -> None:
    room.roll(*WHITE)
    before = dict(room.referee.table.counters)
    room.press("ann")
    room.press("ann", for_s=LONG_S + 0.3)
    assert isinstance(room.last.action, Undo)
    assert dict(room.referee.table.counters) == before
    assert room.refused == []


def test_long_press_after_somebody_elses_step_takes_nothing_back(room: ButtonRoom) -> None:
    room.roll(*WHITE)
    room.press("ann")
    room.roll(*WHITE)
    number = room.referee.number
    room.press("ann", for_s=LONG_S + 0.3)
    assert room.referee.number == number
    assert room.refused == ["stale_tap"]


def test_long_press_never_takes_back_what_another_player_chose(room: ButtonRoom) -> None:
    room.roll(*WHITE)
    room.press("ann")
    number = room.referee.number
    room.press("cy", for_s=LONG_S + 0.3)
    room.press("bo", for_s=LONG_S + 0.3)  # it is Bo's turn: the press is a choice, too early
    assert room.referee.number == number
    assert room.refused == ["stale_tap", "nothing_rolled"]


def test_long_press_does_not_take_back_a_roll_or_an_undone_choice_again(room: ButtonRoom) -> None:
    room.roll(*WHITE)
    room.press("ann", for_s=LONG_S + 0.3)  # the press itself is the choice
    room.press("ann", for_s=LONG_S + 0.3)  # and this takes it back
    number = room.referee.number
    room.press("cy", for_s=LONG_S + 0.3)
    assert room.referee.number == number
    assert isinstance(room.last.action, Undo)


def test_press_means_what_lay_there_when_the_button_went_down(room: ButtonRoom) -> None:
    room.roll(*WHITE)
    at_s = room.clock.now_s()
    room.fingers.press(0, at_s, for_s=0.1)
    room.inbox.put(Report(Chose("ann", "leave"), at_s=at_s - 0.001, source="web:ann"))
    room.wait(0.3)
    assert room.referee.table.active == "bo"
    assert room.refused == ["stale_tap"]


@pytest.mark.parametrize(("early_s", "verdict"), [(0.03, "left"), (-0.2, "dragon_awake")])
def test_race_is_decided_by_the_edge_however_late_the_dice_are_learned(
    early_s: float, verdict: str
) -> None:
    room = into_the_race()
    room.lag_s = 0.3
    dragon_s = room.clock.now_s() + 0.4
    room.fingers.press(0, dragon_s - early_s, for_s=0.1)
    room.wait(0.65)
    room.inbox.put(Report(Rolled(faces_of(("red-2 X",))), at_s=dragon_s, source=DRAGON))
    room.wait(1.0)
    told = [t.cue.name for step in room.referee.history for t in step.told]
    assert next(cue for cue in told if cue in ("left", "dragon_awake")) == verdict


def test_dice_of_the_dragon_wait_for_a_button_that_is_still_uncertain() -> None:
    room = into_the_race()
    at_s = room.clock.now_s() + 0.01
    room.clock.move_to(at_s + 0.01)
    room.inbox.heard(DRAGON, at_s)
    room.inbox.put(Report(Rolled(faces_of(("red-2 X",))), at_s=at_s, source=DRAGON))
    assert not room.companion.decide()
    room.sensor.take([], at_s + 0.001)
    assert room.companion.decide()


def into_the_race() -> ButtonRoom:
    """Ann carries diamonds and gold; one eye of the Dragon is open."""
    room = ButtonRoom()
    room.wait(0.5)
    room.roll("white-1 K", "white-2 O", "white-3 D", "white-4 D")
    for choice, value in RACE:
        room.inbox.put(Report(Chose("ann", choice, value), at_s=room.clock.now_s(), source="web"))
        room.wait(STEP_S)
    room.roll("gold-1 g1", "gold-2 g0")
    faces = faces_of(("red-1 X", "red-2 -"))
    room.inbox.put(Report(Rolled(faces), at_s=room.clock.now_s(), source=DRAGON))
    room.wait(0.2)
    assert room.referee.table.counters["dragon.awake"] == 1
    return room


def test_dice_wait_for_the_buttons_only_while_they_race() -> None:
    room = ButtonRoom()
    room.wait(0.5)
    buttons = room.inbox._sources[SOURCE]
    assert not buttons.competes(room.referee.offers)
    room.roll(*WHITE)
    assert not buttons.competes(room.referee.offers)
    marked = Choose("ann", "leave", button=True)
    assert buttons.competes([marked, Choose("bo", "object")])
    assert not buttons.competes([Choose("ann", "leave"), Choose("bo", "object")])
    assert not buttons.competes([Choose("zoe", "leave", button=True), Choose("bo", "object")])


def test_undecided_press_holds_the_watermark_before_its_edge(room: ButtonRoom) -> None:
    room.roll(*WHITE)
    room.press("ann")
    at_s = room.clock.now_s()
    room.fingers.press(0, at_s, for_s=0.4)
    room.wait(0.1)
    assert room.sensor.is_undecided
    assert room.inbox._sources[SOURCE].watermark_s <= at_s
    room.wait(0.5)
    assert not room.sensor.is_undecided
    assert room.inbox._sources[SOURCE].watermark_s > at_s + 0.4


def test_button_without_a_player_is_ignored() -> None:
    room = ButtonRoom("ann", "bo")
    fingers = SimulatedFingers(5, seed=1)
    fingers.press(4, 1.0, 0.1)
    room.sensor.take(fingers.tick(1.2), 1.2)
    assert room.inbox.waiting() == []


@pytest.mark.parametrize("key", GAMES)
def test_every_player_has_one_marked_choice_at_most(key: str) -> None:
    game = GAMES[key]
    marked: list[list[str]] = []

    def watch(referee: Referee) -> None:
        choices = [o for o in referee.offers if isinstance(o, Choose) and o.button]
        marked.append([offer.player for offer in choices])

    play_out(game, some_players(game.seats.stop - 1), seed=3, watch=watch)
    assert all(len(players) == len(set(players)) for players in marked)
    assert any(marked) or key == "roll_for_adventure"  # there it is rarely laid
