"""Machines for the doctor: for every check some that are well, and some that are not."""

from functools import partial
from types import SimpleNamespace

from gpiozero import DigitalInputDevice
from gpiozero.pins.mock import MockPWMPin

from camera.health import Look
from companion.config import (
    AlertSettings,
    Config,
    DiceSettings,
    PinSettings,
    TableSettings,
    WebSettings,
)
from companion.doctor import (
    background,
    cameras,
    devices,
    joined,
    libraries,
    network,
    storage,
    system,
)
from companion.doctor.looks import CameraLooks
from companion.words import fact, say
from hardware.dice_findings import DiceFinding
from hardware.dice_health import DieHealth, Health
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

# check -> machines on which it finds something ok, and those on which it finds `note` or `bad`
CASES = {
    system.check_python: ([{}], [("bad", PYTHON_310)]),
    system.check_word_size: ([{}], [("bad", {"bits": 32, "processor": "armv7l"})]),
    system.check_model: ([{"files": PI}], [("note", {})]),
    system.check_system: (
        [{"files": {"etc/os-release": f'VERSION_CODENAME="{name}"'}} for name in system.SYSTEMS],
        [("note", {"files": {"etc/os-release": "VERSION_CODENAME=buster"}}), ("note", {})],
    ),
    system.check_kernel: (
        [{"release": "6.6.31+rpt-rpi-2712"}, {"release": "6.12.1"}],
        [("bad", {"release": "5.15.84-v8+"})],
    ),
    system.check_memory: (
        [{"files": {"proc/meminfo": MEMINFO.format(4_000_000, 102_400)}}],
        [("bad", {"files": {"proc/meminfo": MEMINFO.format(90_000, 102_400)}})],
    ),
    system.check_swap: (
        [{"files": {"proc/meminfo": MEMINFO.format(4_000_000, 100_000)}}],
        [("note", {"files": {"proc/meminfo": MEMINFO.format(4_000_000, 1000)}})],
    ),
    system.check_load: (
        [{"files": {"proc/loadavg": "0.52 0.58 0.59 1/200 999"}}],
        [("note", {"files": {"proc/loadavg": "9.52 0.58 0.59 1/200 999"}})],
    ),
    system.check_temperature: (
        [{"files": {"sys/class/thermal/thermal_zone0/temp": "48312\n"}}],
        [
            ("note", {"files": {"sys/class/thermal/thermal_zone0/temp": "75000"}}),
            ("bad", {"files": {"sys/class/thermal/thermal_zone0/temp": "84000"}}),
        ],
    ),
    system.check_under_voltage: (
        [{"said": {VCGENCMD: "throttled=0x0"}}, {"said": {VCGENCMD: "throttled=0xe000e"}}],
        [
            ("bad", {"said": {VCGENCMD: "throttled=0x50005"}}),
            ("note", {"said": {VCGENCMD: "throttled=0x10000"}}),
        ],
    ),
    system.check_throttled: (
        [{"said": {VCGENCMD: "throttled=0x10001"}}],
        [
            ("bad", {"said": {VCGENCMD: "throttled=0x4"}}),
            ("bad", {"said": {VCGENCMD: "throttled=0x8"}}),
            ("note", {"said": {VCGENCMD: "throttled=0x20000"}}),
            (
                "bad",
                {"files": {"sys/devices/platform/soc/soc:firmware/get_throttled": "60006"}},
            ),
        ],
    ),
    system.check_locale: ([{}], [("bad", {"encoding": "ascii"})]),
    system.check_time_zone: (
        [{"files": {"etc/timezone": "Europe/Berlin\n"}}],
        [("note", {"files": {"etc/timezone": "Etc/UTC\n"}}), ("note", {})],
    ),
    system.check_clock_synchronised: (
        [{"said": {"timedatectl show --property=NTPSynchronized --value": "yes"}}],
        [("note", {"said": {"timedatectl show --property=NTPSynchronized --value": "no"}})],
    ),
    system.check_clock: (
        [{}],
        [("bad", {"now_s": lambda: 1000.0}), ("bad", {"now_s": lambda: system.SOME_DAY - 100})],
    ),
    partial(libraries.check_library, name="cv2", package="opencv-python-headless"): (
        [{}],
        [("bad", {"load": absent}), ("bad", {"load": broken})],
    ),
    partial(libraries.check_opencv_builds, present=lambda: {"opencv-python-headless": "5"}): (
        [{}],
        [],
    ),
    partial(libraries.check_opencv_builds, present=lambda: OLD_OPENCV): ([], [("bad", {})]),
    libraries.check_environment: (
        [
            IN_VENV,
            IN_VENV
            | {"files": PI | {"opt/venv/pyvenv.cfg": "include-system-site-packages = true"}},
        ],
        [
            ("note", {"prefixes": ("/usr", "/usr")}),
            ("note", IN_VENV | {"files": PI}),
        ],
    ),
    storage.check_folder: ([{}], [("bad", {"access": nothing})]),
    storage.check_card: (
        [{"files": {"sys/fs/ext4/mmcblk0p2/errors_count": "0"}}],
        [
            ("bad", {"files": {"sys/fs/ext4/mmcblk0p2/errors_count": "3"}}),
            ("bad", {"said": {DMESG: "kernel: mmc0: error -110 whilst initialising SD card"}}),
        ],
    ),
    storage.check_players: (
        [{}],
        [
            ("bad", {"settings": Config(table=TableSettings(players=("Ann",)))}),
            ("bad", {"settings": Config(table=TableSettings(players=("Ann", "ann")))}),
        ],
    ),
    **{
        partial(devices.check_group, name=name): (
            [{"files": PI, "groups": frozenset({name})}],
            [("bad", {"files": PI, "groups": frozenset({"ann"})})],
        )
        for name in devices.GROUPS
    },
    devices.check_pins: (
        [{"files": {"dev/gpiochip0": ""}}],
        [("note", {}), ("bad", {"files": {"dev/gpiochip0": ""}, "access": nothing})],
    ),
    devices.check_pin_library: (
        [
            {
                "files": {"dev/gpiochip0": ""},
                "load": lambda _: SimpleNamespace(gpiochip_open=print),
            }
        ],
        [
            ("bad", {"files": {"dev/gpiochip0": ""}, "load": absent}),
            ("bad", {"files": {"dev/gpiochip0": ""}, "load": lambda _: SimpleNamespace()}),
        ],
    ),
    devices.check_pin_factory: (
        [{"files": PI}, {"files": PI, "env": {"GPIOZERO_PIN_FACTORY": "lgpio"}}],
        [("note", {"files": PI, "env": {"GPIOZERO_PIN_FACTORY": "mock"}})],
    ),
    devices.check_serial_ports: (
        [{"files": {"dev/serial/by-id/usb-Receiver": ""}}, {"files": {"dev/ttyUSB0": ""}}],
        [("note", {})],
    ),
    devices.check_receiver: (
        [
            {"settings": Config(dice=NAMED), "files": {"dev/ttyACM0": ""}},
            {"settings": Config(dice=DiceSettings(port="socket://localhost:7"))},
        ],
        [
            ("bad", {"settings": Config(dice=NAMED)}),
            (
                "bad",
                {
                    "settings": Config(dice=NAMED),
                    "files": {"dev/ttyACM0": ""},
                    "access": nothing,
                },
            ),
        ],
    ),
    devices.check_dice_names: (
        [{"settings": Config(dice=NAMED)}],
        [("bad", {"settings": Config(dice=DiceSettings(port="/dev/ttyACM0"))})],
    ),
    devices.check_serial_links: (
        [{}, {"files": {"dev/ttyACM0": "", "dev/serial/by-id/usb-x": ""}}],
        [("note", {"files": {"dev/ttyACM0": ""}})],
    ),
    devices.check_modem_manager: (
        [{"said": {"systemctl is-active ModemManager": "inactive"}}],
        [("note", {"said": {"systemctl is-active ModemManager": "active"}})],
    ),
    devices.check_braille: ([{}], [("note", {"said": {"systemctl is-active brltty": "active"}})]),
    devices.check_serial_console: (
        [
            {"files": {"proc/cmdline": "console=tty1"}},
            {"files": {"proc/cmdline": "console=serial0,115200 console=tty1"}},
        ],
        [
            (
                "bad",
                {
                    "files": {"proc/cmdline": "console=serial0,115200"},
                    "settings": Config(dice=DiceSettings(port="/dev/serial0")),
                },
            )
        ],
    ),
    devices.check_pseudo_terminal: ([{}], []),
    devices.check_voice: (
        [{"said": {"espeak-ng --version": "eSpeak NG text-to-speech: 1.51  Data at: /usr"}}],
        [("note", {})],
    ),
    devices.check_sound: (
        [{"files": {"proc/asound/cards": CARDS}}],
        [("note", {"files": {"proc/asound/cards": "--- no soundcards ---"}}), ("note", {})],
    ),
    devices.check_fonts: (
        [{"said": {"fc-list : family": "DejaVu Sans\nNoto Color Emoji\n"}}],
        [("note", {"said": {"fc-list : family": ""}})],
    ),
    joined.check_greeting: (
        [heard(("receiver", "ok", fact("rx-1, firmware 1.0.0, at /dev/ttyACM0")))],
        [
            ("bad", heard(("receiver", "bad", TOO_NEW, "flash the receiver"))),
            ("note", heard(("receiver", "note", IN_USE))),
        ],
    ),
    joined.check_line: (
        [heard(("receiver", "ok", fact("rx-1")))],
        [("note", heard(("receiver_line", "note", DAMAGED, "try another cable or port")))],
    ),
    joined.check_smart_dice: (
        [heard(("smart_dice", "ok", say("{n} of {all} heard", n=8, all=8)))],
        [
            (
                "note",
                heard(
                    ("smart_dice", "note", DieHealth("d1", battery_percent=4).troubles()[0]),
                    ("smart_dice", "note", DieHealth("d2", reports=1).troubles()[0]),
                ),
            )
        ],
    ),
    joined.check_bluetooth_dice: (
        [heard(("bluetooth_dice", "ok", say("{n} connected", n=1)), bluetooth=RUBY)],
        [
            (
                "bad",
                heard(
                    ("bluetooth_dice", "bad", fact("bleak"), fact("pip")),
                    bluetooth=RUBY,
                ),
            )
        ],
    ),
    joined.check_buttons: (
        [buttons()],
        [("bad", buttons(7)), ("note", buttons(taken=(4,)))],
    ),
    joined.check_strip_library: (
        [strip(200, "")],
        [("bad", strip(200, "") | {"load": absent})],
    ),
    joined.check_strip: (
        [strip(200, '{"ver":"0.14.4","name":"Shelf"}'), strip(200, '{"ver": "15"}', "wled.local")],
        [
            ("note", strip(0, "")),
            ("note", strip(200, "<html>a printer</html>")),
            ("note", strip(404, "")),
            ("bad", strip(200, "", "ftp://wled.local")),
        ],
    ),
    cameras.check_present: ([seen(looks())], [("note", {})]),
    cameras.check_permitted: ([seen(looks())], [("bad", seen(looks()) | {"access": nothing})]),
    cameras.check_library: (
        [{"files": PI, "load": lambda _: SimpleNamespace()}],
        [("note", {"files": PI, "load": absent})],
    ),
    cameras.check_overlay: (
        [
            {"files": PI | {"boot/firmware/config.txt": "camera_auto_detect=1\n"}},
            {"files": PI | {"boot/config.txt": "camera_auto_detect=0\ndtoverlay=imx708,cam0\n"}},
        ],
        [("note", {"files": PI | {"boot/firmware/config.txt": "camera_auto_detect = 0\n"}})],
    ),
    cameras.check_free: (
        [
            seen(looks()),
            seen(CameraLooks(why="busy")) | {"said": {"systemctl is-active companion": "active"}},
        ],
        [
            (
                "bad",
                seen(CameraLooks(why=GONE)),
            )
        ],
    ),
    cameras.check_exposure: (
        [seen(looks())],
        [
            ("bad", seen(looks(brightness=5.0))),
            ("note", seen(looks(brightness=240.0))),
            ("note", seen(looks(burnt=0.4))),
        ],
    ),
    cameras.check_focus: ([seen(looks())], [("note", seen(looks(sharpness=4.0)))]),
    cameras.check_rate: (
        [seen(looks())],
        [("note", seen(looks(gap_s=0.2))), ("note", seen(looks(gap_s=0.0)))],
    ),
    cameras.check_moving: ([seen(looks())], [("bad", seen(looks(same=True)))]),
    network.check_port: (
        [{}, {"can_bind": busy, "fetch": answer}],
        [
            ("note", {"can_bind": busy}),
            ("bad", {"can_bind": lambda host, port: "Permission denied"} | web(port=80)),
        ],
    ),
    network.check_lan_address: (
        [{"addresses": lambda: ["192.168.1.20"]}],
        [("note", {"addresses": list})],
    ),
    network.check_visible: ([web(host="0.0.0.0")], [("note", {})]),
    network.check_reachable: (
        [{"can_bind": busy, "fetch": answer}],
        [("bad", {"can_bind": busy}), ("bad", {"can_bind": busy, "fetch": lambda _: (200, "x")})],
    ),
    network.check_reachable_outside: (
        [ON_LAN | {"can_bind": busy, "fetch": answer}],
        [("bad", ON_LAN | {"can_bind": busy})],
    ),
    network.check_name: (
        [{"files": {"etc/hostname": "companion\n"}}],
        [("note", {"files": {"etc/hostname": "my_pi\n"}}), ("note", {})],
    ),
    network.check_wifi: (
        [{"files": {"proc/net/wireless": WIRELESS.format(-48)}}],
        [("note", {"files": {"proc/net/wireless": WIRELESS.format(-82)}})],
    ),
    network.check_wifi_power: (
        [{"files": {"sys/class/net/wlan0/wireless": ""}, "said": {POWER: "Power save: off"}}],
        [
            (
                "note",
                {"files": {"sys/class/net/wlan0/wireless": ""}, "said": {POWER: "Power save: on"}},
            )
        ],
    ),
    network.check_announce: ([{}], [("note", {"load": absent})]),
    background.check_installed: ([{"files": UNIT}], [("note", {})]),
    background.check_enabled: (
        [{"files": UNIT, "said": {"systemctl is-enabled companion": "enabled"}}],
        [("note", {"files": UNIT, "said": {"systemctl is-enabled companion": "disabled"}})],
    ),
    background.check_running: (
        [{"files": UNIT, "said": {"systemctl is-active companion": "active"}}],
        [("bad", {"files": UNIT, "said": {"systemctl is-active companion": "failed"}})],
    ),
    background.check_restarts: (
        [{"files": UNIT}],
        [
            (
                "note",
                {
                    "files": UNIT,
                    "said": {"systemctl show --property=NRestarts --value companion": "7"},
                },
            )
        ],
    ),
    background.check_program: (
        [{"files": UNIT}],
        [("bad", {"files": {background.UNIT: UNIT[background.UNIT]}})],
    ),
    background.check_log: (
        [{"files": {"run/systemd/system/x": "", "var/log/journal/x": ""}}],
        [("note", {"files": {"run/systemd/system/x": ""}})],
    ),
}
OTHERWISE_TESTED = {
    storage.check_space,
    storage.check_inodes,
    storage.check_speed,
    storage.check_settings,
    storage.check_journal,
    storage.check_integrity,
    storage.check_unfinished,
    storage.check_clock_jumps,
    cameras.check_locked,
    devices.check_camera_links,
}
