"""The README's Python and shell blocks run as they stand there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main

README = Path(__file__).parent.parent / "README.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCKS = [(kind, text) for kind, text in BLOCK.findall(README.read_text(encoding="utf-8"))]

# With these dice a game is over sooner.
QUICK = """
[games.troll_and_dragon.dice]
white = ["diamond", "diamond", "diamond", "diamond", "key", "door"]
"""


def run_shell(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    tools = str(Path(sys.executable).parent)
    env = os.environ | {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        ["sh", "-euc", script],
        cwd=folder,
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_readme_has_both_kinds_of_blocks():
    assert {"sh", "python", "toml"} == {kind for kind, _ in BLOCKS}


@pytest.mark.parametrize("code", [text for kind, text in BLOCKS if kind == "python"])
def test_python_block_runs(code):
    exec(compile(code, str(README), "exec"), {})


@pytest.mark.parametrize("script", [text for kind, text in BLOCKS if kind == "sh"])
def test_shell_block_runs(script, tmp_path):
    if script.startswith("make"):  # running `make test` inside the tests would never end
        script = script.replace("make ", f"make --dry-run -C {README.parent} ")
    if script.startswith("companion play"):
        (tmp_path / "companion.toml").write_text(QUICK, encoding="utf-8")
    done = run_shell(script, tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("settings", [text for kind, text in BLOCKS if kind == "toml"])
def test_settings_block_is_accepted(settings, tmp_path, monkeypatch):
    (tmp_path / "companion.toml").write_text(settings, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["referee", "troll_and_dragon", "--players", "a,b"])
    assert done.exit_code == 0, done.stderr


def test_what_the_readme_links_to_is_there():
    for path in re.findall(r"\[[^\]]*\]\(([^):]+)\)", README.read_text(encoding="utf-8")):
        assert (README.parent / path).is_file()


def test_files_that_the_camera_tells_of_are_there():
    text = (README.parent / "camera" / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+\.(?:py|npz|onnx))`", text))
    assert len(named) > 10
    assert [name for name in named if not (README.parent / "camera" / name).is_file()] == []
