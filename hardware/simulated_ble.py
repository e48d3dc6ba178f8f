"""Bluetooth dice without Bluetooth: simulated Pixels and GoDice that send their makers' bytes.

A test, or a person without dice, is the hand: `handle`, `roll`, `rest` ... may be called from any
thread; the notification comes in the thread of whoever listens, as with a real radio.
"""

import asyncio
import struct
from collections.abc import Callable

from hardware.ble_godice import D6, D8
from hardware.ble_pixels import (
    BATTERY,
    CHANNELS,
    CROOKED,
    HANDLING,
    I_AM_A_DIE,
    ON_FACE,
    ROLL_STATE,
    ROLLED,
    ROLLING,
    WHO_ARE_YOU,
)


class OutOfReach(Exception):
    """What a simulated radio raises."""


class SimulatedPeer:
    """One die; what is common to all makers."""

    notified_by: str = ""
    written_to: str = ""

    def __init__(self, address: str, signal_dbm: int = -60) -> None:
        self.address, self.signal_dbm = address, signal_dbm
        self.is_near = True
        self.written: list[bytes] = []
        self.times_connected = 0
        self._heard: Callable[[bytes], None] | None = None
        self._gone: Callable[[], None] = lambda: None
        self._loop: asyncio.AbstractEventLoop | None = None

    # As a radio sees it

    def found(self, gone: Callable[[], None]) -> None:
        """A radio has found it and wants to know when it goes."""
        self._gone = gone

    async def connect(self) -> None:
        """Connect, if it is near."""
        if not self.is_near:
            raise OutOfReach(f"{self.address} is out of reach")
        self._loop = asyncio.get_running_loop()
        self.times_connected += 1

    async def disconnect(self) -> None:
        """Let it go."""
        self._loop = self._heard = None

    def has(self, characteristic: str) -> bool:
        """True for its own two characteristics."""
        return characteristic in (self.notified_by, self.written_to)

    async def listen(self, characteristic: str, heard: Callable[[bytes], None]) -> None:
        """Be notified of what it says."""
        self._heard = heard

    async def write(self, characteristic: str, data: bytes) -> None:
        """Take a message of the host."""
        if not self.is_near:
            raise OutOfReach(f"{self.address} is out of reach")
        self.written.append(data)
        for said in self.answers(data):
            self.says(said)

    def answers(self, data: bytes) -> list[bytes]:
        """What it says to a message of the host."""
        return []

    # As a hand sees it

    def says(self, data: bytes) -> None:
        """Notify, if somebody listens."""
        loop, heard = self._loop, self._heard
        if loop is not None and heard is not None:
            loop.call_soon_threadsafe(heard, data)

    def goes_away(self) -> None:
        """Out of reach, from now on."""
        self.is_near = False
        loop, self._loop, self._heard = self._loop, None, None
        if loop is not None:
            loop.call_soon_threadsafe(self._gone)

    def comes_back(self) -> None:
        """In reach again."""
        self.is_near = True


class SimulatedPixel(SimulatedPeer):
    """A Pixels d6; `is_old` has the firmware that knows no state 5 and greets in 22 bytes."""

    def __init__(self, address: str, *, is_old: bool = False) -> None:
        super().__init__(address)
        self.notified_by, self.written_to = CHANNELS[1 if is_old else 0]
        self._is_old = is_old
        self._state, self._index = ON_FACE, 0

    def answers(self, data: bytes) -> list[bytes]:
        """Say who it is; other messages are taken in silence."""
        if data[0] != WHO_ARE_YOU:
            return [bytes([BATTERY, 77, 0])] if len(data) == 1 else []
        if self._is_old:
            state = ROLLED if self._state == ON_FACE else self._state
            end = bytes([state, self._index, 77, 0])
            return [bytes([I_AM_A_DIE, 6, 1, 2]) + struct.pack("<IIHI", 1, 2, 3, 4) + end]
        chunks = [struct.pack("<HIHHHH", 0x104, 1700000000, 1, 1, 1, 1)]
        chunks += [struct.pack("<IBBBBB", 7, 0, 2, 6, 1, 0), b"\0", b"ruby\0"]
        chunks += [struct.pack("<III", 1, 2, 3), bytes([77, 0, self._state, self._index])]
        return [bytes([I_AM_A_DIE]) + b"".join(bytes([len(c) + 1]) + c for c in chunks)]

    def handle(self) -> None:
        """Be taken into a hand."""
        self._becomes(HANDLING, self._index)

    def roll(self, face: int, *, crooked: bool = False) -> None:
        """Be thrown from the hand, and come to rest."""
        self._becomes(ROLLING, self._index)
        self._becomes(CROOKED if crooked else ROLLED, face - 1)

    def put_down(self, face: int) -> None:
        """Be put down without a roll."""
        self._becomes(ROLLED if self._is_old else ON_FACE, face - 1)

    def _becomes(self, state: int, index: int) -> None:
        self._state, self._index = state, index
        self.says(bytes([ROLL_STATE, state, index]))


class SimulatedGoDie(SimulatedPeer):
    """A GoDice die in the shell of this shape."""

    notified_by = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
    written_to = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"

    def __init__(self, address: str, shape: str = "d6") -> None:
        super().__init__(address)
        self._faces = {"d6": D6, "d8": D8}[shape]

    def answers(self, data: bytes) -> list[bytes]:
        """Say battery and colour when asked."""
        return {b"\x03": [b"Bat\x42"], b"\x17": [b"Col\x01"]}.get(data, [])

    def roll(self, face: int, *, crooked: bool = False) -> None:
        """Be thrown, and come to rest."""
        self.says(b"R")
        self.says((b"TS" if crooked else b"S") + self._xyz(face))

    def put_down(self, face: int, *, fake: bool = True) -> None:
        """Be shaken and put down (`fake`), or be turned a little."""
        self.says((b"FS" if fake else b"MS") + self._xyz(face))

    def _xyz(self, face: int) -> bytes:
        x, y, z = self._faces[face][0]
        return struct.pack("bbb", x - 2, y + 3, z - 1)


class SimulatedRadio:
    """Finds simulated dice by their address."""

    faults: tuple[type[Exception], ...] = (OutOfReach,)

    def __init__(self, *peers: SimulatedPeer) -> None:
        self.peers = {peer.address: peer for peer in peers}

    async def find(
        self, address: str, gone: Callable[[], None]
    ) -> tuple[SimulatedPeer, int | None] | None:
        """Look for a die."""
        peer = self.peers.get(address)
        if peer is None or not peer.is_near:
            return None
        peer.found(gone)
        return peer, peer.signal_dbm
