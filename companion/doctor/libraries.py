"""Checks of the libraries: are they there, do they load, do they get in each other's way?"""

import re
from collections.abc import Callable
from importlib import metadata

from companion.doctor.finding import Finding, bad, note, ok
from companion.doctor.machine import Machine
from companion.words import fact, mark, say

DISTRIBUTION = "table-companion"
MODULES = {"opencv-python-headless": "cv2", "pyserial": "serial"}  # where the two names differ
REQUIREMENT = re.compile(r"[A-Za-z0-9._-]+")
RIVALS = ("opencv-python", "opencv-contrib-python", "opencv-contrib-python-headless")
SYSTEM_LIBRARIES = {"cv2": mark("sudo apt install libgl1 libglib2.0-0, or use the headless build")}


def required() -> dict[str, str]:
    """What this program was installed with: the module of each library, and its name at pip."""
    texts = metadata.requires(DISTRIBUTION) or []
    names = [REQUIREMENT.match(text) for text in texts if "extra ==" not in text]
    found = [match[0] for match in names if match]
    return {MODULES.get(name.lower(), name.lower().replace("-", "_")): name for name in found}


def check_library(machine: Machine, name: str, package: str) -> Finding:
    """A library must be there and load; one that lacks a system library says which."""
    code = f"library_{name}"
    try:
        module = machine.load(name)
    except ImportError as error:
        fix: str = fact(f"pip install {package}")
        if ".so" in str(error):
            again = fact(f"pip install --force-reinstall {package}")
            fix = SYSTEM_LIBRARIES.get(name, again)
        return bad(code, fact(error), fix)
    version = getattr(module, "__version__", "") or version_of(package)
    return ok(code, fact(version) if version else mark("loads"))


def version_of(package: str) -> str:
    """What is installed under this name; empty where nothing is."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def installed() -> dict[str, str]:
    """Everything that is installed, by name in small letters."""
    found = (dist.metadata for dist in metadata.distributions())
    return {about["Name"].lower(): about["Version"] for about in found if about["Name"]}


def opencv_builds() -> dict[str, str]:
    """Builds of OpenCV other than ours that are installed; asked by name, which takes no time."""
    return {name: version for name in RIVALS if (version := version_of(name))}


def check_opencv_builds(
    machine: Machine, present: Callable[[], dict[str, str]] = opencv_builds
) -> Finding:
    """Two builds of OpenCV in one place overwrite each other's files."""
    there = present()
    rivals = [name for name in RIVALS if name in there]
    if not rivals:
        return ok("opencv_builds", "one build")
    fix = say(
        "pip uninstall {rivals}; then pip install --force-reinstall opencv-python-headless",
        rivals=" ".join(rivals),
    )
    return bad("opencv_builds", say("also {rivals}", rivals=", ".join(rivals)), fix)


def check_environment(machine: Machine) -> Finding:
    """On a Pi some packages come from apt; a virtual environment must let them in."""
    mine, base = machine.prefixes
    if mine == base:
        fix: str = fact("python3 -m venv --system-site-packages .venv")
        return note("environment", "no virtual environment", fix)
    configured = machine.text(f"{mine.lstrip('/')}/pyvenv.cfg").lower().replace(" ", "")
    if not machine.is_pi or "include-system-site-packages=true" in configured:
        return ok("environment", fact(mine))
    fix = "python3 -m venv --system-site-packages .venv, for lgpio and picamera2 of apt"
    return note("environment", say("{folder} does not see packages of apt", folder=mine), fix)


CHECKS = (check_opencv_builds, check_environment)
