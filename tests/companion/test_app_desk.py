"""The desk: what screens ask of a table from their own threads, and what is refused."""

import threading

import pytest
from room import Play, ask_about, decides_apart

from companion.actions import Adjusted, Chose, Correct, Report, Rolled, Undo
from companion.asking import Asked, question_row
from companion.desk import Desk
from companion.errors import CompanionError, IllegalAction, StaleTap
from web.feed import Feed

FOUR = ("white-1", "white-2", "white-3", "white-4")


@pytest.fixture
def play():
    return Play()


@pytest.fixture
def desk():
    """A desk whose companion decides in a thread of its own, in a room that waits for taps."""
    with decides_apart(Desk(Feed())) as desk:
        yield desk


# --- from other threads ---------------------------------------------------------------------------


def test_call_runs_in_the_deciding_thread(desk):
    assert desk.companion.call(threading.get_ident) != threading.get_ident()


def test_call_hands_on_what_was_raised(desk):
    def fail():
        raise IllegalAction("not_offered", "No.")

    with pytest.raises(IllegalAction, match="No"):
        desk.companion.call(fail)


def test_call_says_so_when_nobody_decides_any_more(play):
    asked = []
    with pytest.raises(CompanionError, match="does not answer"):
        play.companion.call(lambda: asked.append(1), timeout_s=0.0)
    play.companion.stop()
    play.companion._calls.answer()
    assert asked == []  # who has gone gets nothing done behind their back


def test_who_waits_for_a_table_that_closes_is_told_at_once(play):
    told = []

    def waits(what):
        try:
            what()
        except CompanionError as error:
            told.append(str(error))

    ticket = play.inbox.put(Report(Undo(), source="web"))
    asked = [lambda: play.companion.call(dict, timeout_s=60.0), lambda: ticket.wait(60.0)]
    threads = [threading.Thread(target=waits, args=(what,)) for what in asked]
    for thread in threads:
        thread.start()
    play.companion.close()
    for thread in threads:
        thread.join(20.0)
    waits(lambda: play.companion.call(dict, timeout_s=60.0))
    waits(lambda: play.inbox.put(Report(Undo(), source="web")).wait(60.0))
    assert len(told) == 4
    assert all("it may have been closed" in why for why in told)


def test_desk_answers_with_the_step(desk):
    rolled = Rolled(dict.fromkeys(FOUR, "diamond"))
    assert desk.act(rolled, step=0, player="ann") == {"step": 1}
    assert desk.snapshot()["step"] == 1
    assert desk.act(Chose("ann", "leave"), step=1, player="ann") == {"step": 2}
    assert desk.act(Undo(), step=2, player=None) == {"step": 3}
    assert desk.act(Adjusted("supply.gold", 9), step=0, player=None) == {"step": 4}
    trolls = Rolled(dict.fromkeys(FOUR, "troll"))
    assert desk.act(Correct(1, trolls), step=4, player=None) == {"step": 5}
    assert [step.report.source for step in desk.companion.referee.history][:3] == [
        "web:ann",
        "web:ann",
        "web",
    ]


def test_desk_orders_a_tap_by_the_moment_at_which_it_was_made(desk):
    desk.play.clock.move_to(3.0)
    rolled = Rolled(dict.fromkeys(FOUR, "diamond"))
    desk.act(rolled, step=0, player="ann", arrived_s=2.5)
    desk.act(Chose("ann", "leave"), step=1, player="ann")
    assert [step.report.at_s for step in desk.companion.referee.history] == [2.5, 3.0]


def test_desk_raises_the_refusal(desk):
    with pytest.raises(IllegalAction) as refusal:
        desk.act(Chose("ann", "leave"), step=0, player="ann")
    assert refusal.value.code == "nothing_rolled"


def test_desk_raises_stale_tap_for_an_undo_of_what_the_screen_did_not_show(desk):
    desk.act(Rolled(dict.fromkeys(FOUR, "diamond")), step=0, player="ann")
    with pytest.raises(StaleTap):
        desk.act(Undo(), step=0, player=None)


def test_desk_lets_nobody_choose_for_others(desk):
    with pytest.raises(IllegalAction) as refusal:
        desk.act(Chose("ann", "leave"), step=0, player="bo")
    assert refusal.value.code == "not_your_seat"


def test_desk_lets_people_enter_what_they_did_for_a_simulated_player_at_a_real_table(desk):
    rolled = Rolled(dict.fromkeys(FOUR, "diamond"))
    for simulated, gone in ((True, True), (False, False)):
        desk.companion.simulated = simulated
        desk.companion.call(lambda gone=gone: desk.companion.seat("ann", person=not gone))
        with pytest.raises(IllegalAction, match="not_your_seat"):
            desk.act(rolled, step=0, player="bo")
    desk.companion.call(lambda: desk.companion.seat("ann", person=False))
    assert desk.act(rolled, step=0, player="bo") == {"step": 1}
    assert desk.companion.referee.history[-1].report.source == "web:bo"
    with pytest.raises(IllegalAction, match="not_your_seat"):
        desk.act(Chose("ann", "leave"), step=1, player="bo")


def test_desk_gives_up_when_the_table_waits_too_long(desk, monkeypatch):
    monkeypatch.setattr("companion.desk.ANSWER_S", 0.0)
    desk.companion.call(lambda: ask_about(desk.play))
    with pytest.raises(CompanionError, match="waiting for a sensor"):
        desk.act(Chose("ann", "leave"), step=0, player="ann", arrived_s=2.0)


def test_desk_answers_a_question(desk):
    asked = desk.companion.call(lambda: ask_about(desk.play, at_s=0.0))
    assert desk.snapshot()["questions"] == [question_row(asked)]
    assert desk.answer(asked.id, "door") == {"step": 1}


def test_desk_answers_a_question_that_reports_nothing(desk):
    asked = Asked("q1", "Count it?", 0.0, "white", ("ignore it",), lambda face: None)
    desk.companion.ask(asked)
    assert desk.answer("q1", "ignore it") == {"step": 0}


# --- seats, throws, games -------------------------------------------------------------------------


def test_people_take_seats_and_leave_them(desk):
    def persons():
        return [row["key"] for row in desk.snapshot()["players"] if row["person"]]

    assert desk.take_seat("bo") == {"player": "bo", "person": True}
    assert (persons(), desk.play.room.people) == (["bo"], {"bo"})
    desk.leave_seat("bo")
    assert (persons(), desk.play.room.people) == ([], set())
    with pytest.raises(IllegalAction, match="'zed'"):
        desk.take_seat("zed")


def test_throw_reaches_the_room_when_the_dice_are_awaited(desk):
    assert desk.throw("ann", list(FOUR), step=0) == {"step": 0}
    assert desk.play.room.thrown == [("ann", list(FOUR))]


@pytest.mark.parametrize(
    ("player", "dice", "code"),
    [
        ("ann", ["white-1"], "must_roll_all_four"),
        ("ann", ["white-1"] * 4, "must_roll_all_four"),
        ("bo", list(FOUR), "not_your_turn"),
        ("ann", ["gold-1", "gold-2"], "cavern_shut"),
        ("ann", ["green-1"], "not_offered"),
        ("ann", [], "too_few_dice"),
    ],
)
def test_throw_is_refused_when_the_dice_are_not_awaited(desk, player, dice, code):
    with pytest.raises(IllegalAction) as refusal:
        desk.throw(player, dice, step=0)
    assert refusal.value.code == code
    assert desk.play.room.thrown == []


def test_throw_is_refused_when_the_dice_are_real(desk):
    desk.companion.simulated = False
    with pytest.raises(IllegalAction) as refusal:
        desk.throw("ann", list(FOUR), step=0)
    assert refusal.value.code == "no_simulated_dice"


def test_throw_is_stale_when_its_offer_has_left_the_table(desk):
    desk.act(Rolled(dict.fromkeys(FOUR, "diamond")), step=0, player="ann")
    desk.act(Chose("ann", "leave"), step=1, player="ann")
    for player in ("bo", "cy"):
        desk.act(Rolled(dict.fromkeys(FOUR, "troll")), step=None, player=player)
    with pytest.raises(StaleTap):
        desk.throw("ann", list(FOUR), step=1)


def test_another_game_is_refused_while_this_one_is_not_over(desk):
    with pytest.raises(IllegalAction) as refusal:
        desk.new_game()
    assert refusal.value.code == "game_not_over"


def test_another_game_ends_the_loop_when_this_one_is_over(desk):
    desk.act(Adjusted("supply.diamonds", 0), step=0, player=None)
    desk.act(Rolled(dict.fromkeys(FOUR, "troll")), step=1, player="ann")
    assert desk.new_game() == {"step": 0}
    assert desk.companion.wants_another


def test_desk_says_so_while_no_game_is_laid_out():
    with pytest.raises(IllegalAction) as refusal:
        Desk(Feed()).snapshot()
    assert refusal.value.code == "no_game"


def test_desk_keeps_the_time_of_the_room(desk):
    desk.play.clock.move_to(4.5)
    assert desk.now_s() == 4.5
