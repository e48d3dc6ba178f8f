"""Exposure, white balance and focus, locked once a table is set up, and checked from then on.

A camera that sets them by itself makes the tray brighter when a dark sleeve comes in, and turns
white dice yellow. So a set-up step lets it find good values, locks them, and keeps them in a file
beside the picture of the empty trays. While the game runs they are read back now and then: what has
drifted is told and locked again.
Source of the numbers: the Linux kernel's V4L2 controls, and the Picamera2 manual, chapter 5.
"""

import math
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import cv2

from camera.health import SILENT, CameraTrouble
from camera.health import WORDS as TROUBLES
from camera.source import Frame
from companion.errors import ConfigError
from companion.field_words import reason
from companion.words import listed, mark, of_system, say, word

WAIT_S = 1.0  # for the next picture of the Pi's own camera
CHECK_S = 5.0  # between two looks at what the camera really does
APART = 0.02  # share by which a value may differ: cameras round them
MANUAL, AUTOMATIC = 1.0, 3.0  # V4L2_EXPOSURE_MANUAL and V4L2_EXPOSURE_APERTURE_PRIORITY
WORDS = {
    "exposure": mark("exposure"), "gain": mark("gain"), "white_balance": mark("white balance"),
    "white_balance_red": mark("white balance"), "white_balance_blue": mark("white balance"),
    "focus": mark("focus"),
}  # fmt: skip
Values = Mapping[str, float]


class Controls(Protocol):
    """What can be set at a camera, by name; see WORDS."""

    def values(self) -> dict[str, float]:
        """What it does now; what it does not have is not in there."""
        ...

    def lock(self, values: Values) -> None:
        """Let the camera do this, and nothing by itself any more."""
        ...

    def free(self) -> None:
        """Let the camera find all of it by itself again."""
        ...


class V4l2Controls:
    """A USB camera's, through OpenCV's properties of the V4L2 backend.

    Exposure counts in 100 microseconds, white balance in kelvin, gain and focus as the camera
    likes. A camera that lacks one of them answers -1 or refuses to set it.
    """

    MODES = (  # by hand, by itself
        (cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL, AUTOMATIC),
        (cv2.CAP_PROP_AUTO_WB, 0.0, 1.0),
        (cv2.CAP_PROP_AUTOFOCUS, 0.0, 1.0),
    )
    PROPERTIES = {
        "exposure": cv2.CAP_PROP_EXPOSURE,
        "gain": cv2.CAP_PROP_GAIN,
        "white_balance": cv2.CAP_PROP_WB_TEMPERATURE,
        "focus": cv2.CAP_PROP_FOCUS,
    }

    def __init__(self, capture: cv2.VideoCapture) -> None:
        self._capture = capture

    def values(self) -> dict[str, float]:
        """What it does now."""
        found = {name: self._capture.get(one) for name, one in self.PROPERTIES.items()}
        return {name: value for name, value in found.items() if value >= 0}

    def lock(self, values: Values) -> None:
        """Turn off what it does by itself, then set each value."""
        for one, by_hand, _ in self.MODES:
            self._capture.set(one, by_hand)
        for name, value in values.items():
            if name in self.PROPERTIES:
                self._capture.set(self.PROPERTIES[name], value)

    def free(self) -> None:
        """Let it find all of it by itself again."""
        for one, _, by_itself in self.MODES:
            self._capture.set(one, by_itself)


class PiControls:
    """The Pi's own camera's, through picamera2; exposure in microseconds, focus in dioptres."""

    def __init__(self, camera: Any) -> None:
        self._camera = camera

    def values(self) -> dict[str, float]:
        """What it did for the newest picture; CameraTrouble `lost` when none comes any more."""
        try:
            told = self._camera.capture_metadata(wait=WAIT_S)  # without, it may wait for ever
        except TimeoutError as error:
            raise CameraTrouble("lost", TROUBLES[SILENT]) from error
        red, blue = told.get("ColourGains", (None, None))
        found = {
            "exposure": told.get("ExposureTime"),
            "gain": told.get("AnalogueGain"),
            "white_balance_red": red,
            "white_balance_blue": blue,
            "focus": told.get("LensPosition"),
        }
        return {name: float(value) for name, value in found.items() if value is not None}

    def lock(self, values: Values) -> None:
        """Set what is known and can be set; a camera with a fixed lens has no focus."""
        controls: dict[str, Any] = {"AeEnable": False, "AwbEnable": False}
        if "exposure" in values:
            controls["ExposureTime"] = round(values["exposure"])
        if "gain" in values:
            controls["AnalogueGain"] = values["gain"]
        if "white_balance_red" in values and "white_balance_blue" in values:
            controls["ColourGains"] = (values["white_balance_red"], values["white_balance_blue"])
        if "focus" in values:
            controls |= {"AfMode": 0, "LensPosition": values["focus"]}  # 0 is manual
        self._set(controls)

    def free(self) -> None:
        """Let it find all of it by itself again; continuous autofocus where the lens moves."""
        self._set({"AeEnable": True, "AwbEnable": True, "AfMode": 2})

    def _set(self, controls: Mapping[str, Any]) -> None:
        """Set what this camera has: of anything else picamera2 refuses the whole."""
        had = self._camera.camera_controls
        self._camera.set_controls({name: one for name, one in controls.items() if name in had})


class Keeper:
    """Holds a camera to what was locked; `finding` tells what has drifted, "" if nothing."""

    def __init__(self, controls: Controls, values: Values, *, every_s: float = CHECK_S) -> None:
        self._controls, self._values, self._every_s = controls, dict(values), every_s
        self._looked_s: float | None = None
        self.finding = ""
        controls.lock(self._values)

    def check(self, at_s: float) -> None:
        """Look whether the camera still does what it should, unless that was looked at lately."""
        if self._looked_s is not None and at_s - self._looked_s < self._every_s:
            return
        is_first, self._looked_s = self._looked_s is None, at_s
        found = drifted(self._values, self._controls.values())
        if not found:
            self.finding = ""
            return
        self._controls.lock(self._values)
        if is_first:
            return  # it takes a few pictures until a camera does what it was told
        self.finding = say(
            "the camera changed its {what} by itself; it was locked again. If it comes back, set "
            "the camera up anew: `companion camera --empty`",
            what=listed([word(one) for one in found], "{first} and {rest}"),
        )


def drifted(wanted: Values, found: Values) -> list[str]:
    """What differs, in words, each once."""
    names = [
        WORDS[name] for name, value in wanted.items()
        if name in found and abs(found[name] - value) > max(APART * abs(value), 0.01)
    ]  # fmt: skip
    return list(dict.fromkeys(names))


class Opened(Protocol):
    """An open camera that can be locked."""

    @property
    def controls(self) -> Controls | None:
        """What can be set at it; None where nothing can."""
        ...

    def read(self) -> Frame:
        """Wait for the next picture."""
        ...

    def close(self) -> None:
        """Give the camera back."""
        ...


class LockedCamera:
    """An open camera that is held to what was locked."""

    def __init__(self, camera: Opened, controls: Controls, values: Values) -> None:
        self._camera, self.controls, self.values = camera, controls, dict(values)
        self._keeper = Keeper(controls, values)

    @property
    def unlocked(self) -> Opened:
        """The same camera, held to nothing."""
        return self._camera

    @property
    def finding(self) -> str:
        """What it did by itself lately, in words; "" if nothing."""
        return self._keeper.finding

    def read(self) -> Frame:
        """Wait for the next picture, and look after the camera now and then."""
        frame = self._camera.read()
        self._keeper.check(frame.at_s)
        return frame

    def close(self) -> None:
        """Give the camera back."""
        self._camera.close()


def held(camera: Opened, values: Values) -> Opened:
    """A camera held to these values; itself where nothing was locked, or nothing can be.

    Where locking fails the camera is closed: nobody else could, and it would stay busy for ever.
    """
    controls = camera.controls
    if controls is None or not values:
        return camera
    try:
        return LockedCamera(camera, controls, values)
    except BaseException:
        camera.close()
        raise


def set_up(controls: Controls) -> dict[str, float]:
    """Lock what the camera has found by itself by now; what that is."""
    values = controls.values()
    controls.lock(values)
    return values


def file_beside(empty: str | Path) -> Path:
    """Where the values are kept: beside the picture of the empty trays, taken with them."""
    return Path(empty).with_suffix(".camera.toml")


def values_beside(empty: str) -> dict[str, float]:
    """Read what was locked with a picture of the empty trays; nothing where there is none, or "".

    Raises ConfigError if damaged.
    """
    return load_values(file_beside(empty)) if empty else {}


def save_values(values: Values, path: Path) -> None:
    """Keep what was locked; raise ConfigError where that cannot be written."""
    lines = ["# What the camera was set to when the table was set up."]
    lines += [f"{name} = {value:.6g}" for name, value in values.items()]
    try:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigError(
            say("{path}: cannot be written: {why}", path=path, why=of_system(error))
        ) from error


def load_values(path: Path) -> dict[str, float]:
    """Read what was locked; nothing where there is no such file. Raises ConfigError if damaged."""
    if not path.is_file():
        return {}
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        return {name: _number(name, value) for name, value in found.items() if WORDS[name]}
    except (OSError, ValueError, OverflowError, KeyError) as error:
        raise ConfigError(
            say(
                "{path}: expected numbers for {known}, got {why}; set the camera up anew with "
                "`companion camera --empty`, or remove the file",
                path=path,
                known=", ".join(WORDS),
                why=reason(error),
            )
        ) from error


def _number(name: str, value: Any) -> float:
    """A value that a camera can be set to; ValueError for any other, such as `true` or `nan`."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value):
        raise ValueError(f"{name} = {value}")
    return float(value)
