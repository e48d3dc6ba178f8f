"""What holds of every game when people go back, set counts by hand, or do what is not allowed."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from recorded import (
    a_game,
    answer,
    check_screen,
    counters_of,
    every_game,
    every_policy,
    fresh,
    moments,
    play_on,
    refusal_of,
    refused,
    replayed,
    some_action,
    try_out,
)
from verbs import everything, the_table

from companion import referee as referee_module
from companion.actions import Adjusted, Chose, Correct, Entry, Flipped, Report, Rolled, Undo, Waited
from companion.errors import IllegalAction
from companion.games import GAMES
from companion.offers import Choose, accepting
from companion.players import some_players
from companion.referee import Referee
from companion.refusing import MOST

# --- going back -----------------------------------------------------------------------------------


@every_game
@every_policy
def test_table_is_equal_when_a_step_is_undone_and_done_again(key, policy):
    seats, reports = a_game(key, policy)
    referee, looked_at = fresh(GAMES[key], seats), set(moments(reports, 5))
    for at, report in enumerate(reports):
        before = the_table(referee) if at in looked_at else ()
        referee.apply(report)
        if at in looked_at:
            after = the_table(referee)
            referee.undo()
            assert the_table(referee) == before
            referee.apply(report)
            assert the_table(referee) == after


@every_game
def test_table_is_equal_when_all_steps_are_undone(key):
    seats, reports = a_game(key)
    referee, tables = fresh(GAMES[key], seats), []
    for report in reports[:25]:
        tables.append(the_table(referee))
        referee.apply(report)
    while referee.undoable:
        referee.undo()
        assert the_table(referee) == tables.pop()
    assert refusal_of(referee, Undo()).code == "nothing_to_undo"


@every_game
def test_table_is_equal_when_a_step_is_corrected_to_itself(key):
    seats, reports = a_game(key)
    referee = replayed(GAMES[key], seats, reports)
    before = the_table(referee)
    for at in moments(reports, 4):
        referee.correct(at + 1, reports[at].action)
        assert the_table(referee) == before


@every_game
@pytest.mark.parametrize("seed", range(3))
def test_correction_is_equal_to_a_replay_when_the_later_steps_fit(key, seed):
    """Another action in the place of one; refused where a later one does not fit any more."""
    game, (seats, reports), rng = GAMES[key], a_game(key, seed=seed), random.Random(seed)
    for at in moments(reports, 3, seed):
        until = min(len(reports), at + rng.randint(1, 6))
        other = replace_action(reports[at], some_action(replayed(game, seats, reports[:at]), rng))
        expected = as_if(game, seats, reports[:until], at, other)
        referee = replayed(game, seats, reports[:until])
        if isinstance(expected, int):
            refused = refusal_of(referee, Correct(at + 1, other.action))
            assert (refused.code, refused.details) == ("later_steps_do_not_fit", {"step": expected})
            referee.correct(at + 1, other.action, drop_later=True)
            expected = replayed(game, seats, [*reports[:at], other])
            assert the_table(referee) == the_table(expected)
            referee.undo()
            assert the_table(referee) == the_table(replayed(game, seats, reports[:until]))
        else:
            preview = referee.preview(Correct(at + 1, other.action))["changes"]
            before = referee.table.counters
            referee.correct(at + 1, other.action)
            assert the_table(referee) == the_table(expected)
            after = referee.table.counters
            assert preview == {
                c: (before.get(c), n) for c, n in after.items() if before.get(c) != n
            }


def replace_action(report: Report, action: Any) -> Report:
    """The same report of another action."""
    return msgspec.structs.replace(report, action=action)


def as_if(game: Any, seats: int, reports: Any, at: int, other: Report) -> Referee | int:
    """A game in which one thing went another way, or the number of the step that does not fit."""
    meant, referee = fresh(game, seats), fresh(game, seats)
    for number, report in enumerate(reports, start=1):
        player = meant.apply(report).player
        try:
            step = referee.apply(other if number == at + 1 else report)
        except IllegalAction:
            return number
        if step.player != player and number > at + 1:
            return number
    return referee


# --- what is refused ------------------------------------------------------------------------------


@every_game
def test_nothing_changes_when_an_action_is_illegal(key):
    seats, reports = a_game(key)
    referee, looked_at = fresh(GAMES[key], seats), set(moments(reports, 8))
    for at, report in enumerate(reports):
        if at in looked_at:
            before = everything(referee)
            for entry, code in always_illegal(referee):
                assert refused(referee, entry).code == code, entry
            refused(referee, Flipped("nowhere", "nothing"))
            for entry in illegal_now(referee):
                refused(referee, entry)
            assert everything(referee) == before
        referee.apply(report)


def always_illegal(referee: Referee) -> Iterator[tuple[Entry, str]]:
    """Entries that no table ever accepts, and why; a game may have a better reason for some."""
    seat, counter = referee.table.seats[0], next(iter(referee.table.counters))
    yield Rolled({"no-such-die": "1"}), "unknown_die"
    for die in referee.table.dice:
        yield Rolled({die.name: "no-such-face"}), "unknown_face"
    yield Chose("nobody", "leave"), "unknown_player"
    yield Chose(seat, "dance"), "not_offered"
    yield Waited(-1.0), "not_offered"
    yield Adjusted("no.such.counter", 1), "unknown_counter"
    yield Adjusted(counter, -1), "negative_count"
    yield Adjusted(counter, MOST + 1), "count_too_large"
    yield Correct(0, Chose(seat, "dance")), "unknown_step"
    yield Correct(referee.number + 1, Chose(seat, "dance")), "unknown_step"


def illegal_now(referee: Referee) -> Iterator[Entry]:
    """Answers to closed offers, and by others to open ones, that no open offer accepts."""
    rng = random.Random(referee.number)
    for offer in referee.offers:
        candidates: list[Entry] = []
        if isinstance(offer, Choose):
            for value in (*offer.values, None, "moon", 7, True, [], {"a": 1}):
                candidates += [Chose(s, offer.choice, value) for s in referee.table.seats]
        elif offer.closed is not None and not isinstance(offer, referee_module.Wait):
            candidates.append(answer(offer, referee.table, rng))
        for entry in candidates:
            if accepting(referee.offers, entry) is None:
                yield entry


# --- counts that are set by hand ------------------------------------------------------------------


@every_game
@every_policy
def test_nothing_changes_when_a_count_is_adjusted_to_what_it_is(key, policy):
    seats, reports = a_game(key, policy)
    referee, looked_at = fresh(GAMES[key], seats), set(moments(reports, 6))
    for at, report in enumerate(reports):
        if at in looked_at:
            adjust_all_to_what_they_are(referee)
        referee.apply(report)


def adjust_all_to_what_they_are(referee: Referee) -> None:
    """One by one; only what follows from other counts is refused."""
    before, table = the_table(referee), referee.table
    shown = {c.name: c for c in counters_of(table.view())}
    for counter, value in table.counters.items():
        refused = None
        try:
            referee.apply(Report(Adjusted(counter, value)))
        except IllegalAction as refusal:
            refused = refusal.code
        assert refused in (None, "not_adjustable"), counter
        assert referee.table.counters[counter] == value
        if counter in shown:
            assert shown[counter].adjustable is (refused is None), counter
    assert the_table(referee) == before


@every_game
@pytest.mark.parametrize("value", ["0", "1", "+1", "-1", "1000000", "most"])
def test_script_goes_on_when_a_count_is_adjusted_to_anything(key, value):
    game, (seats, reports), rng = GAMES[key], a_game(key), random.Random(f"{key}/{value}")
    begun = fresh(game, seats)
    counters = list(begun.table.counters)
    for counter in rng.sample(counters, min(len(counters), 12)):
        at = rng.randrange(len(reports))
        referee = replayed(game, seats, reports[:at])
        if counter in referee.table.counters:
            now = referee.table.counters[counter]
            new = {"+1": now + 1, "-1": max(0, now - 1), "most": MOST}.get(value)
            refusal = try_out(referee, Adjusted(counter, int(value) if new is None else new))
            assert refusal is None or refusal.code != "rules_failed", (counter, refusal)
            check_screen(referee)
            play_on(referee, rng, 12)
            check_screen(referee)


@every_game
def test_game_can_be_played_to_its_end_when_counts_are_adjusted_all_the_time(key):
    """By small numbers, as people do who mend a mistake."""
    game, seats, rng = GAMES[key], GAMES[key].seats.start, random.Random(key)
    referee = fresh(game, seats)
    for _ in range(75):
        play_on(referee, rng, 2)
        counter = rng.choice(sorted(referee.table.counters))
        value = max(0, referee.table.counters[counter] + rng.choice((-1, 1)))
        refusal = try_out(referee, Adjusted(counter, value))
        assert refusal is None or refusal.code != "rules_failed", (counter, refusal)
        check_screen(referee)


# --- a script that fails --------------------------------------------------------------------------


def raising(_table: Any) -> Any:
    """A bug of the usual kind."""
    raise KeyError("bug")


def stopping() -> Any:
    """A listing that takes the next of nothing."""
    return next(iter(()))


@every_game
@pytest.mark.parametrize(
    "fault", ["script raises", "listing raises", "listing stops", "no outcome"]
)
def test_nothing_is_lost_when_a_script_fails(key, fault):
    game, (seats, reports) = GAMES[key], a_game(key)
    good = min(8, len(reports) - 1)

    def broken(table: Any) -> Any:
        script = game.play(table)
        listing, sent = next(script), 0
        while True:
            action = yield listing
            sent += 1
            if sent == good + 1:
                if fault == "script raises":
                    raising(table)
                if fault == "no outcome":
                    return None
                yield (lambda: raising(table)) if fault == "listing raises" else stopping
            listing = script.send(action)

    referee = Referee(replace(game, play=broken), some_players(seats))
    for report in reports[:good]:
        referee.apply(report)
    before = everything(referee)
    for _ in range(2):
        with pytest.raises(IllegalAction) as refusal:
            referee.apply(reports[good])
        assert refusal.value.code == "rules_failed"
        assert everything(referee) == before
    referee.undo()
    assert the_table(referee) == the_table(replayed(game, seats, reports[: good - 1]))
