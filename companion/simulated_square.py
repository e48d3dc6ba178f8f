"""The square of tiles in the simulated room: its camera, and the hands that keep it in order.

People turn a tile up; whatever the rules make of it, their hands do afterwards: they cover, take
away and move tiles until the square looks as the table says.
"""

import functools
from collections.abc import Collection
from typing import Protocol

from camera.dice_sets import DiceLooks
from camera.simulated_square import SimulatedSquare
from camera.tiles import TileWatcher
from camera.tiles_looks import enrol_simulated_tiles
from companion.config import CameraSettings
from companion.inbox import Inbox
from companion.learning import Learner
from companion.sensing import Asks, TileSensor
from companion.sensor_rows import source_of
from companion.table import Table
from companion.tray_zones import zone_in


class Tiles(Protocol):
    """What a table with a square of tiles tells of it."""

    columns: int
    squares: tuple[str, ...]
    tiles: dict[str, str | None]
    up: dict[str, str]


class SquareInRoom:
    """Tiles, camera and hands of one simulated table that has a square of tiles.

    settings  where people have set the corners of the square, in place of where they are.
    """

    def __init__(
        self,
        table: Tiles,
        inbox: Inbox,
        ask: Asks,
        seed: int,
        settings: CameraSettings | None = None,
    ) -> None:
        self.tray = SimulatedSquare(seed=seed, columns=table.columns)
        zone, empty = self.tray.zones()["square"], self.tray.empty()
        if settings is not None:
            zone = zone_in(zone.picture_px, "square", settings)
        self.tray.lay(table.up, [square for square, tile in table.tiles.items() if tile is None])
        watcher = TileWatcher(zone, enrolled(), empty, columns=table.columns)
        self.camera = TileSensor(watcher, table.squares, inbox, ask)
        source = source_of(watcher.name)
        ask.learners[source] = Learner(enrolled(), None, self.camera.relearn)

    def is_at_rest(self, now_s: float) -> bool:
        """True if no hand moves, and the camera has seen how everything lies."""
        has_looked = bool(self.camera.watchers[0].lies)
        return has_looked and now_s >= self.tray.quiet_after_s() and self.camera.is_quiet

    def lets_turn_up(self, square: str, now_s: float) -> bool:
        """True if a hand may turn up the tile there now; one that was put back is laid there first.

        The table may await a tile where it knows of a gap: see `TreasureTable.flippable`.
        """
        if not self.is_at_rest(now_s):
            return False
        lies = self.tray.lies()[square]
        if lies == "empty":
            self.tray.put(square, now_s)
        return lies == "covered"

    def tidy(self, table: Tiles, unread: Collection[str], now_s: float) -> None:
        """Let hands do what the table says; tiles that the camera has yet to read stay up."""
        self._move(table, now_s)
        for square, lies in self.tray.lies().items():
            face, is_gap = table.up.get(square), table.tiles[square] is None
            if square in unread:
                continue
            if is_gap and lies != "empty":
                self.tray.take(square, now_s)
            elif not is_gap and lies == "empty":
                self.tray.put(square, now_s)
            elif face is None and lies == "up":
                self.tray.cover(square, now_s)
            if face is not None and lies != "up":
                self.tray.turn_up(square, face, now_s)

    def _move(self, table: Tiles, now_s: float) -> None:
        """Push tiles that lie where a gap should be to where they are missing."""
        lies = self.tray.lies()
        leaving = [s for s in lies if lies[s] != "empty" and table.tiles[s] is None]
        missing = [s for s in lies if lies[s] == "empty" and table.tiles[s] is not None]
        for square, to in zip(leaving, missing, strict=False):
            self.tray.move(square, to, now_s)


@functools.cache
def enrolled() -> DiceLooks:
    """How simulated tiles look, learnt once."""
    return enrol_simulated_tiles()


def has_square(table: Table) -> bool:
    """True for a table with a square of tiles."""
    return all(hasattr(table, name) for name in ("columns", "squares", "tiles", "up"))
