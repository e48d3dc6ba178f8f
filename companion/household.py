"""The commands that look after an installed companion: settings, service, backups, support."""

from pathlib import Path

import click

from companion.commands import OUT, examples
from companion.config import default_journal

SYSTEM_CONFIG = Path("/etc/companion/companion.toml")

a_file = click.Path(dir_okay=False, path_type=Path)
journal_option = click.option(
    "--journal", type=a_file, help=f"File of the journal. Default: {default_journal()}."
)
config_option = click.option(
    "--config", type=a_file, default="companion.toml", show_default=True, help="Settings file."
)
yes_option = click.option("--yes", "-y", is_flag=True, help="Do not ask.")
dry_option = click.option("--dry-run", is_flag=True, help="Only say what would be done.")


@click.command(epilog=examples("init", "init --yes", "init --file table.toml --replace"))
@click.option("--file", default="companion.toml", show_default=True, type=a_file,
              help="File to write.")  # fmt: skip
@click.option("--yes", "-y", is_flag=True, help="Ask nothing; the usual settings.")
@click.option("--replace", is_flag=True, help="Write although there is a file; it is kept aside.")
def init(file: Path, yes: bool, replace: bool) -> None:
    """Write a commented companion.toml, after a few questions."""
    from companion import init as asking

    asking.ask_and_write(file, OUT, yes=yes, replace=replace)


@click.command(
    "install-service",
    epilog=examples("install-service --dry-run", "install-service --user pi --config table.toml"),
)
@click.option("--user", help="Who runs it. Default: the user behind sudo.")
@click.option("--config", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help=f"Settings. Default: companion.toml here, else {SYSTEM_CONFIG}.")  # fmt: skip
@yes_option
@dry_option
def install_service(user: str | None, config: Path | None, yes: bool, dry_run: bool) -> None:
    """Let the companion start with the machine, as a service of systemd.

    It says what it will do and asks. Repeating it changes only what has to change.
    """
    from companion import installing

    acts = installing.install_acts(Path("/"), installing.patiently, user, config)
    installing.carry_out(acts, installing.patiently, OUT, yes=yes, dry_run=dry_run)


@click.command(
    "uninstall-service", epilog=examples("uninstall-service", "uninstall-service --dry-run")
)
@yes_option
@dry_option
def uninstall_service(yes: bool, dry_run: bool) -> None:
    """Stop the service and remove it; journal and settings stay."""
    from companion import installing

    acts = installing.uninstall_acts(Path("/"))
    installing.carry_out(acts, installing.patiently, OUT, yes=yes, dry_run=dry_run)
    OUT.print("The journal in /var/lib/companion and the settings stay where they are.")


@click.command(epilog=examples("backup table.zip", "backup /media/stick/table.zip --replace"))
@click.argument("file", type=a_file)
@journal_option
@config_option
@click.option("--replace", is_flag=True, help="Write although there is a file of that name.")
def backup(file: Path, journal: Path | None, config: Path, replace: bool) -> None:
    """Keep journal and settings in one file; a game may be in play meanwhile."""
    from companion.backup import write_backup

    write_backup(file, journal or default_journal(), config, OUT, replace=replace)


@click.command(epilog=examples("restore table.zip", "restore table.zip --journal new.sqlite --yes"))
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@journal_option
@config_option
@yes_option
def restore(file: Path, journal: Path | None, config: Path, yes: bool) -> None:
    """Bring journal and settings back from a backup; what is there now is kept aside."""
    from companion.backup import bring_back

    bring_back(file, journal or default_journal(), config, OUT, yes=yes)


@click.command("support-bundle", epilog=examples("support-bundle", "support-bundle help.zip --yes"))
@click.argument("file", default="companion-support.zip", type=a_file)
@journal_option
@config_option
@yes_option
@click.option("--pictures", is_flag=True, help="With the pictures that rolls were read from.")
def support_bundle(
    file: Path, journal: Path | None, config: Path, yes: bool, pictures: bool
) -> None:
    """Collect what helps to find a fault; lists it, asks, and writes one file."""
    from companion.bundle import ask_and_write

    where = journal or default_journal()
    ask_and_write(file, where, config, OUT, yes=yes, pictures=pictures)


COMMANDS = (init, install_service, uninstall_service, backup, restore, support_bundle)
