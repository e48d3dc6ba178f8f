"""A browser of somebody's own on any page of the dashboard, and what it complained of."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe

PHONE = {"width": 360, "height": 740}
TELEVISION = {"width": 1920, "height": 1080}


class Browsing:
    """One page; `quiet_about` are words of complaints that the test expects."""

    def __init__(self, chromium: Any, url: str, **settings: Any) -> None:
        self.context = chromium.new_context(**{"viewport": PHONE, **settings})
        self.context.set_default_timeout(10_000)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.page.on("console", lambda message: self._hear(message.type, message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.url = url

    def _hear(self, kind: str, text: str) -> None:
        refused = "the server responded with a status of 4" in text
        if kind in ("error", "warning") and not refused:
            self.complaints.append(text)

    def goes_to(self, path: str, *, live: bool = True) -> "Browsing":
        self.page.goto(self.url + path)
        if live:
            self.page.wait_for_selector(".connection[data-state=live]")
        return self

    def button(self, name: str) -> Any:
        return self.page.get_by_role("button", name=name)

    def has(self, words: str) -> None:
        self.page.get_by_text(words).locator("visible=true").first.wait_for()

    def barriers(self) -> list[Any]:
        """What axe finds, in dark and light, on a phone and on a television."""
        found = []
        for size, scheme in ((PHONE, "dark"), (PHONE, "light"), (TELEVISION, "light")):
            self.page.set_viewport_size(size)
            self.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            wide = self.page.evaluate("document.documentElement.scrollWidth")
            if wide > size["width"]:
                found.append(("scrolls sideways", size["width"], wide))
            for one in Axe().run(self.page).response["violations"]:
                found.append((one["id"], scheme, [n["target"] for n in one["nodes"]][:3]))
        return found

    def close(self) -> None:
        self.context.close()
