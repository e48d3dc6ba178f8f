"""Cameras and devices on which the doctor finds something, well or ill."""

from functools import partial
from types import SimpleNamespace

from doctor_parts import (
    CARDS,
    DAMAGED,
    GONE,
    IN_USE,
    NAMED,
    PI,
    RUBY,
    TOO_NEW,
    absent,
    buttons,
    heard,
    looks,
    nothing,
    seen,
    strip,
)

from companion.config import (
    Config,
    DiceSettings,
)
from companion.doctor import (
    cameras,
    devices,
    joined,
)
from companion.doctor.looks import CameraLooks
from companion.words import fact, say
from hardware.dice_health import DieHealth

# check -> machines on which it finds something ok, and those on which it finds `note` or `bad`
DEVICE_CASES = {
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
}
