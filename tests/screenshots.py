"""Make the README's pictures: `python tests/screenshots.py` plays a game and photographs it."""

import tempfile
from pathlib import Path
from typing import Any

from conftest import Service, launch
from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parent.parent / "web" / "screenshots"
TELEVISION = {"width": 1600, "height": 900}


PHONE = {"width": 390, "height": 844}
PAGES = (("referee", "/referee", TELEVISION, "dark"), ("phone", "/seat/{seat}", PHONE, "dark"),
         ("history", "/games/1?step=20", TELEVISION, "light"))  # fmt: skip


def others(browser: Any, url: str) -> None:
    """The pages beside the big screen, of the same game."""
    seat = browser.new_page().request.get(f"{url}/api/v1/table").json()["active"]
    for name, path, size, scheme in PAGES:
        page = browser.new_page(viewport=size, color_scheme=scheme)
        page.goto(url + path.format(seat=seat))
        page.wait_for_timeout(1500)
        page.screenshot(path=FOLDER / f"{name}.png", animations="disabled", timeout=120_000)


def main() -> None:
    """Wait for a race in the cavern, and take its picture."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        service = Service(Path(folder) / "journal.sqlite", "--speed", "3", "--seed", "2")
        browser = launch(playwright)
        page = browser.new_page(viewport=TELEVISION, color_scheme="dark")
        page.goto(service.url)
        page.wait_for_selector("#board[data-phase=cavern]", timeout=120_000)
        page.wait_for_timeout(3000)
        page.screenshot(path=FOLDER / "table.png", animations="disabled", timeout=120_000)
        others(browser, service.url)
        browser.close()
        service.stop()


if __name__ == "__main__":
    main()
