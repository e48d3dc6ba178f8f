"""What machines are made of that the doctor looks at: files, answers, cameras, dice, pins."""

from gpiozero import DigitalInputDevice
from gpiozero.pins.mock import MockPWMPin

from camera.health import Look
from companion.config import (
    AlertSettings,
    Config,
    DiceSettings,
    PinSettings,
    WebSettings,
)
from companion.doctor import (
    background,
)
from companion.doctor.looks import CameraLooks
from companion.doctor.machine import Machine
from companion.outside import Ran
from companion.words import say
from hardware.dice_findings import DiceFinding
from hardware.dice_health import Health
from hardware.pins import PinChoice, mock_pins

PI = {"proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0"}
UNIT = {background.UNIT: "[Service]\nExecStart=/opt/companion serve\n", "opt/companion": ""}
VCGENCMD = "vcgencmd get_throttled"
MEMINFO = "MemTotal: 8000000 kB\nMemAvailable: {} kB\nSwapTotal: 102400 kB\nSwapFree: {} kB\n"
WIRELESS = "Inter-| sta-|\n face | tus |\n wlan0: 0000   70.  {}.  -256        0\n"
CARDS = " 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0\n"
POWER = "iw dev wlan0 get power_save"
DMESG = "journalctl --dmesg --boot --no-pager --quiet --lines=2000"
OLD_OPENCV = {"opencv-python": "4.8"}
NAMED = DiceSettings(port="/dev/ttyACM0", names={"d1": "red-1"})
RUBY = {"ruby": "godice X"}
GONE = say("{path}: no camera there; is it plugged in?", path="/dev/video0")
IN_USE = say("{port} is in use; is a game running?", port="/dev/ttyACM0")
DAMAGED = say(
    "{damaged} damaged lines, {foreign} of other devices, {wrong_version} of another version",
    damaged=7,
    foreign=0,
    wrong_version=0,
)
TOO_NEW = Health("/dev/ttyACM0", "connected", who="rx-1", version=9).troubles()[0]
SHARP = Look(0.0, 120.0, 0.01, 300.0, 1)


def looks(*, gap_s=1 / 30, count=10, same=False, **changes):
    """What a camera gives, frame by frame."""
    one = SHARP._replace(**changes)
    numbers = range(count)
    return CameraLooks(
        tuple(one._replace(at_s=n * gap_s, fingerprint=1 if same else n) for n in numbers)
    )


def seen(what):
    return {"files": {"dev/video0": ""}, "camera": lambda: what}


def web(**settings):
    return {"settings": Config(web=WebSettings(**settings))}


def absent(name):
    raise ImportError(f"No module named {name!r}")


def broken(name):
    raise ImportError("libGL.so.1: cannot open shared object file")


def nothing(folder, mode):
    return False


def busy(host, port):
    return "Address already in use"


def answer(url):
    return (200, '{"viewers": 0}') if url.endswith("/healthz") else (0, "")


def heard(*findings, **dice):
    """A machine that listened to its receiver and heard this: code, state, finding, fix."""
    told = tuple(DiceFinding(*one) for one in findings)
    settings = {"settings": Config(dice=DiceSettings(port="/dev/ttyACM0", **dice))}
    return settings | {"dice": lambda: told}


class ClosedPin(MockPWMPin):
    """The pin of a contact that is closed: no pull-up lifts it."""

    def _set_pull(self, value):
        super()._set_pull(value)
        self.drive_low()


def buttons(*closed, taken=()):
    """A machine with two buttons, of which some are closed, and some pins belong to a game."""

    def pins():
        factory = mock_pins()
        for pin in closed:
            factory.pin(pin, pin_class=ClosedPin)
        factory.game = [DigitalInputDevice(pin, pin_factory=factory) for pin in taken]
        return PinChoice(factory, True, "as if it were real")

    return {"settings": Config(pins=PinSettings(buttons=(4, 7))), "pins": pins}


def strip(status, text, url="http://wled.local"):
    return {
        "settings": Config(alerts=AlertSettings(wled=url)),
        "fetch": lambda asked: (
            (status, text) if asked == "http://wled.local/json/info" else (0, "")
        ),
    }


PYTHON_310 = {"python": (3, 10, 2)}
IN_VENV = {"prefixes": ("/opt/venv", "/usr")}
ON_LAN = {"addresses": lambda: ["192.168.1.20"]} | web(host="0.0.0.0")


def machines_in(folder):
    """Make a machine out of files, answers to commands, and whatever else a check looks at."""

    def make(*, files=None, said=None, **more):
        root = folder / "root"
        for name, text in (files or {}).items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        answers = said or {}

        def run(words):
            text = answers.get(" ".join(words))
            return None if text is None else Ran(0, text)

        usual = {
            "root": root,
            "run": run,
            "env": {},
            "groups": frozenset({"ann"}),
            "python": (3, 11, 2),
            "bits": 64,
            "release": "6.1.0",
            "cores": 4,
            "encoding": "utf-8",
            "can_bind": lambda host, port: "",
            "fetch": lambda url: (0, ""),
            "addresses": list,
            "prefixes": ("/opt/venv", "/usr"),
        }
        return Machine(folder / "journal.sqlite", folder / "companion.toml", **usual | more)

    return make
