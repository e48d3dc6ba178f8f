"""The receivers and Bluetooth dice that `companion dice` talks with, or simulated ones."""

import contextlib
import random
import threading
from collections.abc import Iterator, Mapping

from companion.clock import Clock, RealClock
from companion.config import DiceSettings
from companion.dice import DiceSet
from companion.errors import DeviceError
from companion.wiring import wired_die
from companion.words import say
from hardware.ble_dice import BleDice
from hardware.dice_commands import Asked
from hardware.dice_health import DieHealth, Health
from hardware.dice_link import DiceLink
from hardware.dice_messages import WiredDie
from hardware.ports import AUTO
from hardware.serial_port import SerialPort
from hardware.simulated import SimulatedDice

TICK_S = 0.02
PAUSE_S = (0.6, 2.0)  # between what the simulated hand does
ANSWER_S = 8.0


def known_dice(settings: DiceSettings, dice: DiceSet) -> Mapping[str, WiredDie]:
    """What each smart die of the settings plays in a game; those of other games play nothing."""
    return {
        own: wired_die(dice[name], settings.faces.get(own))
        for own, name in settings.names.items()
        if name in dice
    }


class Station:
    """What is plugged in and in reach. Dice that the game has are known by its names."""

    def __init__(self, settings: DiceSettings, dice: DiceSet) -> None:
        self.clock: Clock = RealClock()
        self.settings = settings
        self.wired = known_dice(settings, dice)
        self.carriers: list[SerialPort | BleDice] = []
        if settings.port or not settings.bluetooth:
            link = DiceLink(self.wired)
            port = SerialPort(settings.port or AUTO, link, lambda _: None, self.clock)
            self.carriers.append(port)
        if settings.bluetooth:
            radio = BleDice(settings.bluetooth, self.wired, lambda _: None, self.clock)
            self.carriers.append(radio)

    def health(self) -> list[Health]:
        """How everything fares."""
        return [carrier.health() for carrier in self.carriers]

    def die(self, own: str) -> DieHealth | None:
        """One die as it was heard last, or None."""
        heard = (die for health in self.health() for die in health.dice if die.die == own)
        return next(heard, None)

    def ask(self, kind: str, own: str, *words: object) -> Asked:
        """Ask a die for something and wait for the answer; raises DeviceError with its reason."""
        asked = self._carrier_of(own).ask(kind, own, *words)
        asked.wait(ANSWER_S)
        if not asked.is_done:
            why = asked.why or say("the receiver does not answer; is it plugged in?")
            raise DeviceError(
                say("{own}: {what} was not done: {why}", own=own, what=kind.lower(), why=why)
            )
        return asked

    def wait_until_heard(self, limit_s: float) -> bool:
        """Wait until something has greeted, and all that is known has been heard, or time is up."""
        pause, until_s = threading.Event(), self.clock.now_s() + limit_s
        while self.clock.now_s() < until_s:
            if all(health.is_synchronised and not health.why for health in self.health()):
                return True
            pause.wait(TICK_S)
        return False

    def _carrier_of(self, own: str) -> SerialPort | BleDice:
        for carrier in self.carriers:
            if any(die.die == own for die in carrier.health().dice):
                return carrier
        return self.carriers[0]

    @contextlib.contextmanager
    def open(self) -> Iterator["Station"]:
        """Listen while the block runs."""
        with contextlib.ExitStack() as stack:
            for carrier in self.carriers:
                stack.enter_context(carrier)
            yield self


class SimulatedHand:
    """Dice of a game behind a simulated receiver, and a hand that plays with them.

    Their sides are numbered in an order of their own, so that there is something to calibrate.
    """

    def __init__(self, dice: DiceSet, seed: int = 1) -> None:
        self.chance = random.Random(seed)
        self.ids = {f"die-{0xA1C300 + n:06x}": die for n, die in enumerate(dice)}
        self.sides = {own: self._shuffled(len(die.faces)) for own, die in self.ids.items()}
        bodies = {own: WiredDie(own, {side: side for side in self.sides[own]}) for own in self.ids}
        self.clock = RealClock()
        self.smart = SimulatedDice(bodies, seed=seed, tells_status=True)
        self.is_idle = False
        self.bodies: dict[str, str] = {}  # by another id that it was given since: its first one
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._drive, name="simulated dice", daemon=True)

    def _shuffled(self, count: int) -> list[str]:
        return self.chance.sample([str(side) for side in range(1, count + 1)], count)

    def settings(self) -> DiceSettings:
        """What the settings of such a table would be: named, not calibrated; one is a stranger."""
        names = {own: die.name for own, die in list(self.ids.items())[:-1]}
        return DiceSettings(self.smart.port, names)

    def show(self, own: str, side_index: int) -> None:
        """Put a die down so that the side with this face of the game's list is up."""
        body = self.bodies.get(own, own)
        with self._lock:
            now_s = self.clock.now_s()
            self.smart.pick_up(body, now_s)
            self.smart.put_back(body, now_s + 0.2, self.sides[body][side_index])

    def __enter__(self) -> "SimulatedHand":
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._over.set()
        self._thread.join()
        self.smart.close()

    def _drive(self) -> None:
        plays_s = 0.0
        while not self._over.wait(TICK_S):
            with self._lock:
                now_s = self.clock.now_s()
                self.smart.tick(now_s)
                if now_s >= plays_s and not self.is_idle:
                    self._play(now_s)
                    plays_s = now_s + self.chance.uniform(*PAUSE_S)

    def _play(self, now_s: float) -> None:
        thrown = self.chance.sample(list(self.ids), self.chance.randint(1, min(3, len(self.ids))))
        faces = {own: self.chance.choice(self.sides[own]) for own in thrown}
        crooked = [own for own in thrown if self.chance.random() < 0.1]
        self.smart.throw(faces, now_s, crooked=crooked)
