"""Checks of the network: the dashboard's port, and whether phones can reach it."""

import re
from typing import Any

from companion.doctor.finding import Finding, bad, none, note, ok
from companion.doctor.machine import Machine

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
        return ok("port", f"port {web.port} is free")
    if answers(machine):
        return ok("port", f"port {web.port} is the companion's own")
    if web.port < 1024 and "ermission" in why:
        fix = "companion.toml [web] port: 8000, or run it as the service"
        return bad("port", f"port {web.port} needs special rights", fix)
    fix = f"companion play --port {web.port + 1}, or stop what runs there"
    return note("port", f"port {web.port} on {web.host}: {why}", fix)


def check_lan_address(machine: Machine) -> Finding:
    """Phones find the dashboard by an address of this machine."""
    addresses = machine.addresses()
    if addresses:
        return ok("lan_address", ", ".join(addresses))
    return note("lan_address", "none; no phone can join", "connect a network: sudo nmtui")


def check_visible(machine: Machine) -> Finding:
    """On 127.0.0.1 only this machine sees the dashboard."""
    host = machine.settings.web.host
    if host not in LOOPBACK:
        return ok("dashboard_visible", f"listens on {host}")
    found = f"listens on {host}: screens and phones elsewhere cannot see it"
    return note("dashboard_visible", found, 'companion.toml [web] host = "0.0.0.0"')


def check_reachable(machine: Machine) -> Finding:
    """If a companion is in play, its page must come."""
    web = machine.settings.web
    if not machine.can_bind(web.host, web.port):
        return none("dashboard_answers", "no companion is in play")
    if answers(machine):
        return ok("dashboard_answers", url_of(machine))
    fix = "systemctl restart companion; or another program has the port: sudo ss -ltnp"
    return bad("dashboard_answers", f"{url_of(machine)} does not answer", fix)


def check_reachable_outside(machine: Machine) -> Finding:
    """The same by the address that phones use."""
    web, addresses = machine.settings.web, machine.addresses()
    if web.host in LOOPBACK or not addresses or not machine.can_bind(web.host, web.port):
        return none("browser_reaches", "nothing to try now")
    url = f"http://{addresses[0]}:{web.port}"
    status, _ = machine.fetch(f"{url}/healthz")
    if status:
        return ok("browser_reaches", url)
    return bad("browser_reaches", f"{url} does not answer", "look at the firewall: sudo ufw status")


def check_name(machine: Machine) -> Finding:
    """Other machines look names up that end in .local."""
    name = machine.text("etc/hostname")
    if re.fullmatch(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?", name):
        return ok("host_name", f"{name}.local")
    return note("host_name", name or "none", "sudo hostnamectl set-hostname companion")


def check_wifi(machine: Machine) -> Finding:
    """Weak radio makes taps late."""
    rows = re.findall(
        r"^\s*(\w+):\s+\d+\s+(\S+)\s+(-?[\d.]+)", machine.text("proc/net/wireless"), re.M
    )
    if not rows:
        return none("wifi_signal", "no wireless network in use")
    name, _, level = rows[0]
    if float(level.rstrip(".")) >= WEAK_DBM:
        return ok("wifi_signal", f"{name}: {level.rstrip('.')} dBm")
    found = f"{name}: {level.rstrip('.')} dBm, weak"
    return note("wifi_signal", found, "bring the router nearer, or use a cable")


def check_wifi_power(machine: Machine) -> Finding:
    """A radio that dozes delays every tap by a tenth of a second and more."""
    for path in machine.paths("sys/class/net/*/wireless"):
        name = path.parent.name
        if "on" in machine.said("iw", "dev", name, "get", "power_save").rpartition(":")[2]:
            fix = f"sudo iw dev {name} set power_save off"
            return note("wifi_power", f"{name} saves power; taps come late", fix)
    return ok("wifi_power", "no radio dozes")


def check_announce(machine: Machine) -> Finding:
    """The name on the network is announced by zeroconf."""
    try:
        module: Any = machine.load("zeroconf")
    except ImportError as error:
        return note("announce", f"no zeroconf: {error}; use the address", "pip install zeroconf")
    return ok("announce", f"zeroconf {getattr(module, '__version__', '')}".strip())


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
