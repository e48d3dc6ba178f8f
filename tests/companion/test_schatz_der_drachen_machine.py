"""What holds at any moment of Schatz der Drachen, whatever people do."""

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from companion.actions import Adjusted, Chose, Flipped, Report, Undo
from companion.games.schatz_der_drachen import GAME
from companion.games.schatz_der_drachen.pieces import GUARD, KINDS, SPIDER, TREASURES
from companion.offers import Choose, Flip
from companion.players import Chance, some_players
from companion.players.schatz_der_drachen import TreasureHunter
from companion.referee import Referee
from companion.view import Grid

HOUSES: dict[str, dict[str, Any]] = {
    "usual": {},
    "short": {"square": "6x6", "surplus": "latest_stays"},
    "wild": {"spider_goes": "swap", "may_decline": True, "dragons_chase": True, "allow_pass": True},
    "vote": {"spider_mover": "vote", "close_eyes": True, "assist_level": "full"},
}


class Cave(RuleBasedStateMachine):
    """People turn up tiles, stop, keep, move spiders and take things back."""

    house = "usual"

    @initialize(seed=st.integers(0, 999), count=st.integers(2, 5))
    def lay_out(self, seed: int, count: int) -> None:
        options = GAME.options(**HOUSES[self.house])
        self.referee = Referee(GAME, some_players(count), options)
        self.rng = random.Random(seed)
        self.chance = Chance(random.Random(seed))
        self.chance.flip(self.table, "0,0")
        self.adjusted = False
        self.hunter = TreasureHunter(1.0)

    # --- what people see on the real table ----------------------------------------------------

    @property
    def table(self) -> Any:
        return self.referee.table

    @property
    def going_on(self) -> bool:
        return self.referee.outcome is None

    def lying(self) -> dict[str, str]:
        """What really lies on each square."""
        faces = self.chance.hidden["tiles"]
        return {square: faces[tile] for square, tile in self.table.tiles.items() if tile}

    def open_offers(self, kind: type) -> list[Any]:
        return [o for o in self.referee.offers if type(o) is kind and o.closed is None]

    def act(self, action: Any) -> None:
        """Apply an action; check what it did to the tiles."""
        before, piles = self.lying(), Counter(self.pile_counts())
        step = self.referee.apply(Report(action))
        cues = [told.cue.name for told in step.told]
        after, more = self.lying(), Counter(self.pile_counts()) - piles
        if "collected" in cues:
            assert not (more[GUARD] and any(more[kind] for kind in TREASURES))
        elif self.going_on:
            assert not more
            assert Counter(after.values()) == Counter(before.values())
        if "clash" in cues:
            assert after == before
        if "collected" not in cues:
            moved = [s for s in after if before.get(s) != after[s]]
            assert len(moved) <= (2 if self.house == "wild" else 1)
        if "your_turn" in cues:
            assert not self.table.up

    def pile_counts(self) -> dict[str, int]:
        return {kind: self.table.collected(kind) for kind in KINDS}

    # --- what they do -------------------------------------------------------------------------

    @precondition(lambda self: self.going_on)
    @rule()
    def turn_up_any_tile(self) -> None:
        flips = self.open_offers(Flip)
        if flips:
            square = self.rng.choice(flips[0].squares)
            self.act(Flipped(square, self.chance.flip(self.table, square)))

    @precondition(lambda self: self.going_on)
    @rule(at=st.integers(0, 99), value=st.integers(0, 99))
    def decide_something(self, at: int, value: int) -> None:
        chooses = self.open_offers(Choose)
        if chooses:
            choose = chooses[at % len(chooses)]
            values = choose.values or (None,)
            self.act(Chose(choose.player, choose.choice, values[value % len(values)]))

    @precondition(lambda self: self.going_on)
    @rule(steps=st.integers(5, 60))
    def play_on_well(self, steps: int) -> None:
        """A few turns of somebody who cheats and remembers all, so that games come to an end."""
        for _ in range(steps):
            if not self.going_on:
                return
            self.hunter.known = dict(self.chance.hidden["tiles"])
            offers = [o for o in self.referee.offers if o.closed is None]
            mine = [o for o in offers if o.player == offers[0].player]
            intent = self.hunter(self.table, offers[0].player, mine, self.rng)
            if isinstance(intent.offer, Flip):
                self.act(Flipped(intent.value, self.chance.flip(self.table, intent.value)))
            else:
                self.act(Chose(intent.offer.player, intent.offer.choice, intent.value))

    @precondition(lambda self: self.referee.undoable is not None)
    @rule(times=st.integers(1, 4))
    def take_back(self, times: int) -> None:
        for _ in range(times):
            if self.referee.undoable is not None:
                self.referee.apply(Report(Undo()))

    # --- what always holds --------------------------------------------------------------------

    @invariant()
    def no_tile_appears_or_vanishes(self) -> None:
        (grid,) = [c for c in self.table.view().zones[0].components if isinstance(c, Grid)]
        lying = sum(cell.status != "gap" for cell in grid.cells)
        box = sum(self.table.box.values())
        assert lying + sum(self.pile_counts().values()) == box
        assert lying == self.table.counters["tiles.left"] == len(self.lying())

    @invariant()
    def piles_hold_whole_sets(self) -> None:
        for pile in self.table.piles.values():
            assert all(pile[kind] % size == 0 for kind, size in self.table.sets.items())
            assert self.referee.outcome is not None or pile[SPIDER] == 0

    @invariant()
    def what_is_left_can_be_collected(self) -> None:
        """Scenario 39."""
        for kind, size in self.table.sets.items():
            assert self.table.left(kind) % size == 0
            assert 0 <= self.table.left(kind) <= self.table.box[kind]

    @invariant()
    def the_game_ends_when_only_spiders_are_left(self) -> None:
        left = [kind for kind in KINDS if kind != SPIDER and self.table.left(kind)]
        assert (self.referee.outcome is None) == bool(left)

    @invariant()
    def what_is_shown_is_what_lies_there(self) -> None:
        """Nobody sees a back as a face, a face as a back, or a face that is not there."""
        (grid,) = [c for c in self.table.view().zones[0].components if isinstance(c, Grid)]
        lying = self.lying()
        for cell in grid.cells:
            up = self.table.up.get(cell.name)
            assert cell.face == up
            assert up is None or lying[cell.name] == up
            assert (cell.status == "gap") == (cell.name not in lying)

    @invariant()
    def somebody_can_do_something(self) -> None:
        open_ones = [o for o in self.referee.offers if o.closed is None]
        assert bool(open_ones) == self.going_on
        assert all(o.squares for o in open_ones if isinstance(o, Flip))


@pytest.mark.parametrize("house", HOUSES)
def test_invariants_hold_when_people_do_anything(house: str) -> None:
    machine = type("Cave", (Cave,), {"house": house})
    few = settings(max_examples=7, stateful_step_count=20)
    run_state_machine_as_test(machine, settings=few)


@pytest.mark.parametrize("seed", range(4))
def test_any_count_by_hand_leaves_a_game_that_goes_on(seed: int) -> None:
    """Whatever people put on piles by hand, no script fails and something can be done."""
    rng = random.Random(seed)
    referee = Referee(GAME, some_players(2 + seed % 4))
    chance = Chance(random.Random(seed))
    for _ in range(150):
        if referee.outcome is not None:
            break
        if rng.random() < 0.2:
            pile = rng.choice([f"pile.{s}.{k}" for s in referee.table.seats for k in KINDS])
            value = rng.choice([0, 1, 2, 3, 7, 49, 2**53 - 1])
            referee.apply(Report(Adjusted(pile, value)))
            assert referee.table.counters[pile] == value
            assert referee.table.counters["tiles.left"] >= 0
            referee.table.view()
            continue
        offer = rng.choice([o for o in referee.offers if o.closed is None])
        if isinstance(offer, Flip):
            square = rng.choice(offer.squares)
            referee.apply(Report(Flipped(square, chance.flip(referee.table, square))))
        else:
            value = rng.choice(offer.values or (None,))
            referee.apply(Report(Chose(offer.player, offer.choice, value)))
