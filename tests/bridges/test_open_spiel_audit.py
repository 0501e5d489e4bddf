"""The audit of OpenSpiel's games: what leaks is found, and what does not leak is left in peace."""

import json
import os

import pytest

from hiddenhand.cli import main

if not os.environ.get("CI"):
    pytest.importorskip("pyspiel")
import pyspiel

import hiddenhand.bridges.open_spiel  # noqa: F401  (our games, for OpenSpiel)
from hiddenhand.bridges import open_spiel_audit
from hiddenhand.bridges.open_spiel_audit import FAILS, HOLDS, NOT_OFFERED, audited

SEQUENTIAL = pyspiel.GameType.Dynamics.SEQUENTIAL


class Coin(pyspiel.State):
    """A coin is tossed; player 0 chooses unseen, player 1 guesses twice: the coin, then what player 0 chose."""

    def __init__(self, game):
        super().__init__(game)
        self.made = []

    def current_player(self):
        if len(self.made) == 4:
            return int(pyspiel.PlayerId.TERMINAL)
        return (int(pyspiel.PlayerId.CHANCE), 0, 1, 1)[len(self.made)]

    def is_terminal(self):
        return len(self.made) == 4

    def chance_outcomes(self):
        return [(0, 0.5), (1, 0.5)]

    def _legal_actions(self, player):
        return [0, 1]

    def _apply_action(self, action):
        self.made.append(action)

    def _action_to_string(self, player, action):
        return str(action)

    def returns(self):
        return [0.0, 0.0]

    def information_state_string(self, player):
        return self.told(player)

    def observation_string(self, player):
        return self.told(player)

    def told(self, player):
        """Player 0 sees the coin and its choice, player 1 its guesses."""
        return f"{player} {self.made[:2] if player == 0 else self.made[2:]}"

    def resample_from_infostate(self, player, draw):
        other = self.get_game().new_initial_state()
        hidden = (0, 1) if player == 1 else ()
        for place, action in enumerate(self.made):
            other.apply_action(int(2 * draw()) if place in hidden else action)
        return other


class ToldTheCoin(Coin):
    def information_state_string(self, player):
        return self.told(player) + (f" {self.made[0]}" if player == 1 else "")


class SeesTheCoin(Coin):
    def observation_string(self, player):
        return self.told(player) + (f" {self.made[0]}" if player == 1 else "")


class Forgets(Coin):
    def told(self, player):
        return f"{player} {len(self.made)}"


class AllowsByTheCoin(Coin):
    def _legal_actions(self, player):
        return [0, 1] if player != 1 or self.made[0] else [0]


class KeepsTheTruth(Coin):
    def resample_from_infostate(self, player, draw):
        return self.clone()


class Contradicts(Coin):
    def resample_from_infostate(self, player, draw):
        other = self.get_game().new_initial_state()
        for _ in self.made:
            other.apply_action(int(2 * draw()))
        return other


def coin(kind):
    """A game of these states, known to OpenSpiel."""
    name = f"coin_{kind.__name__.lower()}"
    about = pyspiel.GameType(
        short_name=name,
        long_name=name,
        dynamics=SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={},
    )

    class Game(pyspiel.Game):
        def __init__(self, parameters=None):
            info = pyspiel.GameInfo(
                num_distinct_actions=2,
                max_chance_outcomes=2,
                num_players=2,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=3,
            )
            super().__init__(about, info, parameters or {})

        def new_initial_state(self):
            return kind(self)

    pyspiel.register_game(about, Game)
    return name


@pytest.mark.parametrize(
    ("kind", "fails"),
    [
        (Coin, []),
        (ToldTheCoin, ["unseen", "resampling"]),
        (SeesTheCoin, ["observation"]),
        (Forgets, ["recall"]),
        (AllowsByTheCoin, ["legal"]),
        (KeepsTheTruth, ["resampling"]),
        (Contradicts, ["resampling"]),
    ],
)
def test_what_leaks_is_found(kind, fails):
    found = audited(coin(kind), states=200)
    assert found.failed == fails
    for example in found.to_json()["examples"].values():
        assert example["histories"][0] != example["histories"][1]


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "phantom_ttt", "liars_dice"])
def test_what_does_not_leak_is_left_in_peace(name):
    found = audited(name, states=1500)
    assert found.failed == []
    assert found.verdicts["recall"] == found.verdicts["tensor"] == HOLDS
    assert found.verdicts["resampling"] == (HOLDS if "poker" in name else NOT_OFFERED)


def test_the_dark_hex_of_openspiel_tells_how_often_the_other_was_refused():
    found = audited("dark_hex", states=1500)
    assert found.verdicts["unseen"] == FAILS
    first, second = found.examples["unseen"].first, found.examples["unseen"].second
    assert len(first) != len(second)
    ours = audited("hiddenhand_dark_hex", states=1500)
    assert ours.failed == []


@pytest.mark.parametrize(
    "name", ["kuhn", "leduc", "goofspiel(cards=4)", "liars_dice(faces=3)", "blind_tictactoe(abrupt=True)"]
)
def test_our_games_leak_nothing_there(name):
    found = audited(f"hiddenhand_{name}", states=1000)
    assert found.failed == []
    assert [check for check, verdict in found.verdicts.items() if verdict == NOT_OFFERED] == ["resampling"]


def test_as_a_command(capsys, monkeypatch):
    assert main(["audit", "open_spiel:kuhn_poker", "--states", "300", "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)["verdicts"].values()) == {HOLDS}
    assert main(["audit", "open_spiel:dark_hex", "--states", "800"]) == 1
    assert "unseen, for player" in capsys.readouterr().out
    assert main(["audit", "open_spiel:tic_tac_toe"]) == 2
    assert "hides nothing" in capsys.readouterr().err
    monkeypatch.setattr(open_spiel_audit, "hidden_games", lambda: ["kuhn_poker", "no_such_game"])
    assert main(["audit", "open_spiel:", "--states", "100", "--seconds", "5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].startswith("| `kuhn_poker` |")
    assert "OpenSpiel has no game 'no_such_game'" in lines[3]


def test_our_games_as_a_command(capsys):
    assert main(["audit", "kuhn"]) == 0
    assert "nothing_kept" in capsys.readouterr().out
