"""A small dense network: numbers in, numbers out, with rectified hidden layers; it knows no game.

A network is one flat array, so that a compiled policy can take it as its parameters:

    [how many sizes, the sizes, then for each layer its matrix (inputs by outputs, row by row) and its bias]

`respond` is the compiled pass for one input, quick where many inputs are 0. Learning works on batches with NumPy's
matrices: `pass_forward`, `pass_back` and the steps of `Adam` (D. P. Kingma and J. Ba, "Adam: a method for stochastic
optimization", 2015). Two losses are here: the square error of one chosen output, and the cross-entropy of a choice
among the outputs that are allowed.

A file holds a network in 16 bits a weight, or in 8 with a scale for each output of a layer, and what is told of it.
Its name says how: `.npz` is NumPy's format; `.safetensors` is that of the library of this name, which other programs
read: the length of a header, the header in JSON (the place and shape of each array, and text under `__metadata__`),
and the arrays one after the other.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from hiddenhand.core.errors import UserError
from hiddenhand.core.files import read_arrays
from hiddenhand.kernel import rule
from hiddenhand.kernel.records import unowned

Array = np.ndarray[Any, Any]
Layers = list[tuple[Array, Array]]

FORBIDDEN = -1.0e9  # stands in for an output that may not be chosen


# --- the flat array -------------------------------------------------------------------------------


def new_network(sizes: Sequence[int], seed: int) -> Array:
    """A float32 network of these sizes, inputs first, with small random weights (He's) and biases of 0."""
    random = np.random.default_rng(seed)
    parts = []
    for inputs, outputs in pairwise(sizes):
        spread = np.sqrt(2.0 / inputs)
        parts.append((random.standard_normal(inputs * outputs) * spread).astype(np.float32))
        parts.append(np.zeros(outputs, np.float32))
    return with_sizes(sizes, np.concatenate(parts))


def sizes_of(network: Array) -> list[int]:
    return [int(size) for size in network[1 : 1 + int(network[0])]]


def layers_of(network: Array) -> Layers:
    """The matrix and the bias of each layer: windows into the flat array."""
    sizes = sizes_of(network)
    layers = []
    at = 1 + len(sizes)
    for inputs, outputs in pairwise(sizes):
        matrix = network[at : at + inputs * outputs].reshape(inputs, outputs)
        at += inputs * outputs
        layers.append((matrix, network[at : at + outputs]))
        at += outputs
    return layers


def with_sizes(sizes: Sequence[int], weights: Array) -> Array:
    """The network of these sizes with these weights, in the weights' type."""
    return np.concatenate([np.array([len(sizes), *sizes], weights.dtype), weights])


# --- files ----------------------------------------------------------------------------------------

SAFETENSORS = ".safetensors"
LEVELS = 63
"""Weights in 8 bits are whole numbers from -LEVELS to LEVELS, times the scale of their output. 127 would be possible;
with half of that a packed file is an eighth smaller and plays the same."""


def write_network(path: str | Path, network: Array, about: Mapping[str, Any] | None = None, bits: int = 16) -> None:
    """Write a network and its description (`about`) into a file, with 8 or 16 bits a weight."""
    if Path(path).suffix == SAFETENSORS:
        if bits != 16:
            raise UserError("a .safetensors file has 16 bits a weight, not {bits}: name it .npz", bits=bits)
        write_safetensors(path, network, about or {})
        return
    sizes = sizes_of(network)
    weights = network[1 + len(sizes) :]
    kept: dict[str, Array] = {"sizes": np.array(sizes), "about": np.array(json.dumps(dict(about or {})))}
    if bits == 16:
        kept["weights"] = weights.astype(np.float16)
    else:
        scales = [np.maximum(np.abs(block).max(axis=0), 1e-12) / LEVELS for block in blocks_of(sizes, weights)]
        whole = [np.rint(block / scale) for block, scale in zip(blocks_of(sizes, weights), scales)]
        kept["weights"] = np.concatenate([block.ravel() for block in whole]).astype(np.int8)
        kept["scales"] = np.concatenate(scales).astype(np.float32)
    np.savez_compressed(path, **cast(Any, kept))


def read_network(path: str | Path) -> tuple[Array, dict[str, Any]]:
    """Read (the network as float32, its description) from a file; a UserError if it is no such file."""
    if Path(path).suffix == SAFETENSORS:
        return read_safetensors(path)
    arrays = read_arrays(path, "sizes", "weights", perhaps=("about", "scales"))
    sizes, weights = [int(size) for size in np.ravel(arrays["sizes"])], arrays["weights"].astype(np.float32)
    fits = len(sizes) > 1 and min(sizes) > 0 and weights.shape == (sum((a + 1) * b for a, b in pairwise(sizes)),)
    if not fits:  # a compiled pass would read beyond its arrays
        raise UserError(
            "{path} is no network: {size} weights are not those of layers of {sizes}",
            path=path,
            size=weights.size,
            sizes=sizes,
        )
    if "scales" in arrays:
        if arrays["scales"].shape != (sum(sizes[1:]),):
            raise UserError(
                "{path} is no network: it has {size} scales for layers of {sizes}",
                path=path,
                size=arrays["scales"].size,
                sizes=sizes,
            )
        scales = np.split(arrays["scales"].astype(np.float32), np.cumsum(sizes[1:])[:-1])
        blocks = [block * scale for block, scale in zip(blocks_of(sizes, weights), scales)]
        weights = np.concatenate([block.ravel() for block in blocks])
    try:
        about = json.loads(str(arrays.get("about", "{}")))
    except json.JSONDecodeError:
        raise UserError("{path} is no network: what is told about it is not JSON", path=path) from None
    return with_sizes(sizes, weights), about if isinstance(about, dict) else {}


def write_safetensors(path: str | Path, network: Array, about: Mapping[str, Any]) -> None:
    """Matrices are written as PyTorch has them, a row for each output."""
    entries: dict[str, Any] = {"__metadata__": {"format": "pt", "about": json.dumps(dict(about))}}
    parts: list[bytes] = []
    end = 0
    for number, (matrix, bias) in enumerate(layers_of(network)):
        for name, array in (("weight", matrix.T), ("bias", bias)):
            parts.append(np.ascontiguousarray(array, "<f2").tobytes())
            offsets = [end, end := end + len(parts[-1])]
            entries[f"{number}.{name}"] = {"dtype": "F16", "shape": list(array.shape), "data_offsets": offsets}
    header = json.dumps(entries).encode()
    header += b" " * (-len(header) % 8)  # the arrays begin at a multiple of 8
    Path(path).write_bytes(len(header).to_bytes(8, "little") + header + b"".join(parts))


def read_safetensors(path: str | Path) -> tuple[Array, dict[str, Any]]:
    try:
        whole = Path(path).read_bytes()
        start = 8 + int.from_bytes(whole[:8], "little")
        entries = json.loads(whole[8:start])
        about = json.loads(entries.pop("__metadata__")["about"])
        arrays = {}
        for name, entry in entries.items():
            first, end = entry["data_offsets"]
            kind = {"F16": "<f2", "F32": "<f4"}[entry["dtype"]]
            arrays[name] = np.frombuffer(whole[start + first : start + end], kind).reshape(entry["shape"])
        layers = [(arrays[f"{i}.weight"].T, arrays[f"{i}.bias"]) for i in range(len(arrays) // 2)]
        sizes = [layers[0][0].shape[0], *(len(bias) for _, bias in layers)]
        if [matrix.shape for matrix, _ in layers] != list(pairwise(sizes)) or not isinstance(about, dict):
            raise ValueError
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        raise UserError("{path} cannot be read: it is no .safetensors file of a network", path=path) from None
    weights = np.concatenate([part.ravel() for layer in layers for part in layer])
    return with_sizes(sizes, weights.astype(np.float32)), about


def blocks_of(sizes: Sequence[int], weights: Array) -> list[Array]:
    """Each layer's matrix with its bias as the last row."""
    ends = np.cumsum([(inputs + 1) * outputs for inputs, outputs in pairwise(sizes)])
    return [block.reshape(-1, outputs) for block, outputs in zip(np.split(weights, ends[:-1]), sizes[1:])]


# --- one input, compiled --------------------------------------------------------------------------


@rule
def respond(network, inputs, outputs):
    """Write what the network answers to `inputs` into `outputs` (both of the network's own sizes)."""
    network = unowned(network)
    count = np.int64(network[0])
    widest = 0
    for i in range(count):
        widest = max(widest, np.int64(network[1 + i]))
    below = np.empty(widest, network.dtype)
    above = np.empty(widest, network.dtype)
    width = np.int64(network[1])
    for i in range(width):
        below[i] = inputs[i]
    at = 1 + count
    for layer in range(1, count):
        next_width = np.int64(network[1 + layer])
        one_layer(network, at, below, width, above, next_width)
        at += (width + 1) * next_width
        for j in range(next_width):
            below[j] = 0.0 if above[j] < 0.0 and layer < count - 1 else above[j]
        width = next_width
    for j in range(width):
        outputs[j] = below[j]


@rule
def one_layer(network, at, below, width, above, next_width):
    """above = bias + below times the matrix that begins at network[at]; what is 0 below costs nothing.

    Rows are windows that count from 0: the loops over them then run on several numbers at once. Four rows at a time
    are added, one after the other, so that sums are read and written once for four.
    """
    bias = network[at + width * next_width : at + (width + 1) * next_width]
    for j in range(len(bias)):
        above[j] = bias[j]
    some = np.empty(width, np.int64)
    count = 0
    for i in range(width):
        some[count] = i
        count += below[i] != 0.0
    for k in range(0, count - 3, 4):
        a, b, c, d = some[k], some[k + 1], some[k + 2], some[k + 3]
        x, y, z, u = below[a], below[b], below[c], below[d]
        first = network[at + a * next_width : at + (a + 1) * next_width]
        second = network[at + b * next_width : at + (b + 1) * next_width]
        third = network[at + c * next_width : at + (c + 1) * next_width]
        fourth = network[at + d * next_width : at + (d + 1) * next_width]
        for j in range(len(first)):
            above[j] = above[j] + x * first[j] + y * second[j] + z * third[j] + u * fourth[j]
    for k in range(count - count % 4, count):
        i = some[k]
        x = below[i]
        row = network[at + i * next_width : at + (i + 1) * next_width]
        for j in range(len(row)):
            above[j] += x * row[j]


@one_layer.plainly  # the same sums in the same order, a row at a time
def one_layer_plainly(network, at, below, width, above, next_width):
    rows = network[at : at + (width + 1) * next_width].reshape(width + 1, next_width)
    above[:next_width] = rows[width]
    for i in np.flatnonzero(below[:width]):
        above[:next_width] += below[i] * rows[i]


# --- many inputs, with NumPy ----------------------------------------------------------------------


def pass_forward(layers: Layers, inputs: Array) -> list[Array]:
    """What every layer answers to a batch float32[samples, inputs]: the inputs first, the outputs last."""
    answers = [inputs]
    for i, (matrix, bias) in enumerate(layers):
        answer = answers[-1] @ matrix + bias
        if i < len(layers) - 1:
            np.maximum(answer, 0.0, out=answer)
        answers.append(answer)
    return answers


def pass_back(layers: Layers, answers: list[Array], slope: Array, gradient: Array) -> None:
    """Write the gradient of a loss into a flat array like the network's.

    slope   float32[samples, outputs]: how the loss changes with each output
    """
    into = layers_of(gradient)
    for i in range(len(layers) - 1, -1, -1):
        np.matmul(answers[i].T, slope, out=into[i][0])
        np.sum(slope, axis=0, out=into[i][1])
        if i > 0:
            slope = (slope @ layers[i][0].T) * (answers[i] > 0.0)


def square_error(outputs: Array, chosen: Array, targets: Array) -> tuple[float, Array]:
    """Half the mean square error of the chosen output of each sample, and its slope."""
    rows = np.arange(len(chosen))
    errors = outputs[rows, chosen] - targets
    slope = np.zeros_like(outputs)
    slope[rows, chosen] = errors / len(chosen)
    return float(0.5 * np.mean(errors**2)), slope


def cross_entropy(outputs: Array, chosen: Array, allowed: Array) -> tuple[float, Array]:
    """Mean of -log(probability of the choice) among the allowed outputs (bool[samples, outputs]), and its slope."""
    rows = np.arange(len(chosen))
    slope = probabilities(outputs, allowed)
    loss = float(-np.mean(np.log(slope[rows, chosen] + 1e-30)))
    slope[rows, chosen] -= 1.0
    slope /= len(chosen)
    return loss, slope


def probabilities(outputs: Array, allowed: Array) -> Array:
    """The softmax of the allowed outputs; 0 for the others."""
    masked = np.where(allowed, outputs, np.asarray(FORBIDDEN, outputs.dtype))
    masked -= masked.max(axis=-1, keepdims=True)
    np.exp(masked, out=masked)
    masked /= masked.sum(axis=-1, keepdims=True)
    return masked


# --- steps ----------------------------------------------------------------------------------------


class Weights(NamedTuple):
    """What a step changes and what it goes by: float32 arrays of equal length."""

    weights: Array
    gradient: Array
    first: Array
    """The mean of the gradients so far, the latest weighing most."""
    second: Array
    """The same of their squares."""
    mean: Array
    """The mean of the weights, the same way."""


class Adam:
    """Steps down a gradient, each weight at its own pace. `mean` is the network averaged over the latest steps."""

    def __init__(self, network: Array, memory: float = 0.999) -> None:
        self.network = network
        self.mean = network.copy()
        self.memory = memory
        self.gradient = np.zeros_like(network)
        self.gradient[: 1 + int(network[0])] = network[: 1 + int(network[0])]  # so that its layers can be found
        self.first = np.zeros_like(network)
        self.second = np.zeros_like(network)
        self.steps = 0

    def descend(self, inputs: Array, loss: Callable[[Array], tuple[float, Array]], rate: float) -> float:
        """One step for a batch; `loss(outputs)` gives the loss and its slope. Returns the loss."""
        layers = layers_of(self.network)
        answers = pass_forward(layers, inputs)
        value, slope = loss(answers[-1])
        pass_back(layers, answers, slope, self.gradient)
        self.steps += 1
        memory = min(self.memory, 1.0 - 1.0 / (1.0 + self.steps))
        start = 1 + int(self.network[0])
        arrays = (self.network, self.gradient, self.first, self.second, self.mean)
        step(Weights(*(array[start:] for array in arrays)), self.steps, np.float32(rate), np.float32(memory))
        return float(value)

    def snapshot(self) -> dict[str, Array]:
        """Everything needed to go on, copied."""
        kept = {name: getattr(self, name).copy() for name in ("network", "mean", "first", "second")}
        return {**kept, "steps": np.array([self.steps])}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        for name in ("network", "mean", "first", "second"):
            getattr(self, name)[:] = arrays[name]
        self.steps = int(arrays["steps"][0])


@rule
def step(of, steps, rate, memory):
    """One step of Adam, and of the average. of: Weights"""
    weights, gradient, first, second, mean = of.weights, of.gradient, of.first, of.second, of.mean
    short, long, tiny = np.float32(0.9), np.float32(0.999), np.float32(1e-8)
    one = np.float32(1.0)
    warm_first = np.float32(1.0 - 0.9**steps)
    warm_second = np.float32(1.0 - 0.999**steps)
    for i in range(len(weights)):
        g = gradient[i]
        first[i] = short * first[i] + (one - short) * g
        second[i] = long * second[i] + (one - long) * g * g
        weights[i] -= rate * (first[i] / warm_first) / (np.sqrt(second[i] / warm_second) + tiny)
        mean[i] = memory * mean[i] + (one - memory) * weights[i]
