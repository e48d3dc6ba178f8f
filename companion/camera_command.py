"""`companion camera`: does the camera over the trays give pictures, and where do the zones lie?"""

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands import OUT, examples
from companion.config import CameraSettings

if TYPE_CHECKING:
    from camera.source import Frame

USED_TO_LIGHT = 15  # pictures, half a second
SETTINGS = Path("companion.toml")


@click.command(
    epilog=examples(
        "camera --device 0 --picture tray.png", "camera --picture zones.png", "camera --empty"
    )
)
@click.option("--config", "config_path",
              type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Settings file. Default: companion.toml in this folder.")  # fmt: skip
@click.option("--device", help="Camera, clip or folder. Default: that of the settings.")
@click.option("--picture", type=click.Path(dir_okay=False, path_type=Path),
              help="File for a picture with the zones drawn into it.")  # fmt: skip
@click.option("--empty", is_flag=True, help="Keep the picture as that of the empty trays.")
def camera(config_path: Path | None, device: str | None, picture: Path | None, empty: bool) -> None:
    """Take one picture with the camera over the trays, and say where its zones lie in it."""
    from companion.config import load_config

    path = config_path or (SETTINGS if SETTINGS.is_file() else None)
    look_through(load_config(path).camera, device, picture, keeps_empty=empty)


def look_through(
    settings: CameraSettings, device: str | None, picture: Path | None, *, keeps_empty: bool
) -> None:
    """Take a picture, tell of it, and keep it as was asked; DeviceError where none comes."""
    from camera.pictures import save_picture
    from camera.zone_drawing import draw_zones
    from companion.errors import ConfigError
    from companion.tray_zones import WHOLE, zone_in

    name = device or settings.device
    if not name:
        raise ConfigError("[camera] device: expected a camera; name one here or with --device")
    frame = one_picture(name)
    height, width = frame.pixels.shape[:2]
    OUT.print(f"{name}: pictures of {width} x {height} pixels", markup=False, soft_wrap=True)
    zones = [zone_in((width, height), one, settings) for one in settings.zones or (WHOLE,)]
    for zone in zones:
        across, down = zone.size_sides
        corners = " ".join(f"({x:.0f}, {y:.0f})" for x, y in zone.corners)
        is_known = zone_has_size(settings, zone.name)
        size = f"{across:.1f} x {down:.1f} dice" if is_known else "no die_px yet"
        OUT.print(f"zone {zone.name}: {size}, between {corners}", markup=False, soft_wrap=True)
    if keeps_empty:
        save_picture(settings.empty, frame.pixels)
        OUT.print(f"{settings.empty}: the trays without dice", markup=False, soft_wrap=True)
    if picture is not None:
        save_picture(picture, draw_zones(frame.pixels, zones))
        OUT.print(f"{picture}: what the camera sees", markup=False, soft_wrap=True)


def one_picture(device: str) -> "Frame":
    """A picture of a camera that has got used to the light; DeviceError says why there is none."""
    from camera.health import CameraTrouble
    from camera.replay import opened
    from companion.clock import RealClock
    from companion.errors import ConfigError

    try:
        opens = opened(device, RealClock())
    except ConfigError as error:
        raise ConfigError(f"[camera] device: {error}") from error
    eye = opens()
    try:
        frame = eye.read()
        with contextlib.suppress(CameraTrouble):  # a recording may be shorter
            for _ in range(USED_TO_LIGHT):
                frame = eye.read()
    finally:
        eye.close()
    return frame


def zone_has_size(settings: CameraSettings, name: str) -> bool:
    """True if the settings say how many dice wide a zone is."""
    zone = settings.zones.get(name)
    return bool(settings.die_px or (zone is not None and zone.sides))
