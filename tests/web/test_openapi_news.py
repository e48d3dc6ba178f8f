"""The messages of the stream: every kind that is published is described, and is as described."""

import ast
import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from quiet_house import QuietHouse, faces

import web.feed
from companion.actions import Chose, Report, Rolled
from companion.errors import IllegalAction
from companion.telling import sensing
from hardware.alerts import Alerts
from hardware.cues import read_cues
from hardware.lamps import Lamps
from hardware.pins import choose_pins
from web.dashboard import create_app
from web.feed import KINDS, Message
from web.openapi import document
from web.openapi_news import BEAT, NEWS
from web.streams import BEAT as BEAT_TEXT
from web.webhooks import Webhooks

ROOT = Path(web.feed.__file__).parent.parent


def shape_of(kind: str, told: dict[str, Any]) -> Any:
    """A validator of the data of one kind of message, as the document has it."""
    named = told["paths"]["/api/v1/events"]["get"]["x-messages"][kind]["data"]
    return jsonschema_rs.Draft202012Validator({**named, "components": told["components"]})


def published_kinds() -> set[str]:
    """The first argument of every `publish(...)` of the service that is written out there."""
    found = set()
    for path in [*(ROOT / "companion").rglob("*.py"), *(ROOT / "web").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "publish":
                found |= {a.value for a in node.args[:1] if isinstance(a, ast.Constant)}
    return {str(kind) for kind in found}


def mirrored_kinds() -> set[str]:
    """The kinds that the mirror of lamps and sensors looks after."""
    source = (ROOT / "companion" / "telling.py").read_text(encoding="utf-8")
    return set(re.findall(r'^ +"(\w+)": lambda', source, flags=re.MULTILINE))


def browser_kinds() -> set[str]:
    courier = (ROOT / "web" / "static" / "js" / "courier.js").read_text(encoding="utf-8")
    listed = re.search(r"const KINDS = \[(.*?)\]", courier)
    assert listed is not None
    return set(re.findall(r'"(\w+)"', listed[1]))


def test_every_kind_that_is_published_is_described() -> None:
    assert published_kinds() >= {"table", "manner"}
    assert mirrored_kinds() == {"lamps", "sensing"}
    assert published_kinds() | mirrored_kinds() == set(KINDS)
    told = document()
    messages = told["paths"]["/api/v1/events"]["get"]["x-messages"]
    assert set(messages) == {*KINDS, BEAT}
    assert set(told["webhooks"]) == set(KINDS) == {news.kind for news in NEWS}
    assert browser_kinds() == set(KINDS)
    for kind in messages:
        assert f"`{kind}`" in told["paths"]["/api/v1/events"]["get"]["description"]


def published_by(house: QuietHouse) -> list[Message]:
    """Something of every kind that a running table publishes."""
    viewer = house.desk.feed.subscribe(None)
    house.desk.act(Rolled(faces("troll")), step=0, player="ann")
    late = house.companion.inbox.put(Report(Chose("bo", "claim"), source="web:bo"), seen=1)
    with pytest.raises(IllegalAction):
        late.wait(8.0)
    house.desk.be(quiet=True, volume=0.25)
    with Alerts(Lamps(choose_pins(real=False)), read_cues(), house.companion.clock) as alerts:
        house.desk.feed.publish("lamps", {"lamps": alerts.lamps()}, None)
    row = {"name": "camera:tray", "label": "Camera", "state": "ok", "detail": "", "moving": True,
           "dice": ["white-1"]}  # fmt: skip
    house.desk.feed.publish("sensing", sensing([row]), None)
    found = []
    while (message := viewer.next_within(0.3)) is not None:
        found.append(message)
    viewer.close()
    return found


def test_messages_of_a_running_table_are_as_described(house: QuietHouse) -> None:
    found = published_by(house)
    told = document()
    assert {message.kind for message in found} == set(KINDS)
    for message in found:
        shape_of(message.kind, told).validate(msgspec.json.decode(message.body))
        resumes = told["paths"]["/api/v1/events"]["get"]["x-messages"][message.kind]["resumes"]
        assert resumes == (message.id is not None)
    refused = [m for m in found if b'"code":' in m.body.split(b'"snapshot"')[0]]
    assert refused


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [("manner", {"quiet": "yes", "volume": 1}), ("manner", {"quiet": True, "volume": 2}),
     ("lamps", {"lamps": [{"name": "x"}]}), ("table", {"told": [], "refused": None})],
)  # fmt: skip
def test_described_shapes_tell_wrong_messages(kind: str, wrong: dict[str, Any]) -> None:
    assert not shape_of(kind, document()).is_valid(wrong)


def test_heart_beat_is_described() -> None:
    assert b"event: beat\ndata: {}\n" in BEAT_TEXT
    shape_of(BEAT, document()).validate({})


def test_webhooks_take_every_kind_that_is_described(house: QuietHouse) -> None:
    hooks = Webhooks(house.desk.feed)
    client = create_app(house.desk, simulated=True, hooks=hooks).test_client()
    body = {"url": "http://127.0.0.1:9/", "kinds": sorted(document()["webhooks"])}
    assert client.post("/api/v1/webhooks", json=body).status_code == 201
    hooks.close()
