"""How networks are kept in files, as 16-bit floats, and those that come with hiddenhand."""

from pathlib import Path

import numpy as np

from hiddenhand.learning.network import new_network, sizes_of

LEARNED = Path(__file__).parent.parent / "learned"


def keep(path, network):
    """Write a network."""
    sizes = sizes_of(network)
    np.savez_compressed(path, sizes=np.array(sizes), weights=network[1 + len(sizes) :].astype(np.float16))


def kept(path):
    """The network that was written there, as float64: what a policy takes as its parameters."""
    with np.load(path) as file:
        sizes = file["sizes"].tolist()
        return np.concatenate([np.array([len(sizes), *sizes], np.float64), file["weights"].astype(np.float64)])


def shipped(name, sizes):
    """The network that comes with hiddenhand under this name; one that has learned nothing if there is none."""
    path = LEARNED / f"{name}.npz"
    if not path.is_file():
        return new_network(sizes, 0).astype(np.float64)
    network = kept(path)
    found = sizes_of(network)
    if (found[0], found[-1]) != (sizes[0], sizes[-1]):  # a compiled pass would read beyond its arrays
        raise ValueError(f"{path} has learned with {found[0]} inputs and {found[-1]} outputs, not {sizes}")
    return network
