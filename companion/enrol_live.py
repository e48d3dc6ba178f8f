"""`companion enrol --camera`: ask for each face in front of a camera that stays as it is.

What is learnt under one exposure and white balance must not drift while it is: the camera is held
to what the table's was locked to where it is the same one, else to what it finds before the first
picture.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from camera.enrol_dice import Teacher
from camera.locks import file_beside, load_values, set_up
from camera.steady import SteadyCamera, opener
from companion.camera_command import SETTINGS, latest
from companion.clock import Clock, RealClock
from companion.config import CameraSettings, load_config
from companion.enrolling import A_FACE, finish
from companion.errors import ConfigError

if TYPE_CHECKING:
    from camera.source import Frame

OPEN_S = 5.0  # so long a camera may take until its first picture


def enrol_live(
    to: Path, device: str, kinds: Sequence[str], console: Console, *, as_json: bool
) -> None:
    """Ask for each face in front of a camera, and save the set."""
    wanted, clock = list(faces_wanted(kinds)), RealClock()
    values = locked_values(device, clock, console)
    teacher = Teacher()
    with SteadyCamera(f"camera {device}", opener(device, clock, values), clock) as camera:
        camera.frame(OPEN_S)
        for kind, face in wanted:
            _take(teacher, camera, kind, face, console)
    finish(teacher.learnt(wanted), to, (), console, as_json=as_json)


def locked_values(device: str, clock: Clock, console: Console) -> dict[str, float]:
    """What a camera is to be held to; empty for one of which nothing can be set.

    Raises DeviceError where there is no such camera, ConfigError for a name of none.
    """
    settings = load_config(SETTINGS if SETTINGS.is_file() else None).camera
    if values := table_values(device, settings):
        console.print(f"locked as the table's camera: {_told(values)}", markup=False)
        return values
    eye = opener(device, clock)()
    try:
        controls = getattr(eye, "controls", None)
        if controls is None:
            return {}
        controls.free()
        latest(eye)
        values = set_up(controls)
    finally:
        eye.close()
    console.print(f"locked {_told(values)}", markup=False)
    return values


def table_values(device: str, settings: CameraSettings) -> dict[str, float]:
    """What the table's camera was locked to; empty where this is another one, or it was not."""
    if not settings.device or named(device) != named(settings.device):
        return {}
    return load_values(file_beside(settings.empty))


def named(device: str) -> str:
    """One name for a camera, however it is called: a link of /dev/v4l/by-id is followed."""
    path = f"/dev/video{device}" if device.isdigit() else device
    return str(Path(path).resolve()) if path.startswith("/") else path


def _told(values: dict[str, float]) -> str:
    told = (f"{name.replace('_', ' ')} {value:g}" for name, value in values.items())
    return ", ".join(told) or "nothing: this camera cannot be set"


def _take(teacher: Teacher, camera: SteadyCamera, kind: str, face: str, console: Console) -> None:
    """Take pictures of one face until there are enough of use."""
    taken = 0
    while taken < A_FACE:
        told = f"{kind}: lay one die with {face} up, turned otherwise ({taken + 1} of {A_FACE})"
        console.input(f"{told}, then press Enter ", markup=False)
        if teacher.show(kind, face, _newest(camera).pixels, f"{kind} {face}"):
            taken += 1
        else:
            console.print(teacher.skipped.pop(), style="yellow", markup=False)
        if advice := camera.advice():
            console.print(advice, style="yellow", markup=False)


def _newest(camera: SteadyCamera) -> "Frame":
    """A picture that was begun after this call."""
    camera.frame()
    camera.frame()  # the first may wait here since before, the next may have been on its way
    return camera.frame()


def faces_wanted(kinds: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Kind and face, from `white=troll,key` and the like; raises ConfigError for anything else."""
    for listed in kinds:
        kind, _, faces = listed.partition("=")
        names = [face.strip() for face in faces.split(",") if face.strip()]
        if not kind or not names:
            raise ConfigError(
                f"--kind: expected KIND=FACE,FACE such as white=troll,key, got {listed!r}"
            )
        yield from ((kind.strip(), face) for face in dict.fromkeys(names))
