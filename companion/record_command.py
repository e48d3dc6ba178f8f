"""`companion record`: a clip together with what was read from it, for a report of a fault."""

import shlex
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from companion.clock import Clock, RealClock
from companion.commands import ERR, OUT, examples
from companion.config import CameraSettings
from companion.errors import ConfigError, DeviceError
from companion.live_view import set_option, settings_option, source_argument
from companion.looking import SIMULATED, as_at_table, camera_settings, moments
from companion.protocol import encode
from companion.watching import counted

CLIP, READINGS, VERSIONS = "clip.avi", "readings.jsonl", "versions.json"
SET = "set"  # folder of the learnt set inside
NO_PICTURE_S = 5.0  # so long a camera may be silent before the recording is given up
Taken = tuple[str, Path | None, CameraSettings | None]  # source, learnt set, settings of the table


@click.command(
    epilog=examples("record bug.zip", "record bug.zip /dev/video0 --set grotto --seconds 20")
)
@click.argument("to", metavar="OUT.zip", type=click.Path(dir_okay=False, path_type=Path))
@source_argument
@set_option
@settings_option
@click.option("--seconds", type=click.FloatRange(0.1, 600.0), default=10.0, show_default=True)
@click.option("--exact", is_flag=True, help="Keep every pixel as it was (FFV1); larger.")
def record(
    to: Path, source: str | None, learnt: Path | None, config_path: Path | None, seconds: float,
    exact: bool,
) -> None:  # fmt: skip
    """Keep a clip with its readings, for a report of a fault; Ctrl-C ends it early.

    SOURCE is a camera such as /dev/video0, a clip, a folder of pictures, or `simulated`. Default:
    that of the settings, else the first camera, or simulated trays where there is none. The learnt
    set goes with it, and the picture of the empty trays. Everything in view is recorded: look
    through the clip before you pass it on.
    """
    if to.exists():
        raise ConfigError(f"{to}: expected a new file, found one; name another or remove it")
    if not to.parent.is_dir():
        raise ConfigError(f"{to}: expected a folder that is there, got {to.parent}")
    check_writable(to)
    taken = as_at_table(source, learnt, camera_settings(config_path))
    with tempfile.TemporaryDirectory() as folder:
        code = "FFV1" if exact else "MJPG"
        lines, why_over = keep_clip(Path(folder), taken, seconds, RealClock(), code)
        pack(to, Path(folder), lines, taken)
    tell(to, len(lines), is_drawn=taken[0] == SIMULATED)
    if why_over:
        ERR.print(why_over, markup=False, soft_wrap=True)


def check_writable(to: Path) -> None:
    """Raise ConfigError for a file that cannot be written, before anything is recorded for it."""
    try:
        with tempfile.TemporaryFile(dir=to.parent):
            pass
    except OSError as error:
        raise ConfigError(f"{to}: cannot be written: {error.strerror}; name another") from error


def keep_clip(
    folder: Path, taken: Taken, seconds: float, clock: Clock, code: str
) -> tuple[list[dict[str, Any]], str]:
    """Record a clip; its readings, a line a frame, and why the source is over, if it is.

    Raises DeviceError where no picture comes.
    """
    from camera.folder_times import write_times
    from camera.health import OVER
    from camera.recording import ClipWriter

    name, learnt, settings = taken
    lines: list[dict[str, Any]] = []
    times_s: dict[int, float] = {}
    begin_s, why, why_over = clock.now_s(), "it holds no picture", ""
    with ClipWriter(folder / CLIP, code) as clip:
        try:
            for moment in moments(name, learnt, clock, settings):
                number = None
                if moment.frame is None:
                    why = str(moment.health["why"]) or why
                    if moment.health["state"] == OVER:
                        why_over = why
                        break
                else:
                    begin_s = begin_s if clip.count else clock.now_s()
                    number = clip.write(moment.frame)
                    times_s |= {} if number is None else {number: moment.frame.at_s}
                lines.append({"frame": number, **moment.values()})
                waited_s = clock.now_s() - begin_s
                if waited_s > seconds or (not clip.count and waited_s > NO_PICTURE_S):
                    break
        except KeyboardInterrupt:
            pass  # what there is until now is kept
    if not clip.count:
        raise DeviceError(f"{name}: nothing to record: {why}")
    write_times(folder / CLIP, times_s)
    return lines, why_over


def pack(to: Path, folder: Path, lines: list[dict[str, Any]], taken: Taken) -> None:
    """Put all that a reader needs into one file; nothing half-written is left."""
    from camera.folder_times import times_file
    from companion.bundle import versions

    name, learnt, settings = taken
    about = {"source": name, "set": learnt and str(learnt), "camera": settings}
    half = to.with_name(f"{to.name}.part")
    try:
        with zipfile.ZipFile(half, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.write(folder / CLIP, CLIP, zipfile.ZIP_STORED)
            packed.write(times_file(folder / CLIP), times_file(Path(CLIP)).name)
            packed.writestr(READINGS, b"".join(encode(line) + b"\n" for line in lines))
            packed.writestr(VERSIONS, encode({**about, **versions()}))
            for inside, path in read_with(learnt, settings):
                packed.write(path, inside)
        half.replace(to)
    except OSError as error:
        half.unlink(missing_ok=True)
        raise ConfigError(f"{to}: cannot be written: {error.strerror}") from error


def read_with(learnt: Path | None, settings: CameraSettings | None) -> Iterator[tuple[str, Path]]:
    """What the readings depend on: the learnt set and the empty trays, and what to call them."""
    from camera.dice_sets import PATCHES_FILE, SET_FILE

    if learnt is not None:
        yield from ((f"{SET}/{name}", learnt / name) for name in (SET_FILE, PATCHES_FILE))
    if settings is not None and Path(settings.empty).is_file():
        yield f"empty{Path(settings.empty).suffix}", Path(settings.empty)


def tell(to: Path, count: int, *, is_drawn: bool) -> None:
    """List what is inside, and how to play it again; drawn trays alone know their dice."""
    OUT.print(f"{to}: {counted(count, 'moment')}", markup=False, soft_wrap=True)
    with zipfile.ZipFile(to) as packed:
        for part in packed.infolist():
            OUT.print(f"  {part.filename:16} {part.file_size:>10} bytes", markup=False)
        names = packed.namelist()
    if is_drawn:
        OUT.print(f"Readings: {READINGS}; no learnt set fits the drawn dice of the clip")
        return
    folder = to.with_suffix("") if to.suffix else to.with_name(f"{to.name}-parts")
    unzip = ["unzip", str(to), "-d", str(folder)]
    watch = ["companion", "watch", str(folder / CLIP)]
    if any(name.startswith(f"{SET}/") for name in names):
        watch += ["--set", str(folder / SET)]
    for name in names:
        watch += ["--empty", str(folder / name)] if name.startswith("empty") else []
    replay = f"Replay: {shlex.join(unzip)}, then {shlex.join(watch)}"
    OUT.print(replay, markup=False, soft_wrap=True)
