"""No output of a running game tells what lies face down.

Three proofs over random games. What is serialised now does not change when everything hidden is
exchanged for something else. What is published of the past does not change when all squares change
places. And no sentence names both a square and a face.
"""

import random
import re
from typing import Any

import msgspec
import pytest
from cave import Cave, RandomGame
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.actions import Chose, Correct, Entry, Flipped, Report
from companion.errors import IllegalAction
from companion.games.schatz_der_drachen import GAME, hidden
from companion.games.schatz_der_drachen.pieces import KINDS, TreasureTable
from companion.games.schatz_der_drachen.words import CUES, PLURALS
from companion.games.schatz_der_drachen.words import KINDS as NAMES
from companion.journal import GameRow, StepRow
from companion.offers import Choose
from companion.players.schatz_der_drachen import TreasureHunter
from companion.protocol import encode, refusal_fields, replayed, step_line
from companion.records import exported
from companion.referee import Referee
from companion.snapshot import recent_rows, step_row, table_fields
from companion.steps import Step, Told

SQUARE = re.compile(r"\d,\s?\d")
FACES = re.compile("|".join([*KINDS, *NAMES.values(), *PLURALS.values()]), re.IGNORECASE)
HOUSES = (
    {},
    {"spider_goes": "swap", "may_decline": True},
    {"assist_level": "full", "spider_mover": "vote", "square": "6x6"},
    {"assist_level": "sets", "dragons_chase": True, "close_eyes": True},
)

games = st.builds(
    lambda seed, house, steps: played(seed, HOUSES[house], steps),
    st.integers(0, 10_000),
    st.integers(0, len(HOUSES) - 1),
    st.integers(0, 60),
)


def played(seed: int, options: dict[str, Any], steps: int) -> Referee:
    """A random game after so many steps; not over yet."""
    game = RandomGame(seed, **options)
    game.play_on(steps)
    while game.referee.outcome is not None:
        game.referee.undo()
    return game.referee


# --- what is serialised now -----------------------------------------------------------------------


def outputs(referee: Referee) -> list[bytes]:
    """Everything that leaves the referee while the game runs, but the refusal of changed tiles."""
    table = referee.table
    table.told = []
    lines = [
        msgspec.json.encode(table.view(), enc_hook=str),
        encode(step_line(referee, referee.history[-1].told if referee.history else ())),
        msgspec.json.encode(table.scores, enc_hook=str),
        repr(table).encode(),
    ]
    lines += [msgspec.json.encode(table_fields(referee, 1), enc_hook=str)]
    lines += [msgspec.json.encode(recent_rows(referee, 40), enc_hook=str)]
    lines += [
        msgspec.json.encode(step_row(referee, step), enc_hook=str) for step in referee.history
    ]
    lines += [msgspec.json.encode(referee.public(step), enc_hook=str) for step in referee.history]
    lines += [encode(refused) for refused in refusals(referee)]
    for offer in referee.offers:
        if isinstance(offer, Choose):
            labels = [GAME.labels(table, offer.choice, value) for value in offer.values]
            lines.append(msgspec.json.encode(labels, enc_hook=str))
    return lines


def refusals(referee: Referee) -> list[dict[str, Any]]:
    """What is answered to actions that are never accepted."""
    table = referee.table
    closed = [square for square in table.squares if square not in table.backs]
    tries: list[Entry] = [Flipped(square, "ring") for square in closed]
    tries += [Chose("ann", "keep", "0,0"), Chose("ann", "move_spider", "9,9"), Chose("bo", "stop")]
    tries += [Flipped("9,9", "ring"), Flipped("0,0", "unicorn")]
    told = []
    for entry in tries:
        if not any(o.closed is None and o.refuses(entry) is None for o in referee.offers):
            with pytest.raises(IllegalAction) as refused:
                referee.apply(Report(entry))
            told.append(refusal_fields(refused.value))
    return told


def exchange_what_is_hidden(referee: Referee, rng: random.Random) -> None:
    """Let other tiles lie there, and let other ones have been seen, than those that were."""
    table = referee.table
    assert isinstance(table, TreasureTable)
    down = table.backs
    names = [table.tiles[square] for square in down]
    rng.shuffle(names)
    table.tiles.update(zip(down, names, strict=True))
    table.remembered = {tile: rng.choice(KINDS) for tile in table.squares if rng.random() < 0.7}
    table.turned_in = {square: table.turned_in[square] for square in table.up}
    table.turned_in.update({square: rng.randrange(99) for square in down if rng.random() < 0.5})
    table.latest = (1, "0,0", rng.choice(KINDS))
    referee.history = [another(step, table, rng) for step in referee.history]


def another(step: Step, table: TreasureTable, rng: random.Random) -> Step:
    """The same step, had it happened elsewhere to another tile, if that one lies covered now."""
    action = step.report.action
    entry = action.action if isinstance(action, Correct) else action
    number = action.step if isinstance(action, Correct) else step.number
    if isinstance(entry, Flipped):
        if (table.turned_in.get(entry.square), table.up.get(entry.square)) == (number, entry.face):
            return step
        other: Any = Flipped(rng.choice(table.squares), rng.choice(KINDS))
    elif isinstance(entry, Chose) and entry.choice.startswith("move_"):
        other = Chose(entry.player, entry.choice, rng.choice(table.squares))
    else:
        return step
    if isinstance(action, Correct):
        other = Correct(action.step, other, action.drop_later)
    report = msgspec.structs.replace(step.report, action=other, evidence=f"{rng.random()}.jpg")
    told = step.told if step.number == table.step else other_words(step.told, rng)
    return Step(step.number, report, told, step.player)


def other_words(told: tuple[Told, ...], rng: random.Random) -> tuple[Told, ...]:
    """What would have been told about another tile."""
    cues = [cue for cue in CUES if cue.name in hidden.TELLS_A_FACE]
    return tuple(
        Told(rng.choice(cues), rng.choice(KINDS)) if one.cue in cues else one for one in told
    )


@settings(max_examples=25)
@given(games, st.randoms(use_true_random=False))
def test_nothing_that_is_shown_depends_on_what_lies_face_down(
    referee: Referee, rng: random.Random
) -> None:
    before = outputs(referee)
    exchange_what_is_hidden(referee, rng)
    assert outputs(referee) == before


# --- what is published of the past ----------------------------------------------------------------


def elsewhere(entry: Entry, places: dict[str, str]) -> Entry:
    """The same entry in a square whose places were exchanged."""
    match entry:
        case Flipped(square=square, face=face):
            return Flipped(places[square], face)
        case Chose(player=player, choice=choice, value=value) if value in places:
            return Chose(player, choice, places[value])
    return entry


def past(referee: Referee) -> list[bytes]:
    """All that history, replay and export tell of a running game, but for the present."""
    lines = [msgspec.json.encode(referee.public(step), enc_hook=str) for step in referee.history]
    again = Referee(GAME, referee.players, referee.options)
    reports = [step.report for step in referee.history]
    lines += [encode(line) for line in replayed(again, reports)[:-1]]
    options = msgspec.to_builtins(referee.options)
    row = GameRow(1, GAME.key, GAME.revision, referee.players, options, 0.0, len(reports))
    kept = [StepRow(n, report, (), "", False, 0.0) for n, report in enumerate(reports, 1)]
    export = exported(row, kept)
    return [*lines, encode({"history": export["history"]})]


@settings(max_examples=16)
@given(games, st.randoms(use_true_random=False))
def test_the_past_does_not_tell_where_anything_happened(
    referee: Referee, rng: random.Random
) -> None:
    while referee.table.up:
        referee.undo()
    squares = list(referee.table.squares)
    places = dict(zip(squares, rng.sample(squares, len(squares)), strict=True))
    twin = Referee(GAME, referee.players, referee.options)
    for step in referee.history:
        report = step.report
        twin.apply(msgspec.structs.replace(report, action=elsewhere(report.action, places)))
    lines = past(referee)
    assert past(twin) == lines
    assert not [line for line in lines if SQUARE.search(line.decode())]


def test_the_past_of_a_tile_is_shown_as_long_as_it_lies_open() -> None:
    cave = Cave()
    cave.apply(Flipped("2,3", "ball"))
    cave.apply(Flipped("2,4", "ring"))
    shown = [cave.referee.public(step) for step in cave.referee.history]
    assert [step.report.action for step in shown] == [
        Flipped("2,3", "ball"),
        Flipped("2,4", "ring"),
    ]
    assert shown[0].told[0].text == "Ann turns up: Ball."
    cave.stop()
    shown = [cave.referee.public(step) for step in cave.referee.history]
    assert shown[0].report.action == Flipped("?", "?")
    assert [told.text for told in shown[0].told] == ["A tile was turned up; it is covered again."]
    assert shown[2].told[0].text == "Ann takes 1 tile: Ring 1."


def test_a_tile_that_ends_a_turn_is_told_once_and_without_its_square() -> None:
    cave = Cave()
    cave.apply(Flipped("2,3", "spider"))
    step = cave.referee.public(cave.step)
    assert step.report.action == Flipped("?", "?")
    assert step.told[0].text == "The spider! Ann gets nothing."
    cave.flip("0,0", "ring")
    assert "pider" not in msgspec.json.encode(cave.referee.public(step), enc_hook=str).decode()


def test_nobody_is_shown_where_a_spider_went() -> None:
    cave = Cave()
    cave.flip("0,0", "ring")
    cave.stop()
    cave.flip("2,3", "spider")
    cave.choose("bo", "move_spider", "0,0")
    assert cave.referee.public(cave.step).report.action == Chose("bo", "move_spider", "?")
    assert "0,0" not in cave.said


def test_pictures_are_withheld_when_their_tile_is_covered() -> None:
    cave = Cave()
    report = Report(Flipped("0,0", "ball"), evidence="ball.png")
    step = cave.referee.apply(report)
    assert cave.referee.public(step).report.evidence == "ball.png"
    cave.choose("ann", "stop")
    assert cave.referee.public(step).report.evidence is None


def test_an_undone_tile_and_its_correction_are_withheld() -> None:
    cave = Cave()
    cave.flip("0,0", "ball")
    cave.flip("0,1", "ring")
    cave.apply(Correct(1, Flipped("0,2", "car")))
    public = [cave.referee.public(step).report.action for step in cave.referee.history]
    assert public[0] == Flipped("?", "?")
    assert public[2] == Correct(1, Flipped("0,2", "car"))
    cave.undo()
    assert cave.referee.public(cave.referee.step(3)).report.action == Correct(1, Flipped("?", "?"))
    cave.undo()
    assert cave.referee.public(cave.referee.step(2)).report.action == Flipped("?", "?")


def test_everything_is_shown_when_the_game_is_over() -> None:
    game = RandomGame(3, policy=TreasureHunter(1.0))
    game.play_on(5000)
    referee = game.referee
    assert referee.outcome is not None
    assert [referee.public(step) for step in referee.history] == referee.history
    reports = [step.report for step in referee.history]
    lines = replayed(Referee(GAME, referee.players), reports)
    assert all(line["offers"] for line in lines[:-1])


# --- what is told ---------------------------------------------------------------------------------


@settings(max_examples=16)
@given(games)
def test_no_sentence_joins_a_square_with_a_face(referee: Referee) -> None:
    for step in referee.history:
        told = " ".join(one.text for one in step.told)
        assert not (SQUARE.search(told) and FACES.search(told))


def test_a_reminder_tells_squares_and_a_past_one_not_even_those() -> None:
    cave = Cave()
    cave.flip("4,4", "G", at_s=1.0)
    cave.flip("2,3", "B", at_s=2.0)
    cave.wait(7.0)
    assert cave.said == "Please cover (2,3) and (4,4)."
    reminder = cave.step
    cave.flip("0,0", "R", at_s=9.0)
    assert cave.referee.public(reminder).told[0].text == "Please cover the tiles."
