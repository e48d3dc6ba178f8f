"""The numbered scenarios of Schatz der Drachen."""

import pytest
from cave import Cave

from companion.errors import ConfigError
from companion.games.schatz_der_drachen import GAME
from companion.offers import Choose, Flip
from companion.table import Player

OTHERS = {"car": 4, "doll": 4, "candlestick": 6, "chest": 8}


@pytest.fixture
def cave() -> Cave:
    return Cave()


def test_all_tiles_lie_face_down_when_a_game_is_new(cave: Cave) -> None:
    """Scenario 1."""
    assert cave.count("tiles.left") == 49
    assert dict(cave.table.box) == {
        "ball": 4, "car": 4, "doll": 4, "candlestick": 6,
        "chest": 8, "ring": 8, "dragon": 12, "spider": 3,
    }  # fmt: skip
    assert [cave.pile(seat) for seat in cave.table.seats] == [0, 0, 0]
    assert {cave.cell(square).status for square in cave.table.squares} == {"back"}
    (flip,) = cave.open_offers(Flip)
    assert (flip.player, len(flip.squares)) == ("ann", 49)


def test_nothing_is_collected_when_two_different_treasures_lie_open(cave: Cave) -> None:
    """Scenario 2."""
    cave.up("B K")
    assert (cave.phase, cave.active, cave.pile("ann")) == ("reveal", "ann", 0)
    assert (cave.count("up.ball"), cave.count("up.candlestick")) == (1, 1)


def test_complete_sets_and_rings_are_taken_when_the_player_stops(cave: Cave) -> None:
    """Scenario 3."""
    cave.up("B B K K K K O R R")
    assert "collected" in cave.stop()
    assert cave.pile("ann") == 7
    kinds = {kind: cave.count(f"pile.ann.{kind}") for kind in ("ball", "candlestick", "ring")}
    assert kinds == {"ball": 2, "candlestick": 3, "ring": 2}
    assert (cave.count("tiles.left"), len(cave.table.gaps), cave.active) == (42, 7, "bo")
    assert not any(n for name, n in cave.table.counters.items() if name.startswith("up."))


def test_nothing_is_collected_when_the_spider_comes_after_all(cave: Cave) -> None:
    """Scenario 5."""
    cues = cave.up("B B K K K K O R R S")
    assert cues == ["spider", "spider_covered", "your_turn"]
    assert (cave.pile("ann"), cave.count("tiles.left"), cave.active) == (0, 49, "bo")


@pytest.mark.parametrize(
    ("letters", "gain"),
    [
        pytest.param("G G G", 3, id="scenario 6"),
        pytest.param("G R R G", 4, id="scenario 7"),
        pytest.param("R", 1, id="scenario 10"),
        pytest.param("O O O", 2, id="scenario 11"),
        pytest.param("B C O", 0, id="scenario 13"),
        pytest.param("K K K K K", 3, id="scenario 14"),
        pytest.param("K K K K K K", 6, id="scenario 15"),
        pytest.param("H H H H H", 4, id="scenario 17"),
        pytest.param("H H H H H H H", 4, id="scenario 18"),
        pytest.param("H H H H H H H H", 8, id="scenario 19"),
    ],
)
def test_a_stop_takes_what_is_complete(cave: Cave, letters: str, gain: int) -> None:
    """Scenarios 6, 7, 10, 11, 13, 14, 15, 17, 18 and 19."""
    cave.up(letters)
    cues = cave.stop()
    assert cave.pile("ann") == gain
    assert ("collected" if gain else "nothing_collected") in cues
    assert cave.count("tiles.left") == 49 - gain
    assert len(cave.table.backs) == 49 - gain


def test_three_candlesticks_are_left_when_three_of_five_were_taken(cave: Cave) -> None:
    """Scenario 14, what remains: two that lay open, and one that nobody has seen."""
    cave.up("K K K K K")
    cave.stop()
    assert cave.table.left("candlestick") == 3


@pytest.mark.parametrize("letters", ["H R G", "R H G", "G R H", "G G R B", "G C"])
def test_dragon_and_treasure_clash_in_any_order(cave: Cave, letters: str) -> None:
    """Scenario 9."""
    assert cave.up(letters) == ["clash", "your_turn"]
    assert (cave.pile("ann"), cave.count("tiles.left"), cave.active) == (0, 49, "bo")
    assert cave.table.gaps == ()


def test_nobody_moves_the_spider_when_there_is_no_gap(cave: Cave) -> None:
    """Scenario 21."""
    assert cave.flip("2,3", "S") == ["spider", "spider_covered", "your_turn"]
    assert (cave.phase, cave.active) == ("reveal", "bo")
    with cave.refused("not_offered"):
        cave.choose("ann", "move_spider", "0,0")


def gap_and_spider(cave: Cave) -> None:
    """A ring has left a gap at (0,0), and Bo turns up a spider at (2,3)."""
    cave.flip("0,0", "R")
    cave.stop()
    cave.flip("2,3", "S")
    assert (cave.phase, cave.active) == ("spider", "bo")


def test_the_spider_moves_when_a_gap_is_chosen(cave: Cave) -> None:
    """Scenario 22."""
    gap_and_spider(cave)
    (offer,) = cave.open_offers(Choose)[:1]
    assert offer.values == ("stay", "0,0")
    assert cave.choose("bo", "move_spider", "0,0") == ["spider_covered", "your_turn"]
    assert (cave.cell("2,3").status, cave.cell("0,0").status) == ("gap", "back")
    assert cave.active == "cy"
    with cave.refused("tile_changed"):
        cave.flip("0,0", "R")
    assert cave.flip("0,0", "S")[0] == "spider"


def test_the_spider_is_covered_in_place_when_it_stays(cave: Cave) -> None:
    """Scenario 23."""
    gap_and_spider(cave)
    cave.choose("bo", "move_spider", "stay")
    assert (cave.cell("2,3").status, cave.cell("0,0").status) == ("back", "gap")
    assert cave.count("tiles.left") == 48


@pytest.mark.parametrize("place", ["7,0", "0,7", "-1,0", "somewhere", 3, None])
def test_the_spider_stays_in_the_square(cave: Cave, place: object) -> None:
    """Scenario 25."""
    gap_and_spider(cave)
    with cave.refused("no_such_square"):
        cave.choose("bo", "move_spider", place)
    with cave.refused("not_free"):
        cave.choose("bo", "move_spider", "1,1")


def test_a_stop_is_refused_when_nothing_was_turned_up(cave: Cave) -> None:
    """Scenario 26."""
    with cave.refused("reveal_at_least_one"):
        cave.choose("ann", "stop")


def test_a_tile_is_refused_when_it_lies_open_already(cave: Cave) -> None:
    """Scenario 27."""
    cave.flip("1,1", "R")
    with cave.refused("already_face_up"):
        cave.flip("1,1", "R")
    cave.stop()
    with cave.refused("no_tile_there"):
        cave.flip("1,1", "R")


def test_nobody_acts_out_of_turn(cave: Cave) -> None:
    """Scenario 29."""
    cave.flip("0,0", "R")
    with cave.refused("not_your_turn"):
        cave.choose("bo", "stop")
    cave.stop()
    cave.flip("2,3", "S")
    with cave.refused("turn_is_over"):
        cave.flip("3,3", "R")
    with cave.refused("not_your_turn"):
        cave.choose("ann", "move_spider", "0,0")


def one_ring_left(cave: Cave, ann: int, bo: int) -> None:
    """All but a ring and the spiders has been collected."""
    cave.collected(ann={"dragon": ann, "ball": 4}, bo={"dragon": bo, "ring": 7}, cy=OTHERS)
    assert cave.count("tiles.left") == 4


def test_most_dragons_take_the_spiders_when_the_game_ends(cave: Cave) -> None:
    """Scenario 30."""
    one_ring_left(cave, 7, 5)
    cave.flip("4,4", "R")
    assert cave.stop() == ["collected", "spider_bonus", "game_over"]
    assert (cave.count("pile.ann.ring"), cave.count("pile.ann.spider")) == (1, 3)
    outcome = cave.referee.outcome
    assert outcome is not None
    assert outcome.scores == {"ann": 15, "bo": 12, "cy": 22}
    assert (outcome.winners, cave.count("tiles.left"), cave.phase) == (("cy",), 0, "over")
    with cave.refused("game_over"):
        cave.flip("4,5", "S")


def test_nobody_gets_the_spiders_when_dragons_tie(cave: Cave) -> None:
    """Scenario 31."""
    one_ring_left(cave, 6, 6)
    cave.flip("4,4", "R")
    assert "spider_bonus" not in cave.stop()
    assert sum(cave.pile(seat) for seat in cave.table.seats) == 46
    assert cave.count("tiles.left") == 3


def test_the_victory_is_shared_when_piles_are_equal(cave: Cave) -> None:
    """Scenario 33."""
    twenty_all(cave)
    assert [cave.pile(seat) for seat in cave.table.seats] == [20, 20, 9]
    outcome = cave.referee.outcome
    assert outcome is not None
    assert outcome.winners == ("ann", "bo")
    assert outcome.why == "Ann and Bo share the victory with 20 tiles each."


def twenty_all(cave: Cave) -> None:
    """Ann has most dragons, Bo most chests, and both 20 tiles at the end."""
    cave.collected(
        ann={"dragon": 7, "candlestick": 6, "ball": 2, "ring": 1},
        bo={"dragon": 5, "chest": 8, "car": 4, "ball": 2, "ring": 1},
        cy={"doll": 4, "ring": 5},
    )
    cave.flip("0,0", "R")
    cave.stop()


@pytest.mark.parametrize(("tiebreak", "winner"), [("dragons", "ann"), ("chests", "bo")])
def test_a_tie_is_broken_when_that_is_agreed(tiebreak: str, winner: str) -> None:
    """Ruling 12."""
    cave = Cave(tiebreak=tiebreak)
    twenty_all(cave)
    outcome = cave.referee.outcome
    assert outcome is not None
    assert outcome.winners == (winner,)
    assert outcome.why.endswith(f"wins the tie at 20 tiles with more {tiebreak}.")


@pytest.mark.parametrize("daring", [False, True])
def test_stopping_is_advised_when_only_spiders_lie_face_down(cave: Cave, daring: bool) -> None:
    """Scenario 34."""
    cave.collected(ann={"ball": 2, "dragon": 12}, bo={"ring": 8}, cy=OTHERS)
    assert cave.flip("1,1", "B") == ["turned_up"]
    assert cave.flip("1,2", "B") == ["turned_up", "set_complete", "only_spiders_left"]
    assert cave.table.view().heading == "Only spiders are left"
    if daring:
        assert cave.flip("1,3", "S")[0] == "spider"
        assert (cave.count("pile.ann.ball"), cave.referee.outcome) == (2, None)
    else:
        cave.stop()
        assert cave.count("pile.ann.ball") == 4
        assert cave.referee.outcome is not None


@pytest.mark.parametrize("staying", ["0,3", "0,0"])
def test_the_chosen_tile_stays_when_there_is_a_surplus(cave: Cave, staying: str) -> None:
    """Scenario 35."""
    cave.up("K K K K")
    assert cave.choose("ann", "stop") == ["which_stays"]
    (offer, button) = [o for o in cave.open_offers(Choose) if o.choice != "swapped"]
    assert offer.values == ("0,0", "0,1", "0,2", "0,3")
    assert (button.choice, button.button) == ("take", True)
    with cave.refused("value_not_offered"):
        cave.choose("ann", "keep", "5,5")
    with cave.refused("turn_is_over"):
        cave.flip("5,5", "R")
    cave.choose("ann", "keep", staying)
    assert cave.cell(staying).status == "back"
    assert set(cave.table.gaps) == {"0,0", "0,1", "0,2", "0,3"} - {staying}


def test_the_latest_stays_when_the_player_does_not_care(cave: Cave) -> None:
    """Scenario 35, default: the tiles that were turned up first are taken."""
    cave.up("K K K K K")
    cave.stop()
    assert cave.table.gaps == ("0,0", "0,1", "0,2")


def test_turns_go_round_after_busts_and_after_stops() -> None:
    """Scenario 37."""
    cave = Cave("ann", "bo", "cy", "di")
    turns = [cave.active]
    for letters in ("G B", "R", "S", "C G"):
        cave.up(letters)
        if letters == "R":
            cave.stop()
        if cave.phase == "spider":
            cave.choose(cave.active, "move_spider", "stay")
        turns.append(cave.active)
    assert turns == ["ann", "bo", "cy", "di", "ann"]


def test_every_tile_tells_what_it_is(cave: Cave) -> None:
    """The cues of section 5 for tiles that do not end a turn."""
    assert cave.up("B") == ["turned_up"]
    assert cave.up("B") == ["turned_up", "set_complete"]
    assert cave.up("R") == ["ring"]
    assert cave.up("K K K") == ["turned_up", "set_complete"]
    assert cave.up("H H H H") == ["turned_up", "set_complete"]
    cave.stop()
    assert cave.up("G") == ["small_dragon"]


def test_squares_and_faces_are_refused_when_they_are_not_in_the_game(cave: Cave) -> None:
    for square in ("7,7", "0", "", "enemy_deck", "0, 0"):
        with cave.refused("unknown_square"):
            cave.flip(square, "R")
    for face in ("unicorn", "", "BALL", "back"):
        with cave.refused("unknown_face"):
            cave.flip("0,0", face)
    with cave.refused("unknown_player"):
        cave.choose("zoe", "stop")


def test_choices_of_other_headings_are_refused_with_their_reason(cave: Cave) -> None:
    for choice, code in (
        ("keep", "stop_first"), ("take", "stop_first"), ("decline", "stop_first"),
        ("move_spider", "no_spider_up"), ("move_dragon", "no_dragon_up"),
        ("covered", "not_offered"), ("swapped", "not_offered"), ("dance", "not_offered"),
    ):  # fmt: skip
        with cave.refused(code):
            cave.choose("ann", choice, "0,0")


def test_two_to_five_people_play() -> None:
    for count in (2, 5):
        Cave(*("ann", "bo", "cy", "di", "ed")[:count])
    for count in (1, 6):
        with pytest.raises(ConfigError, match="expected 2 to 5 players"):
            Cave(*("ann", "bo", "cy", "di", "ed", "flo")[:count])


def test_the_named_player_begins() -> None:
    assert Cave(first_player="bo").active == "bo"
    with pytest.raises(ConfigError, match="first_player"):
        GAME.table((Player("ann", "Ann"), Player("bo", "Bo")), GAME.options(first_player="zoe"))
