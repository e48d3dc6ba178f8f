"""Checks of the network: the dashboard's port, and whether phones can reach it."""

import re
from typing import Any

from companion.doctor.finding import Finding, bad, none, note, ok
from companion.doctor.machine import Machine
from companion.field_words import reason
from companion.words import fact, mark, say, word

LOOPBACK = ("127.0.0.1", "localhost", "::1")
WEAK_DBM = -75.0


def url_of(machine: Machine) -> str:
    """Where a browser on this machine finds the dashboard."""
    web = machine.settings.web
    host = "127.0.0.1" if web.host in ("0.0.0.0", "", "::") else web.host
    return f"http://[{host}]:{web.port}" if ":" in host else f"http://{host}:{web.port}"


def answers(machine: Machine) -> bool:
    """True if a companion answers on the dashboard's address."""
    status, text = machine.fetch(f"{url_of(machine)}/healthz")
    return status == 200 and "viewers" in text


def check_port(machine: Machine) -> Finding:
    """The dashboard's port should be free, or the companion's own."""
    web = machine.settings.web
    why = machine.can_bind(web.host, web.port)
    if not why:
        return ok("port", say("port {port} is free", port=web.port))
    if answers(machine):
        return ok("port", say("port {port} is the companion's own", port=web.port))
    if web.port < 1024 and "ermission" in why:
        fix = "companion.toml [web] port: 8000, or run it as the service"
        return bad("port", say("port {port} needs special rights", port=web.port), fix)
    fix = say("companion play --port {port}, or stop what runs there", port=web.port + 1)
    return note(
        "port",
        say("port {port} on {host}: {why}", port=web.port, host=web.host, why=word(why)),
        fix,
    )


def check_lan_address(machine: Machine) -> Finding:
    """Phones find the dashboard by an address of this machine."""
    addresses = machine.addresses()
    if addresses:
        return ok("lan_address", fact(", ".join(addresses)))
    return note("lan_address", "no address; no phone can join", "connect a network: sudo nmtui")


def check_visible(machine: Machine) -> Finding:
    """On 127.0.0.1 only this machine sees the dashboard."""
    host = machine.settings.web.host
    if host not in LOOPBACK:
        return ok("dashboard_visible", say("listens on {host}", host=host))
    found = say("listens on {host}: screens and phones elsewhere cannot see it", host=host)
    return note("dashboard_visible", found, fact('companion.toml [web] host = "0.0.0.0"'))


def check_reachable(machine: Machine) -> Finding:
    """If a companion is in play, its page must come."""
    web = machine.settings.web
    if not machine.can_bind(web.host, web.port):
        return none("dashboard_answers", "no companion is in play")
    if answers(machine):
        return ok("dashboard_answers", fact(url_of(machine)))
    fix = "systemctl restart companion; or another program has the port: sudo ss -ltnp"
    return bad("dashboard_answers", say("{url} does not answer", url=url_of(machine)), fix)


def check_reachable_outside(machine: Machine) -> Finding:
    """The same by the address that phones use."""
    web, addresses = machine.settings.web, machine.addresses()
    if web.host in LOOPBACK or not addresses or not machine.can_bind(web.host, web.port):
        return none("browser_reaches", "nothing to try now")
    url = f"http://{addresses[0]}:{web.port}"
    status, _ = machine.fetch(f"{url}/healthz")
    if status:
        return ok("browser_reaches", fact(url))
    return bad(
        "browser_reaches",
        say("{url} does not answer", url=url),
        "look at the firewall: sudo ufw status",
    )


def check_name(machine: Machine) -> Finding:
    """Other machines look names up that end in .local."""
    name = machine.text("etc/hostname")
    if re.fullmatch(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?", name):
        return ok("host_name", fact(f"{name}.local"))
    found = fact(name) if name else mark("no name")
    return note("host_name", found, fact("sudo hostnamectl set-hostname companion"))


def check_wifi(machine: Machine) -> Finding:
    """Weak radio makes taps late."""
    rows = re.findall(
        r"^\s*(\w+):\s+\d+\s+(\S+)\s+(-?[\d.]+)", machine.text("proc/net/wireless"), re.M
    )
    if not rows:
        return none("wifi_signal", "no wireless network in use")
    name, _, level = rows[0]
    if float(level.rstrip(".")) >= WEAK_DBM:
        return ok("wifi_signal", fact(f"{name}: {level.rstrip('.')} dBm"))
    found = say("{name}: {dbm} dBm, weak", name=name, dbm=level.rstrip("."))
    return note("wifi_signal", found, "bring the router nearer, or use a cable")


def check_wifi_power(machine: Machine) -> Finding:
    """A radio that dozes delays every tap by a tenth of a second and more."""
    for path in machine.paths("sys/class/net/*/wireless"):
        name = path.parent.name
        if "on" in machine.said("iw", "dev", name, "get", "power_save").rpartition(":")[2]:
            fix = fact(f"sudo iw dev {name} set power_save off")
            return note("wifi_power", say("{name} saves power; taps come late", name=name), fix)
    return ok("wifi_power", "no radio dozes")


def check_announce(machine: Machine) -> Finding:
    """The name on the network is announced by zeroconf."""
    try:
        module: Any = machine.load("zeroconf")
    except ImportError as error:
        return note(
            "announce",
            say("no zeroconf: {why}; use the address", why=reason(error)),
            fact("pip install zeroconf"),
        )
    return ok("announce", fact(f"zeroconf {getattr(module, '__version__', '')}".strip()))


CHECKS = (
    check_port,
    check_lan_address,
    check_visible,
    check_reachable,
    check_reachable_outside,
    check_name,
    check_wifi,
    check_wifi_power,
    check_announce,
)
