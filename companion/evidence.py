"""Pictures of dice: of what the table is asked about, and of what its steps were read from.

Where what lies open now may lie hidden in a moment, a picture must not outlive its question: it has
a name that nobody can guess, it is never written into the journal, and no browser may keep it.
Pictures of dice hide nothing. They are kept beside the journal, small and not too many, so that a
referee can look again at what a camera saw; a picture that cannot be kept costs no game.
"""

import contextlib
import logging
import re
import secrets
import shutil
import tempfile
import threading
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from camera.pictures import save_picture
from companion.actions import Report
from companion.errors import PictureError

LOG = logging.getLogger(__name__)
ADDRESS = "/evidence/"
MOST_PICTURES = 300  # of one game; the oldest go first
MOST_GAMES = 30  # that have pictures; with at most 24 kB each, 220 MB in all


class RollPictures:
    """What sensors saw of the dice that were rolled: a folder for each game, a file for each roll.

    Pictures are called as reports name them, `GAME/MOMENT-SOURCE.jpg`; the same roll of the same
    game is always called alike.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._fails = False
        self._names: dict[int, list[str]] = {}  # of each game, oldest first
        self._lock = threading.Lock()

    def take_up(self, game: int, known: Collection[int], *, anew: bool) -> None:
        """Make room: pictures of games that the journal does not know go, and of the oldest.

        anew  a game that begins has no pictures yet, whatever an older journal left here.
        """
        self._names.clear()
        kept = sorted(one for one in known if one != game)[1 - MOST_GAMES :]
        with contextlib.suppress(OSError):
            for path in self.folder.iterdir():
                if path.name not in map(str, kept) and (anew or path.name != str(game)):
                    shutil.rmtree(path, ignore_errors=True)

    def keep(self, game: int, report: Report, picture: bytes | None) -> str | None:
        """Write the picture of a roll; return its name, or None where there is none to name."""
        if picture is None or report.at_s is None:
            return None
        source = re.sub(r"[^a-z0-9]+", "-", report.source.lower()).strip("-")
        name = f"{round(report.at_s * 1000):09}-{source}.jpg"
        try:
            self._write(game, name, picture)
        except OSError as error:
            if not self._fails:
                LOG.warning("rolls are kept without pictures: %s", error)
            self._fails = True
            return None
        self._fails = False
        return f"{game}/{name}"

    def of(self, game: int) -> list[Path]:
        """The pictures of one game, oldest first."""
        return sorted((self.folder / str(game)).glob("*.jpg"))

    def _write(self, game: int, name: str, picture: bytes) -> None:
        """Write one picture; only the first of a run looks at what lies there already."""
        folder = self.folder / str(game)
        with self._lock:
            if game not in self._names:
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._names[game] = [path.name for path in self.of(game)]
            names = self._names[game]
            (folder / name).write_bytes(picture)
            if name not in names:
                names.append(name)
            while len(names) > MOST_PICTURES:
                (folder / names.pop(0)).unlink(missing_ok=True)


class Evidence:
    """A folder of pictures of open questions, under names that nobody can guess.

    rolls  pictures of rolls, which stay; None keeps none.
    """

    def __init__(self, folder: Path, rolls: RollPictures | None = None) -> None:
        self.folder = folder
        self.rolls = rolls

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
def evidence_folder(journal: Path | None = None) -> Iterator[Evidence]:
    """A folder of its own for this run, gone with everything in it at the end.

    journal  beside which pictures of rolls are kept; without one they are gone as well.
    """
    with tempfile.TemporaryDirectory(prefix="companion-evidence-") as folder:
        rolls = Path(folder) / "rolls" if journal is None else rolls_beside(journal)
        yield Evidence(Path(folder), RollPictures(rolls))


def rolls_beside(journal: Path) -> Path:
    """The folder of the pictures that belong to a journal."""
    return journal.with_name(f"{journal.stem}.rolls")
