"""What people answer is learnt: the picture that a camera could not read, with what it shows."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from camera.dice_sets import DiceLooks, save


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

    def learn(self, face: str, patch: Any) -> bool:
        """Learn one more picture of a face; False for a face that nothing here can show."""
        kind = next((name for name, k in self.looks.kinds.items() if face in k.faces), None)
        if kind is None:
            return False
        self.looks = self.looks.with_patch(kind, face, patch)
        self._took(self.looks)
        if self._folder is not None:
            save(self.looks, self._folder)
        return True
