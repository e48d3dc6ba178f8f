"""Lamps, sounds, strip and voice of this machine, as its settings want them, joined to a room."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.clock import Clock, RealClock
from companion.config import AlertSettings, PinSettings
from companion.errors import ConfigError
from companion.header_picture import table_wiring
from companion.pressing import ButtonSensor
from companion.real_room import RealRoom
from companion.referee import Referee
from companion.sensor_rows import source_row
from companion.simulation import SimulatedRoom
from companion.spoken import Spoken
from companion.words import mark, say
from hardware.alerts import Alerts
from hardware.buttons import Buttons
from hardware.cues import CUES_TOML, Manner, read_cues
from hardware.lamps import Lamps
from hardware.pins import STRIP, PinChoice, Wiring, choose_pins
from hardware.voice import Voice, find_voice
from hardware.wled import Wled
from web.feed import Feed
from web.streams import STREAMS

CROWDED = 0.9  # of the screens that there may be


@dataclass(frozen=True)
class Outputs:
    """What shines, sounds and speaks; the pins are the buttons', too."""

    alerts: Alerts
    lamps: Lamps
    choice: PinChoice
    wiring: Wiring
    strip: Wled | None
    voice: Voice | None

    def rows(self) -> list[dict[str, Any]]:
        """How a screen shows what may be lost: the strip and the voice."""
        rows = []
        if self.lamps.broken:
            why = say(
                "{lamps} cannot be driven; look at its wires",
                lamps=", ".join(sorted(self.lamps.broken)),
            )
            rows.append(row("lamps", mark("Lamps"), True, why))
        if self.strip is not None:
            rows.append(row("wled", self.strip.name, self.strip.state == "lost", self.strip.why))
        if self.voice is not None:
            rows.append(row("voice", mark("Voice"), self.voice.state == "lost", self.voice.why))
        return rows


def row(name: str, label: str, is_lost: bool, why: str) -> dict[str, Any]:
    """How a screen shows something that may be lost, and senses nothing."""
    shown = source_row(name, label, "lost" if is_lost else "ok", why)
    return shown | {"moving": False, "dice": []}


def house_outputs(
    settings: AlertSettings,
    pins: PinSettings,
    *,
    speaks: bool,
    choice: PinChoice | None = None,
    clock: Clock | None = None,
) -> Outputs:
    """The outputs of this machine; gpiozero's mock pins where it has none.

    They run in real time, whatever the speed of a simulated game: the limit on flashes is for eyes.
    Raises ConfigError for settings that do not fit.
    """
    wired, pins_chosen, real = table_wiring(pins), choice or choose_pins(), clock or RealClock()
    book = read_cues(Path(settings.cues) if settings.cues else CUES_TOML)
    check_near_tray(settings.near_tray, wired)
    strip = Wled(settings.wled, real) if settings.wled else None
    lamps = Lamps(
        pins_chosen, len(wired.seats), wiring=wired, strip=strip, near_tray=settings.near_tray
    )
    voice = find_voice(settings.language) if speaks and settings.voice else None
    spoken = None if voice is None else Spoken(voice, settings.language)
    manner = Manner(settings.quiet, settings.volume, settings.mute)
    alerts = Alerts(lamps, book, real, manner=manner, voice=spoken)
    return Outputs(alerts, lamps, pins_chosen, wired, strip, voice)


def check_near_tray(names: tuple[str, ...], wired: Wiring) -> None:
    """Raise ConfigError for a lamp that there is not."""
    known = [lamp.name for lamp in (*wired.lamps(), STRIP)]
    for name in names:
        if name not in known:
            raise ConfigError(
                say(
                    "[alerts] near_tray: expected names of lamps ({known}), got {name!r}",
                    known=", ".join(known),
                    name=name,
                )
            )


def join(room: RealRoom | SimulatedRoom, outputs: Outputs, referee: Referee, clock: Clock) -> None:
    """Let lamps keep steady while dice are read, and shine where a button does something."""
    room.others = outputs.rows
    if isinstance(room, SimulatedRoom):
        room.camera.reading = outputs.alerts.reading
        room.fingers.light = outputs.alerts.buttons
    else:
        if room.trays is not None:
            room.trays.reading = outputs.alerts.reading
        if room.square is not None:
            room.square.sensor.reading = outputs.alerts.reading
    if isinstance(room, RealRoom) and outputs.choice.is_real:
        listen_to_buttons(room, outputs, referee, clock)


def listen_to_buttons(room: RealRoom, outputs: Outputs, referee: Referee, clock: Clock) -> None:
    """Let presses at this table's pins be choices."""
    seats = referee.table.seats
    sensor = ButtonSensor(seats, room.inbox, outputs.alerts.buttons)
    pins = outputs.wiring.buttons[: len(seats)]
    room.buttons = Buttons(outputs.choice, pins, clock, sensor.take).start()
    room.presses = sensor


def screens_row(feed: Feed) -> list[dict[str, Any]]:
    """How a screen shows that others were too slow, or are too many; empty if all is well."""
    if feed.viewers > CROWDED * STREAMS:
        why = say(
            "{n} is open, and {most} is the most; close some",
            "{n} are open, and {most} is the most; close some",
            n=feed.viewers,
            most=STREAMS,
        )
    elif feed.dropped:
        why = say(
            "{n} was too slow, and was cut off; it comes back by itself",
            "{n} were too slow, and were cut off; they come back by themselves",
            n=feed.dropped,
        )
    else:
        return []
    return [row("screens", mark("Screens"), False, why)]
