"""Talks with a receiver of smart dice, without any I/O: bytes in, messages out.

Theory of operation. Lines are decoded by `firmware.wire`; what is damaged or other devices' chatter
is counted and dropped. Reports of dice carry numbers and go through `InOrder`, so each is told once
and in order, whatever the line did to it. A gap is asked for again, `ASKS` times and `ASK_AGAIN_S`
apart; then it is given up, which is told (`LinesLost`), because a die may have been rolled in it.
Times of the device become times of the game through `DeviceClock`. A heartbeat is a `Watermark`
only when everything sent before it has arrived, and no report is told with a time at or below a
watermark that was told. When the receiver starts again (a new run) its reports are awaited from
number 1, and lines of the run before are ignored. When reports are lost for good the receiver is
greeted anew, so that it says which face of each die is up. Nothing here raises because of what
comes in.
"""

from binascii import crc32
from collections.abc import Iterator, Mapping

import msgspec

from firmware import wire
from hardware.device_clock import DeviceClock
from hardware.dice_commands import DONE, Asked, Commands, Teacher
from hardware.dice_health import Health, LinkCounts
from hardware.dice_messages import (
    DieCrooked,
    DieHeld,
    DieLies,
    DieMoved,
    DieSettled,
    Greeting,
    LinesLost,
    Message,
    Watermark,
    WiredDie,
)
from hardware.dice_seen import DiceSeen
from hardware.in_order import InOrder

ASKS = 5
ASK_AGAIN_S = 0.1  # five times this is what the table waits for a silent source
HELLO_AGAIN_S = 1.0
QUIET_S = 1.0  # a receiver that is greeted beats 20 times a second: a quiet one has begun anew
QUICK_PINGS = 5
QUICK_PING_S = 0.2
PING_S = 2.0  # at 200 ppm a quartz drifts 0.4 ms in it
FIRMWARE = "companion"
STALE_S = 2.0  # lines may come this late, not later; whoever says older things has begun anew
REPORT_WITHIN_S = wire.REPORT_WITHIN_MS / 1000
_WITHOUT_FACE: dict[str, type[DieMoved | DieHeld | DieCrooked]] = {
    "MOVE": DieMoved,
    "HELD": DieHeld,
    "CROOKED": DieCrooked,
}


class DiceLink:
    """One receiver's conversation.

    dice     maps the ids on the wire to the dice of the game.
    teaches  teach dice the words on their faces when they are heard to say numbers.
    """

    def __init__(self, dice: Mapping[str, WiredDie], *, teaches: bool = False) -> None:
        self.dice = dict(dice)
        self.counts = LinkCounts()
        self._seen = DiceSeen(self.dice)
        self._commands = Commands()
        self._teacher = Teacher() if teaches else None
        self.greeting: Greeting | None = None
        self.clock = DeviceClock()
        self._buffer = bytearray()
        self._skipping = False
        self._out = bytearray()
        self._sent = 0
        self._at_s = 0.0
        self._promised_s = float("-inf")
        self._before_run_s = 0.0  # up to here everything was told before this run began
        self._run = ""
        self._past_runs: dict[str, float] = {}  # run -> when another one took its place
        self._latest_ms = 0
        self._came_to_rest: dict[str, str] = {}  # id on the wire -> code, until the die moves
        self._quiet_since_s: float | None = None
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
        self._commands.begin_anew()
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
        if data or self._quiet_since_s is None:
            self._quiet_since_s = None if data else at_s
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

    def ask(self, kind: str, die: str, *words: object) -> Asked:
        """Ask a die, by its id on the wire, for one of `wire.COMMANDS`; it is sent when it can be.

        Raises ValueError if a word does not fit the wire.
        """
        return self._commands.ask(Asked(kind, die, *words))

    def health(self, port: str, state: str, why: str = "", *, is_quick: bool = False) -> Health:
        """How receiver and dice fare, for whoever knows the port and its state."""
        within_s = self.clock.within_s if self.is_synchronised else None
        told = self.greeting or Greeting("", "", 0, False)
        return Health(
            port=port,
            state=state,
            why=why,
            who=told.who,
            firmware=told.firmware,
            version=told.version,
            is_understood=told.is_understood,
            is_synchronised=self.is_synchronised,
            clock_within_s=within_s,
            is_quick=is_quick,
            counts=msgspec.structs.replace(self.counts),
            dice=self._seen.all(),
        )

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
            self._count_bad(line)
            return None
        self.counts.lines += 1
        return message

    def _count_bad(self, line: bytes) -> None:
        body, mark, crc = line.rstrip(b"\r")[:-8].partition(b" *")[0], line[-10:-8], line[-8:]
        if mark == b" *" and crc == b"%08x" % crc32(body):
            self.counts.wrong_version += 1  # whole, but of a kind that is not known here
        elif b" *" in line or line.split(b" ")[0].decode("latin-1") in wire.KINDS:
            self.counts.damaged += 1
        else:
            self.counts.foreign += 1

    # Lines to messages

    def _take(self, message: wire.Message, at_s: float) -> list[Message]:
        if message.die == wire.HOST:
            self.counts.foreign += 1  # our own words come back: an echoing port
            return []
        if self._past_runs.get(message.run, float("-inf")) + STALE_S >= at_s:
            self.counts.repeated += 1
            return []
        told = self._begin_run(message) if self._is_another_run(message) else []
        self._latest_ms = max(self._latest_ms, message.at_ms)
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
        self._seen.hear(message, at_s)
        if message.kind == "BEAT":
            self._beat = message
        elif message.kind == "PONG":
            asked_s = self._pings.pop(message.words[0], None)
            if asked_s is not None:
                self.clock.answered(asked_s, message.at_ms, at_s)
        elif message.kind in ("DONE", "REFUSED"):
            self._answered(message)
        elif message.kind == "GONE" and message.words[0] >= self._order.next_number:
            return self._give_up(min(message.words[0], message.number))
        return []

    def _answered(self, message: wire.Message) -> None:
        answer = DONE if message.kind == "DONE" else message.words[1]
        asked = self._commands.answered(message.words[0], answer)
        if asked is not None and asked.kind == "NAME" and asked.is_done:
            self._seen.forget(asked.die)

    def _is_another_run(self, message: wire.Message) -> bool:
        if message.run != self._run:
            return True
        # One start in 65,536 draws the same name: then clock and count tell, for they go back.
        is_old = message.at_ms + STALE_S * 1000 < self._latest_ms
        begins = message.kind == "HELLO" and message.number + 1 < self._order.next_number
        return is_old and bool(begins)

    def _begin_run(self, message: wire.Message) -> list[Message]:
        restarted = self._run != ""
        is_report = message.kind in wire.REPORTS
        first = message.number if is_report else message.number + 1
        self._past_runs.pop(message.run, None)
        if self._run not in ("", message.run):
            self._past_runs[self._run] = self._at_s
        self._latest_ms, self._before_run_s = 0, max(self._promised_s, 0.0)
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
        self.greeting = Greeting(who, firmware, version, wire.is_spoken(version))
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
        self._seen.hear(report, self._at_s)
        die = self.dice.get(report.die)
        if die is None:
            self.counts.unknown += 1
            return []
        at_s, within_s = self._time_of(report)
        is_known = self._is_known(report)
        if not report.words:
            return [_WITHOUT_FACE[report.kind](die.name, at_s, within_s)]
        face = die.face(report.words[0])
        self._teach(report, die)
        if face is None:
            self.counts.unknown += 1
            return [DieCrooked(die.name, at_s, within_s)]
        settled = report.kind == "FACE" and not is_known
        return [(DieSettled if settled else DieLies)(die.name, face, at_s, within_s)]

    def _is_known(self, report: wire.Message) -> bool:
        """Note how a die lies; True if the same throw has been told already.

        A die that did not hear that its report came says it again to a receiver that has started
        anew and cannot know. No die comes to rest twice without moving.
        """
        before = self._came_to_rest.get(report.die)
        if report.kind == "FACE":
            self._came_to_rest[report.die] = report.words[0]
        elif report.kind != "LIES":
            self._came_to_rest.pop(report.die, None)
        is_known = bool(report.kind == "FACE" and before == report.words[0])
        self.counts.repeated += is_known
        return is_known

    def _teach(self, report: wire.Message, die: WiredDie) -> None:
        if self._teacher is not None:
            for lesson in self._teacher.heard(report.die, report.words[0], die):
                self._commands.ask(lesson)

    def _time_of(self, report: wire.Message) -> tuple[float, float]:
        # A millisecond above the watermark at least: the watermark is never broken by a clock that
        # is understood better now than it was then.
        read_s = self.clock.game_s(report.at_ms)
        within_s = self.clock.within_s + REPORT_WITHIN_S
        if report.at_ms <= 2 * wire.REPORT_WITHIN_MS:
            # It may have happened before the receiver started: any time since it was heard last.
            within_s = max(within_s, read_s - self._before_run_s)
        at_s = max(read_s, round(self._promised_s + 0.001, 3))
        return at_s, round(within_s + at_s - read_s, 3)

    def _watermark(self) -> list[Message]:
        beat = self._beat
        if beat is None or not self._order.is_complete:
            return []
        self._beat = None
        self._promised_s = max(self._promised_s, self.clock.game_s(beat.words[0]))
        return [Watermark(self._promised_s)]

    # Asking

    def _keep_going(self, at_s: float) -> list[Message]:
        is_quiet = self._quiet_since_s is not None and at_s >= self._quiet_since_s + QUIET_S
        if (self.greeting is None or is_quiet) and at_s >= self._hello_at_s:
            self._greet(at_s)
        if self.greeting is not None and at_s >= self._ping_at_s:
            self._ping(at_s)
        if self.greeting is not None and self.greeting.is_understood:
            self._commands.due(at_s, self._say)
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
        if lost:
            self._greet(self._at_s)  # the receiver answers with what lies on the table now
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

    def _say(self, kind: str, at_s: float, *words: object) -> int:
        self._sent += 1
        at_ms = max(0, int(at_s * 1000 + 1e-6))
        self._out += wire.encode(kind, wire.HOST, wire.HOST_RUN, self._sent, at_ms, *words)
        return self._sent

    def _set_times_back(self, at_s: float) -> None:
        # Another game begins and its time with it: what was said about the old time is void.
        if at_s < self._at_s:
            self._promised_s, self._before_run_s = float("-inf"), 0.0
            self.clock.begin_anew()
            self._pings.clear()
            self._commands.time_set_back()
            self._past_runs = dict.fromkeys(self._past_runs, at_s)
        self._at_s = at_s
        self._quiet_since_s = None
        self._hello_at_s = self._ping_at_s = self._ask_at_s = float("-inf")
