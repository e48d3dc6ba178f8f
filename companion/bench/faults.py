"""Games in which things go wrong by name, and whether everything came out right all the same.

What each throw showed is written down beside the table, and compared with what was applied; the
journal is played again and compared with the table; what the screens were told is gathered; and
after the last fault the game has to go on.
"""

import contextlib
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from companion.actions import Flipped, Rolled
from companion.app import Companion
from companion.clock import SimulatedClock
from companion.config import AlertSettings, PinSettings
from companion.faults import Fault, Faults, Rig, kinds, random_schedule
from companion.faults_disk import BrittleJournal
from companion.games import GAMES
from companion.house_desk import HouseDesk
from companion.inbox import Inbox
from companion.journal import digest
from companion.outputs import house_outputs, join, screens_row
from companion.players import some_players
from companion.questions import CameraQuestions
from companion.referee import Referee
from companion.simulated_tray import wired_of
from companion.simulation import SimulatedRoom
from hardware.pins import choose_pins
from hardware.simulated_wled import SimulatedWled
from web.dashboard import create_app
from web.feed import Feed
from web.serve import WebServer

GAME = "troll_and_dragon"
ROUNDS = 40_000  # of the deciding loop; a game of a minute takes some thousand
LAST_ROUNDS = 100  # in which those who wait for an answer get it
STRIP_S, STRIP_LOOKS = 8.0, 400  # real time in which a strip that is gone is noticed
LAG = 2  # numbered messages; the games here are short
CALM_S = 60.0  # within so long after the last fault a step must come


class Thrown(msgspec.Struct, frozen=True):
    """What people threw, and saw there."""

    at_s: float
    faces: dict[str, str]


class WatchedRoom(SimulatedRoom):
    """A simulated room that writes down what lies there."""

    def __init__(self, *given: Any, **named: Any) -> None:
        self.thrown: list[Thrown] = []
        self.turned: list[tuple[float, str, str]] = []
        super().__init__(*given, **named)

    def throw(self, player: str, dice: Sequence[str]) -> None:
        """Throw dice, and see what they show."""
        super().throw(player, dice)
        self.thrown.append(Thrown(self.clock.now_s(), {die: self._shown[die] for die in dice}))

    def _turn(self, square: Any, player: str, name: str) -> None:
        super()._turn(square, player, name)
        self.turned.append((self.clock.now_s(), name, self._shown[name]))


class Outcome(msgspec.Struct):
    """What became of one schedule.

    told    everything that the screens were told of sensors, questions and journal.
    wrong   rolls that nobody threw.
    hangs   no step came although all was well again.
    lost    the journal has not what the table has.
    """

    faults: list[str]
    steps: int = 0
    told: str = ""
    wrong: list[str] = msgspec.field(default_factory=list)
    hangs: bool = False
    lost: str = ""
    until_s: float = 0.0

    @property
    def is_fine(self) -> bool:
        """True if nothing of it happened."""
        return not (self.wrong or self.hangs or self.lost)


class Evening:
    """One game with faults, played as fast as it goes."""

    def __init__(
        self, planned: Sequence[Fault], folder: Path, *, seed: int = 1, game: str = GAME
    ) -> None:
        self.planned = list(planned)
        self.stack = contextlib.ExitStack()
        self.clock = SimulatedClock()
        inbox = Inbox(self.clock)
        self.journal = BrittleJournal(folder / "journal.sqlite")
        self.stack.callback(self.journal.close)
        self.referee = Referee(GAMES[game], some_players(3))
        self.feed = Feed(lag=LAG)
        self.number = self.journal.begin(self.referee)
        wled = self.strip = self._strip()
        settings = AlertSettings(wled="" if wled is None else wled.url, voice=False)
        pins = choose_pins(real=False)
        house = house_outputs(settings, PinSettings(), speaks=False, choice=pins)
        self.companion = Companion(
            self.referee,
            inbox,
            self.clock,
            journal=self.journal,
            number=self.number,
            alerts=self.stack.enter_context(house.alerts),
            news=self.feed,
        )
        ask = CameraQuestions(self.companion)
        self.room = WatchedRoom(self.referee, inbox, self.clock, ask, seed=seed, speed=None)
        self.stack.callback(self.room.close)
        join(self.room, house, self.referee, self.clock)
        self.room.others = lambda: [*house.rows(), *screens_row(self.feed)]
        machine, url = self.companion.machine, self._dashboard()
        rig = Rig(self.room, inbox, self.journal, house, machine, wled, self.feed, seed, url)
        self.faults = self.room.faults = Faults(planned, rig)
        self.told: dict[str, None] = {}

    def _strip(self) -> SimulatedWled | None:
        if any(kinds()[fault.name].subject == "strip" for fault in self.planned):
            return self.stack.enter_context(SimulatedWled())
        return None

    def _dashboard(self) -> str:
        """The address of a dashboard of this table, where a fault wants one."""
        if not any(kinds()[fault.name].subject == "browser" for fault in self.planned):
            return ""
        desk = HouseDesk(self.feed)
        desk.serve(self.companion)
        server = WebServer(create_app(desk, simulated=True), "127.0.0.1", 0)
        return self.stack.enter_context(server).url

    def play(self, until_s: float) -> Outcome:
        """Play until then, then on to the next step; and look at everything."""
        outcome = Outcome([str(fault) for fault in self.planned])
        with self.stack:
            self.companion.begin(self.room)
            rounds = self._go_on(lambda: self.clock.now_s() >= until_s, ROUNDS)
            self._await_strip()
            self.faults.end()
            steps, end_s = self.referee.number, self.clock.now_s() + CALM_S
            self._go_on(lambda: self.referee.number > steps or self.clock.now_s() > end_s, ROUNDS)
            self._go_on(lambda: not self.companion.inbox.waiting(), LAST_ROUNDS)
            over = self.companion.is_over
            outcome.hangs = not rounds or not (over or self.referee.number > steps)
            outcome.steps, outcome.until_s = self.referee.number, self.clock.now_s()
            outcome.told = " | ".join(self.told)
            outcome.wrong = wrong_rolls(self.referee, self.room)
            outcome.lost = lost_steps(self.journal, self.number, self.referee)
        return outcome

    def _await_strip(self) -> None:
        """Lamps live in real time, which a fast game leaves behind."""
        for _ in range(STRIP_LOOKS if self.strip is not None else 0):
            if any(row["name"] == "wled" and row["state"] == "lost" for row in self.listen()):
                return
            self.companion.inbox.wait(STRIP_S / STRIP_LOOKS)

    def _go_on(self, enough: Any, rounds: int) -> bool:
        """Play until it is enough; False if that takes too many rounds."""
        for _ in range(rounds):
            if enough() or self.companion.is_over:
                return True
            self.companion.go_round()
            self.listen()
        return False

    def listen(self) -> list[dict[str, Any]]:
        """Gather what the screens are told; return the rows of the sources."""
        self.companion.machine.alive()
        shown = self.companion.snapshot()
        for row in shown["sources"]:
            for one in (row["state"], row["detail"], *row.get("troubles", ())):
                self.told[f"{row['label']}: {one}"] = None
        for question in shown["questions"]:
            self.told[question["text"]] = None
        if shown["journal_error"]:
            self.told[shown["journal_error"]] = None
        rows: list[dict[str, Any]] = shown["sources"]
        return rows


def wrong_rolls(referee: Referee, room: WatchedRoom) -> list[str]:
    """Rolls and flips that were applied, and that nobody threw so."""
    wrong = []
    for step in referee.history:
        report = step.report
        at_s = (report.at_s or 0.0) + 0.001
        match report.action:
            case Rolled(faces=faces):
                if not fits(faces, [one.faces for one in room.thrown if one.at_s <= at_s], referee):
                    wrong.append(f"step {step.number} at {at_s:.2f} s: {faces} by {report.source}")
            case Flipped(square=square, face=face) if room.square is not None:
                flips = [t for t in room.turned if t[0] <= at_s and t[1] == square]
                if not flips or flips[-1][2] != face:
                    wrong.append(f"step {step.number} at {at_s:.2f} s: {square} {face}")
    return wrong


def fits(told: dict[str, str], thrown: Sequence[dict[str, str]], referee: Referee) -> bool:
    """True if dice of these kinds were last thrown so, no more and no fewer: those are alike."""
    dice = referee.table.dice
    told_kinds: dict[str, Counter[str]] = {}
    for name, face in told.items():
        told_kinds.setdefault(dice[name].kind, Counter())[face] += 1
    for kind, faces in told_kinds.items():
        of_kind = ([f for n, f in one.items() if dice[n].kind == kind] for one in reversed(thrown))
        if faces != Counter(next((last for last in of_kind if last), [])):
            return False
    return True


def lost_steps(journal: BrittleJournal, number: int, referee: Referee) -> str:
    """What the journal has not as the table has it; empty if it is the same game."""
    again = journal.resume(number)
    if again.number != referee.number:
        return f"the journal has {again.number} steps, the table {referee.number}"
    if digest(again) != digest(referee):
        return "the journal gives another table"
    return ""


def evening(planned: Sequence[Fault], *, seed: int, until_s: float, game: str = GAME) -> Outcome:
    """Play one schedule in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="companion-faults-") as folder:
        return Evening(planned, Path(folder), seed=seed, game=game).play(until_s)


def schedules(seeds: Sequence[int], until_s: float = 20.0, game: str = GAME) -> Iterator[Outcome]:
    """Random schedules of several faults that this game's table can have, one a seed."""
    names = kinds_for(game)
    for seed in seeds:
        planned = random_schedule(seed, names, until_s)
        yield evening(planned, seed=seed, until_s=until_s, game=game)


def kinds_for(game: str) -> list[str]:
    """The faults that a simulated table of this game can have; not all have smart dice."""
    dice = GAMES[game].table(tuple(some_players(3))).dice
    has_smart = bool(wired_of(game, dice))
    return [name for name, kind in kinds().items() if has_smart or kind.subject != "serial"]
