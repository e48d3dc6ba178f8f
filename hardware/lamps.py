"""The lamps and the buzzer as gpiozero devices. Nothing else writes to their pins.

All light goes through a `FlashGuard`. Everything is dark from the start, after `close`, and when
the interpreter ends. After a kill -9 nobody is left to switch off: software PWM stops with the
process, and what a pin then holds is up to the kernel.
"""

import atexit
import logging
import threading
from collections.abc import Mapping
from typing import Any

from gpiozero import PWMLED, RGBLED, LEDBarGraph, TonalBuzzer
from gpiozero.pins.mock import MockPin
from gpiozero.tones import Tone

from hardware import pins
from hardware.flashes import FlashGuard, Levels
from hardware.pins import Lamp, PinChoice

LOG = logging.getLogger(__name__)
STATES_KEPT = 64  # a mock pin remembers what it did for ever; enough for a look back is enough


class Lamps:
    """The lamps of one table; `choice` says which pins, `seats` how many seat lamps there are."""

    def __init__(self, choice: PinChoice, seats: int = 5) -> None:
        self.choice = choice
        self.all: tuple[Lamp, ...] = (
            pins.TABLE,
            *pins.TROLL,
            pins.DRAGON,
            *pins.SEATS[: max(0, seats)],
        )
        self._lock = threading.RLock()
        self._guard = FlashGuard()
        self._levels: dict[str, Levels] = {lamp.name: (0.0,) * len(lamp.pins) for lamp in self.all}
        self._note: str | None = None
        self._now_s = 0.0
        self._leds: dict[str, Any] = {}
        self._devices: list[Any] = []
        self._connect(choice.factory)
        atexit.register(self.close)

    def shine(self, wanted: Mapping[str, Levels], now_s: float) -> dict[str, Levels]:
        """Let lamps shine; those not named go dark. Returns what they show now.

        wanted  name of a lamp -> level from 0 to 1 of each of its LEDs (table: red, green, blue).
        What would flash too often is held back, see `FlashGuard`; closed lamps stay dark.
        """
        with self._lock:
            self._now_s = now_s
            whole = {name: wanted.get(name, dark) for name, dark in self._dark().items()}
            allowed = self._guard.allow(whole, now_s)
            if self._devices:
                for name, levels in allowed.items():
                    if levels != self._levels[name]:
                        self._set(name, levels)
            return dict(self._levels)

    def sound(self, note: str | None) -> None:
        """Sound a note such as `C4` until the next one; None is silence."""
        with self._lock:
            if note == self._note or not self._devices:
                return
            self._note = note
            self._buzzer.play(None if note is None else Tone.from_note(note))
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

    @property
    def free_at_s(self) -> float:
        """When a lamp that was held back may rise."""
        return self._guard.free_at_s

    def dark(self) -> None:
        """Switch everything off, now."""
        self.shine({}, self._now_s)
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

    def _connect(self, factory: Any) -> None:
        try:
            rgb = RGBLED(*pins.TABLE.pins, pin_factory=factory)
            self._devices.append(rgb)
            bar = LEDBarGraph(*(lamp.pins[0] for lamp in pins.TROLL), pwm=True, pin_factory=factory)
            self._devices.append(bar)
            self._leds = {pins.TABLE.name: rgb}
            self._leds |= {lamp.name: led for lamp, led in zip(pins.TROLL, bar, strict=True)}
            for lamp in self.all:
                if lamp.name not in self._leds:
                    self._leds[lamp.name] = PWMLED(lamp.pins[0], pin_factory=factory)
                    self._devices.append(self._leds[lamp.name])
            self._buzzer = TonalBuzzer(pins.BUZZER, octaves=2, pin_factory=factory)
            self._devices.append(self._buzzer)
        except Exception:
            self.close()
            raise

    def _dark(self) -> dict[str, Levels]:
        return {lamp.name: (0.0,) * len(lamp.pins) for lamp in self.all}

    def _set(self, name: str, levels: Levels) -> None:
        led = self._leds[name]
        led.value = levels if len(levels) > 1 else levels[0]
        self._levels[name] = levels
        for device in getattr(led, "_leds", (led,)):
            self._tidy(device)

    def _tidy(self, device: Any) -> None:
        pin = device.pin
        if isinstance(pin, MockPin) and len(pin.states) > STATES_KEPT:
            pin.clear_states()
