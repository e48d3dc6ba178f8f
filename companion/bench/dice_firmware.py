"""Dice and receiver for fault schedules, with the very firmware of both, and a radio that loses.

What `firmware.die` says and `firmware.receiver` makes of it is real: packets, acknowledgements,
requests, sleep and waking. Only what an accelerometer would feel is left out: each die is told
when it moves and lies still, and notices it as late as its motion does. Each has its own clock.
"""

import random
from collections.abc import Collection, Mapping

from firmware.die import Die, blank_memory
from firmware.receiver import Receiver
from firmware.sides import Sides
from hardware.dice_messages import WiredDie

TUMBLE_S = (0.35, 0.6)
NOTICED_MS = {"MOVE": 30, "HELD": 250, "FACE": 80, "LIES": 160, "CROOKED": 220}
AT_REST = ("FACE", "LIES", "CROOKED")
WAKES_MS = 120  # from motion to the first packet of a die that slept
GREET_MS = 500
RECEIVER = "a0b1c2d3e4f5"
LOSS = 0.05  # of packets, each way; as many acknowledgements

_Planned = tuple[int, str, int]  # at_ms of the die's own clock, kind, side


class ToldMotion:
    """Stands for `firmware.motion.Motion`: says what is planned, once it would be noticed."""

    def __init__(self) -> None:
        self.sides = Sides("d6")
        self.phase, self.side = "resting", 0
        self.felt = (0, 0, 1000)
        self.at_ms = 0
        self.plan: list[_Planned] = []

    def sample(self, at_ms: int, x: int, y: int, z: int) -> tuple[str, int, int] | None:
        """Let the time pass; return what is noticed now."""
        self.at_ms = at_ms
        if not self.plan or at_ms < self.plan[0][0] + NOTICED_MS[self.plan[0][1]]:
            return None
        moment_ms, kind, side = self.plan.pop(0)
        self.phase = "resting" if kind in AT_REST else "moving"
        self.side = side
        return kind, moment_ms, side

    def stir(self, at_ms: int) -> tuple[str, int, int]:
        """It was woken by its motion."""
        if self.plan and self.plan[0][1] == "MOVE":
            self.plan.pop(0)
        self.plan = [(max(moment_ms, at_ms + 1), *rest) for moment_ms, *rest in self.plan]  # type: ignore[misc]
        self.phase = "moving"
        return "MOVE", at_ms, 0

    def upto_ms(self) -> int:
        """No report still to come happened at or before this moment."""
        due_ms = self.plan[0][0] - 1 if self.plan else self.at_ms
        late_ms = self.at_ms if self.phase == "resting" else self.at_ms - 250
        return min(due_ms, late_ms)


class FirmwareDie:
    """One die: its firmware, its own clock, and whether it sleeps."""

    def __init__(self, name: str, mac: str, chance: random.Random) -> None:
        memory = blank_memory(name) | {"receiver": RECEIVER}
        self.mac = mac
        self.rate = 1 + chance.uniform(-100e-6, 100e-6)
        self.began_s = -chance.uniform(0.0, 50.0)
        self.motion = ToldMotion()
        self.die = Die(memory, lambda _: None, f"{chance.getrandbits(16):04x}")
        self.die.motion = self.motion  # type: ignore[assignment]
        self.die.millivolts = 3900
        self.sleeps = False
        self.greeted_ms = 0

    def ms(self, at_s: float) -> int:
        """Its own clock."""
        return int((at_s - self.began_s) * self.rate * 1000 + 1e-6)

    def will(self, at_s: float, kind: str, side: int = 0) -> None:
        """Plan what it does; a new motion takes the place of what was planned after it."""
        at_ms = self.ms(at_s)
        if kind == "MOVE":
            self.motion.plan = [one for one in self.motion.plan if one[0] <= at_ms]
        self.motion.plan.append((at_ms, kind, side))
        self.motion.plan.sort()

    def wakes(self, now_ms: int) -> bool:
        """True if something has moved it, and it has come to itself."""
        plan = self.motion.plan
        return bool(plan) and now_ms >= plan[0][0] + WAKES_MS


class FirmwareTable:
    """A receiver and its dice as `SimulatedReceiver` shows them to a fault schedule."""

    def __init__(
        self, dice: Mapping[str, WiredDie], chance: random.Random, drift_ppm: float = 0.0
    ) -> None:
        self._chance = chance
        self._dice = {
            die.name: FirmwareDie(wire_id, f"{number:012x}", chance)
            for number, (wire_id, die) in enumerate(dice.items())
        }
        self._rate = 1 + drift_ppm * 1e-6
        self._codes = {die.name: {f: int(c) for c, f in die.faces.items()} for die in dice.values()}
        self._now_s = 0.0
        self._rests: dict[str, float] = {}
        self._receiver: Receiver | None = None
        self.power_on(0.0)

    @property
    def is_on(self) -> bool:
        """True while the receiver has power."""
        return self._receiver is not None

    def power_on(self, at_s: float) -> None:
        """The receiver starts; its dice go on."""
        self._power_s = at_s
        self._receiver = Receiver("rx-bench", f"{self._chance.getrandbits(16):04x}")

    def power_off(self) -> None:
        """The receiver forgets everything; nobody acknowledges what dice say."""
        self._receiver = None

    # Hands

    def throw(
        self, faces: Mapping[str, str], at_s: float, *, crooked: Collection[str] = ()
    ) -> float:
        """Throw dice so that they will show these faces; return when all are at rest."""
        at_s = self.next_moment_s(at_s)
        for name, face in faces.items():
            self._rests[name] = round(at_s + self._chance.uniform(*TUMBLE_S), 3)
            self._dice[name].will(at_s, "MOVE")
            kind = "CROOKED" if name in crooked else "FACE"
            self._dice[name].will(self._rests[name], kind, self._codes[name][face])
        return max(self._rests[name] for name in faces)

    def pick_up(self, name: str, at_s: float) -> None:
        """Take a die into the hand."""
        self._dice[name].will(self.next_moment_s(at_s), "MOVE")

    def put_back(self, name: str, at_s: float, face: str) -> None:
        """Put a die down unrolled, this face up."""
        self._dice[name].will(at_s, "LIES", self._codes[name][face])

    def next_moment_s(self, at_s: float) -> float:
        """When that happens which hands do at `at_s`."""
        return round(max(at_s, self._now_s) + 0.001, 3)

    def rests_s(self, names: Collection[str]) -> dict[str, float]:
        """When each of these dice will have come to rest, as planned."""
        return {name: self._rests[name] for name in names}

    # Time and lines

    def time_is(self, now_s: float) -> None:
        """Say what time it is."""
        self._now_s = max(self._now_s, now_s)

    def hear(self, line: bytes) -> None:
        """Take in one line of the host."""
        if self._receiver is not None:
            self._receiver.usb(line + b"\n")

    def pass_time(self, now_s: float) -> None:
        """Let every die look and talk, and the receiver answer."""
        self.time_is(now_s)
        for one in self._dice.values():
            self._step(one)
        if self._receiver is not None:
            self._receiver.tick(self._ms())
            for mac, packet in self._receiver.radio_out():
                self._to_die(mac, packet)

    def lines_to_send(self) -> list[bytes]:
        """What the receiver says to the host now."""
        said = b"" if self._receiver is None else self._receiver.usb_out()
        return bytes(said).splitlines(True)

    def _ms(self) -> int:
        return int((self._now_s - self._power_s) * self._rate * 1000 + 1e-6)

    def _step(self, one: FirmwareDie) -> None:
        now_ms = one.ms(self._now_s)
        if one.sleeps:
            if not one.wakes(now_ms):
                return
            one.sleeps = False
            one.die.woken(now_ms)
        one.die.sample(now_ms, 0, 0, 1000)
        if one.die.is_lost() and now_ms >= one.greeted_ms + GREET_MS:
            one.greeted_ms = now_ms
            self._to_receiver(one, one.die.greeting(now_ms))
        packet = one.die.packet(now_ms)
        if packet is not None and self._to_receiver(one, packet):
            one.die.arrived()
        if one.die.may_sleep() and not one.motion.plan:
            one.sleeps = True
            self._to_receiver(one, one.die.farewell(now_ms))

    def _to_receiver(self, one: FirmwareDie, packet: bytes) -> bool:
        """Send a packet; True if the die hears that it arrived."""
        if self._receiver is None or self._chance.random() < LOSS:
            return False
        self._receiver.radio(one.mac, packet, 60, self._ms())
        return self._chance.random() >= LOSS

    def _to_die(self, mac: str, packet: bytes) -> None:
        one = next(one for one in self._dice.values() if one.mac == mac)
        if not one.sleeps and self._chance.random() >= LOSS:
            one.die.hear(packet, RECEIVER, one.ms(self._now_s))
