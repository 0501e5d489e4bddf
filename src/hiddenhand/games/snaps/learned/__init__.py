"""What the learning agents of snaps have learned, and how it is kept: a network as 16-bit floats."""

from pathlib import Path

import numpy as np

from hiddenhand.learning.network import new_network, sizes_of

FOLDER = Path(__file__).parent


def keep(path, network):
    """Write a network."""
    start = 1 + len(sizes_of(network))
    np.savez_compressed(path, sizes=np.array(sizes_of(network)), weights=network[start:].astype(np.float16))


def kept(path):
    """The network that was written there, as float32."""
    with np.load(path) as file:
        sizes = file["sizes"].tolist()
        return np.concatenate([np.array([len(sizes), *sizes]), file["weights"]]).astype(np.float32)


def shipped(name, sizes):
    """The network that comes with hiddenhand, as float64; a new one before anything was learned."""
    path = FOLDER / f"{name}.npz"
    return (kept(path) if path.is_file() else new_network(sizes, 0)).astype(np.float64)
