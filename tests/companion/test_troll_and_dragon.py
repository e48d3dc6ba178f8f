"""Troll & Dragon scenario by scenario: setting up, the grotto, and how a game ends."""

import pytest
from verbs import WHITE

from companion.errors import ConfigError
from companion.games import GAMES
from companion.offers import Choose
from companion.players import anything, play_out, some_players
from companion.table import Player

# --- setting up -----------------------------------------------------------------------------------


def test_everything_lies_ready_when_a_game_begins(at):
    """Scenario 1."""
    assert at.treasure("supply") == (60, 50)
    assert at.treasure("troll_hand") == (0, 0)
    assert at.treasure("pouch") == (0, 0)
    assert [at.pack(seat) for seat in ("ann", "bo", "cy")] == [(0, 0)] * 3
    assert (at.phase, at.active) == ("grotto", "ann")
    assert at.rollers() == {"ann": WHITE}
    assert at.choices() == set()
    assert at.cues == ["your_turn"]


@pytest.mark.parametrize("seats", [1, 6])
def test_game_is_refused_when_too_few_or_too_many_want_to_play(seats):
    with pytest.raises(ConfigError, match="expected 2 to 5 players"):
        GAMES["troll_and_dragon"].table(tuple(Player(f"p{i}", "x") for i in range(seats)))


@pytest.mark.parametrize("key", ["", "Ann", "a.b", "a b", "é"])
def test_player_is_refused_when_the_key_does_not_fit_a_counter(key):
    with pytest.raises(ConfigError, match="expected a player's key"):
        GAMES["troll_and_dragon"].table((Player(key, "x"), Player("bo", "Bo")))


# --- the grotto -----------------------------------------------------------------------------------


def test_first_roll_is_refused_when_a_die_is_missing(at):
    """Scenario 2."""
    with at.refused("must_roll_all_four"):
        at.roll("white-1 D", "white-2 D", "white-3 T")


def test_roll_gathers_diamonds_and_blocks_trolls_when_it_settles(at):
    """Scenario 3."""
    assert at.white("D D T K") == ["troll_near", "treasure", "key_door"]
    assert at.treasure("pouch") == (2, 0)
    assert at.count("supply.diamonds") == 58
    assert at.count("grotto.blocked") == 1
    assert at.rollers() == {"ann": ("white-1", "white-2", "white-4")}
    assert at.choices() == {"leave", "set_aside"}
    assert at.phase == "grotto"


def test_troll_takes_the_diamonds_when_all_dice_are_blocked(at):
    """Scenario 5."""
    at.white("D D T K")
    at.aside("white-4")
    assert at.roll("white-1 T", "white-2 T") == ["troll", "your_turn"]
    assert at.count("troll_hand.diamonds") == 2
    assert at.pack("ann") == (0, 0)
    assert at.treasure("pouch") == (0, 0)
    assert (at.active, at.phase) == ("bo", "grotto")
    assert "2 diamonds from Ann" in at.said


def test_cavern_opens_when_key_and_door_lie_aside(at):
    """Scenario 6."""
    at.white("K O D T")
    assert at.aside("white-1") == []
    assert at.phase == "grotto"
    assert at.aside("white-2") == ["cavern"]
    assert at.phase == "cavern"
    assert at.treasure("pouch") == (1, 0)
    assert at.count("grotto.blocked") == 0


@pytest.mark.parametrize("first", ["white-1", "white-2"])
def test_cavern_comes_before_the_troll_when_the_other_dice_show_trolls(at, first):
    """Scenario 7, and with the door first."""
    at.white("K O T T")
    at.aside(first)
    assert at.aside({"white-1": "white-2", "white-2": "white-1"}[first]) == ["cavern"]
    assert at.phase == "cavern"
    assert at.count("troll_hand.diamonds") == 0


def test_cavern_stays_shut_when_the_key_was_rolled_again(at):
    """Scenario 9."""
    at.white("K T T T")
    at.roll("white-1 O")
    [set_aside] = [o for o in at.open_offers(Choose) if o.choice == "set_aside"]
    assert set_aside.values == ("white-1",)
    assert at.table.grotto.faces["white-1"] == "door"
    assert "leave" in at.choices()
    assert at.aside("white-1") == ["troll", "your_turn"]


def test_cavern_opens_when_key_and_door_come_from_different_rolls(at):
    """Scenario 10."""
    at.white("K D D T")
    at.aside("white-1")
    at.roll("white-2 O", "white-3 D")
    assert at.treasure("pouch") == (3, 0)
    assert at.aside("white-2") == ["cavern"]


@pytest.mark.parametrize("dice", [["white-3"], ["white-1", "white-3"]])
def test_roll_is_refused_when_a_troll_is_among_the_dice(at, dice):
    """Scenario 11."""
    at.white("D D T K")
    with at.refused("die_blocked"):
        at.roll(*(f"{die} D" for die in dice))


def test_roll_is_refused_when_a_die_set_aside_is_rolled_again(at):
    at.white("D D T K")
    at.aside("white-4")
    with at.refused("die_blocked"):
        at.roll("white-4 K")
    with at.refused("die_blocked"):
        at.aside("white-4")


def test_any_free_die_may_be_rolled_when_the_policy_is_any_free(at):
    """Scenario 13, first half."""
    at.white("D D D D")
    assert at.treasure("pouch") == (4, 0)
    assert at.rollers() == {"ann": WHITE}
    at.roll("white-2 D")
    assert at.treasure("pouch") == (5, 0)


def test_subset_is_refused_when_the_policy_is_all_free(seat):
    """Scenario 13, second half."""
    at = seat("ann", "bo", reroll_policy="all_free")
    at.white("D D D D")
    with at.refused("must_roll_all_free"):
        at.roll("white-2 D")
    at.white("D D D T")
    with at.refused("must_roll_all_free"):
        at.roll("white-1 D", "white-2 D")
    with at.refused("die_blocked"):
        at.white("D D D D")
    at.roll("white-1 D", "white-2 D", "white-3 K")
    assert at.treasure("pouch") == (9, 0)


def test_key_may_be_set_aside_when_it_lay_there_through_a_later_roll(at):
    at.white("K D D T")
    at.roll("white-2 D")
    at.aside("white-1")
    assert at.count("grotto.blocked") == 2


@pytest.mark.parametrize(("die", "code"), [("white-1", "no_key_no_door"), ("white-9", None)])
def test_set_aside_is_refused_when_the_die_shows_no_key_or_door(at, die, code):
    at.white("D D T K")
    with at.refused(code or "no_key_no_door"):
        at.aside(die)
    with at.refused("no_key_no_door"):
        at.choose("ann", "set_aside")


def test_decisions_are_refused_when_nothing_was_rolled(at):
    """Scenario 38."""
    with at.refused("nothing_rolled"):
        at.leave()
    with at.refused("nothing_rolled"):
        at.aside("white-1")


def test_decision_is_refused_when_it_is_somebody_elses_turn(at):
    at.white("D D T K")
    with at.refused("not_your_turn"):
        at.choose("bo", "leave")
    with at.refused("not_your_turn"):
        at.choose("bo", "set_aside", "white-4")


def test_dice_of_the_cavern_are_refused_when_in_the_grotto(at):
    with at.refused("cavern_shut"):
        at.roll(*(f"{die} D" for die in WHITE), "gold-1 g0", "gold-2 g0")
    for _ in range(2):
        with at.refused("cavern_shut"):
            at.golden("g0 g0")
        with at.refused("race_not_started"):
            at.red("- -")
        at.white("D D D K")


def test_second_key_is_warned_of_when_it_is_set_aside(at):
    at.white("K K D T")
    assert at.aside("white-1") == []
    assert at.aside("white-2") == ["warning"]
    assert "second key" in at.said
    assert at.phase == "grotto"
    assert at.roll("white-3 O") == ["key_door"]
    assert at.aside("white-3") == ["cavern"]


def test_troll_comes_when_the_last_free_die_is_a_second_door(at):
    at.white("O O T T")
    at.aside("white-1")
    assert at.aside("white-2") == ["warning", "troll", "your_turn"]


def test_troll_comes_when_the_first_roll_shows_four_trolls(at):
    assert at.white("T T T T") == ["troll", "your_turn"]
    assert at.active == "bo"
    assert at.count("troll_hand.diamonds") == 0


def test_last_die_can_still_be_decided_on_when_the_others_are_blocked(at):
    at.white("D T T T")
    assert at.rollers() == {"ann": ("white-1",)}
    assert at.leave() == ["left", "your_turn"]
    assert at.pack("ann") == (1, 0)


def test_hand_of_the_troll_grows_when_he_comes_again(at):
    for diamonds in (2, 3, 5):
        at.white("D D T K" if diamonds != 3 else "D T T T")
        free = at.rollers()[at.active]
        at.roll(*(f"{die} T" for die in free))
        assert at.count("troll_hand.diamonds") == diamonds


def test_faces_of_the_last_turn_count_for_nothing_when_a_turn_begins(at):
    at.white("K O D T")
    at.leave()
    assert at.table.grotto.faces == {}
    assert at.count("grotto.blocked") == 0
    with at.refused("nothing_rolled"):
        at.aside("white-1")


# --- running out of diamonds ----------------------------------------------------------------------


def test_game_ends_after_the_turn_when_the_grotto_is_empty(at):
    """Scenario 14."""
    at.adjust("supply.diamonds", 2)
    assert at.white("D D D T") == ["troll_near", "treasure", "room_empty"]
    assert at.treasure("pouch") == (2, 0)
    assert at.count("supply.diamonds") == 0
    assert at.referee.outcome is None
    assert at.leave() == ["left", "game_over"]
    assert at.phase == "over"
    assert at.referee.outcome.winners == ("ann",)
    assert at.referee.outcome.scores == {"ann": 2, "bo": 0, "cy": 0}
    assert list(at.referee.offers) == []


def test_game_goes_on_when_both_rooms_must_be_empty(seat):
    """Scenario 15."""
    at = seat("ann", "bo", end_mode="both")
    at.adjust("supply.diamonds", 2)
    at.white("D D D T")
    at.leave()
    assert at.referee.outcome is None
    assert at.active == "bo"
    assert at.white("D D T T") == ["troll_near", "warning"]
    assert at.treasure("pouch") == (0, 0)
    at.leave()
    assert at.pack("bo") == (0, 0)


def test_game_ends_when_the_second_room_is_empty_too(seat):
    at = seat("ann", "bo", end_mode="both")
    at.adjust("supply.diamonds", 0)
    at.adjust("supply.gold", 1)
    at.enter("K O T T")
    at.golden("g1 g0")
    assert at.leave() == ["left", "game_over"]
    assert at.referee.outcome.scores == {"ann": 3, "bo": 0}


def test_nothing_is_owed_later_when_the_supply_fell_short(at):
    at.adjust("supply.diamonds", 1)
    at.white("D D D D")
    assert at.treasure("pouch") == (1, 0)
    at.roll("white-1 D")
    assert at.treasure("pouch") == (1, 0)


def test_room_is_called_low_once_when_five_are_left(at):
    at.adjust("supply.diamonds", 9)
    assert "room_low" not in at.white("D D D T")
    assert at.roll("white-1 D") == ["treasure", "room_low"]
    assert "Only 5 left" in at.said
    assert at.roll("white-1 D") == ["treasure"]
    at.leave()
    assert at.white("D D D D") == ["treasure", "room_empty"]


def test_troll_ends_the_game_when_he_takes_the_last_diamonds(at):
    at.adjust("supply.diamonds", 1)
    at.white("D T T T")
    assert at.roll("white-1 T") == ["troll", "game_over"]
    assert at.referee.outcome.winners == ("ann", "bo", "cy")


# --- the end --------------------------------------------------------------------------------------


def end_with(at, **packs):
    """Fill the packs by hand and let the first player end the game without another piece."""
    for player, (diamonds, gold) in packs.items():
        at.adjust(f"pack.{player}.diamonds", diamonds)
        at.adjust(f"pack.{player}.gold", gold)
    at.adjust("supply.gold", 0)
    at.white("T T T K")
    at.leave()
    return at.referee.outcome


def test_more_nuggets_win_when_points_are_equal(seat):
    """Scenario 33."""
    outcome = end_with(seat("p0", "p1"), p0=(10, 5), p1=(22, 1))
    assert outcome.winners == ("p0",)
    assert outcome.scores == {"p0": 25, "p1": 25}
    assert "more gold" in outcome.why


def test_victory_is_shared_when_nuggets_are_equal_too(seat):
    """Scenario 34."""
    outcome = end_with(seat("p0", "p1", "p2"), p0=(10, 5), p1=(10, 5), p2=(24, 0))
    assert outcome.winners == ("p0", "p1")
    assert outcome.scores == {"p0": 25, "p1": 25, "p2": 24}
    assert outcome.why == "P0 and P1 share the victory with 25 points and 5 gold each."


def test_nugget_counts_three_when_the_score_is_made(seat):
    """Scenario 35."""
    outcome = end_with(seat("p0", "p1"), p0=(0, 17), p1=(50, 0))
    assert outcome.scores == {"p0": 51, "p1": 50}
    assert outcome.winners == ("p0",)
    assert outcome.why == "P0 wins with treasure worth 51."


def test_diamonds_of_the_troll_belong_to_nobody_when_the_game_ends(at):
    at.adjust("troll_hand.diamonds", 9)
    outcome = end_with(at, ann=(1, 0))
    assert outcome.scores == {"ann": 1, "bo": 0, "cy": 0}


def test_everything_is_refused_when_the_game_is_over(at):
    end_with(at)
    with at.refused("game_over"):
        at.white("D D D D")
    with at.refused("game_over"):
        at.leave()
    at.undo()
    assert at.referee.outcome is None
    assert "leave" in at.choices()


def test_turn_is_finished_when_a_room_is_emptied_by_hand(at):
    at.white("D D T K")
    at.adjust("supply.diamonds", 0)
    assert at.referee.outcome is None
    at.leave()
    assert at.referee.outcome is not None


@pytest.mark.parametrize("count", [2, 3, 4, 5])
@pytest.mark.parametrize("policy", [None, anything], ids=["sensible", "anything"])
def test_game_ends_in_time_when_simulated_people_play(count, policy):
    """Scenario 42, a sample of its thousand games, with the audit of 37 before every action."""

    def watch(referee):
        counts = referee.table.counters
        assert sum(n for c, n in counts.items() if c.endswith(".diamonds")) == 60
        assert sum(n for c, n in counts.items() if c.endswith(".gold")) == 50
        assert min(counts.values()) >= 0

    for seed in range(15):
        game = GAMES["troll_and_dragon"]
        referee = play_out(game, some_players(count), seed=seed, policy=policy, watch=watch)
        counts = referee.table.counters
        assert 0 in (counts["supply.diamonds"], counts["supply.gold"])
        turns = [t for step in referee.history for t in step.told if t.cue.name == "your_turn"]
        assert len(turns) < 500
        assert referee.outcome.winners
