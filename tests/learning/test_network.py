"""The small dense network: compiled and NumPy passes agree, gradients are right, and it learns."""

import numpy as np
import pytest

from hiddenhand.learning.network import (
    Adam,
    cross_entropy,
    layers_of,
    new_network,
    one_layer,
    pass_back,
    pass_forward,
    probabilities,
    respond,
    sizes_of,
    square_error,
)

SIZES = (7, 5, 4, 6)


def random_network(sizes=SIZES):
    """Biases too, so that nothing is 0 by chance."""
    network = new_network(sizes, 3).astype(np.float64)
    start = 1 + len(sizes)
    network[start:] += 0.3 * np.random.default_rng(4).standard_normal(len(network) - start)
    return network


def test_the_layers_are_windows_into_the_flat_array():
    network = new_network(SIZES, 1)
    assert sizes_of(network) == list(SIZES)
    assert len(network) == 1 + 4 + 7 * 5 + 5 + 5 * 4 + 4 + 4 * 6 + 6
    matrix, bias = layers_of(network)[1]
    matrix[2, 3], bias[0] = 9.0, 8.0
    assert network[5 + 40 + 2 * 4 + 3] == 9.0
    assert network[5 + 40 + 20] == 8.0


@pytest.mark.parametrize("sizes", [SIZES, (7, 3), (2, 9, 1)])
def test_the_compiled_answer_is_that_of_the_matrices(sizes):
    network = random_network(sizes)
    inputs = np.random.default_rng(5).standard_normal((10, sizes[0]))
    inputs[:, ::2] = 0.0
    expected = pass_forward(layers_of(network), inputs)[-1]
    for row, answer in zip(inputs, expected):
        outputs = np.empty(sizes[-1])
        respond(network, row, outputs)
        np.testing.assert_allclose(outputs, answer, atol=1e-12)


def test_uncompiled_sums_are_exactly_the_compiled_ones():
    network = random_network().astype(np.float32)
    inputs = np.random.default_rng(5).standard_normal(7).astype(np.float32)
    inputs[2] = 0.0
    plain, fast = np.zeros((2, 5), np.float32)
    one_layer(network, 5, inputs, 7, fast, 5)
    one_layer.plain(network, 5, inputs, 7, plain, 5)
    assert fast.any()
    np.testing.assert_array_equal(plain, fast)


@pytest.mark.parametrize("loss_name", ["square error", "cross-entropy"])
def test_gradients_are_those_of_small_differences(loss_name):
    network = random_network()
    random = np.random.default_rng(6)
    inputs = random.standard_normal((8, SIZES[0]))
    chosen = random.integers(SIZES[-1], size=8)
    targets = random.standard_normal(8)
    allowed = random.random((8, SIZES[-1])) < 0.5
    allowed[np.arange(8), chosen] = True

    def loss(flat):
        outputs = pass_forward(layers_of(flat), inputs)[-1]
        return (
            square_error(outputs, chosen, targets)
            if loss_name == "square error"
            else cross_entropy(outputs, chosen, allowed)
        )

    gradient = np.zeros_like(network)
    gradient[:5] = network[:5]
    layers = layers_of(network)
    pass_back(layers, pass_forward(layers, inputs), loss(network)[1], gradient)
    for place in range(5, len(network)):
        more, less = network.copy(), network.copy()
        more[place] += 1e-6
        less[place] -= 1e-6
        assert gradient[place] == pytest.approx((loss(more)[0] - loss(less)[0]) / 2e-6, abs=1e-7)
    assert np.abs(gradient[5:]).max() > 0.01


def test_probabilities_are_of_allowed_outputs_only():
    outputs = np.array([[1.0, 2.0, 900.0], [0.0, 0.0, 0.0]])
    chances = probabilities(outputs, np.array([[True, True, False], [False, True, True]]))
    np.testing.assert_allclose(chances, [[1 / (1 + np.e), np.e / (1 + np.e), 0.0], [0.0, 0.5, 0.5]])


def test_it_learns_what_no_single_input_shows():
    """Exclusive or, as a choice between two outputs."""
    inputs = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.float32)
    chosen = np.array([0, 1, 1, 0])
    adam = Adam(new_network((2, 16, 2), 1))
    every = np.ones((4, 2), np.bool_)
    losses = [adam.descend(inputs, lambda outputs: cross_entropy(outputs, chosen, every), 0.01) for _ in range(500)]
    assert losses[0] > 0.4
    assert losses[-1] < 0.02
    for network in (adam.network, adam.mean):
        assert (pass_forward(layers_of(network), inputs)[-1].argmax(axis=1) == chosen).all()


def test_learning_goes_on_from_a_snapshot_as_if_nothing_had_happened():
    inputs = np.eye(3, dtype=np.float32)
    targets = np.array([1.0, -2.0, 0.5], np.float32)

    def learn(adam, steps):
        for _ in range(steps):
            adam.descend(inputs, lambda outputs: square_error(outputs, np.array([0, 1, 0]), targets), 0.01)

    whole, first, second = (Adam(new_network((3, 4, 2), seed)) for seed in (1, 1, 2))
    learn(whole, 20)
    learn(first, 8)
    second.restore(first.snapshot())
    learn(second, 12)
    assert (second.network == whole.network).all()
    assert (second.mean == whole.mean).all()
