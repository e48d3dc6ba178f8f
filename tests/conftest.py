"""What all tests share: a real browser where there is one, and the real service in a process."""

import asyncio
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from running import Service

import camera  # noqa: F401 (it asks for one thread, before a test has numpy)

# How long an example takes depends on what else the machine does; a bound would fail by chance.
# CI tries the same examples every time, so that a change is judged by what it changed.
hypothesis.settings.register_profile("any machine", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True)
IS_CI = os.environ.get("COMPANION_REQUIRE_TOOLS") == "1"
hypothesis.settings.load_profile("ci" if IS_CI else "any machine")

# The tests start many processes: compiled modules are kept, whatever the surroundings say.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# These files take longest; they are begun first, so that no worker is left with one at the end.
LONGEST = (
    "test_kills", "test_cli", "test_evening", "test_in_the_browser", "test_every_view",
    "test_faults", "test_faults_of_the_camera", "test_referee_in_the_browser", "test_readme",
    "test_smart_table", "test_keyboard_in_the_browser", "test_whole_table", "test_real_trays",
    "test_setup_in_the_browser", "test_other_games_in_the_browser", "test_seat_page",
    "test_camera_bench", "test_tiles", "test_bench_tiles", "test_pips", "test_watch",
    "test_roll_for_adventure_machine",
)  # fmt: skip

CHROMIUM = ("chromium-headless-shell", "chromium")  # the first draws with a third less work
QUIETLY = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_configure() -> None:
    known = {path.stem for path in Path(__file__).parent.rglob("test_*.py")}
    if gone := sorted(set(LONGEST) - known):
        raise pytest.UsageError(f"LONGEST in {__file__}: no such test file: {', '.join(gone)}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    turns = {name: turn for turn, name in enumerate(LONGEST)}
    items.sort(key=lambda item: turns.get(item.path.stem, len(turns)))


def chromium_path() -> str | None:
    """Where Debian's Chromium is, None where it is not installed."""
    return next(filter(None, map(shutil.which, CHROMIUM)), None)


def launch(playwright: Any) -> Any:
    """Debian's Chromium, asking nobody on the network for anything."""
    return playwright.chromium.launch(executable_path=chromium_path(), args=QUIETLY)


@pytest.fixture(scope="session", autouse=True)
def nothing_stays_in_the_temporary_folder(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[None]:
    """Processes that are killed leave folders behind: theirs lie in one that goes in the end."""
    folder = tmp_path_factory.mktemp("left")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(folder))
        patch.setattr("tempfile.tempdir", str(folder))
        yield
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    if chromium_path() is None:
        message = "needs Debian's Chromium: apt install chromium-headless-shell, or chromium"
        (pytest.fail if IS_CI else pytest.skip)(message)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(autouse=True)
def no_loop_of_a_browser(request: pytest.FixtureRequest) -> Iterator[None]:
    """Playwright's event loop counts as running between its tests; others want one of their own."""
    if "chromium" in request.fixturenames:
        yield
        return
    kept = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(kept)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Any]:
    running: list[Service] = []

    def start(*words: str) -> Service:
        running.append(Service(tmp_path / "journal.sqlite", *words))
        return running[-1]

    yield start
    for one in running:
        if one.process.poll() is None:
            one.stop()
