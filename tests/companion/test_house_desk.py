"""What a referee of the house does with the table: pauses, ends, other games, health."""

import threading
import time

import pytest
from room import Play

from companion.actions import Adjusted, Report, Rolled, Undo
from companion.asking import Asked
from companion.errors import ConfigError, IllegalAction, StaleTap
from companion.house_desk import STUCK_S, HouseDesk, rules_of
from companion.offers import Roll, Wait
from companion.standing import refusal_of, running
from web.feed import Feed

FOUR = ("white-1", "white-2", "white-3", "white-4")


@pytest.fixture
def house():
    """A desk whose companion decides in a thread of its own, in a room that waits for taps."""
    play = Play()
    desk = HouseDesk(Feed())
    desk.serve(play.companion)
    desk.play = play
    play.room.advance = lambda due_s: play.room._live() or play.inbox.wait(0.05)
    thread = threading.Thread(target=play.companion.run)
    thread.start()
    yield desk
    play.companion.stop()
    thread.join(10.0)
    assert not thread.is_alive()


def roll(desk, face="diamond", step=0):
    return desk.act(Rolled(dict.fromkeys(FOUR, face)), step=step, player="ann")


def test_paused_table_takes_what_is_by_hand_only(house):
    roll(house)
    assert house.pause(paused=True) == {"step": 1, "paused": True}
    with pytest.raises(IllegalAction, match="paused"):
        roll(house, step=1)
    assert house.act(Undo(), step=1, player=None) == {"step": 2}
    assert house.act(Adjusted("supply.gold", 9), step=2, player=None) == {"step": 3}
    house.pause(paused=False)
    assert roll(house, step=3) == {"step": 4}
    assert house.snapshot()["paused"] is False


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
