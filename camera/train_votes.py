"""Train the second reader of pip dice: `python -m camera.train_votes --out FILE.npz`.

Needs PyTorch and onnx, which the companion itself does not (`pip install torch onnx` in an
environment of its own). Patches are drawn by `train_scenes`; `--photos FILE` adds patches cut
from labelled photographs (an .npz with `x` (N, 48, 48) uint8 and `y` (N,) classes 0 to 6). The
weights in `pip_votes.npz` come from 20,000 drawn patches and 4,700 patches of 112 photographs.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx  # type: ignore[import-not-found]
import torch  # type: ignore[import-not-found]
from torch import nn

from camera.pip_blobs import Floats, Pixels
from camera.pip_votes import as_input
from camera.train_scenes import PATCH_PX, random_scene

CHANNELS = (16, 32, 48, 64)


def network() -> nn.Sequential:
    """Build the network: four halvings of the patch, then a vote over seven classes."""
    before = CHANNELS[0]
    layers: list[nn.Module] = [nn.Conv2d(1, before, 5, stride=2, padding=2)]
    layers += [nn.BatchNorm2d(before), nn.ReLU()]
    for channels in CHANNELS[1:]:
        layers += [nn.Conv2d(before, channels, 3, padding=1), nn.BatchNorm2d(channels), nn.ReLU()]
        layers += [nn.MaxPool2d(2)]
        before = channels
    layers += [nn.Flatten(), nn.Dropout(0.3), nn.Linear(before * (PATCH_PX // 16) ** 2, 7)]
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
    out = np.roll(out, rng.integers(-2, 3, 2), axis=(1, 2)).astype(np.float32)
    light = rng.uniform(0.6, 1.3, (len(out), 1, 1))
    noise = rng.standard_normal(out.shape) * rng.uniform(0, 7, (len(out), 1, 1))
    return np.asarray(np.clip(out * light + noise, 0, 255))


def train(patches: Pixels, labels: Floats, epochs: int, seed: int = 1) -> nn.Sequential:
    """Train on patches (N, 48, 48) and classes (N,); print the loss of each epoch."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    model, batch = network(), 128
    steps = epochs * (len(labels) // batch)
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 6e-3, total_steps=steps + 1)
    cost = nn.CrossEntropyLoss(label_smoothing=0.03)
    for epoch in range(epochs):
        losses = []
        order = rng.permutation(len(labels))
        for start in range(0, len(labels) - batch + 1, batch):
            rows = order[start : start + batch]
            inputs = torch.from_numpy(as_input(varied(rng, patches[rows])))
            loss = cost(model(inputs), torch.from_numpy(labels[rows]))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            losses.append(float(loss.detach()))
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}", flush=True)
    return model.eval()


def to_onnx(model: nn.Sequential) -> bytes:
    """Write the network as ONNX with a free batch size; the normalisation is folded in."""
    nodes, stored, name = [], [], "patch"
    layers = list(model)
    for index, layer in enumerate(layers):
        out = f"layer{index}"
        match layer:
            case nn.Conv2d():
                fused = torch.nn.utils.fusion.fuse_conv_bn_eval(layer, layers[index + 1])
                stored += _constants(out, fused.weight, fused.bias)
                ends = {"strides": layer.stride, "pads": layer.padding * 2}
                inputs = [name, f"{out}w", f"{out}b"]
                nodes.append(onnx.helper.make_node("Conv", inputs, [out], **ends))
            case nn.ReLU():
                nodes.append(onnx.helper.make_node("Relu", [name], [out]))
            case nn.MaxPool2d():
                ends = {"kernel_shape": [2, 2], "strides": [2, 2]}
                nodes.append(onnx.helper.make_node("MaxPool", [name], [out], **ends))
            case nn.Flatten():
                nodes.append(onnx.helper.make_node("Flatten", [name], [out]))
            case nn.Linear():
                stored += _constants(out, layer.weight, layer.bias)
                inputs = [name, f"{out}w", f"{out}b"]
                nodes.append(onnx.helper.make_node("Gemm", inputs, [out], transB=1))
            case _:
                continue
        name = out
    kind = onnx.TensorProto.FLOAT
    ins = [onnx.helper.make_tensor_value_info("patch", kind, ["n", 1, PATCH_PX, PATCH_PX])]
    outs = [onnx.helper.make_tensor_value_info(name, kind, ["n", 7])]
    graph = onnx.helper.make_graph(nodes, "pips", ins, outs, stored)
    opset = [onnx.helper.make_opsetid("", 13)]
    return bytes(
        onnx.helper.make_model(graph, opset_imports=opset, ir_version=8).SerializeToString()
    )


def _constants(name: str, weight: torch.Tensor, bias: torch.Tensor) -> list[onnx.TensorProto]:
    pairs = ((f"{name}w", weight), (f"{name}b", bias))
    return [onnx.numpy_helper.from_array(value.detach().numpy(), key) for key, value in pairs]


def main() -> None:
    """Draw, train, test on fresh patches, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--patches", type=int, default=20_000)
    parser.add_argument("--epochs", type=int, default=7)
    parser.add_argument("--photos", type=Path, help="patches from photographs, see above")
    parser.add_argument("--drawn", type=Path, nargs="*", help="patches drawn before, same form")
    asked = parser.parse_args()
    if asked.drawn:
        loaded = [np.load(path) for path in asked.drawn]
        patches = np.concatenate([part["x"] for part in loaded])
        labels = np.concatenate([part["y"] for part in loaded]).astype(np.int64)
    else:
        patches, labels = drawn(asked.patches, seed=1)
    fresh, truth = patches[:1000], labels[:1000]
    patches, labels = patches[1000:], labels[1000:]
    if asked.photos:
        with np.load(asked.photos) as photos:
            patches = np.concatenate([patches, photos["x"]])
            labels = np.concatenate([labels, photos["y"].astype(np.int64)])
    model = train(patches, labels, asked.epochs)
    with torch.no_grad():
        said = model(torch.from_numpy(as_input(fresh))).argmax(dim=1).numpy()
    print(f"right on patches not trained on: {np.mean(said == truth):.4f}")
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(asked.out, onnx=np.frombuffer(to_onnx(model), dtype=np.uint8))


if __name__ == "__main__":
    main()
