"""The OpenAPI document: it names every route, and every route keeps to it."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from quiet_house import QuietHouse, faces
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from camera.uploads import clean_picture
from web.access import Access
from web.dashboard import create_app
from web.keys import Keys
from web.openapi import PATHS, document
from web.setup_benches import show_benches
from web.webhooks import Webhooks

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
EXAMPLES = 6  # for each of some seventy operations


def table() -> Any:
    """A table in the middle of a game, with everything that the interface offers."""
    folder = Path(tempfile.mkdtemp(prefix="companion-openapi-"))
    house = QuietHouse(folder)
    hooks = Webhooks(house.desk.feed)
    pictures = (folder / "pictures", clean_picture)
    app = create_app(house.desk, simulated=True, hooks=hooks, pictures=pictures)
    show_benches(app, house.benches(), Access(Keys(), lan=False))
    body = {"faces": faces("diamond"), "step": 0}
    assert app.test_client().post("/api/v1/rolls", json=body).status_code == 200
    return house, hooks, app


@pytest.fixture(scope="module")
def described() -> Iterator[Any]:
    house, hooks, app = table()
    yield schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    hooks.close()
    house.close()


@pytest.mark.parametrize(
    ("method", "path"),
    [(path.method, path.path) for path in PATHS if path.path != "/events"],  # that never ends
)
def test_every_answer_is_as_described(described: Any, method: str, path: str) -> None:
    @given(case=described[f"/api/v1{path}"][method].as_strategy())
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def call(case: Any) -> None:
        case.call_and_validate(checks=CHECKS)

    call()


def test_document_names_every_route_of_the_interface() -> None:
    house, hooks, app = table()
    routed = {
        (method.lower(), str(rule).replace("<int:number>", "<number>"))
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if str(rule).startswith("/api/v1/") and rule.endpoint != "openapi"
    }
    hooks.close()
    house.close()
    named = {
        (path.method, f"/api/v1{path.path}".replace("{", "<").replace("}", ">")) for path in PATHS
    }
    assert named == routed


def test_every_write_to_the_table_carries_its_step() -> None:
    told = document()
    schemas = told["components"]["schemas"]
    without = {"Code", "Credentials", "Hook"}  # change nothing on the table
    without |= {"GameResumed", "GameSetUp"}  # name the game that they set aside
    without |= {"Nothing", "DieMapped", "DieNamed", "DieCalibrated", "CalibrationAnswer"}
    without |= {"ZoneSet", "CameraSet", "LessonBegun", "FaceShown"}
    for path in PATHS:
        if path.body is not None and path.body.__name__ not in without:
            assert "step" in schemas[path.body.__name__]["required"], path.path


def test_document_is_open_api_3_1() -> None:
    told = document()
    assert told["openapi"] == "3.1.0"
    assert schemathesis.openapi.from_dict(told).specification.version.startswith("3.1")
