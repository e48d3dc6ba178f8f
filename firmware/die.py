"""What a smart die says and hears, without any I/O: samples and packets in, packets out.

A die speaks the lines of `firmware.wire`, in its own run, numbers and milliseconds; a packet holds
as many as fit. Every packet ends with a heartbeat, so its receiver always knows up to when it has
heard everything. A report is sent until the radio says that it arrived, and kept for when the
receiver finds a number missing. After AWAKE_MS without motion the die says so and sleeps; motion
wakes it, and it says MOVE first.

`memory` is what the die keeps without power: a dict of plain values, see `blank_memory`.
"""

from firmware import wire
from firmware.motion import Motion
from firmware.sides import Sides
from firmware.wire import const

VERSION = "1.0.0"
MOST_BYTES = const(240)  # of an ESP-NOW packet that every chip takes
KEPT = const(24)  # reports kept for a receiver that missed them
BEAT_MS = const(40)  # between two packets of a die that is awake
STATUS_MS = const(5000)  # between two that say how its battery is
AWAKE_MS = 4000  # after the last motion; its radio draws most of what it draws
SHOWING_MS = const(60000)  # ... after it was told to show its sides
BLINK_MS = const(3000)
BLINKS_MS = const(250)  # on, then off
LOST_MS = const(3000)  # unheard for so long, it looks for another receiver
FULL_MV, EMPTY_MV = 4150, 3400  # of a lithium cell that gives a little current


def blank_memory(name: str) -> dict:
    """What a new die knows of itself."""
    return {"name": name, "shape": "d6", "felt": None, "faces": {}, "receiver": ""}


def percent_left(millivolts: int) -> int:
    """How full a lithium cell is, roughly, from 0 to 100."""
    return max(0, min(100, (millivolts - EMPTY_MV) * 100 // (FULL_MV - EMPTY_MV)))


class Die:
    """One die.

    memory  as it was kept; changed in place.
    keep    called with it when it is to be kept; may raise OSError.
    run     four hex digits, new each time that the die starts.
    """

    def __init__(self, memory: dict, keep, run: str) -> None:
        self.memory = memory
        self.millivolts = 0
        self.motion = Motion(Sides(memory["shape"], memory["felt"]))
        self._keep = keep
        self._run = run
        self._reports: list = []  # [(number, line)], the newest last
        self._number = 0
        self._arrived = 0  # number of the last report that the radio has taken
        self._answers: list = []
        self._at_ms = 0
        self._told_ms = -1  # the last upto_ms that was told
        self._moved_ms = self._heard_ms = 0
        self._beat_ms = -BEAT_MS
        self._status_ms = -STATUS_MS
        self._blink_ms = -BLINK_MS
        self._busy_until_ms = 0
        self._packet_number = 0

    @property
    def name(self) -> str:
        """What it is called on the wire."""
        return self.memory["name"]

    def sample(self, at_ms: int, x: int, y: int, z: int) -> None:
        """Take in what the accelerometer says (mg)."""
        self._at_ms = at_ms
        told = self.motion.sample(at_ms, x, y, z)
        if told is not None:
            self._report(*told)
        if self.motion.phase != "resting":
            self._moved_ms = at_ms

    def woken(self, at_ms: int) -> None:
        """Say at once that it moves: the accelerometer has woken it."""
        self._at_ms = self._moved_ms = at_ms
        self._heard_ms = at_ms
        self._report(*self.motion.stir(at_ms))

    def may_sleep(self) -> bool:
        """True if it lies still, nobody asks it anything, and all it said has arrived."""
        quiet = self._at_ms - self._moved_ms >= AWAKE_MS and self._at_ms >= self._busy_until_ms
        return quiet and self.motion.phase == "resting" and self._arrived == self._number

    def is_lit(self) -> bool:
        """True if its lamp shines now."""
        since_ms = self._at_ms - self._blink_ms
        return since_ms < BLINK_MS and since_ms % (2 * BLINKS_MS) < BLINKS_MS

    def is_lost(self) -> bool:
        """True if it has no receiver, or has not been heard by it for LOST_MS."""
        return not self.memory["receiver"] or self._at_ms - self._heard_ms >= LOST_MS

    # Packets

    def packet(self, at_ms: int) -> "bytes | None":
        """What to send now; None if nothing is due. Say `arrived` when the radio took it."""
        self._at_ms = max(at_ms, self._at_ms)
        waiting = [line for number, line in self._reports if number > self._arrived]
        if not waiting and not self._answers and at_ms < self._beat_ms + BEAT_MS:
            return None
        said, number = self._fitting(at_ms, waiting)
        self._packet_number = number
        self._beat_ms = at_ms
        return said

    def farewell(self, at_ms: int) -> bytes:
        """The last packet before it sleeps."""
        self._told_ms = max(self._told_ms, at_ms)
        return self._line("ASLEEP", at_ms)

    def greeting(self, at_ms: int) -> bytes:
        """A packet for whoever is near, from a die that is lost."""
        return self._line("HELLO", at_ms, wire.PROTOCOL, VERSION, self.name)

    def arrived(self) -> None:
        """Note that the radio of the receiver took the last packet."""
        self._heard_ms = self._at_ms
        self._arrived = max(self._arrived, self._packet_number)
        self._answers = []

    def _fitting(self, at_ms: int, waiting: list) -> tuple:
        beat = self._line("BEAT", at_ms, self._upto(at_ms))
        lines: list = []
        room = MOST_BYTES - len(beat)
        number = self._number - len(waiting)
        for line in waiting:
            if len(line) > room:
                # What is not in this packet has not been told yet.
                return b"".join(lines), number
            lines.append(line)
            room -= len(line)
            number += 1
        for line in self._answers + self._status(at_ms):
            if len(line) <= room:
                lines.append(line)
                room -= len(line)
        lines.append(beat)
        return b"".join(lines), number

    def _status(self, at_ms: int) -> list:
        if at_ms < self._status_ms + STATUS_MS:
            return []
        self._status_ms = at_ms
        return [self._line("BATTERY", at_ms, percent_left(self.millivolts), self.millivolts)]

    def _upto(self, at_ms: int) -> int:
        self._told_ms = max(self._told_ms, min(self.motion.upto_ms(), at_ms), 0)
        return self._told_ms

    # Lines

    def _line(self, kind: str, at_ms: int, *words: object) -> bytes:
        return wire.encode(kind, self.name, self._run, self._number, at_ms, *words)

    def _report(self, kind: str, at_ms: int, side: int) -> None:
        self._number += 1
        words = (self._face(side),) if kind in ("FACE", "LIES") else ()
        at_ms = max(at_ms, self._told_ms + 1)
        self._reports.append((self._number, self._line(kind, at_ms, *words)))
        del self._reports[:-KEPT]

    def _face(self, side: int) -> str:
        return self.memory["faces"].get(str(side), str(side))

    # What it hears

    def hear(self, packet: bytes, sender: str, at_ms: int) -> None:
        """Take in a packet (sender: 12 hex digits); what is damaged or foreign is passed over."""
        self._at_ms = max(at_ms, self._at_ms)
        for line in packet.split(b"\n"):
            try:
                asked = wire.decode(line)
            except wire.WireError:
                continue
            if asked.kind == "HELLO" and self.is_lost():
                self._pair(sender)
            elif sender == self.memory["receiver"]:
                self._obey(asked)

    def _pair(self, receiver: str) -> None:
        self._heard_ms = self._at_ms
        if self.memory["receiver"] != receiver:
            self.memory["receiver"] = receiver
            self._blink_ms = self._at_ms
            self._busy_until_ms = self._at_ms + BLINK_MS
            self._remember()

    def _obey(self, asked: wire.Message) -> None:
        if asked.kind == "AGAIN":
            self._say_again(asked.words[0])
        elif asked.kind in wire.COMMANDS:
            before = self._lies()
            why = self._do(asked.kind, asked.words[1:])
            if self._lies() != before:
                self._tell_rest()
            if asked.kind == "VERSION":
                sides = self.motion.sides.count()
                self._answer("ABOUT", VERSION, self.memory["shape"], sides)
            if why:
                self._answer("REFUSED", asked.number, why)
            else:
                self._answer("DONE", asked.number)

    def _lies(self) -> tuple:
        motion = self.motion
        side = motion.sides.up(*motion.felt) if motion.phase == "resting" else 0
        return self.name, side, self._face(side)

    def _tell_rest(self) -> None:
        # What it says of itself has changed, though it lies as before.
        self.motion.side = self._lies()[1]
        if self.motion.side:
            self._report("LIES", self._at_ms, self.motion.side)

    def _say_again(self, number: int) -> None:
        oldest = self._reports[0][0] if self._reports else self._number + 1
        if number < oldest:
            self._answer("GONE", oldest - 1)
        self._arrived = min(self._arrived, max(number, oldest) - 1)

    def _answer(self, kind: str, *words: object) -> None:
        self._answers.append(self._line(kind, self._at_ms, *words))

    def _do(self, kind: str, words: tuple) -> str:
        # Returns why not, or nothing.
        if kind in ("CALIBRATE", "SHOWN"):
            self._busy_until_ms = self._at_ms + SHOWING_MS
        if kind == "BLINK":
            self._blink_ms = self._at_ms
            self._busy_until_ms = max(self._busy_until_ms, self._at_ms + BLINK_MS)
        elif kind == "NAME":
            self.memory["name"] = words[0]
            return self._remember()
        elif kind == "CALIBRATE":
            return self._calibrate(words[0])
        elif kind == "SHOWN":
            return self._shown(words[0])
        elif kind == "LEARN":
            return self._learn(words[0], words[1])
        return ""

    def _calibrate(self, shape: str) -> str:
        self.motion.sides = Sides(shape)
        self.memory.update({"shape": shape, "faces": {}})
        return self._remember()

    def _shown(self, side: int) -> str:
        if self.motion.phase != "resting":
            return "moving"
        return self.motion.sides.show(side, self.motion.felt) or self._remember()

    def _learn(self, side: int, face: str) -> str:
        ups = self.motion.sides.ups
        if not 1 <= side <= len(ups) or not ups[side - 1]:
            return "no_such_side"
        self.memory["faces"][str(side)] = face
        return self._remember()

    def _remember(self) -> str:
        self.memory["felt"] = [felt and list(felt) for felt in self.motion.sides.felt]
        try:
            self._keep(self.memory)
        except OSError:
            return "not_kept"
        return ""
