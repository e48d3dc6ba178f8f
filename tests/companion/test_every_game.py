"""What holds of every game: each test runs over all of `GAMES`, and knows none of them."""

import random

import msgspec
from recorded import (
    LONG,
    POLICIES,
    a_game,
    check_screen,
    course,
    every_game,
    every_policy,
    fresh,
    moments,
    play_on,
    played,
    refusal_of,
    replayed,
    reports_of,
    try_out,
)
from verbs import everything

from companion import referee as referee_module
from companion.actions import Adjusted, Chose, Correct, Report
from companion.games import GAMES
from companion.offers import Choose
from companion.players import play_out, some_players
from companion.protocol import entry_from
from companion.steps import FAMILIES, Step

# --- playing to the end ---------------------------------------------------------------------------


@every_game
@every_policy
def test_game_ends_when_it_is_played_out(key, policy):
    for seats in GAMES[key].seats:
        for seed in range(2 if policy == "sensible" else 1):
            referee = played(key, seats, seed, policy)
            assert referee.outcome is not None
            assert set(referee.outcome.winners) <= set(referee.table.seats)
            assert set(referee.outcome.scores) <= set(referee.table.seats)
            assert referee.outcome.why
            assert list(referee.offers) == []
            refused = refusal_of(referee, Chose(referee.table.seats[0], "dance"))
            assert refused.code == "game_over"


@every_game
@every_policy
def test_seed_gives_the_same_game_when_it_is_played_again(key, policy):
    game, seats = GAMES[key], GAMES[key].seats.start
    again = play_out(game, some_players(seats), seed=0, policy=POLICIES[policy])
    assert tuple(step.report for step in again.history) == reports_of(key, seats, 0, policy)


@every_game
@every_policy
def test_somebody_can_act_until_the_game_is_over(key, policy):
    referee, (*on_the_way, end) = course(key, GAMES[key].seats.stop - 1, 0, policy)
    assert len(on_the_way) == referee.number
    for moment in on_the_way:
        open_offers = [offer for offer in moment.offers if offer.closed is None]
        assert open_offers
        for offer in open_offers:
            assert offer.player is None or offer.player in referee.table.seats
    assert referee.outcome is not None
    assert end.offers == ()


# --- names that screens and lamps know ------------------------------------------------------------


@every_game
def test_cues_are_declared_when_they_are_told(key):
    game = GAMES[key]
    known = {*game.cues, *referee_module.CUES}
    assert len({cue.name for cue in known}) == len(known)
    assert {cue.family for cue in known} <= set(FAMILIES)
    for seats in game.seats:
        for policy in POLICIES:
            referee = played(key, seats, 0, policy)
            told = [*referee.opening, *(one for step in referee.history for one in step.told)]
            for one in told:
                assert one.cue in known, one
                assert one.text, one
                assert "{" not in one.text, one


@every_game
@every_policy
def test_phases_and_choices_are_declared_when_they_are_met(key, policy):
    game = GAMES[key]
    for seats in game.seats:
        for moment in course(key, seats, 0, policy)[1]:
            assert moment.phase in game.phases
            choices = {o.choice for o in moment.offers if isinstance(o, Choose)}
            assert choices <= set(game.choices)


@every_game
@every_policy
def test_button_of_a_player_means_one_choice_at_most_whatever_happens(key, policy):
    game, marked = GAMES[key], 0
    for seats in game.seats:
        for moment in course(key, seats, 0, policy)[1]:
            buttons = [o for o in moment.offers if isinstance(o, Choose) and o.button]
            pressed = [offer.player for offer in buttons if offer.closed is None]
            assert len(set(pressed)) == len(pressed)
            assert not any(offer.values for offer in buttons)  # a press cannot say which
            assert len({(o.player, o.choice) for o in buttons}) == len({o.player for o in buttons})
            marked += len(pressed)
    assert marked


@every_game
def test_values_have_a_label_when_they_are_offered(key):
    game = GAMES[key]
    seats, reports = a_game(key)
    referee = fresh(game, seats)
    for report in reports[:150]:
        for offer in referee.offers:
            if isinstance(offer, Choose) and offer.closed is None:
                assert len(set(map(repr, offer.values))) == len(offer.values)
                for value in offer.values:
                    assert game.labels(referee.table, offer.choice, value)
        referee.apply(report)


@every_game
@every_policy
def test_counters_have_labels_and_screens_know_them_when_shown(key, policy):
    game = GAMES[key]
    for seats in game.seats:
        reports = reports_of(key, seats, 0, policy)[: 2 * LONG]
        referee, looked_at = fresh(game, seats), set(moments(reports, 12))
        for at, report in enumerate(reports):
            if at in looked_at:
                check_screen(referee)
            referee.apply(report)
        check_screen(referee)
        check_screen(played(key, seats, 0, policy))


# --- numbers, and JSON ----------------------------------------------------------------------------


@every_game
def test_steps_are_numbered_without_gaps_when_some_are_refused(key):
    seats, reports = a_game(key)
    referee = fresh(GAMES[key], seats)
    for at, report in enumerate(reports[:60]):
        refusal_of(referee, Chose("nobody", "dance"))
        assert referee.apply(report).number == referee.number
        if at % 7 == 3:
            referee.undo()
            referee.apply(report)
    assert [step.number for step in referee.history] == list(range(1, referee.number + 1))


@every_game
@every_policy
def test_steps_are_equal_when_they_went_through_json(key, policy):
    seats, reports = a_game(key, policy)
    referee = replayed(GAMES[key], seats, reports)
    referee.undo()
    number = referee.history[-2].number
    referee.apply(Report(Correct(number - 1, reports[number - 2].action, True), at_s=4.5))
    for step in referee.history:
        assert msgspec.json.decode(msgspec.json.encode(step, enc_hook=str), type=Step) == step
        action = step.report.action
        assert entry_from(msgspec.json.decode(msgspec.json.encode(action))) == action


@every_game
def test_table_is_equal_when_the_history_is_applied_again(key):
    """Undo, corrections and adjusting are entries like others; a journal needs no more."""
    seats, reports = a_game(key)
    referee, rng = replayed(GAMES[key], seats, reports[:40]), random.Random(5)
    for _ in range(12):
        play_on(referee, rng, 3)
        referee.undo()
        referee.undo()
        counter, value = rng.choice(sorted(referee.table.counters.items()))
        for entry in (Adjusted(counter, value), Correct(20, reports[19].action, True)):
            try_out(referee, entry)
    again = replayed(GAMES[key], seats, [step.report for step in referee.history])
    assert everything(again) == everything(referee)
