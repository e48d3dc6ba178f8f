"""The thread that carries bytes between a serial port and its link, and finds the port again.

A receiver that is unplugged, reset or not there yet is an everyday thing: the thread tries again
with growing pauses, for ever, and says meanwhile what is wrong. Nothing else ever waits for it.
Where several ports may be the receiver's, one that does not greet is left for the next.
"""

import contextlib
import logging
import termios
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

import serial

from companion.clock import Clock
from companion.field_words import reason
from companion.words import say
from hardware.dice_commands import Asked
from hardware.dice_health import Health
from hardware.dice_link import DiceLink
from hardware.dice_messages import Message
from hardware.ports import check_setting, ports_for, what_was_looked_for

LOG = logging.getLogger(__name__)
READ_S = 0.1  # how long a read waits; it returns at once when bytes come
WRITE_S = 0.2  # a receiver that reads nothing must not hold us up
BACK_OFF_S = (0.05, 2.0)  # first and longest pause between two tries
CLOSE_S = 2.0
GREET_S = 4.0  # a board that resets when its port is opened needs two to start

# termios.error is no OSError; it comes when a port vanishes while its settings are being made.
_GONE = (serial.SerialException, OSError, termios.error)


class SerialPort:
    """One serial port, open to us alone, that comes back by itself.

    setting      path (`/dev/serial/by-id/...`), `auto`, `usb:303a:1001` or a pyserial URL
                 (`loop://`, `socket://host:port`); see `hardware.ports`.
    link         who understands the bytes; from `start` to `close` only this object uses it.
    on_messages  called in this thread with what the link told; what it raises is logged.
    clock        gives the moment at which bytes arrived.
    find         where the receiver may be now, by the setting; looked up anew at every try.
    Raises ConfigError if the setting can never name a port.
    """

    def __init__(
        self,
        setting: str,
        link: DiceLink,
        on_messages: Callable[[list[Message]], None],
        clock: Clock,
        *,
        baud: int = 115200,
        back_off_s: tuple[float, float] = BACK_OFF_S,
        greet_s: float = GREET_S,
        find: Callable[[str], list[str]] = ports_for,
    ) -> None:
        check_setting(setting)
        self.setting = self.url = setting
        self.link = link
        self.baud = baud
        self._on_messages = on_messages
        self._clock = clock
        self._back_off_s = back_off_s
        self._greet_s = greet_s
        self._find = find
        self._talking = threading.Lock()  # whoever uses the link
        self._is_quick = False
        self._changed = threading.Condition()
        self._state, self._why = "closed", ""
        self._bytes_received = self._bytes_sent = 0
        self._closing = threading.Event()
        self._port: Any = None
        self._thread: threading.Thread | None = None

    def start(self) -> Self:
        """Begin to look for the port, in a thread; returns at once."""
        if self._thread is None:
            self._closing.clear()
            self._become("connecting", "")
            self._thread = threading.Thread(target=self._run, name=f"serial {self.setting}")
            self._thread.daemon = True
            self._thread.start()
        return self

    def close(self) -> None:
        """End the thread and close the port; may be called again, and from any thread."""
        self._closing.set()
        port, thread = self._port, self._thread
        if port is not None and hasattr(port, "cancel_read"):
            try:
                port.cancel_read()
            except _GONE + (TypeError,):
                LOG.debug("port %s went while it was being closed", self.url)
        if thread is not None and thread is not threading.current_thread():
            thread.join(CLOSE_S)
            self._thread = None
        self._become("closed", "")

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def state(self) -> str:
        """`connecting` (never open yet), `connected`, `lost` (looking for it) or `closed`."""
        return self._state

    @property
    def why(self) -> str:
        """What is wrong while it is not connected, in words for people."""
        return self._why

    @property
    def bytes_received(self) -> int:
        """Bytes of this connection that have been worked off: their messages have been handed on.

        What the link had to say to them has been written before this number rises.
        """
        return self._bytes_received

    @property
    def bytes_sent(self) -> int:
        """Bytes that were written on this connection."""
        return self._bytes_sent

    def wait_until(self, fits: Callable[["SerialPort"], bool], limit_s: float = 5.0) -> bool:
        """Wait until something is so, looking after each change; False if it never was.

        `limit_s` is in real seconds, whatever the clock of the game does.
        """
        with self._changed:
            return self._changed.wait_for(lambda: fits(self), limit_s)

    def ask(self, kind: str, die: str, *words: object) -> Asked:
        """Ask a die for something; see `DiceLink.ask`. May be called from any thread."""
        with self._talking:
            return self.link.ask(kind, die, *words)

    def pass_time(self) -> None:
        """Let the link do now what is due by its clock, though no byte came; from any thread."""
        port = self._port
        if port is not None and self._state == "connected":
            with contextlib.suppress(*_GONE, TypeError):  # the thread notices by itself, and tells
                self._work_off(port, b"")

    def health(self) -> Health:
        """How receiver and dice fare; may be called from any thread."""
        with self._talking:
            return self.link.health(self.url, self._state, self._why, is_quick=self._is_quick)

    # The thread

    def _run(self) -> None:
        pause_s = self._back_off_s[0]
        while not self._closing.is_set():
            if self._try_all():
                pause_s = self._back_off_s[0]
            self._closing.wait(pause_s)
            pause_s = min(2 * pause_s, self._back_off_s[1])

    def _try_all(self) -> bool:
        """Try every port that may be the receiver's; True if one of them was."""
        urls = self._find(self.setting)
        if not urls:
            self._become(self._not_there(), what_was_looked_for(self.setting))
        greeted = False
        for url in urls:
            self.url = url
            port = None if self._closing.is_set() else self._open()
            if port is not None:
                greeted |= self._talk(port, is_meant=url == self.setting)
        return greeted

    def _open(self) -> Any:
        try:
            port = serial.serial_for_url(
                self.url,
                baudrate=self.baud,
                timeout=READ_S,
                write_timeout=WRITE_S,
                exclusive=True,
            )
        except _GONE as error:
            self._become(
                self._not_there(),
                say("{url} cannot be opened ({why})", url=self.url, why=reason(error)),
            )
            return None
        self._is_quick = _quicken(port)
        return port

    def _talk(self, port: Any, *, is_meant: bool) -> bool:
        """Talk until the port is gone, or is found to be no receiver's; True if it greeted."""
        self._port = port
        until_s = time.monotonic() + self._greet_s
        try:
            self._begin(port)
            while not self._closing.is_set():
                self._work_off(port, port.read(max(1, port.in_waiting)))
                if not is_meant and not self.link.greeting and time.monotonic() > until_s:
                    self._become(
                        self._not_there(), say("{url} does not greet as a receiver", url=self.url)
                    )
                    return False
        except _GONE as error:
            self._become(
                "lost",
                say(
                    "{url} is gone ({why}); plug the receiver in again",
                    url=self.url,
                    why=reason(error),
                ),
            )
        finally:
            self._port = None
            port.close()
        return self.link.greeting is not None

    def _begin(self, port: Any) -> None:
        with self._talking:
            self.link.connection_made(self._clock.now_s())
            self._bytes_received = self._bytes_sent = 0
            self._write(port)
        self._become("connected", "")

    def _work_off(self, port: Any, data: bytes) -> None:
        with self._talking:
            messages = self.link.receive_data(data, self._clock.now_s())
            self._write(port)
        if messages:
            self._hand_on(messages)
        if data:
            with self._changed:
                self._bytes_received += len(data)
                self._changed.notify_all()

    def _hand_on(self, messages: list[Message]) -> None:
        try:
            self._on_messages(messages)
        except Exception:
            LOG.exception("what %s told could not be handed on", self.url)

    def _write(self, port: Any) -> None:
        data = self.link.data_to_send()
        if not data:
            return
        try:
            port.write(data)
            self._bytes_sent += len(data)
        except serial.SerialTimeoutException:
            LOG.debug("%s takes no bytes; %d dropped, the link will ask again", self.url, len(data))

    def _not_there(self) -> str:
        return "connecting" if self._state == "connecting" else "lost"

    def _become(self, state: str, why: str) -> None:
        with self._changed:
            if state == "lost" and self._state != "lost":
                LOG.warning("%s", why)
            self._state, self._why = state, why
            self._changed.notify_all()


def _quicken(port: Any) -> bool:
    """Ask the driver to hand on bytes at once; some of them collect bytes for 16 ms otherwise."""
    try:
        port.set_low_latency_mode(True)
    except (AttributeError, NotImplementedError, ValueError, *_GONE):
        return False  # no such mode: USB of the chip itself, sockets, pseudo-terminals
    return True
