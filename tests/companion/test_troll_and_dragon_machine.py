"""Troll & Dragon at random: whatever people do, take back or correct, the invariants hold.

The machine plays one game on the clock. It rolls what is offered with any faces, takes any choice,
lets waits pass, undoes, does again, corrects, sets counts to what they are, and tries what is not
allowed. What must hold of every table is an invariant; what must hold of every step is checked
where the step is made.
"""

from typing import Any

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
from verbs import RED, Troll, everything, the_table

from companion.actions import Action, Adjusted, Chose, Correct, Report, Rolled, Waited
from companion.errors import IllegalAction
from companion.games.troll_and_dragon.pieces import TrollTable
from companion.offers import Choose, Offer, Roll, Wait
from companion.referee import Referee

SEATS = ("ann", "bo", "cy", "di", "ed")
FACES = {
    "white": ("troll", "diamond", "key", "door"),
    "gold": ("blank", "gold1", "gold2"),
    "red": ("dragon", "blank"),
}
OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "end_mode": st.just("both"),
        "reroll_policy": st.just("all_free"),
        "tie_goes_to": st.sampled_from(["dragon", "reroll"]),
        "auto_take_gold": st.just(False),
        "sharing": st.just("choose"),
        "two_player_hand_cap": st.integers(0, 5),
        "cavern_timeout_s": st.sampled_from([0.0, 0.5, 3.0]),
    },
)
PACES_S = (0.0, 0.04, 0.1, 0.11, 0.7)
SHORTAGES = ((60, 50), (4, 50), (60, 2), (3, 1))


class TrollMachine(RuleBasedStateMachine):
    """One game of Troll & Dragon, its referee, and what was known before the latest step."""

    @initialize(
        count=st.integers(2, 5),
        options=OPTIONS,
        shortage=st.sampled_from(SHORTAGES),
        clock=st.booleans(),
    )
    def sit_down(
        self, count: int, options: dict[str, Any], shortage: tuple[int, int], clock: bool
    ) -> None:
        """Some games begin late: the Troll and the last player hold what is not in the rooms."""
        self.at = Troll(*SEATS[:count], **options)
        self.at_s = 0.0 if clock else None
        diamonds, gold = shortage
        self.at.adjust("supply.diamonds", diamonds)
        self.at.adjust("troll_hand.diamonds", 60 - diamonds)
        self.at.adjust("supply.gold", gold)
        self.at.adjust(f"pack.{SEATS[count - 1]}.gold", 50 - gold)

    # --- what people do ---------------------------------------------------------------------------

    @property
    def referee(self) -> Referee:
        return self.at.referee

    @property
    def table(self) -> TrollTable:
        return self.at.table

    def is_on(self) -> bool:
        return self.referee.outcome is None

    def open(self) -> list[Offer]:
        return [offer for offer in self.referee.offers if offer.closed is None]

    def answer(self, data: st.DataObject, offer: Offer) -> Action:
        match offer:
            case Roll(dice=dice, at_least=least):
                some = data.draw(st.permutations(dice))
                count = data.draw(st.integers(least, len(dice)))
                kinds = self.table.dice
                faces = {d: data.draw(st.sampled_from(FACES[kinds[d].kind])) for d in some[:count]}
                return Rolled(faces)
            case Choose(player=player, choice=choice, values=values):
                value = data.draw(st.sampled_from(values)) if values else None
                return Chose(player, choice, value)
            case Wait(until_s=until_s):
                return Waited(until_s)
        raise AssertionError(offer)

    def do(self, action: Action) -> None:
        before, was_on = self.known(), self.is_on()
        self.at.step = self.referee.apply(Report(action, at_s=self.at_s))
        self.check_step(before, was_on)

    @precondition(is_on)
    @rule(data=st.data(), paces=st.lists(st.sampled_from(PACES_S), min_size=1, max_size=5))
    def act(self, data: st.DataObject, paces: list[float]) -> None:
        """Some of the open offers are taken, one after another."""
        for pace in paces:
            if self.is_on():
                self.act_once(data, pace)

    def act_once(self, data: st.DataObject, pace: float) -> None:
        offer = data.draw(st.sampled_from(self.open()))
        action = self.answer(data, offer)
        if isinstance(action, Waited):
            self.at_s = action.until_s
        elif self.at_s is not None:
            soon = [o.until_s for o in self.open() if isinstance(o, Wait)]
            self.at_s = min([round(self.at_s + pace, 6), *soon])
        self.do(action)

    @precondition(is_on)
    @rule()
    def go_for_the_cavern(self) -> None:
        """Chance alone would open the cavern too rarely."""
        if self.at.phase == "grotto" and not self.table.grotto.faces:
            self.do(Rolled({"white-1": "key", "white-2": "door", "white-3": "diamond",
                            "white-4": "troll"}))  # fmt: skip
            for die in ("white-1", "white-2"):
                self.do(Chose(self.at.active, "set_aside", die))

    @precondition(lambda self: self.at.phase == "cavern" and self.is_on())
    @rule()
    def wake_the_dragon(self) -> None:
        """Both eyes at once."""
        if not self.table.cavern.race_is_on:
            self.do(Rolled({"gold-1": "gold2", "gold-2": "blank"}))
        else:
            self.do(Rolled({die: "dragon" for die in self.table.cavern.asleep}))

    @rule(data=st.data())
    def do_what_is_not_allowed(self, data: st.DataObject) -> None:
        """Anything that is refused changes nothing."""
        before = everything(self.referee)
        action = data.draw(ANYTHING)
        try:
            step = self.referee.apply(Report(action, at_s=self.at_s))
        except IllegalAction as refusal:
            self.check_refusal(refusal, before, never="rules_failed")
            return
        assert step.number == before[-3] + 1
        if isinstance(action, Waited):
            self.at_s = action.until_s
        else:
            self.referee.undo()

    def check_refusal(self, refusal: IllegalAction, before: tuple[Any, ...], never: str) -> None:
        assert refusal.code != never
        assert everything(self.referee) == before

    # --- going back -------------------------------------------------------------------------------

    @precondition(lambda self: self.referee.undoable)
    @rule()
    def take_back_and_do_again(self) -> None:
        """Undo, then the same action again."""
        step = self.referee.step(self.referee.undoable or 0)
        later = self.referee.history[step.number :]
        straight_on = all(isinstance(s.report.action, Waited) for s in later)
        if not isinstance(step.report.action, Rolled | Chose) or not straight_on:
            return
        before = the_table(self.referee)
        self.referee.undo()
        self.referee.apply(step.report)
        for waited in later:
            self.referee.apply(waited.report)
        assert the_table(self.referee) == before

    @rule(data=st.data())
    def correct_to_the_same(self, data: st.DataObject) -> None:
        """A correction that changes nothing changes nothing."""
        step = data.draw(st.sampled_from(self.referee.history))
        before = the_table(self.referee)
        entries = [other.report.action for other in self.referee.history]
        as_it_was = step.number not in [e.step for e in entries if isinstance(e, Correct)]
        if as_it_was and isinstance(step.report.action, Rolled | Chose | Adjusted):
            self.correct(step.number, step.report.action)
            assert the_table(self.referee) == before

    @rule(data=st.data(), pieces=st.sampled_from(["white", "gold", "red"]))
    def correct_a_misread_die(self, data: st.DataObject, pieces: str) -> None:
        """Another face; where it does not fit what came later, nothing changes."""
        step = data.draw(st.sampled_from(self.referee.history))
        action = step.report.action
        if isinstance(action, Rolled):
            die = data.draw(st.sampled_from(sorted(action.faces)))
            face = data.draw(st.sampled_from(FACES[self.table.dice[die].kind]))
            self.correct(step.number, Rolled({**action.faces, die: face}))

    def correct(self, number: int, action: Action) -> None:
        before = everything(self.referee)
        try:
            self.at.correct(number, action)
        except IllegalAction as refusal:
            self.check_refusal(refusal, before, never="rules_failed")

    @rule(data=st.data())
    def set_a_count_to_what_it_is(self, data: st.DataObject) -> None:
        """Adjusting to the same value changes nothing.

        It is undone again: after a correction of an earlier step the same value would be another.
        """
        counts = self.table.counters
        counter = data.draw(st.sampled_from([c for c in counts if not c.startswith(DERIVED)]))
        before = the_table(self.referee)
        assert self.at.adjust(counter, counts[counter]) == ["adjusted"]
        assert the_table(self.referee) == before
        self.at.undo()
        assert the_table(self.referee) == before

    # --- what must hold of a step -----------------------------------------------------------------

    def known(self) -> dict[str, Any]:
        table = self.table
        return {
            **table.counters,
            "hero": table.active,
            "phase": table.phase,
            "blocked": dict(table.grotto.blocked),
            "faces": dict(table.grotto.faces),
        }

    def check_step(self, before: dict[str, Any], was_on: bool) -> None:
        after, cues = self.known(), self.at.cues
        hero = before["hero"]
        for room in ("supply.diamonds", "supply.gold"):
            assert after[room] <= before[room], "I2: supplies never grow"
        for seat in self.table.seats:
            for kind in ("diamonds", "gold"):
                pack = f"pack.{seat}.{kind}"
                assert after[pack] >= before[pack], "I2: packs never shrink"
        more = after["troll_hand.diamonds"] - before["troll_hand.diamonds"]
        assert more <= 0 or "troll" in cues, "I3: the hand grows by the Troll alone"
        assert more >= 0 or "dragon_awake" in cues or before["phase"] == "sharing", "I3"
        if "your_turn" in cues or "game_over" in cues:
            assert self.at.treasure("pouch") == (0, 0), "I4: nothing is at risk between turns"
            self.check_shares(before, after, hero, cues)
        elif before["phase"] == after["phase"] == "grotto":
            assert before["blocked"].items() <= after["blocked"].items(), "I5: blocked dice stay"
        if after["phase"] == "cavern" and before["phase"] == "grotto":
            last = self.at.step.report.action
            assert isinstance(last, Chose)
            assert last.choice == "set_aside"
            aside = {*before["blocked"].values(), before["faces"][last.value]}
            assert aside >= {"key", "door"}, "I6: a key and a door lie aside"
        if before["phase"] == after["phase"] == "cavern" and after["hero"] == hero:
            assert after["dragon.awake"] >= before["dragon.awake"], "I7: who woke stays awake"
        if was_on and not self.is_on():
            assert "game_over" in cues
            self.check_end()

    def check_shares(
        self, before: dict[str, Any], after: dict[str, Any], hero: str, cues: list[str]
    ) -> None:
        gains = {
            seat: sum(after[f"pack.{seat}.{k}"] - before[f"pack.{seat}.{k}"] for k in KINDS)
            for seat in self.table.seats
        }
        if "left" in cues:
            assert not any(n for seat, n in gains.items() if seat != hero)
            return
        assert gains.pop(hero) == 0, "I8: the adventurer gets nothing"
        if before["phase"] != "sharing":
            assert max(gains.values()) - min(gains.values()) <= 1, "I8: equal shares"

    def check_end(self) -> None:
        counts, outcome = self.table.counters, self.referee.outcome
        empty = [counts["supply.diamonds"] == 0, counts["supply.gold"] == 0]
        both = self.table.options.end_mode == "both"
        assert all(empty) if both else any(empty), "I9: the agreed rooms are empty"
        assert outcome is not None
        worth = {s: counts[f"pack.{s}.diamonds"] + 3 * counts[f"pack.{s}.gold"]
                 for s in self.table.seats}  # fmt: skip
        assert outcome.scores == worth
        assert all(worth[winner] == max(worth.values()) for winner in outcome.winners)

    # --- what must hold of every table ------------------------------------------------------------

    @invariant()
    def pieces_neither_appear_nor_vanish(self) -> None:
        """I1."""
        self.at.audit()

    @invariant()
    def gold_is_at_risk_in_the_cavern_only(self) -> None:
        """I4."""
        if self.at.phase in ("grotto", "over"):
            assert self.table.pouch.gold == 0
        turn_begins = self.at.phase == "grotto" and not self.table.grotto.faces
        if turn_begins or self.at.phase == "over":
            assert self.table.pouch.diamonds == 0

    @invariant()
    def white_dice_are_four(self) -> None:
        """I5."""
        grotto = self.table.grotto
        assert sorted([*grotto.free, *grotto.blocked]) == [f"white-{i}" for i in range(1, 5)]

    @invariant()
    def two_dragons_are_awake_in_the_photo_finish_only(self) -> None:
        """I7."""
        awake, phase = self.table.cavern.awake, self.at.phase
        assert sorted(set(awake)) == sorted(awake)
        assert set(awake) <= set(RED)
        if len(awake) == 2:
            assert phase in ("photo_finish", "sharing", "over")

    @invariant()
    def somebody_can_act_until_the_end(self) -> None:
        """I9: the game is over if and only if nothing is offered."""
        assert bool(self.open()) is self.is_on()
        assert (self.at.phase == "over") is not self.is_on()

    @invariant()
    def steps_are_numbered_without_gaps(self) -> None:
        assert [s.number for s in self.referee.history] == [*range(1, self.referee.number + 1)]

    def teardown(self) -> None:
        """I10: the same reports make the same table, whatever was undone or corrected."""
        if hasattr(self, "at"):
            again = Referee(self.referee.game, self.referee.players, self.referee.options)
            for step in self.referee.history:
                again.apply(step.report)
            assert everything(again) == everything(self.referee)


KINDS = ("diamonds", "gold")
DERIVED = ("grotto", "dragon")
DICE = [f"white-{i}" for i in range(1, 5)] + ["gold-1", "gold-2", "red-1", "red-2", "blue-1"]
ANYTHING = st.one_of(
    st.builds(
        Rolled,
        st.dictionaries(
            st.sampled_from(DICE),
            st.sampled_from(["troll", "diamond", "key", "blank", "gold1", "dragon", "moon"]),
            min_size=1,
            max_size=4,
        ),
    ),
    st.builds(
        Chose,
        st.sampled_from([*SEATS, "zed"]),
        st.sampled_from(["leave", "set_aside", "claim", "take", "dance"]),
        st.sampled_from([None, "white-1", "white-4", "gold", "diamond", 1, True, ["white-1"]]),
    ),
    st.builds(Waited, st.floats(0, 5)),
    st.builds(
        Adjusted,
        st.sampled_from(["supply.gold", "pack.zed.gold", "dragon.awake", "grotto.blocked"]),
        st.sampled_from([-1, 2**60]),
    ),
)


def test_invariants_hold_when_people_do_anything():
    """A sample that is the same on every machine."""
    run_state_machine_as_test(
        TrollMachine,
        settings=settings(
            max_examples=16,
            stateful_step_count=50,
            derandomize=True,
            phases=(Phase.generate,),  # shrinking takes minutes; do it when there is a need
            suppress_health_check=list(HealthCheck),
        ),
    )
