"""What the tests of the dashboard share: a desk, its app, and a real browser where there is one."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from demo_desk import DemoDesk

from web.dashboard import create_app
from web.serve import WebServer
from web.streams import Streams

CHROMIUM = Path("/usr/bin/chromium")
QUIETLY = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture
def desk() -> Iterator[DemoDesk]:
    desk = DemoDesk()
    yield desk
    desk.feed.close()


@pytest.fixture
def client(desk: DemoDesk) -> Any:
    return create_app(desk, simulated=True).test_client()


@pytest.fixture
def server(desk: DemoDesk) -> Iterator[WebServer]:
    streams = Streams(6, beat_s=0.2)
    with WebServer(create_app(desk, simulated=True, streams=streams), port=0) as server:
        yield server


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    required = os.environ.get("COMPANION_REQUIRE_TOOLS") == "1"
    if not CHROMIUM.exists() or shutil.which("chromium") is None:
        message = "needs Debian's chromium at /usr/bin/chromium (apt install chromium)"
        (pytest.fail if required else pytest.skip)(message)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=QUIETLY)
        yield browser
        browser.close()
