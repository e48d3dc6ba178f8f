"""The desk with everything that a referee of the house does: history, pauses, other games, health.

Whatever asks the table runs in its deciding thread; what lies in the journal is read beside it.
"""

import time
from collections.abc import Callable, Collection
from typing import Any, get_origin

import msgspec

from companion.actions import Action, Adjusted, Correct, Report, Rolled
from companion.alternatives import alternatives
from companion.app import Companion
from companion.chronicle import chronicle, past, remembered
from companion.config import game_named, players_named
from companion.desk import Desk
from companion.errors import CompanionError, ConfigError, IllegalAction
from companion.house_dice import HouseDice
from companion.house_manner import HouseManner, Mannered
from companion.journal import Journal
from companion.live_pictures import LivePictures, camera_rows
from companion.protocol import checked_options
from companion.records import exported
from companion.referee import Referee
from companion.righting import counter_rows, labelled, review
from companion.scripts import Game
from companion.snapshot import step_row
from companion.standing import Meter, refusal_of
from companion.words import say
from web.feed import Feed

STUCK_S = 10.0  # a deciding loop that has not gone round for so long is stuck
MOST_STEPS = 500
BY_HAND = Adjusted("", 0)  # stands for whatever a person does with the game as a whole


class HouseDesk(Desk):
    """One table in its house; `journal` is given once it is open."""

    def __init__(self, feed: Feed, meter: Meter | None = None) -> None:
        super().__init__(feed)
        self.journal: Journal | None = None
        self.meter = meter
        self._live = LivePictures()
        self._dice = HouseDice()
        self.manners = HouseManner(None)
        self.url = ""  # of the dashboard
        self.wanted: dict[str, Any] = {}  # what the next game changes: game, players, options
        self.check: Callable[[dict[str, Any]], None] = lambda wanted: None  # raises what is wrong
        self.devices: dict[str, Any] = {}  # settings of dice and cameras that were changed since

    def serve(self, companion: Companion) -> None:
        """From now on, this is the game that the screens show."""
        companion.meter = self.meter
        super().serve(companion)

    # --- looking ----------------------------------------------------------------------------------

    def steps(self, after: int, limit: int) -> list[dict[str, Any]]:
        """The steps after number `after`, oldest first, as far as they may be shown."""
        companion, most = self.companion, min(limit, MOST_STEPS)

        def look() -> list[dict[str, Any]]:
            referee = companion.referee
            return [step_row(referee, step) for step in referee.history[after : after + most]]

        return companion.call(look)

    def step(self, number: int) -> dict[str, Any]:
        """One step; raises IllegalAction `unknown_step`."""
        referee = self.companion.referee
        return self.companion.call(lambda: step_row(referee, referee.step(number)))

    def alternatives(self, number: int) -> list[dict[str, Any]]:
        """What a choice or tile of an earlier step may really have been, as it counts now first."""
        referee = self.companion.referee
        return self.companion.call(lambda: alternatives(referee, number))

    def preview(self, step: int, action: Action, *, drop_later: bool) -> dict[str, Any]:
        """What a correction would change: counters before and after. Raises IllegalAction."""
        referee = self.companion.referee
        wish = Correct(step, action, drop_later)
        return self.companion.call(lambda: labelled(referee, referee.preview(wish)))

    def review(
        self, before: int | None, most: int, opened: Collection[int] = ()
    ) -> list[dict[str, Any]]:
        """The newest steps first, as a referee sees them; with what the opened ones may be."""
        referee, rows = self.companion.referee, min(most, MOST_STEPS)
        return self.companion.call(lambda: review(referee, before, rows, opened))

    def counters(self) -> list[dict[str, Any]]:
        """Every public count with its label, and whether it can be set by hand."""
        referee = self.companion.referee
        return self.companion.call(lambda: counter_rows(referee))

    def health(self) -> dict[str, Any]:
        """Whether the table works, and what is wrong in sentences."""
        troubles: list[str] = []
        try:
            companion = self.companion
        except IllegalAction as error:
            return {"ok": True, "troubles": [error.message]}
        silent_s = time.monotonic() - companion.looked_s
        if silent_s > STUCK_S:
            troubles.append(
                say("The table has decided nothing for {seconds} seconds.", seconds=round(silent_s))
            )
        if companion.journal_error is not None:
            troubles.append(companion.journal_error)
        return {"ok": not troubles, "troubles": troubles}

    def gauges(self) -> dict[str, dict[str, float]]:
        """Numbers to watch: age of what each sensor saw last, and lines that were lost."""
        try:
            companion = self.companion
        except IllegalAction:
            return {"ages_s": {}, "lost_lines": {}}
        port = getattr(getattr(companion.room, "receiver", None), "port", None)
        lost = {} if port is None else {"dice": float(port.health().counts.lost)}
        return {"ages_s": companion.inbox.ages_s(), "lost_lines": lost}

    def cameras(self) -> list[dict[str, Any]]:
        """The cameras of this table: name and label."""
        return camera_rows(self.companion.room)

    def live(self, name: str) -> tuple[str, float, bytes, tuple[str, ...]] | None:
        """What a camera sees: a tag, its age in s, the JPEG, and what the numbers on it mean."""
        companion = self.companion
        secret = companion.referee.keeps_secrets
        seen = self._live.newest(companion.room, name, keeps_secrets=secret)
        if seen is None:
            return None
        age_s = max(0.0, companion.clock.now_s() - seen.at_s)
        return seen.tag, age_s, seen.jpeg, seen.legend

    def games(self) -> list[dict[str, Any]]:
        """All games of the journal, oldest first."""
        return [remembered(row) for row in self._journal().games()]

    def export(self, number: int) -> dict[str, Any]:
        """One game with all its steps; raises ConfigError for a number that is not there."""
        journal = self._journal()
        row = journal.game(number)
        return exported(row, list(journal.steps(number)))

    def chronicle(self, number: int) -> dict[str, Any]:
        """Scores, luck, time and dice of one game; raises ConfigError for a number not there."""
        journal = self._journal()
        row = journal.game(number)
        return chronicle(row, list(journal.steps(number)))

    def house_dice(self) -> dict[str, Any]:
        """How fair the dice of all games were, by kind of game."""
        return self._dice.fairness(self._journal())

    def past(self, number: int, step: int) -> dict[str, Any]:
        """The table of a game as it lay after a step; raises IllegalAction where that is hidden."""
        journal = self._journal()
        row = journal.game(number)
        return past(row, list(journal.steps(number)), step)

    def _journal(self) -> Journal:
        if self.journal is None:
            raise IllegalAction("no_journal", "This table keeps no journal.")
        return self.journal

    # --- simulated hands --------------------------------------------------------------------------

    def throw(self, player: str, dice: list[str], *, step: int | None) -> dict[str, Any]:
        """Throw simulated dice, unless the table stands still."""
        check_going(self.companion)
        return super().throw(player, dice, step=step)

    def turn_up(self, player: str, square: str, *, step: int | None) -> dict[str, Any]:
        """Let a simulated hand turn something up, unless the table stands still."""
        check_going(self.companion)
        return super().turn_up(player, square, step=step)

    # --- steering ---------------------------------------------------------------------------------

    def manner(self) -> dict[str, bool | float]:
        """How quiet and how loud lamps, sounds and voice are: `quiet`, and `volume` from 0 to 1."""
        return self.manners.now()

    def be(self, *, quiet: bool | None, volume: float | None) -> dict[str, bool | float]:
        """Be quiet or loud from now on, in the games to come too; None leaves it as it is."""
        now = self.manners.change(quiet, volume)
        self._tell_manner()
        return now

    def take_alerts(self, alerts: Mannered) -> None:
        """A game begins with these alerts: they and the screens are to be as was set."""
        self.manners.begin(alerts)
        self._tell_manner()

    def _tell_manner(self) -> None:
        self.feed.publish("manner", self.manner(), None)

    def check_step(self, step: int) -> None:
        """Raise StaleTap if what a screen showed belongs to another game."""
        companion = self.companion
        companion.call(lambda: companion.referee.check_fresh(BY_HAND, step))

    def pause(self, *, paused: bool) -> dict[str, Any]:
        """Let the game stand still, or go on; twice does no harm."""
        companion = self.companion
        check_running(companion)
        companion.call(lambda: companion.stand(paused=paused))
        return {"step": companion.referee.number, "paused": paused}

    def end_game(self) -> dict[str, Any]:
        """End a game before its end, for good; raises IllegalAction when it is over."""
        companion = self.companion
        check_running(companion)
        if companion.referee.outcome is not None:
            raise IllegalAction("game_over", "The game is over.")
        if self.journal is not None:
            self.journal.end(companion.number)
        companion.call(lambda: companion.stand(ended=True, paused=False))
        companion.inbox.stir()
        return {"step": companion.referee.number, "ended": True}

    def new_game(
        self,
        game: str | None = None,
        players: list[str] | None = None,
        options: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Begin another game when one is over, with the same seats where nothing else is said.

        Raises IllegalAction `game_not_over`, or `bad_setup` for what does not fit.
        """
        companion = self.companion
        if not companion.is_over:
            raise IllegalAction("game_not_over", "This game is not over yet.")
        try:
            return self.go_over_to(wanted(companion.referee, game, players, options))
        except ConfigError as error:
            raise IllegalAction("bad_setup", str(error)) from error

    def go_over_to(self, setting: dict[str, Any]) -> dict[str, Any]:
        """Leave what is in play as the journal has it, and play on with `setting`, at once.

        setting  what changes: game, players, options; or `new` as False with other devices, to go
                 on with the same game.
        Raises IllegalAction `bad_setup` where the devices do not fit the game.
        """
        companion, wanted = self.companion, {**self.devices, **setting}
        try:
            self.check(wanted)
        except CompanionError as error:
            raise IllegalAction("bad_setup", str(error)) from error
        self.wanted = wanted
        companion.wants_another = True
        companion.inbox.stir()
        return {"step": 0}

    def take_up_anew(self) -> dict[str, Any]:
        """Go on with the game in play, with the devices as they are set now."""
        same = wanted(self.companion.referee, None, None, None)
        return self.go_over_to({**same, "new": False, "number": self.companion.number})


def check_running(companion: Companion) -> None:
    """Raise IllegalAction once the game was ended."""
    if companion.ended:
        raise IllegalAction("game_ended", "This game was ended; begin another.")


def check_going(companion: Companion) -> None:
    """Raise IllegalAction while the table stands still."""
    why = refusal_of(Report(Rolled({})), paused=companion.paused, ended=companion.ended)
    if why is not None:
        raise why


def wanted(
    before: Referee,
    game: str | None,
    names: list[str] | None,
    options: dict[str, Any] | None,
) -> dict[str, Any]:
    """What another game changes in the setting of the last one; raises ConfigError."""
    chosen = before.game if game is None else game_named(game)
    players = before.players if names is None else tuple(players_named(tuple(names)))
    same_rules = chosen is before.game and options is None
    rules = before.options if same_rules else rules_of(chosen, options or {})
    try:
        Referee(chosen, players, rules)
    except CompanionError as error:
        raise ConfigError(str(error)) from error
    return {"game": chosen, "players": players, "options": rules}


def rules_of(game: Game, options: dict[str, Any]) -> msgspec.Struct:
    """House rules from a screen: values only, never the name of a file on this machine."""
    tables = {f.name for f in msgspec.structs.fields(game.options) if get_origin(f.type) is dict}
    for name, value in options.items():
        if name in tables and not isinstance(value, dict):
            raise ConfigError(
                say("option {name}: expected a table of values, got {got!r}", name=name, got=value)
            )
    return checked_options(game.options, options)
