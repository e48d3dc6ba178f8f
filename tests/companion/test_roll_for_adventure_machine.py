"""Roll for Adventure at random: whatever people do or set by hand, the invariants hold.

The machine plays one game: it rolls any faces, reveals any card, takes any choice, undoes, does
again, corrects, and sets any count to any value. What must hold of every table is an invariant;
what must hold of every step is checked where the step is made.
"""

from typing import Any

from adventure import DICE, Adventure
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from verbs import everything, the_table

from companion.actions import Action, Chose, Flipped, Report, Rolled
from companion.errors import IllegalAction
from companion.games.roll_for_adventure.pieces import AdventureTable
from companion.offers import Choose, Flip, Offer, Roll
from companion.referee import Referee

SEATS = ("ann", "bo", "cy", "di")
TERRITORIES = ("desert", "fortress", "forest", "ice")
HEROES = {
    "mine": {"name": "Mine", "hook": "modify_die", "change": {"1": ["6"], "6": ["1"]}},
    "hers": {"name": "Hers", "hook": "manual", "limit": "roll"},
    "saver": {"name": "Saver", "hook": "ignore_own_loss", "limit": "none"},
    "opener": {"name": "Opener", "hook": "free_from_oblivion", "amount": 2, "cost_dice": 1},
    "again": {"name": "Again", "hook": "reroll", "limit": "turn"},
    "spacer": {"name": "Spacer", "hook": "extra_space", "amount": 2, "limit": "roll"},
}
BLANKS = [
    {"id": "blank-1", "name": "Worm", "rank": 2, "stays": True, "effect": "territory(desert)"},
    {"id": "blank-2", "name": "Ghost", "stays": True, "effect": "phantom"},
    {"id": "blank-3", "name": "Storm", "rank": 3, "effect": "dragon(5)"},
]
SPECIALS = (
    {},
    {"board": "jewel_of_light", "specials": "dragons,phantoms,giants,blanks"},
    {"board": "sword_of_saints", "specials": "phantoms"},
)
CAST = ("", "healer,fighter,warrior,adventurer", "mine,hers,saver,opener", "again,spacer")
HOUSE_RULES = st.fixed_dictionaries(
    {},
    optional={
        "excess": st.just("chain"),
        "empty_vortex": st.just("forbid"),
        "attack_order": st.just("choose"),
        "ice_claim": st.just("any_own_turn"),
        "ally_in_ice": st.just("active_player"),
        "bonus_in_desert": st.just("forbid"),
        "permanent_loss": st.just("next_damage"),
        "ice_bonus_return": st.just("after"),
        "forest_repeat_last": st.just(True),
    },
)


class AdventureMachine(RuleBasedStateMachine):
    """One game of Roll for Adventure, and how its turns went so far."""

    @initialize(
        count=st.integers(2, 4),
        sides=st.text("ab", min_size=4, max_size=4),
        specials=st.sampled_from(SPECIALS),
        cast=st.sampled_from(CAST),
        house=HOUSE_RULES,
    )
    def sit_down(
        self, count: int, sides: str, specials: dict[str, str], cast: str, house: dict[str, Any]
    ) -> None:
        heroes = ",".join(cast.split(",")[:count])
        pack = {"heroes": HEROES, "blanks": BLANKS, "damage_to_lose": 8}
        options = {**specials, **house, "sides": sides, "heroes": heroes, "pack": pack}
        self.at = Adventure(*SEATS[:count], **options)
        self.adjusted = False

    # --- what people do ---------------------------------------------------------------------------

    @property
    def referee(self) -> Referee:
        return self.at.referee

    @property
    def table(self) -> AdventureTable:
        return self.at.table

    def is_on(self) -> bool:
        return self.referee.outcome is None

    def open(self) -> list[Offer]:
        return [offer for offer in self.referee.offers if offer.closed is None]

    def answer(self, data: st.DataObject, offer: Offer) -> Action:
        match offer:
            case Roll(dice=dice):
                die_set = self.table.dice
                return Rolled({d: data.draw(st.sampled_from(die_set[d].faces)) for d in dice})
            case Flip(squares=squares, faces=faces):
                return Flipped(squares[0], data.draw(st.sampled_from(faces)))
            case Choose(player=player, choice=choice, values=values):
                value = data.draw(st.sampled_from(values)) if values else None
                return Chose(player, choice, value)
        raise AssertionError(offer)

    @precondition(is_on)
    @rule(data=st.data(), times=st.integers(1, 8))
    def act(self, data: st.DataObject, times: int) -> None:
        """Some of the open offers are taken, one after another."""
        for _ in range(times):
            if self.is_on():
                before, dice = self.known(), self.dice()
                self.at.apply(self.answer(data, data.draw(st.sampled_from(self.open()))))
                self.check_step(before, dice)

    @rule(data=st.data(), value=st.integers(0, 9) | st.sampled_from([10, 99, 2**53 - 1]))
    def set_a_count_by_hand(self, data: st.DataObject, value: int) -> None:
        """Any count to any value: it is set, or refused and nothing changes."""
        counter = data.draw(st.sampled_from(sorted(self.table.counters)))
        before = everything(self.referee)
        try:
            self.at.adjust(counter, value)
        except IllegalAction as refusal:
            self.check_refusal(refusal, before)
            return
        assert self.at.count(counter) == value

    @rule(data=st.data())
    def set_a_count_to_what_it_is(self, data: st.DataObject) -> None:
        """Adjusting to the same value changes nothing."""
        counts = self.table.counters
        counter = data.draw(st.sampled_from(sorted(counts)))
        before = the_table(self.referee)
        try:
            self.at.adjust(counter, counts[counter])
        except IllegalAction as refusal:
            self.check_refusal(refusal, everything(self.referee), only="not_adjustable")
        assert the_table(self.referee) == before

    @precondition(lambda self: self.referee.undoable)
    @rule()
    def take_back_and_do_again(self) -> None:
        """Undo, then the same action again."""
        step = self.referee.step(self.referee.undoable or 0)
        before = the_table(self.referee)
        self.referee.undo()
        self.referee.apply(Report(step.report.action))
        assert the_table(self.referee) == before

    @rule(data=st.data())
    def correct_a_misread_die(self, data: st.DataObject) -> None:
        """Another face; where it does not fit what came later, nothing changes."""
        rolls = [s for s in self.referee.history if isinstance(s.report.action, Rolled)]
        if not rolls:
            return
        step, before = data.draw(st.sampled_from(rolls)), everything(self.referee)
        faces = step.report.action.faces
        die = data.draw(st.sampled_from(sorted(faces)))
        face = data.draw(st.sampled_from(self.table.dice[die].faces))
        try:
            self.at.correct(step.number, Rolled({**faces, die: face}))
        except IllegalAction as refusal:
            self.check_refusal(refusal, before)

    def check_refusal(
        self, refusal: IllegalAction, before: tuple[Any, ...], only: str = ""
    ) -> None:
        assert refusal.code != "rules_failed"
        assert only in ("", refusal.code)
        assert everything(self.referee) == before

    # --- what must hold of a step -----------------------------------------------------------------

    def known(self) -> dict[str, Any]:
        table = self.table
        return {**table.counters, "hero": table.active, "revealed": len(table.deck), "table": table}

    def dice(self) -> dict[str, tuple[str, str | None]]:
        return {die: (place, self.table.shows[die]) for die, place in self.table.lies.items()}

    def check_step(self, before: dict[str, Any], dice: dict[str, tuple[str, str | None]]) -> None:
        after, cues = self.known(), self.at.cues
        action, now, table = self.at.step.report.action, self.dice(), self.table
        for t in TERRITORIES:
            assert after[f"damage.{t}"] >= before[f"damage.{t}"] or "healed" in cues
            assert after[f"permanent.{t}"] >= before[f"permanent.{t}"]
        for die, (place, face) in now.items():
            was, showed = dice[die]
            moved = place != was
            if moved and place.startswith("board.") and table.colour_of[die] == table.ally:
                assert place == f"board.{before['hero']}", "an ally die comes to the active player"
            if face != showed and face is not None and not isinstance(action, Rolled):
                change = table.heroes[before["hero"]].hook == "modify_die"
                assert change, "only dice in hand change what they show"
        turn_ended = after["hero"] != before["hero"] or not self.is_on()
        if after["hero"] != before["hero"]:
            assert "your_turn" in cues or not self.is_on()
            assert not table.at("hand")
        if isinstance(action, Chose) and action.choice == "place" and not turn_ended:
            assert isinstance(action.value, dict)
            if action.value["where"] == "resurrection":
                assert self.at.phase in ("reveal", "use"), "the vortex ends the rolls of a turn"

    # --- what must hold of every table ------------------------------------------------------------

    @invariant()
    def every_die_lies_in_one_place(self) -> None:
        self.at.audit()
        table = self.table
        assert len(table.lies) == DICE[len(table.seats)] + 4
        assert {die: place for place, dice in table.on.items() for die in dice} == table.lies
        assert sum(map(len, table.on.values())) == len(table.lies)

    @invariant()
    def places_hold_what_they_may(self) -> None:
        table = self.table
        for die, place in table.lies.items():
            face = table.shows[die]
            if place in table.faces_of_places:
                assert face in table.faces_of_places[place]
            elif place.startswith("enemy-"):
                assert place.removeprefix("enemy-") in table.enemies
            elif place != "hand":
                assert face is None, "a die on a board shows nothing that counts"
        for place in table.faces_of_places:
            assert len(table.at(place)) <= self.capacity(place), place

    def capacity(self, place: str) -> int:
        table = self.table
        match place.split("-"):
            case ["resurrection"] | ["desert", "3"]:
                return 24
            case ["desert", "1"] | ["desert", "2"]:
                return 3
            case ["fortress", section] if table.sides["fortress"] == "b":
                return 5 - table.barriers[section]
            case ["fortress", _]:
                return 4
            case ["forest"] if table.sides["forest"] == "b":
                return table.pack.forest_b.spaces
            case ["forest"]:
                return table.forest_boundary
        return 1

    @invariant()
    def equal_dice_do_not_touch_in_the_ice(self) -> None:
        table = self.table
        if table.sides["ice"] == "b":
            for place, beside in table.pack.ice_b.beside.items():
                for die in table.at(place):
                    assert not any(table.showing(cell, table.shows[die]) for cell in beside)

    @invariant()
    def every_card_is_somewhere(self) -> None:
        table = self.table
        known = [*table.deck, *table.discard, *table.enemies]
        if table.revealed and table.revealed not in known:
            known.append(table.revealed)
        assert sorted(known) == sorted(table.cards)
        if self.at.phase in ("roll", "place"):
            assert "master" in table.deck

    @invariant()
    def damage_fits_its_track(self) -> None:
        table = self.table
        assert 0 <= table.stones <= table.stones_needed
        for t in TERRITORIES:
            assert 0 <= table.damage[t] <= table.pack.holes(t)

    @invariant()
    def somebody_can_act_until_the_end(self) -> None:
        assert bool(self.open()) is self.is_on()
        assert (self.at.phase == "over") is not self.is_on()

    def teardown(self) -> None:
        """The same reports make the same table, whatever was undone or corrected."""
        if hasattr(self, "at"):
            again = Referee(self.referee.game, self.referee.players, self.referee.options)
            for step in self.referee.history:
                again.apply(step.report)
            assert everything(again) == everything(self.referee)


def test_invariants_hold_when_people_do_anything():
    """A sample that is the same on every machine."""
    run_state_machine_as_test(
        AdventureMachine,
        settings=settings(
            max_examples=16,
            stateful_step_count=40,
            derandomize=True,
            phases=(Phase.generate,),  # shrinking takes minutes; do it when there is a need
            suppress_health_check=list(HealthCheck),
        ),
    )
