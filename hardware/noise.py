"""A bad line, on purpose: damages, loses, repeats and swaps lines, by chance of a seed."""

import random


class LineNoise:
    """Gives back what arrives of a line; each share is a probability from 0 to 1 a line.

    damaged   one bit flipped, or the line cut short, or bytes of garbage in it.
    lost      nothing arrives.       repeated  it arrives twice.
    swapped   it arrives after the next line.
    foreign   another device's chatter arrives before it.
    """

    def __init__(
        self,
        seed: int = 0,
        *,
        damaged: float = 0.0,
        lost: float = 0.0,
        repeated: float = 0.0,
        swapped: float = 0.0,
        foreign: float = 0.0,
    ) -> None:
        self.shares = {
            "damaged": damaged,
            "lost": lost,
            "repeated": repeated,
            "swapped": swapped,
            "foreign": foreign,
        }
        self.done = dict.fromkeys(self.shares, 0)
        self._chance = random.Random(seed)
        self._held = b""

    def __call__(self, line: bytes) -> bytes:
        """What arrives of this line, and of one that was held back."""
        held, self._held = self._held, b""
        if self._strikes("swapped"):
            self._held = line
            return held
        if self._strikes("lost"):
            line = b""
        elif self._strikes("damaged"):
            line = self._damage(line)
        elif self._strikes("repeated"):
            line = line + line
        chatter = b"$GPGGA,092750.000,5321.6802,N*76\r\n" if self._strikes("foreign") else b""
        return chatter + line + held

    def _strikes(self, fault: str) -> bool:
        strikes = self._chance.random() < self.shares[fault]
        self.done[fault] += strikes
        return strikes

    def _damage(self, line: bytes) -> bytes:
        at = self._chance.randrange(len(line))
        way = self._chance.randrange(3)
        if way == 0:
            return line[:at] + bytes([line[at] ^ 1 << self._chance.randrange(8)]) + line[at + 1 :]
        if way == 1:
            return line[:at]
        return line[:at] + self._chance.randbytes(3) + line[at:]
