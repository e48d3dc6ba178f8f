import itertools
from collections.abc import Callable

from alert_desk import ALL_PINS, SHIPPED, TABLE_PINS, Desk
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.steps import FAMILIES
from hardware.cues import Alert, CueBook, Glow, Light
from hardware.flashes import FLASHES, Levels

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
    Alert,
    priority=st.integers(0, 100),
    table=LIGHTS,
    strip=LIGHTS,
    troll=GLOWS,
    dragon=GLOWS,
    seat=GLOWS,
)
ANSWERS = st.lists(
    st.tuples(st.floats(0.01, 0.8), st.floats(0, 1), st.sampled_from([True, True, True, False])),
    min_size=1,
    max_size=6,
)


class Watcher(Desk):
    """Notes from the pins, and from the strip, when each of them began to shine."""

    def __init__(self, book: CueBook, answers: list[tuple[float, float, bool]]) -> None:
        self.strip = SlowStrip(answers)
        super().__init__(book, strip=self.strip)

    def watch(self, story: list[tuple[float, list[str], int, int]]) -> dict[int, list[float]]:
        rises: dict[int, list[float]] = {}
        self.seen: dict[int, tuple[float, bool]] = {}
        for pause_s, cues, blocked, seat in story:
            until_s = self.clock.now_s() + pause_s
            while self.clock.now_s() < until_s:
                self.clock.move_to(min(until_s, self.clock.now_s() + 0.05))
                self.strip.move_to(self.clock.now_s())
                self.alerts.tick(self.clock.now_s())
                self._note(rises)
            self.alerts.follow({"grotto.blocked": blocked}, seat)
            self._note(rises)
            self.show(*[(name, "note") for name in cues])
            self._note(rises)
        for led in range(3):
            rises[-led - 1] = rises_of([(at_s, shown[led]) for at_s, shown in self.strip.shown])
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
        for red, green, blue in (self.levels(*TABLE_PINS), self.strip.shown[-1][1]):
            assert red == 0 or red < 0.8 * (red + green + blue)


class SlowStrip:
    """A strip that obeys late, skips what comes too fast, and now and then is gone for a while.

    answers   for each thing that it is told: seconds until it answers, the share of them after
              which it has obeyed, and whether the answer gets through.
    """

    def __init__(self, answers: list[tuple[float, float, bool]]) -> None:
        self._answers = itertools.cycle(answers)
        self.shown: list[tuple[float, Levels]] = [(0.0, (0.0, 0.0, 0.0))]
        self._wanted: tuple[Levels, int] | None = None
        self._sent: tuple[Levels, int] | None = None
        self._obeys_s = self._answers_s = self._back_s = 0.0
        self._is_there = self._gets_through = True

    def begin(
        self,
        landed: Callable[[int, float], None],
        gone: Callable[[float], None],
        back: Callable[[], None],
    ) -> None:
        self._landed, self._gone, self._back = landed, gone, back
        back()

    def shine(self, levels: Levels, number: int) -> None:
        assert self._is_there
        self._wanted = levels, number

    def close(self) -> None:
        self._is_there = False

    def move_to(self, now_s: float) -> None:
        if not self._is_there and now_s >= self._back_s:
            self._is_there, self._wanted = True, None
            self.shown.append((now_s, (0.0, 0.0, 0.0)))
            self._back()
        obeys = self._sent is not None and now_s >= self._obeys_s
        if self._sent is not None and obeys and self.shown[-1][1] != self._sent[0]:
            self.shown.append((self._obeys_s, self._sent[0]))
        if self._sent is not None and now_s >= self._answers_s:
            self._hear(now_s, self._sent[1])
        if self._sent is None and self._wanted is not None and self._is_there:
            self._sent, self._wanted = self._wanted, None
            lasts_s, share, self._gets_through = next(self._answers)
            self._answers_s, self._obeys_s = now_s + lasts_s, now_s + lasts_s * share

    def _hear(self, now_s: float, number: int) -> None:
        self._sent = None
        if self._gets_through:
            self._landed(number, now_s)
        else:
            self._is_there, self._back_s = False, now_s + 0.7
            self._gone(now_s + 1.0)


def rises_of(shown: list[tuple[float, float]]) -> list[float]:
    rises, turn, is_up = [], 0.0, False
    for at_s, level in shown:
        if is_up:
            turn = max(turn, level)
            if turn - level >= 0.1:
                turn, is_up = level, False
        else:
            turn = min(turn, level)
            if level - turn >= 0.1:
                turn, is_up = level, True
                rises.append(at_s)
    return rises


def assert_gentle(rises: dict[int, list[float]]) -> None:
    flashes: list[float] = []
    for at_s in sorted(at_s for moments in rises.values() for at_s in moments):
        if not flashes or at_s > flashes[-1] + 0.031:  # closer ones are one flash to the eye
            flashes.append(at_s)
    for moments in (*rises.values(), flashes):
        for at_s in moments:
            assert sum(at_s <= other <= at_s + 1.0 for other in moments) <= FLASHES


@settings(max_examples=12)
@given(STORY, ANSWERS)
def test_no_sequence_of_shipped_alerts_flashes_too_often(
    story: list[tuple[float, list[str], int, int]], answers: list[tuple[float, float, bool]]
) -> None:
    desk = Watcher(SHIPPED, answers)
    assert_gentle(desk.watch(story))
    assert desk.alerts.failures == 0
    desk.alerts.close()


@settings(max_examples=15)
@given(st.lists(ALERT, min_size=len(FAMILIES), max_size=len(FAMILIES)), STORY, ANSWERS)
def test_no_table_of_alerts_whatever_it_says_flashes_too_often(
    alerts: list[Alert],
    story: list[tuple[float, list[str], int, int]],
    answers: list[tuple[float, float, bool]],
) -> None:
    families = dict(zip(FAMILIES, alerts, strict=True))
    desk = Watcher(CueBook(families, families, SHIPPED.follow), answers)
    assert_gentle(desk.watch([(p, [FAMILIES[len(c) % 6]], b, s) for p, c, b, s in story]))
    assert desk.alerts.failures == 0
    desk.alerts.close()


def test_strip_that_is_told_to_strobe_is_thinned_out() -> None:
    strobe = (Light("#ffffff", 0.05), Light("#000000", 0.05)) * 40
    book = CueBook(
        {name: Alert(1, strip=strobe, table=strobe) for name in FAMILIES}, {}, SHIPPED.follow
    )
    desk = Watcher(book, [(0.02, 0.5, True)])
    rises = desk.watch([(0.0, ["note"], 0, 0), (3.9, [], 0, 0)])
    assert_gentle(rises)
    assert 1 <= len(rises[-1]) <= 12
    desk.alerts.close()
