"""What a die is doing, told from what its accelerometer feels: samples in, reports out, no I/O.

Theory of operation. A die at rest feels 1 g that does not change. From there:

    resting   it left its rest when DEVIATES of its samples in a row differ: MOVE
    moving    thrown or picked up, not yet known which
    held      it moves smoothly, near 1 g, longer than any die teeters: a hand. HELD
              weightless, or hit hard and not still soon, it has been thrown after all: MOVE

and back to rest as soon as nothing changes for a while:

    FACE      it has tumbled: it flew farther than a die that is set down and then hit something,
              was hit several times and turned, or was let fall and lies otherwise than the hand
              held it that let it go. A hand takes all that back: shaking is no roll
    LIES      it has not tumbled: put back, slid, knocked, or turned over with a finger
    CROOKED   no side is up; a die that may still be teetering is given more time

A die that was shaken feels the table, too, when it is put back, perhaps before it could be told
that a hand has it. But on the way down it was neither hit nor did it fly, for longer than dice
roll without either, and it turned: a die that slides for so long, points where it pointed. Then
what it felt before was no tumble.

What flies feels nothing, or, spinning with its sensor beside its centre, something that does not
change and is not 1 g. What slides flat on the table after a tumble moves as smoothly as a hand, so
a hand is believed sooner when no side is up, and a flight is forgotten later than mere hits.

A side that is told is one that has been up for STILL_MS without moving: nothing is ever guessed
from the way that a die tumbles. A spin that feels like 1 g along a side is told from rest by how
exactly this die feels that side, once it is known, and by more time until then.

Times are those of the samples; numbers are whole (ms, mg).
"""

from firmware.sides import Sides
from firmware.wire import const

SAMPLE_MS = const(10)  # between two samples
STILL_MG = const(22)  # off the mean: 5 sigma of an LIS3DH at 8 g; a calm hand trembles more
STILL_MS = const(80)  # still for so long after a tumble: at rest
HIT_STILL_MS = const(100)  # ... that was all hits and no flight: a hand that shook may hold still
PUT_MS = const(160)  # ... after no tumble
UNSURE_MS = const(280)  # ... not quite as this side feels: longer than a throw flies
KNOWN_MS = const(1000)  # how a side feels is known from a rest that was as long
CROOKED_MS = const(220)  # ... with no side up: a cube falls off its edge in 180 ms
LEANS_MS = const(2000)  # ... with no side up and never thrown: no hand is so calm
DEVIATES_MG = const(120)  # off the rest: a tilt of 7 degrees
DEVIATES = const(3)  # samples in a row: a knock on the table rings shorter
SMOOTH_MG = const(220)  # from one sample to the next, in a hand that does not shake
EVEN_MG = const(80)  # from one such step to the next; what slides on a table, chatters
HELD_MS = const(250)  # smooth for so long: in a hand
SLIDES_MS = const(700)  # ... after a flight, with a side up: no die slides so long
LIGHT_MG = const(400)  # weightless, but for what the sensor feels beside the centre of the spin
FLIGHT_MS = const(60)  # from 18 mm up; a die that is set down falls less
SPINS_MS = const(50)  # something steady that is not gravity, for so long: a flight, too
DROP_MS = const(30)  # from 4 mm up
LANDS_MS = const(40)  # after a fall, its hit: what comes later, comes from something else
THROWN_MS = const(40)  # weightless in the hand for so long: it has left it
BROUGHT_MS = const(100)  # smooth for so long before it is hit: a hand has brought it there
SET_DOWN_MS = const(150)  # from its first hit in the hand; one that is set down lies by then
HIT_MG = const(
    600
)  # from one sample to the next; the filter makes a long soft hit of a short hard one
HITS = const(3)  # a die that is set down bounces less
AGAIN_MS = const(30)  # of one hit, which rings
HITS_MS = const(120)  # from the first hit to the last; a die that is set down is quicker
CALM_MS = const(40)  # after a hit or a flight; then it can be told how it points
CARRIED_MS = const(280)  # not hit, not flown for so long, but turned, and then hit: put down
CARRIED = const(8)  # samples in which it points elsewhere; a die that topples has fallen by then
PAUSE_MS = const(160)  # smooth for so long, hits are forgotten; rolling, a cube hits every 100 ms
GRIPPED = const(5)  # smooth samples in a row: how it points in the hand, or lying
TURNED_MG = const(500)  # off the rest: a turn of 30 degrees
TURNED = const(4)  # smooth samples in a row
GRAVITY_MG = (850, 1150)  # of a die at rest: 4 % of gain, 40 mg off zero on every axis

_SQUARES = (GRAVITY_MG[0] ** 2, GRAVITY_MG[1] ** 2)
_SPINS = (600**2, 1400**2)  # no hand pulls so hard so evenly
_HAND = (500**2, 1700**2)


class Motion:
    """The motion of one die with these `sides`; it lies nowhere yet, and is told where with LIES.

    phase  `resting`, `moving` or `held`.
    side   that is up while it rests; 0 for none.
    """

    def __init__(self, sides: Sides) -> None:
        self.sides = sides
        self.phase = "moving"
        self.side = 0
        self.felt = (0, 0, 0)  # at rest, the mean
        self.at_ms = 0
        self._last = self._step = (0, 0, 0)
        self._deviates = 0
        self._deviates_ms = 0
        self._begin_still(0, 0, 0, 0)
        self._smooth = self._slanted = self._brought_ms = 0
        self._light_ms = -1
        self._hit_ms = self._first_hit_ms = self._air_ms = -AGAIN_MS
        self._calm, self._carried = (0, 0, 0), 0
        self._turned = self._flown = self._landed = self._hit_since = self._was_brought = False
        self._recent = ((0, 0, 0), (0, 0, 0))  # the two samples before this one
        self._dropped_ms = -LANDS_MS - 1  # until when it fell
        self._grip((0, 0, 0))
        self._forget_tumble()

    def has_tumbled(self, felt: tuple) -> bool:
        """True if it is a roll, should it be at rest now and feel this."""
        if self._landed or (self._hit_since and _far(self._gripped, felt)):
            return True
        lasted_ms = self._hit_ms - self._first_hit_ms
        return self._turned and self._hits >= HITS and lasted_ms >= HITS_MS

    def sample(self, at_ms: int, x: int, y: int, z: int) -> "tuple | None":
        """Take in one sample (mg); return `(kind, at_ms, side)` if there is something to report."""
        last, self._last = self._last, (x, y, z)
        self._recent = (last, self._recent[0])
        self.at_ms = at_ms
        if self.phase == "resting":
            return self._rest(at_ms, x, y, z)
        steady_ms = at_ms - self._still[0]
        self._keep_still(at_ms, x, y, z)
        dx, dy, dz = x - last[0], y - last[1], z - last[2]
        step, before = max(abs(dx), abs(dy), abs(dz)), self._step
        uneven = max(abs(dx - before[0]), abs(dy - before[1]), abs(dz - before[2]))
        self._step = (dx, dy, dz)
        square = x * x + y * y + z * z
        even = step <= SMOOTH_MG and uneven <= EVEN_MG
        self._feel_hand(even and _HAND[0] <= square <= _HAND[1], last, steady_ms)
        self._feel_tumble(at_ms, step, square)
        return self._come_to_rest(at_ms) or self._be_held(at_ms)

    def upto_ms(self) -> int:
        """No report still to come happened at or before this moment."""
        if self.phase == "resting":
            return self._deviates_ms - 1 if self._deviates else self.at_ms
        began_ms = self._still[0] if self._light_ms < 0 else min(self._still[0], self._light_ms)
        if self.phase == "held" and self._hits:
            began_ms = min(began_ms, self._first_hit_ms)  # it may have been thrown since
        return max(began_ms - 1, self.at_ms - UNSURE_MS - 3 * SAMPLE_MS)

    def stir(self, at_ms: int) -> tuple:
        """Report that it left its rest before anybody looked: it was woken."""
        self._leave(at_ms)
        return ("MOVE", at_ms, 0)

    # At rest

    def _rest(self, at_ms: int, x: int, y: int, z: int) -> "tuple | None":
        felt = self.felt
        off = max(abs(x - felt[0]), abs(y - felt[1]), abs(z - felt[2]))
        if off <= DEVIATES_MG:
            self._deviates = 0
            return None
        if self._deviates == 0:
            self._deviates_ms = at_ms
        self._deviates += 1
        if self._deviates < DEVIATES:
            return None
        self._leave(at_ms)
        return ("MOVE", self._deviates_ms, 0)

    def _leave(self, at_ms: int) -> None:
        if self.side and at_ms - self._still[0] >= KNOWN_MS:
            self.sides.know(self.side, self.felt)
        self.phase, self._deviates, self._smooth, self._slanted = "moving", 0, 0, 0
        self._turned, self._light_ms, self._hit_ms = False, -1, at_ms - AGAIN_MS
        self._grip(self.felt)
        self._forget_tumble()
        self._begin_still(at_ms, *self._last)

    # In motion

    def _begin_still(self, at_ms: int, x: int, y: int, z: int) -> None:
        self._still = [at_ms, x, y, z, 1]  # since when, sum of the samples, how many

    def _keep_still(self, at_ms: int, x: int, y: int, z: int) -> None:
        s = self._still
        n = s[4]
        most = STILL_MG * n
        if abs(x * n - s[1]) > most or abs(y * n - s[2]) > most or abs(z * n - s[3]) > most:
            self._begin_still(at_ms, x, y, z)
            return
        s[1] += x
        s[2] += y
        s[3] += z
        s[4] = n + 1

    def _tumbled_ms(self) -> int:
        return max(self._hit_ms, self._air_ms)

    def _feel_tumble(self, at_ms: int, step: int, square: int) -> None:
        if at_ms - self._tumbled_ms() <= CALM_MS:
            self._calm, self._carried = self._last, 0
        elif _far(self._calm, self._last):
            self._carried += 1
        if square < LIGHT_MG * LIGHT_MG:
            if self._light_ms < 0:
                self._light_ms = at_ms
                self._let_go()
            light_ms = at_ms - self._light_ms + SAMPLE_MS
            if light_ms >= FLIGHT_MS:
                self._flown, self._air_ms = True, at_ms
            if light_ms >= DROP_MS:
                self._dropped_ms = at_ms
        else:
            self._light_ms = -1
        if step > HIT_MG and at_ms - self._hit_ms >= AGAIN_MS:
            if self._carried >= CARRIED and at_ms - self._tumbled_ms() > CARRIED_MS:
                self._forget_tumble()
                self._hit_since = False
            self._hit_ms = at_ms
            self._hits += 1
            self._hit_since = self._hit_since or at_ms - self._dropped_ms <= LANDS_MS
            if self._hits == 1:
                self._first_hit_ms = at_ms
                self._was_brought = self._brought_ms >= BROUGHT_MS
            self._landed = self._landed or self._flown

    def _feel_hand(self, smooth: bool, last: tuple, steady_ms: int) -> None:
        if not smooth:
            if steady_ms >= SPINS_MS:
                self._dropped_ms = self.at_ms  # what is so steady, and then ends, was no hand
            elif self._smooth >= GRIPPED:
                self._grip(last)
            self._brought_ms = self._smooth * SAMPLE_MS
            self._smooth = self._slanted = 0
            return
        self._smooth += 1
        is_still = self.at_ms - self._still[0] >= SPINS_MS  # it may be coming to rest
        if self._smooth * SAMPLE_MS >= PAUSE_MS and not is_still:
            self._hits, self._flown = 0, False
            self._grip(self._last)
        self._slanted = 0 if self.sides.leans_little(*self._last) else self._slanted + 1
        if self._smooth >= TURNED and not self._turned:
            x, y, z = self._last
            felt = self.felt
            off = max(abs(x - felt[0]), abs(y - felt[1]), abs(z - felt[2]))
            self._turned = off > TURNED_MG

    def _come_to_rest(self, at_ms: int) -> "tuple | None":
        since_ms, count = self._still[0], self._still[4]
        still_ms = at_ms - since_ms
        if still_ms < SPINS_MS:
            return None
        felt = tuple([part // count for part in self._still[1:4]])
        square = felt[0] * felt[0] + felt[1] * felt[1] + felt[2] * felt[2]
        if not _SQUARES[0] <= square <= _SQUARES[1]:
            spins = self.phase != "held" and not _SPINS[0] <= square <= _SPINS[1]
            if spins:
                self._flown, self._air_ms = True, at_ms
            return None
        side = self.sides.up(*felt)
        self._turned = self._turned or side != self.side
        tumbled = self.has_tumbled(felt)
        wait_ms = PUT_MS
        if tumbled and self.sides.is_sure(side, felt):
            wait_ms = STILL_MS if self._landed else HIT_STILL_MS
        elif tumbled:
            wait_ms = UNSURE_MS
        if side and still_ms >= wait_ms:
            return self._lie("FACE" if tumbled else "LIES", since_ms, side, felt)
        if not side and still_ms >= (CROOKED_MS if tumbled else LEANS_MS):
            return self._lie("CROOKED", since_ms if tumbled else at_ms, 0, felt)
        return None

    def _lie(self, kind: str, at_ms: int, side: int, felt: tuple) -> tuple:
        self.phase, self.side, self.felt = "resting", side, felt
        self._deviates = 0
        return (kind, at_ms, side)

    def _be_held(self, at_ms: int) -> "tuple | None":
        if self.phase == "held":
            thrown = self._light_ms >= 0 and at_ms - self._light_ms >= THROWN_MS - SAMPLE_MS
            began_ms = self._light_ms if thrown else self._knocked_ms(at_ms)
            if began_ms < 0:
                return None
            self.phase, self._smooth, self._slanted = "moving", 0, 0
            return ("MOVE", began_ms, 0)
        if self._slanted * SAMPLE_MS < HELD_MS and self._smooth * SAMPLE_MS < SLIDES_MS:
            return None
        if at_ms - self._still[0] >= SPINS_MS:
            return None  # it may be coming to rest
        self.phase, self._turned = "held", True
        self._grip(self._last)
        self._forget_tumble()
        return ("HELD", at_ms, 0)

    def _knocked_ms(self, at_ms: int) -> int:
        # Since when the held die falls or rolls; -1 if it was hit no more than when it is set down.
        if not self._hits:
            return -1
        is_thrown = self._hit_since or self._hits >= HITS or not self._was_brought
        is_calm = at_ms - self._still[0] >= SPINS_MS or at_ms - self._first_hit_ms < SET_DOWN_MS
        if is_calm and not is_thrown:
            return -1
        return max(self._first_hit_ms, at_ms - UNSURE_MS)

    def _let_go(self) -> None:
        # How a hand holds it that never was smooth, is felt just before: it pulls mostly upwards.
        x, y, z = self._recent[1]
        if not self._hit_since and _HAND[0] <= x * x + y * y + z * z <= _HAND[1]:
            self._gripped = self._recent[1]

    def _grip(self, felt: tuple) -> None:
        self._gripped, self._dropped_ms, self._hit_since = felt, -LANDS_MS - 1, False

    def _forget_tumble(self) -> None:
        self._flown, self._landed, self._hits = False, False, 0


def _far(one: tuple, other: tuple) -> bool:
    # More than 60 degrees apart: cos2 < 1 / 4; a side that a finger tips over falls the last 45.
    dot = one[0] * other[0] + one[1] * other[1] + one[2] * other[2]
    squares = [x * x + y * y + z * z for x, y, z in (one, other)]
    return squares[0] > 0 and (dot <= 0 or 4 * dot * dot < squares[0] * squares[1])
