"""`companion dice calibrate` against the firmware of die and receiver, over a pseudo-terminal."""

import io
import math
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from firmware_hand import FirmwareHand
from rich.console import Console

from companion.cli import main
from companion.config import DiceSettings, load_dice
from companion.dice import DiceSet
from companion.dice import Die as DieOfGame
from companion.dice_calibrating import calibrate
from companion.dice_case import Case
from companion.dice_station import Station
from companion.games import GAMES
from companion.wiring import dice_of
from firmware.die import Die
from hardware.simulated_motion import UPRIGHT, Matrix, Solid, octahedron, turned

WHITE = dice_of(GAMES["troll_and_dragon"])["white-1"].faces
ORDER = [4, 1, 6, 3, 2, 5]
SQUARE = turned(UPRIGHT, (math.pi / 2, 0.0, 0.0))
ASKEW = turned(UPRIGHT, (0.3, -0.2, 0.25))  # 25 degrees


@pytest.fixture
def lend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., FirmwareHand]:
    monkeypatch.chdir(tmp_path)

    def lent(order: list[int], glued: Matrix, solid: Solid | None = None) -> FirmwareHand:
        hand = FirmwareHand(order, glued, solid)
        monkeypatch.setattr("companion.dice_station.RealClock", lambda: hand)
        return hand

    return lent


def calibrated(hand: FirmwareHand, *words: str) -> str:
    command = ["dice", "--port", hand.port, "calibrate", "die-110010", "--as", "white-1", *words]
    with hand:
        result = CliRunner().invoke(main, command, input="y\n" * 20)
    assert result.exit_code == 0, result.output
    assert "die-110010 is calibrated as white-1" in result.output
    return result.output


@pytest.mark.parametrize(
    ("glued", "shape", "asked"),
    [
        (SQUARE, (), 0),  # it knows its sides by other numbers than people would give them
        (ASKEW, (), 6),
        (ASKEW, ("--shape", "any"), 0),
    ],
)
def test_die_says_the_face_that_is_up_once_each_was_shown(
    lend: Callable[..., FirmwareHand], glued: Matrix, shape: tuple[str, ...], asked: int
) -> None:
    hand = lend(ORDER, glued)
    told = calibrated(hand, *shape)
    assert told.count("It feels crooked") == asked
    assert len(hand.was_told("LEARN")) == 6
    kept = load_dice(Path("dice.toml"))
    assert kept.names == {"die-110010": "white-1"}
    for side, face in zip(ORDER, WHITE, strict=True):
        assert hand.says_when(side) == face
        assert kept.faces["die-110010"][str(hand.die.motion.side)] == face
    again = Die(hand.kept, hand.kept.update, "00a2")
    assert again.motion.sides.ups == hand.die.motion.sides.ups


def test_d8_says_the_face_that_is_up_once_each_was_shown(
    lend: Callable[..., FirmwareHand],
) -> None:
    crystal, order = DieOfGame("crystal", "crystal", tuple("abcdefgh")), [4, 1, 6, 3, 8, 2, 5, 7]
    hand = lend(order, SQUARE, octahedron())
    station = Station(DiceSettings(hand.port, {"die-110010": "crystal"}), DiceSet.of([crystal]))
    out = Console(file=io.StringIO())
    case = Case("Crystals", DiceSet.of([crystal]), Path("dice.toml"), station, None, out)
    with hand, CliRunner().isolation("y\n" * 20), case.open():
        faces = calibrate(case, "die-110010", crystal, "d8")
    assert sorted(faces.values()) == list(crystal.faces)
    for side, face in zip(order, crystal.faces, strict=True):
        assert hand.says_when(side) == face
        assert faces[str(hand.die.motion.side)] == face
