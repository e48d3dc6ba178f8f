"""How others find the table: a name on the network, and a code for cameras of phones.

The name is told by multicast DNS (`companion.local`), which needs no server; where it fails, as in
networks that keep guests apart, the plain address in the code does without it.
"""

import contextlib
import io
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import segno
from rich.console import Console

LOG = logging.getLogger(__name__)
KIND = "_http._tcp.local."
CLOSE_S = 5.0
WHITE_ON_BLACK, USUAL = "\033[97;40m", "\033[0m"


class Registrar(Protocol):
    """Whoever tells the network a name."""

    def tell(self, name: str, address: str, port: int) -> None:
        """Tell that the name belongs to this address; may take some seconds."""
        ...

    def close(self) -> None:
        """Take the name back."""
        ...


class Multicast:
    """Tells a name by multicast DNS, through zeroconf."""

    def __init__(self, address: str) -> None:
        import zeroconf

        self._library: Any = zeroconf
        self._told = zeroconf.Zeroconf([address], ip_version=zeroconf.IPVersion.V4Only)

    def tell(self, name: str, address: str, port: int) -> None:
        """Tell `NAME.local`, and that a web page is there; another table's name gets a number."""
        info = self._library.ServiceInfo(
            KIND,
            f"{name}.{KIND}",
            addresses=[socket.inet_aton(address)],
            port=port,
            server=f"{name}.local.",
            properties={"path": "/"},
        )
        self._told.register_service(info, allow_name_change=True)

    def close(self) -> None:
        """Take all names back."""
        self._told.close()


@contextlib.contextmanager
def announced(
    name: str,
    address: str,
    port: int,
    registrar: Callable[[str], Registrar] = Multicast,
) -> Iterator[None]:
    """While this lasts, the network knows NAME.local; what goes wrong is logged and no more."""
    if not name:
        yield
        return
    opened: list[Registrar] = []
    closing = threading.Event()

    def tell() -> None:
        try:
            opened.append(registrar(address))
            opened[0].tell(name, address, port)
        except Exception as error:  # zeroconf's errors share no root with anybody's
            if not closing.is_set():
                LOG.warning("%s.local cannot be told (%s); the address works", name, error)

    thread = threading.Thread(target=tell, name="announce", daemon=True)
    thread.start()
    try:
        yield
    finally:
        closing.set()
        with contextlib.suppress(Exception):
            for one in opened:
                one.close()
        thread.join(CLOSE_S)


def code_for(link: str) -> str:
    """A QR code of a link, drawn with letters: white blocks on black in any terminal."""
    drawn = io.StringIO()
    segno.make(link, error="l", micro=False).terminal(drawn, border=2, compact=True)
    return "".join(f"{WHITE_ON_BLACK}{row}{USUAL}\n" for row in drawn.getvalue().splitlines())


def show_code(link: str, console: Console) -> None:
    """Show the code of a link where a person looks at it; a log needs none."""
    if console.is_terminal:
        console.file.write(code_for(link))
        console.file.flush()
