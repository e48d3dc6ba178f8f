"""Drawn symbol dice, seen from straight above, on felt."""

import cv2
import numpy as np

from camera.learn_art import any_face

WIDTH, HEIGHT, SIDE_PX = 480, 360, 78
FACES = {"sun": 3, "moon": 8, "star": 21}  # seeds of drawn faces
BODY = (235.0, 240.0, 242.0)


def floor(seed=0, light=1.0):
    """Green felt with the noise of a small camera."""
    rng = np.random.default_rng(seed)
    felt = np.full((HEIGHT, WIDTH, 3), (70, 110, 60), np.float32) + rng.normal(
        0, 6, (HEIGHT, WIDTH, 1)
    )
    return np.clip(light * felt, 0, 255).astype(np.uint8)


def lay(pixels, face, at, turn, light=1.0):
    """Draw a die with this face up: centre in pixels, turn in degrees."""
    drawn = any_face(np.random.default_rng(FACES[face]), BODY).drawn()
    side = drawn.shape[0]
    move = cv2.getRotationMatrix2D((side / 2, side / 2), turn, SIDE_PX / side)
    move[:, 2] += np.array(at) - side / 2
    mask = cv2.warpAffine(np.full((side, side), 255, np.uint8), move, (WIDTH, HEIGHT))
    die = cv2.warpAffine(drawn, move, (WIDTH, HEIGHT), flags=cv2.INTER_AREA)
    shadow = cv2.GaussianBlur(
        cv2.warpAffine(mask, np.float32([[1, 0, 6], [0, 1, 8]]), (WIDTH, HEIGHT)), (0, 0), 4
    )
    dark = pixels * (1 - 0.5 * shadow[..., None] / 255)
    whole = np.where(mask[..., None] > 127, light * die.astype(np.float32), dark)
    pixels[:] = np.clip(whole, 0, 255).astype(np.uint8)
    return pixels


def teach(folder, pictures=5):
    """Write a few pictures of each face into KIND/FACE folders."""
    for face in FACES:
        (folder / "white" / face).mkdir(parents=True)
        for n in range(pictures):
            picture = lay(floor(n), face, (200 + 15 * n, 170 + 9 * n), 23 * n, 1.0 - 0.04 * n)
            cv2.imwrite(str(folder / "white" / face / f"{n}.png"), picture)
    return folder
