"""Simulated people and the stacked deck of Roll for Adventure."""

import random
from typing import Any

import pytest
from adventure import Adventure

from companion.actions import Flipped
from companion.games.roll_for_adventure import GAME
from companion.games.roll_for_adventure.cards import MASTER
from companion.offers import Choose
from companion.players import Chance, Policy, anything, play_out, some_players
from companion.players.adventure_outlook import Outlook
from companion.players.adventure_worth import worth
from companion.players.roll_for_adventure import adventurer, stacked
from companion.protocol import checked_options
from companion.referee import Referee

MIXES = ("aaaa", "bbbb", "abba")
LONGEST = 200  # turns

# --- the deck -------------------------------------------------------------------------------------


@pytest.mark.parametrize("enemies", [24, 25, 26, 30, 36, 42])
def test_master_lies_in_the_middle_stack_when_the_deck_is_built(enemies):
    cards = [*(f"card-{i}" for i in range(enemies)), MASTER]
    third = enemies // 3
    places = set()
    for seed in range(200):
        deck = stacked(cards, random.Random(seed))
        assert sorted(deck) == sorted(cards)
        places.add(deck.index(MASTER))
    assert min(places) == third
    assert max(places) <= third + (enemies - third + 1) // 2


def test_every_card_comes_once_and_the_master_again_when_cards_are_flipped():
    at, chance = Adventure(), Chance(random.Random(5))
    drawn = []
    for _ in range(40):
        card = chance.flip(at.table, "enemy_deck")
        drawn.append(card)
        if card != MASTER:
            at.table.deck.remove(card)
    assert len(set(drawn)) == 25
    assert drawn.count(MASTER) == 40 - 24


def test_same_card_turns_up_when_the_flip_is_taken_back():
    at, chance = Adventure(), Chance(random.Random(5))
    at.pass_turn(chance.flip(at.table, "enemy_deck"))
    at.spend()
    card = chance.flip(at.table, "enemy_deck")
    at.flip(card)
    at.undo()
    assert chance.flip(at.table, "enemy_deck") == card


# --- whole games ----------------------------------------------------------------------------------


def turns(referee: Referee) -> int:
    return sum(isinstance(step.report.action, Flipped) for step in referee.history)


def played(seats: int, seed: int, policy: Policy, **options: Any) -> Referee:
    chosen = checked_options(GAME.options, options)
    return play_out(GAME, some_players(seats), seed=seed, options=chosen, policy=policy)


@pytest.mark.slow
@pytest.mark.parametrize("sides", MIXES)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_games_end_within_two_hundred_turns(seats, sides):
    """A sample; the whole of it is a bench."""
    games = [played(seats, seed, anything, sides=sides) for seed in range(3)]
    games.append(played(seats, seats, adventurer, sides=sides))
    assert all(referee.outcome is not None for referee in games)
    assert max(map(turns, games)) <= LONGEST


@pytest.mark.slow
def test_games_end_when_all_special_enemies_are_in_the_deck():
    specials = {"board": "jewel_of_light", "specials": "dragons,phantoms,giants"}
    heroes = {"heroes": "healer,fighter,warrior,adventurer"}
    referee = played(4, 0, adventurer, **specials, **heroes)
    assert turns(referee) <= LONGEST


@pytest.mark.slow
def test_four_people_win_the_book_of_magic_often_enough():
    """Two games of three were won in 100; two of six is a very low bar for chance."""
    wins = sum(bool(played(4, seed, adventurer).outcome.winners) for seed in range(6))
    assert wins >= 2


# --- thinking -------------------------------------------------------------------------------------


@pytest.mark.parametrize("sides", ["aaaa", "bbbb"])
def test_what_people_imagine_comes_true_when_they_place(sides):
    """Where nothing is asked, the table after a placement looks as it was imagined."""
    compared = 0
    for seed in range(8):
        rng, chance = random.Random(seed), Chance(random.Random(seed))
        options = checked_options(GAME.options, {"sides": sides})
        referee = Referee(GAME, some_players(4), options)
        for _ in range(60):
            if referee.outcome is not None:
                break
            imagined, hero = None, referee.table.active
            intent = anything(referee.table, hero, open_offers(referee), rng)
            if isinstance(intent.offer, Choose) and intent.offer.choice == "place":
                imagined = Outlook.of(referee.table).after(intent.value)
            apply(referee, intent, chance)
            if imagined is not None and referee.table.phase in ("roll", "reveal"):
                assert_alike(Outlook.of(referee.table), imagined)
                compared += 1
    assert compared > 50


def open_offers(referee: Referee) -> list[Any]:
    return [offer for offer in referee.offers if offer.closed is None]


def apply(referee: Referee, intent: Any, chance: Chance) -> None:
    from companion.actions import Report
    from companion.players import action_of

    referee.apply(Report(action_of(intent, referee.table, chance)))


def assert_alike(real: Outlook, imagined: Outlook) -> None:
    def lying(outlook: Outlook) -> dict[str, list[str]]:
        away = ("board.", "hand", "bonus_pool")
        return {p: sorted(c) for p, c in outlook.dice.items() if c and not p.startswith(away)}

    assert lying(real) == lying(imagined)
    assert (real.boards, real.hand, real.bonus) == (imagined.boards, imagined.hand, imagined.bonus)
    assert (real.stones, real.barriers, real.chains) == (
        imagined.stones,
        imagined.barriers,
        imagined.chains,
    )
    assert (real.boundary, real.enemies, real.damage) == (
        imagined.boundary,
        imagined.enemies,
        imagined.damage,
    )
    assert worth(real) == pytest.approx(worth(imagined))


def test_enemy_is_preferred_when_a_six_defeats_it():
    at = Adventure()
    at.pass_turn("forest-1a")
    at.throw("6 2 2 3 4")
    offers = [o for o in at.open_offers(Choose) if o.choice == "place"]
    intent = adventurer(at.table, at.active, offers, random.Random(1))
    assert intent.value == {"face": "6", "count": 1, "where": "enemy-forest-1a"}
