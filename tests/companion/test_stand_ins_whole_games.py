"""Simulated players at a real table, through whole games: people only lend them their hands."""

import random

import pytest

from companion.actions import Chose, Report
from companion.app import Companion
from companion.clock import SimulatedClock
from companion.config import DiceSettings
from companion.games import GAMES
from companion.inbox import Inbox
from companion.offers import NOT_OFFERED, Choose, Roll, Wait
from companion.players import Chance, Intent, action_of, seat_simulated, some_players
from companion.real_room import RealRoom
from companion.referee import Referee
from companion.stand_ins import LEAST_S, thought_s

ROUND_S = 0.25  # the loop of a real table looks around so often
STILL = 400  # rounds without a step: nobody knows what to do


class Evening:
    """Bo and Cy are there, Ann has gone home; people do what they want to, and what they are asked.

    seen  what stand-ins asked for, sentence by sentence.
    """

    def __init__(self, game, seed=1, players=3, gone=("ann",)):
        self.clock, self.rng = SimulatedClock(0.0), random.Random(seed)
        self.referee = Referee(GAMES[game], some_players(players))
        self.inbox = Inbox(self.clock)
        self.inbox.wait = lambda seconds: None  # nobody stirs but this test
        self.room = RealRoom(self.referee, self.inbox, self.clock, DiceSettings())
        self.companion = Companion(
            self.referee, self.inbox, self.clock, journal=None, number=1, simulated=False
        )
        self.companion.begin(self.room)
        for seat in gone:
            self.companion.seat(seat, person=False)
        seats = set(self.referee.table.seats) - set(gone)
        self.people = {
            seat: one
            for seat, one in seat_simulated(GAMES[game], self.referee.table.seats, seed).items()
            if seat in seats
        }
        self.chance, self.plans, self.seen, self.refused = Chance(self.rng), {}, [], []
        self._step = -1

    def happens(self, action, source):
        ticket = self.inbox.put(Report(action, at_s=self.clock.now_s(), source=source))
        while self.companion.decide():
            pass
        if ticket.error is not None:
            self.refused.append((action, ticket.error))

    def goes_round(self):
        self.clock.move_to(self.clock.now_s() + ROUND_S)
        self.inbox.stir()
        self.room.advance(None)
        while self.companion.decide():
            pass
        if self.referee.number != self._step:
            self._step = self.referee.number
            self.seen += [one["text"] for one in self.room.asks()]
            self._think()

    def _think(self):
        now_s, table = self.clock.now_s(), self.referee.table
        intents = {s: p.intend(table, self.referee.offers) for s, p in self.people.items()}
        self.plans = {s: (now_s + max(ROUND_S, i.delay_s), i) for s, i in intents.items() if i}

    def acts(self):
        """One thing that hands or voices do, if anything is due."""
        asked = [self.room.stand_ins._plans[one["player"]][1] for one in self.room.asks()]
        if asked and self.rng.random() < 0.3:
            self.happens(self._of(asked[0]), "camera:tray")
            return
        due = [s for s, (at_s, _) in self.plans.items() if at_s <= self.clock.now_s()]
        for seat in due[:1]:
            intent = self.plans.pop(seat)[1]
            said = isinstance(intent.offer, Choose)
            self.happens(self._of(intent), f"web:{seat}" if said else "camera:tray")

    def _of(self, intent):
        return action_of(intent, self.referee.table, self.chance)

    def is_played(self):
        still, step = 0, -1
        while not self.companion.is_over and still < STILL and step < 2000:
            self.goes_round()
            self.acts()
            still, step = (still + 1 if self.referee.number == step else 0), self.referee.number
        self.room.close()
        return self.referee.outcome is not None


@pytest.mark.parametrize("game", list(GAMES))
@pytest.mark.parametrize("gone", [("ann",), ("ann", "bo", "cy")])
def test_stand_ins_play_every_game_to_its_end(game, gone):
    evening = Evening(game, gone=gone)
    assert evening.is_played()
    assert evening.refused == []
    assert evening.companion.questions == {}
    chosen = [s.report for s in evening.referee.history if isinstance(s.report.action, Chose)]
    by = {(one.action.player, one.source.partition(":")[0]) for one in chosen}
    assert by == {(s, "simulated" if s in gone else "web") for s in evening.referee.table.seats}
    assert evening.seen
    assert not any("_" in text for text in evening.seen)


def test_stand_in_calls_out_in_the_race_as_fast_as_a_person():
    evening, waits = Evening("troll_and_dragon", players=2), []
    for _ in range(2 * STILL):
        table, due_s = evening.referee.table, evening.room.stand_ins.next_due_s()
        if table.active == "ann" and due_s is not None and table.phase == "cavern":
            waits.append(due_s - evening.clock.now_s())
        evening.goes_round()
        evening.acts()
    evening.room.close()
    assert 0 < max(waits) < LEAST_S / 2


def test_stand_in_is_not_quick_with_what_everybody_knows():
    """Once the Dragon is up, whoever is quick would win every photo finish."""
    leave = Choose("ann", "leave", overtakes=True)
    race = [Roll("ann", ("gold-1", "gold-2")), leave]
    over = [Roll("ann", ("gold-1", "gold-2"), closed=NOT_OFFERED), Wait(9.0), leave]
    quick = Intent(leave, delay_s=0.2)
    assert [thought_s(quick, offers) for offers in (race, over)] == [0.2, LEAST_S]
    assert thought_s(Intent(Choose("ann", "leave"), delay_s=0.2), race) == LEAST_S


def test_stand_ins_ask_in_words_that_hands_understand():
    dice = Evening("roll_for_adventure", players=2)
    dice.is_played()
    tiles = Evening("schatz_der_drachen", players=2)
    tiles.goes_round()
    [asked] = tiles.room.asks()
    tiles.room.close()
    assert "Please turn up the next card for Ann." in dice.seen
    assert "Please throw 1 green die and 5 red dice for Ann." in dice.seen
    assert asked["text"] == f"Please turn up ({asked['square']}) for Ann."
    assert asked["square"] in tiles.referee.table.squares
