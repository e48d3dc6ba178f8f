import random
from collections.abc import Iterator
from typing import Any

import pytest
from smart_table import BoardProcess

from companion.bench.dice_physics import HANDLINGS, calibrated, some_die, take_up
from firmware import wire
from firmware.motion import Motion
from firmware.sides import Sides


@pytest.fixture(scope="module")
def board() -> Iterator[BoardProcess]:
    process = BoardProcess("pure_board")
    yield process
    process.close()


def told_here(shape: str, samples: list[Any], felt: list[Any] | None = None) -> list[Any]:
    motion, told = Motion(Sides(shape, felt)), []
    for sample in samples:
        report = motion.sample(*sample)
        if report is not None:
            told.append([*report, motion.upto_ms()])
    return told


@pytest.mark.parametrize(("shape", "numbers"), [("d6", (0, 2, 4)), ("d8", (1, 3, 0))])
def test_motion_is_told_alike_by_both_pythons(
    board: BoardProcess, shape: str, numbers: tuple[int, ...]
) -> None:
    kinds = set()
    for number in numbers:
        die = some_die(f"alike/{number}", shape)
        HANDLINGS[number](die)
        take_up(die)
        die.throw()
        die.lie(300)
        felt = calibrated(die, shape).felt
        here = told_here(shape, die.samples, felt)
        assert board.ask("motion", shape=shape, felt=felt, samples=die.samples) == here
        kinds |= {one[0] for one in here}
    assert {"MOVE", "HELD", "LIES", "FACE"} <= kinds


def some_message(chance: random.Random) -> list[Any]:
    die = "".join(chance.choices("abz09_-", k=chance.randint(1, 16)))
    number = chance.randrange(10 ** chance.randint(1, 12))
    parts = ["", die, f"{chance.randrange(65536):04x}", number, chance.randrange(10**9)]
    words: dict[str, list[Any]] = {
        "HELLO": [1, "1.0.0", "rx-1"],
        "MOVE": [],
        "FACE": ["dragon"],
        "BEAT": [number],
        "BATTERY": [83, 3920],
        "REFUSED": [4, "asleep"],
        "LEARN": [die, 6, "gold_2"],
    }
    parts[0] = chance.choice(sorted(words))
    return parts + words[str(parts[0])]


def test_lines_are_written_and_read_alike_by_both_pythons(board: BoardProcess) -> None:
    chance = random.Random(8)
    lines = []
    for _ in range(40):
        parts = some_message(chance)
        line = wire.encode(*parts)
        assert board.ask("line", parts=parts) == line.decode()
        lines.append(line.decode().strip())
    read = board.ask("lines", lines=lines)
    assert read == [[*m[:5], list(m.words)] for m in (wire.decode(one.encode()) for one in lines)]


def test_damaged_lines_are_refused_on_the_board_too(board: BoardProcess) -> None:
    chance = random.Random(9)
    good = [wire.encode(*some_message(chance)).strip() for _ in range(8)]
    bad = [
        line[:at] + bytes([line[at] ^ 1 << bit]) + line[at + 1 :]
        for line in good
        for at in range(0, len(line), 3)
        for bit in range(7)
    ]
    bad += [line[:at] for line in good for at in range(1, len(line))]
    bad += [signed("FACE red-1 7f3a:2 \u0661\u0662 6"), signed("FACE r\u00e9d 7f3a:2 12 6")]
    bad += [signed(" ".join(["FACE", "red-1", "7f3a:2", "0104710", "6"]))]
    assert board.ask("lines", lines=[line.decode() for line in bad]) == [""] * len(bad)


def signed(body: str) -> bytes:
    return body.encode() + b" *" + wire._sum_of(body.encode())
