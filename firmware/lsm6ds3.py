"""LSM6DS3 accelerometer on I2C: one sample at a time, and a line that rises when it is moved.

    from machine import I2C, Pin
    sensor = LSM6DS3(I2C(0, scl=Pin(7), sda=Pin(6)))
    x, y, z = sensor.read()  # mg

Wiring: VDD and CS to 3.3 V, SDO to ground (address 0x6A; 0x6B when high), INT1 to a pin that can
wake the board. Its gyroscope stays off. Registers: ST's data sheet DocID026899; LSM6DS3TR-C and
LSM6DSL are the same here.
"""

from firmware.wire import const

ADDRESS = const(0x6A)
_WHO_AM_I = const(0x0F)
_CTRL1_XL = const(0x10)
_CTRL3_C = const(0x12)
_CTRL6_C = const(0x15)
_CTRL8_XL = const(0x17)
_WAKE_UP_SRC = const(0x1B)
_OUTX_L_XL = const(0x28)
_TAP_CFG = const(0x58)
_WAKE_UP_THS = const(0x5B)
_WAKE_UP_DUR = const(0x5C)
_MD1_CFG = const(0x5E)
_IDENTITIES = (0x69, 0x6A)
_416_HZ_8_G = const(0x6C)
_52_HZ_8_G = const(0x3C)
_WAKES_MG = const(125)  # one digit of the threshold at 8 g


class LSM6DS3:
    """The sensor; OSError if another chip, or none, answers."""

    def __init__(self, i2c, address: int = ADDRESS) -> None:
        self._i2c, self._address = i2c, address
        self._raw = bytearray(6)
        identity = i2c.readfrom_mem(address, _WHO_AM_I, 1)[0]
        if identity not in _IDENTITIES:
            found = (address, identity)
            raise OSError("expected an LSM6DS3 (0x69 or 0x6a) at 0x%02x, got 0x%02x" % found)
        self._write(_CTRL3_C, 0x44)  # whole samples only; the address counts up while reading
        self.wake()

    def wake(self) -> None:
        """Measure 416 times a second, up to 8 g; the filter lets 46 Hz through."""
        self._write(_MD1_CFG, 0)
        self._write(_CTRL6_C, 0)
        self._write(_CTRL8_XL, 0xC0)  # second low pass on, at a ninth of the rate
        self._write(_CTRL1_XL, _416_HZ_8_G)

    def doze(self, wakes_mg: int = 125) -> None:
        """Measure 52 times a second on 45 uA; INT1 rises, and stays, when it is moved."""
        self._write(_CTRL6_C, 0x10)  # saving
        self._write(_CTRL1_XL, _52_HZ_8_G)
        self._write(_WAKE_UP_DUR, 0)
        self._write(_WAKE_UP_THS, max(1, min(63, wakes_mg // _WAKES_MG)))
        self._write(_TAP_CFG, 0x81)  # interrupts on, changes only, latched
        self._write(_MD1_CFG, 0x20)  # being moved, to INT1
        self._i2c.readfrom_mem(self._address, _WAKE_UP_SRC, 1)  # let go of the line

    def read(self) -> tuple:
        """The newest sample, (x, y, z) in mg."""
        raw = self._raw
        self._i2c.readfrom_mem_into(self._address, _OUTX_L_XL, raw)
        return _mg(raw, 0), _mg(raw, 2), _mg(raw, 4)

    def _write(self, register: int, value: int) -> None:
        self._i2c.writeto_mem(self._address, register, bytes((value,)))


def _mg(raw: bytearray, at: int) -> int:
    digits = raw[at] | raw[at + 1] << 8
    return (digits - 65536 if digits & 32768 else digits) * 244 // 1000
