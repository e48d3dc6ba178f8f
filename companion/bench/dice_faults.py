"""Random evenings at a table of smart dice whose cable, radio and receiver fail in every way.

Theory of operation. Hands throw, nudge, turn and carry dice; the simulated receiver tells of it
over a cable that damages, loses, repeats, swaps and delays lines, is pulled out at any byte and put
back; the receiver is reset, its clock is up to 100 ppm off, and of the radio packets 5 % are lost.
The real `DiceLink` and `RollCollector` listen. All of it is simulated, time too: no thread, no wall
clock.

What lay on the table is known exactly. A roll that is told is wrong unless each of its dice lay
there, with that face up by a throw that was not told before, at the moment that the roll states,
within the uncertainty that it states. When the faults are over a roll must get through: otherwise
the schedule hangs. People behave as people do: when nothing is told they throw the dice again.
"""

import random
from collections.abc import Iterator

import msgspec

from companion.actions import Report, Rolled
from companion.bench.dice_firmware import FirmwareTable
from companion.dice import Die
from hardware.dice_link import DiceLink
from hardware.dice_messages import WiredDie
from hardware.noise import LineNoise
from hardware.rolls import RollCollector
from hardware.simulated_receiver import SimulatedReceiver

STEP_S = 0.025
FAULTS_S = 5.0  # for so long everything may fail
CALM_S = 15.0  # after it a roll has to get through within so long
PATIENCE_S = 1.5  # then people throw the dice again
LAG_S = 0.15  # heartbeats stay so far behind, as the firmware's do
RADIO_TRY_S = 0.010
RADIO_LOSS = 0.05
DRIFT_PPM = 100.0
ROUNDING_S = 0.002

FACES = {str(side): f"face{side}" for side in range(1, 7)}
DICE = {f"w{n}": WiredDie(f"white-{n}", FACES) for n in range(1, 4)}
DICE |= {f"r{n}": WiredDie(f"red-{n}", FACES) for n in range(1, 3)}
NAMES = tuple(die.name for die in DICE.values())


class Lying(msgspec.Struct):
    """A die lies with a face up, from its rest until it moves; `throw` is 0 if it was put there."""

    face: str
    from_s: float
    upto_s: float
    throw: int


class Truth:
    """What lay on the table, and which throws have been told."""

    def __init__(self) -> None:
        self.lay: dict[str, list[Lying]] = {name: [] for name in NAMES}
        self.told: set[int] = set()
        self._throws = 0

    def moves(self, die: str, at_s: float) -> None:
        """A die leaves its rest; what was planned for it does not happen."""
        lay = self.lay[die]
        while lay and lay[-1].from_s > at_s:
            lay.pop()
        if lay:
            lay[-1].upto_s = min(lay[-1].upto_s, at_s)

    def lies(self, die: str, face: str, at_s: float, *, thrown: bool) -> None:
        """A die comes to rest; put back as it lay, the throw still counts."""
        before = self.lay[die][-1] if self.lay[die] else None
        self._throws += thrown
        throw = self._throws if thrown else 0
        if not thrown and before is not None and before.face == face:
            throw = before.throw
        self.lay[die].append(Lying(face, at_s, float("inf"), throw))

    def is_right(self, die: str, face: str, at_s: float, within_s: float) -> bool:
        """True if the die lay so, by a throw that was not told before; it is told now."""
        slack_s = within_s + ROUNDING_S
        for lying in self.lay[die]:
            there = lying.from_s <= at_s + slack_s and lying.upto_s >= at_s - slack_s
            if there and lying.face == face and lying.throw and lying.throw not in self.told:
                self.told.add(lying.throw)
                return True
        return False


class Cable:
    """One direction of the cable: bytes arrive late, in pieces, or not at all."""

    def __init__(self, chance: random.Random, noise: LineNoise) -> None:
        self.noise = noise
        self.is_bad = True
        self._chance = chance
        self._free_s = 0.0
        self._under_way: list[tuple[float, bytes]] = []

    def send(self, line: bytes, at_s: float) -> None:
        """Put a line on the cable."""
        data = self.noise(line) if self.is_bad else line
        late_s = self._chance.choice((0.0005, 0.001, 0.004, 0.016))
        if self.is_bad and self._chance.random() < 0.01:
            late_s = self._chance.uniform(0.05, 0.6)
        self._free_s = max(self._free_s, at_s + late_s)
        cut = self._chance.randrange(len(data) + 1) if data else 0
        self._under_way += [(self._free_s, part) for part in (data[:cut], data[cut:]) if part]

    def arrived(self, now_s: float) -> Iterator[tuple[float, bytes]]:
        """The pieces that have come out, each with its moment."""
        while self._under_way and self._under_way[0][0] <= now_s:
            yield self._under_way.pop(0)

    def pull(self, now_s: float) -> bytes:
        """Unplug it: a few bytes still come out, what else is under way is lost."""
        rest = b"".join(data for _, data in self._under_way)
        self._under_way, self._free_s = [], now_s
        return rest[: self._chance.randrange(len(rest) + 1)]


class Evening:
    """One schedule, made from its seed alone; `firmware`: of dice and receiver, for real."""

    def __init__(self, seed: int, *, firmware: bool = False) -> None:
        chance = self.chance = random.Random(seed)
        shares = {
            fault: chance.choice((0.0, 0.02, 0.1))
            for fault in ("damaged", "lost", "repeated", "swapped", "foreign")
        }
        self.there, self.back = (
            Cable(chance, LineNoise(seed * 2 + way, **shares)) for way in (0, 1)
        )
        self.receiver = self._receiver(random.Random(seed + 1), firmware=firmware)
        self.link = DiceLink(DICE)
        self.collector = RollCollector([Die(n, n.split("-")[0], ()) for n in NAMES], "serial:dice")
        self.truth = Truth()
        self.wrong: list[str] = []
        self.now_s = 0.0
        self.rolls = self.faults = 0
        self._rx = b""
        self._plugged = True
        self._acts_s = 0.1
        self._fails_s = chance.uniform(0.2, 2.0)
        self._back_s: float | None = None
        self._awaited: tuple[str, ...] = ()
        self._rest_s = 0.0
        self.link.connection_made(0.0)

    def _receiver(
        self, chance: random.Random, *, firmware: bool
    ) -> SimulatedReceiver | FirmwareTable:
        drift_ppm = self.chance.uniform(-DRIFT_PPM, DRIFT_PPM)
        if firmware:
            return FirmwareTable(DICE, chance, drift_ppm)
        return SimulatedReceiver(
            DICE,
            chance,
            drift_ppm=drift_ppm,
            radio_s=self._radio_s,
            margin_s=LAG_S,
            instant=False,
        )

    def _radio_s(self) -> float:
        tries = 1
        while self.chance.random() < RADIO_LOSS:
            tries += 1
        return tries * RADIO_TRY_S + self.chance.uniform(0.0, 0.004)

    def run(self) -> "Evening":
        """Let the faults rage, then see whether a roll gets through."""
        while self.now_s < FAULTS_S:
            self._step()
        self._calm()
        rolls = self.rolls
        while self.rolls == rolls and self.now_s < FAULTS_S + CALM_S:
            self._step()
        return self

    @property
    def recovery_s(self) -> float:
        """How long after the last fault a roll got through."""
        return self.now_s - FAULTS_S

    @property
    def hangs(self) -> bool:
        """True if no roll got through although everything was well again."""
        return self.now_s >= FAULTS_S + CALM_S

    def _calm(self) -> None:
        self.there.is_bad = self.back.is_bad = False
        self._fails_s = float("inf")
        self._awaited = ()
        self._acts_s = self.now_s

    # Time

    def _step(self) -> None:
        self.now_s = round(self.now_s + STEP_S, 3)
        if self.now_s >= self._fails_s:
            self._fail()
        if self._back_s is not None and self.now_s >= self._back_s:
            self._plug_in()
        if self.now_s >= self._acts_s:
            self._act()
        self._exchange()

    def _exchange(self) -> None:
        if self._plugged:
            for line in self.link.data_to_send().splitlines(True):
                self.there.send(line, self.now_s)
        self.receiver.time_is(self.now_s)
        for _, data in self.there.arrived(self.now_s):
            self._rx += data
        *lines, self._rx = self._rx.split(b"\n")
        for line in lines:
            self.receiver.hear(line)
        self.receiver.pass_time(self.now_s)
        for line in self.receiver.lines_to_send():
            if self._plugged:
                self.back.send(line, self.now_s)
        if self._plugged:
            for at_s, data in self.back.arrived(self.now_s):
                self._hear(data, at_s)
            self._hear(b"", self.now_s)

    def _hear(self, data: bytes, at_s: float) -> None:
        for message in self.link.receive_data(data, at_s):
            for report in self.collector.take(message):
                self._check(report)

    def _check(self, report: Report) -> None:
        assert isinstance(report.action, Rolled)
        assert report.at_s is not None
        bearer = {label: name for name, label in self.collector.labels.items()}
        self.rolls += 1
        for label, face in report.action.faces.items():
            die = bearer[label]
            if not self.truth.is_right(die, face, report.at_s, report.within_s):
                self.wrong.append(f"{self.now_s}: {die} told as {face} at {report.at_s}")
        self._awaited = ()

    # Faults

    def _fail(self) -> None:
        self.faults += 1
        self._fails_s = self.now_s + self.chance.uniform(0.3, 2.5)
        if self._back_s is not None:
            return
        if self.chance.random() < 0.3:
            self.receiver.power_off()
            self.receiver.power_on(self.now_s)  # a reset; the cable stays
            return
        self._plugged = False
        self._rx += self.there.pull(self.now_s)
        self._hear(self.back.pull(self.now_s), self.now_s)
        if self.chance.random() < 0.5:
            self.receiver.power_off()
        self._back_s = self.now_s + self.chance.uniform(0.05, 1.5)

    def _plug_in(self) -> None:
        self._back_s = None
        self._plugged = True
        if not self.receiver.is_on:
            self.receiver.power_on(self.now_s)
        self._rx = b""
        self.link.connection_made(self.now_s)

    # Hands

    def _act(self) -> None:
        chance = self.chance
        self._acts_s = self.now_s + chance.uniform(0.2, 1.0)
        if not self._awaited:
            self._await()
        elif self.now_s > self._rest_s + PATIENCE_S:
            self._throw(self._awaited, crooked=0.0)
        elif self.now_s > self._rest_s:
            self._fidget(chance.choice(NAMES))

    def _await(self) -> None:
        kind = self.chance.choice(("white", "red"))
        akin = [name for name in NAMES if name.startswith(kind)]
        count = self.chance.randint(1, len(akin))
        self._awaited = tuple(sorted(self.chance.sample(akin, count)))
        self.collector.expect(self._awaited, count)
        taken = akin if self.chance.random() < 0.2 else list(self._awaited)
        self._throw(self.chance.sample(taken, count), crooked=0.1)

    def _throw(self, labels: tuple[str, ...] | list[str], crooked: float) -> None:
        bearer = {label: name for name, label in self.collector.labels.items()}
        faces = {bearer[label]: self.chance.choice(list(FACES.values())) for label in labels}
        bad = [die for die in faces if self.chance.random() < crooked]
        at_s = self.receiver.next_moment_s(self.now_s)
        for die in faces:
            self.truth.moves(die, at_s)
        self._rest_s = self.receiver.throw(faces, self.now_s, crooked=bad)
        for die, rest_s in self.receiver.rests_s(faces).items():
            if die not in bad:
                self.truth.lies(die, faces[die], rest_s, thrown=True)

    def _fidget(self, die: str) -> None:
        """Pick a die up and put it back, sometimes turned."""
        if self.chance.random() < 0.6 or not self.truth.lay[die]:
            return
        lay = self.truth.lay[die][-1]
        if lay.upto_s < float("inf"):
            return
        face = lay.face if self.chance.random() < 0.7 else self.chance.choice(list(FACES.values()))
        at_s = self.receiver.next_moment_s(self.now_s)
        back_s = round(at_s + self.chance.uniform(0.05, 0.5), 3)
        self.receiver.pick_up(die, self.now_s)
        self.receiver.put_back(die, back_s, face)
        self.truth.moves(die, at_s)
        self.truth.lies(die, face, back_s, thrown=False)


def run_schedules(seeds: Iterator[int], *, firmware: bool = False) -> Iterator[Evening]:
    """Run one schedule a seed."""
    for seed in seeds:
        yield Evening(seed, firmware=firmware).run()
