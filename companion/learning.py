"""What people answer is learnt: the picture that a camera could not read, with what it shows."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from camera.answers import keep, with_answer
from camera.dice_sets import DiceLooks, load
from companion.errors import ConfigError

LOG = logging.getLogger(__name__)


class Learner:
    """Adds answers to what a camera has learnt, hands it on, and keeps it.

    looks   what was learnt before.
    folder  where it is kept; None where it is not, as in a simulated room.
    took    whoever reads with it from now on.
    """

    def __init__(
        self, looks: DiceLooks, folder: Path | None, took: Callable[[DiceLooks], None]
    ) -> None:
        self.looks = looks
        self._folder, self._took = folder, took

    def learn(self, face: str, patch: Any, kind: str | None = None) -> bool:
        """Learn one more picture of a face; False for a face that nothing here can show.

        kind  of the die, where several kinds may show that face. A disk that is full or read-only
              ends no game: what was learnt then holds until the next start.
        """
        kinds = self.looks.kinds
        named = [kind] if kind in kinds else [] if kind is not None else list(kinds)
        mine = next((name for name in named if name and face in kinds[name].faces), None)
        if mine is None:
            return False
        before = self.looks
        self.looks = with_answer(self.looks, mine, face, patch)
        self._took(self.looks)
        if self._folder is not None:
            try:
                self._keep(self._folder, before, mine, face, patch)
            except OSError as error:
                LOG.warning("%s: an answer cannot be kept: %s", self._folder, error.strerror)
        return True

    def _keep(self, folder: Path, before: DiceLooks, kind: str, face: str, patch: Any) -> None:
        """Write the answer to the set that lies there: somebody may have taught it anew since."""
        try:
            there = load(folder)
        except ConfigError:  # gone, or damaged
            there = before
        if there == before:
            keep(self.looks, folder)
        elif kind in there.kinds and face in there.kinds[kind].faces:
            keep(with_answer(there, kind, face, patch), folder)
