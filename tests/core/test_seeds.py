"""Seeds: what is chosen repeats, what is secret stays so, and what an agent is shown leads back to nothing."""

import json

import numpy as np
import pytest

import hiddenhand
from hiddenhand.core.errors import UserError
from hiddenhand.core.record import read_record
from hiddenhand.core.seeds import Seeds, new_secret
from hiddenhand.core.table import Table
from hiddenhand.kernel.rng import FIRST, MASK, SECOND, STEP, seat_keys, split


def unmixed(z):
    """The inverse of `mix`."""

    def unshifted(z, bits):
        found = z
        for _ in range(64 // bits + 1):
            found = z ^ (found >> bits)
        return found

    z = unshifted(z, 31)
    z = unshifted(z * pow(SECOND, -1, 2**64) & MASK, 27)
    return unshifted(z * pow(FIRST, -1, 2**64) & MASK, 30)


def unsplit(given, key):
    """The seed from which `split(seed, key)` gave this."""
    return (unmixed(unmixed(given) ^ ((key * STEP + SECOND) & MASK)) - STEP) & MASK


def test_what_an_agent_is_shown_does_not_lead_back_to_the_deal():
    seed = 123456789
    assert unsplit(int(split.plain(seed, 7)), 7) == seed  # what is split can be found
    table = Table(hiddenhand.game("hanabi"), seed)
    for ply in range(1, 6):
        shown = table.view().seed
        for key in range(-2, 20):
            for turned in (0, 0x5851F42D4C957F2D, STEP, FIRST * ply & MASK):
                assert unsplit(shown ^ turned, key & MASK) != seed
        table.play(table.legal_actions()[-1])  # a hint


@pytest.mark.parametrize("seats", [1, 2, 4, 5, 9])
def test_keys_are_the_same_compiled_or_not(seats):
    for seed in (0, 1, 2**63 + 12345, 2**64 - 1):
        compiled, plain = np.zeros(seats, np.uint64), np.zeros(seats, np.uint64)
        seat_keys(np.uint64(seed), compiled)
        seat_keys.plain(np.uint64(seed), plain)
        assert compiled.tolist() == plain.tolist()
        assert len(set(compiled.tolist())) == seats


def test_keys_of_neighbouring_seeds_have_nothing_in_common():
    keys = np.array([Seeds(seed, 4).keys for seed in range(2000)], np.uint64)
    assert len(np.unique(keys)) == keys.size
    changed = np.bitwise_count(keys[1:] ^ keys[:-1]).mean(axis=0)
    assert changed == pytest.approx([32.0] * 4, abs=0.5)


def test_a_secret_has_128_bits_and_its_game_is_given_back_by_its_record():
    secrets = {new_secret() for _ in range(100)}
    assert len(secrets) == 100
    assert min(map(int.bit_length, secrets)) == 129
    for name in ("hanabi", "backgammon", "dominion"):
        table = Table(hiddenhand.game(name), secrets.pop())
        while not table.over and len(table.history) < 60:
            table.play(table.legal_actions()[-1])
        record = read_record(json.loads(json.dumps(table.record().to_json())))
        assert isinstance(table.record().to_json()["seed"], str)  # readers that know only 53 bits would spoil it
        assert record.replay().state.tobytes() == table.state.tobytes()


def test_streams_of_a_secret_do_not_lead_to_each_other():
    seeds = Seeds(new_secret(), 4)
    shown = [seeds.ply(number) for number in range(50)] + seeds.keys
    assert len(set(shown)) == len(shown)
    assert not {unsplit(each, key) for each in shown for key in range(50)} & {seeds.seed & MASK, *shown}


def test_seeds_out_of_range_are_refused():
    for seed in (-1, 2**129):
        with pytest.raises(UserError, match="a seed is a whole number"):
            Seeds(seed, 2)
