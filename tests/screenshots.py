"""Make the README's pictures: `python tests/screenshots.py` plays a game and photographs it.

Names of pictures may be given (`python tests/screenshots.py phone referee`); by default all.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

from conftest import Service, launch
from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parent.parent / "web" / "screenshots"
TELEVISION, DESK = {"width": 1600, "height": 900}, {"width": 1280, "height": 800}
PHONE, TABLET = {"width": 390, "height": 844}, {"width": 820, "height": 1180}
WAIT_S = 300  # for something to happen in the game
DRAWN_MS, LAST_MS = 1500, 400  # until lamps, symbols and pictures are there
MOST_BANNERS = 8  # that may come just when a picture is taken


class View(NamedTuple):
    """One picture: its name, the page, the screen.

    makes  what people do before it is taken.
    holds  the game is held in the race meanwhile.
    """

    name: str
    path: str
    size: dict[str, int]
    scheme: str = "dark"
    language: str = "en"
    makes: Callable[[Any], None] = lambda page: None
    holds: bool = False


def opened(page: Any) -> None:
    """The referee looks through the camera while dice lie there that were read."""
    page.locator("#cameras summary").click()
    lies = page.locator(".source", has_text="adventurer").get_by_text("still")
    lies.wait_for(state="attached", timeout=60_000)


def with_odds(page: Any) -> None:
    """Somebody wants to see the odds on the big screen."""
    page.locator("#odds-switch").click()


def in_play(page: Any) -> None:
    """A person takes the seat on the phone."""
    page.locator("[data-sit]").click()
    page.locator(".offers .hand").wait_for()


LIVE = (
    View("table", "/", TELEVISION, holds=True),
    View("table-de", "/", TELEVISION, "light", "de", with_odds, holds=True),
    View("referee", "/referee", {"width": 1600, "height": 1640}, makes=opened, holds=True),
    View("phone", "/seat/{seat}", PHONE, makes=in_play),
)
AFTERWARDS = (
    View("games", "/games", DESK, "light"),
    View("history", "/games/1?step=20", TELEVISION, "light"),
    View("dice", "/games/dice", DESK),
    View("pairing", "/pairing", TABLET, "light"),
    View("doctor", "/doctor", DESK, "light"),
    View("setup", "/setup", DESK),
)


def photograph(browser: Any, url: str, view: View, seat: str = "") -> None:
    """Take one picture, and note what the browser complains of."""
    context = browser.new_context(
        viewport=view.size,
        color_scheme=view.scheme,
        locale=view.language,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.on("pageerror", lambda error: print(f"{view.name}: {error}", file=sys.stderr))
    page.goto(url + view.path.format(seat=seat))
    page.wait_for_timeout(DRAWN_MS)
    view.makes(page)
    page.wait_for_timeout(LAST_MS)
    file = FOLDER / f"{view.name}.png"
    for _ in range(MOST_BANNERS):
        page.locator("#banner").wait_for(state="hidden")
        page.screenshot(path=file, animations="disabled", timeout=120_000)
        if not page.locator("#banner").is_visible():
            break
    context.close()
    print(f"{file.name}: {file.stat().st_size // 1024} kB", flush=True)


def until(request: Any, url: str, is_so: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The table, once it is so."""
    for _ in range(WAIT_S * 10):
        table = request.get(f"{url}/api/v1/table").json()
        if is_so(table):
            return dict(table)
        time.sleep(0.1)
    raise SystemExit(f"{url}: it did not come to that within {WAIT_S} s")


def in_the_cavern(table: dict[str, Any]) -> bool:
    """True in the race: two may act at once."""
    acting = {offer["player"] for offer in table.get("offers", ()) if not offer.get("closed")}
    waits = table.get("waiting")  # a choice whose sensors have yet to say what they saw
    return table.get("phase") == "cavern" and len(acting) > 1 and not waits


def hold(url: str, verb: str) -> dict[str, Any]:
    """Pause the game, or let it go on; the table as it lies then."""
    step = json.load(urlopen(f"{url}/api/v1/table"))["step"]
    body, kind = json.dumps({"step": step}).encode(), {"Content-Type": "application/json"}
    urlopen(Request(f"{url}/api/v1/{verb}", body, kind)).close()
    return dict(json.load(urlopen(f"{url}/api/v1/table")))


def under_way(table: dict[str, Any]) -> bool:
    """True once there is something to see."""
    return int(table.get("step", 0)) > 24


def set_up_pages(browser: Any, url: str) -> tuple[View, ...]:
    """The further pages of the set-up, as its own links name them."""
    page = browser.new_page()
    page.goto(f"{url}/setup")
    paths = [link.get_attribute("href") for link in page.locator(".ways a").all()]
    page.close()
    others = [path for path in paths if path and path != "/setup"]
    return tuple(View(path.strip("/").replace("/", "-"), path, DESK, "light") for path in others)


def play_one(browser: Any, folder: Path, game: str, names: set[str]) -> None:
    """The big screen of another game."""
    if names and game not in names:
        return
    service = Service(folder / f"{game}.sqlite", game, "--speed", "4", "--seed", "3")
    try:
        until(browser.new_page().request, service.url, under_way)
        photograph(browser, service.url, View(game, "/", TELEVISION))
    finally:
        service.stop()


def main_game(browser: Any, url: str, names: set[str]) -> None:
    """Every page of a running game of Troll & Dragon."""
    request = browser.new_page().request
    for view in LIVE:
        if not names or view.name in names:
            seat = until(request, url, in_the_cavern)["active"]
            while view.holds and not in_the_cavern(hold(url, "pause")):
                hold(url, "resume")
                until(request, url, in_the_cavern)
            photograph(browser, url, view, str(seat))
            if view.holds:
                hold(url, "resume")
    for view in (*AFTERWARDS, *set_up_pages(browser, url)):
        if not names or view.name in names:
            photograph(browser, url, view)


def main(*asked: str) -> None:
    """Play three games, and take every picture."""
    names = set(asked)
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = launch(playwright)
        service = Service(Path(folder) / "journal.sqlite", "--speed", "1.5", "--seed", "2")
        try:
            main_game(browser, service.url, names)
        finally:
            service.stop()
        for game in ("roll_for_adventure", "schatz_der_drachen"):
            play_one(browser, Path(folder), game, names)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
