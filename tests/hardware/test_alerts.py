import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest_mock import MockerFixture

from companion.actions import Chose, Report
from companion.clock import RealClock, SimulatedClock
from companion.steps import FAMILIES, Cue, Step, Told
from hardware.alerts import MELODIES, STALE_S, Alerts
from hardware.cues import Alert, CueBook, Follow, Glow, Light, Tone, read_cues
from hardware.flashes import FLASHES
from hardware.lamps import Lamps
from hardware.pins import PinChoice, choose_pins

SHIPPED = read_cues()
TROLL_PINS, SEAT_PINS = (5, 6, 13, 19), (23, 24, 25, 12, 16)
DRAGON_PIN, TABLE_PINS = 26, (17, 27, 22)
ALL_PINS = (*TABLE_PINS, *TROLL_PINS, DRAGON_PIN, *SEAT_PINS)


def step(*cues: tuple[str, str]) -> Step:
    told = tuple(Told(Cue(name, family, name), "It happened.") for name, family in cues)
    return Step(1, Report(Chose("ann", "leave")), told)


class Desk:
    """Alerts on mock pins and a simulated clock, without a thread."""

    def __init__(self, book: CueBook = SHIPPED) -> None:
        self.choice: PinChoice = choose_pins(real=False)
        self.clock = SimulatedClock()
        self.pins = {pin: self.choice.factory.pin(pin) for pin in (*ALL_PINS, 18)}
        self.alerts = Alerts(Lamps(self.choice), book, self.clock)

    def show(self, *cues: tuple[str, str]) -> None:
        self.alerts.show(step(*cues))

    def wait(self, seconds: float) -> None:
        until_s = self.clock.now_s() + seconds
        next_s: float | None = self.clock.now_s()
        while next_s is not None and next_s < until_s:
            self.clock.move_to(next_s)
            next_s = self.alerts.tick(self.clock.now_s())
        self.clock.move_to(until_s)
        self.alerts.tick(until_s)

    def level(self, pin: int) -> float:
        return float(self.pins[pin].state)

    def levels(self, *pins: int) -> list[float]:
        return [self.level(pin) for pin in pins]

    def lamp(self, name: str) -> dict[str, object]:
        return next(lamp for lamp in self.alerts.lamps() if lamp["name"] == name)

    def is_dark(self) -> bool:
        return not any(pin.state for pin in self.pins.values())


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
    desk.wait(0.6)
    assert desk.lamp("table")["level"] == pytest.approx(0.3)
    desk.wait(0.4)
    assert desk.lamp("table")["level"] == pytest.approx(1.0)
    desk.wait(1.0)
    assert desk.is_dark()
    assert desk.alerts.tick(desk.clock.now_s()) is None


def test_highest_cue_of_a_step_has_the_lamp_and_the_other_comes_back(desk: Desk) -> None:
    book = CueBook(
        families={name: Alert(priority=1) for name in FAMILIES},
        cues={
            "low": Alert(priority=10, table=(Light("#00ff00", 2.0),)),
            "high": Alert(priority=20, table=(Light("#0000ff", 0.5),)),
        },
        follow=Follow(),
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
    assert desk.lamp("table")["colour"] == "#ffe08a"


def melody(*notes: str, priority: int = 10) -> Alert:
    return Alert(priority=priority, buzzer=tuple(Tone(note, 0.5) for note in notes))


def sounding(alerts: dict[str, Alert]) -> Desk:
    return Desk(CueBook({name: Alert(priority=1) for name in FAMILIES}, alerts, Follow()))


def test_sounds_queue_by_priority() -> None:
    desk = sounding({"a": melody("C4"), "b": melody("D4"), "c": melody("E4", priority=30)})
    desk.show(("a", "note"), ("b", "note"), ("c", "note"))
    heard = []
    for _ in range(4):
        heard.append(desk.lamp("buzzer")["note"])
        desk.wait(0.51)
    assert heard == ["E4", "C4", "D4", None]
    desk.alerts.close()


def test_dragon_breaks_off_what_sounds_below_it() -> None:
    desk = sounding({"turn": melody("C4", "D4", "E4"), "dragon": melody("A3", priority=70)})
    desk.show(("turn", "turn"))
    desk.wait(0.2)
    desk.show(("dragon", "hurry"))
    assert desk.lamp("buzzer")["note"] == "A3"
    desk.wait(0.6)
    assert desk.lamp("buzzer")["note"] is None
    desk.alerts.close()


def test_melody_that_waited_too_long_is_not_played() -> None:
    desk = sounding({"long": melody(*["C4"] * 5, priority=50), "late": melody("D4")})
    desk.show(("long", "note"), ("late", "note"))
    desk.wait(STALE_S + 0.6)
    assert desk.lamp("buzzer")["note"] is None
    desk.alerts.close()


def test_flood_of_cues_keeps_few_melodies() -> None:
    desk = sounding({"a": melody("C4")})
    for _ in range(100):
        desk.show(("a", "note"))
    assert len(desk.alerts._waiting) <= MELODIES
    desk.alerts.close()


def test_troll_bar_follows_the_blocked_dice(desk: Desk) -> None:
    for blocked in (0, 1, 2, 3, 4, 3):
        desk.alerts.follow({"grotto.blocked": blocked}, 0)
        desk.wait(1.0)
        assert [level > 0 for level in desk.levels(*TROLL_PINS)] == [n < blocked for n in range(4)]


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


NAMES = [*SHIPPED.cues, *FAMILIES]
STORY = st.lists(
    st.tuples(
        st.floats(0.0, 1.5),
        st.lists(st.sampled_from(NAMES), max_size=3),
        st.integers(0, 4),
        st.integers(0, 4),
    ),
    max_size=12,
)
GLOWS = st.lists(
    st.builds(Glow, for_s=st.floats(0.05, 0.5), level=st.floats(0, 1)), max_size=12
).map(tuple)
LIGHTS = st.lists(
    st.builds(
        Light,
        colour=st.sampled_from(["#ff0000", "#ffffff", "#00ff00", "#000000", "#ff2000"]),
        for_s=st.floats(0.05, 0.5),
        level=st.floats(0, 1),
    ),
    max_size=12,
).map(tuple)
ALERT = st.builds(
    Alert, priority=st.integers(0, 100), table=LIGHTS, troll=GLOWS, dragon=GLOWS, seat=GLOWS
)


class Watcher(Desk):
    """Notes from the pins themselves when each of them began to shine."""

    def watch(self, story: list[tuple[float, list[str], int, int]]) -> dict[int, list[float]]:
        rises: dict[int, list[float]] = {}
        self.seen: dict[int, tuple[float, bool]] = {}
        for pause_s, cues, blocked, seat in story:
            until_s = self.clock.now_s() + pause_s
            while self.clock.now_s() < until_s:
                self.clock.move_to(min(until_s, self.clock.now_s() + 0.05))
                self.alerts.tick(self.clock.now_s())
                self._note(rises)
            self.alerts.follow({"grotto.blocked": blocked}, seat)
            self._note(rises)
            self.show(*[(name, "note") for name in cues])
            self._note(rises)
        return rises

    def _note(self, rises: dict[int, list[float]]) -> None:
        for pin in ALL_PINS:
            level, (turn, is_up) = self.level(pin), self.seen.get(pin, (0.0, False))
            if is_up:
                turn = max(turn, level)
                if turn - level >= 0.1:
                    turn, is_up = level, False
            else:
                turn = min(turn, level)
                if level - turn >= 0.1:
                    turn, is_up = level, True
                    rises.setdefault(pin, []).append(self.clock.now_s())
            self.seen[pin] = (turn, is_up)
        red, green, blue = self.levels(*TABLE_PINS)
        assert red == 0 or red < 0.8 * (red + green + blue)


def assert_gentle(rises: dict[int, list[float]]) -> None:
    flashes: list[float] = []
    for at_s in sorted(at_s for moments in rises.values() for at_s in moments):
        if not flashes or at_s > flashes[-1] + 0.031:  # closer ones are one flash to the eye
            flashes.append(at_s)
    for moments in (*rises.values(), flashes):
        for at_s in moments:
            assert sum(at_s <= other <= at_s + 1.0 for other in moments) <= FLASHES


@settings(max_examples=30)
@given(STORY)
def test_no_sequence_of_shipped_alerts_flashes_too_often(
    story: list[tuple[float, list[str], int, int]],
) -> None:
    desk = Watcher()
    assert_gentle(desk.watch(story))
    assert desk.alerts.failures == 0
    desk.alerts.close()


@settings(max_examples=30)
@given(st.lists(ALERT, min_size=len(FAMILIES), max_size=len(FAMILIES)), STORY)
def test_no_table_of_alerts_whatever_it_says_flashes_too_often(
    alerts: list[Alert], story: list[tuple[float, list[str], int, int]]
) -> None:
    families = dict(zip(FAMILIES, alerts, strict=True))
    desk = Watcher(CueBook(families, families, SHIPPED.follow))
    assert_gentle(desk.watch([(p, [FAMILIES[len(c) % 6]], b, s) for p, c, b, s in story]))
    desk.alerts.close()


# With the thread


def wait_for(alerts: Alerts, fits: object, limit_s: float = 10.0) -> bool:
    with alerts._changed:
        until_s = time.monotonic() + limit_s
        while not fits(alerts):  # type: ignore[operator]
            if time.monotonic() > until_s:
                return False
            alerts._changed.wait(0.01)
    return True


def level_of(alerts: Alerts, name: str) -> float:
    return float(next(lamp["level"] for lamp in alerts.lamps() if lamp["name"] == name))


def test_thread_plays_a_pattern_to_its_end() -> None:
    before = threading.active_count()
    with Alerts(Lamps(choose_pins(real=False)), SHIPPED, RealClock()) as alerts:
        alerts.show(step(("refused", "bad")))
        assert level_of(alerts, "table") > 0
        assert wait_for(alerts, lambda alerts: level_of(alerts, "table") == 0)
        assert wait_for(alerts, lambda alerts: level_of(alerts, "buzzer") == 0)
    assert threading.active_count() == before


def test_thread_follows_a_clock_that_somebody_else_moves() -> None:
    clock = SimulatedClock()
    with Alerts(Lamps(choose_pins(real=False)), SHIPPED, clock) as alerts:
        alerts.show(step(("game_over", "over")))
        clock.move_to(100.0)
        assert wait_for(alerts, lambda alerts: level_of(alerts, "table") == 0)


def test_thread_that_fails_goes_dark_and_lives_on(mocker: MockerFixture) -> None:
    clock = SimulatedClock()
    with Alerts(Lamps(choose_pins(real=False)), SHIPPED, clock) as alerts:
        alerts.show(step(("dragon", "hurry")))
        mocker.patch.object(alerts._lamps, "sound", side_effect=[OSError("gone")] + [None] * 1000)
        clock.move_to(0.2)
        assert wait_for(alerts, lambda alerts: alerts.failures == 1)
        assert level_of(alerts, "dragon") == 0
        clock.move_to(5.0)
        alerts.show(step(("dragon", "hurry")))
        assert level_of(alerts, "dragon") == 1


def test_show_returns_at_once_though_patterns_are_long() -> None:
    with Alerts(Lamps(choose_pins(real=False)), SHIPPED, RealClock()) as alerts:
        began = time.monotonic()
        for _ in range(100):
            alerts.show(step(("dragon_awake", "bad"), ("troll", "bad"), ("game_over", "over")))
        assert time.monotonic() - began < 3.0
