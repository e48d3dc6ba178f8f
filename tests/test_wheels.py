"""The script behind `make wheels`: what it asks pip for, and what it refuses."""

import importlib.util
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SPEC = importlib.util.spec_from_file_location("wheels", ROOT / "tests" / "wheels.py")
assert SPEC is not None
assert SPEC.loader is not None
wheels = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(wheels)

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def names(python):
    return {one.name for one in wheels.requirements(PROJECT, python)[0]}


def test_every_dependency_and_the_extra_for_the_pi_are_asked_for():
    assert len(names("3.11")) == len(PROJECT["dependencies"]) + 1
    assert {"numpy", "opencv-python-headless", "lgpio"} <= names("3.11")


def test_lgpio_comes_from_apt_where_the_index_has_no_wheel_of_it():
    assert wheels.requirements(PROJECT, "3.11")[1] == []
    assert wheels.requirements(PROJECT, "3.13")[1] == ["python3-lgpio"]
    assert "lgpio" not in names("3.13")


@pytest.mark.parametrize(
    ("name", "fits"),
    [
        ("numpy-2.4.6-cp311-cp311-manylinux_2_27_aarch64.manylinux_2_28_aarch64.whl", True),
        ("segno-1.6.6-py3-none-any.whl", True),
        ("numpy-2.4.6-cp311-cp311-manylinux_2_27_x86_64.whl", False),
        ("RPi.GPIO-0.7.1.tar.gz", False),
        ("lgpio-0.0.0.2-py3-none-any.whl", False),
    ],
)
def test_only_wheels_for_the_pi_fit(name, fits):
    assert wheels.not_fit([name]) == ([] if fits else [name])


def test_summary_names_what_does_not_fit():
    said = wheels.summary("bookworm", ["a-1-none-any.whl", "b.tar.gz"], ["b.tar.gz"], ["python3-x"])
    assert "2 wheels, 0 of them for aarch64; from apt: python3-x; UNFIT: b.tar.gz" in said
