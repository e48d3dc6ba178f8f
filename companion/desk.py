"""The table as the web meets it: taps in, snapshots out, from any thread.

The desk outlives the games: when one is over and another begins, the screens stay connected.
"""

from typing import Any

from companion.actions import Chose, Entry, Flipped, Report, Rolled, Undo
from companion.app import Companion
from companion.errors import IllegalAction
from companion.evidence import Evidence
from companion.offers import NOT_YOUR_TURN, Flip, Roll, accepting, why_not
from companion.referee import Referee
from companion.snapshot import who_may_undo
from companion.words import say
from web.feed import Feed

ANSWER_S = 8.0  # real time that a tap waits for the table; the race needs 0.1
HANDS = Rolled, Flipped  # what hands do


class Desk:
    """Puts what people tap to the companion that is in play."""

    def __init__(self, feed: Feed) -> None:
        self.feed = feed
        self.evidence: Evidence | None = None  # where pictures of open questions lie
        self._companion: Companion | None = None

    def serve(self, companion: Companion) -> None:
        """From now on, this is the game that the screens show."""
        self._companion = companion

    @property
    def companion(self) -> Companion:
        """The game in play; IllegalAction while there is none."""
        if self._companion is None:
            raise IllegalAction("no_game", "The table is being laid out; one moment.")
        return self._companion

    def snapshot(self) -> dict[str, Any]:
        """Everything that a screen shows."""
        return self.companion.snapshot()

    def now_s(self) -> float:
        """Seconds since the start of the game."""
        room = self.companion.room
        return room.now_s() if room is not None else self.companion.clock.now_s()

    def act(
        self,
        entry: Entry,
        *,
        step: int | None,
        player: str | None,
        arrived_s: float | None = None,
    ) -> dict[str, Any]:
        """Put an entry to the table and wait for its answer."""
        check_hand(entry, player, self.companion)
        if isinstance(entry, Undo) and player is not None:
            self.companion.call(lambda: check_own(self.companion.referee, player))
        at_s = self.now_s() if arrived_s is None else arrived_s
        by = f"web:{player}" if player else "web"
        report = Report(entry, at_s=at_s, source=by)
        ticket = self.companion.inbox.put(report, seen=step)
        return {"step": ticket.wait(ANSWER_S).number}

    def throw(self, player: str, dice: list[str], *, step: int | None) -> dict[str, Any]:
        """Throw simulated dice for a player, if the table awaits them."""
        companion = self.companion
        if not companion.simulated:
            raise IllegalAction("no_simulated_dice", "These dice are real: throw them by hand.")
        companion.call(lambda: throw_for(companion, player, tuple(dict.fromkeys(dice)), step))
        return {"step": companion.referee.number}

    def turn_up(self, player: str, square: str, *, step: int | None) -> dict[str, Any]:
        """Let a simulated hand turn up a tile or card for a player, if the table awaits it."""
        companion = self.companion
        if not companion.simulated:
            raise IllegalAction("no_simulated_tiles", "These tiles are real: turn them up by hand.")
        companion.call(lambda: turn_up_for(companion, player, square, step))
        return {"step": companion.referee.number}

    def take_seat(self, player: str) -> dict[str, Any]:
        """A real person plays this seat."""
        return self._seat(player, person=True)

    def leave_seat(self, player: str) -> dict[str, Any]:
        """A simulated person plays this seat."""
        return self._seat(player, person=False)

    def new_game(self) -> dict[str, Any]:
        """Another game with the same seats, once this one is over."""
        companion = self.companion
        if companion.referee.outcome is None:
            raise IllegalAction("game_not_over", "This game is not over yet.")
        companion.wants_another = True
        companion.inbox.stir()
        return {"step": 0}

    def answer(self, question: str, face: str) -> dict[str, Any]:
        """Answer what a sensor asked."""
        companion = self.companion
        ticket = companion.call(lambda: companion.answer(question, face))
        if ticket is None:
            return {"step": companion.referee.number}
        return {"step": ticket.wait(ANSWER_S).number}

    def _seat(self, player: str, *, person: bool) -> dict[str, Any]:
        companion = self.companion
        if player not in companion.referee.table.seats:
            raise IllegalAction(
                "unknown_player", say("Nobody here is called {name}.", name=repr(player))
            )
        companion.call(lambda: companion.seat(player, person=person))
        return {"player": player, "person": person}


def check_hand(entry: Entry, player: str | None, companion: Companion) -> None:
    """A person chooses for nobody else, and lends her hands to simulated players only.

    These ask the people of a real table to throw their dice and to turn up their tiles.
    """
    thrown = accepting(companion.referee.offers, entry) if isinstance(entry, HANDS) else None
    whose = entry.player if isinstance(entry, Chose) else thrown.player if thrown else None
    people = companion.room.people if companion.room is not None else set()
    is_lent = thrown is not None and not companion.simulated and whose not in people
    if player is not None and whose is not None and whose != player and not is_lent:
        raise IllegalAction("not_your_seat", say("That is for {player} to decide.", player=whose))


def check_own(referee: Referee, player: str) -> None:
    """A person takes back what she did herself, while nothing has happened since; no more."""
    if who_may_undo(referee) != player:
        raise IllegalAction(
            "not_your_step", "You can take back your own last choice only; ask the referee."
        )


def throw_for(companion: Companion, player: str, dice: tuple[str, ...], step: int | None) -> None:
    """Throw if an open roll of this player fits; runs in the deciding thread."""
    offers, thrown = companion.referee.offers, Rolled(dict.fromkeys(dice, ""))
    if step is not None:
        companion.referee.check_fresh(thrown, step)
    for offer in offers:
        if not isinstance(offer, Roll) or offer.closed is not None or offer.player != player:
            continue
        if set(dice) <= set(offer.dice) and len(dice) >= offer.at_least:
            assert companion.room is not None
            companion.room.throw(player, list(dice))
            return
    others = any(offer.closed is None and offer.refuses(thrown) is None for offer in offers)
    why = NOT_YOUR_TURN if others else why_not(offers, thrown)
    raise IllegalAction(why.code, why.message)


def turn_up_for(companion: Companion, player: str, square: str, step: int | None) -> None:
    """Turn up if an open flip of this player names the square; runs in the deciding thread."""
    offers = companion.referee.offers
    flips = [o for o in offers if isinstance(o, Flip) and o.closed is None and square in o.squares]
    face = next((one for offer in flips for one in offer.faces), "")
    flipped = Flipped(square, face)
    if step is not None:
        companion.referee.check_fresh(flipped, step)
    if any(offer.player == player for offer in flips):
        assert companion.room is not None
        companion.room.turn_up(player, square)
        return
    why = NOT_YOUR_TURN if flips else why_not(offers, flipped)
    raise IllegalAction(why.code, why.message)
