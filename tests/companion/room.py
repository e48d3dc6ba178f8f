"""A room in memory: sensors and people without devices, on a clock that the test owns.

    room = Play("ann", "bo", "cy")
    room.into_the_race()                                   # Ann is in the cavern, one eye is open
    room.rolls("red-2 X", at_s=10.0, learned_s=10.02)      # happened, and became known
    room.says("ann", "leave", at_s=9.95, learned_s=10.08)
    room.falls_silent("gold", at_s=9.8)
    room.goes_on(11.0)                                     # lets time pass, deciding all the while

Sensors tell their watermark whenever time passes, never further than what they have yet to bring.
"""

import heapq
import itertools
import math
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from verbs import faces_of

from companion.actions import Adjusted, Chose, Correct, Report, Rolled, Undo
from companion.app import Companion
from companion.asking import Asked
from companion.clock import SimulatedClock
from companion.errors import IllegalAction
from companion.games import GAMES
from companion.inbox import Inbox, Ticket
from companion.journal import Journal
from companion.offers import Offer
from companion.players import Chance, SimulatedPlayer, action_of, anything
from companion.protocol import checked_options
from companion.referee import Referee
from companion.table import Player

BEAT_S = 0.02  # between two signs of life of a sensor, while somebody waits for them
SENSORS = {
    "white": ("white-1", "white-2", "white-3", "white-4"),
    "gold": ("gold-1", "gold-2"),
    "red": ("red-1", "red-2"),
}


class QuietAlerts:
    """Lamps that write down what they were told."""

    def __init__(self, calls: list[Any]) -> None:
        self.calls = calls
        self.seat: int | None = None
        self.counters: dict[str, int] = {}

    def show(self, step: Any) -> None:
        self.calls.append(("alerts", step.number))

    def follow(self, counters: dict[str, int], active_seat: int | None) -> None:
        self.counters, self.seat = dict(counters), active_seat

    def refused(self) -> None:
        self.calls.append(("alerts", "refused"))

    def lamps(self) -> list[dict[str, Any]]:
        return [{"name": "troll-1", "level": 1.0}]


class Screens:
    """Screens that write down what they were sent."""

    def __init__(self, calls: list[Any], clock: SimulatedClock) -> None:
        self.calls, self._clock = calls, clock
        self.tables: list[dict[str, Any]] = []
        self.told: list[tuple[float, str]] = []
        self.refusals: list[dict[str, Any]] = []

    def publish(
        self, kind: str, data: dict[str, Any], number: int | None, *, keeps_past: bool = True
    ) -> None:
        assert kind == "table"
        self.tables.append(data)
        if data["told"]:
            self.calls.append(("screens", number))
        self.told += [(self._clock.now_s(), row["cue"]) for row in data["told"]]
        if data["refused"]:
            self.calls.append(("screens", "refused"))
            self.refusals.append(data["refused"])


class WatchedJournal(Journal):
    """A journal in memory that writes down when it was written to."""

    def __init__(self, calls: list[Any]) -> None:
        super().__init__(None)
        self.calls = calls

    def append(self, game: int, step: Any, referee: Referee) -> None:
        super().append(game, step, referee)
        self.calls.append(("journal", step.number))


class Room:
    """Sensors, and what will become known of them when."""

    def __init__(self, clock: SimulatedClock, inbox: Inbox) -> None:
        self.people = set[str]()
        self.is_apart = False
        self.silent = set[str]()
        self.expected: list[Offer] = []
        self.reports: list[Report | None] = []
        self.thrown: list[tuple[str, list[str]]] = []
        self.stops: Callable[[], None] = lambda: None
        self.until_s = math.inf
        self._clock, self._inbox = clock, inbox
        self._due: list[tuple[float, int, Callable[[], None], str, float]] = []
        self._order = itertools.count()
        for name, dice in SENSORS.items():
            inbox.add_source(name, dice)

    def later(
        self, at_s: float, do: Callable[[], None], sensor: str = "", captured_s: float = math.inf
    ) -> None:
        """Let something happen at a moment; a sensor's watermark stays before what it captured."""
        heapq.heappush(self._due, (at_s, next(self._order), do, sensor, captured_s))

    def set_apart(self, is_apart: bool) -> None:
        self.is_apart = is_apart

    def expect(self, offers: list[Offer]) -> None:
        self.expected = offers

    def decided(self, referee: Referee, report: Report | None) -> None:
        self.reports.append(report)

    def sources(self) -> list[dict[str, Any]]:
        silent = self._inbox.silent()
        return [{"name": n, "state": "silent" if n in silent else "ok"} for n in SENSORS]

    def throw(self, player: str, dice: list[str]) -> None:
        self.thrown.append((player, dice))

    def now_s(self) -> float:
        return self._clock.now_s()

    def close(self) -> None:
        pass

    def advance(self, due_s: float | None) -> None:
        """Go on to the next thing that happens; stop when there is none before the end."""
        moments = [one[0] for one in self._due[:1]] + ([] if due_s is None else [due_s])
        if self._inbox.waiting():
            moments.append(self._clock.now_s() + BEAT_S)
        at_s = min(moments, default=math.inf)
        if at_s > self.until_s:
            self._clock.move_to(self.until_s)
            self._live()
            self.stops()
            return
        self._clock.move_to(at_s)
        while self._due and self._due[0][0] <= at_s:
            heapq.heappop(self._due)[2]()
        self._live()

    def _live(self) -> None:
        for name in set(SENSORS) - self.silent:
            captured = [one[4] for one in self._due if one[3] == name]
            before_s = math.nextafter(min(captured, default=math.inf), -math.inf)
            self._inbox.heard(name, min(self._clock.now_s(), before_s))


class Play:
    """A companion at play in such a room, and the verbs of what happens there."""

    def __init__(self, *seats: str, journal: bool = True, start_s: float = 0.0, **options: Any):
        game = GAMES["troll_and_dragon"]
        players = [Player(seat, seat.capitalize()) for seat in seats or ("ann", "bo", "cy")]
        self.calls: list[Any] = []
        self.clock = SimulatedClock(start_s)
        self.inbox = Inbox(self.clock)
        self.room = Room(self.clock, self.inbox)
        self.referee = Referee(game, players, checked_options(game.options, options))
        self.journal = WatchedJournal(self.calls)
        self.number = self.journal.begin(self.referee)
        self.alerts = QuietAlerts(self.calls)
        self.screens = Screens(self.calls, self.clock)
        self.tickets: list[Ticket] = []
        self.companion = self._companion(self.referee, self.journal if journal else None)

    def _companion(self, referee: Referee, journal: Journal | None) -> Companion:
        companion = Companion(
            referee,
            self.inbox,
            self.clock,
            journal=journal,
            number=self.number,
            alerts=self.alerts,
            news=self.screens,
        )
        self.room.stops = companion.stop
        companion.begin(self.room)
        return companion

    @property
    def cues(self) -> list[str]:
        """Names of everything that was told on the screens."""
        return [cue for _, cue in self.screens.told]

    @property
    def codes(self) -> list[str]:
        """Codes of everything that was refused."""
        return [row["code"] for row in self.screens.refusals]

    def told_at_s(self, cue: str) -> float:
        """When the screens told it for the first time."""
        return next(at_s for at_s, told in self.screens.told if told == cue)

    def count(self, counter: str) -> int:
        """One public count."""
        return self.referee.table.counters[counter]

    # --- what happens -----------------------------------------------------------------------------

    def rolls(
        self, *dice: str, at_s: float, learned_s: float | None = None, source: str = ""
    ) -> None:
        """Dice come to rest: `rolls("red-2 X", at_s=10.0, learned_s=10.05)`."""
        faces = faces_of(dice)
        name = source or next(n for n, known in SENSORS.items() if next(iter(faces)) in known)
        self.reports(Report(Rolled(faces), at_s=at_s, source=name), learned_s or at_s)

    def says(
        self,
        player: str,
        choice: str,
        value: Any = None,
        *,
        at_s: float,
        learned_s: float | None = None,
        seen: int | None = None,
    ) -> None:
        """A player decides something, on a screen that showed the step `seen`."""
        chose = Chose(player, choice, value)
        report = Report(chose, at_s=at_s, source=f"web:{player}")
        self.reports(report, learned_s or at_s, seen)

    def reports(self, report: Report, learned_s: float, seen: int | None = None) -> None:
        """Something becomes known."""
        assert report.at_s is not None
        sensor = report.source if report.source in SENSORS else ""

        def put() -> None:
            self.tickets.append(self.inbox.put(report, seen))

        self.room.later(learned_s, put, sensor, report.at_s)

    def falls_silent(self, sensor: str, at_s: float) -> None:
        """A sensor says nothing any more, not even that it lives."""

        def last_word() -> None:
            self.inbox.heard(sensor, math.nextafter(at_s, -math.inf))
            self.room.silent.add(sensor)

        self.room.later(at_s, last_word, sensor, at_s)

    def speaks_again(self, sensor: str, at_s: float) -> None:
        """A sensor that was silent tells its watermark again."""
        self.room.later(at_s, lambda: self.room.silent.discard(sensor))

    def goes_on(self, until_s: float) -> None:
        """Let time pass, deciding all the while."""
        self.room.until_s = until_s
        self.companion.run()
        self.companion._stopping = False

    # --- games ------------------------------------------------------------------------------------

    def into_the_cavern(self) -> None:
        """Ann opens the door with two diamonds; the race is not on yet. It is 4 s."""
        self.rolls("white-1 K", "white-2 O", "white-3 D", "white-4 D", at_s=1.0)
        self.says("ann", "set_aside", "white-1", at_s=2.0)
        self.says("ann", "set_aside", "white-2", at_s=3.0)
        self.goes_on(4.0)

    def into_the_race(self) -> None:
        """Ann has two diamonds and a nugget, one eye of the Dragon is open, Cy rolls. It is 8 s."""
        self.into_the_cavern()
        self.rolls("gold-1 g1", "gold-2 g0", at_s=5.0)
        self.rolls("red-1 X", "red-2 -", at_s=6.0)
        self.goes_on(8.0)


# --- random games ---------------------------------------------------------------------------------


def random_entries(referee: Referee, seed: int, count: int) -> Iterator[Report]:
    """Play `referee` anyhow, with undo, corrections and counts set by hand; yield what it took."""
    rng = random.Random(seed)
    people = [SimulatedPlayer(seat, anything, rng) for seat in referee.table.seats]
    tries = 0
    while referee.number < count and tries < 10 * count:
        tries += 1
        report = Report(_some_entry(referee, people, rng), source="test")
        try:
            referee.apply(report)
        except IllegalAction:
            continue
        yield report


def _some_entry(referee: Referee, people: list[SimulatedPlayer], rng: random.Random) -> Any:
    chance, luck = Chance(rng), rng.random()
    intents = [i for p in people if (i := p.intend(referee.table, referee.offers))]
    if luck < 0.08 or not intents:
        return Undo()
    if luck < 0.14:
        counter = rng.choice(list(referee.table.counters))
        return Adjusted(counter, rng.randrange(9))
    action = action_of(rng.choice(intents), referee.table, chance)
    if luck < 0.2 and referee.number:
        return Correct(rng.randint(1, referee.number), action, drop_later=rng.random() < 0.5)
    return action


def ask_about(
    play: Play, die: str = "white-4", faces: tuple[str, ...] = ("troll", "door"), at_s: float = 1.0
) -> Asked:
    """The camera cannot read one die of a roll; the other three show diamonds."""
    known = dict.fromkeys(("white-1", "white-2", "white-3"), "diamond")

    def answer(face: str) -> Report:
        return Report(Rolled({**known, die: face}), at_s=at_s, source="table")

    asked = Asked(play.companion.next_question(), "?", at_s, "white", faces, answer, (die,))
    play.companion.ask(asked)
    return asked


@contextmanager
def decides_apart(desk: Any) -> Iterator[Any]:
    """Let a desk's companion decide in a thread of its own, in a room that waits for taps."""
    play = desk.play = Play()
    desk.serve(play.companion)

    def wait_for_taps(_: float | None) -> None:
        play.room._live()
        play.inbox.wait(0.05)

    play.room.advance = wait_for_taps
    thread = threading.Thread(target=play.companion.run)
    thread.start()
    yield desk
    play.companion.stop()
    thread.join(10.0)
    assert not thread.is_alive()
