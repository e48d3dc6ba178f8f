import threading
import time
from collections.abc import Callable, Iterator

import pytest
from alert_desk import SHIPPED, step

from companion.clock import RealClock
from companion.errors import ConfigError
from hardware import wled as wled_module
from hardware.alerts import Alerts
from hardware.flashes import FLASHES, WINDOW_S, Levels
from hardware.lamps import Lamps
from hardware.pins import choose_pins
from hardware.simulated_wled import SimulatedWled
from hardware.wled import Wled, checked_url, told

DARK, BLUE, WHITE = (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (1.0, 1.0, 1.0)


def soon(fits: Callable[[], bool], limit_s: float = 10.0) -> bool:
    until_s = time.monotonic() + limit_s
    pause = threading.Event()
    while not fits():
        if time.monotonic() > until_s:
            return False
        pause.wait(0.005)
    return True


class Heard:
    """What the strip said about itself."""

    def __init__(self) -> None:
        self.landed: list[int] = []
        self.gone = self.back = 0

    def begin(self, strip: Wled) -> None:
        strip.begin(lambda number, at_s: self.landed.append(number), self._gone, self._back)

    def _gone(self, at_s: float) -> None:
        self.gone += 1

    def _back(self) -> None:
        self.back += 1


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wled_module, "ASK_S", 0.05)
    monkeypatch.setattr(wled_module, "AGAIN_S", (0.02,))


@pytest.fixture
def controller(quick: None) -> Iterator[SimulatedWled]:
    with SimulatedWled() as controller:
        yield controller


@pytest.fixture
def strip(controller: SimulatedWled) -> Iterator[Wled]:
    strip = Wled(controller.url, RealClock(), answer_s=0.3)
    yield strip
    strip.close()


def test_strip_shows_what_it_is_told_and_says_when_it_has_landed(
    controller: SimulatedWled, strip: Wled
) -> None:
    heard = Heard()
    heard.begin(strip)
    assert soon(lambda: heard.back == 1)
    strip.shine((1.0, 0.4, 0.2), 7)
    assert soon(lambda: heard.landed == [7])
    assert controller.levels == pytest.approx((1.0, 0.4, 0.2), abs=0.003)
    assert (strip.state, strip.name) == ("connected", "Simulated strip")


def test_strip_goes_dark_when_it_is_closed(controller: SimulatedWled, strip: Wled) -> None:
    heard = Heard()
    heard.begin(strip)
    assert soon(lambda: heard.back == 1)
    strip.shine(WHITE, 1)
    assert soon(lambda: controller.levels == WHITE)
    strip.close()
    strip.close()
    assert controller.levels == DARK


def test_slow_strip_is_told_the_newest_wish_and_nobody_waits(
    controller: SimulatedWled, strip: Wled
) -> None:
    heard = Heard()
    heard.begin(strip)
    assert soon(lambda: heard.back == 1)
    controller.stall_s = 0.15
    asked = controller.requests
    begun_s = time.monotonic()
    for number in range(1, 200):
        strip.shine((0.0, 0.0, number / 199), number)
    assert time.monotonic() - begun_s < 0.15
    assert soon(lambda: 199 in heard.landed)
    assert controller.levels == BLUE
    assert controller.requests - asked <= 5


def test_strip_that_vanishes_is_gone_and_comes_back_dark(
    controller: SimulatedWled, strip: Wled
) -> None:
    heard = Heard()
    heard.begin(strip)
    assert soon(lambda: heard.back == 1)
    strip.shine(WHITE, 1)
    assert soon(lambda: controller.levels == WHITE)
    controller.pull_out()
    assert soon(lambda: heard.gone == 1)
    assert strip.state == "lost"
    assert "no answer from http://127.0.0.1" in strip.why
    controller.plug_in()
    assert soon(lambda: heard.back == 2)
    assert controller.levels == DARK
    strip.shine(BLUE, 2)
    assert soon(lambda: controller.levels == BLUE)


@pytest.mark.parametrize("fault", ["status", "stall", "other"])
def test_strip_that_answers_wrongly_is_gone_until_it_answers_well(
    controller: SimulatedWled, strip: Wled, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = Heard()
    heard.begin(strip)
    assert soon(lambda: heard.back == 1)
    with monkeypatch.context() as broken:
        if fault == "status":
            broken.setattr(controller, "status", 503)
        elif fault == "stall":
            broken.setattr(controller, "stall_s", 0.8)
        else:
            broken.setattr(controller, "answer", lambda path, said: (200, ["no strip"]))
        assert soon(lambda: heard.gone == 1)
    assert soon(lambda: heard.back == 2)
    assert strip.state == "connected"


def test_strip_that_was_never_there_is_looked_for_and_closed(quick: None) -> None:
    with SimulatedWled() as controller:
        url = controller.url
    heard, strip = Heard(), Wled(url, RealClock(), answer_s=0.2)
    heard.begin(strip)
    assert soon(lambda: strip.failed >= 3)
    assert (heard.back, heard.gone, strip.state) == (0, 0, "lost")
    strip.close()
    assert soon(lambda: not strip._thread.is_alive())


def test_light_ends_by_itself_when_nobody_says_anything_any_more() -> None:
    now_s = [0.0]
    with SimulatedWled(lambda: now_s[0]) as controller:
        controller.answer("/json/state", told(WHITE))
        now_s[0] = 59.0
        assert controller.levels == WHITE
        now_s[0] = 61.0
        assert controller.levels == DARK
        controller.answer("/json/state", told(WHITE))
        controller.answer("/json/state", told(DARK))
        assert controller.levels == DARK


def test_colour_says_all_and_brightness_stays() -> None:
    assert told((0.5, 0.25, 0.0))["seg"][0]["col"] == [[128, 64, 0]]
    assert told((0.001, 0.0, 0.0))["on"] is False


@pytest.mark.parametrize(
    ("url", "whole"),
    [
        ("192.168.1.40", "http://192.168.1.40"),
        ("http://wled.local/", "http://wled.local"),
        ("wled:8080", "http://wled:8080"),
        ("http://[fd00::7]:80", "http://[fd00::7]:80"),
    ],
)
def test_address_of_a_strip_may_be_written_in_several_ways(url: str, whole: str) -> None:
    assert checked_url(url) == whole


@pytest.mark.parametrize(
    "url", ["", "https://wled", "ftp://wled", "http://wled/json", "wled:port", "http://wled?a=1"]
)
def test_what_is_no_address_of_a_strip_is_an_error(url: str) -> None:
    with pytest.raises(ConfigError, match=r"\[alerts\] wled: expected an address such as"):
        checked_url(url)


def test_missing_library_is_an_error_that_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "urllib3", None)
    with pytest.raises(ConfigError, match=r"pip install 'table-companion\[wled\]'"):
        Wled("wled", RealClock())


def flashes(shown: list[tuple[float, Levels]]) -> list[float]:
    return [
        at_s
        for (_, before), (at_s, after) in zip(shown, shown[1:], strict=False)
        if any(new >= old + 0.1 for old, new in zip(before, after, strict=True))
    ]


def test_alerts_reach_the_strip_and_live_on_without_it(
    controller: SimulatedWled, strip: Wled
) -> None:
    with Alerts(Lamps(choose_pins(real=False), strip=strip), SHIPPED, RealClock()) as alerts:
        assert soon(lambda: strip.state == "connected")
        alerts.show(step(("dragon_awake", "bad")))
        assert soon(lambda: controller.levels[0] > 0.5)
        controller.pull_out()
        begun_s = time.monotonic()
        for _ in range(20):
            alerts.show(step(("troll", "bad")))
        assert time.monotonic() - begun_s < 1.0
        assert soon(lambda: strip.state == "lost")
        assert next(lamp for lamp in alerts.lamps() if lamp["name"] == "table")["level"] > 0
        controller.plug_in()
        assert soon(lambda: strip.state == "connected")
        alerts.show(step(("troll", "bad")))
        assert soon(lambda: controller.levels[0] > 0.3)
        assert alerts.failures == 0
    assert controller.levels == DARK


def test_strip_flashes_no_more_than_three_times_a_second_on_a_real_network(
    controller: SimulatedWled, strip: Wled
) -> None:
    with Alerts(Lamps(choose_pins(real=False), strip=strip), SHIPPED, RealClock()) as alerts:
        assert soon(lambda: strip.state == "connected")
        for turn in range(24):
            alerts.show(step(("troll" if turn % 2 else "key_door", "bad")))
            assert not soon(lambda: False, limit_s=0.05)
    moments = flashes(controller.shown)
    assert moments
    for at_s in moments:
        assert sum(at_s <= other <= at_s + WINDOW_S for other in moments) <= FLASHES
