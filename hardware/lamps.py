"""The lamps and the buzzer as gpiozero devices. Nothing else writes to their pins.

All light goes through a `FlashGuard`, the strip's on the network too. Everything is dark from the
start, after `close`, and when the interpreter ends. After a kill -9 nobody is left to switch off:
software PWM stops with the process, and what a pin then holds is up to the kernel (`companion pins
--dark` switches off; the service runs it after itself).

While dice are being read, the lamps near the tray are *steady*: they keep what they show. That ends
after `STEADY_S`, for a hand that rests in the tray must not take the light away for ever.
"""

import atexit
import logging
import math
import threading
from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol

from gpiozero import PWMLED, RGBLED, LEDBarGraph, TonalBuzzer
from gpiozero.pins.mock import MockPin
from gpiozero.tones import Tone

from hardware import pins
from hardware.flashes import FlashGuard, Levels
from hardware.pins import AS_SHIPPED, Lamp, PinChoice, Wiring

LOG = logging.getLogger(__name__)
STATES_KEPT = 64  # a mock pin remembers what it did for ever; enough for a look back is enough
STEADY_S = 5.0
NEAR_TRAY = ("table", "strip")


class Strip(Protocol):
    """A strip of LEDs on the network: told at once, shown when it gets there."""

    def begin(
        self,
        landed: Callable[[int, float], None],
        gone: Callable[[float], None],
        back: Callable[[], None],
    ) -> None:
        """Begin, dark and gone; from then on say what becomes of it, in a thread of its own.

        landed  change number so and so is shown since `at_s`, at the latest.
        gone    it does not answer; what it was told may still have an effect until `at_s`.
        back    it answers, and is dark.
        """

    def shine(self, levels: Levels, number: int) -> None:
        """Show these levels of red, green and blue soon; `number` counts the changes."""

    def close(self) -> None:
        """Go dark."""


class Lamps:
    """The lamps of one table.

    choice     where the pins come from.
    seats      how many seat lamps there are.
    wiring     which pin carries what.
    strip      one on the network, or None.
    near_tray  names of the lamps that keep steady while dice are being read.
    """

    def __init__(
        self,
        choice: PinChoice,
        seats: int = 5,
        *,
        wiring: Wiring = AS_SHIPPED,
        strip: Strip | None = None,
        near_tray: Collection[str] = NEAR_TRAY,
    ) -> None:
        self.choice = choice
        self._wiring, self._strip, self._near = wiring, strip, frozenset(near_tray)
        wired = [lamp for lamp in wiring.lamps() if _seat_of(lamp) <= seats]
        self.all: tuple[Lamp, ...] = (*wired, *(() if strip is None else (pins.STRIP,)))
        self.when_free: Callable[[], None] = lambda: None  # told when held light may be let go
        self._lock = threading.RLock()
        self._guard = FlashGuard(() if strip is None else (pins.STRIP.name,))
        self._levels: dict[str, Levels] = self._dark()
        self.broken: dict[str, str] = {}  # name of a lamp that fails -> why
        self._note: str | None = None
        self._volume = 0.0
        self._now_s = 0.0
        self._steady_from_s: float | None = None
        self._is_strip_there = False
        self._leds: dict[str, Any] = {}
        self._devices: list[Any] = []
        self._connect(choice.factory)
        if strip is not None:
            strip.begin(self._landed, self._gone, self._back)
        atexit.register(self.close)

    def shine(self, wanted: Mapping[str, Levels], now_s: float) -> dict[str, Levels]:
        """Let lamps shine; those not named go dark. Returns what they show now.

        wanted  name of a lamp -> level from 0 to 1 of each of its LEDs (table: red, green, blue).
        What would flash too often is held back, see `FlashGuard`; closed lamps stay dark.
        """
        with self._lock:
            whole = {name: wanted.get(name, dark) for name, dark in self._dark().items()}
            if not self._is_strip_there:
                whole.pop(pins.STRIP.name, None)
            if self._is_steady(now_s):
                whole |= {name: self._levels[name] for name in self._near & whole.keys()}
            self._show(whole, now_s)
            return dict(self._levels)

    def steady(self, is_steady: bool, now_s: float) -> None:
        """Keep what the lamps near the tray show, or let them go on."""
        with self._lock:
            if is_steady != (self._steady_from_s is not None):
                self._steady_from_s = now_s if is_steady else None

    def sound(self, note: str | None, volume: float = 1.0) -> None:
        """Sound a note such as `C4` until the next one, so loud (0 to 1); None is silence."""
        with self._lock:
            if (note, volume) == (self._note, self._volume) or not self._devices:
                return
            self._note, self._volume = note, volume
            if note is None:
                self._buzzer.play(None)
            else:
                self._buzzer.pwm_device.frequency = Tone.from_note(note).frequency
                self._buzzer.pwm_device.value = duty(volume)
            self._tidy(self._buzzer.pwm_device)

    @property
    def levels(self) -> dict[str, Levels]:
        """What each lamp shows now."""
        with self._lock:
            return dict(self._levels)

    @property
    def note(self) -> str | None:
        """What the buzzer sounds now."""
        return self._note

    def free_at_s(self, held: Collection[str]) -> float:
        """When one of the lamps that are held back may show what it should."""
        with self._lock:
            since_s = self._steady_from_s
            if since_s is not None and self._is_steady(self._now_s) and self._near.issuperset(held):
                return since_s + STEADY_S
            return self._guard.free_at_s

    def dark(self) -> None:
        """Switch everything off, now."""
        with self._lock:
            self._show(self._dark(), self._now_s)
            self.sound(None)

    def close(self) -> None:
        """Switch everything off and give the pins back; may be called again."""
        with self._lock:
            atexit.unregister(self.close)
            devices, self._devices = self._devices, []
            for device in devices:
                try:
                    device.off() if hasattr(device, "off") else device.stop()
                    device.close()
                except Exception:
                    LOG.exception("%r could not be switched off", device)
            self._levels, self._note = self._dark(), None
            strip, self._strip = self._strip, None
        if strip is not None:
            strip.close()  # outside the lock: what it still shows is told from its own thread

    def _show(self, whole: Mapping[str, Levels], now_s: float) -> None:
        self._now_s = now_s
        allowed = self._guard.allow(whole, now_s)
        if not self._devices:
            return
        for name, levels in allowed.items():
            if levels != self._levels[name]:
                self._try_to_set(name, levels)

    def _is_steady(self, now_s: float) -> bool:
        since_s = self._steady_from_s
        return since_s is not None and since_s <= now_s < since_s + STEADY_S

    def _landed(self, number: int, at_s: float) -> None:
        """The strip shows what it was told; called in its thread."""
        with self._lock:
            self._guard.landed(pins.STRIP.name, number, at_s)
        self.when_free()

    def _gone(self, at_s: float) -> None:
        """The strip does not answer: nobody knows what it shows."""
        with self._lock:
            self._is_strip_there = False
            self._guard.landed(pins.STRIP.name, self._guard.changes[pins.STRIP.name], at_s)
            self._guard.lost(pins.STRIP.name)
            self._levels[pins.STRIP.name] = (0.0, 0.0, 0.0)
        self.when_free()

    def _back(self) -> None:
        """The strip answers again, and is dark."""
        with self._lock:
            self._is_strip_there = True
        self.when_free()

    def _connect(self, factory: Any) -> None:
        try:
            rgb = RGBLED(*self._wiring.table, pin_factory=factory)
            self._devices.append(rgb)
            bar = LEDBarGraph(*self._wiring.troll, pwm=True, pin_factory=factory)
            self._devices.append(bar)
            self._leds = {pins.TABLE.name: rgb}
            self._leds |= {lamp.name: led for lamp, led in zip(pins.TROLL, bar, strict=True)}
            for lamp in self.all:
                if lamp.pins and lamp.name not in self._leds:
                    self._leds[lamp.name] = PWMLED(lamp.pins[0], pin_factory=factory)
                    self._devices.append(self._leds[lamp.name])
            self._buzzer = TonalBuzzer(self._wiring.buzzer, octaves=2, pin_factory=factory)
            self._devices.append(self._buzzer)
        except Exception:
            self.close()
            raise

    def _dark(self) -> dict[str, Levels]:
        return {lamp.name: (0.0,) * lamp.leds for lamp in self.all}

    def _try_to_set(self, name: str, levels: Levels) -> None:
        """One lamp that fails leaves the others their light."""
        try:
            self._set(name, levels)
        except Exception as error:  # of gpiozero, the pins, or the driver
            if name not in self.broken:
                LOG.warning("the lamp %s cannot be driven: %s", name, error)
            self.broken[name], self._levels[name] = str(error), levels
        else:
            self.broken.pop(name, None)

    def _set(self, name: str, levels: Levels) -> None:
        if name == pins.STRIP.name and self._strip is not None:
            self._strip.shine(levels, self._guard.changes[name])
        elif name in self._leds:
            led = self._leds[name]
            led.value = levels if len(levels) > 1 else levels[0]
            for device in getattr(led, "_leds", (led,)):
                self._tidy(device)
        self._levels[name] = levels

    def _tidy(self, device: Any) -> None:
        pin = device.pin
        if isinstance(pin, MockPin) and len(pin.states) > STATES_KEPT:
            pin.clear_states()


def duty(volume: float) -> float:
    """Share of each period in which the buzzer's pin is high: half is loudest.

    The fundamental of a square wave grows with the sine of half its duty: so `volume` is its
    amplitude, from 0 to 1.
    """
    return math.asin(min(1.0, max(0.0, volume))) / math.pi


def _seat_of(lamp: Lamp) -> int:
    return int(lamp.name.removeprefix("seat-")) if lamp.name.startswith("seat-") else 0
