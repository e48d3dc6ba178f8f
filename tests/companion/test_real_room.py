import threading
from collections.abc import Callable, Iterator

import pytest

from companion.actions import Report, Rolled
from companion.clock import RealClock
from companion.config import DiceSettings
from companion.errors import ConfigError
from companion.games import GAMES
from companion.inbox import Inbox
from companion.offers import Roll
from companion.players import some_players
from companion.real_room import RealRoom
from companion.referee import Referee
from companion.wiring import wired_dice
from hardware.simulated import SimulatedDice
from hardware.simulated_ble import SimulatedPixel, SimulatedRadio

GAME = GAMES["troll_and_dragon"]
NAMES = {"d1": "red-1", "d2": "red-2", "w1": "white-1", "w2": "white-2"}
LIMIT_S = 10.0


class Setting:
    """A table of Troll & Dragon whose receiver is simulated, and a hand that drives it."""

    def __init__(self) -> None:
        self.clock = RealClock()
        self.referee = Referee(GAME, some_players(2))
        self.inbox = Inbox(self.clock)
        dice = self.referee.table.dice
        self.smart = SimulatedDice(
            wired_dice(GAME, dice, DiceSettings("x", NAMES)), tells_status=True
        )
        self.room = RealRoom(
            self.referee, self.inbox, self.clock, DiceSettings(self.smart.port, NAMES)
        )
        self.cable = threading.Lock()  # nobody pulls it in the midst of a byte
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.drive)
        self.thread.start()

    def drive(self) -> None:
        while not self.over.wait(0.01):
            with self.cable:
                self.smart.tick(self.clock.now_s())

    def waits_for(self, fits: Callable[[], bool]) -> None:
        until_s = self.clock.now_s() + LIMIT_S
        while not fits():
            assert self.clock.now_s() < until_s, self.room.sources()
            self.inbox.wait(0.05)

    def close(self) -> None:
        self.over.set()
        self.thread.join()
        self.room.close()
        self.smart.close()


@pytest.fixture
def setting() -> Iterator[Setting]:
    setting = Setting()
    yield setting
    setting.close()


def state(setting: Setting) -> str:
    return str(setting.room.sources()[0]["state"])


def test_roll_of_real_dice_comes_into_the_inbox(setting: Setting) -> None:
    setting.waits_for(lambda: state(setting) == "ok")
    setting.room.expect([Roll("ann", ("white-1", "white-2"), 2)])
    setting.smart.throw({"white-1": "troll", "white-2": "key"}, setting.clock.now_s())
    setting.waits_for(lambda: bool(setting.inbox.waiting()))
    (report,) = setting.inbox.waiting()
    assert isinstance(report, Report)
    assert report.action == Rolled({"white-1": "troll", "white-2": "key"})
    assert report.source == "serial:dice"


def test_screens_see_dice_and_what_troubles_them(setting: Setting) -> None:
    setting.waits_for(lambda: state(setting) == "ok")
    setting.room.expect([Roll("ann", ("red-1", "red-2"), 2)])
    faces = {"red-1": "dragon", "red-2": "dragon"}
    setting.smart.throw(faces, setting.clock.now_s(), crooked=["red-2"])
    setting.waits_for(lambda: "throw red-2 again" in setting.room.sources()[0]["detail"])
    (row,) = setting.room.sources()
    shown = {die["die"]: die for die in row["health"]}
    assert (shown["red-1"]["face"], shown["red-2"]["motion"]) == ("dragon", "crooked")
    assert shown["white-1"]["battery_percent"] > 0
    assert row["troubles"] == []
    assert set(row["noise"].values()) == {0}


def test_unplugged_receiver_is_shown_and_comes_back(setting: Setting) -> None:
    setting.waits_for(lambda: state(setting) == "ok")
    with setting.cable:
        setting.smart.unplug()
    setting.waits_for(lambda: state(setting) == "lost")
    with setting.cable:
        setting.smart.plug_in(setting.clock.now_s())
    setting.waits_for(lambda: state(setting) == "ok")


def test_tapped_roll_is_not_told_once_more(setting: Setting) -> None:
    setting.waits_for(lambda: state(setting) == "ok")
    setting.room.expect([Roll("ann", ("white-1", "white-2"), 2)])
    setting.smart.throw({"white-1": "troll"}, setting.clock.now_s())
    collector = setting.room.receivers[0].collector
    setting.waits_for(lambda: "white-1" in collector.rolling)
    setting.waits_for(lambda: not collector.rolling)
    tapped = Report(Rolled({"white-1": "key", "white-2": "key"}), source="web")
    setting.room.decided(setting.referee, tapped)
    setting.smart.throw({"white-2": "door"}, setting.clock.now_s())
    setting.waits_for(lambda: "white-2" in collector.rolling)
    setting.waits_for(lambda: not collector.rolling)
    assert setting.inbox.waiting() == []


def test_bluetooth_dice_need_no_receiver() -> None:
    clock = RealClock()
    referee = Referee(GAME, some_players(2))
    inbox = Inbox(clock)
    one, two = SimulatedPixel("A1"), SimulatedPixel("A2")
    dice = DiceSettings(
        "", {"ruby": "red-1", "rose": "red-2"}, {}, {"ruby": "pixels A1", "rose": "pixels A2"}
    )
    assert dice.are_wanted
    room = RealRoom(referee, inbox, clock, dice, SimulatedRadio(one, two))
    radio = room.receivers[0].radio
    assert radio is not None
    assert radio.wait_until(lambda dice: dice.why == "", LIMIT_S)
    room.expect([Roll("ann", ("red-1", "red-2"), 2)])
    one.roll(1)
    two.roll(2)
    assert radio.wait_until(lambda _: bool(inbox.waiting()), LIMIT_S)
    (report,) = inbox.waiting()
    assert report.source == "ble:dice"
    assert room.sources()[0]["state"] in ("ok", "silent")
    room.close()


def test_game_without_dice_needs_no_names() -> None:
    game = GAMES["schatz_der_drachen"]
    referee = Referee(game, some_players(2))
    room = RealRoom(referee, Inbox(RealClock()), RealClock(), DiceSettings("/dev/none", NAMES))
    assert (room.receivers, room.sources()) == ([], [])
    room.close()


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (DiceSettings("/dev/x"), "companion dice map d1 red-1"),
        (DiceSettings("/dev/x", {"d1": "rde-1"}), r"got rde-1; write for example d1 = \"red-1\""),
        (DiceSettings("/dev/x", {"a": "red-1", "b": "red-1"}), "one smart die for red-1, got a"),
        (
            DiceSettings("/dev/x", {"a": "red-1"}, {"a": {"1": "wyvern"}}),
            r"\[dice.faces.a\] 1: expected a face of red-1 .*got 'wyvern'",
        ),
        (
            DiceSettings("/dev/x", {"a": "red-1", "b": "red-2"}, {}, {"b": "pixels X"}),
            "expected all red dice either behind the receiver or by Bluetooth",
        ),
    ],
)
def test_settings_that_do_not_fit_say_what_to_write(settings: DiceSettings, says: str) -> None:
    referee = Referee(GAME, some_players(2))
    with pytest.raises(ConfigError, match=says):
        wired_dice(GAME, referee.table.dice, settings)


def test_port_that_can_never_be_one_is_an_error() -> None:
    referee = Referee(GAME, some_players(2))
    settings = DiceSettings("usb:what", {"d1": "red-1"})
    with pytest.raises(ConfigError, match="usb:303a:1001"):
        RealRoom(referee, Inbox(RealClock()), RealClock(), settings)


def test_dice_of_another_game_are_passed_over_and_calibrated_sides_are_taken() -> None:
    referee = Referee(GAME, some_players(2))
    other = next(
        die.name
        for die in Referee(GAMES["roll_for_adventure"], some_players(2)).table.dice
        if die.name not in referee.table.dice
    )
    sides = {"1": "dragon", "2": "dragon"}
    settings = DiceSettings("/dev/x", {"a": "red-1", "b": other}, {"a": sides})
    wired = wired_dice(GAME, referee.table.dice, settings)
    assert {own: die.name for own, die in wired.items()} == {"a": "red-1"}
    assert wired["a"].faces == sides


def test_sides_are_numbered_as_the_game_lists_them() -> None:
    referee = Referee(GAME, some_players(2))
    wired = wired_dice(GAME, referee.table.dice, DiceSettings("/dev/x", {"w": "white-1"}))
    assert list(wired["w"].faces) == ["1", "2", "3", "4", "5", "6"]
    assert tuple(wired["w"].faces.values()) == referee.table.dice["white-1"].faces
