"""Checks of the service: is it installed, does it start by itself, has it stumbled?"""

from companion.doctor.finding import Finding, bad, none, note, ok, said_by
from companion.doctor.machine import Machine
from companion.words import fact, say

UNIT = "etc/systemd/system/companion.service"
INSTALL = fact("sudo companion install-service")
MANY_RESTARTS = 3
STANDS_ALONE = "not installed"


def is_installed(machine: Machine) -> bool:
    """True if there is a unit of ours."""
    return (machine.root / UNIT).is_file()


def check_installed(machine: Machine) -> Finding:
    """A service starts with the machine; without one, people start the companion by hand."""
    if is_installed(machine):
        return ok("service_installed", fact(f"/{UNIT}"))
    return note("service_installed", "not installed; it is started by hand", INSTALL)


def check_enabled(machine: Machine) -> Finding:
    """It must start with the machine."""
    if not is_installed(machine):
        return none("service_enabled", STANDS_ALONE)
    said = machine.said("systemctl", "is-enabled", "companion")
    if said == "enabled":
        return ok("service_enabled", "starts with the machine")
    return note("service_enabled", said_by(said), fact("sudo systemctl enable companion"))


def check_running(machine: Machine) -> Finding:
    """It must run."""
    if not is_installed(machine):
        return none("service_running", STANDS_ALONE)
    said = machine.said("systemctl", "is-active", "companion")
    if said == "active":
        return ok("service_running", "runs")
    fix = "journalctl -u companion -n 50 says why; then sudo systemctl restart companion"
    return bad("service_running", said_by(said), fix)


def check_restarts(machine: Machine) -> Finding:
    """One that starts again and again has a reason for it."""
    said = machine.said("systemctl", "show", "--property=NRestarts", "--value", "companion")
    restarts = int(said) if said.isdigit() and is_installed(machine) else 0
    found = say("{n} restart", "{n} restarts", n=restarts)
    if restarts < MANY_RESTARTS:
        return ok("service_restarts", found)
    fix = "journalctl -u companion says why; companion support-bundle collects it"
    return note("service_restarts", found, fix)


def check_program(machine: Machine) -> Finding:
    """The unit must start a program that is there."""
    if not is_installed(machine):
        return none("service_program", STANDS_ALONE)
    lines = machine.text(UNIT).splitlines()
    started = next((line for line in lines if line.startswith("ExecStart=")), "")
    program = started.removeprefix("ExecStart=").split(" ")[0].strip('"')
    if program and (machine.root / program.lstrip("/")).exists():
        return ok("service_program", fact(program))
    return bad("service_program", say("{name} is not there", name=program or UNIT), INSTALL)


def check_log(machine: Machine) -> Finding:
    """A log that survives a restart tells why there was one."""
    if not (machine.root / "run/systemd/system").is_dir():
        return none("log_kept", "no systemd here")
    if (machine.root / "var/log/journal").is_dir():
        return ok("log_kept", "journald keeps it")
    fix = fact("sudo mkdir -p /var/log/journal; sudo systemctl restart systemd-journald")
    return note("log_kept", "journald forgets it at every restart", fix)


CHECKS = (
    check_installed,
    check_enabled,
    check_running,
    check_restarts,
    check_program,
    check_log,
)
