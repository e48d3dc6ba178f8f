"""`companion enrol --camera`: ask for each face in front of a camera that stays as it is.

What is learnt under one exposure and white balance must not drift while it is: the camera is held
to what the table's was locked to where it is the same one, else to what it finds before the first
picture. `--camera simulated` shows the same dialogue, with a hand that lays drawn dice down.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rich.console import Console

from camera.canvas import Pixels
from camera.enrol_dice import Teacher
from camera.locks import set_up, values_beside
from camera.pictures import load_picture
from camera.shown import has_moved
from camera.steady import SteadyCamera, opener
from companion.camera_command import SETTINGS, latest
from companion.clock import Clock, RealClock
from companion.config import CameraSettings, load_config
from companion.enrolling import A_FACE, finish
from companion.errors import ConfigError
from companion.looking import SIMULATED, is_of_table
from companion.reading import make_folder
from companion.setting_up_faces import SimulatedHandOver

OPEN_S = 5.0  # so long a camera may take until its first picture
LOOKS = 20  # so often it is looked whether everything lies still, about two seconds
Face = tuple[str, str]


def enrol_live(
    to: Path,
    device: str,
    kinds: Sequence[str],
    console: Console,
    *,
    empty: str | None = None,
    as_json: bool = False,
) -> None:
    """Ask for each face in front of a camera, and save the set."""
    wanted = list(dict.fromkeys(faces_wanted(kinds)))
    if device == SIMULATED:
        shows, bare = simulated_hand(wanted)
        make_folder(to)
        teacher = _taught(wanted, Teacher(bare), shows, console)
        finish(teacher.learnt(wanted), to, teacher.skipped, console, as_json=as_json)
        return
    clock = RealClock()
    settings = load_config(SETTINGS if SETTINGS.is_file() else None).camera
    make_folder(to)
    values = locked_values(device, settings, clock, console)
    teacher = Teacher(empty_picture(device, settings, empty))
    with SteadyCamera(f"camera {device}", opener(device, clock, values), clock) as camera:
        camera.frame(OPEN_S)
        _taught(wanted, teacher, lambda _: _still(camera), console, camera.advice)
    finish(teacher.learnt(wanted), to, teacher.skipped, console, as_json=as_json)


def locked_values(
    device: str, settings: CameraSettings, clock: Clock, console: Console
) -> dict[str, float]:
    """What a camera is to be held to; empty for one of which nothing can be set.

    Raises DeviceError where there is no such camera, ConfigError for a name of none.
    """
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
    return values_beside(settings.empty) if is_of_table(device, settings) else {}


def empty_picture(device: str, settings: CameraSettings, named_one: str | None) -> Pixels | None:
    """The tray without dice: what was named, else that of the table where it is its camera."""
    if named_one is not None:
        return load_picture(named_one)
    is_there = is_of_table(device, settings) and Path(settings.empty).is_file()
    return load_picture(settings.empty) if is_there else None


def _told(values: dict[str, float]) -> str:
    told = (f"{name.replace('_', ' ')} {value:g}" for name, value in values.items())
    return ", ".join(told) or "nothing: this camera cannot be set"


def _taught(
    wanted: Sequence[Face],
    teacher: Teacher,
    shows: Callable[[Face], Pixels | None],
    console: Console,
    advice: Callable[[], str] = str,
) -> Teacher:
    """Show a teacher pictures of every face until there are enough of use.

    shows  gives a picture of a face that lies there now; None while something moves.
    """
    before: Pixels | None = None
    for place, (kind, face) in enumerate(wanted, start=1):
        console.print(f"{kind} {face}, face {place} of {len(wanted)}", style="bold", markup=False)
        taken = 0
        while taken < A_FACE:
            how = "lay one die alone into the tray" if taken == 0 else "turn it, lay it elsewhere"
            console.input(f"  picture {taken + 1} of {A_FACE}: {how}; then press Enter ")
            now = shows((kind, face))
            why = _of_no_use(before, now)
            if now is not None and not why:
                before = now
                if teacher.show(kind, face, now, f"picture {taken + 1} of {kind} {face}"):
                    taken += 1
                else:
                    why = teacher.skipped.pop()
            for line in filter(None, (why, advice())):
                console.print(f"  {line}", style="yellow", markup=False, soft_wrap=True)
    return teacher


def _of_no_use(before: Pixels | None, now: Pixels | None) -> str:
    """Why nothing can be learnt from a picture, in words; "" if something can."""
    if now is None:
        return "something moves in the picture: take your hands away, and press Enter again"
    if before is not None and not has_moved(before, now):
        return "nothing has changed since the last picture: turn the die, or lay it elsewhere"
    return ""


def _still(camera: SteadyCamera) -> Pixels | None:
    """A picture that was begun after this call and in which nothing moves, if there is one soon."""
    before = _newest(camera)
    for _ in range(LOOKS):
        now = _newest(camera)
        if not has_moved(before, now):
            return now
        before = now
    return None


def _newest(camera: SteadyCamera) -> Pixels:
    """A picture that was begun after this call."""
    camera.frame()
    camera.frame()  # the first may wait here since before, the next may have been on its way
    return camera.frame().pixels


def simulated_hand(wanted: Sequence[Face]) -> tuple[Callable[[Face], Pixels], Pixels]:
    """What lays simulated dice down and takes their pictures; and their tray without dice.

    Raises ConfigError for a face that no die of the main game shows.
    """
    from companion.games import GAMES
    from companion.players import some_players
    from companion.referee import Referee

    game = GAMES["troll_and_dragon"]
    hand = SimulatedHandOver("dice", Referee(game, some_players(2), game.options()).table)
    subject = hand.subject()
    for face in wanted:
        if face not in subject.faces:
            known = ", ".join(" ".join(one) for one in subject.faces)
            raise ConfigError(f"--kind: expected some of {known}, got {' '.join(face)}")
    return hand.show, hand.empty()


def faces_wanted(kinds: Sequence[str]) -> Iterator[Face]:
    """Kind and face, from `white=troll,key` and the like; raises ConfigError for anything else."""
    for listed in kinds:
        kind, _, faces = listed.partition("=")
        names = [face.strip() for face in faces.split(",") if face.strip()]
        if not kind.strip() or not names:
            raise ConfigError(
                f"--kind: expected KIND=FACE,FACE such as white=troll,key, got {listed!r}"
            )
        yield from ((kind.strip(), face) for face in dict.fromkeys(names))
