"""Bluetooth dice that people own already, Pixels and GoDice: the same messages as from a receiver.

One thread runs the radio. Each die is looked for, connected, greeted and listened to by itself, and
looked for again with growing pauses when it has gone; what happened meanwhile is not known, so the
die is in doubt then. Bluetooth loses nothing while a die is connected, but tells no time: a report
is stamped when it arrives and states `WITHIN_S`, and the watermark stays `LATE_S` behind.
"""

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable, Mapping
from typing import Self

from companion.clock import Clock
from companion.errors import ConfigError
from companion.field_words import reason
from companion.words import row_of, say
from hardware.ble_godice import GoDiceTalk
from hardware.ble_messages import About, Battery, BleTalk, Moves, Rests, Said
from hardware.ble_pixels import PixelsTalk
from hardware.ble_radio import Peer, Radio, bleak_radio
from hardware.dice_commands import DONE, Asked
from hardware.dice_health import DieHealth, Health, LinkCounts
from hardware.dice_messages import (
    DieCrooked,
    DieHeld,
    DieLies,
    DieMoved,
    DieSettled,
    LinesLost,
    Message,
    Watermark,
    WiredDie,
)

LOG = logging.getLogger(__name__)
WITHIN_S = 0.15  # radio intervals, and how long a die takes to notice; no maker states it
LATE_S = 0.2
BEAT_S = 0.05
BACK_OFF_S = (0.5, 15.0)
CLOSE_S = 5.0
MAKERS: dict[str, Callable[[], BleTalk]] = {
    "pixels": PixelsTalk,
    "godice": GoDiceTalk,
    "godice-d8": lambda: GoDiceTalk("d8"),
}


def checked_peer(setting: str) -> tuple[str, str]:
    """Split `pixels E0:5A:1B:00:00:01` into maker and address (or advertised name).

    Raises ConfigError for another maker, or without an address.
    """
    maker, _, address = setting.strip().partition(" ")
    if maker not in MAKERS or not address.strip():
        raise ConfigError(
            say(
                "Bluetooth die: expected one of {known} and an address or advertised name, got "
                '{setting!r}; write for example "pixels E0:5A:1B:00:00:01"',
                known=", ".join(MAKERS),
                setting=setting,
            )
        )
    return maker, address.strip()


class BleDice:
    """All Bluetooth dice of a table; used as a `SerialPort` is.

    peers        id of the die -> `pixels ADDRESS`, `godice ADDRESS` or `godice-d8 ADDRESS`.
    dice         id of the die -> the die of the game.
    on_messages  called in the radio's thread with what the dice told; what it raises is logged.
    radio        None for bleak; ConfigError if that is not installed.
    """

    setting = "bluetooth"

    def __init__(
        self,
        peers: Mapping[str, str],
        dice: Mapping[str, WiredDie],
        on_messages: Callable[[list[Message]], None],
        clock: Clock,
        *,
        radio: Radio | None = None,
        back_off_s: tuple[float, float] = BACK_OFF_S,
    ) -> None:
        self._talks = {die: _OneDie(self, die, peers[die], dice.get(die)) for die in peers}
        self._on_messages, self._clock = on_messages, clock
        self.radio = radio if radio is not None else bleak_radio()
        self.back_off_s = back_off_s
        self.counts = LinkCounts()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._over: asyncio.Event | None = None
        self._thread: threading.Thread | None = None
        self._is_closing = False
        self._changed = threading.Condition()

    def start(self) -> Self:
        """Begin to look for the dice, in a thread; returns at once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="bluetooth dice", daemon=True)
            self._thread.start()
        return self

    def close(self) -> None:
        """Let all dice go and end the thread; may be called again, and from any thread."""
        self._is_closing = True
        loop, over, thread = self._loop, self._over, self._thread
        if loop is not None and over is not None:
            with contextlib.suppress(RuntimeError):  # it has ended by itself
                loop.call_soon_threadsafe(over.set)
        if thread is not None and thread is not threading.current_thread():
            thread.join(CLOSE_S)
        self.changed()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *raised: object) -> None:
        self.close()

    @property
    def state(self) -> str:
        """`connecting` (none yet), `connected` (some are), `lost` (all have gone) or `closed`."""
        if self._is_closing:
            return "closed"
        talks = self._talks.values()
        if any(one.is_connected for one in talks):
            return "connected"
        return "lost" if any(one.was_connected for one in talks) else "connecting"

    @property
    def why(self) -> str:
        """Which dice are missed, in words for people."""
        return row_of([one.why for one in self._talks.values() if one.why])

    def health(self) -> Health:
        """How the dice fare; may be called from any thread."""
        dice = tuple(one.health() for one in self._talks.values())
        who = "bluetooth" if self.state == "connected" else ""
        return Health(
            port="bluetooth",
            state=self.state,
            why=self.why,
            who=who,
            is_understood=bool(who),
            is_synchronised=bool(who),
            clock_within_s=WITHIN_S if who else None,
            counts=self.counts,
            dice=dice,
        )

    def ask(self, kind: str, die: str, *words: object) -> Asked:
        """Ask a die for something; only BLINK is known by these dice."""
        asked = Asked(kind, die, *words)
        one = self._talks.get(die)
        if one is None or kind != "BLINK" or self._loop is None:
            asked.end("unknown_die" if one is None else "silent")
            return asked
        asyncio.run_coroutine_threadsafe(one.blink(asked), self._loop)
        return asked

    def wait_until(self, fits: Callable[["BleDice"], bool], limit_s: float = 5.0) -> bool:
        """Wait until something is so, looking after each change; False if it never was."""
        with self._changed:
            return self._changed.wait_for(lambda: fits(self), limit_s)

    # The thread

    def changed(self) -> None:
        """Wake up who waits for something to be so."""
        with self._changed:
            self._changed.notify_all()

    def now_s(self) -> float:
        """The moment of the game."""
        return self._clock.now_s()

    def tell(self, messages: list[Message]) -> None:
        """Hand on what dice told."""
        try:
            self._on_messages(messages)
        except Exception:
            LOG.exception("what Bluetooth dice told could not be handed on")
        self.changed()

    def _run(self) -> None:
        asyncio.run(self._talk())

    async def _talk(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        if self._is_closing:
            return
        tasks = [asyncio.create_task(one.keep_up()) for one in self._talks.values()]
        tasks.append(asyncio.create_task(self._beat()))
        await self._over.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            if self.state == "connected":
                self.tell([Watermark(round(self.now_s() - LATE_S, 3))])


class _OneDie:
    """One die, connected again and again."""

    def __init__(self, dice: BleDice, die: str, setting: str, wired: WiredDie | None) -> None:
        maker, self._address = checked_peer(setting)
        self._dice, self._die, self._wired = dice, die, wired
        self._talk = MAKERS[maker]()
        self._health = DieHealth(die, wired.name if wired else "")
        self._peer: Peer | None = None
        self._to = ""
        self._gone = asyncio.Event()
        self.is_connected = self.was_connected = False
        self.why: str = say("{die} has not been found yet; is it near, and awake?", die=die)

    @property
    def _faults(self) -> tuple[type[Exception], ...]:
        return (*self._dice.radio.faults, TimeoutError, OSError)

    def health(self) -> DieHealth:
        """A copy of how it fares."""
        return DieHealth(**{name: getattr(self._health, name) for name in _HEALTH})

    async def keep_up(self) -> None:
        """Look for the die, talk with it, look for it again."""
        pause_s = self._dice.back_off_s[0]
        while True:
            if await self._meet():
                pause_s = self._dice.back_off_s[0]
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, self._dice.back_off_s[1])

    async def _meet(self) -> bool:
        """Talk with the die until it goes; True if it was there."""
        met = False
        try:
            self._gone.clear()
            found = await self._dice.radio.find(self._address, self._went)
            if found is None:
                return False
            self._peer, self._health.signal_dbm = found
            await self._greet(self._peer)
            met = True
            await self._gone.wait()
        except self._faults as error:
            self.why = say("{die} cannot be reached ({why})", die=self._die, why=reason(error))
        except Exception as error:  # whatever a radio's driver comes up with: try again
            LOG.exception("%s", self._die)
            self.why = say("{die} cannot be reached ({why})", die=self._die, why=reason(error))
        finally:
            await self._part()
        return met

    async def _greet(self, peer: Peer) -> None:
        await peer.connect()
        pairs = [pair for pair in self._talk.channels if all(peer.has(one) for one in pair)]
        if not pairs:
            raise OSError("it has none of the channels of such a die; is the maker right?")
        source, self._to = pairs[0]
        hello = self._talk.greet()
        await peer.listen(source, self._hear)
        for data in hello:
            await peer.write(self._to, data)
        self.is_connected = self.was_connected = True
        self.why = ""
        self._dice.changed()

    async def _part(self) -> None:
        peer, self._peer = self._peer, None
        was, self.is_connected = self.is_connected, False
        if peer is not None:
            with contextlib.suppress(*self._faults):
                await peer.disconnect()
        if was:
            self.why = say("{die} is out of reach, or its battery is empty", die=self._die)
            self._health.motion = "silent"
            if self._wired is not None:
                why = say("{die} was not connected", die=self._die)
                self._dice.tell([LinesLost(0, why, self._wired.name)])
        self._dice.changed()

    def _went(self) -> None:
        self._gone.set()

    async def blink(self, asked: Asked) -> None:
        """Let it blink, and answer."""
        answer = "silent"
        if self._peer is not None:
            with contextlib.suppress(*self._faults):
                await self._peer.write(self._to, self._talk.blink())
                answer = DONE
        asked.end(answer)

    # What it says

    def _hear(self, data: bytes) -> None:
        said = self._talk.hear(bytes(data))
        self._dice.counts.lines += said is not None
        self._dice.counts.foreign += said is None
        at_s = round(self._dice.now_s(), 3)
        self._health.heard_at_s = at_s
        told: list[Message] = []
        for one in said or []:
            self._note(one)
            told += self._told(one, at_s)
        if told:
            self._dice.tell(told)

    def _note(self, said: Said) -> None:
        health = self._health
        if isinstance(said, Battery):
            health.battery_percent = said.percent
        elif isinstance(said, About):
            health.firmware, health.shape, health.sides = said.firmware, said.shape, said.sides
        else:
            health.reports += 1
            health.motion = _motion(said)
        if isinstance(said, Rests) and said.code:
            health.code = said.code
            face = self._wired.face(said.code) if self._wired else said.code
            health.face = face or ""
            health.unknown_faces += face is None

    def _told(self, said: Said, at_s: float) -> list[Message]:
        if not isinstance(said, Moves | Rests):
            return []
        if self._wired is None:
            self._dice.counts.unknown += 1
            return []
        name = self._wired.name
        if isinstance(said, Moves):
            return [(DieHeld if said.is_held else DieMoved)(name, at_s, WITHIN_S)]
        face = self._wired.face(said.code) if said.code else None
        if face is None:
            return [DieCrooked(name, at_s, WITHIN_S)]
        kind = DieSettled if said.how == "settled" else DieLies
        return [kind(name, face, at_s, WITHIN_S)]


_HEALTH = DieHealth.__struct_fields__


def _motion(said: Moves | Rests) -> str:
    if isinstance(said, Moves):
        return "held" if said.is_held else "moving"
    return "crooked" if said.how == "crooked" else "lying"
