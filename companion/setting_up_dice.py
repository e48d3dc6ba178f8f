"""Smart dice as the set-up page meets them: heard live, blinking, named, mapped and calibrated.

In a real room the dice are heard through the running service's own receivers; where the game in
play has none, a receiver is looked for while the page is open. Simulated dice lie behind a receiver
of their own with a hand that plays with them, as for `companion dice --simulated`; nothing that is
learnt about them is kept. What is learnt of real ones stands in `dice.toml`, and counts from the
moment in which a game is taken up with it. While somebody is at it, the game in play stands still.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from companion.apart import Showing
from companion.clock import Clock, RealClock
from companion.config import DICE_FILE, DiceSettings, LearntDice
from companion.dice import DiceSet
from companion.dice_calibrating import LOOK_S, calibrate
from companion.dice_case import Case
from companion.dice_file import calibrated, mapped, renamed
from companion.dice_station import SimulatedHand, Station, known_dice
from companion.errors import ConfigError, DeviceError, IllegalAction
from companion.games import GAMES
from companion.house_desk import HouseDesk
from companion.setting_up_asking import PageAsker
from companion.taking_up import TakesUp
from companion.wiring import dice_of
from companion.words import face_word, say
from hardware.ble_dice import BleDice
from hardware.dice_health import DieHealth, Health
from hardware.serial_port import SerialPort

IDLE_S = 20.0  # so long after the last look a receiver of its own is let go
CALM_S = 3.0  # so long a simulated die rolls at most
Carriers = Sequence[SerialPort | BleDice]


class RoomStation(Station):
    """The receivers and radios of the room in which a game is played."""

    def __init__(self, carriers: Carriers, settings: DiceSettings, dice: DiceSet, clock: Clock):
        self.clock, self.settings = clock, settings
        self.wired, self.carriers = known_dice(settings, dice), list(carriers)

    @contextlib.contextmanager
    def open(self) -> Iterator[Station]:
        """They listen already, and go on afterwards."""
        yield self


class DiceBench(TakesUp):
    """Everything about smart dice that the set-up page can do; safe from any thread.

    home  folder in which `dice.toml` lies.
    """

    def __init__(
        self, desk: HouseDesk, settings: DiceSettings, home: Path, *, simulated: bool
    ) -> None:
        super().__init__(desk, simulated=simulated)
        self.settings = settings
        self._file = home / DICE_FILE
        self._lock = threading.RLock()
        self._case: Case | None = None
        self._opened = contextlib.ExitStack()
        self._idle: threading.Timer | None = None
        self._asker: PageAsker | None = None
        self._showing = Showing(desk, "dice", self._is_asking)

    # --- looking ----------------------------------------------------------------------------------

    def look(self) -> dict[str, Any]:
        """How receivers and dice fare, what they play, and how far a calibration is."""
        self._showing.look()
        with self._lock:
            case = self._at_work()
            now_s = case.station.clock.now_s()
            receivers = [self._receiver(one, case, now_s) for one in case.station.health()]
            asker = self._asker
            return {
                "simulated": self._simulated,
                "game": case.title,
                "receivers": receivers,
                "game_dice": [
                    {"name": die.name, "kind": die.kind, "played_by": self._player_of(die.name)}
                    for die in case.dice
                ],
                "calibrating": None if asker is None else asker.row(),
                "changed": self.is_changed,
                "may_take_up": self.may_take_up,
                "game_waits": self._showing.is_on,
            }

    def _receiver(self, health: Health, case: Case, now_s: float) -> dict[str, Any]:
        return {
            "who": health.who,
            "port": health.port,
            "state": health.state,
            "troubles": self._with_names(health).troubles(),
            "lines": health.counts.lines,
            "lost": health.counts.lost,
            "damaged": health.counts.damaged,
            "dice": [self._die(die, case, now_s) for die in health.dice],
        }

    def _with_names(self, health: Health) -> Health:
        """The dice called as they are mapped now, not as when the link was opened."""
        names = self.settings.names
        dice = tuple(msgspec.structs.replace(d, name=names.get(d.die, "")) for d in health.dice)
        return msgspec.structs.replace(health, dice=dice)

    def _die(self, die: DieHealth, case: Case, now_s: float) -> dict[str, Any]:
        plays = self.settings.names.get(die.die, "")
        wired = known_dice(self.settings, case.dice).get(die.die)
        face = wired.faces.get(die.code, die.face) if wired else die.face
        return {
            "die": die.die,
            "plays": plays if plays in case.dice else "",
            "face": face_word(face) if face else "",
            "side": die.code,
            "motion": die.motion,
            "battery_percent": die.battery_percent,
            "signal_dbm": die.signal_dbm,
            "lost": die.lost,
            "age_s": round(max(0.0, now_s - die.heard_at_s), 1) if die.heard_at_s else None,
            "calibrated": die.die in self.settings.faces,
        }

    def _player_of(self, name: str) -> str:
        return next((own for own, plays in self.settings.names.items() if plays == name), "")

    # --- doing ------------------------------------------------------------------------------------

    def blink(self, own: str) -> dict[str, Any]:
        """Let a die blink; raises IllegalAction where it is not heard or does not answer."""
        with self._die_at_work(own) as case:
            answered(lambda: case.station.ask("BLINK", own))
        return self.look()

    def call(self, own: str, new: str) -> dict[str, Any]:
        """Give a die another id of its own."""
        with self._die_at_work(own) as case:
            answered(lambda: case.station.ask("NAME", own, new))
            self._learn(case, lambda learnt: renamed(learnt, own, new))
            if case.hand is not None:
                case.hand.bodies[new] = case.hand.bodies.pop(own, own)
        return self.look()

    def map(self, own: str, name: str) -> dict[str, Any]:
        """Say which die of the game a smart die plays; none for an empty name."""
        with self._die_at_work(own) as case:
            if name:
                answered(lambda: case.die_of_game(name))
            self._learn(
                case,
                lambda learnt: mapped(learnt, own, name) if name else unmapped(learnt, own),
            )
        return self.look()

    def calibrate(self, own: str, shape: str) -> dict[str, Any]:
        """Begin to ask for the faces of a die, in a thread of its own."""
        with self._die_at_work(own) as case:
            if self._is_asking():
                raise IllegalAction("calibrating", "A die is being calibrated already.")
            plays = self.settings.names.get(own, "")
            if plays not in case.dice:
                raise IllegalAction("not_mapped", "Say first which die of the game it plays.")
            self._asker = PageAsker(own, plays, simulated=self._simulated)
            work = (case, own, shape, self._asker)
            threading.Thread(target=self._calibrate, args=work, daemon=True).start()
        return self.look()

    def _is_asking(self) -> bool:
        return self._asker is not None and not self._asker.is_over

    def go_on(self) -> dict[str, Any]:
        """Let the game in play go on: what dice do now is part of it."""
        if self._is_asking():
            raise IllegalAction("calibrating", "A die is being calibrated already.")
        self._showing.let_go()
        return self.look()

    def answer(self, *, yes: bool) -> dict[str, Any]:
        """Answer what the calibration asks."""
        if self._asker is None or not self._asker.answer(yes=yes):
            raise IllegalAction("nothing_asked", "Nothing is asked just now.")
        return self.look()

    def stop(self) -> dict[str, Any]:
        """End the calibration, or put away how it went."""
        asker, self._asker = self._asker, None
        if asker is not None:
            asker.stop()
        return self.look()

    def _calibrate(self, case: Case, own: str, shape: str, asker: PageAsker) -> None:
        try:
            if case.hand is not None:
                case.hand.is_idle = True
                wait_until_calm(case, own, asker)
            sides = calibrate(case, own, case.dice[asker.plays], shape, asker)
            with self._lock:
                self._learn(case, lambda learnt: calibrated(learnt, own, sides))
        except (DeviceError, IllegalAction, ValueError) as error:
            asker.end(getattr(error, "message", str(error)))
        else:
            asker.end("")
        finally:
            if case.hand is not None:
                case.hand.is_idle = False

    def _learn(self, case: Case, change: Callable[[LearntDice], LearntDice]) -> None:
        """Know it from now on, and keep it; simulated dice are forgotten with the service."""
        answered(partial(case.keep, change))
        own = LearntDice(self.settings.names, self.settings.faces, self.settings.bluetooth)
        self.settings = msgspec.structs.replace(
            self.settings, **msgspec.structs.asdict(change(own))
        )
        case.station.settings = self.settings
        case.station.wired = known_dice(self.settings, case.dice)
        self.is_changed = not self._simulated
        if self.is_changed:
            self._desk.devices["dice"] = self.settings

    # --- who is heard -----------------------------------------------------------------------------

    @contextlib.contextmanager
    def _die_at_work(self, own: str) -> Iterator[Case]:
        """The case, if a die of this id is heard; the page looks on meanwhile."""
        with self._lock:
            case = self._at_work()
            die = case.station.die(own)
        if die is None or not die.heard_at_s:
            raise IllegalAction(
                "no_die", say("No smart die {name} is heard; pick it up.", name=repr(own))
            )
        self._showing.begin()
        yield case

    def _at_work(self) -> Case:
        """The receivers, opened if they are not yet, and kept until nobody looks any more."""
        carriers = self._carriers_of_room()
        if self._case is not None and not self._still_fits(self._case, carriers):
            self._let_go()
        if self._case is None:
            self._case = self._new_case(carriers)
            self._opened.enter_context(self._case.open(idle=False))
        if self._idle is not None:
            self._idle.cancel()
        self._idle = threading.Timer(IDLE_S, self._let_go_if_idle)
        self._idle.daemon = True
        self._idle.start()
        return self._case

    def _still_fits(self, case: Case, carriers: Carriers) -> bool:
        is_rooms = isinstance(case.station, RoomStation)
        same = case.station.carriers == list(carriers) if is_rooms else not carriers
        return same and case.title == self._game_title()

    def _new_case(self, carriers: Carriers) -> Case:
        dice = self._game_dice()
        hand = SimulatedHand(dice) if self._simulated and dice.dice else None
        if hand is not None:
            self.settings = hand.settings()
        station = (
            RoomStation(carriers, self.settings, dice, self._clock())
            if carriers or not dice.dice
            else Station(self.settings, dice)
        )
        out = Console(quiet=True)
        return Case(self._game_title(), dice, self._file, station, hand, out)

    def _carriers_of_room(self) -> list[SerialPort | BleDice]:
        if self._simulated:
            return []
        try:
            receivers = getattr(self._desk.companion.room, "receivers", [])
        except IllegalAction:
            return []
        return [one.carrier for one in receivers if one.carrier is not None]

    def _game_dice(self) -> DiceSet:
        try:
            return self._desk.companion.referee.table.dice
        except IllegalAction:
            return dice_of(next(iter(GAMES.values())))

    def _game_title(self) -> str:
        try:
            return self._desk.companion.referee.game.title
        except IllegalAction:
            return next(iter(GAMES.values())).title

    def _clock(self) -> Clock:
        try:
            return self._desk.companion.clock
        except IllegalAction:
            return RealClock()

    def _let_go_if_idle(self) -> None:
        with self._lock:
            if not self._is_asking():
                self._let_go()

    def _make_way(self) -> None:
        self._showing.end()
        with self._lock:
            self._let_go()  # the room opens the port next

    def _let_go(self) -> None:
        self._opened.close()
        self._case = None

    def close(self) -> None:
        """Let receivers and simulated dice go; may be called twice."""
        if self._asker is not None:
            self._asker.stop()
        if self._idle is not None:
            self._idle.cancel()
        self._showing.end()
        with self._lock:
            self._let_go()


def answered(ask: Callable[[], object]) -> None:
    """Ask a device or a setting; its refusal is one of the page's."""
    try:
        ask()
    except DeviceError as error:
        raise IllegalAction("die_does_not", str(error)) from error
    except (ConfigError, ValueError) as error:
        raise IllegalAction("bad_setup", str(error)) from error


def wait_until_calm(case: Case, own: str, asker: PageAsker) -> None:
    """Let a simulated die that was thrown just now come to rest."""
    pause = threading.Event()
    for _ in range(int(CALM_S / LOOK_S)):
        asker.look_up()
        pause.wait(LOOK_S)
        die = case.station.die(own)
        if die is not None and die.motion in ("lying", "crooked", "asleep"):
            return


def unmapped(learnt: LearntDice, own: str) -> LearntDice:
    """A smart die plays none of the game."""
    names = {one: name for one, name in learnt.names.items() if one != own}
    return msgspec.structs.replace(learnt, names=names)
