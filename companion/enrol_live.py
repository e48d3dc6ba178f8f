"""`companion enrol --camera`: ask for each face in front of a camera that stays as it is.

What is learnt under one exposure and white balance must not drift while it is: the camera is held
to what the table's was locked to where it is the same one, else to what it finds before the first
picture. `--camera simulated` shows the same dialogue, with a hand that lays drawn dice down.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rich.console import Console

from camera.canvas import Pixels
from camera.dice_sets import DiceLooks
from camera.enrol_dice import Teacher
from camera.locks import values_beside
from camera.pictures import load_picture
from camera.shown import has_moved
from camera.steady import SteadyCamera, opener
from companion.camera_command import locked_by, values_told
from companion.clock import Clock, RealClock
from companion.config import CameraSettings
from companion.enrol_taken import Taken
from companion.enrolling import A_FACE, finish
from companion.errors import ConfigError
from companion.looking import SIMULATED, camera_settings, is_of_table
from companion.reading import folder_for
from companion.setting_up_faces import SimulatedHandOver
from companion.watching import counted

OPEN_S = 5.0  # so long a camera may take until its first picture
BACK = "back"  # typed instead of Enter alone
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
    taken = Taken(to, device, wanted)
    if device == SIMULATED:
        shows, bare = simulated_hand(wanted)
        with folder_for(to), told_what_is_kept(taken, console):
            lesson = Lesson(Teacher(bare), taken, shows, console)
            finish(lesson.teach(wanted), to, lesson.skipped, console, as_json=as_json)
        taken.end()
        return
    clock = RealClock()
    settings = camera_settings()
    with folder_for(to), told_what_is_kept(taken, console):
        taken.values = locked_values(device, settings, clock, console, taken.values)
        teacher = Teacher(empty_picture(device, settings, empty))
        opens = opener(device, clock, taken.values)
        with SteadyCamera(f"camera {device}", opens, clock) as camera:
            camera.frame(OPEN_S)
            lesson = Lesson(teacher, taken, lambda _: _still(camera), console, camera.advice)
            looks = lesson.teach(wanted)
        finish(looks, to, lesson.skipped, console, as_json=as_json)
    taken.end()


@contextlib.contextmanager
def told_what_is_kept(taken: Taken, console: Console) -> Iterator[None]:
    """Say what was taken already, at the beginning and where it ends too early."""

    def tell(words: str) -> None:
        if taken:
            told = f"{counted(len(taken), 'picture')} in {taken.folder}"
            console.print(words.format(told), markup=False, soft_wrap=True)

    tell("going on with {}; remove it to begin anew")
    try:
        yield
    except BaseException:  # Ctrl-C, too
        tell("\nkept: {}; the same command goes on from there")
        raise


def locked_values(
    device: str,
    settings: CameraSettings,
    clock: Clock,
    console: Console,
    before: dict[str, float],
) -> dict[str, float]:
    """What a camera is to be held to; empty for one of which nothing can be set.

    before  what it was held to for pictures that were taken already.
    Raises DeviceError where there is no such camera, ConfigError for a name of none.
    """
    if before:
        console.print(f"locked as before: {values_told(before)}", markup=False)
        return before
    if values := table_values(device, settings):
        console.print(f"locked as the table's camera: {values_told(values)}", markup=False)
        return values
    eye = opener(device, clock)()
    try:
        locked = locked_by(eye)
    finally:
        eye.close()
    if locked is None:
        return {}
    console.print(f"locked {values_told(locked)}", markup=False)
    return locked


def table_values(device: str, settings: CameraSettings) -> dict[str, float]:
    """What the table's camera was locked to; empty where this is another one, or it was not."""
    return values_beside(settings.empty) if is_of_table(device, settings) else {}


def empty_picture(device: str, settings: CameraSettings, named_one: str | None) -> Pixels | None:
    """The tray without dice: what was named, else that of the table where it is its camera."""
    if named_one is not None:
        return load_picture(named_one)
    is_there = is_of_table(device, settings) and Path(settings.empty).is_file()
    return load_picture(settings.empty) if is_there else None


class Lesson:
    """Shows a teacher pictures of every face until there are enough of use.

    taken  keeps them meanwhile; what it has kept before is shown first.
    shows  gives a picture of a face that lies there now; None while something moves.
    """

    def __init__(
        self,
        teacher: Teacher,
        taken: Taken,
        shows: Callable[[Face], Pixels | None],
        console: Console,
        advice: Callable[[], str] = str,
    ) -> None:
        self._teacher, self._taken, self._shows = teacher, taken, shows
        self._console, self._advice = console, advice
        self._before: Pixels | None = None

    @property
    def skipped(self) -> list[str]:
        """Which pictures were of no use, and why."""
        return self._teacher.skipped

    def teach(self, wanted: Sequence[Face]) -> DiceLooks:
        """Ask for all these faces, and give what was learnt."""
        for place, (kind, face) in enumerate(wanted, start=1):
            told = f"{kind} {face}, face {place} of {len(wanted)}"
            self._console.print(told, style="bold", markup=False)
            number = self._taken.show(self._teacher, kind, face)
            while number < A_FACE:
                number += self._taught(kind, face, number)
        return self._teacher.learnt(wanted)

    def _taught(self, kind: str, face: str, number: int) -> int:
        """Ask for one more picture of a face; how many more there are, -1 for one taken back."""
        if self._asks_back(number):
            if number:
                self._taken.take_back(self._teacher, kind, face)
                self._before = None
            return -min(1, number)
        now = self._shows((kind, face))
        why = _of_no_use(self._before, now)
        is_of_use = False
        if now is not None and not why:
            self._before = now
            name = f"picture {number + 1} of {kind} {face}"
            is_of_use = self._teacher.show(kind, face, now, name)
            if is_of_use:
                self._taken.keep(kind, face, now)
            else:
                why = self.skipped.pop()
        for line in filter(None, (why, self._advice())):
            self._console.print(f"  {line}", style="yellow", markup=False, soft_wrap=True)
        return int(is_of_use)

    def _asks_back(self, number: int) -> bool:
        """Wait for Enter; True if somebody wants the last picture taken again."""
        how = "turn it, lay it elsewhere" if number else "lay one die alone into the tray"
        back = f" ({BACK}: the last again)" if number else ""
        said = self._console.input(
            f"  picture {number + 1} of {A_FACE}: {how}; then press Enter{back} "
        )
        return said.strip().lower() == BACK


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
        for name in (kind.strip(), *names):
            if not set(name) - {"."} or set(name) & set("/\\"):
                raise ConfigError(f"--kind: expected names without / and \\, got {name!r}")
        yield from ((kind.strip(), face) for face in dict.fromkeys(names))
