"""What the tests of the dashboard share: a desk, its app, and a server."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from demo_desk import DemoDesk
from flask import Flask
from jinja2.bccache import Bucket, BytecodeCache
from quiet_house import QuietHouse

from camera.pictures import save_picture
from companion.config import CameraSettings
from web.access import Access
from web.dashboard import create_app
from web.keys import Keys
from web.serve import WebServer
from web.setup_benches import show_benches
from web.streams import Streams


class Compiled(BytecodeCache):
    """Templates that one app has compiled serve the next, as long as their text is the same."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key] = bucket.bytecode_to_string()


@pytest.fixture(scope="session", autouse=True)
def compiled_templates() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Flask, "jinja_options", {"bytecode_cache": Compiled()})
        yield


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


@pytest.fixture
def camera(tmp_path: Path) -> CameraSettings:
    """Pictures of a tray in place of a camera."""
    (tmp_path / "trays").mkdir()
    felt = np.full((240, 320, 3), (60, 110, 70), np.uint8)
    save_picture(tmp_path / "trays" / "0.png", felt)
    return CameraSettings(str(tmp_path / "trays"), empty=str(tmp_path / "empty.png"))


@pytest.fixture
def app(house: QuietHouse, camera: CameraSettings) -> Any:
    """The dashboard of a quiet house, whose dice, trays and faces can be set up."""
    app = create_app(house.desk, simulated=True, streams=Streams(6, beat_s=0.2))
    show_benches(app, house.benches(camera), Access(Keys(), lan=False))
    return app
