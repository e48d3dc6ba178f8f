"""Train the finder of dice: `python -m camera.learn_finder --out FILE.onnx --minutes 50`.

Needs PyTorch and onnx, which the companion itself does not (`pip install torch onnx` in an
environment of its own). Pictures are drawn by `learn_scenes` while it learns, and path-traced ones
shown as often where `--traced` names a file of camera/learn_traced.py; nothing else is used.
The network gives for every cell of 8 x 8 pixels: is here the middle of an upper side, where
exactly, its shape and turn, where the lower side is (see camera/seek.py), and does the die lean.
`--start` goes on from a network that was trained before. The one in `seek.onnx` did so twice: from
one with fewer layers, for 5,100 steps and 3,500 drawn scenes; then for 38,000, 42 minutes of one
core, with 9,000 drawn scenes and 2,200 traced ones, of which some were turned.
"""

import argparse
import multiprocessing
import threading
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx  # type: ignore[import-not-found]
import torch  # type: ignore[import-not-found]
from torch import nn

from camera.canvas import Pixels
from camera.learn_pool import kept
from camera.learn_scenes import Floats, Label, Scene, any_scene, as_seen, halved_scene
from camera.learn_steps import halve, step_size
from camera.seek import CELL_PX, CHANNELS, half_diagonal, shape_of

SMALL_CROP_PX, LARGE_CROP_PX = 192, 240  # the larger ones, later, show more dice together
ENLARGE = 0.6  # of the time, from when on crops are the larger ones
BATCH = 8
TURNED = 0.3  # of pictures, by a quarter or more: cameras stand at any side
FEW = 200  # scenes to begin with
GRAIN = np.random.default_rng(5).standard_normal((480, 480, 3), np.float32)


def block(before: int, after: int, stride: int = 1) -> nn.Sequential:
    """A convolution, normalised, without negative values."""
    conv = nn.Conv2d(before, after, 3, stride, 1, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(after), nn.ReLU())


class Deeper(nn.Module):  # type: ignore[misc]
    """Two convolutions whose outcome, nothing at first, is added to what came in."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.second = block(width, width), nn.Conv2d(width, width, 3, 1, 1)
        nn.init.zeros_(self.second.weight)
        nn.init.zeros_(self.second.bias)

    def forward(self, seen: Any) -> Any:
        """Add details."""
        return torch.relu(seen + self.second(self.first(seen)))


class Network(nn.Module):  # type: ignore[misc]
    """(N, 3, H, W) of 0 to 1 becomes (N, CHANNELS, H / 8, W / 8); H and W count in 16."""

    def __init__(self, widths: tuple[int, int, int, int] = (10, 16, 32, 56)) -> None:
        super().__init__()
        a, b, c, d = widths
        first = (block(3, a, 2), block(a, b, 2), block(b, c, 2))
        self.near = nn.Sequential(*first, Deeper(c), Deeper(c))
        self.far = nn.Sequential(block(c, d, 2), Deeper(d), Deeper(d), Deeper(d), Deeper(d))
        self.back = nn.Conv2d(d, c, 1)
        self.wider = nn.Upsample(scale_factor=2.0, mode="nearest")
        self.join = nn.Sequential(Deeper(c), Deeper(c))
        self.told = nn.Conv2d(c, CHANNELS, 1)
        self.told.bias.data[0] = -4.0

    def forward(self, seen: Any) -> Any:
        """Look for dice."""
        near = self.near(seen)
        return self.told(self.join(near + self.wider(self.back(self.far(near)))))


class Scenes:
    """Pictures, half of SIZE_PX, and what is to be found in them.

    drawn   in another process, while the network learns.
    traced  before, as a good camera sees them.
    """

    def __init__(self, count: int, seed: int, traced: list[Scene]) -> None:
        self.drawn: list[tuple[Pixels, list[Label]]] = []
        self.traced = [halved_scene(one.pixels, one.labels) for one in traced]
        self._count, self._seed, self._few = count, seed, threading.Event()
        threading.Thread(target=self._draw, daemon=True).start()
        self._few.wait()

    def _draw(self) -> None:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            wanted = ([self._seed, number] for number in range(self._count))
            for scene in pool.imap(scene_of, wanted, chunksize=20):
                self.drawn.append(scene)
                if len(self.drawn) >= min(FEW, self._count):
                    self._few.set()

    def any(self, rng: np.random.Generator) -> tuple[Pixels, list[Label]]:
        """A drawn one or, as often, a traced one as a small camera may see it."""
        if self.traced and rng.random() < 0.5:
            pixels, labels = self.traced[int(rng.integers(len(self.traced)))]
            return as_seen(pixels, rng), labels
        return self.drawn[int(rng.integers(len(self.drawn)))]


def scene_of(seed: list[int]) -> tuple[Pixels, list[Label]]:
    """Draw one picture."""
    cv2.setNumThreads(1)
    return any_scene(np.random.default_rng(seed))


def targets(labels: list[Label], left: int, top: int, side_px: int) -> tuple[Floats, Floats]:
    """Wanted channels (CHANNELS, n, n) of a crop, and weights (2, n, n): of heat, of the rest."""
    n = side_px // CELL_PX
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
        shape = shape_of(corners)
        wanted[3:8, close] = shape[:, None]
        wanted[8][close] = label.is_crooked
        wanted[9:11, close] = (label.down / half_diagonal(shape))[:, None]
        weights[1][close] = near[close]
    return wanted, weights


def crop(
    pixels: Pixels, labels: list[Label], side_px: int, rng: np.random.Generator
) -> tuple[Pixels, Floats, Floats]:
    """Cut out a part with a die in it, mostly, and vary its light."""
    height, width = pixels.shape[:2]
    left, top = rng.integers(0, width - side_px + 1), rng.integers(0, height - side_px + 1)
    if labels and rng.random() < 0.85:
        x, y = labels[int(rng.integers(len(labels)))].corners.mean(axis=0)
        left = int(np.clip(x - rng.uniform(10, side_px - 10), 0, width - side_px))
        top = int(np.clip(y - rng.uniform(10, side_px - 10), 0, height - side_px))
    seen = pixels[top : top + side_px, left : left + side_px]
    wanted, weights = targets(labels, int(left), int(top), side_px)
    if rng.random() < 0.5:
        seen, wanted, weights = _mirrored(seen, wanted, weights)
    if rng.random() < TURNED:
        seen, wanted, weights = _turned(seen, wanted, weights, int(rng.integers(1, 4)))
    if rng.random() < 0.3:
        seen = seen[..., rng.permutation(3)]
    gain = np.exp(rng.normal(0, 0.2)) * np.exp(rng.normal(0, 0.06, 3))
    x, y = rng.integers(0, GRAIN.shape[0] - side_px, 2)
    noisy = GRAIN[y : y + side_px, x : x + side_px] * np.float32(abs(rng.normal(0, 3)))
    noisy += seen * gain.astype(np.float32)
    return cv2.convertScaleAbs(np.maximum(noisy, 0, out=noisy)), wanted, weights


def _mirrored(seen: Pixels, wanted: Floats, weights: Floats) -> tuple[Pixels, Floats, Floats]:
    """Left becomes right: x, the slant of the shape and the sense of its turn change sign."""
    wanted = wanted[..., ::-1].copy()
    wanted[[1, 4, 7, 9]] *= -1
    return seen[:, ::-1], wanted, weights[..., ::-1].copy()


def _turned(
    seen: Pixels, wanted: Floats, weights: Floats, times: int
) -> tuple[Pixels, Floats, Floats]:
    """The camera stands at another side of the table: the picture turns by so many quarters."""
    wanted = np.rot90(wanted, times, (1, 2)).copy()
    for _ in range(times):
        for x, y in ((1, 2), (9, 10)):
            wanted[x], wanted[y] = wanted[y].copy(), -wanted[x]
        wanted[3], wanted[4], wanted[5] = wanted[5].copy(), -wanted[4], wanted[3].copy()
    return np.rot90(seen, times), wanted, np.rot90(weights, times, (1, 2)).copy()


def loss_of(found: Any, wanted: Any, weights: Any) -> tuple[Any, Any]:
    """How far heat is off (focal), and how far all else is where dice are."""
    heat, goal = torch.sigmoid(found[:, 0]).clamp(1e-4, 1 - 1e-4), wanted[:, 0]
    hits = (goal == 1.0) * (1 - heat) ** 2 * torch.log(heat)
    misses = (goal < 1.0) * (1 - goal) ** 4 * heat**2 * torch.log(1 - heat)
    dice = (goal == 1.0).sum().clamp(min=1)
    heat_loss = -((hits + misses) * weights[:, 0]).sum() / dice
    near = weights[:, 1]
    off = (found[:, 1:8] - wanted[:, 1:8]).abs()
    scale = torch.tensor([1.0, 1.0, 2.5, 2.5, 2.5, 0.7, 0.7]).view(1, 7, 1, 1)
    off = (off * scale).sum(1) + 1.2 * (found[:, 9:11] - wanted[:, 9:11]).abs().sum(1)
    leans = nn.functional.binary_cross_entropy_with_logits(
        found[:, 8], wanted[:, 8], reduction="none"
    )
    rare = 3 * (1 + wanted[:, 8])  # few lean, and it is hard to see
    return heat_loss, ((off + rare * leans) * near).sum() / near.sum().clamp(min=1)


def train(scenes: Scenes, minutes: float, network: Any, highest: float, seed: int = 1) -> None:
    """Train for so long, with a step size that rises to `highest` first and falls then."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    network.to(memory_format=torch.channels_last).train()
    optimiser = torch.optim.AdamW(network.parameters(), lr=1e-3, weight_decay=0.01)
    begun, step, shown = time.monotonic(), 0, [0.0, 0.0]
    while (part := (time.monotonic() - begun) / (60 * minutes)) < 1.0:
        for group in optimiser.param_groups:
            group["lr"] = step_size(highest, step, part, rise=60)
        side_px = SMALL_CROP_PX if part < ENLARGE else LARGE_CROP_PX
        heat, rest = loss_of(*batch(scenes, side_px, rng, network))
        optimiser.zero_grad()
        (heat + rest).backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        step += 1
        shown = [0.98 * s + 0.02 * v.item() for s, v in zip(shown, (heat, rest), strict=True)]
        if step % 100 == 0:
            told = f"heat {shown[0]:.3f}, rest {shown[1]:.3f}, {len(scenes.drawn)} scenes"
            print(f"{step} steps, {part:.0%}: {told}", flush=True)


def batch(
    scenes: Scenes, side_px: int, rng: np.random.Generator, network: Any
) -> tuple[Any, Any, Any]:
    """What the network finds in a few crops, what is wanted, and weights."""
    crops = [crop(*scenes.any(rng), side_px, rng) for _ in range(BATCH)]
    seen = torch.from_numpy(np.stack([c[0] for c in crops])).permute(0, 3, 1, 2).float() / 255
    wanted, weights = (torch.from_numpy(np.stack([c[k] for c in crops])).float() for k in (1, 2))
    return network(seen.contiguous(memory_format=torch.channels_last)), wanted, weights


def saved_layers(path: Path) -> list[tuple[Any, Any]]:
    """Weights and biases of a saved network's convolutions, in their order."""
    graph = onnx.load(str(path)).graph
    known = {one.name: onnx.numpy_helper.to_array(one) for one in graph.initializer}
    convolutions = [node for node in graph.node if node.op_type == "Conv"]
    return [
        tuple(torch.from_numpy(known[name].astype(np.float32)) for name in node.input[1:3])
        for node in convolutions
    ]


def take_over(network: Any, layers: list[tuple[Any, Any] | None], scenes: Scenes) -> None:
    """Set the weights of convolutions, whose normalisation has become part of them; None keeps."""
    modules = list(network.modules())
    biases: dict[Any, Any] = {}
    convolutions = [n for n, module in enumerate(modules) if isinstance(module, nn.Conv2d)]
    for n, layer in zip(convolutions, layers, strict=True):
        if layer is None:
            continue
        modules[n].weight.data = layer[0]
        if modules[n].bias is None:
            biases[modules[n + 1]] = layer[1]
        else:
            modules[n].bias.data = layer[1]
    hooks = [
        norm.register_forward_pre_hook(lambda own, given: _fit(own, given[0], biases[own]))
        for norm in biases
    ]
    with torch.no_grad():
        batch(scenes, LARGE_CROP_PX, np.random.default_rng(0), network.eval())
    for hook in hooks:
        hook.remove()


def _fit(norm: Any, seen: Any, bias: Any) -> None:
    """Let a normalisation add `bias` and do nothing else to what it sees now."""
    spread, mean = torch.var_mean(seen, dim=(0, 2, 3))
    norm.running_mean.data, norm.running_var.data = mean, spread
    norm.weight.data, norm.bias.data = (spread + norm.eps).sqrt(), bias + mean


def save(network: Any, path: Path) -> None:
    """Write the network for cv2.dnn."""
    network.eval().to(memory_format=torch.contiguous_format)
    sample = torch.zeros(1, 3, 240, 320)
    torch.onnx.export(
        network, (sample,), str(path), input_names=["seen"], output_names=["found"], dynamo=False,
        dynamic_axes={"seen": {2: "height", 3: "width"}, "found": {2: "rows", 3: "columns"}},
    )  # fmt: skip
    halve(path)


def main() -> None:
    """Draw, train and save."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="a network of the same shape to go on from")
    parser.add_argument("--minutes", type=float, default=50.0)
    parser.add_argument("--scenes", type=int, default=8000)
    parser.add_argument("--traced", type=Path, help="what camera/learn_traced.py kept")
    parser.add_argument("--seed", type=int, default=11)
    given = parser.parse_args()
    scenes, network = Scenes(given.scenes, given.seed, kept(given.traced)), Network()
    if given.start is not None:
        take_over(network, list(saved_layers(given.start)), scenes)
    train(scenes, given.minutes, network, 3e-3 if given.start is None else 1.5e-3)
    save(network, given.out)


if __name__ == "__main__":
    main()
