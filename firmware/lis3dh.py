"""LIS3DH accelerometer on I2C: one sample at a time, and a line that rises when it is moved.

    from machine import I2C, Pin
    sensor = LIS3DH(I2C(0, scl=Pin(7), sda=Pin(6)))
    x, y, z = sensor.read()  # mg

Wiring: VCC and CS to 3.3 V (CS high chooses I2C), SDO to ground (address 0x18; 0x19 when high),
INT1 to a pin that can wake the board. Registers: ST's data sheet DocID17530.
"""

from firmware.wire import const

ADDRESS = const(0x18)
_WHO_AM_I = const(0x0F)
_CTRL_REG1 = const(0x20)
_CTRL_REG2 = const(0x21)
_CTRL_REG3 = const(0x22)
_CTRL_REG4 = const(0x23)
_CTRL_REG5 = const(0x24)
_REFERENCE = const(0x26)
_OUT_X_L = const(0x28)
_INT1_CFG = const(0x30)
_INT1_SRC = const(0x31)
_INT1_THS = const(0x32)
_INT1_DURATION = const(0x33)
_MANY = const(0x80)  # count the address up while reading
_IDENTITY = const(0x33)
_400_HZ = const(0x77)  # all three axes
_50_HZ_SAVING = const(0x4F)
_8_G_FINE = const(0xA8)  # whole samples only, 12 bits of 4 mg
_8_G = const(0xA0)
_DIGIT_MG = const(4)


class LIS3DH:
    """The sensor; OSError if another chip, or none, answers."""

    def __init__(self, i2c, address: int = ADDRESS) -> None:
        self._i2c, self._address = i2c, address
        self._raw = bytearray(6)
        identity = i2c.readfrom_mem(address, _WHO_AM_I, 1)[0]
        if identity != _IDENTITY:
            raise OSError("expected an LIS3DH (0x33) at 0x%02x, got 0x%02x" % (address, identity))
        self.wake()

    def wake(self) -> None:
        """Measure 400 times a second, up to 8 g; the filter lets 44 Hz through."""
        self._write(_INT1_CFG, 0)
        self._write(_CTRL_REG2, 0)
        self._write(_CTRL_REG3, 0)
        self._write(_CTRL_REG4, _8_G_FINE)
        self._write(_CTRL_REG1, _400_HZ)

    def doze(self, wakes_mg: int = 100) -> None:
        """Measure 50 times a second on 6 uA; INT1 rises, and stays, when it is moved."""
        self._write(_CTRL_REG1, _50_HZ_SAVING)
        self._write(_CTRL_REG2, 0x01)  # the interrupt feels changes, not gravity
        self._write(_CTRL_REG3, 0x40)  # to INT1
        self._write(_CTRL_REG4, _8_G)
        self._write(_CTRL_REG5, 0x08)  # latched
        self._write(_INT1_THS, max(1, wakes_mg // 62))
        self._write(_INT1_DURATION, 0)
        self._i2c.readfrom_mem(self._address, _REFERENCE, 1)  # gravity as it is now
        self._write(_INT1_CFG, 0x2A)  # any axis, upwards
        self._i2c.readfrom_mem(self._address, _INT1_SRC, 1)  # let go of the line

    def read(self) -> tuple:
        """The newest sample, (x, y, z) in mg."""
        raw = self._raw
        self._i2c.readfrom_mem_into(self._address, _OUT_X_L | _MANY, raw)
        return _mg(raw, 0), _mg(raw, 2), _mg(raw, 4)

    def _write(self, register: int, value: int) -> None:
        self._i2c.writeto_mem(self._address, register, bytes((value,)))


def _mg(raw: bytearray, at: int) -> int:
    digits = (raw[at] | raw[at + 1] << 8) >> 4
    return (digits - 4096 if digits & 2048 else digits) * _DIGIT_MG
