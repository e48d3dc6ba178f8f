"""The palette of the alerts, seen with other eyes.

Matrices: Machado, Oliveira and Fernandes 2009, "A Physiologically-based Model for Simulation of
Color Vision Deficiency", severity 1.0, for linear light. Distances are CIEDE2000, by colorzero.
"""

import itertools

import pytest
from colorzero import Color

from hardware.cues import read_cues

APART = 16.0  # about 1 can just be seen side by side
SIGHT = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
BOOK = read_cues()


def linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def encoded(light: float) -> float:
    light = min(1.0, max(0.0, light))
    return 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055


def seen(colour: str, sight: str, shown: str) -> Color:
    parts = [part / 255 for part in bytes.fromhex(colour[1:])]
    light = parts if shown == "by LEDs" else [linear(part) for part in parts]
    rows = SIGHT[sight]
    return Color(*(encoded(sum(a * b for a, b in zip(row, light, strict=True))) for row in rows))


@pytest.mark.parametrize("shown", ["on a screen", "by LEDs"])
@pytest.mark.parametrize("sight", SIGHT)
def test_any_two_colours_can_be_told_apart_when_seen_with(sight: str, shown: str) -> None:
    colours = {name: seen(colour, sight, shown) for name, colour in BOOK.palette.items()}
    for one, other in itertools.combinations(colours, 2):
        apart = colours[one].difference(colours[other], method="ciede2000")
        assert apart >= APART, f"{one} and {other}: {apart:.1f}"


def test_simulation_confuses_what_is_known_to_be_confused() -> None:
    red, green = "#b00000", "#507000"
    assert seen(red, "normal", "on a screen").difference(
        seen(green, "normal", "on a screen"), method="ciede2000"
    ) > 2 * seen(red, "deuteranopia", "on a screen").difference(
        seen(green, "deuteranopia", "on a screen"), method="ciede2000"
    )


def test_alerts_use_colours_of_the_palette_only() -> None:
    alerts = (*BOOK.cues.values(), *BOOK.families.values())
    used = {light.colour for alert in alerts for light in (*alert.table, *alert.strip)}
    assert used <= set(BOOK.palette.values())


def test_families_that_mean_different_things_begin_in_different_colours() -> None:
    colours = {name: BOOK.families[name].table[0].colour for name in ("turn", "good", "bad")}
    assert len(set(colours.values())) == 3
