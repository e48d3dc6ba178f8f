"""What a table's cameras see now, with what was read drawn on it; drawn once for all who look."""

import threading
from typing import Any, NamedTuple

from companion.sensing import Watching
from companion.words import listed, say, word

Camera = Watching[Any]


class LivePicture(NamedTuple):
    """A picture as JPEG: `tag` tells it from the others, `at_s` is when it was taken."""

    tag: str
    at_s: float
    jpeg: bytes


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
        tag = f"{live.at_s:.3f}/{live.states}"
        with self._lock:
            drawn = self._drawn.get(name)
            if drawn is None or drawn.tag != tag:
                drawn = self._drawn[name] = LivePicture(tag, live.at_s, live.draw())
            return drawn


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
