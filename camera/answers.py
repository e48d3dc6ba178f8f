"""Answers of the table as pictures that are learnt: few enough, never half-written, nor lost."""

import os
import shutil
import tempfile
from pathlib import Path

import cv2
import numpy as np

from camera.canvas import Pixels
from camera.dice_sets import (
    PATCHES_FILE,
    SET_FILE,
    DiceLooks,
    Kind,
    load_if_any,
    load_kinds,
    save,
    save_kinds,
    with_faces,
)
from companion.errors import ConfigError

BOTH_FILE = "both.toml"  # kinds of the old set and the new one
BEFORE = "before"  # folder in a set's own, for the set that was there before it was learnt anew
MOST = 40  # pictures of a face; more make reading slower, and hardly better
TAUGHT = 16  # the first so many are never dropped: somebody has shown them on purpose


def with_answer(looks: DiceLooks, kind: str, face: str, patch: Pixels) -> DiceLooks:
    """Learn one more picture of a face; from MOST on the oldest answer goes for it."""
    known = looks.patches.get(kind, {}).get(face)
    if known is not None and known.shape[1] != patch.shape[0]:
        side_px = known.shape[1]
        patch = np.asarray(cv2.resize(patch, (side_px, side_px)), np.uint8)
    if known is not None and len(known) >= MOST:
        fewer = np.concatenate([known[:TAUGHT], known[len(known) - MOST + TAUGHT + 1 :]])
        faces = {**looks.patches[kind], face: fewer}
        looks = DiceLooks(looks.kinds, {**looks.patches, kind: faces})
    return looks.with_patch(kind, face, patch)


def keep(looks: DiceLooks, folder: Path) -> None:
    """Write a learnt set so that a power cut leaves the old one or the new one.

    At every moment the kinds name all faces of which there are pictures.
    Raises OSError where that cannot be written; the old set stays.
    """
    folder.mkdir(parents=True, exist_ok=True)
    half = Path(tempfile.mkdtemp(prefix=".learning-", dir=folder))
    try:
        save(looks, half)
        save_kinds(with_faces(_kinds_in(folder), looks.kinds), half / BOTH_FILE)
        steps = ((BOTH_FILE, SET_FILE), (PATCHES_FILE, PATCHES_FILE), (SET_FILE, SET_FILE))
        for name, _ in steps:
            _write_out(half / name)
        for name, place in steps:
            (half / name).replace(folder / place)
    finally:
        shutil.rmtree(half, ignore_errors=True)


def replace(looks: DiceLooks, folder: Path) -> Path | None:
    """Write a set that was learnt anew; give the folder where the one before lies now, if any did.

    Whoever learns anew may do so worse, and answers of the table are learnt into sets.
    Raises OSError where that cannot be written; then all is as it was.
    """
    old = _set_in(folder)
    if old is None or old == looks:
        keep(looks, folder)
        return None
    aside = Path(tempfile.mkdtemp(prefix=".before-", dir=folder))
    try:
        keep(old, aside)
        keep(looks, folder)
        shutil.rmtree(folder / BEFORE, ignore_errors=True)
        return aside.rename(folder / BEFORE)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _set_in(folder: Path) -> DiceLooks | None:
    try:
        return load_if_any(folder)
    except ConfigError:  # damaged: it is of no use to anybody
        return None


def _kinds_in(folder: Path) -> dict[str, Kind]:
    try:
        return load_kinds(folder / SET_FILE)
    except ConfigError:
        return {}


def _write_out(path: Path) -> None:
    """Wait until the disk has it: else a power cut may leave the new name without its content."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())
