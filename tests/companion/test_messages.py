"""Sentences that reach a screen are marked where they are made, not put together out of sight."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from pseudo import pseudo

from companion.messages import typeset

ROOT = Path(__file__).parents[2]
SAID_AT = {  # which argument of what is raised or found is a sentence
    **dict.fromkeys(("ConfigError", "DeviceError", "PictureError", "JournalError"), 0),
    **dict.fromkeys(("CompanionError", "IllegalAction", "StaleTap", "CameraTrouble"), 1),
    "CompanionError": 0, "Refused": 2, "DiceFinding": 2, "source_row": 1,
}  # fmt: skip
FOR_CONSOLES = {  # what only a command says, on the console from which it was started
    *("backup", "bundle", "camera_command", "cli", "dice_command", "enrol_live", "enrolling"),
    *("fault_kinds", "faults", "faults_disk", "faults_house", "faults_network", "header_picture"),
    *("init", "installing", "live_view", "looking", "players", "reading", "symbol_reading"),
    *("watching", "record_command", "records", "screens"),
    *("service", "service_unit", "tuning", "whole_games", "cues", "header", "keys", "serve"),
    *("recording", "protocol"),
}
IN_TRAINING = ("bench", "train", "learn_")


def rooms() -> Iterator[Path]:
    """Every module that may say something on a screen."""
    for room in ("companion", "camera", "hardware", "web"):
        for path in sorted((ROOT / room).rglob("*.py")):
            names = path.relative_to(ROOT).with_suffix("").parts
            is_training = any(name.startswith(IN_TRAINING) for name in names)
            if not is_training and not FOR_CONSOLES.intersection(names):
                yield path


def unmarked(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and text of every sentence that no catalogue knows."""
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        at = SAID_AT.get(getattr(call.func, "attr", getattr(call.func, "id", "")))
        said = call.args[at] if at is not None and at < len(call.args) else None
        if isinstance(said, ast.JoinedStr | ast.BinOp):
            yield call.lineno, ast.unparse(said)
        text = said.value if isinstance(said, ast.Constant) else None
        if isinstance(text, str) and text and pseudo().gettext(text) == text:
            yield call.lineno, text


def test_no_refusal_is_made_of_words_that_no_catalogue_knows() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in rooms()
        for line, text in unmarked(ast.parse(path.read_text("utf-8")))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ('raise ConfigError(f"{path}: gone")', 1),
        ('raise IllegalAction("code", "Nobody has ever marked this.")', 1),
        ('DiceFinding("code", "bad", "cable: " + why)', 1),
        ('raise ConfigError(say("{path}: gone", path=path))', 0),
        ('raise IllegalAction("no_camera", "There is no such camera.")', 0),
        ("raise DeviceError(why)", 0),
    ],
)
def test_sentence_out_of_sight_is_found(source: str, count: int) -> None:
    assert len(list(unmarked(ast.parse(source)))) == count


def test_translations_are_typeset_as_their_language_wants_it() -> None:
    assert typeset("fr", "Qui ? « Moi » : 3 %") == "Qui\u00a0? «\u00a0Moi\u00a0»\u00a0: 3\u00a0%"
    assert typeset("de", "bei 3 %: gut") == "bei 3\u00a0%: gut"
