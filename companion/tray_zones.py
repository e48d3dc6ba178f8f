"""Which dice are watched where: the zones of `[camera]`, checked and laid on a picture.

How large a zone is in dice is told by its `sides`, or by `die_px`; where nobody has said either, it
is guessed, and whoever watches the tray learns it from the first dice that lie there.
"""

from collections.abc import Collection

from camera.calibrate import Zone
from companion.config import CameraSettings, ZoneSettings
from companion.dice import DiceSet
from companion.errors import ConfigError
from companion.words import say

WHOLE = "tray"  # the zone where the settings name none
ANY_PX = (100_000, 100_000)  # of a picture that nobody has seen yet
GUESSED_ACROSS = 12  # dice side by side across a picture, where nobody has said how large they are
Corners = tuple[tuple[float, float], ...]


def dice_by_zone(
    settings: CameraSettings, dice: DiceSet, wired: Collection[str] = ()
) -> dict[str, tuple[str, ...]]:
    """Which dice each zone watches; those that a receiver reports are left out.

    Raises ConfigError for dice that there are not, dice in two zones, and zones that cannot be.
    """
    free = [die for die in dice if die.name not in wired]
    zones = settings.zones or {WHOLE: ZoneSettings()}
    named = {name: _named(name, zone.dice, dice) for name, zone in zones.items()}
    taken: dict[str, str] = {}
    for name, names in named.items():
        for die in sorted(names):
            if die in taken:
                raise ConfigError(
                    say(
                        "[camera.zones] {name}: expected every die in one zone, got {die} in "
                        "{other} too; name it once",
                        name=name,
                        die=die,
                        other=taken[die],
                    )
                )
            taken[die] = name
    found: dict[str, tuple[str, ...]] = {}
    for name, zone in zones.items():
        if settings.zones:
            zone_in(ANY_PX, name, settings)
        mine = [d.name for d in free if d.name in named[name]] if zone.dice else [
            d.name for d in free if d.name not in taken
        ]  # fmt: skip
        if mine:
            found[name] = tuple(mine)
    return found


def _named(zone: str, words: tuple[str, ...], dice: DiceSet) -> set[str]:
    """Dice by kind or name."""
    kinds = dice.kinds()
    found: set[str] = set()
    for word in words:
        mine = {die.name for die in kinds.get(word, ())} or ({word} if word in dice else set())
        if not mine:
            raise ConfigError(
                say(
                    "[camera.zones] {zone}: dice: expected kinds ({kinds}) or names of dice of "
                    "this game, got {got!r}",
                    zone=zone,
                    kinds=", ".join(kinds) or "none",
                    got=word,
                )
            )
        found |= mine
    return found


def zone_has_size(settings: CameraSettings, name: str) -> bool:
    """True if the settings say how many dice wide a zone is."""
    zone = settings.zones.get(name)
    return bool(settings.die_px or (zone is not None and zone.sides))


def zone_in(picture_px: tuple[int, int], name: str, settings: CameraSettings) -> Zone:
    """A zone as it lies in pictures of this size; all of the picture where none is named.

    Its size in dice is a guess unless `zone_has_size`.
    Raises ConfigError for corners that go round no tray, or lie outside the picture.
    """
    zone = settings.zones.get(name, ZoneSettings())
    where = f"[camera.zones] {name}"
    corners = _corners(zone, picture_px, where)
    width, height = picture_px
    out = [(x, y) for x, y in corners if not (0 <= x <= width and 0 <= y <= height)]
    if out:
        raise ConfigError(
            say(
                "{where}: expected corners in a picture of {width} x {height} pixels, got {corner}",
                where=where,
                width=width,
                height=height,
                corner=out[0],
            )
        )
    die_px = max(1.0, settings.die_px or width / GUESSED_ACROSS)
    sides = zone.sides or _sides(corners, die_px)
    try:
        return Zone(name, corners, sides, picture_px)
    except ConfigError as error:
        raise ConfigError(say("{place} {why}", place="[camera.zones]", why=error)) from error


def _corners(zone: ZoneSettings, picture_px: tuple[int, int], where: str) -> Corners:
    if zone.corners and zone.rectangle:
        raise ConfigError(
            say("{where}: expected corners or a rectangle, got both; leave one out", where=where)
        )
    if zone.corners:
        if len(zone.corners) != 4:
            raise ConfigError(
                say(
                    "{where}: corners: expected four such as [[40, 30], [600, 30], [620, 340], "
                    "[20, 340]], got {n}",
                    where=where,
                    n=len(zone.corners),
                )
            )
        return zone.corners
    left, top, width, height = zone.rectangle or (0.0, 0.0, *map(float, picture_px))
    if min(width, height) <= 0:
        raise ConfigError(
            say("{where}: rectangle: expected a width and height above 0", where=where)
        )
    return ((left, top), (left + width, top), (left + width, top + height), (left, top + height))


def _sides(corners: Corners, die_px: float) -> tuple[float, float]:
    """Width and depth in die edges: the middle lines of the outline."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    across = (bx + cx - ax - dx) / 2, (by + cy - ay - dy) / 2
    down = (cx + dx - ax - bx) / 2, (cy + dy - ay - by) / 2
    width, depth = ((x * x + y * y) ** 0.5 / die_px for x, y in (across, down))
    return width, depth
