"""Which side of a die is up, told from gravity.

A die at rest feels 1 g away from the ground, so what its accelerometer says points to the side that
is up. Everything is whole numbers (mg, thousandths), so a board computes what a computer computes.
"""

TILT_COS2 = 957  # thousandths; cos(12 deg) squared: a table slopes less, a die that leans, more
SURE_MG = 90  # a slope of 5 degrees
WEIGHS_MG = 30  # noise of the mean, and warmth
SLIDES_COS2 = 750  # cos(30 deg) squared
NEAR_COS = 940  # thousandths; cos(20 deg): two shown sides closer than this are a mistake
UNIT = 1000

# What is felt when the side is up; sides that face each other add up to 7, or to 9.
D6 = ((0, 0, -UNIT), (0, -UNIT, 0), (-UNIT, 0, 0), (UNIT, 0, 0), (0, UNIT, 0), (0, 0, UNIT))
_E = 577  # a thousand by the root of three
D8 = (
    (_E, _E, _E),
    (_E, _E, -_E),
    (_E, -_E, _E),
    (_E, -_E, -_E),
    (-_E, _E, _E),
    (-_E, _E, -_E),
    (-_E, -_E, _E),
    (-_E, -_E, -_E),
)
TABLES = {"d6": D6, "d8": D8, "any": ()}
DOUBT_COS = 707  # cos(45 deg)
MOST_SIDES = 20


def root(square: int) -> int:
    """The whole part of a square root, for boards whose floats have 24 bits."""
    if square < 2:
        return square
    guess = 1 << (len(bin(square)) - 1) // 2
    while True:
        better = (guess + square // guess) // 2
        if better >= guess:
            return guess
        guess = better


def unit(vector: tuple) -> tuple:
    """The direction of a vector, with length 1000; (0, 0, 0) has none and stays."""
    x, y, z = vector
    length = _length(vector)
    return (x * UNIT // length, y * UNIT // length, z * UNIT // length) if length else (0, 0, 0)


def cosine(one: tuple, other: tuple) -> int:
    """The cosine, in thousandths, of the angle between two directions of length 1000."""
    return (one[0] * other[0] + one[1] * other[1] + one[2] * other[2]) // UNIT


class Sides:
    """The sides of one die, in the axes of its accelerometer.

    shape  `d6`, `d8`, or `any` solid whose sides have been shown.
    felt   what is felt (mg) when side 1, 2, 3 ... is up; None for a side that was never shown.
    """

    def __init__(self, shape: str = "d6", felt: "list | None" = None) -> None:
        self.shape = shape
        self.ups: list = list(TABLES[shape])
        self.felt: list = [None] * len(self.ups)
        self.shown = [False] * len(self.ups)
        known = felt or []
        for i in range(len(known)):
            if known[i]:
                self.show(i + 1, tuple(known[i]))
        self._measure()

    def count(self) -> int:
        """How many sides are known."""
        return len([up for up in self.ups if up])

    def up(self, x: int, y: int, z: int) -> int:
        """The side that is up, from 1, when this is felt (mg); 0 if none is, or it is too light."""
        best, side = self._most_up(x, y, z)
        felt = x * x + y * y + z * z
        level = best * best // UNIT >= self._cos2 * felt
        return side if level and felt >= UNIT * UNIT // 4 else 0

    def leans_little(self, x: int, y: int, z: int) -> bool:
        """True if it may lie on a side and slide; friction looks like a slope of up to 30 deg."""
        best = self._most_up(x, y, z)[0]
        return best * best // UNIT >= SLIDES_COS2 * (x * x + y * y + z * z)

    def is_sure(self, side: int, felt: tuple) -> bool:
        """True if this is just what is felt when that side is up, by all that is known."""
        known = self.felt[side - 1] if side else None
        if not known:
            return False
        off = max([abs(felt[i] - known[i]) for i in range(3)])
        return off <= SURE_MG and abs(_length(felt) - _length(known)) <= WEIGHS_MG

    def know(self, side: int, felt: tuple) -> None:
        """Remember what is felt while this side is up."""
        self.felt[side - 1] = felt

    def show(self, side: int, felt: tuple) -> str:
        """Learn that `side` is up when this is felt (mg); return why not, or nothing.

        What is taken for granted of a d6 or d8, and is near there, is forgotten: a die that has not
        been shown every side says rather nothing than something wrong.
        """
        most = len(self.ups) if self.shape != "any" else MOST_SIDES
        if not 1 <= side <= most or _length(felt) == 0:
            return "no_such_side"
        new = unit(felt)
        for i in range(len(self.ups)):
            up = self.ups[i]
            if (
                up
                and i + 1 != side
                and cosine(up, new) > (NEAR_COS if self.shown[i] else DOUBT_COS)
            ):
                if self.shown[i]:
                    return "too_near"
                self.ups[i] = self.felt[i] = None
        self._put(side - 1, felt)
        self._measure()
        return ""

    def _put(self, i: int, felt: tuple) -> None:
        more = i + 1 - len(self.ups)
        self.ups.extend([None] * more)
        self.felt.extend([None] * more)
        self.shown.extend([False] * more)
        self.ups[i], self.felt[i], self.shown[i] = unit(felt), felt, True

    def _most_up(self, x: int, y: int, z: int) -> tuple:
        best, side = 0, 0
        for i in range(len(self.ups)):
            up = self.ups[i]
            dot = up[0] * x + up[1] * y + up[2] * z if up else 0
            if dot > best:
                best, side = dot, i + 1
        return best, side

    def _measure(self) -> None:
        # Sides that lie close together are told apart half way: cos2(a / 2) = (1 + cos(a)) / 2.
        known = [up for up in self.ups if up]
        nearest = 0
        for i in range(len(known)):
            for j in range(i):
                nearest = max(nearest, cosine(known[i], known[j]))
        self._cos2 = max(TILT_COS2, (UNIT + nearest) // 2)


def _length(vector: tuple) -> int:
    return root(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2])
