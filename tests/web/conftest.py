"""What the tests of the dashboard share: a desk, its app, and a server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from demo_desk import DemoDesk
from quiet_house import QuietHouse

from web.dashboard import create_app
from web.serve import WebServer
from web.streams import Streams


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


@pytest.fixture
def house(tmp_path: Path) -> Iterator[QuietHouse]:
    house = QuietHouse(tmp_path)
    yield house
    house.close()
