"""Imports go down only: the rooms and floors of the house, held by walking every import."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("companion", "camera", "hardware", "web", "firmware")
FLOOR_0 = {
    *("actions", "offers", "steps", "dice", "view", "clock", "errors", "words", "field_words"),
}
FLOOR_1 = {"table", "scripts", "games"}
FLOOR_2 = {
    *(
        "referee",
        "refusing",
        "journal",
        "journal_words",
        "inbox",
        "calls",
        "players",
        "config",
        "protocol",
    ),
}
DEVICES = {"camera", "hardware", "web"}
ONLY_IN = {
    "cv2": {"camera"},
    "numpy": {"camera"},
    "gpiozero": {"hardware"},
    "serial": {"hardware"},
    "urllib3": {"hardware"},
    "bleak": {"hardware"},
    "flask": {"web"},
}
NOT_IN_GAMES = {"random", "time", "threading", "logging"}

Import = tuple[str, int]  # dotted name, line


def floor(module: str) -> int:
    """The floor of `companion.x.y`: what is not listed joins everything, on the top floor."""
    parts = module.split(".")
    if len(parts) == 1 or parts[1] in FLOOR_0:
        return 0
    return 1 if parts[1] in FLOOR_1 else 2 if parts[1] in FLOOR_2 else 3


def module_name(path: Path, root: Path) -> str:
    """`companion/games/__init__.py` is `companion.games`."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def modules(root: Path, *rooms: str) -> Iterator[tuple[str, Path]]:
    """Every module of these rooms, with its dotted name."""
    for room in rooms:
        for path in sorted((root / room).rglob("*.py")):
            yield module_name(path, root), path


def imports(module: str, path: Path) -> Iterator[Import]:
    """What a module imports, wherever in it; a name from a package may be a module itself."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = module.split(".")
                package = package if path.stem == "__init__" else package[:-1]
                above = package[: len(package) - node.level + 1]
                base = ".".join([*above, base] if base else above)
            yield from ((f"{base}.{alias.name}", node.lineno) for alias in node.names)
        elif isinstance(node, ast.Call) and called(node) == "import_module":
            yield (ast.unparse(node.args[0]).strip("'\""), node.lineno)


def called(node: ast.Call) -> str:
    """The last word of what is called."""
    return str(getattr(node.func, "attr", getattr(node.func, "id", "")))


def refused(importer: str, imported: str) -> str | None:
    """Why this module may not import that one, or None."""
    room, other = importer.split(".")[0], imported.split(".")[0]
    if other in ONLY_IN and room not in ONLY_IN[other]:
        return f"{other} lives in {', '.join(ONLY_IN[other])} only"
    if importer.startswith("companion.games") and other in NOT_IN_GAMES:
        return f"a game knows no {other}"
    if other not in ROOMS or (room == other and room != "companion"):
        return None
    if room == "firmware":
        return "firmware runs without the house"
    if room == "companion" and other == "companion":
        here, there = floor(importer), floor(imported)
        return None if there <= here else f"floor {here} may not import floor {there}"
    if room == "companion":
        return None if floor(importer) == 3 else "only what joins everything knows devices"
    if other == "companion":
        return None if floor(imported) == 0 else "devices know floor 0 only"
    if room == "hardware" and imported.startswith("firmware.wire"):
        return None
    return "these rooms do not know each other"


def broken(root: Path, *rooms: str) -> list[str]:
    """Every import that goes the wrong way, as `file:line`."""
    return [
        f"{path.relative_to(root)}:{line}: {module} imports {imported}: {why}"
        for module, path in modules(root, *rooms)
        for imported, line in imports(module, path)
        if (why := refused(module, imported)) is not None
    ]


@pytest.mark.parametrize("room", ROOMS)
def test_imports_go_down_when_a_room_is_walked(room):
    assert broken(ROOT, room) == []


def test_rooms_are_walked_when_they_have_modules():
    names = [name for name, _ in modules(ROOT, *ROOMS)]
    assert {name.split(".")[0] for name in names} == set(ROOMS)
    for name in (*FLOOR_0, *FLOOR_1, "referee", "protocol", "players"):
        assert f"companion.{name}" in names
    found = dict(imports("companion.referee", ROOT / "companion" / "referee.py"))
    assert "companion.offers.accepting" in found


@pytest.mark.parametrize(
    ("where", "line"),
    [
        ("companion/offers.py", "from companion.table import Table"),
        ("companion/offers.py", "from companion import table"),
        ("companion/offers.py", "from . import table"),
        ("companion/offers.py", "from .table import Table"),
        ("companion/table.py", "import companion.referee"),
        ("companion/games/x/pieces.py", "from ...referee import Referee"),
        ("companion/games/x/script.py", "import random"),
        ("companion/games/x/script.py", "from time import monotonic"),
        ("companion/games/x/script.py", "def f():\n    import logging"),
        ("companion/games/x/__init__.py", "import threading"),
        ("companion/games/x/script.py", "from companion.players import Chance"),
        ("companion/referee.py", "from companion.app import main"),
        ("companion/journal.py", "import web"),
        ("companion/journal.py", "import flask"),
        ("companion/app.py", "import cv2"),
        ("companion/app.py", "import numpy as np"),
        ("companion/outputs.py", "import urllib3"),
        ("companion/dice_command.py", "from bleak import BleakScanner"),
        ("web/feed.py", "import importlib\nimportlib.import_module('urllib3')"),
        ("camera/find.py", "from companion.table import Table"),
        ("camera/find.py", "from companion.config import Config"),
        ("camera/find.py", "import hardware.pins"),
        ("camera/find.py", "from firmware.wire import frame"),
        ("hardware/pins.py", "from firmware.die import main"),
        ("hardware/pins.py", "import numpy"),
        ("web/feed.py", "from companion.referee import Referee"),
        ("web/feed.py", "from camera import source"),
        ("firmware/die.py", "from companion.actions import Rolled"),
        ("web/feed.py", "import importlib\nimportlib.import_module('companion.referee')"),
    ],
)
def test_import_is_found_when_it_goes_the_wrong_way(tmp_path, where, line):
    path = tmp_path / where
    path.parent.mkdir(parents=True)
    path.write_text(f"{line}\n")
    [complaint] = broken(tmp_path, *ROOMS)
    assert complaint.startswith(where)


@pytest.mark.parametrize(
    ("where", "line"),
    [
        ("companion/offers.py", "from companion.actions import Rolled"),
        ("companion/games/x/script.py", "from companion.offers import Roll"),
        ("companion/games/x/script.py", "from .pieces import Board"),
        ("companion/referee.py", "from companion.scripts import Game"),
        ("companion/players/x.py", "import random"),
        ("companion/app.py", "import web, camera, hardware"),
        ("camera/find.py", "import cv2\nimport numpy as np\nfrom companion.actions import Rolled"),
        ("hardware/pins.py", "import gpiozero, serial\nfrom firmware.wire import frame"),
        ("hardware/wled.py", "import urllib3, bleak"),
        ("web/feed.py", "import flask\nfrom companion.view import View\nfrom web import guard"),
        ("firmware/die.py", "import wire\nimport time"),
    ],
)
def test_import_is_allowed_when_it_goes_down(tmp_path, where, line):
    path = tmp_path / where
    path.parent.mkdir(parents=True)
    path.write_text(f"{line}\n")
    assert broken(tmp_path, *ROOMS) == []
