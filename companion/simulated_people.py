"""The people of the simulated room: what they are about to do, have thrown, and see lying there.

They do what people do whose sensors fail: they look at a die that the camera cannot read, say
whether a roll counts that was learned of too late, throw again what nobody has read, and read it
aloud when that does not help either. While dice of theirs lie otherwise than the table shows, they
decide nothing; while the screens say that the game waits, so do they. What a real person threw is
left to that person.
"""

import math
import random
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from companion.asking import COUNT_IT, IGNORE_IT, NO_ROLL, Asked
from companion.offers import Offer, Roll
from companion.players import Chance, Intent, seat_simulated
from companion.referee import Referee
from companion.sensing import Asks, faces_of

LOOK_CLOSER_S = 1.5  # so long a person takes to answer what the table asks
GIVE_UP_S = 6.0  # a throw that nobody has read by then is thrown again
AGAIN_S = 0.6  # and so long it takes to gather them
TRIES = 2  # then people look for themselves, and enter it
TINY_S = 1e-6


@dataclass
class Plan:
    """What a simulated person is about to do, and when."""

    at_s: float
    intent: Intent


class SimulatedPeople:
    """The simulated people of one table, and what everybody there has thrown.

    real    seats that real people have taken.
    look    what somebody sees up who looks at the die or tile of that name; None for nothing.
    """

    def __init__(
        self,
        referee: Referee,
        ask: Asks,
        seed: int,
        *,
        real: set[str],
        look: Callable[[str], str | None],
    ) -> None:
        self.chance = Chance(random.Random(f"{seed}/chance"))
        self.plans: dict[str, Plan] = {}
        self.thrown: dict[str, tuple[frozenset[str], float]] = {}  # and not read yet
        self._players = seat_simulated(referee.game, referee.table.seats, seed)
        self._ask, self._real, self._look = ask, real, look
        self._asked_s: dict[str, float] = {}  # since when a question has been open
        self._last_s: dict[str, float] = {}  # when a die was thrown, or a tile turned, last
        self._unread: dict[str, int] = {}  # seat -> throws in a row that nobody could read
        self._again: dict[str, frozenset[str]] = {}  # seat -> dice that have to be thrown again
        self._aloud: dict[str, tuple[frozenset[str], float]] = {}  # entered, and not decided yet
        self._told_to_wait_s = -math.inf  # when the screens said so last

    # --- what they do -----------------------------------------------------------------------------

    def plan(self, referee: Referee, now_s: float, is_busy: Callable[[str], bool]) -> None:
        """Let every simulated person look at the table and make up her mind."""
        for seat, player in self._players.items():
            self.plans.pop(seat, None)
            if seat in self._real or is_busy(seat) or self._waits_for_dice(seat, now_s):
                continue
            intent = self._throw_again(seat, referee.offers)
            intent = intent or player.intend(referee.table, referee.offers)
            if intent is not None:
                self.plans[seat] = Plan(now_s + intent.delay_s, intent)

    def due(self, now_s: float) -> list[tuple[str, Intent]]:
        """What they do now."""
        seats = [seat for seat, plan in self.plans.items() if plan.at_s <= now_s]
        return [(seat, self.plans.pop(seat).intent) for seat in seats]

    def moments(self, now_s: float) -> list[float]:
        """When somebody may do or say something next."""
        moments = [plan.at_s for plan in self.plans.values()]
        waiting = (*self.thrown.values(), *self._aloud.values())
        moments += [max(at_s, self._told_to_wait_s) + GIVE_UP_S for _, at_s in waiting]
        answers = (at_s + LOOK_CLOSER_S for at_s in self._asked_s.values())
        return moments + [at_s for at_s in answers if at_s > now_s]

    # --- what they have thrown --------------------------------------------------------------------

    def threw(self, player: str, names: Iterable[str], now_s: float) -> None:
        """Somebody has thrown these dice, or turned up this tile; sensors will tell."""
        self._again.pop(player, None)
        self.thrown[player] = (frozenset(names), now_s)
        self._last_s.update(dict.fromkeys(self.thrown[player][0], now_s))
        self.plans.pop(player, None)

    def resolved(self, names: Collection[str], at_s: float) -> None:
        """These have been read as they lay then; whoever had thrown them before may go on."""
        read = frozenset(names)
        for seat in self._who_waits(self.thrown, read, at_s):
            del self.thrown[seat]
            self._unread.pop(seat, None)
        for seat in self._who_waits(self._aloud, read, at_s):
            del self._aloud[seat]

    @staticmethod
    def _who_waits(
        since: Mapping[str, tuple[frozenset[str], float]], read: frozenset[str], at_s: float
    ) -> list[str]:
        """Who has waited since before that moment to learn what some of these dice show."""
        return [seat for seat, (dice, then_s) in since.items() if dice & read and then_s <= at_s]

    @property
    def unread(self) -> set[str]:
        """Dice and squares that have been thrown or turned up, and that no sensor has told yet."""
        return {name for thrown, _ in self.thrown.values() for name in thrown}

    def _waits_for_dice(self, seat: str, now_s: float) -> bool:
        thrown = self.thrown.get(seat)
        if thrown is not None and self._is_over(thrown[1], now_s):
            self._again[seat] = thrown[0]
            del self.thrown[seat]
            return False
        return thrown is not None or seat in self._aloud

    def _is_over(self, since_s: float, now_s: float) -> bool:
        """True if the patience of somebody is over who has waited since then."""
        return now_s - max(since_s, self._told_to_wait_s) >= GIVE_UP_S - TINY_S

    def _throw_again(self, seat: str, offers: Iterable[Offer]) -> Intent | None:
        """Throw the dice that nobody could read, those that are still awaited, before all else."""
        unread = self._again.get(seat, frozenset())
        for offer in offers if unread else ():
            match offer:
                case Roll(player=player, closed=None) if player == seat:
                    dice = tuple(die for die in offer.dice if die in unread)
                    if len(dice) >= offer.at_least:
                        return Intent(offer, dice, delay_s=AGAIN_S)
        self._again.pop(seat, None)  # the table has gone on without them
        return None

    def give_up(self, now_s: float) -> tuple[bool, list[list[str]]]:
        """True if somebody's patience has ended; and what people read aloud instead of sensors.

        Dice that nobody has read for so long are thrown again; by real people, if they want.
        """
        if self._ask.game_waits:
            self._told_to_wait_s = now_s
        late, late_aloud = (
            [seat for seat, (_, at_s) in waiting.items() if self._is_over(at_s, now_s)]
            for waiting in (self.thrown, self._aloud)
        )
        for seat in late_aloud:
            del self._aloud[seat]
        aloud = []
        for seat in late:
            self._unread[seat] = self._unread.get(seat, 0) + 1
            if seat in self._real:
                del self.thrown[seat]
            elif self._unread[seat] >= TRIES:
                del self._unread[seat]
                dice = self.thrown.pop(seat)[0]
                self._aloud[seat] = dice, now_s
                aloud.append(sorted(dice))
        return bool(late or late_aloud), aloud

    # --- what they are asked ----------------------------------------------------------------------

    def answer_questions(self, now_s: float) -> None:
        """Answer what has been open for so long that somebody has had time to look."""
        open_ones = {asked.id: asked for asked in self._ask.open_ones()}
        self._asked_s = {name: self._asked_s.get(name, now_s) for name in open_ones}
        for name, asked in open_ones.items():
            if now_s >= self._asked_s[name] + LOOK_CLOSER_S - TINY_S:
                said = self._say(asked)
                if said in asked.faces:
                    self._ask.answer(name, said)

    def _say(self, asked: Asked) -> str:
        """What somebody says who looks; empty where that is a real person's, or nobody's to say."""
        if asked.late is not None:
            return self._whether_it_counts(asked)
        if NO_ROLL in asked.faces and not (self.thrown or self._real):
            return NO_ROLL
        throwers = self._throwers(asked.dice)
        if not throwers or throwers & self._real:
            return ""
        if set(asked.faces) <= self._last_s.keys():  # which of these was turned up first?
            return min(asked.faces, key=self._last_s.__getitem__, default="")
        return self._look(asked.dice[0]) or ""

    def _whether_it_counts(self, asked: Asked) -> str:
        """A roll that was learned of too late counts unless its dice have been thrown since."""
        assert asked.late is not None
        dice, at_s = faces_of(asked.late), asked.late.at_s or 0.0
        if self._throwers(dice) & self._real or set(self._players) <= self._real:
            return ""
        is_old = any(self._last_s.get(die, 0.0) > at_s for die in dice)
        return COUNT_IT if self._throwers(dice) and not is_old else IGNORE_IT

    def _throwers(self, names: Collection[str]) -> set[str]:
        return {seat for seat, (thrown, _) in self.thrown.items() if thrown & set(names)}
