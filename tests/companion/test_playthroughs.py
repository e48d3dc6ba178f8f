"""Every game plays as it was recorded: golden playthroughs, compared line by line."""

import json

import playthrough
import pytest

from companion.games import GAMES

SOME = 120  # lines, of a game that is recorded here
FILES = sorted(playthrough.FOLDER.glob("*.jsonl"))
AGAIN = (
    "read the difference; if the rules were meant to change, record again by "
    "`python tests/companion/playthrough.py GAME` and raise the game's revision where an old "
    "journal would play differently"
)


def replay(path, lines):
    """Send the recorded lines again; raise AssertionError at the first other answer."""
    header, _ = playthrough.read(path)
    protocol = playthrough.protocol_for(header)
    answers = playthrough.Answers(protocol.opening())
    for number, (line, expected) in enumerate(lines, start=1):
        answer = answers.brief(protocol.answer(json.dumps(line).encode()))
        assert answer == expected, f"{path.name}, line {2 * number + 1}: {AGAIN}"
    return protocol.referee


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_game_plays_as_recorded_when_its_lines_are_sent_again(path):
    header, lines = playthrough.read(path)
    referee = replay(path, lines)
    assert referee.outcome is not None
    assert header["revision"] == referee.game.revision, AGAIN


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_recording_is_complete_when_it_ends(path):
    header, lines = playthrough.read(path)
    assert path == playthrough.path_of(header["game"], header["players"])
    assert "outcome" in lines[-1][1]
    assert any("refused" in answer for _, answer in lines)
    assert any(line["type"] == "undo" for line, _ in lines)


@pytest.mark.parametrize("key", GAMES)
def test_game_has_a_playthrough_for_every_number_of_players(key):
    missing = [n for n in GAMES[key].seats if playthrough.path_of(key, n) not in FILES]
    assert not missing, f"record them by `python tests/companion/playthrough.py {key}`"


def test_difference_is_found_when_one_answer_is_another():
    path = FILES[0]
    _, lines = playthrough.read(path)
    line, answer = next(both for both in lines if both[1].get("told"))
    at = lines.index((line, answer))
    for other in ({**answer, "step": 0}, {**answer, "offers": "0 none"}, {**answer, "told": []}):
        with pytest.raises(AssertionError, match=f"line {2 * at + 3}: read the difference"):
            replay(path, [*lines[:at], (line, other), *lines[at + 1 :]])


def test_recording_is_the_same_when_it_is_made_again(tmp_path, monkeypatch):
    shortest = min(FILES, key=lambda path: path.stat().st_size)
    header, lines = playthrough.read(shortest)
    monkeypatch.setattr(playthrough, "FOLDER", tmp_path)
    monkeypatch.setattr(playthrough, "LIMIT", SOME)
    other = {**header, "seed": header["seed"] + 1}
    first = playthrough.record(other).read_text()
    path = playthrough.record(other)
    assert path.read_text() == first
    replay(path, playthrough.read(path)[1])
    assert playthrough.read(path)[1] != lines
