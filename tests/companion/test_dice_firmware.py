"""The companion's side of the cable against the firmware of dice and receiver."""

import random

import pytest

from companion.bench.dice_firmware import FirmwareTable
from firmware import wire
from hardware.dice_commands import Asked
from hardware.dice_link import DiceLink
from hardware.dice_messages import (
    DieCrooked,
    DieHeld,
    DieLies,
    DieMoved,
    DieSettled,
    Message,
    Watermark,
    WiredDie,
)

WORDS = {"1": "dragon", "2": "blank", "3": "key", "4": "door", "5": "troll", "6": "diamond"}
DICE = {"d-a": WiredDie("red-1", WORDS), "d-b": WiredDie("red-2", WORDS)}
DIE_MESSAGES = (DieMoved, DieHeld, DieSettled, DieLies, DieCrooked)


class Table:
    """A link, and behind a cable that does nothing wrong receiver and dice."""

    def __init__(self, *, teaches: bool = False) -> None:
        self.dice = FirmwareTable(DICE, random.Random(5))
        self.link = DiceLink(DICE, teaches=teaches)
        self.link.connection_made(0.0)
        self.now_s = 0.0
        self.told: list[Message] = []

    def runs_to(self, until_s: float) -> None:
        while self.now_s < until_s:
            self.now_s = round(self.now_s + 0.02, 3)
            self.dice.time_is(self.now_s)
            for line in self.link.data_to_send().splitlines():
                self.dice.hear(line)
            self.dice.pass_time(self.now_s)
            data = b"".join(self.dice.lines_to_send())
            self.told += self.link.receive_data(data, self.now_s)

    def of(self, die: str) -> list[Message]:
        return [one for one in self.told if isinstance(one, DIE_MESSAGES) and one.die == die]

    def asks(self, kind: str, *words: object) -> Asked:
        asked = self.link.ask(kind, str(words[0]), *words[1:])
        self.runs_to(self.now_s + 1.0)
        return asked


@pytest.fixture
def table() -> Table:
    table = Table()
    table.dice.throw({"red-1": "key", "red-2": "dragon"}, 0.2)
    table.runs_to(2.0)
    return table


def test_throw_is_told_with_the_moment_of_its_rest(table: Table) -> None:
    rests_s = table.dice.rests_s(["red-1", "red-2"])
    for die, face in (("red-1", "key"), ("red-2", "dragon")):
        settled = [one for one in table.of(die) if isinstance(one, DieSettled)]
        assert [one.face for one in settled] == [face]
        assert abs(settled[0].at_s - rests_s[die]) <= settled[0].within_s


def test_watermarks_go_on_while_dice_sleep(table: Table) -> None:
    table.runs_to(20.0)
    assert table.link.health("", "connected").dice[0].motion == "asleep"
    marks = [one.at_s for one in table.told if isinstance(one, Watermark)]
    assert marks == sorted(marks)
    assert marks[-1] > 19.7
    last_second = [mark for mark in marks if mark > 18.7]
    assert len(last_second) >= 20


def test_commands_are_obeyed_by_the_die(table: Table) -> None:
    assert table.asks("BLINK", "d-a").is_done
    assert table.asks("VERSION", "d-a").is_done
    about = table.link.health("", "connected").dice[0]
    assert (about.shape, about.sides) == ("d6", 6)
    assert about.battery_percent is not None
    assert about.signal_dbm == -60


def test_sleeping_die_is_refused_with_its_reason(table: Table) -> None:
    table.runs_to(20.0)
    asked = table.asks("BLINK", "d-a")
    assert asked.answer == "asleep"
    assert asked.why == wire.REASONS["asleep"]


def test_named_die_goes_by_its_new_name(table: Table) -> None:
    assert table.asks("NAME", "d-a", "ruby").is_done
    table.dice.throw({"red-1": "troll"}, table.now_s)
    table.runs_to(table.now_s + 2.0)
    heard = {die.die: die for die in table.link.health("", "connected").dice}
    assert heard["ruby"].code == "5"
    assert heard["ruby"].name == ""  # the settings have to be told, too


def test_die_that_says_sides_is_taught_words_and_says_them() -> None:
    table = Table(teaches=True)
    table.dice.throw({"red-1": "key"}, 0.2)
    for second in range(1, 14, 2):  # it is kept awake
        table.dice.throw({"red-1": "troll"}, float(second))
        table.runs_to(second + 2.0)
    table.dice.throw({"red-1": "dragon"}, table.now_s)
    table.runs_to(table.now_s + 2.0)
    assert table.link.health("", "connected").dice[0].code == "dragon"
    settled = [one.face for one in table.of("red-1") if isinstance(one, DieSettled)]
    assert settled[0] == "key"
    assert set(settled[1:-1]) == {"troll"}
    assert settled[-1] == "dragon"


def test_receiver_without_power_costs_no_throw(table: Table) -> None:
    table.dice.throw({"red-1": "door"}, 2.1)
    table.runs_to(2.2)
    table.dice.power_off()
    table.runs_to(3.0)
    table.dice.power_on(3.0)
    table.link.connection_made(3.0)
    table.runs_to(6.0)
    settled = [one.face for one in table.of("red-1") if isinstance(one, DieSettled)]
    assert settled == ["key", "door"]
