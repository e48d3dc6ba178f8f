"""`companion install-service`, `uninstall-service`: say what they will do, ask, can be repeated."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console

from companion.config import Config, load_config
from companion.errors import CompanionError, ConfigError
from companion.household import SYSTEM_CONFIG
from companion.init import compose
from companion.outside import Ran, run_command
from companion.service_unit import NAME, UNIT, plan, unit, usual_user, version_from

SYSTEMCTL = "systemctl"
START_S = 150.0  # systemd waits until the table is ready
Run = Callable[[list[str]], Ran | None]


@dataclass(frozen=True)
class Act:
    """One thing that will be done: a file to write or remove (its text, or None), or a command."""

    path: Path | None = None
    text: str | None = None
    command: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.path is None:
            return f"run    {' '.join(self.command)}"
        return f"{'remove' if self.text is None else 'write'} {self.path}"


def patiently(words: list[str]) -> Ran | None:
    """Run a command that may take as long as the service takes to start."""
    return run_command(words, START_S)


def install_acts(root: Path, run: Run, user: str | None, config_path: Path | None) -> list[Act]:
    """What has to be done on this machine; nothing where all is as it should be."""
    config_file = config_path or usual_config(root)
    config = load_config(config_file) if config_file.is_file() else Config()
    ran = run([SYSTEMCTL, "--version"])
    if ran is None:
        raise ConfigError("install-service: expected systemd on this machine, found no systemctl")
    wanted = plan(
        user or usual_user(), config_file.absolute(), config.web.port, version_from(ran.text)
    )
    acts = []
    if not config_file.is_file():
        acts.append(Act(config_file, compose(Config())))
    path, text = root / UNIT, unit(wanted)
    is_same = path.is_file() and path.read_text(encoding="utf-8") == text
    if not is_same:
        acts += [Act(path, text), Act(command=(SYSTEMCTL, "daemon-reload"))]
    if not said(run, "is-enabled", "enabled"):
        acts.append(Act(command=(SYSTEMCTL, "enable", NAME)))
    if not is_same or not said(run, "is-active", "active"):
        acts.append(Act(command=(SYSTEMCTL, "restart", NAME)))
    return acts


def usual_config(root: Path) -> Path:
    """The settings in this folder, or those of the system."""
    here = Path("companion.toml")
    return here if here.is_file() else root / SYSTEM_CONFIG.relative_to("/")


def said(run: Run, question: str, wanted: str) -> bool:
    """True if systemd answers a question about the service with this word."""
    ran = run([SYSTEMCTL, question, NAME])
    return ran is not None and ran.text.strip() == wanted


def uninstall_acts(root: Path) -> list[Act]:
    """What has to be done to be rid of the service."""
    path = root / UNIT
    if not path.exists():
        return []
    return [
        Act(command=(SYSTEMCTL, "disable", "--now", NAME)),
        Act(path),
        Act(command=(SYSTEMCTL, "daemon-reload")),
    ]


def carry_out(acts: list[Act], run: Run, console: Console, *, yes: bool, dry_run: bool) -> None:
    """Say what will be done, ask, and do it; stops at the first thing that cannot be done."""
    if not acts:
        console.print("Nothing to do: it is as it should be.")
        return
    for act in acts:
        console.print(str(act), markup=False, soft_wrap=True)
        if act.path is not None and act.text is not None and act.path.suffix == ".service":
            console.print(act.text, style="dim", markup=False, soft_wrap=True)
    if dry_run:
        return
    if not yes and not click.confirm("Do all this?"):
        raise ConfigError("nothing was done")
    for act in acts:
        do(act, run)
        console.print(f"done: {act}", markup=False, soft_wrap=True)


def do(act: Act, run: Run) -> None:
    """Do one thing; CompanionError says why it cannot be done."""
    if act.path is None:
        ran = run(list(act.command))
        if ran is None or ran.status:
            why = "no answer" if ran is None else ran.text.strip()
            raise CompanionError(f"{' '.join(act.command)}: {why}; journalctl -u {NAME} -n 50")
        return
    try:
        if act.text is None:
            act.path.unlink(missing_ok=True)
        else:
            act.path.parent.mkdir(parents=True, exist_ok=True)
            fresh = act.path.with_name(f"{act.path.name}.new")
            fresh.write_text(act.text, encoding="utf-8")
            os.chmod(fresh, 0o644)
            fresh.replace(act.path)
    except PermissionError as error:
        raise ConfigError(f"{act.path}: only root may do this; write sudo before it") from error
    except OSError as error:
        raise ConfigError(f"{act.path}: cannot be written: {error.strerror}") from error
