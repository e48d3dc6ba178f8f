"""A strip of LEDs that a WLED controller drives, through its JSON interface on the local network.

    strip = Wled("http://192.168.1.40", clock)
    lamps = Lamps(choice, strip=strip)

Wiring: none here; the controller (an ESP32 or ESP8266 with WLED 0.14 or newer) has its own power,
and is on the same network. What is said to it: `POST /json/state`, and now and then
`GET /json/info` to see whether it is there. Source: https://kno.wled.ge/interfaces/json-api/

Theory of operation. `shine` only notes what is wanted; one thread says it to the strip, the newest
wish alone if the strip is slow. So nobody ever waits for the network. When each change has landed
is told to the lamps, whose guard against flashing has to know. A strip that does not answer is
*gone*: nothing is said to it but a question from time to time; when it answers again it is switched
dark first, for nobody knows what it shows, and then is *back*. Every light that it is told carries
its own end (WLED's night light, after one minute), so that it does not shine for ever if this
machine dies.

urllib3 does the talking: it keeps the connection, knows time limits, and needs nothing else.
"""

import importlib
import json
import logging
import threading
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from companion.clock import Clock
from companion.errors import ConfigError, DeviceError
from companion.words import Words, fact, mark, say, word_of
from hardware.flashes import Levels

LOG = logging.getLogger(__name__)
ANSWER_S = 0.5  # a controller in the same house answers within 0.05
LATE_S = 1.0  # what was sent and not answered may still have an effect for so long
ASK_S = 5.0  # so often it is asked whether it is there while nothing changes
AGAIN_S = (0.5, 1.0, 2.0, 5.0)  # between two tries to find it
CLOSE_S = 2.0
DARK: Levels = (0.0, 0.0, 0.0)


class Wled:
    """A strip on the network; `state` is `lost` or `connected`, and `why` says what is wrong.

    url    of the controller; a bare name or address will do.
    clock  the one of the lamps.
    """

    def __init__(self, url: str, clock: Clock, *, answer_s: float = ANSWER_S) -> None:
        self.url = checked_url(url)
        self.state, self.why, self.name = "lost", mark("not asked yet"), mark("LED strip")
        self.sent = self.failed = 0  # requests
        self._clock = clock
        self._http = pool(answer_s)
        self._changed = threading.Condition()
        self._wanted: tuple[Levels, int] | None = None
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="wled", daemon=True)

    def begin(
        self,
        landed: Callable[[int, float], None],
        gone: Callable[[float], None],
        back: Callable[[], None],
    ) -> None:
        """Look for the strip, and say from then on what becomes of it."""
        self._landed, self._gone, self._back = landed, gone, back
        self._thread.start()

    def shine(self, levels: Levels, number: int) -> None:
        """Show these levels of red, green and blue soon; returns at once."""
        with self._changed:
            self._wanted = levels, number
            self._changed.notify_all()

    def close(self) -> None:
        """Go dark; waits for it, but not for ever. May be called again."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(CLOSE_S)

    def _run(self) -> None:
        tries = 0
        while not self._is_closed:
            if self.state == "lost":
                if not self._find():
                    self._pause(AGAIN_S[min(tries, len(AGAIN_S) - 1)])
                    tries += 1
                    continue
                tries = 0
            self._serve()
        if self.state == "connected":
            self._post(DARK)
        self._http.clear()

    def _find(self) -> bool:
        """Ask whether it is there; if so it is dark, and back."""
        info = self._get_info()
        if info is None or not self._post(DARK):
            return False
        self.name = fact(info["name"]) if info.get("name") else mark("LED strip")
        self.state, self.why, self._wanted = "connected", "", None
        LOG.info("the strip %s is there: %s", self.url, self.name)
        self._back()
        return True

    def _serve(self) -> None:
        """Say to it what is wanted, or after a while ask whether it is still there."""
        wanted = self._next()
        if self._is_closed:
            return
        fine = self._get_info() is not None if wanted is None else self._post(wanted[0])
        now_s = self._clock.now_s()
        if not fine:
            self.state = "lost"
            LOG.warning("the strip %s is gone: %s", self.url, self.why)
            self._gone(now_s + LATE_S)
        elif wanted is not None:
            self._landed(wanted[1], now_s)

    def _next(self) -> tuple[Levels, int] | None:
        """The newest wish; None if there was none for a while."""
        with self._changed:
            if self._wanted is None and not self._is_closed:
                self._changed.wait(ASK_S)
            wanted, self._wanted = self._wanted, None
            return wanted

    def _pause(self, for_s: float) -> None:
        with self._changed:
            if not self._is_closed:
                self._changed.wait(for_s)

    def _get_info(self) -> dict[str, Any] | None:
        answer = self._ask("GET", "/json/info", None)
        return answer if isinstance(answer, dict) and "ver" in answer else None

    def _post(self, levels: Levels) -> bool:
        return self._ask("POST", "/json/state", told(levels)) is not None

    def _ask(self, method: str, path: str, body: dict[str, Any] | None) -> Any:
        """The answer, decoded; None if there was none that makes sense, and `why`."""
        self.sent += 1
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        try:
            reply = self._http.request(method, self.url + path, body=data, headers=headers)
            if reply.status != 200:
                raise DeviceError(
                    say("expected 200 from {path}, got {status}", path=path, status=reply.status)
                )
            return json.loads(reply.data)
        except Exception as error:  # of urllib3, sockets and JSON: whatever it is, it is gone
            self.failed += 1
            LOG.debug("the strip %s: %s", self.url, error)
            self.why = say("no answer from {url}: {why}", url=self.url, why=unanswered(error))
            return None


def unanswered(error: Exception) -> Words:
    """Why there is no answer of use, in words for people."""
    if isinstance(error, DeviceError):
        return word_of(str(error))
    if isinstance(error, ValueError):  # of JSON
        return say("it answers nonsense")
    if "Timeout" in type(error).__name__:
        return say("it takes too long")
    return say("it cannot be reached")


def told(levels: Levels) -> dict[str, Any]:
    """What WLED is told to show these levels, from 0 to 1: at once, one colour, for a minute."""
    colour = [round(255 * level) for level in levels]
    if not any(colour):
        return {"on": False, "tt": 0, "nl": {"on": False}}
    return {
        "on": True,
        "bri": 255,
        "tt": 0,
        "nl": {"on": True, "dur": 1, "mode": 0, "tbri": 0},
        "seg": [{"id": 0, "on": True, "bri": 255, "fx": 0, "col": [colour]}],
    }


def checked_url(url: str) -> str:
    """The address of a controller as `http://host[:port]`; ConfigError for anything else."""
    whole = url if "://" in url else f"http://{url}"
    wrong = ConfigError(
        say(
            '[alerts] wled: expected an address such as "192.168.1.40" or "http://wled.local", '
            "got {url!r}",
            url=url,
        )
    )
    try:
        parts = urlsplit(whole)
        port = "" if parts.port is None else f":{parts.port}"
    except ValueError:
        raise wrong from None
    if parts.scheme != "http" or not parts.hostname or parts.path.strip("/") or parts.query:
        raise wrong
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"http://{host}{port}"


def pool(answer_s: float) -> Any:
    """One connection that is kept; ConfigError where urllib3 is not installed."""
    try:
        urllib3 = importlib.import_module("urllib3")
    except ImportError as error:
        raise ConfigError(
            mark(
                "[alerts] wled: expected the extra that talks to WLED; "
                "pip install 'table-companion[wled]'"
            )
        ) from error
    limit = urllib3.Timeout(total=answer_s)
    return urllib3.PoolManager(num_pools=1, maxsize=1, retries=False, timeout=limit)
