"""What a referee of the house does with the table: pauses, ends, other games, health."""

import threading
import time
from types import SimpleNamespace

import msgspec
import pytest
from room import Play, decides_apart

from companion.actions import Adjusted, Report, Rolled, Undo
from companion.asking import Asked
from companion.errors import ConfigError, IllegalAction, JournalError, StaleTap
from companion.house_desk import STUCK_S, HouseDesk, rules_of
from companion.journal import GameRow, StepRow
from companion.offers import Roll, Wait
from companion.records import exported
from companion.standing import refusal_of, running
from hardware.cues import Manner
from web.feed import Feed

FOUR = ("white-1", "white-2", "white-3", "white-4")


@pytest.fixture
def house():
    """A desk whose companion decides in a thread of its own, in a room that waits for taps."""
    with decides_apart(HouseDesk(Feed())) as desk:
        yield desk


def roll(desk, face="diamond", step=0):
    return desk.act(Rolled(dict.fromkeys(FOUR, face)), step=step, player="ann")


def test_paused_table_takes_what_is_by_hand_only(house):
    roll(house)
    assert house.pause(paused=True) == {"step": 1, "paused": True}
    with pytest.raises(IllegalAction, match="paused"):
        roll(house, step=1)
    assert house.act(Undo(), step=1, player=None) == {"step": 2}
    assert house.act(Adjusted("supply.gold", 9), step=2, player=None) == {"step": 3}
    for by_simulated_hand in (house.throw, house.turn_up):
        with pytest.raises(IllegalAction, match="paused"):
            by_simulated_hand("ann", "white-1", step=3)
    house.pause(paused=False)
    assert roll(house, step=3) == {"step": 4}
    assert house.snapshot()["paused"] is False


def test_screens_are_told_how_quiet_the_table_is(house):
    viewer = house.feed.subscribe(house.feed.last_id())
    house.take_alerts(SimpleNamespace(manner=Manner(quiet=True), be=lambda manner: None))
    first = viewer.next_within(5.0)
    house.be(quiet=False, volume=0.5)
    second = viewer.next_within(5.0)
    assert [first.kind, second.kind] == ["manner", "manner"]
    assert msgspec.json.decode(first.body) == {"quiet": True, "volume": 1.0}
    assert msgspec.json.decode(second.body) == {"quiet": False, "volume": 0.5}


def test_question_is_kept_for_after_the_pause(house):
    asked = Asked("q9", "What?", 0.0, "camera:x", ("key",), lambda face: None, ("white-1",))
    house.companion.call(lambda: house.companion.ask(asked))
    house.pause(paused=True)
    with pytest.raises(IllegalAction, match="paused"):
        house.answer("q9", "key")
    assert "q9" in house.companion.questions
    house.pause(paused=False)
    house.answer("q9", "key")
    assert house.companion.questions == {}


def test_no_wait_runs_out_in_a_pause():
    offers = [Roll("ann", FOUR), Wait(3.0)]
    assert running(offers, stands=True) == offers[:1]
    assert running(offers, stands=False) == offers


def test_ended_game_refuses_even_what_is_by_hand():
    undo = Report(Undo())
    assert refusal_of(undo, paused=True, ended=False) is None
    assert refusal_of(undo, paused=False, ended=True).code == "game_ended"


def test_step_of_another_game_is_stale(house):
    house.check_step(0)
    with pytest.raises(StaleTap):
        house.check_step(1)


def test_health_tells_of_a_loop_that_is_stuck(house):
    assert house.health() == {"ok": True, "troubles": []}
    begun, go_on = threading.Event(), threading.Event()
    busy = threading.Thread(
        target=lambda: house.companion.call(lambda: begun.set() or go_on.wait(20.0))
    )
    busy.start()
    assert begun.wait(10.0)
    house.companion.looked_s = time.monotonic() - STUCK_S - 1.0
    sick = house.health()
    go_on.set()
    busy.join()
    assert sick["ok"] is False
    assert "decided nothing" in sick["troubles"][0]


def test_desk_without_a_game_is_patient():
    desk = HouseDesk(Feed())
    assert desk.health()["ok"] is True
    assert desk.gauges() == {"ages_s": {}, "lost_lines": {}}
    with pytest.raises(IllegalAction, match="no_journal"):
        desk.games()


def test_option_from_a_screen_never_names_a_file(tmp_path, house):
    secret = tmp_path / "secret.toml"
    secret.write_text('white = ["troll"]')
    game = house.companion.referee.game
    with pytest.raises(ConfigError, match="expected a table of values"):
        rules_of(game, {"dice": str(secret)})
    assert rules_of(game, {"end_mode": "both"}).end_mode == "both"


def test_game_of_older_rules_is_exported_as_it_was_written_if_it_is_over():
    play = Play()
    play.rolls(*(f"{die} D" for die in FOUR), at_s=1.0)
    play.goes_on(2.0)
    (step,) = play.companion.referee.history
    told = tuple(one.text for one in step.told)
    old = GameRow(1, "troll_and_dragon", 0, play.companion.referee.players, {}, 0.0, 1, over=True)
    rows = [StepRow(1, step.report, told, "", True, 5.0)]
    (line,) = exported(old, rows)["history"]
    assert line["action"] == {"type": "rolled", "faces": dict.fromkeys(FOUR, "diamond")}
    assert tuple(one["text"] for one in line["told"]) == told
    with pytest.raises(JournalError, match="revision 0"):
        exported(msgspec.structs.replace(old, over=False), rows)


def test_another_game_keeps_what_is_not_changed(house):
    with pytest.raises(IllegalAction, match="game_not_over"):
        house.new_game()
    house.end_game()
    assert house.new_game() == {"step": 0}
    referee = house.companion.referee
    assert house.wanted == {
        "game": referee.game,
        "players": referee.players,
        "options": referee.options,
    }
