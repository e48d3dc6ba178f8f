"""The composition root: takes settings, builds a table with everything around it, and runs it."""

import contextlib
import fcntl
import logging
import random
import signal
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec
from msgspec.structs import replace as replaced
from rich.console import Console
from rich.markup import escape

from camera.tray_readers import KnownTrays
from companion.app import Companion
from companion.clock import RealClock, SimulatedClock
from companion.config import (
    AlertSettings,
    CameraSettings,
    DiceSettings,
    PinSettings,
    SquareSettings,
)
from companion.dice_questions import DiceQuestions
from companion.errors import ConfigError, JournalError
from companion.evidence import evidence_folder
from companion.faults import Fault, Faults, Rig, fault_from, kinds
from companion.faults_disk import BrittleJournal
from companion.house_desk import HouseDesk
from companion.house_manner import HouseManner
from companion.inbox import Inbox
from companion.journal import GameRow, Journal
from companion.notify import notify, signs_of_life
from companion.outputs import Outputs, house_outputs, join, screens_row
from companion.questions import CameraQuestions
from companion.real_room import RealRoom
from companion.real_square import RealSquare
from companion.real_trays import RealTrays
from companion.referee import Referee
from companion.screens import beside, open_screens
from companion.scripts import Game
from companion.seating import Seating
from companion.setting_up_benches import benches_for
from companion.simulated_square import has_square
from companion.simulation import FRAME_S, SimulatedRoom
from companion.standing import last_decided_s
from companion.table import Outcome, Player
from companion.telling import Teller, mirror
from hardware.simulated_wled import SimulatedWled
from web.feed import Feed
from web.metrics import Figures

LOG = logging.getLogger(__name__)
TAP_S = 0.05  # how well the moment of a tap on a phone is known, at worst


@dataclass(frozen=True)
class Setting:
    """What is played, where, and how.

    journal    file of the journal; None keeps it in memory.
    new        begin another game although one is unfinished.
    up_to      go on from after this step of the unfinished game, as another game.
    number     the unfinished game to go on with; None for the latest.
    seed       chance of the simulated room; None for a different game every time.
    speed      ceiling for simulated time; None for as fast as it goes.
    until_end  return when the game is over, instead of waiting for another.
    web        host and port of the dashboard; None for none.
    hosts      further names under which it may be reached.
    proxies    how many proxies of the owner's stand before it.
    announce   name that the network is told, where other machines may reach it.
    simulated  people, tray and dice are simulated; otherwise they are real.
    faults     what goes wrong on purpose, where they are simulated; see `companion faults`.
    dice       receiver of real smart dice.
    square     camera over a real square of tiles.
    camera     camera over real trays of dice.
    alerts     how the table likes lamps, sounds and voice.
    pins       what hangs on which pin.
    config     settings file; None for the usual one of this folder, if there is one.
    home       folder of the settings file, where what is learnt lies beside it.
    rules      house rules of the settings file, by game.
    sets       zones of simulated cameras as people have set them, by game and camera.
    known      who read the zones of real trays in earlier games, and so knows how they lie.
    """

    game: Game
    players: tuple[Player, ...]
    options: msgspec.Struct
    journal: Path | None
    new: bool = False
    up_to: int | None = None
    number: int | None = None
    seed: int | None = None
    speed: float | None = 1.0
    until_end: bool = False
    web: tuple[str, int] | None = None
    hosts: tuple[str, ...] = ()
    proxies: int = 0
    announce: str = ""
    simulated: bool = True
    faults: tuple[str, ...] = ()
    dice: DiceSettings = DiceSettings()
    square: SquareSettings = SquareSettings()
    camera: CameraSettings = CameraSettings()
    alerts: AlertSettings = AlertSettings()
    pins: PinSettings = PinSettings()
    config: Path | None = None
    home: Path = Path()
    rules: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    sets: Mapping[tuple[str, str], CameraSettings] = field(default_factory=dict)
    known: KnownTrays = field(default_factory=dict)


def run(setting: Setting, console: Console) -> Outcome | None:
    """Play until the end or until somebody stops it; return how the last game ended."""
    feed = Feed()
    desk = HouseDesk(feed, Figures())
    planned = planned_faults(setting)
    with contextlib.ExitStack() as stack:
        if setting.journal is not None:
            stack.enter_context(alone_with(setting.journal))
        journal = BrittleJournal(setting.journal) if planned else Journal(setting.journal)
        stack.callback(journal.close)
        desk.journal = journal
        desk.manners = HouseManner(beside(setting.journal, "manner"))
        stack.callback(feed.close)
        desk.evidence = stack.enter_context(evidence_folder(setting.journal))
        if setting.web is not None:
            stack.enter_context(dashboard(desk, setting, console))
        stack.callback(notify, "STOPPING=1")
        seating = Seating(beside(setting.journal, "seats"))
        while True:
            referee, number = take_up(setting, journal, console)
            if (rolls := desk.evidence.rolls) is not None:
                known = {row.number for row in journal.games()}
                rolls.take_up(number, known, anew=referee.number == 0)
            companion = play_one(setting, referee, number, journal, desk, console, seating)
            outcome = referee_outcome(companion, console)
            if not companion.wants_another:
                return outcome
            other: dict[str, Any] = {"new": True, "up_to": None, "number": None, **desk.wanted}
            setting = replace(setting, **other)


@contextlib.contextmanager
def alone_with(journal: Path) -> Iterator[None]:
    """Two tables must not write into one journal; raises JournalError for the second."""
    lock = journal.with_name(f"{journal.name}.lock")
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        held = lock.open("w")
    except OSError as error:
        raise JournalError(f"journal {journal}: cannot open: {error}") from error
    with held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise JournalError(
                f"journal {journal}: another companion is playing with it; stop that one, or "
                "say --journal FILE for another table"
            ) from error
        yield


def planned_faults(setting: Setting) -> list[Fault]:
    """What goes wrong on purpose; ConfigError for what is not known, or at a real table."""
    if setting.faults and not setting.simulated:
        raise ConfigError("--fault: expected a simulated table; say --simulated as well")
    return [fault_from(text) for text in setting.faults]


def plan_faults(
    setting: Setting,
    room: RealRoom | SimulatedRoom,
    companion: Companion,
    journal: Journal,
    house: Outputs,
    desk: HouseDesk,
    strip: SimulatedWled | None,
) -> None:
    """Let things go wrong in this room, as was said on the command line."""
    planned = planned_faults(setting)
    if not planned or not isinstance(room, SimulatedRoom):
        return
    brittle = journal if isinstance(journal, BrittleJournal) else None
    machine, seed = companion.machine, setting.seed or 0
    rig = Rig(room, companion.inbox, brittle, house, machine, strip, desk.feed, seed, desk.url)
    room.faults = Faults(planned, rig)


def take_up(setting: Setting, journal: Journal, console: Console) -> tuple[Referee, int]:
    """Continue the unfinished game, or lay out another."""
    row = None if setting.new else unfinished(setting, journal)
    if row is not None:
        referee, number = go_on(journal, row, setting.up_to)
        say_welcome_back(referee, number, console)
        return referee, number
    if setting.up_to is not None:
        raise ConfigError("--up-to: no game is unfinished; leave it out to begin one")
    options = setting.game.fair(setting.options, FRAME_S if setting.simulated else TAP_S)
    referee = Referee(setting.game, setting.players, options)
    number = journal.begin(referee)
    names = ", ".join(player.name for player in setting.players)
    console.print(f"[bold]{setting.game.title}[/bold], game {number}: {escape(names)}")
    return referee, number


def unfinished(setting: Setting, journal: Journal) -> GameRow | None:
    """The game to go on with: the one that was asked for, or the latest of its kind."""
    if setting.number is not None:
        return journal.game(setting.number)
    return journal.unfinished(setting.game.key)


def go_on(journal: Journal, row: GameRow, up_to: int | None) -> tuple[Referee, int]:
    """The unfinished game as it was left, or as it was after an earlier step; and its number."""
    if up_to is None:
        return journal.resume(row.number), row.number
    return journal.branch(row.number, up_to)


def say_welcome_back(referee: Referee, number: int, console: Console) -> None:
    """Tell people at which turn the game goes on."""
    table = referee.table
    heading = referee.game.phases.get(table.phase, table.phase)
    console.print(
        f"[bold]{referee.game.title}[/bold], game {number} goes on after step {referee.number}: "
        f"{escape(table.names[table.active])}, {heading}. (--new begins another)"
    )


def play_one(
    setting: Setting,
    referee: Referee,
    number: int,
    journal: Journal,
    desk: HouseDesk,
    console: Console,
    seating: Seating,
) -> Companion:
    """Play one game in its room, with lamps, journal and screens."""
    start_s = last_decided_s(referee)
    clock = SimulatedClock(start_s) if setting.simulated else RealClock(start_s)
    inbox = Inbox(clock)
    journal.enter(number, referee.number, simulated=setting.simulated)
    with contextlib.ExitStack() as stack:
        breaks_strip = any(kinds()[one.name].subject == "strip" for one in planned_faults(setting))
        strip = stack.enter_context(SimulatedWled()) if breaks_strip else None
        settings = setting.alerts if strip is None else replaced(setting.alerts, wled=strip.url)
        house = house_outputs(settings, setting.pins, speaks=not setting.simulated)
        alerts = stack.enter_context(house.alerts)
        news = Teller(desk.feed, console, quiet=setting.web is not None)
        desk.take_alerts(alerts)
        companion = Companion(
            referee,
            inbox,
            clock,
            journal=journal,
            number=number,
            alerts=alerts,
            news=news,
            simulated=setting.simulated,
            evidence=desk.evidence,
        )
        room = room_for(setting, companion, clock)
        seating.begin(room, referee, number)
        stack.callback(room.close)
        join(room, house, referee, clock)
        room.others = lambda: [*house.rows(), *screens_row(desk.feed)]
        plan_faults(setting, room, companion, journal, house, desk, strip)
        stack.enter_context(stopped_by_signals(companion))
        stack.enter_context(mirror(alerts, room, news, companion.machine.alive))
        companion.begin(room)
        desk.serve(companion)
        status = f"{referee.game.title}, game {number}"
        stack.enter_context(signs_of_life(companion.call, status))
        stack.callback(companion.close)  # before what waits for its answers
        companion.run(until_end=setting.until_end)
        seating.end(room, referee)
    return companion


def real_room(setting: Setting, referee: Referee, inbox: Inbox, clock: RealClock) -> RealRoom:
    """The room of real people; dice that nobody has mapped yet are mapped on the set-up page."""
    try:
        return RealRoom(referee, inbox, clock, setting.dice)
    except ConfigError as error:
        if setting.web is None or setting.dice.names:
            raise
        LOG.warning("playing without smart dice: %s", error)
        room = RealRoom(referee, inbox, clock, DiceSettings())
        room.lacks("serial:dice", "Smart dice", str(error))
        return room


def room_for(
    setting: Setting, companion: Companion, clock: SimulatedClock | RealClock
) -> RealRoom | SimulatedRoom:
    """The room of a game: simulated, or real."""
    referee, inbox = companion.referee, companion.inbox
    if not isinstance(clock, SimulatedClock):
        room = real_room(setting, referee, inbox, clock)
        for receiver in room.receivers:
            receiver.ask = DiceQuestions(companion, receiver)
        ask = CameraQuestions(companion)
        if setting.square.camera and has_square(referee.table):
            table: Any = referee.table
            with room.without("square", shown=setting.web is not None):
                room.square = RealSquare(table, setting.square, inbox, clock, ask).start()
        dice = referee.table.dice
        if setting.camera.device and dice.dice:
            with room.without("trays", shown=setting.web is not None):
                wired, known = room.wired, setting.known
                trays = RealTrays(dice, setting.camera, inbox, clock, ask, wired=wired, known=known)
                room.trays = trays.start()
        return room
    seed = random.SystemRandom().randrange(2**32) if setting.seed is None else setting.seed
    ask = CameraQuestions(companion)
    seed += referee.number  # a game that is continued does not repeat its chance
    sets = {camera: one for (game, camera), one in setting.sets.items() if game == referee.game.key}
    return SimulatedRoom(referee, inbox, clock, ask, seed=seed, speed=setting.speed, zones=sets)


def referee_outcome(companion: Companion, console: Console) -> Outcome | None:
    """Print how the game ended, if it did."""
    outcome = companion.referee.outcome
    if outcome is not None:
        names = companion.referee.table.names
        scores = ", ".join(f"{names[key]} {points}" for key, points in outcome.scores.items())
        console.print(f"[bold]{escape(outcome.why)}[/bold] {escape(scores)}")
    return outcome


@contextlib.contextmanager
def stopped_by_signals(companion: Companion) -> Iterator[None]:
    """Let Ctrl-C and SIGTERM end the game tidily: the step is finished, the lamps go dark."""

    def stop(number: int, frame: FrameType | None) -> None:
        companion.stop()

    before = {one: signal.signal(one, stop) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


@contextlib.contextmanager
def dashboard(desk: HouseDesk, setting: Setting, console: Console) -> Iterator[None]:
    """Serve the dashboard while the table is in use."""
    assert setting.web is not None
    with open_screens(
        desk,
        setting.web,
        console,
        journal=setting.journal,
        simulated=setting.simulated,
        hosts=setting.hosts,
        proxies=setting.proxies,
        announce=setting.announce,
        config=setting.config,
        benches=benches_for(desk, setting),
    ) as server:
        desk.url = server.url
        yield
