"""A browser of somebody's own on any page of the dashboard, and what it complained of."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe

PHONE = {"width": 360, "height": 740}
TABLET, LYING_TABLET = {"width": 768, "height": 1024}, {"width": 1024, "height": 768}
TELEVISION, LARGEST = {"width": 1920, "height": 1080}, {"width": 3840, "height": 2160}
SCREENS = (
    (PHONE, "light"), (TABLET, "dark"), (LYING_TABLET, "light"), (TELEVISION, "light"),
    (LARGEST, "dark"), (PHONE, "dark"),
)  # fmt: skip
MOST_UNLIKE = ((TELEVISION, "light"), (PHONE, "dark"))
EVERY_RULE = {"rules": {"target-size": {"enabled": True}}}  # axe leaves that one out by itself
DRAWN_RULES = ("color-contrast", "scrollable-region-focusable", "target-size")  # differ by screen
ONLY_DRAWN = {"runOnly": {"type": "rule", "values": DRAWN_RULES}}
AXE = "options => axe.run(document, options)"
WIDE = "document.documentElement.scrollWidth"


def barriers_of(page: Any, screens: Any = MOST_UNLIKE) -> list[Any]:
    """What axe finds, in dark and light, on a phone and on a television, or on all `SCREENS`.

    All rules are held against the phone, and those that size and colours decide against the others.
    It ends as it began: on a dark phone.
    """
    found: list[Any] = []
    page.evaluate(Axe().axe_script)
    for size, scheme in screens:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        is_last = (size, scheme) == screens[-1]
        found += [(*one, scheme) for one in found_by(page, EVERY_RULE if is_last else ONLY_DRAWN)]
    return found


def found_by(page: Any, rules: Any) -> list[Any]:
    """What axe, which is there, finds by these rules on the page as it is now; and its width."""
    width = page.viewport_size["width"]
    wide = page.evaluate(WIDE)
    found = [("scrolls sideways", width, wide)] if wide > width else []
    for one in page.evaluate(AXE, rules)["violations"]:
        found.append((one["id"], width, [node["target"] for node in one["nodes"]][:3]))
    return found


class Browsing:
    """One page, and what its browser complained of; that a request was refused is no complaint."""

    def __init__(self, chromium: Any, url: str, **settings: Any) -> None:
        self.context = chromium.new_context(
            **{"viewport": PHONE, "reduced_motion": "reduce", **settings}
        )
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

    def barriers(self, screens: Any = MOST_UNLIKE) -> list[Any]:
        """What keeps people from this page, as it is now (`barriers_of`)."""
        return barriers_of(self.page, screens)

    def close(self) -> None:
        self.context.close()
