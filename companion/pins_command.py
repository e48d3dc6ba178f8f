"""`companion pins`: what hangs where on the header, and whether it shines."""

from pathlib import Path

import click

from companion.commands import OUT, examples


@click.command(
    "pins", epilog=examples("pins", "pins --board 4B", "pins --test", "pins --dark", "pins --json")
)
@click.option(
    "--config",
    "config_path",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Settings file. Default: companion.toml in this folder, if there is one.",
)
@click.option("--board", help="Which board, such as 4B or Zero2W. Default: this one, or a 5B.")
@click.option("--test", is_flag=True, help="Light each lamp in turn and sound the buzzer.")
@click.option("--dark", is_flag=True, help="Switch everything off, after a crash for example.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def pins(
    config_path: Path | None, board: str | None, test: bool, dark: bool, as_json: bool
) -> None:
    """Draw the 40-pin header with what hangs on each pin, and try the lamps."""
    from companion import header_picture

    if dark:
        header_picture.darken(config_path, OUT)
    else:
        header_picture.show(config_path, board, OUT, test=test, as_json=as_json)
