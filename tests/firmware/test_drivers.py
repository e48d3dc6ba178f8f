import pytest

from firmware.current import ASLEEP_MA, average_ma, awake_ma, lasts_h
from firmware.lis3dh import LIS3DH
from firmware.lsm6ds3 import LSM6DS3


class Bus:
    """An I2C bus with one chip, and what was written to it."""

    def __init__(self, address: int, identity: int) -> None:
        self.address, self.registers = address, {0x0F: identity}
        self.sample = bytes(6)
        self.sample_at = -1

    def check(self, address: int) -> None:
        if address != self.address:
            raise OSError(19)

    def readfrom_mem(self, address: int, register: int, count: int) -> bytes:
        self.check(address)
        return bytes([self.registers.get(register, 0)] * count)

    def readfrom_mem_into(self, address: int, register: int, raw: bytearray) -> None:
        self.check(address)
        self.sample_at = register
        raw[:] = self.sample

    def writeto_mem(self, address: int, register: int, data: bytes) -> None:
        self.check(address)
        self.registers[register] = data[0]


def little_endian(*digits: int) -> bytes:
    return b"".join(one.to_bytes(2, "little", signed=True) for one in digits)


def test_lis3dh_measures_400_times_a_second_up_to_8_g() -> None:
    bus = Bus(0x18, 0x33)
    sensor = LIS3DH(bus)
    assert (bus.registers[0x20], bus.registers[0x23]) == (0x77, 0xA8)
    bus.sample = little_endian(250 << 4, -250 << 4, 0)
    assert sensor.read() == (1000, -1000, 0)
    assert bus.sample_at == 0x28 | 0x80
    bus.sample = little_endian(-32768, 32752, -16)
    assert sensor.read() == (-8192, 8188, -4)


def test_lsm6ds3_measures_416_times_a_second_up_to_8_g() -> None:
    bus = Bus(0x6A, 0x69)
    sensor = LSM6DS3(bus)
    assert bus.registers[0x10] == 0x6C
    bus.sample = little_endian(4098, -4099, 0)
    assert sensor.read() == (999, -1001, 0)
    assert bus.sample_at == 0x28
    bus.sample = little_endian(-32768, 32767, 1)
    assert sensor.read() == (-7996, 7995, 0)


@pytest.mark.parametrize(
    ("kind", "address", "identity"), [(LIS3DH, 0x18, 0x33), (LSM6DS3, 0x6A, 0x6A)]
)
def test_sensor_that_woke_measures_as_before_it_dozed(
    kind: type, address: int, identity: int
) -> None:
    bus = Bus(address, identity)
    sensor = kind(bus)
    measuring = dict(bus.registers)
    sensor.doze(125)
    assert bus.registers != measuring
    sensor.wake()
    assert {key: bus.registers[key] for key in measuring} == measuring


def test_threshold_of_waking_follows_the_wish() -> None:
    for kind, address, identity, register, digit_mg in (
        (LIS3DH, 0x18, 0x33, 0x32, 62),
        (LSM6DS3, 0x6A, 0x69, 0x5B, 125),
    ):
        bus = Bus(address, identity)
        kind(bus).doze(500)
        assert bus.registers[register] == 500 // digit_mg


def test_another_chip_is_refused_and_named() -> None:
    with pytest.raises(OSError, match=r"expected an LIS3DH \(0x33\) at 0x18, got 0x44"):
        LIS3DH(Bus(0x18, 0x44))
    with pytest.raises(OSError, match=r"expected an LSM6DS3 .* at 0x6a, got 0x44"):
        LSM6DS3(Bus(0x6A, 0x44))


def test_average_current_is_what_the_table_says() -> None:
    assert average_ma(0) == ASLEEP_MA == pytest.approx(0.193)
    assert awake_ma() == pytest.approx(89.2, abs=0.1)
    assert average_ma(60) == pytest.approx(10.57, abs=0.01)
    assert average_ma(180) == pytest.approx(31.3, abs=0.1)
    assert average_ma(60, hours_per_day=2) == pytest.approx(1.06, abs=0.01)
    assert average_ma(10**6) == pytest.approx(awake_ma())
    assert lasts_h(110, average_ma(0)) / 24 == pytest.approx(24, abs=0.5)
    assert lasts_h(110, average_ma(60)) == pytest.approx(10.4, abs=0.1)
