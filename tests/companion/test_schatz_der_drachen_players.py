"""Simulated treasure hunters: their games end, and the better they remember the sooner."""

import random
from collections import Counter

import pytest
from cave import Cave

from companion.actions import Adjusted, Report, Undo
from companion.games.schatz_der_drachen import GAME
from companion.games.schatz_der_drachen.pieces import KINDS, SPIDER
from companion.players import Chance, anything, play_out, some_players
from companion.players.schatz_der_drachen import TreasureHunter, shuffled
from companion.referee import Referee
from companion.steps import Step


def turns(steps: list[Step]) -> int:
    """How many turns a game took."""
    return 1 + sum(told.cue.name == "your_turn" for step in steps for told in step.told)


def mean_turns(memory: float, seeds: range) -> float:
    """Mean length of games of people who remember that well; every one must end."""
    lengths = []
    for seed in seeds:
        referee = play_out(
            GAME, some_players(2 + seed % 4), seed=seed, policy=TreasureHunter(memory)
        )
        assert referee.outcome is not None
        lengths.append(turns(referee.history))
    assert max(lengths) < 1000
    return sum(lengths) / len(lengths)


def test_games_end_and_take_longer_when_memory_falls() -> None:
    """Scenario 38, a sample."""
    none, some, most, all_ = (mean_turns(m, range(10)) for m in (0.0, 0.3, 0.6, 1.0))
    assert none > some > most > all_


def test_the_award_begins_with_the_spiders_alone() -> None:
    """Scenario 38: the square holds just the three spiders then."""
    for seed in range(6):
        referee = play_out(GAME, some_players(4), seed=seed)
        last = referee.table
        referee.undo()
        table = referee.table
        left = {kind: table.left(kind) - len(table.up_of(kind)) for kind in table.box}
        assert {kind: n for kind, n in left.items() if n} == {SPIDER: 3}
        assert sum(last.scores.values()) in (46, 49)


def test_the_same_seed_gives_the_same_game() -> None:
    first, second = (play_out(GAME, some_players(3), seed=7) for _ in range(2))
    assert first.history == second.history
    assert play_out(GAME, some_players(3), seed=8).history != first.history


@pytest.mark.parametrize("seed", range(3))
def test_games_end_when_people_do_anything(seed: int) -> None:
    referee = play_out(GAME, some_players(2 + seed), seed=seed, policy=anything)
    assert referee.outcome is not None


def test_options_say_how_well_people_remember() -> None:
    lengths = [
        turns(play_out(GAME, some_players(3), seed=1, options=GAME.options(memory=m)).history)
        for m in (0.0, 1.0)
    ]
    assert lengths[0] > 1.5 * lengths[1]


@pytest.mark.parametrize(
    "options",
    [
        {"square": "6x6", "spider_mover": "vote"},
        {"spider_goes": "swap", "dragons_chase": True, "may_decline": True},
        {"surplus": "latest_stays", "allow_pass": True, "spider_goes": "nowhere"},
    ],
)
def test_people_play_by_any_house_rules(options: dict[str, object]) -> None:
    referee = play_out(GAME, some_players(3), seed=4, options=GAME.options(**options))
    assert turns(referee.history) < 100


# --- memory ---------------------------------------------------------------------------------------


def watched(memory: float, seed: int = 1) -> tuple[TreasureHunter, Cave]:
    """Somebody who has watched twenty tiles being turned up and covered again."""
    hunter, cave, rng = TreasureHunter(memory), Cave(), random.Random(seed)
    for _ in range(10):
        for letter in ("G", "B"):
            cave.flip(cave.unseen(), letter)
            hunter.watch(cave.table, rng)
            hunter.watch(cave.table, rng)  # looking twice is not seeing twice
    return hunter, cave


def test_somebody_remembers_all_or_nothing_at_the_ends_of_the_scale() -> None:
    assert len(watched(1.0)[0].known) == 20
    assert watched(0.0)[0].known == {}
    assert 2 < len(watched(0.5)[0].known) < 15


def test_memory_fades_from_turn_to_turn() -> None:
    hunter, cave = watched(0.8)
    before, rng = len(hunter.known), random.Random(2)
    hunter.memory = 0.0
    for seat in cave.table.seats * 8:
        cave.table.active = seat
        hunter.watch(cave.table, rng)
    assert len(hunter.known) < before / 2


def test_everybody_has_a_head_of_her_own() -> None:
    hunter = TreasureHunter(1.0)
    other = hunter.seated()
    hunter.known["0,0"] = "ring"
    assert (other.known, other.memory) == ({}, 1.0)


# --- chance ---------------------------------------------------------------------------------------


def test_tiles_are_what_the_box_holds_and_stay_what_they_are() -> None:
    referee = Referee(GAME, some_players(2))
    chance = Chance(random.Random(5))
    faces = [chance.flip(referee.table, square) for square in referee.table.squares]
    assert {kind: faces.count(kind) for kind in set(faces)} == dict(referee.table.box)
    assert faces == [chance.flip(referee.table, square) for square in referee.table.squares]
    other = Chance(random.Random(6))
    assert faces != [other.flip(referee.table, square) for square in referee.table.squares]


def test_a_spider_is_found_where_it_was_put_and_back_again_after_undo() -> None:
    cave = Cave()
    chance = Chance(random.Random(5))
    where = {chance.flip(cave.table, square): square for square in cave.table.squares}
    ring, spider = where["ring"], where["spider"]
    cave.flip(ring, "ring")
    cave.stop()
    cave.flip(spider, "spider")
    cave.choose("bo", "move_spider", ring)
    assert chance.flip(cave.table, ring) == "spider"
    for _ in range(4):
        cave.apply(Undo())
    assert chance.flip(cave.table, ring) == "ring"
    assert chance.flip(cave.table, spider) == "spider"


def test_tiles_that_are_put_back_by_hand_can_be_turned_up() -> None:
    referee = play_out(GAME, some_players(2), seed=2)
    for _ in range(3):
        referee.undo()
    table = referee.table
    chance = Chance(random.Random(0))
    referee.apply(Report(Adjusted("pile.ann.ring", 0)))
    assert set(table.flippable) >= set(table.gaps)
    assert {chance.flip(table, square) for square in table.flippable} <= set(table.box)


def test_tiles_of_a_game_that_is_taken_up_again_lie_as_the_table_knows() -> None:
    seen = []

    def look(referee: Referee) -> None:
        table = referee.table
        faces = shuffled(table, random.Random(referee.number))
        lying = [tile for tile in table.tiles.values() if tile is not None]
        assert Counter(faces.values()) == Counter(table.box)
        assert Counter(faces[tile] for tile in lying) == +Counter({k: table.left(k) for k in KINDS})
        assert {tile: faces[tile] for tile in table.remembered} == table.remembered
        seen.append((len(lying), len(table.remembered)))

    play_out(GAME, some_players(3), seed=3, watch=look)
    assert min(seen)[0] < 10
    assert max(known for _, known in seen) > 10
