"""Train who compares faces of dice: `python -m camera.learn_faces --out FILE.onnx`.

Needs PyTorch and onnx, as camera/learn_finder.py does. Sets of dice that nobody makes are drawn
first (camera/learn_face_sets.py), each in several trays, lights and cameras. The network is shown
upper sides of some scenes as lessons and of others as questions, and learns to tell which face of
the set each question is. The one in `faces.onnx` learnt so for 32 minutes on two cores, from 2,250
sets all of whose pictures had many colours, and under no coloured lamp; that was too easy. It went
on for 20 minutes, with the highest step size at 1.5e-3, from these and 1,280 sets as they are drawn
now, each of those four times as often.
"""

import argparse
import math
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch  # type: ignore[import-not-found]
from torch import nn

from camera.canvas import Pixels
from camera.face_voter import NUMBERS, SEEN_PX, planes
from camera.learn_art import Chance
from camera.learn_face_sets import SCENES, Drawn, Numbers, drawn
from camera.learn_finder import block
from camera.learn_steps import save, settle, train
from camera.patches import PATCH_PX, Singles, rims_of

LESSON_SCENES, LESSONS, QUESTIONS = 3, 4, 2  # of an episode; of each face
TURNS = 4
EPISODES = 6  # at a time
HELD_OUT = 0.06
HIGHEST = 2.0e-3  # step size
COLOURED = 0.12  # share of faces that are shown under a coloured lamp
WIDTHS = (16, 24, 40, 64)


class Network(nn.Module):  # type: ignore[misc]
    """(N, 3, 32, 32) becomes (N, NUMBERS), all of one length: inner products are log-odds."""

    def __init__(self) -> None:
        super().__init__()
        a, b, c, d = WIDTHS
        self.body = nn.Sequential(
            block(3, a, 2), block(a, b), block(b, c, 2), block(c, c), block(c, d, 2), block(d, d)
        )
        self.told = nn.Linear(d * (SEEN_PX // 8) ** 2, NUMBERS)
        self.sharp = nn.Parameter(torch.tensor(2.5))

    def forward(self, seen: Any) -> Any:
        """Describe faces."""
        told = self.told(torch.flatten(self.body(seen), 1))
        length = torch.sqrt((told * told).sum(1, keepdim=True) + 1e-8)
        return told / length * torch.exp(self.sharp / 2)


class Episode(NamedTuple):
    """What is shown of one set: numbers of lessons and questions, and which face each is."""

    lessons: Numbers
    questions: Numbers


class Shown(NamedTuple):
    """Episodes of some sets, how many patches each shows in lessons and questions, and those."""

    episodes: list[tuple[Drawn, Episode]]
    sizes: list[int]
    seen: Any


def any_episode(rng: Chance, one: Drawn) -> Episode:
    """Choose lessons from a few scenes, and questions from the others."""
    taught = np.isin(one.scenes, rng.permutation(SCENES)[:LESSON_SCENES])
    known = set(one.faces[taught].tolist()) & set(one.faces[~taught].tolist())
    lessons = [_some(rng, taught & (one.faces == face), LESSONS) for face in sorted(known)]
    questions = [_some(rng, ~taught & (one.faces == face), QUESTIONS) for face in sorted(known)]
    nothing = [np.empty(0, np.int64)]
    return Episode(np.concatenate(nothing + lessons), np.concatenate(nothing + questions))


def _some(rng: Chance, which: npt.NDArray[np.bool_], most: int) -> Numbers:
    numbers = np.flatnonzero(which)
    return rng.permutation(numbers)[:most]


def moved(patches: Pixels, rng: Chance) -> Singles:
    """Patches as they are cut out a little beside, larger or turned, perhaps with less detail."""
    n = len(patches)
    turn, size = rng.normal(0, 0.05, n), np.exp(rng.normal(0, 0.05, n))
    cos, sin = np.cos(turn) * size, np.sin(turn) * size
    shift = rng.normal(0, 0.045, (n, 2))
    ways = np.stack([cos, -sin, shift[:, 0], sin, cos, shift[:, 1]], axis=1).reshape(n, 2, 3)
    seen = torch.from_numpy(patches.astype(np.float32).transpose(0, 3, 1, 2))
    grid = nn.functional.affine_grid(torch.from_numpy(ways.astype(np.float32)), seen.shape, False)
    seen = nn.functional.grid_sample(seen, grid, padding_mode="border", align_corners=False)
    if rng.random() < 0.35:
        small = int(rng.integers(13, 30))
        seen = nn.functional.interpolate(seen, (small, small), mode="area")
        seen = nn.functional.interpolate(seen, (PATCH_PX, PATCH_PX), mode="bilinear")
    return np.asarray(seen.numpy().transpose(0, 2, 3, 1))


def varied(patches: Pixels, rng: Chance) -> Pixels:
    """Patches in other light, through other lenses: shaded, mirroring a lamp, soft, noisy."""
    seen = moved(patches, rng)
    n, size = len(seen), seen.shape
    lamp = rng.random((n, 1, 1, 1)) < COLOURED
    tint = np.where(lamp, rng.uniform(-1.8, 0.5, (n, 1, 1, 3)), rng.normal(0, 0.1, (n, 1, 1, 3)))
    gain = np.exp(rng.normal(0, 0.25, (n, 1, 1, 1)) + tint)
    y, x = np.mgrid[-1 : 1 : PATCH_PX * 1j, -1 : 1 : PATCH_PX * 1j]
    around, out = rng.uniform(0, 2 * math.pi, (n, 1, 1)), rng.normal(0, 0.5, (n, 1, 1))
    along = x * np.cos(around) + y * np.sin(around) - out
    slope = rng.normal(0, 0.12, (n, 1, 1)) * along
    dark = rng.uniform(0.2, 0.7, (n, 1, 1)) * (rng.random((n, 1, 1)) < 0.15)
    shade = dark / (1 + np.exp(-along * rng.uniform(3, 40, (n, 1, 1))))
    seen = seen * gain * np.clip((1 + slope) * (1 - shade), 0, None)[..., None]
    apart = (x - rng.uniform(-1, 1, (n, 1, 1))) ** 2 + (y - rng.uniform(-1, 1, (n, 1, 1))) ** 2
    bright = rng.uniform(20, 200, (n, 1, 1)) * (rng.random((n, 1, 1)) < 0.15)
    seen += (bright * np.exp(-apart / rng.uniform(0.05, 1.5, (n, 1, 1))))[..., None]
    noise = np.abs(rng.normal(0, 5, (n, 1, 1, 1))) * rng.standard_normal(size, np.float32)
    return np.asarray(np.clip(seen + noise, 0, 255), np.uint8)


def shown(one: Drawn, numbers: Numbers, rng: Chance | None, turns: int) -> Any:
    """Show patches in so many quarter turns, varied by chance: (turns * N, 3, 32, 32)."""
    patches = one.patches[numbers]
    patches = patches if rng is None else varied(patches, rng)
    turned = [np.rot90(patches, turn, (1, 2)) for turn in range(turns)]
    seen = np.concatenate([planes(some, rims_of(some)) for some in turned])
    return torch.from_numpy(seen)


def told(
    lessons: Any, questions: Any, taught: Numbers, mine: Numbers, blank: npt.NDArray[np.bool_]
) -> tuple[Any, Any]:  # fmt: skip
    """How like each question is to each face, (N, faces), by its best lesson and turn; and which.

    Which of several blank faces it is nobody can tell: the others are left out.

    taught, mine  which face each lesson and each question shows; `blank`, which faces are.
    """
    alike = torch.einsum("tqn,ln->qtl", questions, lessons).amax(1)
    faces = np.unique(taught)
    by_face = [alike[:, torch.from_numpy(taught == face)].amax(1) for face in faces]
    same = blank[mine][:, None] & blank[faces] & (mine[:, None] != faces)
    likes = torch.stack(by_face, 1).masked_fill(torch.from_numpy(same), -1e4)
    return likes, torch.from_numpy(np.searchsorted(faces, mine))


def shown_together(sets: list[Drawn], rng: Chance, *, as_drawn: bool = False) -> Shown:
    """Choose an episode of each set; give them, and what the network is shown of all of them."""
    episodes = [(one, any_episode(rng, one)) for one in sets]
    pairs = [(one, episode) for one, episode in episodes if len(episode.questions) > 1]
    chance, parts = None if as_drawn else rng, []
    for one, episode in pairs:
        parts.append(shown(one, episode.lessons, chance, 1))
        parts.append(shown(one, episode.questions, chance, TURNS))
    return Shown(pairs, [len(part) for part in parts], torch.cat(parts))


def answers(network: Any, together: Shown) -> list[tuple[Any, Any]]:
    """For each episode, how like each question is to each face, and which it is."""
    rows = torch.split(network(together.seen), together.sizes)
    found = []
    for (one, episode), lessons, questions in zip(
        together.episodes, rows[::2], rows[1::2], strict=True
    ):
        turned = questions.reshape(TURNS, len(episode.questions), -1)
        taught, mine = one.faces[episode.lessons], one.faces[episode.questions]
        found.append(told(lessons, turned, taught, mine, one.blank))
    return found


def some_of(sets: list[Drawn], rng: Chance) -> list[Drawn]:
    """Choose sets for a batch."""
    return [sets[n] for n in rng.integers(len(sets), size=EPISODES)]


def loss_of(network: Any, sets: list[Drawn], rng: Chance) -> Any:
    """How badly the questions of a few episodes are answered."""
    found = answers(network, shown_together(some_of(sets, rng), rng))
    wrong = [nn.functional.cross_entropy(*one, reduction="none") for one in found]
    return torch.cat(wrong).mean()


def rated(network: Any, sets: list[Drawn], seed: int = 7) -> float:
    """How many questions of other sets are answered rightly."""
    rng = np.random.default_rng(seed)
    with torch.no_grad():
        found = [answers(network, shown_together([one], rng, as_drawn=True)) for one in sets]
    right = [(likes.argmax(1) == mine).float() for some in found for likes, mine in some]
    return float(torch.cat(right).mean())


def main() -> None:
    """Draw, train, tell how good it is, and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=35.0)
    parser.add_argument("--sets", type=int, default=2400)
    parser.add_argument("--seed", type=int, default=77001)
    given = parser.parse_args()
    sets, network = drawn(given.sets, given.seed), Network()
    held = int(HELD_OUT * len(sets))
    lessons = sets[held:]
    train(network, partial(loss_of, network, lessons), given.minutes, HIGHEST)
    settle(network, lambda rng: shown_together(some_of(lessons, rng), rng).seen)
    print(f"of held out questions, right: {rated(network, sets[:held]):.1%}")
    save(network, given.out, (3, SEEN_PX, SEEN_PX), "faces")


if __name__ == "__main__":
    main()
