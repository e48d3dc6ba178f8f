"""Pictures of a set that is still being learnt, so that a dialogue that is broken off loses none.

They lie in `SET.taken/KIND/FACE/01.png` until the set is saved, with what was asked for and what
the camera was held to meanwhile. The same command goes on from there, and no other may;
`companion enrol SET --from SET.taken` learns from them as they are.
"""

import json
import shutil
from pathlib import Path
from typing import Any

from camera.canvas import Pixels
from camera.enrol_dice import Teacher
from camera.pictures import load_picture, save_picture
from companion.errors import ConfigError
from companion.reading import make_folder
from companion.words import say

NOTE = "asked.json"
Face = tuple[str, str]


class Taken:
    """What was taken for one set.

    device  the camera; `wanted`, the faces that it is asked for.
    values  what it is held to, while pictures are taken.
    Raises ConfigError where pictures lie there of another camera, or of other faces.
    """

    def __init__(self, to: Path, device: str, wanted: list[Face]) -> None:
        self.folder = to.parent / f"{to.resolve().name}.taken"
        self._asked: dict[str, Any] = {"camera": device, "faces": [" ".join(f) for f in wanted]}
        self._used: dict[Face, list[Path]] = {}  # what a teacher could use, as it has it
        self.values: dict[str, float] = self._values_before() if self else {}

    def __len__(self) -> int:
        """How many pictures there are."""
        return len(list(self.folder.glob("*/*/*.png")))

    def keep(self, kind: str, face: str, pixels: Pixels) -> None:
        """Keep one more picture of a face; raises PictureError where it cannot be written."""
        folder = self.folder / kind / face
        make_folder(folder)
        note = self._asked | {"values": self.values}
        (self.folder / NOTE).write_text(json.dumps(note, indent=1), "utf-8")
        numbers = [int(path.stem) for path in self._of(kind, face) if path.stem.isdecimal()]
        path = folder / f"{max(numbers, default=0) + 1:02}.png"
        save_picture(path, pixels)
        self._used.setdefault((kind, face), []).append(path)

    def take_back(self, teacher: Teacher, kind: str, face: str) -> None:
        """Forget the last picture of a face."""
        teacher.shown[kind][face].pop()
        self._used[kind, face].pop().unlink()

    def show(self, teacher: Teacher, kind: str, face: str) -> int:
        """Show the pictures of a face to a teacher; give how many are of use."""
        paths = self._of(kind, face)
        used = [one for one in paths if teacher.show(kind, face, load_picture(one), str(one))]
        self._used[kind, face] = used
        return len(used)

    def end(self) -> None:
        """Everything was learnt: the set has what is needed of the pictures."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _of(self, kind: str, face: str) -> list[Path]:
        return sorted((self.folder / kind / face).glob("*.png"))

    def _values_before(self) -> dict[str, float]:
        try:
            note = json.loads((self.folder / NOTE).read_text("utf-8"))
            values: dict[str, float] = note.pop("values")
        except (OSError, ValueError, AttributeError, KeyError, TypeError):
            note, values = {}, {}
        if note != self._asked:
            raise ConfigError(
                say(
                    "{folder}: expected pictures for this very command, got {n} of {faces} by "
                    "camera {camera}; go on with the command that was broken off, learn from them "
                    "with --from, or remove the folder",
                    folder=self.folder,
                    n=len(self),
                    faces=", ".join(note.get("faces", "?")),
                    camera=note.get("camera", "?"),
                )
            )
        return values
