"""Train who tells leaning dice: `python -m camera.learn_leaning --out FILE.onnx --minutes 19`.

Needs PyTorch and onnx, as camera/learn_finder.py does. Scenes are drawn first, some with a few dice
and some with many; the finder looks at them as it does at a table, and every die that it finds is
cut out under the slant that the dice tell together, and under the true one, as a table knows it
that has seen many rolls. The network in `leaning.onnx` saw 3,000 scenes, 2,050 of them with one to
four dice, for 19 minutes in two goes, the second with other chances and a lower step size; a
quarter of the dice leaned, by 11 to 45 degrees.
"""

import argparse
import math
import time
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
import torch  # type: ignore[import-not-found]
from torch import nn

from camera.canvas import Pixels
from camera.leaning import KNOWN, SHOWN_PX, planes, trust_in, upright
from camera.learn_art import Chance
from camera.learn_cubes import SIZE_PX, Camera, any_look
from camera.learn_finder import block
from camera.learn_scenes import (
    Floats,
    Label,
    any_camera,
    any_cubes,
    any_light,
    any_tray,
    as_seen,
    draw_scene,
)
from camera.seek import Seeker
from camera.slant import Slant
from camera.upper_sides import find_tops

BATCH, HELD_OUT = 64, 0.15
HIGHEST, DECAY = 2.5e-3, 0.03
DEARER = 2.0  # a leaning die that is overlooked counts as much as so many false alarms
LEAST_HEAT, LEAST_SHOWN = 0.4, 0.55  # of dice that are shown
FEW = (1, 1, 1, 2, 2, 3, 4)  # dice of scenes with a few
LEANING = 0.5  # of them, as far as they find a place


class Sample(NamedTuple):
    """A die as the network sees it: what is cut out, way down, trust; and whether it leans."""

    cut: Pixels
    down: float
    trust: float
    leans: bool


class Network(nn.Module):  # type: ignore[misc]
    """(N, 5, 32, 32) becomes log-odds (N, 1)."""

    def __init__(self, widths: tuple[int, int, int, int] = (16, 24, 32, 48)) -> None:
        super().__init__()
        a, b, c, d = widths
        self.body = nn.Sequential(
            block(5, a, 2), block(a, b, 1), block(b, c, 2), block(c, c, 1), block(c, d, 2),
            block(d, d, 1),
        )  # fmt: skip
        self.told = nn.Sequential(nn.Flatten(), nn.Dropout(0.3), nn.Linear(d * 16, 1))

    def forward(self, seen: Any) -> Any:
        """Look at dice."""
        return self.told(self.body(seen))


def scene_of(rng: Chance, count: int | None) -> tuple[Pixels, list[Label], Camera]:
    """Draw a scene with so many dice, or as many as there happen to be."""
    while True:
        camera, light = any_camera(rng), any_light(rng)
        tray = any_tray(rng, camera)
        walls = tray if rng.random() < 0.8 else None
        cubes = any_cubes(rng, camera, tray, LEANING)
        if len(cubes) >= (count or 3):
            break
    chosen = rng.permutation(len(cubes))[: count or len(cubes)]
    dice = [cubes[n] for n in sorted(chosen.tolist())]
    pixels, labels = draw_scene(rng, camera, light, walls, dice, any_look(rng))
    return as_seen(pixels, rng), labels, camera


def samples_of(rng: Chance, seeker: Seeker, count: int | None) -> list[Sample]:
    """Draw a scene and cut out its dice, as the table sees them."""
    pixels, labels, camera = scene_of(rng, count)
    found = find_tops(seeker, pixels)
    tops = [top for top in found.tops if top.seen.heat >= LEAST_HEAT]
    pairs = [(top.corners.mean(axis=0), label_at(top.corners, labels)) for top in tops]
    dice = [(at, label) for at, label in pairs if label and label.shown >= LEAST_SHOWN]
    if found.slant is None or not dice:
        return []
    middles = np.array([at for at, _ in dice])
    samples = []
    trusts = ((found.slant, trust_in(len(found.tops))), (true_slant(camera), KNOWN))
    for slant, trust in trusts:
        for cut, down, (_, label) in zip(*upright(pixels, slant, middles), dice, strict=True):
            samples.append(Sample(cut, float(down), trust, label.is_crooked))
    return samples


def true_slant(camera: Camera) -> Slant:
    """How a camera looks at the upper sides of dice that lie flat."""
    scale = camera.focal_px / (float(camera.place[2]) - 1)
    return Slant(camera.turn[:, 2].copy(), scale, camera.focal_px, np.array(SIZE_PX) / 2)


def label_at(corners: Floats, labels: list[Label]) -> Label | None:
    """What lies where an upper side was found."""
    apart = [float(np.hypot(*(one.corners - corners).mean(axis=0))) for one in labels]
    sides = [math.sqrt(abs(cv2.contourArea(one.corners.astype(np.float32)))) for one in labels]
    near = [n for n, far in enumerate(apart) if far < 0.4 * sides[n]]
    return labels[min(near, key=lambda n: apart[n])] if near else None


def drawn(scenes: int, seed: int) -> list[Sample]:
    """Draw so many scenes, two thirds of them with a few dice."""
    cv2.setNumThreads(1)
    seeker, samples = Seeker(), []
    for number in range(scenes):
        rng = np.random.default_rng([seed, number])
        samples += samples_of(rng, seeker, None if number % 3 == 0 else int(rng.choice(FEW)))
        if number % 100 == 99:
            print(f"{number + 1} scenes, {len(samples)} samples", flush=True)
    return samples


def varied(cuts: Pixels, rng: Chance) -> Pixels:
    """The same dice in other light, moved by a pixel, perhaps in a mirror."""
    n, size = len(cuts), cuts.shape
    seen = cuts[:, :, ::-1] if rng.random() < 0.5 else cuts
    if rng.random() < 0.5:
        seen = seen[..., rng.permutation(3)]
    seen = np.roll(seen, rng.integers(-1, 2, 2), (1, 2))
    gain = np.exp(rng.normal(0, 0.25, (n, 1, 1, 1))) * np.exp(rng.normal(0, 0.08, (n, 1, 1, 3)))
    noise = rng.normal(0, 1, size) * np.abs(rng.normal(0, 4, (n, 1, 1, 1)))
    return np.asarray(np.clip(seen * gain + noise, 0, 255), np.uint8)


def train(samples: list[Sample], minutes: float, network: Any, seed: int = 3) -> None:
    """Train for so long, with a step size that rises first and falls then."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    optimiser = torch.optim.AdamW(network.parameters(), lr=HIGHEST, weight_decay=DECAY)
    begun, step = time.monotonic(), 0
    while (part := (time.monotonic() - begun) / (60 * minutes)) < 1.0:
        rate = HIGHEST * min(1.0, step / 100) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * part)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        chosen = [samples[n] for n in rng.integers(len(samples), size=BATCH)]
        seen = varied(np.stack([one.cut for one in chosen]), rng)
        downs = np.array([one.down for one in chosen]) + rng.normal(0, 0.02, BATCH)
        told = network(torch.from_numpy(planes(seen, downs, np.array([o.trust for o in chosen]))))
        leans = torch.tensor([[float(one.leans)] for one in chosen])
        loss = nn.functional.binary_cross_entropy_with_logits(
            told, leans, pos_weight=torch.tensor(DEARER)
        )
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        step += 1
        if step % 200 == 0:
            print(f"{step} steps, {part:.0%}: {loss.item():.3f}", flush=True)


def rated(network: Any, samples: list[Sample]) -> float:
    """How often a leaning die is rated higher than a flat one."""
    told = []
    with torch.no_grad():
        for one in samples:
            seen = planes(one.cut[None], np.array([one.down]), np.array([one.trust]))
            told.append(float(network(torch.from_numpy(seen))))
    odds, leans = np.array(told), np.array([one.leans for one in samples])
    return float((odds[leans][:, None] > odds[~leans][None]).mean())


def save(network: Any, path: Path) -> None:
    """Write the network for cv2.dnn, for any number of dice."""
    sample = torch.zeros(2, 5, SHOWN_PX, SHOWN_PX)
    torch.onnx.export(
        network.eval(), (sample,), str(path), input_names=["seen"], output_names=["odds"],
        dynamo=False, dynamic_axes={"seen": {0: "dice"}, "odds": {0: "dice"}},
    )  # fmt: skip


def main() -> None:
    """Draw, train, tell how good it is, and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=19.0)
    parser.add_argument("--scenes", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=5501)
    given = parser.parse_args()
    samples, network = drawn(given.scenes, given.seed), Network()
    held = int(HELD_OUT * len(samples))
    train(samples[held:], given.minutes, network)
    print(f"of held out pairs, told apart: {rated(network.eval(), samples[:held]):.1%}")
    save(network, given.out)


if __name__ == "__main__":
    main()
