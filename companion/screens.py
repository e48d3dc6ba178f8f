"""The dashboard of one table: its keys, figures, webhooks and pictures, and what the console says.

A table that listens on loopback only is open to whoever sits at this machine. Everywhere else the
console shows the link for the big screen and the PIN of the referee; nobody else is told them.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console

from camera.uploads import clean_picture
from companion.announce import announced, show_code
from companion.config import default_journal
from companion.errors import ConfigError
from companion.house_desk import HouseDesk
from web.access import Access
from web.dashboard import create_app
from web.doctor import show_doctor
from web.keys import Keys
from web.metrics import Figures
from web.pairing import house_address, is_loopback
from web.serve import WebServer
from web.setup_benches import Benches, show_benches
from web.webhooks import Webhooks

EVERYWHERE = "0.0.0.0"


def address_of(host: str | None, configured: str, *, lan: bool) -> str:
    """Where to listen: loopback, unless the command line or companion.toml says otherwise.

    Raises ConfigError for an address beyond this machine that comes without `--lan`.
    """
    if host is None:
        return EVERYWHERE if lan and is_loopback(configured) else configured
    if not lan and not is_loopback(host):
        raise ConfigError(f"--host {host}: other machines can reach that; say --lan as well")
    return host


@contextlib.contextmanager
def open_screens(
    desk: HouseDesk,
    address: tuple[str, int],
    console: Console,
    *,
    journal: Path | None,
    simulated: bool,
    hosts: tuple[str, ...] = (),
    proxies: int = 0,
    announce: str = "",
    config: Path | None = None,
    benches: Benches | None = None,
) -> Iterator[WebServer]:
    """Serve the dashboard; secrets and webhooks lie beside the journal.

    config  settings file that the doctor's page is about; None for the usual one.
    """
    host, port = address
    folder = None if journal is None else journal.parent
    lan = not is_loopback(host)
    access = Access(Keys(beside(journal, "keys")), lan=lan)
    figures = desk.meter if isinstance(desk.meter, Figures) else Figures()
    rolls = None if desk.evidence is None else desk.evidence.rolls
    hooks = Webhooks(desk.feed, beside(journal, "webhooks"))
    app = create_app(
        desk,
        simulated=simulated,
        access=access,
        hosts=hosts,
        proxies=proxies,
        figures=figures,
        hooks=hooks,
        evidence=None if desk.evidence is None else desk.evidence.folder,
        rolls=None if rolls is None else rolls.folder,
        pictures=None if folder is None else (folder / "pictures", clean_picture),
    )
    if benches is not None:
        show_benches(app, benches, access)
    show_doctor(app, lambda: examined(journal, config))
    name = announce if lan else ""
    with contextlib.closing(hooks), WebServer(app, host, port) as server:
        say_where(server, access, console, name)
        with announced(name, house_address(), port_of(server)):
            yield server


def examined(journal: Path | None, config: Path | None) -> dict[str, list[dict[str, Any]]]:
    """What the doctor finds while a game is in play: the camera is left alone."""
    from companion import doctor

    return doctor.page(doctor.machine_with(journal or default_journal(), config, eyes=False))


def port_of(server: WebServer) -> int:
    """The port on which a dashboard is served."""
    return int(server.url.rsplit(":", 1)[1])


def beside(journal: Path | None, what: str) -> Path | None:
    """A file that belongs to a journal."""
    return None if journal is None else journal.with_name(f"{journal.stem}.{what}.json")


def say_where(server: WebServer, access: Access, console: Console, name: str = "") -> None:
    """Say on the console how to get in, and to nobody else."""
    console.print(f"Dashboard: [bold]{server.url}[/bold]   (Ctrl-C ends)", soft_wrap=True)
    if not access.lan:
        return
    port = port_of(server)
    link = f"/join/{access.keys.link}"
    others = f"http://{house_address()}:{port}{link}"
    say = [
        f"Big screen here:   {server.url}{link}",
        f"Others in the house: {others}",
        f"PIN of the referee: {access.keys.pin}   (codes for the seats: /pairing)",
    ]
    if name:
        say.insert(2, f"By name:           http://{name}.local:{port}{link}")
    for line in say:
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    show_code(others, console)
