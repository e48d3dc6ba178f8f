"""GoDice (Particula): their Bluetooth messages, as their makers describe them.

Source: the JavaScript and Python interfaces that ParticulaCode publishes on GitHub. Letters say
what a notification is; x, y, z are signed bytes, 64 to 1 g, as the accelerometer reads them:

| bytes        | says                                                                          |
| ------------ | ----------------------------------------------------------------------------- |
| `R`          | it has begun to roll                                                          |
| `S` x y z    | it is still after a proper roll                                               |
| `TS` x y z   | it is still after a roll, but lies tilted                                     |
| `FS` x y z   | it is still after a false roll: shaken, or set down                           |
| `MS` x y z   | it is still after a small move from one face to another                       |
| `Bat` n      | percent of the battery, when asked with byte 3                                |
| `Col` n      | colour of its dots, when asked with byte 23                                   |

Only `S` is a roll. A tilted die lies crooked, whatever face it is nearest to. A false or a small
move is no roll: the die is taken to lie there. The face is the one whose direction is nearest; one
that is not clearly nearer than the next is none. A die says nothing of how it lies when it is
connected: that is known with its next move. The messages carry no time, and no version.

Byte 16 blinks: count, on and off in 10 ms, red, green, blue, and 1 0 for both LEDs.
"""

import math
import struct

from hardware.ble_messages import About, Battery, Moves, Rests, Said

CHANNELS = (("6e400003-b5a3-f393-e0a9-e50e24dcca9e", "6e400002-b5a3-f393-e0a9-e50e24dcca9e"),)
ASK_BATTERY, ASK_COLOUR, BLINK = 3, 23, 16
SURE_DEGREES = 25.0  # further from a face than this is no face; edges of a cube are 45 away

Direction = tuple[int, int, int]
D6: dict[int, tuple[Direction, ...]] = {
    1: ((-64, 0, 0),),
    2: ((0, 0, 64),),
    3: ((0, 64, 0),),
    4: ((0, -64, 0),),
    5: ((0, 0, -64),),
    6: ((64, 0, 0),),
}
# The shell of a d8 turns the body so that each face may point three ways.
D8: dict[int, tuple[Direction, ...]] = {
    1: ((-60, 0, 20), (20, 60, 20), (-40, 20, -40)),
    2: ((40, 20, 40), (20, 0, -60), (20, -60, 20)),
    3: ((20, -60, -20), (20, 0, 60), (40, 20, -40)),
    4: ((-40, 40, 40), (-60, 0, -20), (20, 60, -20)),
    5: ((-20, -60, 20), (60, 0, 20), (40, -20, -40)),
    6: ((-40, -40, 40), (-20, 0, -60), (-20, 60, 20)),
    7: ((-20, 0, 60), (-20, 60, -20), (-40, -40, -40)),
    8: ((-20, -60, -20), (40, -20, 40), (60, 0, -20)),
}
SHELLS = {"d6": D6, "d8": D8}
_XYZ = struct.Struct("bbb")


def face_up(xyz: tuple[int, int, int], shape: str = "d6") -> int | None:
    """The face that points up; None if the die points to none of them clearly."""
    length = math.dist(xyz, (0, 0, 0))
    if length == 0:
        return None
    near = {
        face: max(_cosine(xyz, one) for one in directions)
        for face, directions in SHELLS[shape].items()
    }
    best, other = sorted(near, key=lambda face: -near[face])[:2]
    if shape == "d6" and near[best] < math.cos(math.radians(SURE_DEGREES)):
        return None
    return None if near[best] - near[other] < 0.02 else best


def _cosine(one: tuple[int, int, int], other: Direction) -> float:
    product = sum(a * b for a, b in zip(one, other, strict=True))
    return product / (math.dist(one, (0, 0, 0)) * math.dist(other, (0, 0, 0)))


class GoDiceTalk:
    """A conversation with one die in the shell of this shape (`d6` or `d8`)."""

    channels = CHANNELS

    def __init__(self, shape: str = "d6") -> None:
        self._shape = shape

    def greet(self) -> list[bytes]:
        """Ask for the battery and the colour; how it lies cannot be asked."""
        return [bytes([ASK_BATTERY]), bytes([ASK_COLOUR])]

    def blink(self) -> bytes:
        """Blink white three times."""
        return bytes([BLINK, 3, 30, 30, 255, 255, 255, 1, 0])

    def hear(self, data: bytes) -> list[Said] | None:
        """What a notification says; None for one that is not understood."""
        if data[:1] == b"R":
            return [Moves()]
        if data[:3] == b"Bat" and len(data) >= 4:
            return [Battery(min(100, data[3]))]
        if data[:3] == b"Col" and len(data) >= 4:
            return [About(shape=self._shape, sides=len(SHELLS[self._shape]))]
        if data[:1] == b"S" and len(data) >= 4:
            return [self._rests("settled", data[1:4])]
        if data[:2] in (b"FS", b"MS") and len(data) >= 5:
            return [self._rests("lies", data[2:5])]
        if data[:2] == b"TS" and len(data) >= 5:
            return [Rests("crooked")]
        return None

    def _rests(self, how: str, xyz: bytes) -> Rests:
        x, y, z = _XYZ.unpack(xyz)
        face = face_up((x, y, z), self._shape)
        return Rests("crooked") if face is None else Rests(how, str(face))
