"""`companion camera`: what it sees, live; or one picture, and where the zones lie in it."""

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands import ERR, OUT, examples
from companion.config import CameraSettings
from companion.live_view import set_option, settings_option, source_argument, watch_live
from companion.looking import SIMULATED, as_at_table, camera_settings, dice_told
from companion.words import say

if TYPE_CHECKING:
    from camera.calibrate import Zone
    from camera.source import Frame
    from camera.steady import Camera


# fmt: off
@click.command(epilog=examples("camera", "camera clip.avi --set grotto", "camera --json --frames 9",
                               "camera --picture zones.png", "camera --empty"))
@source_argument
@set_option
@settings_option
@click.option("--device", help="The same as SOURCE.")
@click.option("--frames", type=click.IntRange(1), help="End after so many frames; for scripts.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON line for each frame.")
@click.option("--zones", is_flag=True, help="Only tell where the zones lie.")
@click.option("--picture", type=click.Path(dir_okay=False, path_type=Path),
              help="Only take a picture, and write it here with the zones drawn into it.")
@click.option("--empty", is_flag=True,
              help="Only take the picture of the empty trays, and lock the camera as it is.")
# fmt: on
def camera(
    source: str | None, learnt: Path | None, config_path: Path | None, device: str | None,
    frames: int | None, as_json: bool, zones: bool, picture: Path | None, empty: bool,
) -> None:  # fmt: skip
    """Show live what the camera sees: zones, dice, how sure, and how the camera fares.

    SOURCE is a camera such as /dev/video0, a clip, a folder of pictures, or `simulated`. Default:
    that of the settings, else the first camera, or simulated trays where there is none. Ends with
    Ctrl-C. With --zones or --picture it takes one picture instead, and measures the dice in it;
    with --empty it lets the camera find exposure, white balance and focus, and locks them.
    """
    if source and device:
        raise click.UsageError(f"expected one camera, got {source} and --device {device}")
    settings = camera_settings(config_path)
    named = source or device
    if zones or picture or empty:
        look_through(settings, named, picture, keeps_empty=empty)
        return
    looked_at = as_at_table(named, learnt, settings)
    ERR.print(f"reading {dice_told(*looked_at)}", markup=False, soft_wrap=True)
    watch_live(*looked_at, frames, as_json=as_json)


def look_through(
    settings: CameraSettings, device: str | None, picture: Path | None, *, keeps_empty: bool
) -> None:
    """Take a picture, tell of it, and keep it as was asked; DeviceError where none comes."""
    from camera.die_size import die_px_in
    from camera.pictures import save_picture
    from camera.zone_drawing import draw_zones
    from companion.tray_zones import WHOLE, zone_in

    name = camera_named(settings, device)
    values, frame = None, one_picture(name)
    if keeps_empty:
        check_empty(settings, name, frame)  # before anything is locked to what it shows
        values, frame = set_up_camera(name)
    height, width = frame.pixels.shape[:2]
    OUT.print(f"{name}: pictures of {width} x {height} pixels", markup=False, soft_wrap=True)
    zones = [zone_in((width, height), one, settings) for one in settings.zones or (WHOLE,)]
    for zone in zones:
        OUT.print(zone_told(settings, zone), markup=False, soft_wrap=True)
    seen_px = None if keeps_empty else die_px_in(frame.pixels)
    if seen_px is not None:
        OUT.print(f"dice that lie here now: about {seen_px:.0f} pixels wide (die_px)", markup=False)
    if keeps_empty:
        keep_empty(settings, name, frame, values)
    if picture is not None:
        save_picture(picture, draw_zones(frame.pixels, zones))
        OUT.print(f"{picture}: what the camera sees", markup=False, soft_wrap=True)


def camera_named(settings: CameraSettings, device: str | None) -> str:
    """The camera to take a picture with; ConfigError where none is named, or one of no pictures."""
    from companion.errors import ConfigError

    name = device or settings.device
    if name == SIMULATED:
        raise ConfigError(
            f"--zones, --picture, --empty: expected a camera, a clip or a folder of pictures, "
            f"got {SIMULATED}; without them it is shown live"
        )
    if not name:
        raise ConfigError("[camera] device: expected a camera; name one here or with --device")
    return name


def zone_told(settings: CameraSettings, zone: "Zone") -> str:
    """Where a zone lies in the picture, and how many dice wide it is."""
    from companion.tray_zones import zone_has_size

    across, down = zone.size_sides
    corners = " ".join(f"({x:.0f}, {y:.0f})" for x, y in zone.corners)
    size = f"{across:.1f} x {down:.1f} dice"
    is_known = zone_has_size(settings, zone.name)
    told = size if is_known else "as large as its first dice will tell"
    return f"zone {zone.name}: {told}, between {corners}"


def one_picture(device: str) -> "Frame":
    """A picture of a camera that has got used to the light; DeviceError says why there is none."""
    eye = opened_eye(device)
    try:
        return latest(eye)
    finally:
        eye.close()


def keep_empty(
    settings: CameraSettings, name: str, frame: "Frame", values: dict[str, float] | None
) -> None:
    """Keep a picture of the empty trays, and what the camera was locked to; PictureError if not."""
    from camera.locks import file_beside, save_values
    from camera.pictures import save_picture

    check_empty(settings, name, frame)
    if values is not None:
        path = file_beside(settings.empty)
        save_values(values, path)
        OUT.print(f"{path}: locked {values_told(values)}", markup=False, soft_wrap=True)
    save_picture(settings.empty, frame.pixels)
    OUT.print(f"{settings.empty}: the trays without dice", markup=False, soft_wrap=True)


def check_empty(settings: CameraSettings, name: str, frame: "Frame") -> None:
    """Raise PictureError for a picture of the trays that shows dice."""
    from camera.dice_sets import load_if_any
    from camera.left_in import check_bare

    check_bare(frame.pixels, name, load_if_any(Path(settings.looks)))


def values_told(values: dict[str, float]) -> str:
    """What a camera was locked to, in English."""
    told = (f"{name.replace('_', ' ')} {value:g}" for name, value in values.items())
    return ", ".join(told) or "nothing: this camera cannot be set"


def set_up_camera(device: str) -> "tuple[dict[str, float] | None, Frame]":
    """Lock what a camera finds by itself, None where nothing can be set; what it sees then."""
    eye = opened_eye(device)
    try:
        return locked_by(eye), latest(eye)
    finally:
        eye.close()


def locked_by(eye: "Camera") -> dict[str, float] | None:
    """Lock what an open camera finds by itself; None where nothing can be set, as at a clip."""
    from camera.locks import set_up

    controls = getattr(eye, "controls", None)
    if controls is None:
        return None
    controls.free()
    latest(eye)
    return set_up(controls)


def opened_eye(device: str) -> "Camera":
    """Open a camera or a recording; ConfigError names the setting that is wrong."""
    from camera.replay import opened
    from companion.clock import RealClock
    from companion.errors import ConfigError

    try:
        return opened(device, RealClock())()
    except ConfigError as error:
        raise ConfigError(say("{place}: {why}", place="[camera] device", why=error)) from error


def latest(eye: "Camera") -> "Frame":
    """The picture that comes once the camera has got used to the light."""
    from camera.health import CameraTrouble
    from camera.steady import USED_TO_LIGHT

    frame = eye.read()
    with contextlib.suppress(CameraTrouble):  # a recording may be shorter
        for _ in range(USED_TO_LIGHT):
            frame = eye.read()
    return frame
