"""Golden playthroughs: a change of the rules without a new version is seen."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hiddenhand.core.resolver import game, games
from hiddenhand.kernel import rule
from hiddenhand.testing import check_golden
from hiddenhand.testing.golden import write_golden

pytestmark = pytest.mark.fast

FOLDER = Path(__file__).parent.parent / "golden"


@pytest.mark.parametrize("name", games())
def test_plays_as_it_did(name):
    check_golden(name, FOLDER)


def changed(**rules):
    """Kuhn poker with other rules under the same version."""
    of = game("kuhn")
    return replace(of, rules=of.rules.replaced(**rules))


@rule
def pay_double(s, out):
    out[0] = 2.0 if s.cards[0] > s.cards[1] else -2.0
    out[1] = -out[0]


@rule
def bet_only(s, out):
    out[0] = 1
    return 1


@pytest.mark.parametrize(
    ("rules", "what"),
    [({"payoff": pay_double}, "the payoffs were"), ({"legal": bet_only}, "ply 1 was action")],
)
def test_other_rules_need_another_version(rules, what):
    with pytest.raises(AssertionError, match=f"the rules of kuhn changed but its version did not: .*{what}"):
        check_golden(changed(**rules), FOLDER)


def test_another_version_needs_other_playthroughs(tmp_path):
    with pytest.raises(AssertionError, match="kuhn is of version 2, its golden playthroughs of 1; write them anew"):
        check_golden(replace(game("kuhn"), version=2), FOLDER)
    with pytest.raises(AssertionError, match="kuhn has no golden playthroughs"):
        check_golden("kuhn", tmp_path)
    path = write_golden(replace(changed(payoff=pay_double), version=2), tmp_path)
    assert json.loads(path.read_text())["version"] == 2
    check_golden(replace(changed(payoff=pay_double), version=2), tmp_path)


def test_options_are_played_too():
    written = json.loads((FOLDER / "hanabi.json").read_text())
    assert {"players": 5} in [each["options"] for each in written["games"]]
    assert {"bomb": "zero"} in [each["options"] for each in written["games"]]
