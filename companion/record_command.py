"""`companion record`: a clip together with what was read from it, for a report of a fault."""

import tempfile
import zipfile
from pathlib import Path
from typing import Any

import click

from companion.clock import Clock, RealClock
from companion.commands import OUT, examples
from companion.errors import ConfigError, DeviceError
from companion.live_view import set_option, source_argument
from companion.looking import chosen_source, moments
from companion.protocol import encode
from companion.watching import counted

CLIP, READINGS, VERSIONS = "clip.avi", "readings.jsonl", "versions.json"
NO_PICTURE_S = 5.0  # so long a camera may be silent before the recording is given up


@click.command(
    epilog=examples("record bug.zip", "record bug.zip /dev/video0 --set grotto --seconds 20")
)
@click.argument("to", metavar="OUT.zip", type=click.Path(dir_okay=False, path_type=Path))
@source_argument
@set_option
@click.option("--seconds", type=click.FloatRange(0.1, 600.0), default=10.0, show_default=True)
@click.option("--exact", is_flag=True, help="Keep every pixel as it was (FFV1); larger.")
def record(to: Path, source: str | None, learnt: Path | None, seconds: float, exact: bool) -> None:
    """Keep a clip with its readings, for a report of a fault; Ctrl-C ends it early.

    SOURCE is a camera such as /dev/video0, a clip, a folder of pictures, or `simulated`. Default:
    the first camera, or simulated trays where there is none. Everything in view is recorded:
    look through the clip before you pass it on.
    """
    if to.exists():
        raise ConfigError(f"{to}: expected a new file, found one; name another or remove it")
    if not to.parent.is_dir():
        raise ConfigError(f"{to}: expected a folder that is there, got {to.parent}")
    check_writable(to)
    name = chosen_source(source)
    with tempfile.TemporaryDirectory() as folder:
        lines = keep_clip(
            Path(folder), name, learnt, seconds, RealClock(), "FFV1" if exact else "MJPG"
        )
        pack(to, Path(folder), lines, {"source": name, "set": learnt and str(learnt)})
    tell(to, len(lines), learnt)


def check_writable(to: Path) -> None:
    """Raise ConfigError for a file that cannot be written, before anything is recorded for it."""
    try:
        with tempfile.TemporaryFile(dir=to.parent):
            pass
    except OSError as error:
        raise ConfigError(f"{to}: cannot be written: {error.strerror}; name another") from error


def keep_clip(
    folder: Path, name: str, learnt: Path | None, seconds: float, clock: Clock, code: str
) -> list[dict[str, Any]]:
    """Record a clip; its readings, a line a frame. Raises DeviceError where no picture comes."""
    from camera.recording import ClipWriter

    lines: list[dict[str, Any]] = []
    begin_s, why = clock.now_s(), "it holds no picture"
    with ClipWriter(folder / CLIP, code) as clip:
        try:
            for moment in moments(name, learnt, clock):
                number = None
                if moment.frame is None:
                    why = str(moment.health["why"]) or why
                else:
                    begin_s = begin_s if clip.count else clock.now_s()
                    number = clip.write(moment.frame)
                lines.append({"frame": number, **moment.values()})
                waited_s = clock.now_s() - begin_s
                if waited_s > seconds or (not clip.count and waited_s > NO_PICTURE_S):
                    break
        except KeyboardInterrupt:
            pass  # what there is until now is kept
    if not clip.count:
        raise DeviceError(f"{name}: nothing to record: {why}")
    return lines


def pack(to: Path, folder: Path, lines: list[dict[str, Any]], about: dict[str, Any]) -> None:
    """Put clip, readings and versions into one file; nothing half-written is left."""
    from companion.bundle import versions

    half = to.with_name(f"{to.name}.part")
    try:
        with zipfile.ZipFile(half, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.write(folder / CLIP, CLIP, zipfile.ZIP_STORED)
            packed.writestr(READINGS, b"".join(encode(line) + b"\n" for line in lines))
            packed.writestr(VERSIONS, encode({**about, **versions()}))
        half.replace(to)
    except OSError as error:
        half.unlink(missing_ok=True)
        raise ConfigError(f"{to}: cannot be written: {error.strerror}") from error


def tell(to: Path, count: int, learnt: Path | None) -> None:
    """List what is inside."""
    OUT.print(f"{to}: {counted(count, 'moment')}", markup=False, soft_wrap=True)
    with zipfile.ZipFile(to) as packed:
        for part in packed.infolist():
            OUT.print(f"  {part.filename:16} {part.file_size:>10} bytes", markup=False)
    named = "" if learnt is None else f" --set {learnt}"
    replay = f"Replay: unzip {to} {CLIP}, then companion watch {CLIP}{named}"
    OUT.print(replay, markup=False, soft_wrap=True)
