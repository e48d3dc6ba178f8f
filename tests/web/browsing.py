"""A browser of somebody's own on any page of the dashboard, and what it complained of."""

import contextlib
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error

PHONE = {"width": 360, "height": 740}
TABLET, LYING_TABLET = {"width": 768, "height": 1024}, {"width": 1024, "height": 768}
TELEVISION, LARGEST = {"width": 1920, "height": 1080}, {"width": 3840, "height": 2160}
SCREENS = (
    (PHONE, "light"), (TABLET, "dark"), (LYING_TABLET, "light"), (TELEVISION, "light"),
    (LARGEST, "dark"), (PHONE, "dark"),
)  # fmt: skip
MOST_UNLIKE = ((TELEVISION, "light"), (PHONE, "dark"))
BARRIERS = {"resultTypes": ["violations"]}  # axe need not describe whatever is right
EVERY_RULE = {**BARRIERS, "rules": {"target-size": {"enabled": True}}}  # it leaves that one out
DRAWN_RULES = ("color-contrast", "scrollable-region-focusable", "target-size")  # differ by screen
ONLY_DRAWN = {**BARRIERS, "runOnly": {"type": "rule", "values": DRAWN_RULES}}
AXE = """async options => (await axe.run(document, options)).violations
  .map(({ id, nodes }) => [id, nodes.slice(0, 3).map((node) => node.target)])"""
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
    found += [(rule, width, where) for rule, where in page.evaluate(AXE, rules)]
    return found


# Chromium starts processes for every new context and page, which cost more than most tests do. So
# pages are kept, each in a context of its own, and given out as good as new, one at a time.
_KEPT: dict[tuple[Any, ...], list[Any]] = {}
PATIENT_MS = 30_000  # a machine that does much else takes its time
AGAIN = 4  # so often somebody tries to leave a page
WAITING_ROOM = "/healthz"  # a small page of the same site: its process goes on


def open_page(
    chromium: Any,
    *,
    viewport: Any = PHONE,
    begins_with: str = "",
    **settings: Any,
) -> Any:
    """A page in a context that nobody else uses meanwhile, and that has nothing of others in it.

    begins_with  a script that runs before those of every page that is opened there.
    Whoever is done with it gives it back with `leave_page`.
    """
    settings = {"reduced_motion": "reduce", **settings}
    kept = _KEPT.setdefault((chromium, *sorted(settings.items())), [])
    page = kept.pop() if kept else chromium.new_context(viewport=PHONE, **settings).new_page()
    page.kept_among, page.motion, page.heard = kept, settings["reduced_motion"], []
    page.context.set_default_timeout(PATIENT_MS)
    if page.viewport_size != viewport:
        page.set_viewport_size(viewport)
    page.beginning = page.add_init_script(begins_with) if begins_with else None
    return page


def hear(page: Any, kind: str, told: Any) -> None:
    """Listen to what happens on a page until it is given back."""
    page.on(kind, told)
    page.heard.append((kind, told))


def goes_away(page: Any, to: str) -> None:
    """Leave for another page, also where this one is just about to load itself anew."""
    for _ in range(AGAIN):
        with contextlib.suppress(Error):  # one of the two ways breaks the other off
            page.goto(to, timeout=60_000)
        if page.url == to:
            return
    page.goto(to, timeout=60_000)


def leave_page(page: Any, url: str) -> None:
    """Give a page back: no other pages beside it, and nothing kept of what this address knows."""
    for kind, told in page.heard:
        page.remove_listener(kind, told)
    for other in page.context.pages:
        if other is not page:
            other.close()
    if page.beginning is not None:
        page.beginning.close()
    goes_away(page, url + WAITING_ROOM)
    page.emulate_media(color_scheme="light", reduced_motion=page.motion, forced_colors="none")
    page.context.clear_cookies()
    developer = page.context.new_cdp_session(page)
    developer.send("Storage.clearDataForOrigin", {"origin": url, "storageTypes": "all"})
    developer.detach()
    page.kept_among.append(page)


class Browsing:
    """One page, and what its browser complained of; that a request was refused is no complaint."""

    def __init__(self, chromium: Any, url: str, **settings: Any) -> None:
        self.page = open_page(chromium, **settings)
        self.complaints: list[str] = []
        hear(self.page, "console", lambda message: self._hear(message.type, message.text))
        hear(self.page, "pageerror", lambda error: self.complaints.append(str(error)))
        self.url = url

    def _hear(self, kind: str, text: str) -> None:
        refused = "the server responded with a status of 4" in text
        if kind in ("error", "warning") and not refused:
            self.complaints.append(text)

    def begins_with(self, script: str) -> None:
        """Let this run before the scripts of every page that is opened from now on."""
        self.page.beginning = self.page.add_init_script(script)

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
        leave_page(self.page, self.url)
