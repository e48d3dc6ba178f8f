"""The machine that is examined, as the checks meet it: everything they look at comes from here.

`Machine.here` is this machine. Tests make others: a folder stands for `/`, answers for commands.
"""

import functools
import grp
import importlib
import os
import platform
import socket
import struct
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.config import Config
from companion.doctor.listening import Heard, listen_to_dice
from companion.doctor.looks import CameraLooks, look_through
from companion.outside import Ran, run_command
from hardware.pins import PinChoice, choose_pins

FETCH_S = 2.0
MODEL = "proc/device-tree/model"


def my_groups() -> frozenset[str]:
    """Names of the groups of this process."""
    names = set()
    for number in {*os.getgroups(), os.getegid()}:
        try:
            names.add(grp.getgrgid(number).gr_name)
        except KeyError:
            continue
    return frozenset(names)


def can_bind(host: str, port: int) -> str:
    """Empty if the port can be had, otherwise why not."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except OSError as error:
            return error.strerror or str(error)
    return ""


def fetch(url: str) -> tuple[int, str]:
    """Status and text of a page, as a browser on this machine gets it; 0 if nobody answers."""
    try:
        with urllib.request.urlopen(url, timeout=FETCH_S) as answer:
            return answer.status, answer.read(4096).decode(errors="replace")
    except urllib.error.HTTPError as error:
        return error.code, ""
    except (OSError, ValueError):
        return 0, ""


def lan_addresses() -> list[str]:
    """This machine's address towards the network, if it has any; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as towards:
        try:
            towards.connect(("192.0.2.1", 9))  # an address for documentation, which nobody has
        except OSError:
            return []
        address = str(towards.getsockname()[0])
    return [] if address.startswith(("127.", "0.")) else [address]


@dataclass(frozen=True)
class Machine:
    """What the checks look at.

    root       the folder in which `proc`, `sys`, `dev`, `etc` and `boot` lie.
    run        runs a command; None where there is none of that name.
    load       imports a module, or raises ImportError.
    camera     what the camera gives in a second or two; None where nobody may look through it.
    dice       what is heard of receiver and dice in some seconds; None where nobody may listen.
    pins       where the pins come from; None where nobody may have them.
    journal    file of the journal.
    config     settings file, or None for companion.toml in this folder.
    settings   what it says; the defaults where it cannot be read.
    """

    journal: Path
    config: Path | None = None
    settings: Config = field(default_factory=Config)
    root: Path = Path("/")
    run: Callable[[Sequence[str]], Ran | None] = run_command
    load: Callable[[str], Any] = importlib.import_module
    env: Mapping[str, str] = field(default_factory=lambda: os.environ)
    groups: frozenset[str] = field(default_factory=my_groups)
    python: tuple[int, ...] = sys.version_info[:3]
    prefixes: tuple[str, str] = (sys.prefix, sys.base_prefix)
    bits: int = struct.calcsize("P") * 8
    processor: str = field(default_factory=platform.machine)
    release: str = field(default_factory=platform.release)
    cores: int = field(default_factory=lambda: os.cpu_count() or 1)
    encoding: str = field(default_factory=sys.getfilesystemencoding)
    now_s: Callable[[], float] = time.time
    access: Callable[[Path, int], bool] = os.access
    can_bind: Callable[[str, int], str] = can_bind
    fetch: Callable[[str], tuple[int, str]] = fetch
    addresses: Callable[[], list[str]] = lan_addresses
    camera: Callable[[], CameraLooks] | None = None
    dice: Callable[[], Heard] | None = None
    pins: Callable[[], PinChoice] | None = None

    @classmethod
    def here(cls, journal: Path, config: Path | None, settings: Config, *, eyes: bool) -> "Machine":
        """This machine; `eyes` allows to open camera, receiver and pins for some seconds."""
        if not eyes:
            return cls(journal, config, settings)
        return cls(
            journal,
            config,
            settings,
            camera=functools.cache(look_through),
            dice=functools.cache(functools.partial(listen_to_dice, settings)),
            pins=choose_pins,
        )

    def text(self, path: str) -> str:
        """What a file holds, without zeros and white space around; empty if there is none."""
        try:
            return (self.root / path).read_text(errors="replace").strip("\0 \t\r\n")
        except OSError:
            return ""

    def paths(self, pattern: str) -> list[Path]:
        """Files that fit a pattern below the root, sorted."""
        return sorted(self.root.glob(pattern))

    @property
    def is_pi(self) -> bool:
        """True on a Raspberry Pi."""
        return "Raspberry Pi" in self.text(MODEL)

    def said(self, *words: str) -> str:
        """What a command wrote; empty where there is none of that name."""
        ran = self.run(words)
        return "" if ran is None else ran.text.strip()
