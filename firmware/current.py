"""How long a battery lasts, by calculation: the average current of a die, from data sheets.

What a die does, and what it draws meanwhile at 3.3 V (mA, typical values):

    asleep   ESP32-C3 in light sleep with its memory kept 0.130, LIS3DH at 50 Hz 0.006 (an LSM6DS3
             0.045), the regulator 0.055, the divider of the battery 0.002
    awake    ESP32-C3 with its radio listening 84; every BEAT_MS it sends for a millisecond, 280 at
             full power; LIS3DH at 400 Hz 0.073

A throw keeps a die awake for AROUND_MS of hands and tumbling, and AWAKE_MS after that. Nobody has
measured a board: one with another regulator, or a power lamp, draws more asleep; take the lamp off.

| used                                        | average   | 110 mAh last |
| ------------------------------------------- | --------- | ------------ |
| lies in its box                             | 0.19 mA   | 24 days      |
| a game, thrown once a minute                | 10.5 mA   | 10 hours     |
| a game, thrown three times a minute         | 31.2 mA   | 3.5 hours    |
| two hours of play a day, thrown once a min. | 1.1 mA    | 4.3 days     |
| awake all the time                          | 89 mA     | 1.2 hours    |
"""

from firmware.die import AWAKE_MS, BEAT_MS

ASLEEP_MA = 0.130 + 0.006 + 0.055 + 0.002
LISTEN_MA = 84.0
SEND_MA, SEND_MS = 280.0, 1.0
SENSOR_MA = 0.073
AROUND_MS = 3000


def awake_ma() -> float:
    """The average current of a die that is awake, in mA."""
    sends = (SEND_MA - LISTEN_MA) * SEND_MS / BEAT_MS
    return ASLEEP_MA + SENSOR_MA + LISTEN_MA + sends


def average_ma(throws_per_hour: float, hours_per_day: float = 24.0) -> float:
    """The average current over days in which a die is thrown so often, in mA."""
    awake = min(1.0, throws_per_hour * (AROUND_MS + AWAKE_MS) / 3600000) * hours_per_day / 24
    return ASLEEP_MA + awake * (awake_ma() - ASLEEP_MA)


def lasts_h(capacity_mah: float, average: float) -> float:
    """How many hours a battery of this capacity lasts at this average current (mA)."""
    return capacity_mah / average
