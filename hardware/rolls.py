"""Makes rolls out of single dice: what moved together and lies still is one report.

Theory of operation. Each die is in one phase:

    lying    at rest, and its face has been told or never counted
    moving   just taken up, or tumbling
    held     in a hand, not thrown yet: a choice may still overtake it
    settled  at rest after a tumble, its face not yet told
    doubted  settled before reports were lost: it may have been thrown once more since then
    again    has to be thrown again: crooked, turned by hand, or its report was lost

A roll offer makes a group of dice: those that it names, and the others of their kinds. A group is
told as one report as soon as none of its dice moves or is to be thrown again, and enough of them
have settled; it happened when the last of them came to rest. Two offers that lie open together, as
in the race, never wait for each other.

- A die that is picked up and put back unrolled is no roll: it returns to the phase that it had. If
  it was settled but now shows another face, somebody turned it: it has to be thrown again.
- A die that says that it was put back may have been thrown, and not have tumbled enough to know it.
  Where others of its group make a roll that is short without it, the roll is in doubt and not told
  until the table has said whether that die was rolled, or it is thrown again. A die is asked about
  that was turned, or that was moved for long and laid down at the moment of the throw. One that
  felt nothing but the hand that laid it down, or was nudged, or was put aside or back as it lay at
  another moment, is not. Where others are too few for a roll, it is asked for again.
- A die that is thrown once more before its roll is told counts with its last face.
- A straggler is waited for: fewer dice than the offer asks for are not told, the rest may follow.
  Somebody who keeps a die in the hand for `CARRIED_S` though enough of them lie there keeps it out,
  unless that die was in doubt: it is waited for, and asked about only where it lies.
- A die in doubt that still lies on the face on which it had settled is believed again.
- A die of the kind that is not awaited itself, such as a blocked one that somebody takes away, may
  be the one that was really thrown: it is waited for, but no longer than `CARRIED_S`, and never
  because it lies crooked.
- Dice that nobody awaits are told, too, each kind by itself: the table says why they do not count.
- Dice of a kind are interchangeable. A name is a label: when another die of the kind was rolled
  than the one awaited, the two swap labels, for good. More dice than are awaited keep their own.
"""

import itertools
import threading
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from companion.actions import Report, Rolled
from companion.dice import Die
from companion.offers import Roll
from hardware.dice_messages import (
    DieCrooked,
    DieHeld,
    DieLies,
    DieMessage,
    DieMoved,
    DieSettled,
    LinesLost,
    Message,
    Watermark,
)

CARRIED_S = 3.0  # a throw takes less; what moves longer is being carried
NUDGED_S = 0.4  # to be taken up and thrown takes longer; a push, a knock or a hit by a die does not
TOGETHER_S = 0.8  # dice that leave the hand together come to rest so near to each other
IN_HAND = ("moving", "held")
AT_FAULT = ("again", "doubted")  # of no use until it has been thrown again, or is believed again


class _OnTable(msgspec.Struct):
    # One die on the table. `before` is what it returns to when it is put back unrolled, `up` the
    # face that it told last. `laid_s` is when it may have been rolled, though it says that it was
    # put back; before the first of these it lay as `was`.
    kind: str
    phase: str = "lying"
    face: str = ""
    at_s: float = 0.0
    within_s: float = 0.0
    before: str = "lying"
    up: str = ""
    taken_s: float = 0.0
    was_held: bool = False
    was: str = ""
    laid_s: list[float] = []

    @property
    def is_turned(self) -> bool:
        return bool(self.laid_s) and self.was not in ("", self.up)


class RollInDoubt(msgspec.Struct, frozen=True):
    """A roll that is short unless this die of its kind was put back, and not thrown with the rest.

    die    the die in doubt, and `face` what it shows.
    faces  what the others show that were rolled.
    at_s   when the last of all of them came to rest.
    """

    die: str
    face: str
    faces: dict[str, str]
    at_s: float


class RollCollector:
    """Collects what the dice of one source say into reports; may be used from several threads.

    dice         the dice of the game that may come over this source.
    source       as the reports are signed.
    knows_hands  a die that was `held` to the last was put back for sure, as our firmware tells it.
    """

    def __init__(
        self, dice: Iterable[Die], source: str = "serial:dice", *, knows_hands: bool = True
    ) -> None:
        self.source = source
        self.knows_hands = knows_hands
        self.watermark_s = float("-inf")
        self._dice = {die.name: _OnTable(die.kind) for die in dice}
        self._labels = {name: name for name in self._dice}
        self._offers: tuple[Roll, ...] = ()
        self._told_s = float("-inf")  # the moment of the latest message
        self._lock = threading.Lock()

    def expect(self, dice: Sequence[str], at_least: int = 1) -> None:
        """Await one roll of these dice, of at least so many; no dice: none is awaited."""
        self.expect_rolls([Roll("", tuple(dice), at_least)] if dice else [])

    def expect_rolls(self, offers: Iterable[Roll]) -> None:
        """Await several rolls at once; closed offers and other sources' dice are passed over.

        An offer that lies there unchanged keeps the dice that have settled for it; what settled for
        one that has left the table counts for nothing.
        """
        with self._lock:
            mine = [self._mine(offer) for offer in offers if offer.closed is None]
            new = tuple(offer for offer in mine if offer.dice)
            if new != self._offers:
                gone = [offer for offer in self._offers if offer not in new]
                self._forget(name for name in self._dice if self._offer_for(name) in gone)
                old, self._offers = self._offers, new
                for name, die in self._dice.items():
                    if self._offer_for(name) not in old:
                        die.laid_s = []

    def forget(self) -> None:
        """Drop what lies there untold: the roll was entered in another way."""
        with self._lock:
            self._forget(self._dice)

    def take(self, message: Message) -> list[Report]:
        """Take in what the link told; return the rolls that it completes."""
        with self._lock:
            if isinstance(message, Watermark | DieMessage):
                self._told_s = max(self._told_s, message.at_s)
            if isinstance(message, Watermark):
                return self._time_passed(message.at_s)
            if isinstance(message, LinesLost):
                self._doubt(message.die)
            elif isinstance(message, DieMessage) and message.die in self._dice:
                self._note(self._dice[message.die], message)
                group = self._group_of(message.die)
                return self._complete(group, message.at_s, message.within_s)
            return []

    @property
    def rolling(self) -> dict[str, float]:
        """The dice in motion, and since when (at_s): a choice does not overtake them."""
        with self._lock:
            return {self._labels[n]: d.at_s for n, d in self._dice.items() if d.phase == "moving"}

    @property
    def asked_again(self) -> tuple[str, ...]:
        """The awaited dice that the table has to throw again."""
        with self._lock:
            again = [n for n, d in self._dice.items() if d.phase in AT_FAULT or d.laid_s]
            return tuple(self._labels[name] for name in again if self._is_missed(name))

    @property
    def in_doubt(self) -> RollInDoubt | None:
        """The roll that is not told until the table has said whether one more die was rolled."""
        with self._lock:
            for offer in self._offers:
                group = [name for name in self._dice if self._offer_for(name) == offer]
                settled = self._ready(group, offer, self._told_s)
                doubtful = self._doubtful(group, offer, settled)
                if doubtful:
                    return self._in_doubt(doubtful[0], settled)
            return None

    def was_rolled(self, die: str) -> list[Report]:
        """The table says that this die in doubt was rolled; return the roll if it is whole now."""
        return self._answered(die, rolled=True)

    def was_put_back(self, die: str) -> list[Report]:
        """The table says that this die in doubt was not rolled; return the roll without it."""
        return self._answered(die, rolled=False)

    @property
    def labels(self) -> Mapping[str, str]:
        """The name of each die as it was mapped, and the name that it bears now."""
        with self._lock:
            return dict(self._labels)

    # One die

    def _note(self, die: _OnTable, message: DieMessage) -> None:
        if isinstance(message, DieMoved | DieHeld):
            phase = "moving" if isinstance(message, DieMoved) else "held"
            if die.phase not in IN_HAND:
                die.before, die.taken_s, die.was_held = die.phase, message.at_s, False
            die.was_held = die.was_held or phase == "held"
            if die.phase != phase:
                die.phase, die.at_s = phase, message.at_s
        elif isinstance(message, DieSettled):
            die.phase, die.face = "settled", message.face
            die.up, die.laid_s = message.face, []
            die.at_s, die.within_s = message.at_s, message.within_s
        elif isinstance(message, DieCrooked):
            die.phase, die.up, die.laid_s = "again", "", []
        else:
            self._put_back(die, message)

    def _put_back(self, die: _OnTable, message: DieLies) -> None:
        phase = die.before if die.phase in IN_HAND else die.phase
        if phase in ("settled", "doubted"):
            phase = "settled" if message.face == die.face else "again"
        elif phase == "lying":
            self._lay(die, message)
        die.phase, die.up = phase, message.face
        die.at_s, die.within_s = message.at_s, message.within_s

    def _lay(self, die: _OnTable, message: DieLies) -> None:
        if die.phase == "held" and self.knows_hands:
            return
        if not die.laid_s:
            die.was = die.up
        is_turned = die.was not in ("", message.face)
        is_nudged = not die.was_held and message.at_s - die.taken_s < NUDGED_S
        if is_turned or (die.phase in IN_HAND and not is_nudged):
            die.laid_s.append(message.at_s)

    def _doubt(self, only: str) -> None:
        # Reports are missing for good. A die in a hand may have been thrown and lie there, and one
        # that has settled may have been thrown once more: their faces are not to be trusted.
        for name, die in self._dice.items():
            if only not in ("", name):
                continue
            if die.phase in IN_HAND:
                die.phase = "again"
            elif die.phase == "settled":
                die.phase = "doubted"

    def _forget(self, names: Iterable[str]) -> None:
        for name in names:
            die = self._dice[name]
            die.laid_s = []
            if die.phase in ("settled", *AT_FAULT):
                die.phase = "lying"
            elif die.phase in IN_HAND:
                die.before = "lying"

    # One roll

    def _mine(self, offer: Roll) -> Roll:
        known = tuple(die for die in offer.dice if die in self._dice)
        return Roll("", known, min(offer.at_least, len(known)))

    def _offer_for(self, name: str) -> Roll | None:
        label, kind = self._labels[name], self._dice[name].kind
        named = (offer for offer in self._offers if label in offer.dice)
        akin = (o for o in self._offers if kind in {self._dice[label].kind for label in o.dice})
        return next(named, None) or next(akin, None)

    def _group_of(self, name: str) -> list[str]:
        offer, kind = self._offer_for(name), self._dice[name].kind
        group = [other for other in self._dice if self._offer_for(other) == offer]
        if offer is None:
            group = [other for other in group if self._dice[other].kind == kind]
        return group

    def _settled(self, group: Iterable[str]) -> list[str]:
        return [name for name in group if self._dice[name].phase == "settled"]

    def _is_missed(self, name: str) -> bool:
        # A crooked die matters if it is awaited itself, or if its group has too few without it; one
        # that was laid down, if others were rolled that are too few.
        offer = self._offer_for(name)
        if offer is None:
            return False
        settled = len(self._settled(self._group_of(name)))
        is_few, is_awaited = settled < offer.at_least, self._labels[name] in offer.dice
        if self._dice[name].phase in AT_FAULT:
            return is_few or is_awaited
        return is_few and is_awaited and settled > 0

    def _holds_up(self, name: str, offer: Roll | None, now_s: float) -> bool:
        die = self._dice[name]
        is_awaited = offer is not None and self._labels[name] in offer.dice
        if die.phase in IN_HAND:
            is_coming = die.phase == "moving" or bool(die.laid_s)
            return (is_awaited and is_coming) or now_s < die.at_s + CARRIED_S
        return die.phase in AT_FAULT and is_awaited

    def _complete(self, group: Sequence[str], at_s: float, within_s: float) -> list[Report]:
        offer = self._offer_for(group[0])
        settled = self._ready(group, offer, at_s)
        if not settled or self._doubtful(group, offer, settled):
            return []
        for name in group:
            self._dice[name].laid_s = []
        return [self._report(settled, offer, at_s, within_s)]

    def _ready(self, group: Sequence[str], offer: Roll | None, now_s: float) -> list[str]:
        """The dice of a roll that waits for no other die; none if it is not whole yet."""
        settled = self._settled(group)
        is_few = len(settled) < (offer.at_least if offer is not None else 1)
        waits = is_few or any(self._holds_up(name, offer, now_s) for name in group)
        return [] if waits else settled

    # A roll in doubt

    def _doubtful(
        self, group: Sequence[str], offer: Roll | None, settled: Sequence[str]
    ) -> list[str]:
        if offer is None or not 0 < len(settled) < len(offer.dice):
            return []
        rests_s = [self._dice[name].at_s for name in settled]
        laid = [name for name in group if self._dice[name].laid_s and name not in settled]
        return [name for name in laid if self._may_be_thrown(self._dice[name], rests_s)]

    def _may_be_thrown(self, die: _OnTable, rests_s: Sequence[float]) -> bool:
        pairs = itertools.product(die.laid_s, rests_s)
        return die.is_turned or any(abs(one - other) <= TOGETHER_S for one, other in pairs)

    def _in_doubt(self, name: str, settled: Sequence[str]) -> RollInDoubt:
        faces = {self._labels[one]: self._dice[one].face for one in settled}
        at_s = max(self._dice[one].at_s for one in (name, *settled))
        return RollInDoubt(self._labels[name], self._dice[name].up, faces, at_s)

    def _answered(self, label: str, *, rolled: bool) -> list[Report]:
        with self._lock:
            name = next((n for n, own in self._labels.items() if own == label), "")
            die = self._dice.get(name)
            if die is None or not die.laid_s:
                return []
            if self._holds_up(name, self._offer_for(name), self._told_s):
                return []  # it does not lie there any more; how it comes down will tell
            if rolled:
                die.phase, die.face = "settled", die.up
            die.laid_s = []
            return self._complete(self._group_of(name), die.at_s, die.within_s)

    def _time_passed(self, at_s: float) -> list[Report]:
        self.watermark_s = max(self.watermark_s, at_s)
        reports = []
        for name, die in self._dice.items():
            if die.phase in IN_HAND and at_s >= die.at_s + CARRIED_S:
                reports += self._complete(self._group_of(name), at_s, 0.0)
        return reports

    def _report(
        self, names: Sequence[str], offer: Roll | None, at_s: float, within_s: float
    ) -> Report:
        if offer is not None:
            self._let_labels_follow(names, offer.dice)
        dice = [self._dice[name] for name in names]
        for die in dice:
            die.phase = "lying"
        faces = {self._labels[name]: self._dice[name].face for name in names}
        return Report(
            Rolled(dict(sorted(faces.items()))),
            at_s=max(at_s, *(die.at_s for die in dice)),
            within_s=max(within_s, *(die.within_s for die in dice)),
            source=self.source,
        )

    def _let_labels_follow(self, rolled: Sequence[str], awaited: Sequence[str]) -> None:
        bearer = {label: name for name, label in self._labels.items()}
        free = [label for label in awaited if bearer[label] not in rolled]
        for name in rolled:
            if self._labels[name] in awaited:
                continue
            akin = [x for x in free if self._dice[x].kind == self._dice[name].kind]
            if akin:
                free.remove(akin[0])
                other, own = bearer[akin[0]], self._labels[name]
                self._labels[name], self._labels[other] = akin[0], own
                bearer[akin[0]], bearer[own] = name, other
