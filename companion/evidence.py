"""Pictures of what the table is asked about; each is gone as soon as its question is.

Where what lies open now may lie hidden in a moment, a picture must not outlive its question: it has
a name that nobody can guess, it is never written into the journal, and no browser may keep it.
"""

import contextlib
import logging
import secrets
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from camera.pictures import save_picture
from companion.errors import PictureError

LOG = logging.getLogger(__name__)
ADDRESS = "/evidence/"


class Evidence:
    """A folder of pictures under names that nobody can guess."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def keep(self, pixels: Any) -> str | None:
        """Write a picture, (H, W, 3) uint8 BGR; return its address, or None if it cannot be kept.

        A question without a picture can be answered as well: people look at the table.
        """
        name = f"{secrets.token_urlsafe(16)}.png"
        try:
            save_picture(self.folder / name, pixels)
        except PictureError as error:
            LOG.warning("a question goes without its picture: %s", error)
            return None
        return ADDRESS + name

    def drop(self, address: str) -> None:
        """Delete a picture; may be called again."""
        with contextlib.suppress(FileNotFoundError):
            (self.folder / address.removeprefix(ADDRESS)).unlink()


@contextlib.contextmanager
def evidence_folder() -> Iterator[Evidence]:
    """A folder of its own for this run, gone with everything in it at the end."""
    with tempfile.TemporaryDirectory(prefix="companion-evidence-") as folder:
        yield Evidence(Path(folder))
