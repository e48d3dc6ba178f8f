from collections.abc import Iterator
from itertools import pairwise

import pytest
from alert_desk import DRAGON_PIN, SEAT_PINS, SHIPPED, TABLE_PINS, TROLL_PINS, Desk, book_of, step
from pytest_mock import MockerFixture

from companion.actions import Chose, Correct, Report, Undo
from companion.steps import Step
from hardware.cues import Alert, Light, Manner, Tone
from hardware.lamps import STEADY_S, duty


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.alerts.close()


def test_first_light_is_on_the_pins_before_show_returns(desk: Desk) -> None:
    desk.show(("dragon", "hurry"))
    assert desk.level(DRAGON_PIN) == 1.0
    assert sum(desk.levels(*TABLE_PINS)) > 0
    assert desk.lamp("buzzer")["note"] == "A3"


def test_pattern_plays_in_its_time_and_ends_dark(desk: Desk) -> None:
    desk.show(("dragon", "hurry"))
    whole = sum(desk.levels(*TABLE_PINS))
    desk.wait(0.6)
    assert sum(desk.levels(*TABLE_PINS)) == pytest.approx(0.3 * whole)
    desk.wait(0.4)
    assert sum(desk.levels(*TABLE_PINS)) == pytest.approx(whole)
    desk.wait(1.0)
    assert desk.is_dark()
    assert desk.alerts.tick(desk.clock.now_s()) is None


def test_highest_cue_of_a_step_has_the_lamp_and_the_other_comes_back(desk: Desk) -> None:
    book = book_of(
        {
            "low": Alert(priority=10, table=(Light("#00ff00", 2.0),)),
            "high": Alert(priority=20, table=(Light("#0000ff", 0.5),)),
        }
    )
    two = Desk(book)
    two.show(("high", "note"), ("low", "note"))
    assert two.lamp("table")["colour"] == "#0000ff"
    two.wait(0.6)
    assert two.lamp("table")["colour"] == "#00ff00"
    two.wait(1.5)
    assert two.lamp("table")["level"] == 0
    two.alerts.close()


def test_cue_without_an_entry_is_shown_as_its_family(desk: Desk) -> None:
    desk.show(("never heard of", "over"))
    assert desk.lamp("table")["colour"] == SHIPPED.palette["gold"]


def test_troll_bar_follows_the_blocked_dice(desk: Desk) -> None:
    for blocked in (0, 1, 2, 3, 4, 3):
        desk.alerts.follow({"grotto.blocked": blocked}, 0)
        desk.wait(1.0)
        assert [level > 0 for level in desk.levels(*TROLL_PINS)] == [n < blocked for n in range(4)]


def test_bar_follows_the_stones_won_of_those_needed(desk: Desk) -> None:
    for stones, lit in ((0, 0), (1, 0), (2, 1), (4, 2), (8, 4)):
        desk.alerts.follow({"stones": stones, "stones_needed": 8}, None)
        desk.wait(1.0)
        assert [level > 0 for level in desk.levels(*TROLL_PINS)] == [n < lit for n in range(4)]


def test_lamp_over_the_table_stays_amber_as_long_as_one_hole_is_left(desk: Desk) -> None:
    desk.alerts.follow({"last_holes": 2}, None)
    desk.wait(1.0)
    assert desk.lamp("table")["level"] > 0.1
    red, green, blue = desk.levels(*TABLE_PINS)
    assert red > green > blue
    desk.alerts.follow({"last_holes": 0}, None)
    desk.wait(1.0)
    assert desk.lamp("table")["level"] == 0


def test_dragon_lamp_follows_how_much_of_it_is_awake(desk: Desk) -> None:
    desk.alerts.follow({"dragon.awake": 1}, 0)
    half = desk.level(DRAGON_PIN)
    desk.wait(1.0)
    desk.alerts.follow({"dragon.awake": 2}, 0)
    assert desk.level(DRAGON_PIN) == pytest.approx(2 * half)


def test_seat_lamp_follows_the_turn(desk: Desk) -> None:
    for seat in (0, 1, 2, 0):
        desk.alerts.follow({}, seat)
        desk.wait(1.0)
        assert [level > 0 for level in desk.levels(*SEAT_PINS)] == [n == seat for n in range(5)]
    desk.alerts.follow({}, None)
    assert desk.is_dark()


def test_seat_beyond_the_lamps_is_no_failure(desk: Desk) -> None:
    desk.alerts.follow({}, 8)
    desk.show(("your_turn", "turn"))
    assert desk.alerts.failures == 0


def test_standing_lamps_come_back_after_an_alert(desk: Desk) -> None:
    desk.alerts.follow({"grotto.blocked": 2}, 1)
    before = desk.alerts.lamps()
    desk.wait(1.0)
    desk.show(("troll", "bad"))
    assert desk.levels(*TROLL_PINS) == [1.0] * 4
    desk.wait(5.0)
    assert desk.alerts.lamps() == before


def test_undo_is_right_on_the_lamps_without_any_cue(desk: Desk) -> None:
    desk.alerts.follow({"grotto.blocked": 3}, 1)
    desk.wait(1.0)
    desk.alerts.follow({"grotto.blocked": 1}, 0)
    assert desk.lamp("buzzer")["note"] is None
    assert [level > 0 for level in desk.levels(*TROLL_PINS)] == [True, False, False, False]


@pytest.mark.parametrize("entry", [Undo(), Correct(1, Chose("ann", "leave"))])
def test_undo_and_correction_end_what_was_shown_and_show_nothing(
    desk: Desk, entry: Undo | Correct
) -> None:
    desk.alerts.follow({}, 1)
    before = desk.alerts.lamps()
    desk.wait(1.5)
    desk.show(("dragon_awake", "bad"))
    desk.alerts.show(Step(2, Report(entry), step(("undo", "note"), ("troll", "bad")).told))
    assert desk.alerts.lamps() == before
    assert desk.alerts.tick(desk.clock.now_s()) is None


def test_dragon_interrupts_the_glow_of_a_turn_which_comes_back(desk: Desk) -> None:
    desk.show(("your_turn", "turn"))
    glow = desk.levels(*TABLE_PINS)
    desk.wait(1.0)
    desk.show(("dragon", "hurry"))
    assert desk.lamp("table")["colour"] != SHIPPED.palette["sky"]
    assert desk.lamp("buzzer")["note"] == "A3"
    desk.wait(1.6)
    assert desk.levels(*TABLE_PINS) == glow
    desk.wait(3.0)
    assert desk.is_dark()


def test_quiet_table_hears_nothing_and_sees_a_steady_dim_light() -> None:
    desk = Desk(manner=Manner(quiet=True))
    desk.show(("troll", "bad"))
    first = desk.levels(*TABLE_PINS)
    assert 0 < max(first) <= 0.5
    for _ in range(20):
        assert desk.lamp("buzzer")["note"] is None
        assert desk.levels(*TABLE_PINS) == first
        desk.wait(0.1)
    desk.alerts.be(Manner())
    desk.show(("troll", "bad"))
    assert desk.lamp("buzzer")["note"] == "E3"
    desk.alerts.close()


def test_muted_cue_is_seen_and_not_heard() -> None:
    book = book_of({"a": Alert(5, (Light("#00ff00", 1.0),), buzzer=(Tone("C4", 1.0),), mute=True)})
    for desk in (Desk(book), Desk(manner=Manner(mute=("troll",))), Desk(manner=Manner(volume=0))):
        desk.show(("a", "note"), ("troll", "note"))
        assert desk.lamp("table")["level"] != 0
        desk.wait(0.01)
        assert desk.lamp("buzzer")["note"] is None
        desk.alerts.close()


def test_volume_of_cue_and_table_make_the_pulses_of_the_buzzer_narrower() -> None:
    tones = (Tone("C4", 1.0),)
    book = book_of({"a": Alert(5, buzzer=tones, volume=0.5), "b": Alert(9, buzzer=tones)})
    desk = Desk(book, manner=Manner(volume=0.5))
    desk.show(("a", "note"))
    soft = desk.level(18)
    desk.show(("b", "note"))
    assert 0 < soft < desk.level(18) < 0.5
    assert soft == pytest.approx(duty(0.25))
    desk.alerts.close()


def test_seat_whose_button_does_something_shines_brighter_than_a_turn(desk: Desk) -> None:
    desk.alerts.follow({}, 0)
    desk.alerts.buttons({0: "continue", 2: "take"})
    assert desk.levels(*SEAT_PINS) == [0.7, 0.0, 0.7, 0.0, 0.0]
    desk.alerts.buttons({})
    assert desk.levels(*SEAT_PINS) == [0.35, 0.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize("quiet", [False, True])
def test_lamp_of_a_seat_tells_whether_its_button_goes_on_or_ends_something(quiet: bool) -> None:
    desk = Desk(manner=Manner(quiet=quiet))
    desk.alerts.buttons({0: "leave", 1: "continue"})
    seen = []
    for _ in range(30):
        seen.append(desk.levels(*SEAT_PINS)[:2])
        desk.wait(0.1)
        desk.alerts.buttons({0: "leave", 1: "continue"})  # told again and again, it goes on
    leaving, going_on = ([levels[seat] for levels in seen] for seat in (0, 1))
    assert set(going_on) == {0.7}
    assert set(leaving) == ({0.8} if quiet else {0.8, 0.3})
    changes = sum(one != later for one, later in pairwise(leaving))
    assert changes == (0 if quiet else 3)
    desk.alerts.close()


def test_lamps_near_the_tray_stay_as_they_are_while_dice_are_read(desk: Desk) -> None:
    desk.show(("your_turn", "turn"))
    before = desk.levels(*TABLE_PINS)
    desk.alerts.reading(True)
    desk.show(("dragon_awake", "bad"))
    for _ in range(12):
        assert desk.levels(*TABLE_PINS) == before
        desk.wait(0.1)
    assert desk.level(DRAGON_PIN) == 1.0
    desk.alerts.reading(False)
    assert desk.levels(*TABLE_PINS) != before
    assert desk.lamp("table")["level"] != 0


def test_hand_that_rests_in_the_tray_does_not_hold_the_light_for_ever(desk: Desk) -> None:
    desk.alerts.reading(True)
    desk.show(("last_hole", "hurry"))
    assert desk.lamp("table")["level"] == 0
    desk.wait(STEADY_S + 0.1)
    assert desk.lamp("table")["level"] != 0


def test_steady_lamps_still_go_dark_at_the_end(desk: Desk) -> None:
    desk.show(("troll", "bad"))
    desk.alerts.reading(True)
    desk.alerts.close()
    assert desk.is_dark()


def test_refused_report_is_seen_and_heard(desk: Desk) -> None:
    desk.alerts.refused()
    assert desk.lamp("table")["level"] != 0
    assert desk.lamp("buzzer")["note"] == "A#3"


def test_lamps_for_the_dashboard_say_what_shines(desk: Desk) -> None:
    desk.alerts.follow({"grotto.blocked": 1}, 2)
    lamps = desk.alerts.lamps()
    assert [lamp["name"] for lamp in lamps] == [
        *["table", "troll-1", "troll-2", "troll-3", "troll-4", "dragon"],
        *["seat-1", "seat-2", "seat-3", "seat-4", "seat-5", "buzzer"],
    ]
    assert all(lamp["label"] and str(lamp["colour"]).startswith("#") for lamp in lamps)
    assert desk.lamp("troll-1")["level"] == 0.8
    assert desk.lamp("seat-3")["level"] == 0.35
    lamps[0]["level"] = 77
    assert desk.lamp("table")["level"] == 0


def test_close_goes_dark_at_once_and_stays_dark(desk: Desk) -> None:
    desk.alerts.follow({"grotto.blocked": 4}, 0)
    desk.show(("troll", "bad"))
    desk.alerts.close()
    desk.alerts.close()
    assert desk.is_dark()
    desk.show(("dragon", "hurry"))
    desk.alerts.follow({"grotto.blocked": 4}, 0)
    assert desk.is_dark()
    assert all(lamp["level"] == 0 for lamp in desk.alerts.lamps())


def test_failing_lamp_never_raises_into_the_table_and_all_go_dark(
    desk: Desk, mocker: MockerFixture, caplog: pytest.LogCaptureFixture
) -> None:
    desk.show(("troll", "bad"))
    broken = mocker.patch.object(desk.alerts._lamps, "sound", side_effect=[OSError("gone"), None])
    desk.show(("dragon", "hurry"))
    assert desk.alerts.failures == 1
    assert "going dark" in caplog.text
    assert not any(desk.levels(DRAGON_PIN, *TROLL_PINS, *TABLE_PINS))
    broken.side_effect = None
    desk.wait(2.0)
    desk.show(("dragon", "hurry"))
    assert desk.level(DRAGON_PIN) == 1.0


def test_time_that_is_set_back_ends_what_was_shown(desk: Desk) -> None:
    desk.wait(500.0)
    desk.show(("game_over", "over"))
    desk.alerts.tick(0.0)
    assert desk.is_dark()
