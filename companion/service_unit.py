"""The systemd unit of the companion: what stands in it, and why.

An ordinary user runs it, in the groups that the devices ask for. It may read the system and the
homes (a virtual environment may lie there), and write its own folder below /var/lib alone.
"""

import grp
import os
import pwd
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from companion.errors import ConfigError

NAME = "companion"
UNIT = Path("etc/systemd/system/companion.service")
GROUPS = ("gpio", "video", "dialout", "audio", "i2c", "spi")
GROWING_PAUSES = 254  # the version of systemd from which on pauses between restarts can grow
WATCHDOG_S = 30
STOP_S = 20
LOW_PORT = 1024


@dataclass(frozen=True)
class Plan:
    """What is to be installed: whose, which program, which settings.

    systemd  version of systemd here.
    """

    user: str
    groups: tuple[str, ...]
    program: Path
    config: Path
    port: int
    systemd: int


def plan(user: str, config: Path, port: int, systemd: int) -> Plan:
    """A plan for this machine; ConfigError if the user is not there, or is root."""
    try:
        number = pwd.getpwnam(user).pw_uid
    except KeyError as error:
        raise ConfigError(f"--user: expected a user of this machine, got {user!r}") from error
    if number == 0:
        raise ConfigError("--user: expected an ordinary user, got root; write --user NAME")
    program = Path(sys.executable).with_name(NAME)
    if not program.is_file():
        raise ConfigError(f"{program}: expected the command there; install the companion first")
    return Plan(user, existing(GROUPS), program, config, port, systemd)


def existing(names: Iterable[str]) -> tuple[str, ...]:
    """Those groups that this machine has; systemd refuses to start a service in any other."""
    there = {group.gr_name for group in grp.getgrall()}
    return tuple(name for name in names if name in there)


def usual_user() -> str:
    """Who asked for it: the user behind sudo, or the one who is logged in."""
    return os.environ.get("SUDO_USER") or pwd.getpwuid(os.getuid()).pw_name


def version_from(text: str) -> int:
    """The version out of what `systemctl --version` says; 0 if it says none."""
    match = re.search(r"systemd (\d+)", text)
    return int(match[1]) if match else 0


def unit(given: Plan) -> str:
    """The text of the unit."""
    state = "/var/lib/companion"
    words = [str(given.program), "serve", "--config", str(given.config)]
    words += ["--journal", f"{state}/journal.sqlite"]
    # After a crash nobody else is left to switch the lamps off.
    dark = [str(given.program), "pins", "--dark", "--config", str(given.config)]
    low = "AmbientCapabilities=CAP_NET_BIND_SERVICE\n" if 0 < given.port < LOW_PORT else ""
    groups = f"SupplementaryGroups={' '.join(given.groups)}\n" if given.groups else ""
    return f"""\
# Written by `companion install-service`; changes belong into `systemctl edit companion`.
[Unit]
Description=Companion, the referee at the board game table
After=network.target time-sync.target
StartLimitIntervalSec=0

[Service]
Type=notify
NotifyAccess=main
User={given.user}
{groups}{low}{pauses(given.systemd)}\
ExecStart={" ".join(quoted(word) for word in words)}
ExecStopPost=-{" ".join(quoted(word) for word in dark)}
WatchdogSec={WATCHDOG_S}
TimeoutStartSec=120
TimeoutStopSec={STOP_S}
Restart=on-failure
StateDirectory={NAME}
WorkingDirectory={state}
Environment=PYTHONUNBUFFERED=1 LG_WD={state}
StandardOutput=journal
StandardError=journal
SyslogIdentifier={NAME}
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=yes

[Install]
WantedBy=multi-user.target
"""


def pauses(systemd: int) -> str:
    """Growing pauses between restarts: 1 to 60 s.

    Older systemds cannot let them grow; there the service waits before it starts, a second for
    each restart so far.
    """
    if systemd >= GROWING_PAUSES:
        return "RestartSec=1\nRestartSteps=6\nRestartMaxDelaySec=60\n"
    count = f"systemctl show --value --property=NRestarts {NAME}.service"
    wait = f"n=$$({count}); sleep $$((n < 60 ? n : 60))"
    return f"RestartSec=1\nExecStartPre=/bin/sh -c '{wait}'\n"


def quoted(word: str) -> str:
    """A word of a command as systemd reads it."""
    word = word.replace("%", "%%").replace("$", "$$")
    if re.fullmatch(r"[\w@%+=:,./$-]+", word):
        return word
    inner = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{inner}"'
