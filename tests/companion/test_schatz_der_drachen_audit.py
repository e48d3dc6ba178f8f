"""Tiles that look different from before: refused, explained, settled; then the game goes on."""

import msgspec
import pytest
from cave import Cave

from companion.actions import Correct, Flipped
from companion.errors import IllegalAction
from companion.games.schatz_der_drachen.pieces import KINDS
from companion.protocol import LineProtocol


@pytest.fixture
def cave() -> Cave:
    """Ann has turned up a ball and a car and taken nothing; it is Bo's turn."""
    cave = Cave()
    cave.flip("2,3", "ball")
    cave.flip("2,4", "car")
    cave.stop()
    return cave


def changed(cave: Cave, square: str, face: str) -> IllegalAction:
    """Turn up a tile that has changed, and return its refusal."""
    with pytest.raises(IllegalAction) as refused:
        cave.flip(square, face)
    assert refused.value.code == "tile_changed"
    return refused.value


def line(cave: Cave, remedy: dict[str, object]) -> dict[str, object]:
    """Send a remedy as the line that it is."""
    answer = LineProtocol(cave.referee).answer(msgspec.json.encode(remedy))
    fields: dict[str, object] = msgspec.json.decode(answer)
    return fields


def test_a_tile_that_has_changed_is_refused_and_nothing_changes(cave: Cave) -> None:
    with cave.refused("tile_changed"):
        cave.flip("2,3", "ring")
    assert cave.cell("2,3").status == "back"


def test_a_tile_that_looks_as_before_is_accepted(cave: Cave) -> None:
    assert cave.flip("2,3", "ball") == ["turned_up"]
    assert cave.flip("2,4", "car") == ["turned_up"]


def test_the_refusal_names_every_other_face_and_so_none(cave: Cave) -> None:
    refusal = changed(cave, "2,3", "ring")
    remedies = refusal.details["remedies"]
    assert [r["type"] for r in remedies] == ["flipped"] * 7 + ["correct", "chose"]
    assert [r["face"] for r in remedies[:7]] == [kind for kind in KINDS if kind != "ring"]
    assert remedies[7] == {
        "type": "correct",
        "step": 1,
        "action": {"type": "flipped", "square": "2,3", "face": "ring"},
        "drop_later": False,
    }
    assert (remedies[8]["player"], remedies[8]["choice"]) == ("bo", "swapped")
    assert not any(kind in refusal.message.lower() for kind in KINDS)


def test_the_refusal_is_the_same_whatever_the_tile_showed_before() -> None:
    refusals = []
    for before in ("ball", "car", "chest"):
        cave = Cave()
        cave.flip("2,3", before)
        cave.stop()
        refusals.append(changed(cave, "2,3", "doll"))
    details = [(r.message, r.details) for r in refusals]
    assert details[0] == details[1] == details[2]


def test_the_game_goes_on_when_it_was_misread_now(cave: Cave) -> None:
    remedies = changed(cave, "2,3", "ring").details["remedies"]
    answers = [line(cave, remedy) for remedy in remedies[:7]]
    accepted = [answer for answer in answers if "refused" not in answer]
    assert len(accepted) == 1
    assert cave.count("up.ball") == 1


def test_the_game_goes_on_when_it_was_misread_then(cave: Cave) -> None:
    remedies = changed(cave, "2,3", "doll").details["remedies"]
    assert line(cave, remedies[7])["told"] == [{"cue": "corrected", "text": "Step 1 is corrected."}]
    assert cave.flip("2,3", "doll") == ["turned_up"]


def test_the_game_goes_on_when_tiles_were_swapped(cave: Cave) -> None:
    remedies = changed(cave, "2,3", "ring").details["remedies"]
    assert line(cave, remedies[8])["told"] == [
        {"cue": "swapped", "text": "Tiles were mixed up. What lay where counts no more."}
    ]
    assert cave.flip("2,3", "ring") == ["ring"]
    assert cave.flip("2,4", "doll") == ["turned_up"]


def test_what_lies_open_is_not_forgotten_when_tiles_were_swapped(cave: Cave) -> None:
    cave.flip("2,3", "ball")
    cave.choose("bo", "swapped")
    cave.stop()
    cave.flip("2,4", "chest")
    with cave.refused("tile_changed"):
        cave.flip("2,3", "doll")


def test_the_step_named_is_the_latest_that_counts(cave: Cave) -> None:
    cave.flip("2,3", "ball")
    cave.stop()
    assert changed(cave, "2,3", "doll").details["remedies"][7]["step"] == 4
    cave.undo()
    cave.undo()
    assert changed(cave, "2,3", "doll").details["remedies"][7]["step"] == 1


def test_a_tile_that_was_seen_twice_is_corrected_nowhere_but_may_be_swapped(cave: Cave) -> None:
    cave.flip("2,3", "ball")
    cave.stop()
    remedies = changed(cave, "2,3", "doll").details["remedies"]
    with cave.refused("tile_changed"):
        cave.apply(Correct(4, Flipped("2,3", "doll")))
    line(cave, remedies[8])
    assert cave.flip("2,3", "doll") == ["turned_up"]


def test_a_correction_is_refused_when_a_later_step_saw_the_tile_again(cave: Cave) -> None:
    cave.flip("2,3", "ball")
    cave.stop()
    refusal = line(cave, {
        "type": "correct", "step": 1,
        "action": {"type": "flipped", "square": "2,3", "face": "doll"},
    })  # fmt: skip
    assert refusal["refused"]["code"] == "later_steps_do_not_fit"  # type: ignore[index]
    assert refusal["refused"]["step"] == 4  # type: ignore[index]


def test_a_tile_may_be_any_when_its_turn_was_undone(cave: Cave) -> None:
    cave.flip("5,5", "ring")
    cave.undo()
    assert cave.flip("5,5", "chest") == ["turned_up"]


def test_a_gap_remembers_nothing_of_the_tile_that_was_taken() -> None:
    cave = Cave()
    cave.flip("0,0", "ring")
    cave.stop()
    cave.flip("2,3", "spider")
    cave.choose("bo", "move_spider", "0,0")
    assert cave.flip("0,0", "spider")[0] == "spider"


def test_a_moved_spider_is_remembered_at_its_new_place() -> None:
    cave = Cave()
    cave.flip("0,0", "ring")
    cave.stop()
    cave.flip("2,3", "spider")
    cave.choose("bo", "move_spider", "0,0")
    remedies = changed(cave, "0,0", "ball").details["remedies"]
    assert [r["type"] for r in remedies] == ["flipped"] * 7 + ["chose"]


def test_tiles_change_places_in_memory_when_a_spider_is_exchanged() -> None:
    cave = Cave(spider_goes="swap")
    cave.flip("0,0", "ball")
    cave.stop()
    cave.flip("2,3", "spider")
    cave.choose("bo", "move_spider", "0,0")
    assert changed(cave, "2,3", "doll").details["remedies"][7]["step"] == 3
    assert changed(cave, "0,0", "ball").details["remedies"][7]["step"] == 1
    assert cave.flip("2,3", "ball") == ["turned_up"]
    assert cave.flip("0,0", "spider")[0] == "spider"


def test_more_tiles_than_the_box_holds_are_told() -> None:
    cave = Cave()
    assert "audit" not in cave.up("O O O O")
    assert "audit" in cave.up("O")
    assert "Count again: Dolls, 1 more than the box holds." in cave.said
