"""`companion` in a process of its own, forked from one that has imported all that it needs."""

import os
import signal

from companion.bench.kills import Warm


class Forked:
    """The real command as a process; one at a time of each warm one.

    said  what it prints, to be read line by line.
    """

    def __init__(self, warm: Warm, *words: str) -> None:
        reads, writes = os.pipe()
        self.said = os.fdopen(reads, encoding="utf-8")
        self._warm = warm
        self._process = warm.start(list(words), writes, 2)
        os.close(writes)

    def stop(self) -> str:
        """End it tidily as Ctrl-C does, once it has told something; what it printed last."""
        os.kill(self._process, signal.SIGTERM)
        return self.ends()

    def ends(self) -> str:
        """Wait until it has ended well by itself; what it printed last."""
        with self.said:
            said = self.said.read()
        assert self._warm.exit_code() == 0
        return said
