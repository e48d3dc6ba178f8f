"""The house rules of Schatz der Drachen, and what needs a clock."""

import pytest
from cave import Cave

from companion.errors import ConfigError
from companion.games.schatz_der_drachen import GAME
from companion.offers import Choose, Wait
from companion.protocol import options_from
from companion.view import Grid, Pile, Track


def choices_of(cave: Cave, player: str) -> dict[str, tuple[object, ...]]:
    """The open choices of one player, with their values."""
    return {o.choice: o.values for o in cave.open_offers(Choose) if o.player == player}


# --- the tiles ------------------------------------------------------------------------------------


def test_the_short_game_has_36_tiles_and_ends_with_two_spiders() -> None:
    """Section 10: set multiples are kept."""
    cave = Cave(square="6x6")
    assert (cave.count("tiles.left"), len(cave.table.squares)) == (36, 36)
    assert all(n % cave.table.sets.get(kind, 1) == 0 for kind, n in cave.table.box.items())
    with cave.refused("unknown_square"):
        cave.flip("6,6", "R")
    with cave.refused("unknown_face"):
        cave.flip("0,0", "B")
    cave.collected(
        ann={"car": 4, "doll": 4, "candlestick": 3}, bo={"chest": 4, "ring": 6}, cy={"dragon": 12}
    )
    cave.flip("0,0", "R")
    assert cave.stop()[-2:] == ["spider_bonus", "game_over"]
    assert cave.count("pile.cy.spider") == 2


def test_options_are_read_from_settings() -> None:
    settings = ("square=6x6", "may_decline=true", "memory=0.3", "assist_level=full", "turn_s=60")
    options = options_from(GAME.options, settings)
    assert options == GAME.options("6x6", "full", may_decline=True, memory=0.3, turn_s=60)
    for wrong in ("square=5x5", "memory=2", "assist_level=all", "spiders=4", "turn_s=-1"):
        with pytest.raises(ConfigError, match="option"):
            options_from(GAME.options, (wrong,))


# --- the end of a turn ----------------------------------------------------------------------------


def test_a_turn_may_pass_when_that_is_agreed() -> None:
    """Ruling 5."""
    cave = Cave(allow_pass=True)
    assert cave.stop() == ["nothing_collected", "your_turn"]
    assert cave.active == "bo"


def test_the_latest_stays_unasked_when_that_is_agreed() -> None:
    """Ruling 7."""
    cave = Cave(surplus="latest_stays")
    cave.up("K K K K K B B B")
    cave.choose("ann", "stop")
    assert (cave.active, cave.table.gaps) == ("bo", ("0,0", "0,1", "0,2", "0,5", "0,6"))


def test_each_kind_is_asked_for_when_several_have_a_surplus() -> None:
    cave = Cave()
    cave.up("K K K K K B B B")
    cave.choose("ann", "stop")
    assert choices_of(cave, "ann")["keep"] == ("0,5", "0,6", "1,0")
    cave.choose("ann", "keep", "0,5")
    cave.choose("ann", "keep", "0,1")
    assert choices_of(cave, "ann")["keep"] == ("0,0", "0,2", "0,3", "0,4")
    assert cave.cell("0,1").status == "kept"
    cave.choose("ann", "keep", "0,0")
    assert cave.table.gaps == ("0,2", "0,3", "0,4", "0,6", "1,0")
    assert cave.pile("ann") == 5


def test_sets_may_be_left_lying_when_that_is_agreed() -> None:
    """Ruling 14."""
    cave = Cave(may_decline=True)
    cave.up("B B B B K K R R")
    cave.choose("ann", "stop")
    assert choices_of(cave, "ann")["decline"] == ("ball", "ring")
    with cave.refused("value_not_offered"):
        cave.choose("ann", "decline", "candlestick")
    cave.choose("ann", "decline", "ball")
    cave.choose("ann", "decline", "ring")
    cave.choose("ann", "decline", "ring")
    assert choices_of(cave, "ann")["decline"] == ("ball",)
    cave.choose("ann", "take")
    cave.choose("ann", "keep", "0,0")
    cave.choose("ann", "keep", "0,1")
    assert (cave.count("pile.ann.ball"), cave.pile("ann")) == (2, 2)
    assert cave.table.gaps == ("0,2", "0,3")


def test_everything_may_be_left_lying() -> None:
    cave = Cave(may_decline=True)
    cave.up("R")
    cave.choose("ann", "stop")
    assert cave.choose("ann", "decline", "ring") == ["nothing_collected", "your_turn"]
    assert cave.count("tiles.left") == 49


# --- where the spider goes ------------------------------------------------------------------------


def test_the_spider_changes_places_when_that_is_agreed() -> None:
    """Ruling 8: even without a gap."""
    cave = Cave(spider_goes="swap")
    cave.flip("2,3", "S")
    assert len(choices_of(cave, "ann")["move_spider"]) == 49  # every other square, and `stay`
    cave.choose("ann", "move_spider", "6,6")
    assert len(cave.table.backs) == 49
    with cave.refused("tile_changed"):
        cave.flip("6,6", "R")
    assert cave.flip("2,3", "R") == ["ring"]


def test_the_spider_stays_when_that_is_agreed() -> None:
    cave = Cave(spider_goes="nowhere")
    cave.up("R")
    cave.stop()
    cave.up("S")
    assert cave.active == "cy"


def test_everybody_says_where_the_spider_goes_when_that_is_agreed() -> None:
    """Ruling 9: most votes count."""
    cave = Cave(spider_mover="vote")
    cave.up("R R")
    cave.stop()
    cave.flip("5,5", "S")
    assert {o.player for o in cave.open_offers(Choose) if o.choice == "move_spider"} == {
        "ann", "bo", "cy",
    }  # fmt: skip
    cave.choose("cy", "move_spider", "0,1")
    with cave.refused("not_your_turn"):
        cave.choose("cy", "move_spider", "0,0")
    cave.choose("bo", "move_spider", "0,0")
    cave.choose("ann", "move_spider", "0,1")
    assert (cave.cell("0,1").status, cave.cell("0,0").status) == ("back", "gap")


def test_the_player_decides_when_votes_are_equal() -> None:
    cave = Cave(spider_mover="vote")
    cave.up("R R")
    cave.stop()
    cave.flip("5,5", "S")
    cave.choose("ann", "move_spider", "0,1")
    cave.choose("cy", "move_spider", "stay")
    cave.choose("bo", "move_spider", "0,0")
    assert cave.cell("0,0").status == "back"


def test_the_others_close_their_eyes_when_that_is_agreed() -> None:
    """Ruling 10."""
    cave = Cave(close_eyes=True)
    cave.up("R")
    cave.stop()
    assert cave.up("S") == ["spider", "close_eyes"]
    assert "Bo looks, all others close their eyes!" in cave.said


def test_a_dragon_may_go_elsewhere_when_dragons_chase() -> None:
    """Section 10."""
    cave = Cave(dragons_chase=True)
    cave.up("R")
    cave.stop()
    assert cave.up("B G") == ["clash"]
    assert (cave.phase, cave.count("up.dragon"), cave.count("up.ball")) == ("dragon", 1, 0)
    square = next(iter(cave.table.up))
    cave.choose("bo", "move_dragon", "0,0")
    assert (cave.cell("0,0").status, cave.cell(square).status) == ("back", "gap")
    assert cave.active == "cy"
    assert cave.flip("0,0", "G") == ["small_dragon"]


# --- what needs a clock ---------------------------------------------------------------------------


def test_the_second_of_two_tiles_is_covered_when_they_come_at_once() -> None:
    """Ruling 13."""
    cave = Cave()
    cave.flip("1,1", "R", at_s=3.0)
    assert cave.flip("1,2", "S", at_s=3.1) == ["one_at_a_time"]
    assert cave.said == "One at a time! Please cover (1,2)."
    assert cave.table.view().notices == ("One at a time! Please cover (1,2).",)
    assert (cave.active, cave.count("up.ring"), cave.count("up.spider")) == ("ann", 1, 0)
    assert cave.cell("1,2").status == "cover"
    with cave.refused("tile_changed"):
        cave.flip("1,2", "R", at_s=5.0)
    assert cave.flip("1,3", "R", at_s=6.0) == ["ring"]


def test_the_turn_is_lost_when_two_tiles_come_at_once_and_that_is_agreed() -> None:
    cave = Cave(two_at_once="lose_turn")
    cave.flip("1,1", "R", at_s=3.0)
    assert cave.flip("1,2", "R", at_s=3.1) == ["one_at_a_time", "nothing_collected", "your_turn"]
    assert (cave.active, cave.pile("ann")) == ("bo", 0)


def test_nobody_loses_a_turn_for_the_tile_of_another() -> None:
    cave = Cave(two_at_once="lose_turn")
    cave.flip("1,1", "S", at_s=3.0)
    assert cave.active == "bo"
    assert cave.flip("1,2", "R", at_s=3.1) == ["one_at_a_time"]
    assert cave.active == "bo"


def test_people_are_reminded_to_cover_after_five_seconds() -> None:
    """Section 5."""
    cave = Cave()
    cave.flip("4,4", "G", at_s=1.0)
    cave.flip("2,3", "B", at_s=2.0)
    assert [wait.until_s for wait in cave.open_offers(Wait)] == [7.0]
    assert (cave.cell("2,3").status, cave.cell("2,3").face) == ("cover", None)
    assert cave.wait(7.0) == ["please_cover"]
    assert cave.said == "Please cover (2,3) and (4,4)."
    assert cave.table.view().notices == (cave.said,)
    assert cave.open_offers(Wait) == []
    cave.choose("bo", "covered")
    assert cave.cell("2,3").status == "back"


def test_nobody_is_reminded_when_all_was_covered_in_time() -> None:
    cave = Cave()
    cave.flip("4,4", "G", at_s=1.0)
    cave.flip("2,3", "B", at_s=2.0)
    cave.choose("bo", "covered", at_s=4.0)
    assert cave.open_offers(Wait) == []
    assert "covered" not in cave.choices()


def test_the_next_tile_says_that_all_was_covered() -> None:
    cave = Cave()
    cave.up("B C O")
    cave.flip("2,3", "K", at_s=2.0)
    cave.choose("ann", "stop", at_s=3.0)
    assert len(cave.table.to_cover) == 4
    assert cave.flip("6,6", "R", at_s=6.0) == ["ring"]
    assert cave.table.to_cover == ()


def test_three_squares_are_named_in_their_order() -> None:
    cave = Cave()
    for at_s, square in enumerate(("5,5", "0,1", "3,3"), 1):
        cave.flip(square, "B", at_s=float(at_s))
    cave.flip("0,0", "G", at_s=4.0)
    cave.wait(9.0)
    assert cave.said == "Please cover (0,0), (0,1), (3,3) and (5,5)."


def test_there_are_no_reminders_without_a_clock() -> None:
    cave = Cave()
    cave.up("G B")
    assert cave.table.to_cover == ()
    assert "covered" not in cave.choices()
    timed = Cave(reminder_s=0)
    timed.flip("0,0", "S", at_s=1.0)
    assert timed.open_offers(Wait) == []


def test_the_reminder_follows_a_spider_that_moves() -> None:
    cave = Cave()
    cave.flip("0,0", "R", at_s=1.0)
    cave.choose("ann", "stop", at_s=2.0)
    cave.flip("2,3", "S", at_s=3.0)
    cave.choose("bo", "move_spider", "0,0", at_s=4.0)
    cave.wait(9.0)
    assert cave.said == "Please cover (0,0)."


def test_the_sand_timer_ends_a_turn() -> None:
    """Section 10: what is complete by then is taken."""
    cave = Cave(turn_s=30)
    cave.flip("0,0", "R", at_s=1.0)
    cave.choose("ann", "stop", at_s=2.0)
    assert [wait.until_s for wait in cave.open_offers(Wait)] == [32.0]
    cave.flip("0,1", "R", at_s=5.0)
    assert cave.wait(32.0) == ["time_is_up", "collected", "your_turn"]
    assert (cave.pile("bo"), cave.active) == (1, "cy")
    assert cave.wait(62.0) == ["time_is_up", "nothing_collected", "your_turn"]


def test_the_sand_timer_asks_for_the_surplus_too() -> None:
    cave = Cave(turn_s=30)
    cave.flip("6,6", "R", at_s=0.5)
    cave.choose("ann", "stop", at_s=1.0)
    for i, square in enumerate(("0,0", "0,1", "0,2")):
        cave.flip(square, "B", at_s=2.0 + i)
    assert cave.wait(31.0) == ["time_is_up", "which_stays"]
    cave.choose("bo", "keep", "0,1", at_s=40.0)
    assert cave.pile("bo") == 2


def test_reports_without_a_time_do_not_run_the_sand_timer_for_ever() -> None:
    cave = Cave(turn_s=30)
    cave.flip("0,0", "R", at_s=1.0)
    cave.choose("ann", "stop", at_s=2.0)
    cave.flip("0,1", "R")
    assert cave.active in ("bo", "cy")
    cave.flip(cave.unseen(), "R")


def shown(cave: Cave, kind: type) -> dict[str, object]:
    """All components of one kind on the screens, by name."""
    zones = cave.table.view().zones
    return {c.name: c for zone in zones for c in zone.components if isinstance(c, kind)}


# --- help -----------------------------------------------------------------------------------------


def test_sets_are_shown_only_when_that_help_was_agreed() -> None:
    for level, tracks, left in (("none", 0, False), ("sets", 2, False), ("full", 2, True)):
        cave = Cave(assist_level=level)
        cave.up("K K K K R")
        assert len(shown(cave, Track)) == tracks
        assert ("left" in shown(cave, Pile)) == left
        assert ("left.ring" in cave.table.counters) == left
        assert len(shown(cave, Grid)) == 1


def test_the_help_says_how_far_a_set_is() -> None:
    cave = Cave(assist_level="full")
    cave.up("K K K K R")
    track = shown(cave, Track)["sets.candlestick"]
    assert isinstance(track, Track)
    assert (track.value, track.size, track.label) == (4, 6, "Candlesticks: 3 to take")
    cave.stop()
    assert (cave.count("left.candlestick"), cave.count("left.ring")) == (3, 7)
