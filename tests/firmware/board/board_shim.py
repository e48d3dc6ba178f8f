"""The modules that only a board has, answered for: they follow the clock of a simulated world.

`world` is the board whose turn it is. A program makes one for each board, sets `world` to it, and
lets it step; pins, bus, radio and clock that it opened go on belonging to it.
"""

import json
import sys

import cable

TICKS = 1 << 30  # ticks_ms wraps here
START_TICKS = TICKS - 5000  # ... which every board lives to see


class World:
    """What one board feels. `drift_ppm`: its quartz against the time of the world."""

    def __init__(self, mac, chip="", drift_ppm=0):
        self.mac, self.chip, self.drift_ppm = mac, chip, drift_ppm
        self.now_ms = 0
        self.felt = (0, 0, 1000)
        self.dozes_at = None
        self.lamp = 0
        self.cell_mv = 3950
        self.registers = {}
        self.inbox = []  # (mac, packet, rssi)
        self.sent = []  # (now_ms, mac, packet)
        self.send = lambda mac, packet: True

    def ticks_ms(self):
        own_ms = self.now_ms + self.now_ms * self.drift_ppm // 1000000
        return (START_TICKS + own_ms) % TICKS

    def is_moved(self):
        at = self.dozes_at
        return at is not None and max([abs(self.felt[i] - at[i]) for i in range(3)]) > 125


class Shared:
    world = None


def world():
    return Shared.world


class Pin:
    OUT, IN = 1, 0

    def __init__(self, number, mode=0, value=0):
        self.number, self._world = number, world()

    def value(self, lit=None):
        if lit is None:
            return int(self._world.is_moved())
        self._world.lamp = int(lit)


class I2C:
    """The registers of an LIS3DH or an LSM6DS3, as far as the firmware knows them."""

    PLACES = {"lis3dh": (0x18, 0x0F, 0x33, 0xA8), "lsm6ds3": (0x6A, 0x0F, 0x69, 0x28)}

    def __init__(self, bus, sda=None, scl=None, freq=400000):
        self._world = world()

    def readfrom_mem(self, address, register, count):
        place, who, identity, _ = self.PLACES[self._world.chip]
        if address != place:
            raise OSError(19)
        return bytes([identity if register == who else 0] * count)

    def readfrom_mem_into(self, address, register, raw):
        place, _, _, first = self.PLACES[self._world.chip]
        if address != place or register != first:
            raise OSError(19)
        for i in range(3):
            digits = self._digits(self._world.felt[i]) & 0xFFFF
            raw[2 * i], raw[2 * i + 1] = digits & 255, digits >> 8

    def _digits(self, mg):
        if self._world.chip == "lis3dh":
            return (mg // 4) << 4
        return max(-32768, min(32767, (mg * 1000 + (243 if mg > 0 else 0)) // 244))

    def writeto_mem(self, address, register, data):
        w = self._world
        w.registers[register] = data[0]
        if register == {"lis3dh": 0x30, "lsm6ds3": 0x5E}[w.chip]:
            w.dozes_at = w.felt if data[0] else None


class ADC:
    ATTN_11DB = 3

    def __init__(self, pin, atten=0):
        self._world = world()

    def read_uv(self):
        return self._world.cell_mv * 500


class WLAN:
    IF_STA, PM_NONE = 0, 0

    def __init__(self, interface):
        self._world, self._active = world(), False

    def active(self, on):
        self._active = on

    def config(self, key=None, **settings):
        if key == "mac":
            return bytes.fromhex(self._world.mac)


class ESPNow:
    def __init__(self):
        self._world, self._peers, self._active = world(), set(), False
        self.peers_table = {}

    def active(self, on):
        self._active = on
        if not on:
            self._peers = set()
            self._world.inbox = []

    def config(self, rxbuf=0):
        pass

    def add_peer(self, mac):
        if not self._active or mac in self._peers or len(mac) != 6:
            raise OSError(-12395)
        self._peers.add(mac)

    def send(self, mac, packet, sync=True):
        if not self._active or mac not in self._peers or len(packet) > 250:
            raise OSError(-12393)
        arrives = self._world.send(mac.hex(), packet)
        return arrives if sync else True

    def recv(self, timeout_ms=None):
        if not self._active or not self._world.inbox:
            return None, None
        mac, packet, rssi = self._world.inbox.pop(0)
        mac = bytes.fromhex(mac)
        self.peers_table[mac] = [rssi, self._world.ticks_ms()]
        return mac, packet


class Poll:
    def register(self, stream, flags):
        pass

    def poll(self, timeout_ms):
        return [1] if cable.waiting() else []


class Module:
    def __init__(self, **names):
        for name, value in names.items():
            setattr(self, name, value)


def urandom(count):
    # Two boards that start must not have the same run; here it follows their MAC and their age.
    w = world()
    seed = int(w.mac, 16) * 7919 + w.now_ms * 104729
    return bytes([(seed >> 8 * i) & 255 for i in range(count)])


def ticks_diff(late, early):
    return (late - early + TICKS // 2) % TICKS - TICKS // 2


def install():
    """Put the modules in place; call it before the firmware is imported."""
    import os

    sys.modules["machine"] = Module(Pin=Pin, I2C=I2C, ADC=ADC, lightsleep=None, reset=None)
    sys.modules["network"] = Module(WLAN=WLAN)
    sys.modules["espnow"] = Module(ESPNow=ESPNow)
    sys.modules["esp32"] = Module(wake_on_gpio=None, WAKEUP_ANY_HIGH=1)
    sys.modules["micropython"] = Module(kbd_intr=lambda key: None, const=lambda value: value)
    sys.modules["select"] = Module(poll=Poll, POLLIN=1)
    sys.modules["time"] = Module(ticks_ms=lambda: world().ticks_ms(), ticks_diff=ticks_diff)
    sys.modules["os"] = Module(urandom=urandom, rename=os.rename, remove=os.remove)


def answering(do):
    """A function from a line of JSON to a line of JSON, for the runner."""
    return lambda line: json.dumps(do(json.loads(line)))
