"""A person at the dashboard of the real service: simulated dice, real pipeline, real browser."""

import contextlib
import json
import threading
import urllib.error
import urllib.request

from playwright.sync_api import TimeoutError as TooLate

from companion.journal import Journal

PATIENCE_MS = 90_000  # a simulated turn of the others, on a slow machine
LOOK_AGAIN_MS = 3_000
LOOK_AGAIN_S = 0.1  # looking all the time would take the service its time away


def snapshot(service):
    with urllib.request.urlopen(f"{service.url}/snapshot", timeout=10) as answer:
        return json.load(answer)


def test_person_takes_a_seat_throws_simulated_dice_and_leaves(service, chromium, tmp_path):
    table = service("--speed", "4", "--seed", "3", "--players", "Ann,Bo")
    page = chromium.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE_MS)
    page.goto(table.url)
    page.get_by_role("button", name="Play as Ann").click()
    throw_and_leave(page)
    page.get_by_text("Ann leaves").first.wait_for()
    page.close()
    assert {p["key"]: p["person"] for p in snapshot(table)["players"]} == {"ann": True, "bo": False}
    assert table.stop() == 0
    journal = Journal(tmp_path / "journal.sqlite")
    sources = [step.report.source for step in journal.steps(1)]
    journal.close()
    assert "web:ann" in sources
    assert "camera:adventurer" in sources


def throw_and_leave(page):
    """As people do: one whose tap came too late looks at the table again, and taps again."""
    left = []
    page.on("response", lambda r: left.append(r) if r.url.endswith("/actions") and r.ok else None)
    throw = page.locator("button.throw:visible")
    leave = page.locator("button.big-button:not([aria-disabled]):visible", has_text="I'm leaving!")
    for _ in range(60):
        leave.or_(throw).first.wait_for()
        with contextlib.suppress(TooLate):
            if not leave.count():
                throw.first.click(timeout=LOOK_AGAIN_MS)
            leave.first.click(timeout=LOOK_AGAIN_MS)
        if left:
            return
    raise AssertionError("nobody left in 60 taps")


def test_dashboard_comes_back_to_the_same_turn_after_the_service_was_killed(service):
    first = service("--speed", "20", "--seed", "8")
    pause = threading.Event()
    while snapshot_when_ready(first)["step"] < 5:
        pause.wait(LOOK_AGAIN_S)
    first.process.kill()
    with first.process:
        first.process.wait(10)
    before = first.process.returncode
    again = service("--speed", "20")
    now = snapshot_when_ready(again)
    assert before == -9
    assert now["game"]["number"] == 1
    assert now["step"] >= 5


def snapshot_when_ready(service):
    """Ask until the table is laid out; before, the page answers 503."""
    pause = threading.Event()
    for _ in range(1_000):
        try:
            return snapshot(service)
        except urllib.error.HTTPError as error:
            if error.code != 503:
                raise
        pause.wait(LOOK_AGAIN_S)
    raise AssertionError("the table was never laid out")
