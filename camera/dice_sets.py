"""What dice look like: learnt sets of dice, kept as plain files.

A set is a folder: `set.toml` says which kinds there are, of which colour and with which faces, and
`patches.npz` holds the pictures that were learnt, one array for every face of every kind. It can be
copied to another table, and an answer of the table is simply one more picture.
"""

import json
import tokenize
import tomllib
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from camera.calibrate import Pixels, ZoneView
from camera.find import Finder
from camera.symbols import Patches, cut_patch
from companion.dice import DiceSet
from companion.errors import ConfigError, PictureError
from companion.field_words import reason
from companion.words import say

SET_FILE = "set.toml"
PATCHES_FILE = "patches.npz"
LEAST_PX = 16  # a learnt picture's side
DAMAGE = (  # what reading an archive raises when its bytes are not as they were written
    OSError, ValueError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error,
    tokenize.TokenError, MemoryError,
)  # fmt: skip


class Kind(msgspec.Struct, frozen=True):
    """Dice that look alike: their colour as `#rrggbb`, and what their sides can show."""

    faces: tuple[str, ...]
    colour: str = "#f4f1e8"


class Example(NamedTuple):
    """One enrolment picture: a single die, its kind, and the face that is up."""

    kind: str
    face: str
    pixels: Pixels


class DiceLooks:
    """A learnt set: its kinds, and patches of their faces.

    patches   kind -> face -> (N, S, S, 3) uint8 BGR; see camera/patches.py and camera/symbols.py.
    """

    def __init__(
        self, kinds: Mapping[str, Kind], patches: Mapping[str, Mapping[str, Patches]]
    ) -> None:
        self.kinds = dict(kinds)
        self.patches = {kind: dict(faces) for kind, faces in patches.items()}
        for kind, faces in self.patches.items():
            if kind not in self.kinds:
                raise ConfigError(
                    say(
                        "kind {kind}: expected one of {kinds}",
                        kind=kind,
                        kinds=", ".join(sorted(self.kinds)),
                    )
                )
            for face, found in faces.items():
                _check_face(kind, face, self.kinds[kind])
                _check_patches(f"{kind} {face}", found)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DiceLooks) or self.kinds != other.kinds:
            return NotImplemented if not isinstance(other, DiceLooks) else False
        mine, theirs = _flat(self.patches), _flat(other.patches)
        return mine.keys() == theirs.keys() and all(
            np.array_equal(mine[name], theirs[name]) for name in mine
        )

    __hash__ = None  # type: ignore[assignment]

    def with_patch(self, kind: str, face: str, patch: Pixels) -> "DiceLooks":
        """Learn one more picture of a face, such as one that the table was asked about."""
        known = self.patches.get(kind, {}).get(face)
        one = patch[None]
        more = one if known is None else np.concatenate([known, one])
        faces = {**self.patches.get(kind, {}), face: more}
        return DiceLooks(self.kinds, {**self.patches, kind: faces})


def kinds_of(dice: DiceSet) -> dict[str, Kind]:
    """The kinds of a game's dice, with every face once."""
    kinds = {}
    for name, members in dice.kinds().items():
        faces = dict.fromkeys(face for die in members for face in die.faces)
        kinds[name] = Kind(tuple(faces), members[0].colour)
    return kinds


def learn(
    kinds: Mapping[str, Kind], examples: Iterable[Example], view: ZoneView, empty: Pixels
) -> DiceLooks:
    """Learn faces from enrolment pictures, all taken in one zone.

    Raises PictureError for a picture that does not show exactly one die, and nothing else.
    """
    finder = Finder(view, empty)
    taken: dict[str, dict[str, list[Pixels]]] = {}
    for number, example in enumerate(examples):
        found = finder.find(example.pixels)
        if len(found.bodies) != 1 or not found.is_clear:
            raise PictureError(
                say(
                    "picture {number} of {kind} {face}: expected one die alone in the tray, got "
                    "{n}; take it again",
                    number=number,
                    kind=example.kind,
                    face=example.face,
                    n=len(found.bodies),
                )
            )
        patch = cut_patch(view, example.pixels, found.bodies[0])
        taken.setdefault(example.kind, {}).setdefault(example.face, []).append(patch)
    patches = {
        kind: {face: np.array(found) for face, found in faces.items()}
        for kind, faces in taken.items()
    }
    return DiceLooks(kinds, patches)


def with_faces(kinds: Mapping[str, Kind], more: Mapping[str, Kind]) -> dict[str, Kind]:
    """Kinds with the faces of both, and the colours of the latter."""
    both = dict(kinds)
    for name, kind in more.items():
        before = both[name].faces if name in both else ()
        both[name] = Kind(tuple(dict.fromkeys(before + kind.faces)), kind.colour)
    return both


def joined(looks: Iterable[DiceLooks]) -> DiceLooks:
    """Put together what was learnt in several lights or trays, or of several faces."""
    kinds: dict[str, Kind] = {}
    patches: dict[str, dict[str, Patches]] = {}
    for look in looks:
        kinds = with_faces(kinds, look.kinds)
        for name, faces in look.patches.items():
            known = patches.setdefault(name, {})
            for face, found in faces.items():
                known[face] = np.concatenate([known[face], found]) if face in known else found
    return DiceLooks(kinds, patches)


def save(looks: DiceLooks, folder: Path) -> None:
    """Write a learnt set into a folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    save_kinds(looks.kinds, folder / SET_FILE)
    arrays = _flat(looks.patches)
    with zipfile.ZipFile(folder / PATCHES_FILE, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w") as entry:
                np.lib.format.write_array(entry, array, allow_pickle=False)


def save_kinds(kinds: Mapping[str, Kind], path: Path) -> None:
    """Write which kinds a set has, for `load_kinds`."""
    lines: list[str] = []
    for name, kind in kinds.items():
        faces = ", ".join(_quoted(face) for face in kind.faces)
        lines += [
            f"[kinds.{_quoted(name)}]",
            f"colour = {_quoted(kind.colour)}",
            f"faces = [{faces}]",
            "",
        ]
    path.write_text("\n".join(lines), encoding="utf-8")


def _quoted(text: str) -> str:
    """Text as TOML has it: as JSON does, but no letter as two halves."""
    return json.dumps(text, ensure_ascii=False)


def load_if_any(folder: Path) -> DiceLooks | None:
    """The learnt set of a table; None where nothing has been learnt yet."""
    return load(folder) if (folder / SET_FILE).is_file() else None


def load(folder: Path) -> DiceLooks:
    """Read a learnt set; raise ConfigError if the folder holds none, or a damaged one."""
    kinds, path = load_kinds(folder / SET_FILE), folder / PATCHES_FILE
    patches = _learnt_pictures(path)
    try:
        return DiceLooks(kinds, patches)
    except ConfigError as error:
        raise ConfigError(
            say(
                "{path}: {why}; copy it together with {other}, or enrol again",
                path=path,
                why=reason(error),
                other=SET_FILE,
            )
        ) from error


def _learnt_pictures(path: Path) -> dict[str, dict[str, Patches]]:
    """The pictures of a learnt set's archive; ConfigError where there are none."""
    if not path.is_file():
        raise ConfigError(
            say(
                "{path}: expected learnt pictures, found no such file; copy it with {other}, or "
                "enrol again",
                path=path,
                other=SET_FILE,
            )
        )
    try:
        patches = _unpacked(path)
    except DAMAGE as error:
        raise ConfigError(
            say(
                "{path}: expected learnt pictures, got {why}; enrol again",
                path=path,
                why=reason(error),
            )
        ) from error
    if not patches:
        raise ConfigError(say("{name}: expected at least one picture, got none", name=path))
    return patches


def _unpacked(path: Path) -> dict[str, dict[str, Patches]]:
    """The pictures of an archive, by kind and face."""
    patches: dict[str, dict[str, Patches]] = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            kind, _, face = name.removesuffix(".npy").partition("/")
            with archive.open(name) as entry:
                found = np.lib.format.read_array(entry, allow_pickle=False)
            patches.setdefault(kind, {})[face] = found
    return patches


def load_kinds(path: Path) -> dict[str, Kind]:
    """Read which kinds a set has; raise ConfigError for anything else."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))["kinds"]
        return msgspec.convert(found, dict[str, Kind])
    except (OSError, ValueError, KeyError) as error:
        raise ConfigError(
            say(
                "{path}: expected the kinds of a dice set, got {why}; teach the dice with "
                "`companion enrol`, or on the set-up page",
                path=path,
                why=reason(error),
            )
        ) from error


def _flat(patches: Mapping[str, Mapping[str, Patches]]) -> dict[str, Patches]:
    return {
        f"{kind}/{face}": found for kind, faces in patches.items() for face, found in faces.items()
    }


def _check_face(kind: str, face: str, known: Kind) -> None:
    if face not in known.faces:
        raise ConfigError(
            say(
                "face {face} of {kind}: expected one of {faces}",
                face=face,
                kind=kind,
                faces=", ".join(known.faces),
            )
        )


def _check_patches(name: str, patches: Patches) -> None:
    is_bytes = patches.dtype == np.uint8 and patches.ndim == 4
    shape = patches.shape[1:]
    if not is_bytes or shape[0] != shape[1] or shape[0] < LEAST_PX or shape[2] != 3:
        raise ConfigError(
            say(
                "{name}: expected square colour pictures of bytes, got {shape} {dtype}",
                name=name,
                shape=patches.shape,
                dtype=patches.dtype,
            )
        )
    if not len(patches):
        raise ConfigError(say("{name}: expected at least one picture, got none", name=name))
