"""Machines for the doctor: for every check some that are well, and some that are not."""

from functools import partial

from doctor_device_cases import DEVICE_CASES
from doctor_parts import (
    DMESG,
    IN_VENV,
    MEMINFO,
    OLD_OPENCV,
    ON_LAN,
    PI,
    POWER,
    PYTHON_310,
    UNIT,
    VCGENCMD,
    WIRELESS,
    absent,
    answer,
    broken,
    busy,
    nothing,
    web,
)

from companion.config import (
    Config,
    TableSettings,
)
from companion.doctor import (
    background,
    cameras,
    devices,
    libraries,
    network,
    storage,
    system,
)

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
} | DEVICE_CASES
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
