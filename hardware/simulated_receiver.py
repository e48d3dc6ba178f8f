"""A receiver of smart dice and its dice, simulated without any I/O: lines in, lines out.

Time is an argument. `SimulatedDice` gives it a pseudo-terminal; fault schedules give it a cable
that breaks. What the dice do (throw, pick up, put back) is planned ahead, and happens in time.
"""

import heapq
import random
from collections import deque
from collections.abc import Callable, Collection, Mapping

from firmware import wire
from hardware.dice_messages import WiredDie

TUMBLE_S = (0.35, 0.6)  # shortest and longest time from the hand to rest
BEAT_S = 0.05
STATUS_S = 5.0
KEPT_REPORTS = 64
FIRMWARE = "simulated"

_Planned = tuple[float, int, str, str, str]  # at_s, order of planning, kind, id on the wire, code


class SimulatedReceiver:
    """A receiver and its dice.

    dice         id on the wire -> the die of the game, with its faces, as the link gets them.
    chance       how long each die tumbles, the run's name, and nothing else.
    start_s      second of the game at which it has its first power.
    drift_ppm    how much too fast its clock runs.
    radio_s      how long a report takes from its die to the receiver, seconds; None: no time.
    margin_s     how far heartbeats stay behind the present, so that the radio has time.
    instant      the cable takes no time: what the host says came in when it was said.
    tells_status say now and then how battery and signal of each die are.
    """

    def __init__(
        self,
        dice: Mapping[str, WiredDie],
        chance: random.Random,
        *,
        start_s: float = 0.0,
        drift_ppm: float = 0.0,
        radio_s: Callable[[], float] | None = None,
        margin_s: float = 0.0,
        instant: bool = True,
        tells_status: bool = False,
    ) -> None:
        self.ids = {die.name: wire_id for wire_id, die in dice.items()}
        self.codes = {die.name: {f: c for c, f in die.faces.items()} for die in dice.values()}
        self.blinked: list[str] = []
        self.drift_ppm = drift_ppm  # of its clock; a new one holds from the next start on
        self.silent: set[str] = set()  # dice whose radio does not get through
        self.flat: dict[str, int] = {}  # dice with little charge left -> per cent
        self._chance = chance
        self._radio_s, self._margin_s = radio_s, margin_s
        self._instant, self._tells_status = instant, tells_status
        self._plan: list[_Planned] = []
        self._air: list[tuple[float, int, float, str, str, str]] = []
        self._heard_until_s: dict[str, float] = {}
        self._planned = 0
        self._up: dict[str, str] = {}
        self._moving: set[str] = set()
        self._words: dict[str, dict[str, str]] = {}
        self._now_s = self._beat_s = start_s
        self._status_s = float("-inf")
        self._out: list[bytes] = []
        self.is_on = False
        self.power_on(start_s)

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
            self._will(lies_s, kind, self.ids[name], code)
            rest_s = max(rest_s, lies_s)
        return rest_s

    def pick_up(self, name: str, at_s: float) -> None:
        """Take a die into the hand."""
        self._take_up(name, self._not_before_now(at_s))

    def hold(self, name: str, at_s: float) -> None:
        """Keep a die that was picked up in the hand, long enough for it to notice."""
        self._will(self._not_before_now(at_s), "HELD", self.ids[name])

    def put_back(self, name: str, at_s: float, face: str | None = None) -> None:
        """Put a die down unrolled, as it lay or with this face up."""
        code = self._up.get(self.ids[name], "") if face is None else self._code(name, face)
        if code:
            self._will(self._not_before_now(at_s), "LIES", self.ids[name], code)

    # Power

    def power_on(self, at_s: float) -> None:
        """The receiver starts, and waits for a greeting; its dice go on."""
        self.is_on = True
        self._rate = 1000 * (1 + self.drift_ppm * 1e-6)
        self._power_s = round(at_s, 3)
        self.run = f"{self._chance.getrandbits(16):04x}"
        self._number = 0
        self._kept: deque[tuple[int, bytes]] = deque(maxlen=KEPT_REPORTS)
        self._greeted = False
        self._out.clear()

    def power_off(self) -> None:
        """It forgets everything; what its dice say meanwhile is lost."""
        self.is_on = False
        self._out.clear()

    # Lines

    def time_is(self, now_s: float) -> None:
        """Say what time it is, before the host's lines are heard; nothing happens by that."""
        self._now_s = max(self._now_s, now_s)

    def pass_time(self, now_s: float) -> None:
        """Let everything happen that is due up to now, and say at most one heartbeat."""
        self.time_is(now_s)
        reported = False
        while self._plan and self._plan[0][0] <= self._now_s:
            reported |= self._happens(*heapq.heappop(self._plan))
        while self._air and self._air[0][0] <= self._now_s:
            _, _, at_s, kind, wire_id, code = heapq.heappop(self._air)
            self._report(kind, wire_id, at_s, code)
            reported = True
        if self._tells_status and self._now_s >= self._status_s + STATUS_S:
            self.tell_status()
        if self._greeted and (reported or self._now_s >= self._beat_s + BEAT_S):
            self._beat()

    def hear(self, line: bytes) -> None:
        """Take in one line of the host, without its end; garbage is passed over."""
        try:
            message = wire.decode(line)
        except wire.WireError:
            return
        if message.kind == "HELLO":
            self._greet()
        elif message.kind == "PING":
            sent_s = message.at_ms / 1000 if self._instant else self._now_s
            asked_s = min(max(sent_s, self._power_s), self._now_s)
            self._say("PONG", asked_s, message.number)
        elif message.kind == "AGAIN":
            self._repeat(message.words[0])
        elif message.kind in wire.COMMANDS:
            self._obey(message)

    def lines_to_send(self) -> list[bytes]:
        """What it says to the host now; handed out once."""
        lines, self._out = self._out, []
        return lines

    def next_due_s(self) -> float | None:
        """When something happens next, heartbeats aside; None if nothing is planned."""
        moments = [entry[0] for entry in (self._plan[:1] + self._air[:1])]
        return min(moments, default=None)

    def face_up(self, name: str) -> str:
        """The code of the face that is up; empty if the die has not lain flat yet."""
        return self._up.get(self.ids[name], "")

    def next_moment_s(self, at_s: float) -> float:
        """When that happens which hands do at `at_s`: never where a heartbeat has been already."""
        return self._not_before_now(at_s)

    def rests_s(self, names: Collection[str]) -> dict[str, float]:
        """When each of these dice will have come to rest, as planned."""
        wanted = {self.ids[name]: name for name in names}
        rest = ("FACE", "LIES", "CROOKED")
        return {wanted[e[3]]: e[0] for e in sorted(self._plan) if e[2] in rest and e[3] in wanted}

    # What happens

    def _will(self, at_s: float, kind: str, wire_id: str, code: str = "") -> None:
        self._planned += 1
        heapq.heappush(self._plan, (at_s, self._planned, kind, wire_id, code))

    def _take_up(self, name: str, at_s: float) -> None:
        wire_id = self.ids[name]
        kept = [entry for entry in self._plan if entry[3] != wire_id or entry[0] <= at_s]
        self._plan[:] = kept
        heapq.heapify(self._plan)
        self._will(at_s, "MOVE", wire_id)

    def _happens(self, at_s: float, order: int, kind: str, wire_id: str, code: str) -> bool:
        if kind in ("MOVE", "HELD"):
            self._moving.add(wire_id)
        else:
            self._moving.discard(wire_id)
            self._up[wire_id] = "" if kind == "CROOKED" else code
        if self._radio_s is None:
            self._report(kind, wire_id, at_s, code)
            return True
        # A die repeats a report until it is acknowledged, and only then sends the next.
        arrives_s = max(at_s + self._radio_s(), self._heard_until_s.get(wire_id, 0.0))
        self._heard_until_s[wire_id] = arrives_s
        heapq.heappush(self._air, (arrives_s, order, at_s, kind, wire_id, code))
        return False

    def _report(self, kind: str, wire_id: str, at_s: float, code: str) -> None:
        if not self.is_on or at_s < self._power_s:
            return
        if any(self.ids[name] == wire_id for name in self.silent):
            self._say_of(wire_id, "SILENT")
            return
        words = (self._word(wire_id, code),) if kind in ("FACE", "LIES") else ()
        self._number += 1
        line = wire.encode(kind, wire_id, self.run, self._number, self._ms(at_s), *words)
        self._kept.append((self._number, line))
        self._write(line)

    def _word(self, wire_id: str, code: str) -> str:
        return self._words.get(wire_id, {}).get(code, code)

    def _beat(self) -> None:
        self._beat_s = self._now_s
        self._say("BEAT", self._now_s, self._ms(self._now_s - self._margin_s))

    def tell_status(self) -> None:
        """Say how battery and signal of each die are that gets through."""
        self._status_s = self._now_s
        heard = [(name, wire_id) for name, wire_id in self.ids.items() if name not in self.silent]
        for order, (name, wire_id) in enumerate(heard):
            percent = self.flat.get(name, max(5, 96 - 7 * order))
            self._say_of(wire_id, "BATTERY", percent, 3300 + 9 * percent)
            self._say_of(wire_id, "SIGNAL", 52 + 3 * order, order // 3)

    def _greet(self) -> None:
        self._greeted = True
        self._say("HELLO", self._now_s, wire.PROTOCOL, FIRMWARE, "simulated")
        for wire_id, code in self._up.items():
            if code and wire_id not in self._moving:
                self._report("LIES", wire_id, self._now_s, code)
        if self._tells_status:
            self.tell_status()
        self._beat()

    def _repeat(self, number: int) -> None:
        oldest = self._kept[0][0] if self._kept else self._number + 1
        if number < oldest:
            self._say("GONE", self._now_s, oldest - 1)
        for kept, line in self._kept:
            if kept >= number:
                self._write(line)

    # Commands

    def _obey(self, message: wire.Message) -> None:
        wire_id, *words = message.words
        if wire_id not in self.ids.values():
            self._say_of(wire_id, "REFUSED", message.number, "unknown_die")
            return
        why = self._do(message.kind, wire_id, words)
        told = words[0] if message.kind == "NAME" and not why else wire_id
        if why:
            self._say_of(told, "REFUSED", message.number, why)
        else:
            self._say_of(told, "DONE", message.number)

    def _do(self, kind: str, wire_id: str, words: list[str]) -> str:
        """Do what was asked; return why not, or nothing."""
        name = next(name for name, known in self.ids.items() if known == wire_id)
        if kind == "BLINK":
            self.blinked.append(wire_id)
        elif kind == "VERSION":
            sides = len(self.codes[name]) or 6
            self._say_of(wire_id, "ABOUT", FIRMWARE, "d8" if sides == 8 else "d6", sides)
        elif kind == "NAME":
            return self._rename(name, words[0])
        elif kind == "CALIBRATE":
            self._words.pop(wire_id, None)
        elif wire_id in self._moving:
            return "moving"
        elif kind == "LEARN":
            self._words.setdefault(wire_id, {})[str(words[0])] = words[1]
        return ""

    def _rename(self, name: str, new: str) -> str:
        if new in self.ids.values() and self.ids[name] != new:
            return "name_taken"
        old = self.ids[name]
        self.ids[name] = new
        if old in self._up:
            self._up[new] = self._up.pop(old)
        self._words[new] = self._words.pop(old, {})
        if old in self._moving:
            self._moving = self._moving - {old} | {new}
        self._plan[:] = [(*e[:3], new if e[3] == old else e[3], e[4]) for e in self._plan]
        return ""

    # Saying it

    def _say(self, kind: str, at_s: float, *words: object) -> None:
        line = wire.encode(kind, wire.RECEIVER, self.run, self._number, self._ms(at_s), *words)
        self._write(line)

    def _say_of(self, wire_id: str, kind: str, *words: object) -> None:
        at_ms = self._ms(self._now_s)
        self._write(wire.encode(kind, wire_id, self.run, self._number, at_ms, *words))

    def _write(self, line: bytes) -> None:
        # Without a reader a real one drops what it says, too.
        if self._greeted and self.is_on:
            self._out.append(line)

    def _ms(self, at_s: float) -> int:
        # A hair is added, for 4.35 s * 1000 is 4349.9999...
        return max(0, int((at_s - self._power_s) * self._rate + 1e-6))

    def _not_before_now(self, at_s: float) -> float:
        # What a heartbeat has passed cannot happen any more.
        return round(max(at_s, self._beat_s + 0.001), 3)

    def _code(self, name: str, face: str) -> str:
        if name not in self.ids:
            raise ValueError(f"expected one of the dice {sorted(self.ids)}, got {name!r}")
        codes = self.codes[name]
        if codes and face not in codes:
            raise ValueError(f"expected one of the faces {sorted(codes)} of {name}, got {face!r}")
        return codes.get(face, face)
