"""Train the second reader of pip dice: `python -m camera.train_votes --out FILE.npz --photos DIR`.

Needs PyTorch, which the companion itself does not (`pip install torch` in an environment of its
own). Patches are drawn by `train_scenes`, cut out of made-up tables by `train_patches`, and, with
`--photos DIR`, out of that half of labelled photographs which `bench.is_tuned_on` names; of each
sort some are kept back to test on.

The same call gives the same weights, byte for byte, on processors of one kind with one version of
PyTorch; the checksum that it prints of the patches tells where another run differs. It takes a
quarter of an hour on two idle cores. The first reader says where the dice of a photograph lie and
what stands out on a table: when it changes, so do those patches. The weights that are shipped were
trained before some such changes, on 18,500 drawn patches, 11,000 of 500 tables and 7,300 of 112
photographs, and without a fixed order of sums; this script makes others that are not theirs.
"""

import argparse
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch  # type: ignore[import-not-found]
from torch import nn

from camera.pip_blobs import Floats, Pixels
from camera.pip_votes import PATCH_PX, as_input
from camera.train_patches import joined, photo_patches, table_patches
from camera.train_scenes import random_scene

CHANNELS = (16, 32, 64, 96)
THREADS = 1  # another number adds up in another order


def network(
    channels: tuple[int, ...] = CHANNELS, *, seen: int = 1, told: int = 7, dropped: float = 0.3
) -> nn.Sequential:
    """Build a network: a patch, halved for each number of channels, then what is told of it.

    seen     channels of the patch.
    told     numbers that come out: votes over seven classes, where not said otherwise.
    dropped  share of what the last layer sees that it must do without while it learns.
    """
    before, width = seen, 5
    layers: list[nn.Module] = []
    for after in channels:
        layers += [nn.Conv2d(before, after, width, stride=2, padding=width // 2)]
        layers += [nn.BatchNorm2d(after), nn.ReLU()]
        before, width = after, 3
    last = before * (PATCH_PX // 2 ** len(channels)) ** 2
    layers += [nn.Flatten(), nn.Dropout(dropped), nn.Linear(last, told)]
    return nn.Sequential(*layers)


def drawn(count: int, seed: int) -> tuple[Pixels, Floats]:
    """Draw patches and their classes."""
    rng = np.random.default_rng(seed)
    patches, labels = zip(*(random_scene(rng) for _ in range(count)), strict=True)
    return np.stack(patches), np.array(labels, dtype=np.int64)


def varied(rng: np.random.Generator, patches: Pixels) -> Floats:
    """Turn, mirror, shift and relight a batch; a face stays the same face."""
    out = np.rot90(patches, int(rng.integers(0, 4)), axes=(1, 2))
    out = out[:, :, ::-1] if rng.random() < 0.5 else out
    return relit(rng, np.roll(out, rng.integers(-2, 3, 2), axis=(1, 2)))


def relit(rng: np.random.Generator, patches: Pixels) -> Floats:
    """Put a batch into another light, with more noise."""
    light = rng.uniform(0.6, 1.3, (len(patches), 1, 1))
    noise = rng.standard_normal(patches.shape) * rng.uniform(0, 7, (len(patches), 1, 1))
    return np.asarray(np.clip(patches.astype(np.float32) * light + noise, 0, 255))


def begin(seed: int) -> None:
    """Make what follows come out alike each time."""
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(THREADS)


def train(
    model: nn.Sequential,
    batch: Callable[[np.random.Generator, Floats], tuple[Floats, Floats]],
    rows: Floats,
    cost: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    epochs: int,
) -> nn.Sequential:
    """Train on some rows; print the cost of each epoch.

    batch  gives pictures (B, 48, 48, channels) float32 of some rows, varied, and their truths.
    cost   rates what is told of them by the truths.
    """
    rng, size = np.random.default_rng(1), 128
    steps = epochs * (len(rows) // size) + 1
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 6e-3, total_steps=steps)
    for epoch in range(epochs):
        costs, order = [], rng.permutation(rows)
        for start in range(0, len(rows) - size + 1, size):
            shown, truths = batch(rng, order[start : start + size])
            rated = cost(model(as_tensor(shown)), torch.from_numpy(np.ascontiguousarray(truths)))
            optimiser.zero_grad()
            rated.backward()
            optimiser.step()
            schedule.step()
            costs.append(float(rated.detach()))
        print(f"epoch {epoch + 1}: cost {np.mean(costs):.4f}", flush=True)
    return model.eval()


def as_tensor(shown: Floats) -> torch.Tensor:
    """Give pictures (B, H, W, channels) as torch wants them."""
    return torch.from_numpy(np.ascontiguousarray(shown.transpose(0, 3, 1, 2)))


def as_arrays(model: nn.Sequential) -> dict[str, Floats]:
    """Give weights and bias of each layer as `pip_votes.scores_of` takes them.

    The normalisation is folded in. Rows of a weight matrix run over the window's rows, columns
    and channels.
    """
    layers = list(model)
    parts: list[tuple[torch.Tensor, torch.Tensor]] = []
    for index, layer in enumerate(layers):
        match layer:
            case nn.Conv2d():
                fused = torch.nn.utils.fusion.fuse_conv_bn_eval(layer, layers[index + 1])
                parts.append((fused.weight, fused.bias))
            case nn.Linear():
                side = PATCH_PX // 2 ** len(parts)
                seen = layer.weight.reshape(layer.out_features, -1, side, side)
                parts.append((seen, layer.bias))
    arrays = {}
    for number, (weight, bias) in enumerate(parts):
        rows = weight.detach().permute(2, 3, 1, 0).reshape(-1, len(weight))
        arrays[f"weight{number}"] = rows.contiguous().numpy()
        arrays[f"bias{number}"] = bias.detach().numpy()
    return arrays


def main() -> None:
    """Draw, train, test on fresh patches, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--patches", type=int, default=20_000, help="drawn ones")
    parser.add_argument("--tables", type=int, default=600, help="made-up ones to cut up")
    parser.add_argument("--photos", type=Path, help="a folder with labels.csv")
    parser.add_argument("--epochs", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rng = np.random.default_rng(asked.seed)
    sorts = [drawn(asked.patches, asked.seed)]
    sorts += [joined([table_patches(rng) for _ in range(asked.tables)])] if asked.tables else []
    sorts += [joined(list(photo_patches(rng, asked.photos)))] if asked.photos else []
    kept_back = [(patches[::12], labels[::12]) for patches, labels in sorts]
    patches, labels = (
        np.concatenate([np.delete(part[column], np.s_[::12], axis=0) for part in sorts])
        for column in (0, 1)
    )
    print(f"{len(labels)} patches, checksum {zlib.crc32(patches.tobytes()):08x}", flush=True)
    begin(asked.seed)
    model = train(
        network(),
        lambda rng, rows: (as_input(varied(rng, patches[rows]))[..., None], labels[rows]),
        np.arange(len(labels)),
        nn.CrossEntropyLoss(label_smoothing=0.03),
        asked.epochs,
    )
    for fresh, truth in kept_back:
        with torch.no_grad():
            said = model(torch.from_numpy(as_input(fresh)[:, None])).argmax(dim=1).numpy()
        print(f"right on {len(truth)} patches not trained on: {np.mean(said == truth):.4f}")
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(asked.out, allow_pickle=False, **as_arrays(model))


if __name__ == "__main__":
    main()
