"""Every game holds every property of the conformance suite."""

import pytest

from hiddenhand.core.registry import game, games
from hiddenhand.testing import CHECKS


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", games())
def test_conforms(name, check):
    check(game(name))
