"""One big button a seat: contacts that bounce in, presses out, timed at the edge.

Wiring: `hardware/pins.py`. A contact joins its pin to ground; the pin's own pull-up holds it high.

Theory of operation. A press begins with its first edge, and that is its moment: gpiozero hands on
the kernel's time stamp. Contacts bounce, so it is believed a little later, when the contact has
held for `STABLE_S`; what never holds so long was a spark or a cable, and is counted as a glitch. It
ends when the contact has been open for `BOUNCE_S`. `Contact` and `ButtonPanel` are told the time
and know no pins; `Buttons` joins them to gpiozero's, in a thread that also says up to which moment
everything is known: while a contact is uncertain, that stands still just before its first edge.
"""

import contextlib
import logging
import math
import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import Any, Literal, Self

import msgspec
from gpiozero import DigitalInputDevice

from companion.clock import Clock
from companion.errors import DeviceError
from companion.field_words import reason
from companion.words import say
from hardware.pins import PinChoice

LOG = logging.getLogger(__name__)
STABLE_S = 0.005  # so long a contact must hold before it is believed
BOUNCE_S = 0.03  # so long it must be open before the press is over
LONG_S = 1.0  # from then on a press is a long one
STUCK_S = 8.0  # nobody holds a button for so long
SPARKS = 10  # so many are a loose cable
STUCK_S = 0.5  # a contact that is closed for so long when nobody plays, is not pressed but stuck
BEAT_S = 0.04  # so often it is said up to when everything is known
DELIVERY_S = 0.005  # from the edge to this program, at worst
WITHIN_S = 0.002  # how well the moment of an edge is known


class Press(msgspec.Struct, frozen=True):
    """A button was pressed: which seat's (from 0), when it went down, and what is known by now.

    kind   `down` as soon as it is believed; then `short` once it is released, or `long` while it is
           still held.
    """

    seat: int
    at_s: float
    kind: Literal["down", "short", "long"]
    within_s: float = WITHIN_S


class Contact:
    """One contact, told the time: edges in, presses out."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.glitches = 0
        self._is_closed = False  # as the pin has it
        self._since_s = -math.inf  # since when
        self._began_s: float | None = None  # first edge of what may be a press
        self._is_down = self._is_long = False

    def edge(self, is_closed: bool, at_s: float) -> list[Press]:
        """The contact closes or opens."""
        presses = self.tick(at_s)
        if is_closed != self._is_closed:
            self._is_closed, self._since_s = is_closed, at_s
        if is_closed and self._began_s is None:
            self._began_s = at_s
        return presses

    def tick(self, now_s: float) -> list[Press]:
        """So late it is now; there may be something to say."""
        if self._began_s is None:
            return []
        presses: list[Press] = []
        if not self._is_down and self._is_closed and self._lasts(now_s, STABLE_S):
            self._is_down = True
            presses.append(Press(self.seat, self._began_s, "down"))
        if self._is_down and not self._is_long and self._held_s(now_s) >= LONG_S - 1e-9:
            self._is_long = True
            presses.append(Press(self.seat, self._began_s, "long"))
        if not self._is_closed and self._lasts(now_s, BOUNCE_S):
            presses += self._end()
        return presses

    def next_due_s(self) -> float:
        """When time alone will tell more; infinite for never."""
        if self._began_s is None:
            return math.inf
        if not self._is_closed:
            return self._since_s + BOUNCE_S
        if not self._is_down:
            return self._since_s + STABLE_S
        return math.inf if self._is_long else self._began_s + LONG_S

    def down_for_s(self, now_s: float) -> float:
        """How long it has been held down; 0 if it is not."""
        if self._began_s is None or not self._is_down:
            return 0.0
        return max(0.0, now_s - self._began_s)

    @property
    def uncertain_since_s(self) -> float:
        """First edge of what may be a press, or not; infinite if there is none."""
        return math.inf if self._began_s is None or self._is_down else self._began_s

    def _lasts(self, now_s: float, for_s: float) -> bool:
        return now_s - self._since_s >= for_s - 1e-9

    def _held_s(self, now_s: float) -> float:
        assert self._began_s is not None
        return (now_s if self._is_closed else self._since_s) - self._began_s

    def _end(self) -> list[Press]:
        began_s, was_down, was_long = self._began_s, self._is_down, self._is_long
        self._began_s, self._is_down, self._is_long = None, False, False
        if not was_down:
            self.glitches += 1
        if not was_down or was_long or began_s is None:
            return []
        return [Press(self.seat, began_s, "short")]


class ButtonPanel:
    """The contacts of all seats, told the time."""

    def __init__(self, seats: int) -> None:
        self.contacts = [Contact(seat) for seat in range(seats)]

    def edge(self, seat: int, is_closed: bool, at_s: float) -> list[Press]:
        """One contact closes or opens."""
        return self.contacts[seat].edge(is_closed, at_s)

    def tick(self, now_s: float) -> list[Press]:
        """What is known by now, in the order in which the buttons went down."""
        presses = [press for contact in self.contacts for press in contact.tick(now_s)]
        return sorted(presses, key=lambda press: press.at_s)

    def next_due_s(self) -> float:
        """When time alone will tell more; infinite for never."""
        return min((contact.next_due_s() for contact in self.contacts), default=math.inf)

    def known_until_s(self, now_s: float) -> float:
        """Up to this moment every press is known."""
        since_s = min((one.uncertain_since_s for one in self.contacts), default=math.inf)
        return min(now_s, math.nextafter(since_s, -math.inf))

    def troubles(self, now_s: float, seats: Sequence[str]) -> list[str]:
        """What people should know of the buttons of these seats, in sentences."""
        told: list[str] = []
        for contact, seat in zip(self.contacts, seats, strict=False):
            if contact.down_for_s(now_s) > STUCK_S:
                told.append(say("{seat}: the button stays down; is it stuck?", seat=seat))
            if contact.glitches >= SPARKS:
                told.append(
                    say(
                        "{seat}: {n} spark on the contact; look at its cable",
                        "{seat}: {n} sparks on the contact; look at its cable",
                        seat=seat,
                        n=contact.glitches,
                    )
                )
        return told

    @property
    def glitches(self) -> int:
        """How often something closed a contact that was no press."""
        return sum(contact.glitches for contact in self.contacts)


Take = Callable[[Sequence[Press], float], None]


class Buttons:
    """The buttons of one table.

    choice   where the pins come from.
    pins     BCM number of each seat's button.
    take     hears presses, and up to which moment all are known; called in this thread, often.
    """

    def __init__(self, choice: PinChoice, pins: Iterable[int], clock: Clock, take: Take) -> None:
        self._clock, self._take = clock, take
        self._edges: queue.SimpleQueue[tuple[int, bool, float] | None] = queue.SimpleQueue()
        self._devices: list[Any] = []
        try:
            for seat, pin in enumerate(pins):
                self._devices.append(self._connect(choice, seat, pin))
        except Exception:
            self._disconnect()
            raise
        self.panel = ButtonPanel(len(self._devices))
        self._thread = threading.Thread(target=self._run, name="buttons", daemon=True)

    def start(self) -> Self:
        """Begin to listen."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Give the pins back; may be called again."""
        self._disconnect()
        self._edges.put(None)
        if self._thread.is_alive():
            self._thread.join(2.0)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _connect(self, choice: PinChoice, seat: int, pin: int) -> Any:
        device = DigitalInputDevice(pin, pull_up=True, pin_factory=choice.factory)

        def closes() -> None:  # in the thread of the pins: how long ago was the edge?
            self._edges.put((seat, True, self._clock.now_s() - (device.active_time or 0.0)))

        def opens() -> None:
            self._edges.put((seat, False, self._clock.now_s() - (device.inactive_time or 0.0)))

        device.when_activated, device.when_deactivated = closes, opens
        return device

    def _disconnect(self) -> None:
        devices, self._devices = self._devices, []
        for device in devices:
            with contextlib.suppress(Exception):  # the pins may have gone before
                device.close()

    def _run(self) -> None:
        while True:
            now_s = self._clock.now_s()
            try:
                edge = self._edges.get(timeout=self._pause_s(now_s))
            except queue.Empty:
                now_s = self._clock.now_s() - DELIVERY_S
                presses = self.panel.tick(now_s) if self._edges.empty() else []
            else:
                if edge is None:
                    return
                presses = self.panel.edge(*edge)
                now_s = edge[2]
            if presses or self._edges.empty():
                self._hand_on(presses, self.panel.known_until_s(now_s))

    def _hand_on(self, presses: Sequence[Press], known_until_s: float) -> None:
        try:
            self._take(presses, known_until_s)
        except Exception:
            LOG.exception("a press was lost")

    def _pause_s(self, now_s: float) -> float:
        due_s = self.panel.next_due_s() + DELIVERY_S
        return max(0.001, min(BEAT_S, due_s - now_s))


def stuck(choice: PinChoice, pins: Iterable[int], for_s: float = STUCK_S) -> list[int]:
    """Those of these pins (BCM) whose contacts are closed, and stay so, though nobody presses them.

    Raises DeviceError if the pins cannot be had: a game that is being played has them.
    """
    with contextlib.ExitStack() as stack:
        contacts: dict[int, Any] = {}
        try:
            for pin in pins:
                device = DigitalInputDevice(pin, pull_up=True, pin_factory=choice.factory)
                contacts[pin] = stack.enter_context(device)
        except Exception as error:  # lgpio.error is a bare Exception, and cannot be named here
            raise DeviceError(
                say("the pins of the buttons cannot be had: {why}", why=reason(error))
            ) from error
        closed = [pin for pin, contact in contacts.items() if contact.is_active]
        return [pin for pin in closed if not contacts[pin].wait_for_inactive(for_s)]
