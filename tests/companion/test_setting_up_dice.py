"""Smart dice as the set-up page meets them: simulated ones, and those of a real room's receiver."""

import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

from companion.clock import RealClock
from companion.config import DiceSettings, load_dice
from companion.errors import ConfigError, IllegalAction
from companion.games import GAMES
from companion.inbox import Inbox
from companion.players import some_players
from companion.referee import Referee
from companion.service import Setting, real_room
from companion.setting_up_asking import PageAsker
from companion.setting_up_dice import DiceBench
from companion.wiring import wired_die
from hardware.dice_link import DiceLink
from hardware.serial_port import SerialPort
from hardware.simulated import SimulatedDice

LIMIT_S = 20.0


def wait_for(look):
    until_s = time.monotonic() + LIMIT_S
    while not (seen := look()):
        assert time.monotonic() < until_s, "waited too long"
        time.sleep(0.02)
    return seen


@pytest.fixture
def bench(desk, tmp_path):
    bench = DiceBench(desk, DiceSettings(), tmp_path, simulated=True)
    yield bench
    bench.close()


def dice_of(look):
    return {die["die"]: die for receiver in look["receivers"] for die in receiver["dice"]}


def heard(bench, own):
    return wait_for(lambda: (dice_of(bench.look()).get(own) or {}).get("age_s") is not None)


def test_simulated_die_is_mapped_named_and_shown_its_faces(bench, tmp_path):
    stranger = "die-a1c307"
    heard(bench, stranger)
    assert dice_of(bench.look())[stranger]["plays"] == ""
    with pytest.raises(IllegalAction, match="not_mapped"):
        bench.calibrate(stranger, "")
    look = bench.map(stranger, "white-1")
    played = {one["name"]: one["played_by"] for one in look["game_dice"]}
    assert played["white-1"] == stranger
    assert dice_of(look)["die-a1c300"]["plays"] == ""  # it played white-1 before
    assert not any(stranger in told for r in look["receivers"] for told in r["troubles"])
    bench.blink(stranger)
    bench.call(stranger, "ruby")
    wait_for(lambda: dice_of(bench.look()).get("ruby", {}).get("plays") == "white-1")
    bench.calibrate("ruby", "")
    with pytest.raises(IllegalAction, match="calibrating"):
        bench.calibrate("ruby", "")
    done = wait_for(lambda: (c := bench.look()["calibrating"])["over"] and c)
    assert (done["error"], done["shown"], done["of"]) == ("", 6, 6)
    assert sorted(bench.settings.faces["ruby"].values()) == sorted(
        ["troll", "troll", "diamond", "diamond", "key", "door"]
    )
    assert bench.stop()["calibrating"] is None
    assert bench.map("ruby", "")["game_dice"][0]["played_by"] == ""
    assert not bench.look()["changed"]
    assert list(tmp_path.iterdir()) == []  # nothing of simulated dice is kept


def test_what_does_not_fit_is_refused(bench):
    heard(bench, "die-a1c300")
    for act in (bench.blink, lambda own: bench.map(own, "white-1")):
        with pytest.raises(IllegalAction, match="no_die"):
            act("die-none")
    with pytest.raises(IllegalAction, match="expected a die of Troll & Dragon"):
        bench.map("die-a1c300", "purple-9")
    with pytest.raises(IllegalAction, match="name_taken|another die has that name"):
        bench.call("die-a1c300", "die-a1c301")
    with pytest.raises(IllegalAction, match="nothing_asked"):
        bench.answer(yes=True)


@pytest.fixture
def cabled(desk):
    """A room with a receiver that hears two dice, ticked in real time."""
    dice = desk.companion.referee.table.dice
    wired = {"d1": wired_die(dice["red-1"]), "d2": wired_die(dice["red-2"])}
    smart = SimulatedDice(wired, tells_status=True)
    port = SerialPort(smart.port, DiceLink(wired), lambda _: None, desk.companion.clock).start()
    desk.room.receivers = [SimpleNamespace(carrier=port)]
    over = threading.Event()
    clock = desk.companion.clock

    def tick():
        while not over.wait(0.01):
            clock.move_to(clock.now_s() + 0.01)
            smart.tick(clock.now_s())

    thread = threading.Thread(target=tick)
    thread.start()
    yield desk
    over.set()
    thread.join()
    port.close()
    smart.close()


def test_dice_of_the_running_room_are_kept_and_counted_from_the_next_taking_up(cabled, tmp_path):
    settings = DiceSettings("somewhere", {"d1": "red-1", "d2": "red-2"})
    bench = DiceBench(cabled, settings, tmp_path, simulated=False)
    heard(bench, "d1")
    with pytest.raises(IllegalAction, match="bad_setup"):
        bench.map("d1", "purple")
    look = bench.map("d1", "red-2")
    assert (look["changed"], look["may_take_up"]) == (True, True)
    assert load_dice(tmp_path / "dice.toml").names == {"d1": "red-2"}
    assert bench.settings.names == {"d1": "red-2"}  # d2 played it before
    assert cabled.devices["dice"].names == {"d1": "red-2"}
    bench.take_up()
    wanted = cabled.wanted
    assert (wanted["new"], wanted["number"]) == (False, cabled.companion.number)
    assert wanted["dice"].names == {"d1": "red-2"}
    assert cabled.companion.wants_another
    bench.close()
    assert cabled.room.receivers[0].carrier.state == "connected"  # it is the room's


def test_calibration_waits_for_an_answer_and_ends_when_it_is_stopped():
    asker = PageAsker("d1", "red-1", simulated=False)
    said = []
    thread = threading.Thread(target=lambda: said.append(asker.lies_flat()))
    thread.start()
    wait_for(lambda: asker.row()["question"])
    assert asker.answer(yes=True)
    thread.join(5.0)
    assert said == [True]
    assert not asker.answer(yes=True)
    asker.stop()
    with pytest.raises(OSError, match="stopped"):
        asker.wait_until_still()


def test_table_plays_with_dice_that_nobody_has_mapped_yet_and_says_so():
    game, clock = GAMES["troll_and_dragon"], RealClock()
    players = tuple(some_players(2))
    referee = Referee(game, players)
    setting = Setting(
        game, players, game.options(), None, simulated=False, dice=DiceSettings("auto")
    )
    with pytest.raises(ConfigError, match="which smart die is which"):
        real_room(setting, referee, Inbox(clock), clock)
    shown = replace(setting, web=("127.0.0.1", 0))
    room = real_room(shown, referee, Inbox(clock), clock)
    [row] = room.sources()
    assert (row["name"], row["state"]) == ("serial:dice", "lost")
    room.close()
    mistaken = replace(shown, dice=DiceSettings("auto", {"d1": "cow"}))
    with pytest.raises(ConfigError, match="cow"):
        real_room(mistaken, referee, Inbox(clock), clock)
