"""Asks pip whether all installs from wheels on 64-bit Raspberry Pi OS; nothing is installed.

    python tests/wheels.py [--json]

Raspberry Pi OS bookworm has Python 3.11 and glibc 2.36, trixie 3.13 and 2.41. A requirement that
only a source package fulfils is a failure: a Pi has no compiler, nor the patience. What a marker
in pyproject.toml leaves out for a Python has to come from apt, and is named. Markers further down,
in the requirements of requirements, pip judges by the machine that it runs on.
"""

import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
SYSTEMS = {"3.11": ("bookworm", 36), "3.13": ("trixie", 41)}
OLDEST_GLIBC = 17  # manylinux2014, the oldest of the names in use
EXTRA = "pi"


def requirements(project: dict[str, Any], python: str) -> tuple[list[Requirement], list[str]]:
    """What pip has to find for a Pi with this Python, and the packages that apt has to bring."""
    marks = {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "platform_machine": "aarch64",
        "sys_platform": "linux",
        "platform_system": "Linux",
    }
    texts = [*project["dependencies"], *project["optional-dependencies"][EXTRA]]
    found = [Requirement(text) for text in texts]
    from_pip = [one for one in found if one.marker is None or one.marker.evaluate(marks)]
    return from_pip, [f"python3-{one.name}" for one in found if one not in from_pip]


def ask_pip(wanted: list[Requirement], python: str, glibc: int) -> subprocess.CompletedProcess[str]:
    """Let pip resolve for another machine, wheels only, without installing anything."""
    platforms = ["manylinux2014_aarch64", "linux_aarch64"]
    platforms += [f"manylinux_2_{minor}_aarch64" for minor in range(OLDEST_GLIBC, glibc + 1)]
    with tempfile.TemporaryDirectory() as nowhere:
        command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed"]
        command += ["--quiet", "--disable-pip-version-check", "--only-binary=:all:"]
        command += ["--target", nowhere, "--python-version", python, "--implementation", "cp"]
        for platform in platforms:
            command += ["--platform", platform]
        command += ["--report", "-", *[f"{one.name}{one.specifier}" for one in wanted]]
        return subprocess.run(command, capture_output=True, text=True, check=False)


def wheels_of(report: dict[str, Any]) -> list[str]:
    """The file names that pip chose, sorted."""
    return sorted(row["download_info"]["url"].rsplit("/", 1)[-1] for row in report["install"])


def not_fit(names: list[str]) -> list[str]:
    """Files that are no wheels, wheels of another machine, and lgpio's empty placeholder."""
    return [
        name
        for name in names
        if not (name.endswith("-none-any.whl") or ("aarch64" in name and name.endswith(".whl")))
        or name.startswith("lgpio-0.0.0")
    ]


def main() -> int:
    """Resolve for every system; 0 if everything comes as a wheel, or from apt where we say so."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    return max(resolve(project, python, *system) for python, system in SYSTEMS.items())


def resolve(project: dict[str, Any], python: str, system: str, glibc: int) -> int:
    """Resolve for one system and say what came out."""
    from_pip, from_apt = requirements(project, python)
    done = ask_pip(from_pip, python, glibc)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if not line.startswith("WARNING")]
        print(f"wheels: {system}, Python {python}:", *said, file=sys.stderr)
        return 1
    names = wheels_of(json.loads(done.stdout))
    strange = not_fit(names)
    if "--json" in sys.argv:
        fields = {"system": system, "python": python, "wheels": names, "unfit": strange}
        print(json.dumps(fields | {"from_apt": from_apt}))
    else:
        print(summary(f"{system}, Python {python}", names, strange, from_apt))
    return 1 if strange else 0


def summary(where: str, names: list[str], strange: list[str], from_apt: list[str]) -> str:
    """One system in words."""
    built = sum("aarch64" in name for name in names)
    said = f"{where}: {len(names)} wheels, {built} of them for aarch64"
    if from_apt:
        said += f"; from apt: {', '.join(from_apt)}"
    return said + (f"; UNFIT: {', '.join(strange)}" if strange else "")


if __name__ == "__main__":
    sys.exit(main())
