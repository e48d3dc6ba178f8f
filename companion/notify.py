"""Telling systemd how the service fares: ready, alive, stopping (`man sd_notify`).

The protocol is a line or more in a datagram to the socket that `NOTIFY_SOCKET` names. Where there
is none, as when people start the companion by hand, nothing is told.
"""

import contextlib
import logging
import os
import socket
import threading
from collections.abc import Callable, Iterator, Mapping

from companion.errors import CompanionError

LOG = logging.getLogger(__name__)
BEATS = 3  # in the time after which systemd gives a silent service up
ANSWER_S = 1.0  # how long the deciding thread may take to show that it is alive


def notify(*lines: str, env: Mapping[str, str] = os.environ) -> bool:
    """Tell systemd something, such as `READY=1`; False if nobody listens."""
    address = env.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    if address.startswith("@"):  # a name in Linux's own space, without a file
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
            out.sendto("\n".join(lines).encode(), address)
    except OSError as error:
        LOG.warning("systemd does not hear %s: %s", ", ".join(lines), error)
        return False
    return True


def beat_s(env: Mapping[str, str] = os.environ) -> float | None:
    """Seconds between two signs of life, or None if nobody waits for them."""
    given, pid = env.get("WATCHDOG_USEC", ""), env.get("WATCHDOG_PID", "")
    if not given.isdigit() or int(given) == 0 or pid not in ("", str(os.getpid())):
        return None
    return int(given) / 1e6 / BEATS


@contextlib.contextmanager
def signs_of_life(
    call: Callable[..., object], status: str, env: Mapping[str, str] = os.environ
) -> Iterator[None]:
    """While this lasts, systemd knows that the table is ready, and alive.

    call  runs a function in the deciding thread; a thread that does not answer gives no sign, so a
          companion that hangs is started again.
    """
    notify("READY=1", f"STATUS={status}", env=env)
    every_s = beat_s(env)
    if every_s is None:
        yield
        return
    over = threading.Event()

    def beat() -> None:
        while not over.wait(every_s):
            if answers(call):
                notify("WATCHDOG=1", env=env)

    thread = threading.Thread(target=beat, name="signs of life", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(2 * ANSWER_S)


def answers(call: Callable[..., object]) -> bool:
    """True if the deciding thread does what it is asked to."""
    try:
        call(lambda: None, timeout_s=ANSWER_S)
    except CompanionError:
        LOG.warning("the deciding thread does not answer")
        return False
    return True
