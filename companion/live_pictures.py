"""What a table's cameras see now, with what was read drawn on it; drawn once for all who look."""

import threading
from collections.abc import Iterable
from typing import Any, NamedTuple

from camera.watch import CERTAIN, Reading, Sighting, shown_in
from companion.sensing import Watching
from companion.words import Words, die_name, face_word, listed, say, word

Camera = Watching[Any]


class LivePicture(NamedTuple):
    """A picture as JPEG: `tag` tells it from the others, `at_s` is when it was taken.

    legend  what the numbers on it mean, from 1: which die, and what it shows.
    """

    tag: str
    at_s: float
    jpeg: bytes
    legend: tuple[Words, ...]


class LivePictures:
    """The newest picture of each camera; safe from any thread."""

    def __init__(self) -> None:
        self._drawn: dict[str, LivePicture] = {}
        self._lock = threading.Lock()

    def newest(self, room: object, name: str, *, keeps_secrets: bool) -> LivePicture | None:
        """The newest picture of a camera; None where there is none, or none to be trusted.

        keeps_secrets  what lay open may lie covered now: then an old picture is not shown.
        """
        camera = cameras_of(room).get(name)
        live = None if camera is None else camera.live()
        if camera is None or live is None or (keeps_secrets and camera.is_blind):
            return None
        states = " ".join(sighting.state for sighting in live.seen)
        tag = f"{live.at_s:.3f}/{states}"
        with self._lock:
            drawn = self._drawn.get(name)
            if drawn is None or drawn.tag != tag:
                legend = legend_of(live.seen)
                drawn = self._drawn[name] = LivePicture(tag, live.at_s, live.draw(), legend)
            return drawn


def legend_of(seen: Iterable[Sighting]) -> tuple[Words, ...]:
    """What was read in a picture, die by die, in the order of their numbers."""
    return tuple(told(reading) for sighting in seen for reading in shown_in(sighting))


def told(reading: Reading) -> Words:
    """One die or tile and its face; a face that is not sure is only perhaps there."""
    die = die_name(reading.name) if reading.name else word(reading.kind)
    face = face_word(reading.face)
    if reading.certainty >= CERTAIN:
        return say("{die}: {face}", die=die, face=face)
    return say("{die}: perhaps {face}", die=die, face=face)


def cameras_of(room: object) -> dict[str, Camera | None]:
    """The cameras of a room by name; None for one that has seen nothing yet."""
    trays, square = getattr(room, "trays", None), getattr(room, "square", None)
    found = {"camera": getattr(room, "camera", None)}
    if trays is not None:
        found["trays"] = getattr(trays, "sensor", None)
    if square is not None and hasattr(square, "sensor"):
        found["square"] = square.sensor
    return {
        name: camera if isinstance(camera, Watching) else None
        for name, camera in found.items()
        if name != "camera" or isinstance(camera, Watching)
    }


def camera_rows(room: object) -> list[dict[str, Any]]:
    """The cameras of a room as a page lists them: name and label."""
    rows = []
    for name, camera in cameras_of(room).items():
        zones = [name] if camera is None else [watcher.name for watcher in camera.watchers]
        label = say("Camera, {zone}", zone=listed([word(zone) for zone in zones]))
        rows.append({"name": name, "label": label})
    return rows
