from collections.abc import Iterator, Sequence

import pytest
from smart_table import SmartTable

from companion.actions import Adjusted, Chose, Report, Rolled, Waited
from companion.games import GAMES
from companion.games.troll_and_dragon.pieces import Options
from companion.offers import Choose, Roll, Wait
from companion.players import Intent, seat_simulated, some_players
from companion.referee import Referee
from hardware.dice_messages import DieLies, DieSettled, Greeting, LinesLost, Watermark
from hardware.rolls import RollCollector

RED = ("dragon", "blank", "blank", "blank", "blank", "blank")
QUICK: dict[str, tuple[str, ...]] = {  # an owner's own faces: the cavern opens more often
    "white": ("troll", "diamond", "diamond", "key", "key", "door"),
    "gold": ("gold2",) * 6,
}
HOARD = {"supply.diamonds": 16, "supply.gold": 8}  # a small one: rooms are soon empty
ROLL_LIMIT_MS = 12_000


@pytest.fixture(scope="module")
def table() -> Iterator[SmartTable]:
    smart = SmartTable({"red-1": RED, "red-2": RED, "white-1": "abcdef"}, seed=4, loss=0.05)
    yield smart
    smart.close()


def settled(table: SmartTable, since: int) -> dict[str, str]:
    return {one.die: one.face for one in table.told[since:] if isinstance(one, DieSettled)}


def test_dice_are_paired_and_told_when_the_table_is_laid(table: SmartTable) -> None:
    table.go_on(1500)
    assert any(isinstance(one, Greeting) and one.is_understood for one in table.told)
    lying = {one.die: one.face for one in table.told if isinstance(one, DieLies)}
    truth = {name: table.faces[name][body.rest.side - 1] for name, body in table.bodies.items()}
    assert lying == truth


def test_thrown_dice_say_what_is_up_over_bad_air(table: SmartTable) -> None:
    for names in (["red-1", "red-2"], ["white-1"], ["red-1", "white-1"]):
        since = len(table.told)
        shown = table.throw(names)
        table.go_on(3000)
        assert settled(table, since) == shown
    assert table.lost_packets > 0
    assert not [one for one in table.told if isinstance(one, LinesLost)]


def test_die_that_is_put_back_is_no_roll(table: SmartTable) -> None:
    since = len(table.told)
    face = table.put_back("white-1")
    table.go_on(2500)
    assert settled(table, since) == {}
    assert [one.face for one in table.told[since:] if isinstance(one, DieLies)][-1] == face


def test_die_learns_its_faces_from_the_companion(table: SmartTable) -> None:
    other_way_round = dict(enumerate("fedcba", 1))
    for side, face in other_way_round.items():
        assert table.ask("LEARN", "white-1", side, face) == "done"
    assert table.ask("LEARN", "white-1", 7, "seven") == "no_such_side"
    table.put_back("red-1")
    table.go_on(1500)
    assert table.ask("VERSION", "red-1") == "done"
    assert table.ask("NAME", "red-1", table.ids["red-2"]) == "name_taken"
    side = table.bodies["white-1"].rest.side
    lies = [one.face for one in table.told if isinstance(one, DieLies) and one.die == "white-1"]
    assert lies[-1] == other_way_round[side]


def test_sleeping_dice_hold_nothing_back_and_wake_when_thrown(table: SmartTable) -> None:
    table.go_on(6000)
    assert set(table.asleep) == set(table.macs.values())
    assert table.ask("BLINK", "red-1") == "asleep"
    watermarks = [one for one in table.told if isinstance(one, Watermark)]
    assert table.now_ms / 1000 - watermarks[-1].at_s < 0.3
    since = len(table.told)
    shown = table.throw(["red-2"])
    table.go_on(3000)
    assert settled(table, since) == shown


def test_die_that_was_shown_every_side_says_them_by_those_numbers(table: SmartTable) -> None:
    table.put_back("red-1", 1)  # it wakes up
    table.go_on(1500)
    assert table.ask("CALIBRATE", "red-1", "any") == "done"
    order = [4, 1, 6, 3, 2, 5]
    for number, side in enumerate(order, 1):
        table.put_back("red-1", side)
        table.go_on(1500)
        assert table.ask("SHOWN", "red-1", number) in ("done", "moving")
        table.go_on(2500)  # a die that knows no side is believed to lie crooked only after a while
        assert table.ask("SHOWN", "red-1", number) == "done"
    assert table.ask("SHOWN", "red-1", 7) == "too_near"
    table.put_back("red-1", 6)
    table.go_on(1500)
    said = [one.code for one in table.port.health().dice if one.name == "red-1"]
    assert said == [str(order.index(6) + 1)]


class Evening:
    """Simulated people play with smart dice; physics is their chance."""

    def __init__(self, seed: int) -> None:
        game = GAMES["troll_and_dragon"]
        self.referee = Referee(game, some_players(2), Options(dice=QUICK))
        for counter, count in HOARD.items():
            self.referee.apply(Report(Adjusted(counter, count), at_s=0.0, source="hand"))
        dice = self.referee.table.dice
        self.people = seat_simulated(game, self.referee.table.seats, seed)
        faces = {die.name: die.faces for die in dice}
        self.smart = SmartTable(faces, seed=seed, loss=0.05, awake_ms=1000)
        self.collector = RollCollector(dice)
        self.taken = 0
        self.rolls = 0
        self.rolled: set[str] = set()
        self.thrown_again = 0
        self.asked: list[str] = []  # whether these were rolled

    def play(self) -> None:
        self.smart.go_on(2000)
        while self.referee.outcome is None:
            waits = [one for one in self.referee.offers if isinstance(one, Wait)]
            if waits and self.collector.watermark_s >= waits[0].until_s:
                until_s = waits[0].until_s
                self.referee.apply(Report(Waited(until_s), at_s=until_s, source="clock"))
            elif waits:
                self.let_pass(200)
            else:
                self.act()

    def act(self) -> None:
        table, offers = self.referee.table, self.referee.offers
        intents = [one for p in self.people.values() if (one := p.intend(table, offers))]
        first = min(intents, key=lambda intent: intent.delay_s)
        self.let_pass(int(first.delay_s * 1000))
        if isinstance(first.offer, Roll):
            self.roll(first)
        else:
            assert isinstance(first.offer, Choose)
            chose = Chose(first.offer.player, first.offer.choice, first.value)
            self.referee.apply(Report(chose, at_s=self.smart.now_ms / 1000, source="tap"))

    def roll(self, intent: Intent) -> None:
        self.collector.expect_rolls([one for one in self.referee.offers if isinstance(one, Roll)])
        truth = dict[str, str]()
        again = intent.dice
        for _ in range(9):
            truth |= self.smart.throw(again)
            reports = self.let_pass(ROLL_LIMIT_MS) or self.answer(intent.dice)
            if reports:
                break
            # A die leans, or its roll was not noticed: people throw it once more.
            again = self.collector.asked_again or intent.dice
            self.thrown_again += 1
        [report] = reports
        assert report.action == Rolled({die: truth[die] for die in sorted(intent.dice)})
        self.rolls += 1
        self.rolled |= set(intent.dice)
        self.referee.apply(report)

    def answer(self, thrown: Sequence[str]) -> list[Report]:
        """Say of every die in doubt whether it was rolled; return the roll."""
        reports: list[Report] = []
        while (doubt := self.collector.in_doubt) is not None:
            self.asked.append(doubt.die)
            was_rolled = doubt.die in thrown
            say = self.collector.was_rolled if was_rolled else self.collector.was_put_back
            reports += say(doubt.die)
        return reports

    def let_pass(self, for_ms: int) -> list[Report]:
        """Let time pass, until a roll is told or in doubt at most."""
        until_ms = self.smart.now_ms + for_ms
        while self.smart.now_ms < until_ms:
            self.smart.go_on(40)
            told, self.taken = self.smart.told[self.taken :], len(self.smart.told)
            reports = [report for message in told for report in self.collector.take(message)]
            if reports or self.collector.in_doubt is not None:
                return reports
        return []


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "left"), [(2, {"red-1", "red-2"}), (3, set())])
def test_game_is_played_to_its_end_with_eight_smart_dice(seed: int, left: set[str]) -> None:
    """In the first of them a die that is thrown takes itself for put back."""
    evening = Evening(seed)
    try:
        evening.play()
    finally:
        evening.smart.close()
    assert evening.referee.outcome is not None
    assert evening.rolls > 5
    assert evening.asked or not left
    assert evening.rolled == evening.smart.faces.keys() - left
    counts = evening.smart.port.link.counts
    assert evening.smart.lost_packets > 40
    assert counts.damaged == counts.lost == counts.unknown == 0
