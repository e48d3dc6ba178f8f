"""Train who tells leaning dice: `python -m camera.learn_leaning --out FILE.onnx`.

Needs PyTorch and onnx, as camera/learn_finder.py does. Dice are drawn (camera/learn_lean_sets.py),
and path-traced ones shown as often where `--traced` names a file of camera/learn_traced.py. The
network in `leaning.onnx` learnt from drawn scenes alone, with what is the default here, on two
cores; a quarter of their dice leaned, by 11 to 45 degrees. It went on for 17 minutes with coloured
lamps, and for 32 on one core beside 3,520 path-traced scenes, the highest step size at 1.6e-3.
"""

import argparse
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch  # type: ignore[import-not-found]
from torch import nn

from camera.canvas import Pixels
from camera.leaning import CLEAREST, PLANES, POOREST, SHOWN_PX, planes
from camera.learn_art import Chance
from camera.learn_finder import block
from camera.learn_lean_sets import Sample, drawn, samples_seen
from camera.learn_pool import as_many, kept
from camera.learn_steps import save, settle, train

BATCH, HELD_OUT = 96, 0.1
HIGHEST = 2.5e-3  # step size
DEARER = 2.0  # a leaning die that is overlooked counts as much as so many false alarms
COLOURED = 0.25  # share of dice that are shown under a coloured lamp
WIDTHS = (16, 24, 40, 56)  # of the network, at each of its sizes
WAYS = 0.3  # what ways down count beside votes


class Network(nn.Module):  # type: ignore[misc]
    """(N, 4, 64, 64) becomes (N, 4): log-odds, gaps across and below, how well those are told."""

    def __init__(self, widths: tuple[int, int, int, int] = WIDTHS) -> None:
        super().__init__()
        layers, before = [], PLANES
        for width in widths:
            layers += [block(before, width, 2), block(width, width)]
            before = width
        left = before * (SHOWN_PX >> len(widths)) ** 2
        self.body = nn.Sequential(*layers)
        self.told = nn.Sequential(nn.Flatten(), nn.Dropout(0.3), nn.Linear(left, 1))
        self.way = nn.Sequential(nn.Flatten(), nn.Linear(left, 32), nn.ReLU(), nn.Linear(32, 3))

    def forward(self, seen: Any) -> Any:
        """Look at dice."""
        body = self.body(seen)
        return torch.cat([self.told(body), self.way(body)], 1)


def varied(cuts: Pixels, rng: Chance) -> Pixels:
    """The same dice in other light and colours, soft or noisy, moved a little."""
    n, size = len(cuts), cuts.shape
    seen = cuts.astype(np.float32)
    if rng.random() < 0.5:
        seen = seen[..., rng.permutation(3)]
    if rng.random() < 0.3:
        grey = seen.mean(axis=-1, keepdims=True)
        seen = grey + (seen - grey) * rng.uniform(0, 1.2)
    seen = np.roll(seen, rng.integers(-2, 3, 2), (1, 2))
    if rng.random() < 0.3:
        soft_px = rng.uniform(0.3, 1.2)
        seen = np.stack([cv2.GaussianBlur(one, (0, 0), soft_px) for one in seen])
    lamp = rng.random((n, 1, 1, 1)) < COLOURED
    tint = np.where(lamp, rng.uniform(-1.8, 0.6, (n, 1, 1, 3)), rng.normal(0, 0.08, (n, 1, 1, 3)))
    gain = np.exp(rng.normal(0, 0.25, (n, 1, 1, 1)) + tint)
    across, down = rng.normal(0, 0.1, (2, n, 1, 1, 1)) + lamp * rng.normal(0, 0.3, (2, n, 1, 1, 3))
    slope = np.linspace(-1, 1, size[1])
    gain = gain * (1 + down * slope[:, None, None] + across * slope[:, None])
    noise = rng.normal(0, 1, size) * np.abs(rng.normal(0, 4, (n, 1, 1, 1)))
    return np.asarray(np.clip(seen * gain + noise, 0, 255), np.uint8)


def some_of(samples: list[Sample], rng: Chance) -> list[Sample]:
    """Choose a batch."""
    return [samples[n] for n in rng.integers(len(samples), size=BATCH)]


def loss_of(network: Any, samples: list[Sample], rng: Chance) -> Any:
    """How badly the network tells a batch."""
    chosen = some_of(samples, rng)
    seen, gaps = as_shown(chosen, rng)
    return badly(network(seen), chosen, gaps)


def as_shown(chosen: list[Sample], rng: Chance) -> tuple[Any, Any]:
    """What the network is shown of dice, varied, half of the time in a mirror; and their gaps."""
    cuts, gaps = np.stack([one.cut for one in chosen]), np.stack([one.gap for one in chosen])
    if rng.random() < 0.5:
        cuts, gaps = cuts[:, :, ::-1], gaps * (-1, 1)
    downs = np.array([one.down for one in chosen]) + rng.normal(0, 0.02, len(chosen))
    seen = planes(varied(cuts, rng), downs)
    return torch.from_numpy(seen), torch.from_numpy(gaps.astype(np.float32))


def badly(told: Any, chosen: list[Sample], gaps: Any) -> Any:
    """How badly a batch is told: near the true slant the votes count, farther away the gaps."""
    leans = torch.tensor([float(one.leans) for one in chosen])
    near = torch.tensor([float(one.is_near) for one in chosen])
    votes = nn.functional.binary_cross_entropy_with_logits(
        told[:, 0], leans, pos_weight=torch.tensor(DEARER), reduction="none"
    )
    spread = told[:, 3].clamp(CLEAREST, POOREST)
    far = torch.sqrt((told[:, 1:3] - gaps).pow(2).sum(1) + 1e-6)
    ways = far * torch.exp(-spread) + 2 * spread
    return (votes * near).sum() / near.sum() + WAYS * (ways * (1 - near)).sum() / (1 - near).sum()


def rated(network: Any, samples: list[Sample]) -> float:
    """How often a leaning die is rated higher than a flat one, both near the true slant."""
    told, samples = [], [one for one in samples if one.is_near]
    with torch.no_grad():
        for one in samples:
            seen = planes(one.cut[None], np.array([one.down]))
            told.append(float(network(torch.from_numpy(seen))[0, 0]))
    odds, leans = np.array(told), np.array([one.leans for one in samples])
    return float((odds[leans][:, None] > odds[~leans][None]).mean())


def main() -> None:
    """Draw, train, tell how good it is, and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=28.0)
    parser.add_argument("--scenes", type=int, default=24_000)
    parser.add_argument("--traced", type=Path, help="what camera/learn_traced.py kept")
    parser.add_argument("--seed", type=int, default=88001)
    given = parser.parse_args()
    samples, network = drawn(given.scenes, given.seed), Network()
    held = int(HELD_OUT * len(samples))
    traced = samples_seen(np.random.default_rng(given.seed), kept(given.traced))
    lessons = samples[held:] + traced * as_many(samples, traced)
    train(network, partial(loss_of, network, lessons), given.minutes, HIGHEST)
    settle(network, lambda rng: as_shown(some_of(lessons, rng), rng)[0])
    print(f"of held out pairs, told apart: {rated(network, samples[:held]):.1%}")
    save(network, given.out, (PLANES, SHOWN_PX, SHOWN_PX), "dice")


if __name__ == "__main__":
    main()
