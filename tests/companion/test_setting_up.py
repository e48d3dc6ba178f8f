"""Games, seats and house rules as the set-up page meets them."""

import contextlib
import threading
from dataclasses import replace

import pytest
from rich.console import Console
from room import Play

from companion.actions import Rolled
from companion.config import DiceSettings
from companion.errors import ConfigError, IllegalAction
from companion.games import GAMES
from companion.house_desk import HouseDesk
from companion.journal import Journal
from companion.option_fields import option_rows, read_options
from companion.referee import Referee
from companion.service import Setting, take_up
from companion.setting_up import Seat, SetUp, seated
from companion.setting_up_benches import check_devices
from companion.table import COLOURS, Player
from web.feed import Feed

FOUR = ("white-1", "white-2", "white-3", "white-4")
TWO = ({"name": "Zoë", "colour": 3, "place": 0}, {"name": "Max M.", "place": 2})


@pytest.fixture
def bench():
    """A set-up whose table decides in a thread of its own."""
    play = Play()
    desk = HouseDesk(Feed())
    desk.journal = play.journal
    desk.serve(play.companion)
    play.room.advance = lambda due_s: play.room._live() or play.inbox.wait(0.05)
    thread = threading.Thread(target=play.companion.run)
    thread.start()
    yield SetUp(desk)
    play.companion.stop()
    thread.join(10.0)
    assert not thread.is_alive()


def begin(bench, key="troll_and_dragon", seats=TWO, options=None, **more):
    return bench.begin(key, seats, options or {}, **more)


def errors_of(bench, *args, **named):
    with pytest.raises(IllegalAction) as refused:
        begin(bench, *args, **named)
    assert refused.value.code == "bad_setup"
    assert bench.desk.wanted == {}
    assert not bench.desk.companion.wants_another
    return refused.value.details["errors"]


def test_game_begins_with_names_colours_and_house_rules(bench):
    begin(bench, options={"end_mode": "both", "tie_window_s": "0,25"}, begins=2)
    wanted = bench.desk.wanted
    assert wanted["game"].key == "troll_and_dragon"
    assert wanted["players"] == (Player("zoe", "Zoë", 3), Player("max-m", "Max M.", 0))
    assert wanted["options"].end_mode == "both"
    assert wanted["options"].tie_window_s == 0.25
    assert wanted["options"].first_player == "max-m"
    assert bench.desk.companion.wants_another


def test_begin_waits_until_the_game_lies_on_the_table(bench):
    bench.patience_s = 20.0
    before, other = bench.desk.companion, Play()
    laid_out = threading.Timer(0.1, lambda: bench.desk.serve(other.companion))
    laid_out.start()
    begin(bench)
    assert bench.desk.companion is other.companion
    bench.desk.serve(before)


def test_mistakes_are_told_at_their_fields(bench):
    seats = (
        {"name": "Ann", "colour": 1, "place": 0},
        {"name": "ann", "colour": 1, "place": 1},
        {"name": "!?", "colour": 99, "place": 2},
        {"name": "x" * 25, "place": 3},
    )
    found = errors_of(bench, seats=seats, options={"tie_window_s": "6", "end_mode": "soon"})
    assert set(found) == {
        "name.1", "colour.1", "name.2", "colour.2", "name.3",
        "option.tie_window_s", "option.end_mode",
    }  # fmt: skip
    assert "from 0 to 5" in found["option.tie_window_s"]
    assert "either, both" in found["option.end_mode"]


@pytest.mark.parametrize(("key", "field"), [("chess", "game"), ("roll_for_adventure", "seats")])
def test_game_that_is_not_there_or_has_not_so_many_seats(bench, key, field):
    five = [{"name": name, "place": n} for n, name in enumerate("abcde")]
    assert field in errors_of(bench, key, five)


def test_rules_that_do_not_fit_together_are_told_at_their_field(bench):
    found = errors_of(bench, "roll_for_adventure", options={"sides": "abc"})
    assert "four letters" in found["option.sides"]
    found = errors_of(bench, options={"dice": 'white = ["cow"]'})
    assert list(found) == ["option.dice"]
    assert list(errors_of(bench, options={"nope": "1"})) == ["game"]


def test_running_game_is_set_aside_only_when_its_number_is_said(bench):
    assert bench.running() is None  # no step yet: nothing to lose
    bench.desk.act(Rolled(dict.fromkeys(FOUR, "diamond")), step=0, player="ann")
    number = bench.desk.companion.number
    assert bench.running()["number"] == number
    for aside in (None, number + 1):
        with pytest.raises(IllegalAction) as refused:
            begin(bench, aside=aside)
        assert refused.value.code == "game_running"
        assert not bench.desk.companion.wants_another
    begin(bench, aside=number)
    assert bench.desk.companion.wants_another
    assert bench.desk.journal.unfinished("troll_and_dragon").number == number


def test_game_that_was_set_aside_can_go_on(bench):
    other = GAMES["schatz_der_drachen"]
    number = bench.desk.journal.begin(Referee(other, (Player("a", "A"), Player("b", "B"))))
    assert [row["number"] for row in bench.set_aside()] == [number]
    bench.go_on_with(number)
    assert bench.desk.wanted["number"] == number
    assert bench.desk.wanted["new"] is False
    assert bench.desk.wanted["game"] is other
    with pytest.raises(IllegalAction, match="bad_setup"):
        bench.go_on_with(bench.desk.companion.number)


def test_game_that_the_devices_do_not_fit_does_not_begin(bench):
    def fits(plan):
        raise ConfigError("[camera.zones] dragon: expected kinds, got 'red'")

    bench.fits = fits
    assert "camera.zones" in errors_of(bench)["game"]


def test_no_game_is_gone_over_to_that_the_devices_do_not_fit(bench):
    def check(wanted):
        assert wanted["dice"] == "as they are mapped now"
        raise ConfigError("[dice.names]: expected one smart die for red-1")

    bench.desk.devices["dice"] = "as they are mapped now"
    bench.desk.check = check
    with pytest.raises(IllegalAction, match="one smart die"):
        bench.desk.take_up_anew()
    assert bench.desk.wanted == {}
    assert not bench.desk.companion.wants_another


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"dice": DiceSettings("auto", {"d1": "cow"})}, "expected dice of Troll & Dragon"),
        ({"dice": DiceSettings("auto", {"d1": "red-1", "d2": "red-1"})}, "one smart die for"),
        ({"dice": DiceSettings("auto", {"d1": "red-1"})}, ""),
    ],
)
def test_devices_of_a_real_table_are_checked_before_anything_ends(wanted, why):
    game = GAMES["troll_and_dragon"]
    players = (Player("ann", "Ann"), Player("bo", "Bo"))
    setting = Setting(game, players, game.options(), None, simulated=False)
    wanted = {"game": game, "players": players, "options": game.options(), **wanted}
    with pytest.raises(ConfigError, match=why) if why else contextlib.nullcontext():
        check_devices(setting, wanted)
    check_devices(replace(setting, simulated=True), wanted)


def test_form_shows_what_is_usual(bench):
    bench.house_rules = {"roll_for_adventure": {"excess": "chain"}}
    now = bench.form(None)
    assert (now["key"], now["begins"]) == ("troll_and_dragon", 0)
    assert [seat["name"] for seat in now["seats"]] == ["Ann", "Bo", "Cy"]
    assert [seat["colour"] for seat in now["seats"]] == [0, 1, 2]
    assert "first_player" not in {row["name"] for row in now["options"]}
    other = bench.form("roll_for_adventure")
    rows = {row["name"]: row for row in other["options"]}
    assert rows["excess"]["value"] == "chain"
    assert rows["forest_repeat_last"]["kind"] == "truth"


@pytest.mark.parametrize("key", GAMES)
def test_every_house_rule_reads_back_as_it_is_written(key):
    game = GAMES[key]
    rows = option_rows(game, game.options())
    values, errors = read_options(game, {row["name"]: row["value"] for row in rows})
    assert errors == {}
    assert game.options(**values) == game.options()
    assert all(row["words"][0].isupper() and row["label"] for row in rows)


@pytest.mark.parametrize("text", ["nan", "inf", "1e999", "9" * 400, "", "1 2", "-0.1", "5.1"])
def test_number_that_is_none_is_a_mistake(text):
    _, errors = read_options(GAMES["troll_and_dragon"], {"tie_window_s": text})
    assert list(errors) == ["option.tie_window_s"]
    assert len(str(errors)) < 200


def test_colours_are_given_to_who_chose_none():
    seats = [Seat("A", 1, 0), Seat("B", None, 1), Seat("C", None, 2)]
    players, errors = seated(GAMES["troll_and_dragon"], seats)
    assert errors == {}
    assert [player.colour for player in players] == [1, 0, 2]
    assert len(COLOURS) == 6


def test_service_goes_on_with_the_very_game_that_was_asked_for():
    journal, game = Journal(None), GAMES["troll_and_dragon"]
    players = (Player("ann", "Ann", 4), Player("bo", "Bo"))
    first = journal.begin(Referee(game, players))
    later = journal.begin(Referee(game, players))
    setting = Setting(game, players, game.options(), None)
    quiet = Console(quiet=True)
    assert take_up(setting, journal, quiet)[1] == later
    referee, number = take_up(replace(setting, number=first), journal, quiet)
    assert number == first
    assert referee.players == players  # with their colours
    assert take_up(replace(setting, number=first, new=True), journal, quiet)[1] > later
    journal.close()
