"""How smart dice and their receiver fare: snapshots for people who look for a fault."""

import msgspec

from companion.words import die_name, fact, say

STRANGERS = 64  # dice that nobody named, remembered at most: a hall full of dice is no leak
WEAK_DBM = -85
LOW_PERCENT = 15
CHATTER = 30  # lines; a board that starts says some that are not ours


class LinkCounts(msgspec.Struct):
    """What came over the line so far.

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


class DieHealth(msgspec.Struct):
    """One die, as it was heard last.

    die       its id on the wire, or its Bluetooth address.
    name      the die of the game that it plays; empty if nobody named it.
    motion    `lying`, `moving`, `held`, `crooked`, `asleep`, `silent`, or `unheard`.
    code      the face as the die says it; `face` as the game does, empty if it is not known.
    battery_percent, millivolts, signal_dbm  as it said last, or None.
    lost      its radio packets that never came.
    firmware, shape, sides  as it answered, or empty and 0.
    heard_at_s  second of the game at which it was heard last.
    unknown_faces  reports whose face nobody named.
    """

    die: str
    name: str = ""
    motion: str = "unheard"
    code: str = ""
    face: str = ""
    battery_percent: int | None = None
    millivolts: int | None = None
    signal_dbm: int | None = None
    lost: int = 0
    firmware: str = ""
    shape: str = ""
    sides: int = 0
    heard_at_s: float = 0.0
    reports: int = 0
    unknown_faces: int = 0

    def troubles(self) -> list[str]:
        """What people should know about it, in sentences."""
        called = die_name(self.name) if self.name else fact(self.die)
        told: list[str] = []
        percent, dbm = self.battery_percent, self.signal_dbm
        if percent is not None and percent <= LOW_PERCENT:
            said = say("{die}: the battery is at {n} %; charge it", die=called, n=percent)
            told.append(said)
        if dbm is not None and dbm <= WEAK_DBM:
            said = say(
                "{die}: the signal is weak ({dbm} dBm); move the receiver", die=called, dbm=dbm
            )
            told.append(said)
        if self.motion == "silent":
            told.append(say("{die}: it is not heard any more; is its battery empty?", die=called))
        if self.unknown_faces:
            told.append(say("{die}: it tells faces that nobody named; calibrate it", die=called))
        if not self.name and self.reports:
            said = say("{die}: nobody has said which die of the game it is; map it", die=called)
            told.append(said)
        return told


class Health(msgspec.Struct, frozen=True):
    """A receiver (or the Bluetooth radio) and its dice, at one moment.

    port     where it was looked for or found.
    state    `connecting`, `connected`, `lost` or `closed`; `why` says what is wrong.
    who, firmware, version, is_understood  of its greeting; empty, 0 and False before one.
    is_synchronised  its clock has been compared with ours, within `clock_within_s` seconds.
    is_quick  the driver has a low-latency mode, and it is on.
    """

    port: str
    state: str
    why: str = ""
    who: str = ""
    firmware: str = ""
    version: int = 0
    is_understood: bool = False
    is_synchronised: bool = False
    clock_within_s: float | None = None
    is_quick: bool = False
    counts: LinkCounts = msgspec.field(default_factory=LinkCounts)
    dice: tuple[DieHealth, ...] = ()

    def troubles(self) -> list[str]:
        """What people should know, in sentences; empty if all is well."""
        told = [self.why] if self.why and self.state != "connected" else []
        if self.state == "connected" and not self.who:
            told.append(
                say(
                    "{port} is open, but no receiver has answered; is it flashed, and is this the "
                    "right port?",
                    port=self.port,
                )
            )
        if self.who and not self.is_understood:
            told.append(
                say(
                    "the receiver {who} speaks version {version} of the wire format, which is not "
                    "spoken here; flash it anew",
                    who=self.who,
                    version=self.version,
                )
            )
        told += self._line_troubles()
        return told + [one for die in self.dice for one in die.troubles()]

    def _line_troubles(self) -> list[str]:
        """What the line suffers from."""
        counts = self.counts
        told: list[str] = []
        if counts.damaged > max(5, counts.lines // 100):
            told.append(
                say(
                    "{n} line came damaged; try another cable",
                    "{n} lines came damaged; try another cable",
                    n=counts.damaged,
                )
            )
        if counts.asked > max(2, counts.lines // 50):
            told.append(
                say(
                    "{n} time lines were missing, and asked for again; try another cable",
                    "{n} times lines were missing, and asked for again; try another cable",
                    n=counts.asked,
                )
            )
        if counts.foreign > CHATTER:
            told.append(
                say(
                    "{n} line of another device came; is this the right port?",
                    "{n} lines of another device came; is this the right port?",
                    n=counts.foreign,
                )
            )
        if counts.restarts:
            told.append(say("the receiver restarts ({n}); look at its power", n=counts.restarts))
        if counts.lost:
            told.append(
                say("{n} report was lost for good", "{n} reports were lost for good", n=counts.lost)
            )
        return told
