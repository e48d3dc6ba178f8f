from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.config import DiceSettings, LearntDice, load_config, load_dice
from companion.dice_file import calibrated, dice_file, keep, mapped, peered, renamed, written
from companion.errors import ConfigError

LEARNT = LearntDice(
    names={"die-94a1c3": "red-1", "ruby": "red-2"},
    faces={"die-94a1c3": {"1": "dragon", "2": "blank"}},
    bluetooth={"ruby": "pixels E0:5A:1B:00:00:01"},
)


def test_file_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    keep(tmp_path / "dice.toml", LEARNT)
    assert load_dice(tmp_path / "dice.toml") == LEARNT
    assert [path.name for path in tmp_path.iterdir()] == ["dice.toml"]


words = st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=12)


@given(st.dictionaries(words, words, max_size=4), st.dictionaries(words, words, max_size=3))
def test_any_words_come_back(
    tmp_path_factory, names: dict[str, str], faces: dict[str, str]
) -> None:
    path = tmp_path_factory.mktemp("dice") / "dice.toml"
    learnt = LearntDice(names, {"a die": faces} if faces else {})
    path.write_text(written(learnt), encoding="utf-8")
    assert load_dice(path) == learnt


def test_settings_get_what_was_learnt_and_go_before_it(tmp_path: Path) -> None:
    keep(tmp_path / "dice.toml", LEARNT)
    own = tmp_path / "companion.toml"
    own.write_text('[dice]\nport = "auto"\n[dice.names]\nruby = "white-1"\n')
    dice = load_config(own).dice
    assert dice.port == "auto"
    assert dice.names == {"die-94a1c3": "red-1", "ruby": "white-1"}
    assert dice.faces == LEARNT.faces
    assert dice.bluetooth == LEARNT.bluetooth


def test_dice_are_learnt_in_a_folder_without_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_config(None).dice == DiceSettings()
    keep(dice_file(None), LEARNT)
    assert load_config(None).dice.are_wanted


@pytest.mark.parametrize("text", ["names = 3", "[names]\nx = 1", "[colour]\nx = '1'", "[names"])
def test_file_that_does_not_fit_is_an_error_that_names_it(tmp_path: Path, text: str) -> None:
    (tmp_path / "dice.toml").write_text(text)
    with pytest.raises(ConfigError, match=r"dice\.toml: expected the sections \[names\]"):
        load_dice(tmp_path / "dice.toml")


def test_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="cannot be written"):
        keep(tmp_path / "file" / "dice.toml", LEARNT)


def test_die_of_the_game_is_played_by_one_smart_die_only() -> None:
    assert mapped(LEARNT, "new", "red-1").names == {"ruby": "red-2", "new": "red-1"}


def test_renamed_die_keeps_everything() -> None:
    learnt = renamed(LEARNT, "die-94a1c3", "rose")
    assert learnt.names["rose"] == "red-1"
    assert learnt.faces == {"rose": LEARNT.faces["die-94a1c3"]}
    assert renamed(LEARNT, "ruby", "opal").bluetooth == {"opal": LEARNT.bluetooth["ruby"]}


def test_calibrated_and_paired_dice_are_added() -> None:
    assert calibrated(LEARNT, "x", {"1": "key"}).faces["x"] == {"1": "key"}
    assert peered(LEARNT, "x", "godice G").bluetooth["x"] == "godice G"
