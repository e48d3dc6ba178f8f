"""What screens, lamps and programs call things: every game names all that it shows."""

import re
import string

import pytest
from verbs import Troll

from companion import referee
from companion.dice import DiceSet, Die
from companion.games import GAMES
from companion.players import some_players
from companion.referee import Referee
from companion.steps import FAMILIES
from companion.view import Counter, DiceShown, Pile, Track

NAME = re.compile(r"[a-z][a-z0-9_]*")
COUNTER = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")
every_game = pytest.mark.parametrize("key", GAMES)


@every_game
def test_names_are_plain_when_programs_read_them(key):
    game = GAMES[key]
    assert game.key == key
    assert game.title
    for name in (key, *game.phases, *game.choices, *(cue.name for cue in game.cues)):
        assert NAME.fullmatch(name), name
    for label in (*game.phases.values(), *game.choices.values(), *(c.title for c in game.cues)):
        assert label.strip() == label != ""
    assert {cue.family for cue in (*game.cues, *referee.CUES)} <= set(FAMILIES)
    assert "turn" in {cue.family for cue in game.cues}
    assert "over" in {cue.family for cue in game.cues}
    assert not {cue.name for cue in game.cues} & {cue.name for cue in referee.CUES}


@every_game
def test_counters_are_plain_when_a_game_begins(key):
    for seats in GAMES[key].seats:
        table = Referee(GAMES[key], some_players(seats)).table
        labels = [table.label(counter) for counter in table.counters]
        assert len(set(labels)) == len(labels)
        for counter in table.counters:
            assert COUNTER.fullmatch(counter), counter


@every_game
def test_options_have_a_default_for_everything(key):
    game = GAMES[key]
    assert game.options() == game.options()
    documented = game.options.__doc__ or ""
    for name in game.options.__struct_fields__:
        assert re.search(rf"^\s*{name}\b", documented, re.MULTILINE), name


@every_game
def test_dice_have_names_and_faces_when_there_are_any(key):
    dice = Referee(GAMES[key], some_players(GAMES[key].seats.start)).table.dice
    for die in dice:
        assert re.fullmatch(r"[a-z0-9-]+", die.name)
        assert len(die.faces) >= 2
        assert re.fullmatch(r"#[0-9a-f]{6}", die.colour)


@every_game
def test_sentences_name_their_values_when_they_are_written(key):
    """A format string with named values can be translated; one with numbered holes cannot."""
    opening = Referee(GAMES[key], some_players(GAMES[key].seats.start)).opening
    assert opening
    for told in opening:
        holes = [name for _, name, _, _ in string.Formatter().parse(told.sentence) if name]
        assert set(holes) <= set(told.values)


# --- Troll & Dragon on the screen -----------------------------------------------------------------


def zones(at: Troll) -> dict:
    """The zones of the view, by name."""
    return {zone.name: zone for zone in at.table.view().zones}


def shown(zone, kind):
    """The components of one kind in a zone."""
    return [component for component in zone.components if isinstance(component, kind)]


def test_grotto_shows_dice_and_the_trolls_approach(at):
    at.white("D D T K")
    at.aside("white-4")
    grotto = zones(at)["grotto"]
    [dice], [track] = shown(grotto, DiceShown), shown(grotto, Track)
    assert [(die.face, die.status) for die in dice.dice] == [
        ("diamond", "free"),
        ("diamond", "free"),
        ("troll", "blocked"),
        ("key", "aside"),
    ]
    assert dice.dice[3].label == "Key, set aside"
    assert (track.value, track.size) == (2, 4)
    assert {c.name: c.value for c in shown(grotto, Counter)} == {
        "supply.diamonds": 58,
        "troll_hand.diamonds": 0,
    }
    assert at.table.view().heading == "The Diamond Grotto"


def test_cavern_shows_what_is_at_risk(at):
    at.enter()
    at.golden("g2 g0")
    at.red("X -")
    cavern, dragon = zones(at)["cavern"], zones(at)["dragon"]
    [pile], [track] = shown(cavern, Pile), shown(dragon, Track)
    assert (pile.label, pile.worth) == ("Ann carries at risk", 7)
    assert [die.face for die in shown(cavern, DiceShown)[0].dice] == ["gold2", "blank"]
    assert [die.status for die in shown(dragon, DiceShown)[0].dice] == ["awake", "free"]
    assert (track.value, track.size) == (1, 2)


@pytest.mark.parametrize(
    ("phase", "lit"),
    [("grotto", {"grotto"}), ("cavern", {"cavern"}), ("race", {"cavern", "dragon"})],
)
def test_zone_is_lit_when_something_is_awaited_there(at, phase, lit):
    if phase == "grotto":
        at.white("D D T K")
    else:
        at.enter()
    if phase == "race":
        at.golden("g0 g0")
    assert {name for name, zone in zones(at).items() if zone.lit} == {*lit, "pack.ann"}
    assert {zone.owner for zone in zones(at).values()} == {None, "ann", "bo", "cy"}


def test_every_count_is_on_the_screen(at):
    names = {
        counter.name
        for zone in zones(at).values()
        for component in zone.components
        for counter in getattr(component, "counters", [component])
        if isinstance(counter, Counter)
    }
    assert set(at.table.counters) - names == {"grotto.blocked", "dragon.awake"}


def test_dice_are_found_by_name_and_kind():
    a, b, c = Die("a", "x", ("1",)), Die("b", "y", ("1",)), Die("c", "x", ("1",))
    dice = DiceSet.of([a, b, c])
    assert list(dice) == [a, b, c]
    assert dice["b"] is b
    assert "c" in dice
    assert "d" not in dice
    assert dice.kinds() == {"x": (a, c), "y": (b,)}
