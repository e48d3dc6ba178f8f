"""The simulated square: hands turn, cover, take and move tiles, and pictures tell no more."""

import numpy as np
import pytest

from camera.simulated_square import FACES, SimulatedSquare


def square(seed: int = 3, **how) -> SimulatedSquare:
    return SimulatedSquare(seed=seed, columns=3, size_px=(240, 180), **how)


def test_pictures_are_the_same_when_seed_and_calls_are() -> None:
    def play() -> list[np.ndarray]:
        tiles = square()
        tiles.turn_up("0,1", "ring", 1.0)
        tiles.take("2,2", 2.0)
        tiles.move("0,1", "2,2", 3.0)
        return [tiles.frame(1.0 + 0.1 * n).pixels for n in range(40)]

    assert all(np.array_equal(a, b) for a, b in zip(play(), play(), strict=True))


def test_nothing_is_left_of_a_face_when_its_tile_is_covered() -> None:
    pictures = []
    for face in ("ball", "dragon"):
        tiles = square()
        tiles.turn_up("1,1", face, 1.0)
        gone_s = tiles.cover("1,1", 2.0)
        pictures.append((tiles.frame(1.7).pixels, tiles.frame(gone_s + 0.1).pixels))
    (ball_up, ball_down), (dragon_up, dragon_down) = pictures
    assert (ball_up != dragon_up).any()
    assert np.array_equal(ball_down, dragon_down)


def test_hand_covers_the_square_when_a_tile_is_turned() -> None:
    tiles = square()
    place = np.s_[60:120, 90:150]
    still = tiles.frame(0.5).pixels[place].astype(int)
    gone_s = tiles.turn_up("1,1", "ball", 1.0)
    assert tiles.quiet_after_s() == gone_s
    apart = np.abs(tiles.frame(1.2).pixels[place].astype(int) - still).mean()
    assert apart > 5 * np.abs(tiles.frame(0.6).pixels[place].astype(int) - still).mean()


def test_squares_lie_as_hands_leave_them() -> None:
    tiles = square()
    assert set(tiles.lies().values()) == {"covered"}
    for n, face in enumerate(FACES[:3]):
        tiles.turn_up(f"{n},0", face, 1.0)
    tiles.cover("0,0", 1.0)
    tiles.take("1,0", 1.0)
    tiles.move("2,0", "1,0", 1.0)
    lies = tiles.lies()
    assert (lies["0,0"], lies["1,0"], lies["2,0"]) == ("covered", "up", "empty")
    tiles.put("2,0", 1.0)
    assert tiles.lies()["2,0"] == "covered"
    tiles.cover("1,0", 1.0)
    tiles.turn_up("2,0", "car", 1.0)
    assert tiles.lies()["2,0"] == "up"


@pytest.mark.parametrize(
    ("do", "complaint"),
    [
        (lambda tiles: tiles.turn_up("0,0", "troll", 1.0), "'troll'"),
        (lambda tiles: tiles.turn_up("9,9", "ring", 1.0), "'9,9'"),
        (lambda tiles: tiles.cover("0,0", 1.0), "expected it up, it is covered"),
        (lambda tiles: tiles.put("0,0", 1.0), "expected it empty"),
        (lambda tiles: tiles.take("7,7", 1.0), "there is none"),
    ],
)
def test_hands_refuse_what_cannot_be_done(do, complaint) -> None:
    with pytest.raises(ValueError, match=complaint):
        do(square())
