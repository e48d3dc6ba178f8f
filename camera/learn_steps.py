"""What training has in common: steps that rise and fall, settling, writing a network."""

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx  # type: ignore[import-not-found]
import torch  # type: ignore[import-not-found]
from torch import nn

from camera.learn_art import Chance

SETTLING = 300  # batches
DECAY = 0.03


def step_size(highest: float, step: int, part: float, rise: int = 100) -> float:
    """How large a step is: it rises for the first few, and falls as `part`, 0 to 1, goes on."""
    return highest * min(1.0, step / rise) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * part)))


def train(
    network: Any, loss_of: Callable[[Chance], Any], minutes: float, highest: float, seed: int = 3
) -> None:
    """Train for so long.

    loss_of  how badly the network tells a batch that is chosen by chance.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    optimiser = torch.optim.AdamW(network.parameters(), lr=highest, weight_decay=DECAY)
    begun, step, mean = time.monotonic(), 0, 0.0
    network.train()
    while (part := (time.monotonic() - begun) / (60 * minutes)) < 1.0:
        for group in optimiser.param_groups:
            group["lr"] = step_size(highest, step, part)
        loss = loss_of(rng)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        step, mean = step + 1, mean + loss.item() / 100
        if step % 100 == 0:
            print(f"{step} steps, {part:.0%}: {mean:.3f}", flush=True)
            mean = 0.0


def settle(network: Any, shown: Callable[[Chance], Any], seed: int = 5) -> None:
    """Take means and spreads of what is inside over many batches: the last few tell them badly.

    shown  a batch that is chosen by chance, as the network sees it.
    """
    rng = np.random.default_rng(seed)
    for layer in network.modules():
        if isinstance(layer, nn.BatchNorm2d):
            layer.reset_running_stats()
            layer.momentum = None
    network.train()
    with torch.no_grad():
        for _ in range(SETTLING):
            network(shown(rng))
    network.eval()


def save(network: Any, path: Path, shape: tuple[int, ...], each: str) -> None:
    """Write a network for cv2.dnn that sees any number of things of this shape, called `each`."""
    torch.onnx.export(
        network, (torch.zeros(2, *shape),), str(path), input_names=["seen"], output_names=["told"],
        dynamo=False, dynamic_axes={"seen": {0: each}, "told": {0: each}},
    )  # fmt: skip
    halve(path)


def halve(path: Path) -> None:
    """Keep the weights of a saved network in 16 bits: it tells the same, in half the bytes."""
    network = onnx.load(str(path))
    for one in network.graph.initializer:
        if one.data_type == onnx.TensorProto.FLOAT and len(one.dims):
            weights = onnx.numpy_helper.to_array(one).astype(np.float16)
            one.CopyFrom(onnx.numpy_helper.from_array(weights, one.name))
    onnx.save(network, str(path))
