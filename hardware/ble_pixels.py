"""Pixels dice (Systemic Games): their Bluetooth messages, as their makers describe them.

Source: the communications protocol and the packages that GameWithPixels publishes on GitHub. A
message is a byte that says its kind, and little-endian fields. Those that are understood:

| kind | from | fields                                                                         |
| ---- | ---- | ------------------------------------------------------------------------------ |
| 1    | host | WhoAreYou: none                                                                |
| 2    | die  | IAmADie: 22 bytes with older firmware; chunks, each beginning with its size,   |
|      |      | with newer firmware (version, die, design, name, settings, status)             |
| 3    | die  | RollState: state, index of the face; whenever one of them changes              |
| 29   | host | Blink: count, ms (2), colour (4), faces (4), fade, loop                        |
| 33   | host | RequestBatteryLevel: none                                                      |
| 34   | die  | BatteryLevel: percent, state                                                   |

States: 0 unknown, 1 rolled, 2 handling, 3 rolling, 4 crooked, 5 on a face without a proper roll.
Older firmware knows no 5 and says 1 for both; so a 1 counts as a roll only if the die has been
heard rolling since it lay still. A connected die tells every roll. What happens while it is not
connected is only advertised, and may be missed: after reconnecting the face that is up is told as
lying there, never as rolled. The messages carry no time.
"""

import struct

from hardware.ble_messages import About, Battery, Moves, Rests, Said

CHANNELS = (
    ("a6b90002-7a5a-43f2-a962-350c8edc9b5b", "a6b90003-7a5a-43f2-a962-350c8edc9b5b"),
    ("6e400001-b5a3-f393-e0a9-e50e24dcca9e", "6e400002-b5a3-f393-e0a9-e50e24dcca9e"),
)
WHO_ARE_YOU, I_AM_A_DIE, ROLL_STATE, BLINK, ASK_BATTERY, BATTERY = 1, 2, 3, 29, 33, 34
UNKNOWN, ROLLED, HANDLING, ROLLING, CROOKED, ON_FACE = range(6)
SHAPES = ("", "d4", "d6", "d8", "d10", "d00", "d12", "d20", "d6", "d6")
SHAPE_OF_LEDS = {4: "d4", 6: "d6", 8: "d8", 10: "d10", 12: "d12", 20: "d20", 21: "d6"}
SIDES = {"d4": 4, "d6": 6, "d8": 8, "d10": 10, "d00": 10, "d12": 12, "d20": 20}

_OLD_SIZE = 22
_OLD = struct.Struct("<xBxB4xIxxIBBBB")  # LEDs, type, id, built, state, face, percent, battery
_DIE = struct.Struct("<xIBBB")  # id, chip, type, LEDs
_VERSION = struct.Struct("<xHI")  # firmware, built
_STATUS = struct.Struct("<xBBBB")  # percent, battery, state, face


def face_number(index: int, shape: str) -> int:
    """The number on the face of this index (from 0)."""
    if shape == "d4":
        return {2: 2, 3: 3, 5: 4}.get(index, 1)
    return {"d10": index, "d00": index * 10}.get(shape, index + 1)


class PixelsTalk:
    """A conversation with one die."""

    channels = CHANNELS

    def __init__(self) -> None:
        self._shape = "d6"
        self._has_rolled = False

    def greet(self) -> list[bytes]:
        """Ask who it is; the answer says how it lies, too."""
        self._has_rolled = False
        return [bytes([WHO_ARE_YOU]), bytes([ASK_BATTERY])]

    def blink(self) -> bytes:
        """Blink white three times, with all faces."""
        return struct.pack("<BBHIIBB", BLINK, 3, 2000, 0x00FFFFFF, 0xFFFFFFFF, 128, 0)

    def hear(self, data: bytes) -> list[Said] | None:
        """What a notification says; None for one that is not understood."""
        kind = data[0] if data else -1
        if kind == ROLL_STATE and len(data) >= 3:
            return self._state(data[1], data[2])
        if kind == BATTERY and len(data) >= 3:
            return [Battery(min(100, data[1]))]
        if kind == I_AM_A_DIE:
            return self._is_old(data) if len(data) == _OLD_SIZE else self._is_new(data)
        return None

    def _state(self, state: int, index: int) -> list[Said] | None:
        if state in (HANDLING, ROLLING):
            self._has_rolled |= state == ROLLING
            return [Moves(is_held=state == HANDLING and not self._has_rolled)]
        if state == CROOKED:
            self._has_rolled = False
            return [Rests("crooked")]
        if state not in (ROLLED, ON_FACE):
            return [] if state == UNKNOWN else None
        settled = state == ROLLED and self._has_rolled
        self._has_rolled = False
        return [Rests("settled" if settled else "lies", str(face_number(index, self._shape)))]

    def _is_old(self, data: bytes) -> list[Said]:
        leds, kind, _, built, state, index, percent, _ = _OLD.unpack(data)
        return self._is(str(built), kind, leds, percent, state, index)

    def _is_new(self, data: bytes) -> list[Said] | None:
        chunks = _chunks(data[1:])
        if chunks is None:
            return None
        version, die, *_, status = chunks
        try:
            firmware, _ = _VERSION.unpack_from(version)
            _, _, kind, leds = _DIE.unpack_from(die)
            percent, _, state, index = _STATUS.unpack_from(status)
        except struct.error:
            return None
        return self._is(f"{firmware:x}", kind, leds, percent, state, index)

    def _is(
        self, firmware: str, kind: int, leds: int, percent: int, state: int, index: int
    ) -> list[Said]:
        shape = SHAPES[kind] if kind < len(SHAPES) else ""
        self._shape = shape or SHAPE_OF_LEDS.get(leds, "d6")
        said: list[Said] = [About(firmware, self._shape, SIDES[self._shape])]
        self._has_rolled = False  # whatever it did before, nobody saw it begin
        return [*said, Battery(min(100, percent)), *(self._state(state, index) or [])]


def _chunks(data: bytes) -> list[bytes] | None:
    """Cut six chunks, each beginning with its size; None if they do not fill the message."""
    chunks = []
    while data and 0 < data[0] <= len(data):
        chunks.append(data[: data[0]])
        data = data[data[0] :]
    return chunks if len(chunks) == 6 and not data else None
