"""What the receiver says and hears, without any I/O: radio packets and USB bytes in and out.

Every die counts its own reports. The receiver puts them in order, each once, asks a die again for
what is missing, and tells them on under its own numbers and on its own clock. Of a die that cannot
say it any more, a number is left out, so the companion learns that something is lost.

A die's clock is understood from its packets: the one that was quickest tells how far apart the two
clocks are; the bound is loosened by DRIFT_PPM, so newer ones take over. What a packet takes at
least, a millisecond or two, is never known; `wire.REPORT_WITHIN_MS` covers it.

The heartbeat promises no more than every die that is awake has promised. A die that sleeps has
promised to say within WAKE_MS that it moves, so the heartbeat stays that far behind. One that is
awake and not heard for SILENT_MS is not waited for.
"""

from firmware import wire
from firmware.wire import const

VERSION = "1.0.0"
BEAT_MS = const(40)  # the companion wants 20 a second
WAKE_MS = const(150)  # from motion to first packet: 20 of the sensor, 100 of starting a radio
SILENT_MS = const(400)  # ten packets of a die that is awake
SIGNAL_MS = const(5000)
NEAR = const(45)  # dB below 1 mW; a die that is held to the receiver comes in stronger
MOST_DICE = const(20)  # that the radio knows at a time
KEPT = const(128)  # reports kept for a companion that missed them
EARLY = const(16)  # reports of a die kept while others are missing
ASK_MS = const(60)  # from one request to a die to the next
ASKS = const(8)
COMMAND_MS = const(1000)  # a die that is awake answers in a few packets
DRIFT_PPM = const(200)  # two quartzes of 100 ppm each, drifting apart
PACKET_MS = const(40)  # from one packet of a die that is awake to the next


class HeardDie:
    """A die that has been heard, as the receiver knows it."""

    def __init__(self, mac: str, name: str, run: str, next_number: int) -> None:
        self.mac, self.name, self.run = mac, name, run
        self.next_number, self.known_number = next_number, next_number - 1
        self.early: dict = {}
        self.offset_us: "int | None" = None  # clock of the receiver - clock of the die
        self.offset_ms = 0  # the moment when that was said
        self.heard_ms = self.upto_ms = 0
        self.is_asleep = self.is_silent = False
        self.lies = ""  # the face that is up while it lies still
        self.weaker = self.lost = 0
        self.asks = 0
        self.asked_ms = -ASK_MS
        self.command: "tuple | None" = None  # (number, line, since_ms)
        self.sent_ms = 0

    def understand_clock(self, sent_ms: int, at_ms: int) -> None:
        """Learn from a packet: sent at `sent_ms` of the die, arrived at `at_ms` of ours."""
        bound_us = (at_ms - sent_ms) * 1000
        if self.offset_us is not None:
            drifted_us = (at_ms - self.offset_ms) * DRIFT_PPM // 1000
            bound_us = min(bound_us, self.offset_us + drifted_us)
            if (at_ms - sent_ms) * 1000 > bound_us and drifted_us == 0:
                return  # wait until the drift counts
        self.offset_us, self.offset_ms = bound_us, at_ms

    def ours_ms(self, die_ms: int) -> int:
        """A moment of the die's clock on ours."""
        return max(0, die_ms + (self.offset_us or 0) // 1000)

    def is_complete(self) -> bool:
        """True if no report is missing that is known to have been sent."""
        return self.next_number > self.known_number

    def holds_back(self) -> bool:
        """True if the heartbeat has to wait for it."""
        return not self.is_asleep and not self.is_silent


class Receiver:
    """The receiver.

    who  what it is called; run  four hex digits, new each time that it starts.
    """

    def __init__(self, who: str, run: str) -> None:
        self.dice: dict = {}  # MAC (12 hex digits) -> HeardDie
        self.damaged = 0
        self._who, self._run = who, run
        self._number = 0
        self._kept: list = []  # [(number, line)]
        self._usb: list = []
        self._radio: list = []
        self._buffer = b""
        self._is_greeted = False
        self._at_ms = self._promised_ms = 0
        self._beat_ms = -BEAT_MS

    def usb_out(self) -> bytes:
        """What to write to the companion now; it is handed out once."""
        said, self._usb = b"".join(self._usb), []
        return said

    def radio_out(self) -> list:
        """Packets to send now, as (MAC, bytes); they are handed out once."""
        said, self._radio = self._radio, []
        return said

    def tick(self, at_ms: int) -> None:
        """Let the time pass."""
        self._at_ms = at_ms
        for die in self.dice.values():
            if die.holds_back() and at_ms - die.heard_ms >= SILENT_MS:
                die.is_silent = True
                self._say("SILENT", die.name)
            self._ask_again(die)
            self._command_again(die)
        if at_ms >= self._beat_ms + BEAT_MS:
            self._beat()

    # Radio

    def radio(self, mac: str, packet: bytes, weaker: int, at_ms: int) -> None:
        """Take in a packet of the die with this MAC; `weaker` is in dB below 1 mW."""
        self._at_ms = at_ms
        lines = []
        for line in packet.split(b"\n"):
            if line:
                try:
                    lines.append(wire.decode(line))
                except wire.WireError:
                    self.damaged += 1
        if lines and lines[0].kind == "HELLO":
            self._meet(mac, weaker)
        elif lines and (mac in self.dice or len(self.dice) < MOST_DICE):
            self._take(self._die_of(mac, lines[0]), lines, weaker)

    def _meet(self, mac: str, weaker: int) -> None:
        # A die looks for a receiver: ours if it is held to us, or was ours before.
        if weaker <= NEAR or mac in self.dice:
            words = (wire.PROTOCOL, VERSION, self._who)
            self._radio.append((mac, self._line("HELLO", wire.RECEIVER, self._at_ms, *words)))

    def _die_of(self, mac: str, line: wire.Message) -> HeardDie:
        die = self.dice.get(mac)
        if die is None or die.run != line.run:
            first = line.number if line.kind in wire.REPORTS else line.number + 1
            new = HeardDie(mac, line.die, line.run, 1 if die else first)
            if die:
                new.command, new.lost = die.command, die.lost
                self._number += 1  # what it was doing when it lost its power, nobody knows
            die = self.dice[mac] = new
        return die

    def _take(self, die: HeardDie, lines: list, weaker: int) -> None:
        sent = [line.at_ms for line in lines if line.kind not in wire.REPORTS]
        if sent:
            die.understand_clock(max(sent), self._at_ms)
        elif die.offset_us is None:
            die.understand_clock(lines[-1].at_ms, self._at_ms)
        if die.holds_back() and die.heard_ms:
            die.lost += max(0, (self._at_ms - die.heard_ms) // PACKET_MS - 1)
        die.heard_ms, die.weaker = self._at_ms, weaker
        die.is_asleep = die.is_silent = False
        for line in lines:
            die.name = line.die
            if line.kind in wire.REPORTS:
                self._report(die, line)
            else:
                die.known_number = max(die.known_number, line.number)
                self._status(die, line)

    def _report(self, die: HeardDie, report: wire.Message) -> None:
        number = report.number
        if number < die.next_number or number in die.early:
            return
        die.known_number = max(die.known_number, number)
        if len(die.early) < EARLY or number == die.next_number:
            die.early[number] = report
        self._tell_due(die)

    def _tell_due(self, die: HeardDie) -> None:
        while die.next_number in die.early:
            report = die.early.pop(die.next_number)
            die.next_number += 1
            die.asks = 0
            die.lies = report.words[0] if report.kind in ("FACE", "LIES") else ""
            at_ms = min(die.ours_ms(report.at_ms), self._at_ms)
            if self._promised_ms - wire.REPORT_WITHIN_MS <= at_ms <= self._promised_ms:
                at_ms = self._promised_ms + 1  # its clock is understood better now than it was
            self._tell(report.kind, die.name, at_ms, *report.words)

    def _status(self, die: HeardDie, line: wire.Message) -> None:
        kind = line.kind
        if kind == "BEAT" and die.is_complete():
            die.upto_ms = max(die.upto_ms, die.ours_ms(line.words[0]))
        elif kind == "ASLEEP":
            die.is_asleep = True
            self._say(kind, die.name)
        elif kind == "BATTERY":
            self._say(kind, die.name, *line.words)
            self._say("SIGNAL", die.name, die.weaker, die.lost)
        elif kind == "ABOUT":
            self._say(kind, die.name, *line.words)
        elif kind == "GONE":
            self._give_up(die, line.words[0])
        elif kind in ("DONE", "REFUSED") and die.command and die.command[0] == line.words[0]:
            die.command = None
            self._say(kind, die.name, *line.words)

    def _ask_again(self, die: HeardDie) -> None:
        if die.is_complete() or not die.holds_back() or self._at_ms < die.asked_ms + ASK_MS:
            return
        if die.asks >= ASKS:
            self._give_up(die, min(die.early) - 1 if die.early else die.known_number)
            return
        die.asks += 1
        die.asked_ms = self._at_ms
        line = self._line("AGAIN", wire.RECEIVER, self._at_ms, die.next_number)
        self._radio.append((die.mac, line))

    def _give_up(self, die: HeardDie, upto_number: int) -> None:
        if upto_number >= die.next_number:
            die.next_number, die.asks = upto_number + 1, 0
            die.early = {n: line for n, line in die.early.items() if n > upto_number}
            self._number += 1  # a number that no report bears: the companion will miss it
            self._tell_due(die)

    # USB

    def usb(self, data: bytes) -> None:
        """Take in bytes of the companion; what is damaged or foreign is counted."""
        self._buffer += data
        lines = self._buffer.split(b"\n")
        self._buffer = lines.pop()[-wire.MAX_LINE :]
        for line in lines:
            try:
                self._answer(wire.decode(line), line)
            except wire.WireError:
                self.damaged += 1

    def _answer(self, asked: wire.Message, line: bytes) -> None:
        if asked.die != wire.HOST:
            return
        if asked.kind == "HELLO":
            self._greet(asked.words[0])
        elif asked.kind == "PING":
            self._say("PONG", wire.RECEIVER, asked.number)
        elif asked.kind == "AGAIN":
            self._repeat(asked.words[0])
        elif asked.kind in wire.COMMANDS:
            self._command(asked, line)

    def _greet(self, version: int) -> None:
        self._is_greeted = True
        words = (wire.answer_version(version), VERSION, self._who)
        self._say("HELLO", wire.RECEIVER, *words)
        for mac in sorted(self.dice):
            die = self.dice[mac]
            if die.lies:
                self._tell("LIES", die.name, self._at_ms, die.lies)
            self._say("SIGNAL", die.name, die.weaker, die.lost)
            if die.is_asleep or die.is_silent:
                self._say("ASLEEP" if die.is_asleep else "SILENT", die.name)
        self._beat()

    def _repeat(self, number: int) -> None:
        later = [(kept, line) for kept, line in self._kept if kept >= number]
        first = later[0][0] if later else self._number + 1
        if first > number:
            self._say("GONE", wire.RECEIVER, first - 1)
        for kept, line in later:
            if kept != first:
                return  # one was left out; the companion will ask from there
            self._write(line)
            first += 1

    def _command(self, asked: wire.Message, line: bytes) -> None:
        name, number = asked.words[0], asked.number
        die = self._named(name)
        namesake = self._named(asked.words[1]) if asked.kind == "NAME" else None
        if die is None and namesake is not None:
            self._say("DONE", namesake.name, number)  # asked twice
            return
        why = self._refuses(die, namesake)
        if die is None or why:
            self._say("REFUSED", name, number, why)
            return
        die.command = (number, line + b"\n", self._at_ms)
        die.sent_ms = self._at_ms - ASK_MS
        self._command_again(die)

    def _refuses(self, die: "HeardDie | None", namesake: "HeardDie | None") -> str:
        if die is None:
            return "unknown_die"
        if namesake is not None and namesake is not die:
            return "name_taken"
        if die.is_asleep:
            return "asleep"
        if die.is_silent:
            return "silent"
        return "busy" if die.command else ""

    def _command_again(self, die: HeardDie) -> None:
        if not die.command:
            return
        number, line, since_ms = die.command
        if self._at_ms >= since_ms + COMMAND_MS:
            die.command = None
            self._say("REFUSED", die.name, number, "silent")
        elif self._at_ms >= die.sent_ms + ASK_MS:
            die.sent_ms = self._at_ms
            self._radio.append((die.mac, line))

    def _named(self, name: str) -> "HeardDie | None":
        for mac in sorted(self.dice):
            if self.dice[mac].name == name:
                return self.dice[mac]
        return None

    # Lines

    def _beat(self) -> None:
        self._beat_ms = self._at_ms
        upto_ms = self._at_ms - WAKE_MS
        for die in self.dice.values():
            if die.holds_back():
                upto_ms = min(upto_ms, die.upto_ms)
        self._promised_ms = max(self._promised_ms, upto_ms)
        self._say("BEAT", wire.RECEIVER, self._promised_ms)

    def _tell(self, kind: str, name: str, at_ms: int, *words: object) -> None:
        self._number += 1
        line = self._line(kind, name, at_ms, *words)
        self._kept.append((self._number, line))
        del self._kept[:-KEPT]
        self._write(line)

    def _say(self, kind: str, name: str, *words: object) -> None:
        self._write(self._line(kind, name, self._at_ms, *words))

    def _line(self, kind: str, name: str, at_ms: int, *words: object) -> bytes:
        return wire.encode(kind, name, self._run, self._number, at_ms, *words)

    def _write(self, line: bytes) -> None:
        # Before anybody has said hello, nobody listens.
        if self._is_greeted:
            self._usb.append(line)
