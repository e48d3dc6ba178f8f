"""What the tests share: their order names files that exist, and their rubbish goes with them."""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest


def test_name_of_no_test_file_among_the_longest_ends_the_run(pytestconfig, monkeypatch):
    mine = str(Path(__file__).with_name("conftest.py"))
    plugins = pytestconfig.pluginmanager.get_plugins()
    shared: Any = next(one for one in plugins if getattr(one, "__file__", "") == mine)
    monkeypatch.setattr(shared, "LONGEST", ("test_conftest", "test_renamed_since"))
    with pytest.raises(pytest.UsageError, match="no such test file: test_renamed_since"):
        shared.pytest_configure()


def test_processes_of_tests_leave_nothing_in_the_temporary_folder(tmp_path_factory):
    told = "import tempfile; print(tempfile.mkdtemp(prefix='companion-'))"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    for made in (Path(done.stdout.strip()), Path(tempfile.mkdtemp())):
        assert made.is_relative_to(tmp_path_factory.getbasetemp())
