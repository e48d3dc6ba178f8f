"""How soon the big screen shows the table: a headless Chromium opens it, where there is one."""

import statistics
from pathlib import Path
from typing import Any

CHROMIUM = Path("/usr/bin/chromium")
SCREEN: Any = {"width": 1920, "height": 1080}
OPENED = 3  # times, each in a fresh profile
ASK = """() => new Promise((tell) => new PerformanceObserver((list) => {
  const paint = list.getEntriesByName("first-contentful-paint")[0];
  if (paint) tell([paint.startTime, performance.getEntriesByType("resource")
    .concat(performance.getEntriesByType("navigation"))
    .reduce((sum, one) => sum + one.encodedBodySize, 0)]);
}).observe({ type: "paint", buffered: true }))"""


def first_paint(url: str) -> dict[str, Any]:
    """Median first contentful paint of the big screen, and what it had loaded by then.

    Empty where Playwright or Debian's Chromium is missing.
    """
    if not CHROMIUM.exists():
        return {}
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu"]
        )
        seen = [opened(browser, url) for _ in range(OPENED)]
        browser.close()
    paints, sizes = zip(*seen, strict=True)
    return {
        "first_paint_median_ms": round(statistics.median(paints), 1),
        "first_paint_most_ms": round(max(paints), 1),
        "loaded_kb": round(max(sizes) / 1000, 1),
    }


def opened(browser: Any, url: str) -> tuple[float, float]:
    """First contentful paint in ms and bytes loaded, in a browser that has seen nothing yet."""
    context = browser.new_context(viewport=SCREEN)
    page = context.new_page()
    page.goto(url)
    paint_ms, size = page.evaluate(ASK)
    context.close()
    return float(paint_ms), float(size)
