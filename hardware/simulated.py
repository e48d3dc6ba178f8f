"""Smart dice without dice: a simulated receiver that speaks real bytes over a pseudo-terminal.

The simulated clock drives it: there is no thread and no wall-clock time in here. `tick` writes what
is due and never blocks; who drives it lets the reader work that off (`deliver`), then time goes on.
"""

import errno
import heapq
import os
import random
import select
import shutil
import tempfile
import tty
from collections import deque
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from firmware import wire
from hardware.dice_messages import WiredDie
from hardware.serial_port import SerialPort

TUMBLE_S = (0.35, 0.6)  # shortest and longest time from the hand to rest
BEAT_S = 0.05
KEPT_REPORTS = 64
FIRMWARE = "simulated"


class SimulatedDice:
    """A receiver and its dice.

    dice     id on the wire -> the die of the game, with its faces, as the link gets them.
    seed     chance of how long each die tumbles, and of nothing else.
    noise    what arrives of each line, such as a `LineNoise`.
    start_s  second of the game at which it is plugged in.
    """

    def __init__(
        self,
        dice: Mapping[str, WiredDie],
        *,
        seed: int = 0,
        noise: Callable[[bytes], bytes] | None = None,
        start_s: float = 0.0,
    ) -> None:
        self._ids = {die.name: wire_id for wire_id, die in dice.items()}
        self._codes = {die.name: {f: c for c, f in die.faces.items()} for die in dice.values()}
        self._chance = random.Random(seed)
        self._noise = noise
        self._plan: list[tuple[float, int, str, str, str]] = []
        self._planned = 0
        self._up: dict[str, str] = {}
        self._moving: set[str] = set()
        self._folder = Path(tempfile.mkdtemp(prefix="companion-dice-"))
        self._ends: tuple[int, int] | None = None
        self._now_s = self._beat_s = start_s
        self.bytes_sent = self.bytes_heard = 0
        self.plug_in(start_s)

    @property
    def port(self) -> str:
        """Path for a SerialPort; the same after it was unplugged and plugged in again."""
        return str(self._folder / "receiver")

    # Hands at the table

    def throw(
        self, faces: Mapping[str, str], at_s: float, *, crooked: Collection[str] = ()
    ) -> float:
        """Throw dice of the game so that they will show these faces; return when all are at rest.

        Dice among `crooked` will lie crooked instead. Raises ValueError for an unknown die or face.
        """
        coded = {name: self._code(name, face) for name, face in faces.items()}
        at_s = self._not_before_now(at_s)
        rest_s = at_s
        for name, code in coded.items():
            self._take_up(name, at_s)
            lies_s = round(at_s + self._chance.uniform(*TUMBLE_S), 3)
            kind = "CROOKED" if name in crooked else "FACE"
            self._will(lies_s, kind, self._ids[name], code)
            rest_s = max(rest_s, lies_s)
        return rest_s

    def pick_up(self, name: str, at_s: float) -> None:
        """Take a die into the hand."""
        self._take_up(name, self._not_before_now(at_s))

    def put_back(self, name: str, at_s: float, face: str | None = None) -> None:
        """Put a die down unrolled, as it lay or with this face up."""
        code = self._up.get(self._ids[name], "") if face is None else self._code(name, face)
        if code:
            self._will(self._not_before_now(at_s), "LIES", self._ids[name], code)

    def unplug(self) -> None:
        """Pull the cable: the receiver loses its power, the port its other end."""
        if self._ends is not None:
            os.unlink(self.port)
            for end in self._ends:
                os.close(end)
            self._ends = None

    def plug_in(self, at_s: float) -> None:
        """Put the cable in: the receiver starts, and waits for a greeting."""
        if self._ends is not None:
            return
        master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        os.symlink(os.ttyname(slave), self.port)
        self._ends = (master, slave)
        self._power_s = round(at_s, 3)
        self._run = f"{self._chance.getrandbits(16):04x}"
        self._number = self.bytes_sent = self.bytes_heard = 0
        self._kept: deque[tuple[int, bytes]] = deque(maxlen=KEPT_REPORTS)
        self._heard, self._out = bytearray(), bytearray()
        self._greeted = False

    def close(self) -> None:
        """Unplug it and leave nothing behind."""
        self.unplug()
        shutil.rmtree(self._folder, ignore_errors=True)

    # The receiver

    def tick(self, now_s: float) -> None:
        """Write everything that is due up to now, and at most one heartbeat; never blocks."""
        self._now_s = max(self._now_s, now_s)
        self._listen()
        reported = False
        while self._plan and self._plan[0][0] <= self._now_s:
            at_s, _, kind, wire_id, code = heapq.heappop(self._plan)
            self._happens(at_s, kind, wire_id, code)
            reported = True
        if self._greeted and (reported or self._now_s >= self._beat_s + BEAT_S):
            self._beat()
        self._flush()

    def next_due_s(self) -> float | None:
        """When it has something to write next, heartbeats aside; None if there is nothing."""
        self._listen()
        if self._out:
            return self._now_s
        return self._plan[0][0] if self._plan else None

    def introduce(self, port: SerialPort, now_s: float, limit_s: float = 5.0) -> bool:
        """Tick until the port's link knows receiver and clock; False after real `limit_s`.

        On a bad line, try again a second of the game later: until then nothing is asked twice.
        """
        for _ in range(int(limit_s / 0.01)):
            self.tick(now_s)
            if port.wait_until(lambda port: port.link.is_synchronised, 0.01):
                return self.deliver(port)
        return False

    def deliver(self, port: SerialPort, limit_s: float = 2.0) -> bool:
        """Wait until the port has worked off all bytes, and what it answered has come in.

        False if it is not there, or needs longer than `limit_s` real seconds. What the answers ask
        for is written by the next tick.
        """
        while port.state == "connected" and self._ends is not None:
            if not port.wait_until(self._has_worked_off, limit_s):
                return False
            if not self._out:
                return self._has_heard(port.bytes_sent, limit_s)
            self._flush()
        return False

    def _has_heard(self, bytes_sent: int, limit_s: float) -> bool:
        # A pseudo-terminal passes bytes on in its own time, however short.
        while self._ends is not None:
            self._listen()
            if self.bytes_heard >= bytes_sent:
                return True
            if not select.select([self._ends[0]], [], [], limit_s)[0]:
                break
        return False

    def _has_worked_off(self, port: SerialPort) -> bool:
        return port.bytes_received >= self.bytes_sent

    def _will(self, at_s: float, kind: str, wire_id: str, code: str = "") -> None:
        self._planned += 1
        heapq.heappush(self._plan, (at_s, self._planned, kind, wire_id, code))

    def _take_up(self, name: str, at_s: float) -> None:
        wire_id = self._ids[name]
        kept = [entry for entry in self._plan if entry[3] != wire_id or entry[0] <= at_s]
        self._plan[:] = kept
        heapq.heapify(self._plan)
        self._will(at_s, "MOVE", wire_id)

    def _happens(self, at_s: float, kind: str, wire_id: str, code: str) -> None:
        if kind == "MOVE":
            self._moving.add(wire_id)
        else:
            self._moving.discard(wire_id)
            self._up[wire_id] = "" if kind == "CROOKED" else code
        words = (code,) if kind in ("FACE", "LIES") else ()
        self._report(kind, wire_id, at_s, *words)

    def _report(self, kind: str, wire_id: str, at_s: float, *words: str) -> None:
        if self._ends is None or at_s < self._power_s:
            return
        self._number += 1
        line = wire.encode(kind, wire_id, self._run, self._number, self._ms(at_s), *words)
        self._kept.append((self._number, line))
        self._write(line)

    def _beat(self) -> None:
        self._beat_s = self._now_s
        self._say("BEAT", self._now_s, self._ms(self._now_s))

    def _say(self, kind: str, at_s: float, *words: object) -> None:
        line = wire.encode(kind, wire.RECEIVER, self._run, self._number, self._ms(at_s), *words)
        self._write(line)

    def _ms(self, at_s: float) -> int:
        # A hair is added, for 4.35 s * 1000 is 4349.9999...
        return max(0, int((at_s - self._power_s) * 1000 + 1e-6))

    def _not_before_now(self, at_s: float) -> float:
        # What a heartbeat has passed cannot happen any more.
        return round(max(at_s, self._beat_s + 0.001), 3)

    def _code(self, name: str, face: str) -> str:
        if name not in self._ids:
            raise ValueError(f"expected one of the dice {sorted(self._ids)}, got {name!r}")
        codes = self._codes[name]
        if codes and face not in codes:
            raise ValueError(f"expected one of the faces {sorted(codes)} of {name}, got {face!r}")
        return codes.get(face, face)

    # Bytes

    def _listen(self) -> None:
        if self._ends is None:
            return
        try:
            while data := os.read(self._ends[0], 4096):
                self._heard += data
        except BlockingIOError:
            pass
        *lines, self._heard = self._heard.split(b"\n")
        for line in lines:
            self.bytes_heard += len(line) + 1
            self._answer(bytes(line))

    def _answer(self, line: bytes) -> None:
        try:
            message = wire.decode(line)
        except wire.WireError:
            return
        if message.kind == "HELLO":
            if message.number == 1:
                self._begin_talk(len(line) + 1)
            self._greet()
        elif message.kind == "PING":
            # The simulated cable takes no time: it came in when it was sent.
            asked_s = min(max(message.at_ms / 1000, self._power_s), self._now_s)
            self._say("PONG", asked_s, message.number)
        elif message.kind == "AGAIN":
            self._repeat(message.words[0])

    def _begin_talk(self, bytes_heard: int) -> None:
        # The other end counts from where it opened the port.
        self.bytes_sent, self.bytes_heard = 0, bytes_heard
        self._out.clear()

    def _greet(self) -> None:
        self._greeted = True
        self._say("HELLO", self._now_s, wire.PROTOCOL, FIRMWARE, "simulated")
        for wire_id, code in self._up.items():
            if code and wire_id not in self._moving:
                self._report("LIES", wire_id, self._now_s, code)
        self._beat()

    def _repeat(self, number: int) -> None:
        oldest = self._kept[0][0] if self._kept else self._number + 1
        if number < oldest:
            self._say("GONE", self._now_s, oldest - 1)
        for kept, line in self._kept:
            if kept >= number:
                self._write(line)

    def _write(self, line: bytes) -> None:
        # Without a reader a real one drops what it says, too.
        if self._greeted and self._ends is not None:
            self._out += line if self._noise is None else self._noise(line)

    def _flush(self) -> None:
        if self._ends is None:
            return
        try:
            while self._out:
                count = os.write(self._ends[0], self._out)
                self.bytes_sent += count
                del self._out[:count]
        except BlockingIOError:
            return
        except OSError as error:
            if error.errno != errno.EIO:
                raise
