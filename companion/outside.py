"""Programs of the system that are asked something: systemd, the Pi's firmware, and their like."""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

COMMAND_S = 5.0


@dataclass(frozen=True)
class Ran:
    """How a command ended: its exit status and what it wrote."""

    status: int
    text: str


def run_command(words: Sequence[str], limit_s: float = COMMAND_S) -> Ran | None:
    """Run a command with a time limit; None if there is no such command, or it hangs."""
    try:
        done = subprocess.run(
            list(words),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=limit_s,
            check=False,
            env=os.environ | {"LC_ALL": "C"},
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return Ran(done.returncode, done.stdout + done.stderr)
