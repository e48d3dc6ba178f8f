"""Train the finder of dice: `python -m camera.learn_finder --out FILE.onnx --minutes 25`.

Needs PyTorch and onnx, which the companion itself does not (`pip install torch onnx` in an
environment of its own). Pictures are drawn by `learn_scenes`, nothing else is used. The network
gives for every cell of 8 x 8 pixels: is here the middle of an upper side, where exactly, its shape
and turn (see camera/seek.py), and does the die lean.
"""

import argparse
import math
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch  # type: ignore[import-not-found]
from torch import nn

from camera.canvas import Pixels
from camera.learn_scenes import Floats, Label, any_scene
from camera.seek import CELL_PX, CHANNELS, shape_of

CROP_PX = 192
BATCH = 8
GRAIN = np.random.default_rng(5).standard_normal((480, 480, 3), np.float32)


def block(before: int, after: int, stride: int = 1) -> nn.Sequential:
    """A convolution, normalised, without negative values."""
    conv = nn.Conv2d(before, after, 3, stride, 1, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(after), nn.ReLU())


class Deeper(nn.Module):  # type: ignore[misc]
    """Two convolutions whose outcome is added to what came in."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.second = block(width, width), nn.Conv2d(width, width, 3, 1, 1)

    def forward(self, seen: Any) -> Any:
        """Add details."""
        return torch.relu(seen + self.second(self.first(seen)))


class Network(nn.Module):  # type: ignore[misc]
    """(N, 3, H, W) of 0 to 1 becomes (N, CHANNELS, H / 8, W / 8); H and W count in 16."""

    def __init__(self, widths: tuple[int, int, int, int] = (10, 16, 32, 56)) -> None:
        super().__init__()
        a, b, c, d = widths
        self.near = nn.Sequential(block(3, a, 2), block(a, b, 2), block(b, c, 2), Deeper(c))
        self.far = nn.Sequential(block(c, d, 2), Deeper(d), Deeper(d), nn.Conv2d(d, c, 1))
        self.wider = nn.Upsample(scale_factor=2.0, mode="nearest")
        self.join = nn.Sequential(Deeper(c), nn.Conv2d(c, CHANNELS, 1))
        self.join[1].bias.data[0] = -4.0

    def forward(self, seen: Any) -> Any:
        """Look for dice."""
        near = self.near(seen)
        return self.join(near + self.wider(self.far(near)))


def drawn(count: int, seed: int) -> tuple[list[Pixels], list[list[Label]]]:
    """Draw pictures and what is to be found in them."""
    scenes = [any_scene(np.random.default_rng([seed, number])) for number in range(count)]
    return [pixels for pixels, _ in scenes], [labels for _, labels in scenes]


def targets(labels: list[Label], left: int, top: int) -> tuple[Floats, Floats]:
    """Wanted channels (CHANNELS, n, n) of a crop, and weights (2, n, n): of heat, of the rest."""
    n = CROP_PX // CELL_PX
    wanted, weights = np.zeros((CHANNELS, n, n)), np.zeros((2, n, n))
    weights[0] = 1.0
    columns = np.tile(np.arange(n), (n, 1))
    rows = columns.T
    for label in labels:
        corners = label.corners - (left, top)
        middle = (corners.mean(axis=0) + 0.5) / CELL_PX
        x, y = middle[0] - (columns + 0.5), middle[1] - (rows + 0.5)
        near = np.exp(-(x**2 + y**2) / (2 * 0.55**2))
        if label.shown < 0.12:
            continue
        if label.shown < 0.5:
            weights[0][near > 0.1] = 0.0
            continue
        peak = (np.abs(x) <= 0.5) & (np.abs(y) <= 0.5)
        wanted[0] = np.maximum(wanted[0], np.where(peak, 1.0, 0.9 * near))
        close = (near > 0.3) & (near > weights[1])
        wanted[1][close], wanted[2][close] = x[close], y[close]
        wanted[3:8, close] = shape_of(corners)[:, None]
        wanted[8][close] = label.is_crooked
        weights[1][close] = near[close]
    return wanted, weights


def crop(
    pixels: Pixels, labels: list[Label], rng: np.random.Generator
) -> tuple[Pixels, Floats, Floats]:
    """Cut out a part with a die in it, mostly, and vary its light."""
    height, width = pixels.shape[:2]
    left, top = rng.integers(0, width - CROP_PX + 1), rng.integers(0, height - CROP_PX + 1)
    if labels and rng.random() < 0.85:
        x, y = labels[int(rng.integers(len(labels)))].corners.mean(axis=0)
        left = int(np.clip(x - rng.uniform(10, CROP_PX - 10), 0, width - CROP_PX))
        top = int(np.clip(y - rng.uniform(10, CROP_PX - 10), 0, height - CROP_PX))
    seen = pixels[top : top + CROP_PX, left : left + CROP_PX]
    wanted, weights = targets(labels, int(left), int(top))
    if rng.random() < 0.5:
        seen, wanted, weights = _mirrored(seen, wanted, weights)
    if rng.random() < 0.3:
        seen = seen[..., rng.permutation(3)]
    gain = np.exp(rng.normal(0, 0.2)) * np.exp(rng.normal(0, 0.06, 3))
    x, y = rng.integers(0, GRAIN.shape[0] - CROP_PX, 2)
    noisy = GRAIN[y : y + CROP_PX, x : x + CROP_PX] * np.float32(abs(rng.normal(0, 4)))
    noisy += seen * gain.astype(np.float32)
    return cv2.convertScaleAbs(np.maximum(noisy, 0, out=noisy)), wanted, weights


def _mirrored(seen: Pixels, wanted: Floats, weights: Floats) -> tuple[Pixels, Floats, Floats]:
    """Left becomes right: x, the slant of the shape and the sense of its turn change sign."""
    wanted = wanted[..., ::-1].copy()
    wanted[[1, 4, 7]] *= -1
    return seen[:, ::-1], wanted, weights[..., ::-1].copy()


def loss_of(found: Any, wanted: Any, weights: Any) -> tuple[Any, Any]:
    """How far heat is off (focal), and how far all else is where dice are."""
    heat, goal = torch.sigmoid(found[:, 0]).clamp(1e-4, 1 - 1e-4), wanted[:, 0]
    hits = (goal == 1.0) * (1 - heat) ** 2 * torch.log(heat)
    misses = (goal < 1.0) * (1 - goal) ** 4 * heat**2 * torch.log(1 - heat)
    dice = (goal == 1.0).sum().clamp(min=1)
    heat_loss = -((hits + misses) * weights[:, 0]).sum() / dice
    near = weights[:, 1]
    upright = near * (1 - 0.7 * wanted[:, 8])
    off = (found[:, 1:8] - wanted[:, 1:8]).abs()
    scale = torch.tensor([1.0, 1.0, 2.0, 2.0, 2.0, 0.7, 0.7]).view(1, 7, 1, 1)
    rest = ((off * scale).sum(1) * upright).sum() / near.sum().clamp(min=1)
    leans = nn.functional.binary_cross_entropy_with_logits(
        found[:, 8], wanted[:, 8], reduction="none"
    )
    return heat_loss, rest + (leans * near).sum() / near.sum().clamp(min=1)


def train(
    pictures: list[Pixels], labels: list[list[Label]], minutes: float, network: Any, seed: int = 1
) -> None:
    """Train for so long, with a step size that rises first and falls then."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    network.to(memory_format=torch.channels_last).train()
    optimiser = torch.optim.AdamW(network.parameters(), lr=1e-3, weight_decay=0.01)
    begun, step, shown = time.monotonic(), 0, [0.0, 0.0]
    while (part := (time.monotonic() - begun) / (60 * minutes)) < 1.0:
        rate = 3e-3 * min(1.0, step / 60) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * part)))
        for group in optimiser.param_groups:
            group["lr"] = rate
        chosen = rng.integers(len(pictures), size=BATCH)
        crops = [crop(pictures[n], labels[n], rng) for n in chosen]
        seen = torch.from_numpy(np.stack([c[0] for c in crops])).permute(0, 3, 1, 2).float() / 255
        wanted, weights = (
            torch.from_numpy(np.stack([c[k] for c in crops])).float() for k in (1, 2)
        )
        heat, rest = loss_of(
            network(seen.contiguous(memory_format=torch.channels_last)), wanted, weights
        )
        optimiser.zero_grad()
        (heat + rest).backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        step += 1
        shown = [0.98 * s + 0.02 * v.item() for s, v in zip(shown, (heat, rest), strict=True)]
        if step % 100 == 0:
            print(f"{step} steps, {part:.0%}: heat {shown[0]:.3f}, rest {shown[1]:.3f}", flush=True)


def save(network: Any, path: Path) -> None:
    """Write the network for cv2.dnn."""
    network.eval().to(memory_format=torch.contiguous_format)
    sample = torch.zeros(1, 3, 240, 320)
    torch.onnx.export(
        network, (sample,), str(path), input_names=["seen"], output_names=["found"], dynamo=False,
        dynamic_axes={"seen": {2: "height", 3: "width"}, "found": {2: "rows", 3: "columns"}},
    )  # fmt: skip


def main() -> None:
    """Draw, train and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=25.0)
    parser.add_argument("--scenes", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=11)
    given = parser.parse_args()
    pictures, labels = drawn(given.scenes, given.seed)
    network = Network()
    train(pictures, labels, given.minutes, network)
    save(network, given.out)


if __name__ == "__main__":
    main()
