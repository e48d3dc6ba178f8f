"""The doctor's page: everything that was found, for the referee only."""

import threading

import pytest

from web.access import Access
from web.dashboard import create_app
from web.doctor import Examination, show_doctor
from web.keys import Keys

FOUND = {
    "machine": [
        {"code": "python", "state": "ok", "finding": "3.11.2", "fix": ""},
        {"code": "heat", "state": "bad", "finding": "<84 °C>", "fix": "give it air"},
    ],
    "camera": [{"code": "camera", "state": "none", "finding": "none found", "fix": ""}],
}


@pytest.fixture
def page(desk):
    """The page of a table on this machine alone, or on the LAN."""

    def client(*, lan=False):
        access = Access(Keys(None), lan=lan)
        app = create_app(desk, simulated=True, access=access)
        show_doctor(app, lambda: FOUND)
        return app.test_client(), access

    return client


def test_page_shows_every_finding_with_what_to_do(page):
    client, _ = page()
    text = client.get("/doctor").get_data(as_text=True)
    assert "To do (1), Worth knowing (0), Well (1), Not here (1)." in text
    assert "&lt;84 °C&gt;" in text
    assert "give it air" in text
    assert text.count('scope="row"') == 3


def test_page_is_for_the_referee_on_the_lan(page):
    client, access = page(lan=True)
    assert "3.11.2" not in client.get("/doctor").get_data(as_text=True)
    client.get(f"/join/{access.keys.link}")
    said = client.get("/doctor")
    assert said.status_code in (302, 303, 401, 403)
    assert "3.11.2" not in said.get_data(as_text=True)


def test_machine_is_not_examined_for_every_tap():
    asked = []
    one = Examination(lambda: asked.append(1) or FOUND, fresh_s=60.0)
    threads = [threading.Thread(target=one.rows) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert one.rows() == FOUND
    assert len(asked) == 1
    again = Examination(lambda: asked.append(1) or FOUND, fresh_s=-1.0)
    assert again.rows() == again.rows()
    assert len(asked) == 3
