"""What is shown on the set-up page while a game is in play is no roll of it."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from room import SENSORS, Play

from companion import apart
from companion.actions import Chose, Report, Rolled, Undo
from companion.apart import Apart, Showing
from companion.app import Companion
from companion.clock import RealClock, SimulatedClock
from companion.config import DiceSettings
from companion.errors import IllegalAction
from companion.games import GAMES
from companion.house_desk import HouseDesk
from companion.inbox import Inbox
from companion.players import some_players
from companion.real_room import RealRoom
from companion.referee import Referee
from companion.setting_up_dice import DiceBench
from companion.wiring import wired_dice
from hardware.simulated import SimulatedDice
from web.feed import Feed

LIMIT_S = 20.0
TRAY = "camera:tray"
FOUR = {f"white-{n}": "diamond" for n in (1, 2, 3, 4)}


def wait_for(fits: Callable[[], Any]) -> Any:
    until_s = time.monotonic() + LIMIT_S
    while not (seen := fits()):
        assert time.monotonic() < until_s, "waited too long"
        time.sleep(0.02)
    return seen


# --- at a table in memory -------------------------------------------------------------------------


@pytest.fixture
def play() -> Play:
    return Play()


def rolls(play: Play, at_s: float, learned_s: float | None = None) -> None:
    dice = [f"{name} D" for name in FOUR]
    play.rolls(*dice, at_s=at_s, learned_s=learned_s, source=TRAY)


def goes_round(play: Play, times: int = 3) -> None:
    for _ in range(times):
        play.companion.go_round()


def test_what_sensors_see_meanwhile_is_no_roll_and_is_told(play: Play) -> None:
    companion = play.companion
    companion.apart.begin("dice")
    play.clock.move_to(2.0)
    ticket = play.inbox.put(Report(Rolled(FOUR), at_s=1.5, source=TRAY))
    goes_round(play)
    assert isinstance(ticket.error, IllegalAction)
    assert ticket.error.code == "setting_up"
    assert (play.referee.number, play.codes) == (0, [])
    assert ("alerts", "refused") not in play.calls
    assert play.screens.tables[-1]["snapshot"]["setting_up"] == {"what": ["dice"], "seen": 1}
    assert play.room.is_apart
    companion.apart.end("dice")
    goes_round(play, 2)
    assert play.screens.tables[-1]["snapshot"]["setting_up"] is None
    assert not play.room.is_apart
    rolls(play, at_s=3.0)
    play.goes_on(4.0)
    assert play.referee.number == 1


def test_nobody_plays_on_meanwhile_but_steps_are_taken_back(play: Play) -> None:
    rolls(play, at_s=1.0)
    play.goes_on(2.0)
    play.companion.apart.begin("faces")
    play.clock.move_to(3.0)
    for sensor in SENSORS:
        play.inbox.heard(sensor, 3.0)
    leave = play.inbox.put(Report(Chose("ann", "leave"), at_s=2.5, source="web:ann"))
    entered = play.inbox.put(Report(Rolled(FOUR), at_s=2.6, source="web:ann"))
    goes_round(play)
    assert [one.error.code for one in (leave, entered)] == ["setting_up", "setting_up"]
    assert play.codes == ["setting_up", "setting_up"]
    undo = play.inbox.put(Report(Undo(), at_s=2.7, source="web"))
    goes_round(play)
    assert undo.step is not None


def test_what_was_captured_before_still_counts(play: Play) -> None:
    play.clock.move_to(5.0)
    play.companion.apart.begin("dice")
    play.inbox.put(Report(Rolled(FOUR), at_s=4.9, source=TRAY))
    goes_round(play)
    assert play.referee.number == 1


def test_what_becomes_known_afterwards_does_not_count(play: Play) -> None:
    play.companion.apart.begin("dice")
    play.clock.move_to(5.0)
    play.companion.apart.end("dice")
    play.clock.move_to(6.0)
    late = play.inbox.put(Report(Rolled(FOUR), at_s=4.9, source=TRAY))
    fresh = play.inbox.put(Report(Rolled(FOUR), at_s=5.5, source=TRAY))
    goes_round(play)
    assert late.error is not None
    assert fresh.step is not None


def test_two_pages_may_show_something_at_once() -> None:
    clock = SimulatedClock(0.0)
    shown = Apart(clock)
    for what in ("dice", "faces", "dice"):
        shown.begin(what)
    shown.end("dice")
    assert shown.is_on
    clock.move_to(3.0)
    shown.end("faces")
    shown.end("faces")
    assert (shown.is_on, shown.row()) == (False, None)
    assert shown.takes(Report(Rolled(FOUR), source=TRAY), 2.0)
    assert not shown.takes(Report(Rolled(FOUR), source=TRAY), 3.5)
    assert not shown.takes(Report(Rolled(FOUR), source="web:ann"), 2.0)


# --- who shows ------------------------------------------------------------------------------------


@pytest.fixture
def desk(play: Play) -> HouseDesk:
    desk = HouseDesk(Feed())
    desk.serve(play.companion)
    return desk


def test_game_waits_until_it_is_let_go(desk: HouseDesk) -> None:
    showing = Showing(desk, "faces")
    showing.look()
    assert not showing.is_on
    showing.begin()
    assert showing.is_on
    assert desk.companion.apart.is_on
    showing.let_go()
    showing.look()
    assert (showing.is_on, showing.was_let_go, desk.companion.apart.is_on) == (False, True, False)
    showing.begin()
    showing.end()
    assert not desk.companion.apart.is_on


def test_game_goes_on_by_itself_once_nobody_looks(
    desk: HouseDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "IDLE_S", 0.05)
    asking = [True]
    showing = Showing(desk, "dice", lambda: asking[0])
    showing.begin()
    pause = threading.Event()
    pause.wait(0.2)
    assert desk.companion.apart.is_on  # a calibration lasts
    asking[0] = False
    wait_for(lambda: not desk.companion.apart.is_on)
    assert not showing.is_on


def test_next_game_does_not_wait_for_what_was_shown_in_the_last(desk: HouseDesk) -> None:
    showing, first = Showing(desk, "dice"), desk.companion
    showing.begin()
    desk.serve(Play().companion)
    assert not showing.is_on
    showing.begin()
    assert showing.is_on
    assert not first.apart.is_on
    showing.end()


def test_nothing_waits_where_no_game_is_in_play() -> None:
    showing = Showing(HouseDesk(Feed()), "dice")
    showing.begin()
    assert not showing.is_on
    showing.end()


# --- with dice that a receiver hears --------------------------------------------------------------


class RealTable:
    """A real room behind a receiver with four white dice, in play, and its set-up page."""

    def __init__(self, folder: Path) -> None:
        game, names = GAMES["troll_and_dragon"], {f"w{n}": f"white-{n}" for n in (1, 2, 3, 4)}
        self.clock = RealClock()
        self.referee = Referee(game, some_players(2))
        inbox = Inbox(self.clock)
        dice = self.referee.table.dice
        wired = wired_dice(game, dice, DiceSettings("x", names))
        self.smart = SimulatedDice(wired, tells_status=True)
        settings = DiceSettings(self.smart.port, names)
        self.room = RealRoom(self.referee, inbox, self.clock, settings)
        self.companion = Companion(
            self.referee, inbox, self.clock, journal=None, number=1, simulated=False
        )
        self.companion.begin(self.room)
        self.desk = HouseDesk(Feed())
        self.desk.serve(self.companion)
        self.bench = DiceBench(self.desk, settings, folder, simulated=False)
        self._over = threading.Event()
        self._threads = [threading.Thread(target=run) for run in (self._drive, self.companion.run)]
        for thread in self._threads:
            thread.start()

    def _drive(self) -> None:
        while not self._over.wait(0.01):
            self.smart.tick(self.clock.now_s())

    def throw(self) -> None:
        self.smart.throw(FOUR, self.clock.now_s())

    def close(self) -> None:
        self.bench.close()
        self.companion.stop()
        self._over.set()
        for thread in self._threads:
            thread.join(LIMIT_S)
        self.room.close()
        self.smart.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RealTable]:
    table = RealTable(tmp_path)
    yield table
    table.close()


def test_dice_that_are_set_up_during_a_game_are_not_rolled_in_it(table: RealTable) -> None:
    bench, shown = table.bench, table.companion.apart
    wait_for(lambda: any(d["age_s"] is not None for r in bench.look()["receivers"]
                         for d in r["dice"] if d["die"] == "w1"))  # fmt: skip
    assert not bench.look()["game_waits"]
    bench.blink("w1")
    wait_for(lambda: bench.look()["game_waits"])
    wait_for(lambda: table.desk.snapshot()["setting_up"])
    table.throw()
    wait_for(lambda: shown.seen)
    assert table.referee.number == 0
    bench.go_on()
    wait_for(lambda: table.desk.snapshot()["setting_up"] is None)
    table.throw()
    wait_for(lambda: table.referee.number == 1)


def test_dice_that_lie_there_afterwards_are_no_news(table: RealTable) -> None:
    watched: list[str] = []
    sensor = SimpleNamespace(
        start_anew=lambda: watched.append("anew"), expect=lambda offers: watched.append(offers)
    )
    trays: Any = SimpleNamespace(sensor=sensor, expect=sensor.expect, close=lambda: None)
    table.companion.stop()
    room = table.room
    room.trays = trays
    offers = list(table.referee.offers)
    room.set_apart(True)
    room.expect(offers)
    room.set_apart(False)
    room.expect(offers)
    room.trays = None
    assert watched[-3:] == [[], "anew", offers]
