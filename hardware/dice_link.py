"""Talks with a receiver of smart dice, without any I/O: bytes in, messages out.

Theory of operation. Lines are decoded by `firmware.wire`; what is damaged or other devices' chatter
is counted and dropped. Reports of dice carry numbers and go through `InOrder`, so each is told once
and in order, whatever the line did to it. A gap is asked for again, `ASKS` times and `ASK_AGAIN_S`
apart; then it is given up, which is told (`LinesLost`), because a die may have been rolled in it.
Times of the device become times of the game through `DeviceClock`. A heartbeat is a `Watermark`
only when everything sent before it has arrived, and no report is told with a time at or below a
watermark that was told. When the receiver starts again (a new run) its reports are awaited from
number 1, and lines of the run before are ignored. Nothing here raises because of what comes in.
"""

from collections.abc import Iterator, Mapping

import msgspec

from firmware import wire
from hardware.device_clock import DeviceClock
from hardware.in_order import InOrder

ASKS = 5
ASK_AGAIN_S = 0.1  # five times this is what the table waits for a silent source
HELLO_AGAIN_S = 1.0
QUICK_PINGS = 5
QUICK_PING_S = 0.2
PING_S = 2.0  # at 200 ppm a quartz drifts 0.4 ms in it
FIRMWARE = "companion"


class WiredDie(msgspec.Struct, frozen=True):
    """What the companion calls a die of the wire.

    name   the game's die (`red-1`).
    faces  face code on the wire -> face of the game (`"6" -> "dragon"`); empty: the same.
    """

    name: str
    faces: dict[str, str] = {}


class DieMoved(msgspec.Struct, frozen=True):
    """A die left its rest: it is in a hand, or it tumbles."""

    die: str
    at_s: float
    within_s: float


class DieSettled(msgspec.Struct, frozen=True):
    """A die has tumbled and came to rest at `at_s`, this face up."""

    die: str
    face: str
    at_s: float
    within_s: float


class DieLies(msgspec.Struct, frozen=True):
    """A die lies still without having been rolled: put back, or told after a start."""

    die: str
    face: str
    at_s: float
    within_s: float


class DieCrooked(msgspec.Struct, frozen=True):
    """A die came to rest, but no face of the game is up."""

    die: str
    at_s: float
    within_s: float


class Watermark(msgspec.Struct, frozen=True):
    """Everything that happened up to `at_s` has been told."""

    at_s: float


class Greeting(msgspec.Struct, frozen=True):
    """A receiver said who it is; `is_understood` is False if it speaks another version."""

    who: str
    firmware: str
    version: int
    is_understood: bool


class LinesLost(msgspec.Struct, frozen=True):
    """So many reports are lost for good (0: nobody knows); what was rolling is in doubt."""

    lost: int
    why: str


DieMessage = DieMoved | DieSettled | DieLies | DieCrooked
Message = DieMessage | Watermark | Greeting | LinesLost


class LinkCounts(msgspec.Struct):
    """What came over the line so far, for people who look for a fault.

    lines      good lines             damaged     lines that broke on the way
    foreign    other devices' chatter repeated    reports that came more than once
    reordered  came after a later one recovered   came because we asked again
    lost       given up               restarts    the receiver started again
    asked      requests to send again unknown     reports of dice or faces that nobody named
    wrong_version  lines in a version that is not spoken here
    """

    lines: int = 0
    damaged: int = 0
    foreign: int = 0
    repeated: int = 0
    reordered: int = 0
    recovered: int = 0
    lost: int = 0
    restarts: int = 0
    asked: int = 0
    unknown: int = 0
    wrong_version: int = 0


class DiceLink:
    """One receiver's conversation; `dice` maps the ids on the wire to the dice of the game."""

    def __init__(self, dice: Mapping[str, WiredDie]) -> None:
        self.dice = dict(dice)
        self.counts = LinkCounts()
        self.unknown_dice: dict[str, int] = {}
        self.greeting: Greeting | None = None
        self.clock = DeviceClock()
        self._buffer = bytearray()
        self._skipping = False
        self._out = bytearray()
        self._sent = 0
        self._at_s = 0.0
        self._promised_s = float("-inf")
        self._run = ""
        self._past_runs: set[str] = set()
        self._order = InOrder(1)
        self._beat: wire.Message | None = None
        self._pings: dict[int, float] = {}
        self._pinged = 0
        self._hello_at_s = self._ping_at_s = self._ask_at_s = float("-inf")
        self._asks = 0

    @property
    def is_synchronised(self) -> bool:
        """True if the receiver has been greeted and its clock compared with ours."""
        return self.greeting is not None and self.clock.is_synchronised

    def connection_made(self, at_s: float) -> None:
        """Begin to talk: the port has just been opened. Reports missed meanwhile are asked for."""
        self._buffer.clear()
        self._out.clear()
        self._skipping = False
        self._sent = self._pinged = self._asks = 0
        self._pings.clear()
        self._past_runs.clear()
        self.greeting = None
        self._set_times_back(at_s)
        self._greet(at_s)

    def receive_data(self, data: bytes, at_s: float) -> list[Message]:
        """Take in bytes that arrived at `at_s`; no bytes at all just let the time pass.

        Cuts between the calls do not matter. Returns what they say, in order; never raises.
        """
        if at_s < self._at_s:
            self._set_times_back(at_s)
        self._at_s = at_s
        told: list[Message] = []
        for line in self._lines(data):
            message = self._decoded(line)
            if message is not None:
                told += self._take(message, at_s)
        return told + self._keep_going(at_s)

    def data_to_send(self) -> bytes:
        """Bytes to write to the port now; they are handed out once."""
        data = bytes(self._out)
        self._out.clear()
        return data

    # Bytes to lines

    def _lines(self, data: bytes) -> Iterator[bytes]:
        self._buffer += data
        *whole, rest = self._buffer.split(b"\n")
        self._buffer = rest
        for line in whole:
            if not self._skipping and line.strip():
                yield bytes(line)
            self._skipping = False
        if len(self._buffer) > wire.MAX_LINE:
            self.counts.damaged += not self._skipping
            self._skipping = True
            self._buffer.clear()

    def _decoded(self, line: bytes) -> wire.Message | None:
        try:
            message = wire.decode(line)
        except wire.WireError:
            ours = b" *" in line or line.split(b" ")[0].decode("latin-1") in wire.KINDS
            self.counts.damaged += ours
            self.counts.foreign += not ours
            return None
        self.counts.lines += 1
        return message

    # Lines to messages

    def _take(self, message: wire.Message, at_s: float) -> list[Message]:
        if message.die == wire.HOST:
            self.counts.foreign += 1  # our own words come back: an echoing port
            return []
        if message.run in self._past_runs:
            self.counts.repeated += 1
            return []
        told = self._begin_run(message) if message.run != self._run else []
        if message.kind == "HELLO":
            told += self._greeted(message)
        elif self.greeting is not None and not self.greeting.is_understood:
            self.counts.wrong_version += 1
            return told
        self.clock.heard(message.at_ms, at_s)
        return told + self._worked_off(message, at_s) + self._watermark()

    def _worked_off(self, message: wire.Message, at_s: float) -> list[Message]:
        if message.kind in wire.REPORTS:
            return self._reported(message)
        self._order.told_of(message.number)
        if message.kind == "BEAT":
            self._beat = message
        elif message.kind == "PONG":
            asked_s = self._pings.pop(message.words[0], None)
            if asked_s is not None:
                self.clock.answered(asked_s, message.at_ms, at_s)
        elif message.kind == "GONE" and message.words[0] >= self._order.next_number:
            return self._give_up(min(message.words[0], message.number))
        return []

    def _begin_run(self, message: wire.Message) -> list[Message]:
        restarted = self._run != ""
        is_report = message.kind in wire.REPORTS
        first = message.number if is_report else message.number + 1
        self._past_runs |= {self._run} - {""}
        self._run, self._order = message.run, InOrder(1 if restarted else first)
        self._beat, self._asks, self._pinged = None, 0, 0
        self._pings.clear()
        self._ping_at_s = float("-inf")
        self.clock.begin_anew()
        if not restarted:
            return []
        self.counts.restarts += 1
        self.greeting = None
        return [LinesLost(0, "the receiver has started again")]

    def _greeted(self, message: wire.Message) -> list[Message]:
        version, firmware, who = message.words
        self.greeting = Greeting(who, firmware, version, version == wire.PROTOCOL)
        return [self.greeting]

    def _reported(self, report: wire.Message) -> list[Message]:
        repeated, late = self._order.repeated, self._order.late
        due = self._order.take(report)
        self.counts.repeated += self._order.repeated - repeated
        came_late = self._order.late - late
        if self._asks:
            self.counts.recovered += came_late
        else:
            self.counts.reordered += came_late
        return [told for one in due for told in self._told(one)]

    def _told(self, report: wire.Message) -> list[Message]:
        die = self.dice.get(report.die)
        if die is None:
            self.counts.unknown += 1
            self.unknown_dice[report.die] = self.unknown_dice.get(report.die, 0) + 1
            return []
        at_s, within_s = self._time_of(report)
        if report.kind == "MOVE":
            return [DieMoved(die.name, at_s, within_s)]
        face = self._face(die, report.words[0]) if report.words else None
        if face is None:
            return [DieCrooked(die.name, at_s, within_s)]
        settled = report.kind == "FACE"
        return [(DieSettled if settled else DieLies)(die.name, face, at_s, within_s)]

    def _time_of(self, report: wire.Message) -> tuple[float, float]:
        # A millisecond above the watermark at least: the watermark is never broken by a clock that
        # is understood better now than it was then.
        read_s, within_s = self.clock.game_s(report.at_ms), self.clock.within_s
        at_s = max(read_s, round(self._promised_s + 0.001, 3))
        return at_s, round(within_s + at_s - read_s, 3)

    def _face(self, die: WiredDie, code: str) -> str | None:
        if not die.faces:
            return code
        self.counts.unknown += code not in die.faces
        return die.faces.get(code)

    def _watermark(self) -> list[Message]:
        beat = self._beat
        if beat is None or not self._order.is_complete:
            return []
        self._beat = None
        self._promised_s = max(self._promised_s, self.clock.game_s(beat.words[0]))
        return [Watermark(self._promised_s)]

    # Asking

    def _keep_going(self, at_s: float) -> list[Message]:
        if self.greeting is None and at_s >= self._hello_at_s:
            self._greet(at_s)
        if self.greeting is not None and at_s >= self._ping_at_s:
            self._ping(at_s)
        if self._order.is_complete:
            self._asks = 0
        elif at_s >= self._ask_at_s or self._asks == 0:
            return self._ask_again(at_s)
        return []

    def _ask_again(self, at_s: float) -> list[Message]:
        if self._asks >= ASKS:
            return self._give_up(self._order.first_gap_end()) + self._watermark()
        self._say("AGAIN", at_s, self._order.next_number)
        self.counts.asked += 1
        self._asks += 1
        self._ask_at_s = at_s + ASK_AGAIN_S
        return []

    def _give_up(self, upto_number: int) -> list[Message]:
        lost = self._order.lost
        due = self._order.give_up(upto_number)
        lost = self._order.lost - lost
        self.counts.lost += lost
        self._asks = 0
        told: list[Message] = [LinesLost(lost, f"{lost} lines never arrived")] if lost else []
        return told + [message for report in due for message in self._told(report)]

    def _greet(self, at_s: float) -> None:
        self._hello_at_s = at_s + HELLO_AGAIN_S
        self._say("HELLO", at_s, wire.PROTOCOL, FIRMWARE, wire.HOST)

    def _ping(self, at_s: float) -> None:
        self._pinged += 1
        self._ping_at_s = at_s + (QUICK_PING_S if self._pinged < QUICK_PINGS else PING_S)
        self._say("PING", at_s)
        self._pings[self._sent] = at_s
        while len(self._pings) > QUICK_PINGS:
            self._pings.pop(min(self._pings))

    def _say(self, kind: str, at_s: float, *words: object) -> None:
        self._sent += 1
        at_ms = max(0, int(at_s * 1000 + 1e-6))
        self._out += wire.encode(kind, wire.HOST, wire.HOST_RUN, self._sent, at_ms, *words)

    def _set_times_back(self, at_s: float) -> None:
        # Another game begins and its time with it: what was said about the old time is void.
        if at_s < self._at_s:
            self._promised_s = float("-inf")
            self.clock.begin_anew()
            self._pings.clear()
        self._at_s = at_s
        self._hello_at_s = self._ping_at_s = self._ask_at_s = float("-inf")
