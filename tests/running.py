"""The real service in a process of its own."""

import subprocess
import sys
from pathlib import Path


class Service:
    """`companion play` as people start it, with its dashboard on a free port."""

    def __init__(self, journal: Path, *words: str) -> None:
        command = [sys.executable, "-m", "companion.cli", "play", "--port", "0"]
        command += ["--journal", str(journal), *words]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        self.url = next(word for word in said.split() if word.startswith("http://"))

    def stop(self) -> int:
        """End it as Ctrl-C does, and return its exit status."""
        self.process.terminate()
        with self.process:
            return self.process.wait(30)
