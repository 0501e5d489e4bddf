"""Which rules and policies of a game compile for a graphics card; none is needed.

python -m hiddenhand.gpu hanabi snaps
"""

from __future__ import annotations

import sys

from hiddenhand.core.agent import PolicyAgent
from hiddenhand.core.errors import UserError
from hiddenhand.core.policy import Policy
from hiddenhand.core.resolver import agent, game, games
from hiddenhand.gpu.cuda import reason
from hiddenhand.gpu.ptx import match_kernel, refused


def report(name: str) -> None:
    """Print what is refused of a game, and why."""
    chosen = game(name)
    found = refused(chosen)
    for policy in chosen.agents.values():
        if not isinstance(policy, Policy):
            continue
        text = f"{policy.name}:{policy.example}" if policy.example else policy.name
        player = agent(chosen, text)
        assert isinstance(player, PolicyAgent)
        try:
            match_kernel(chosen, [player] * chosen.players)
        except Exception as error:
            found[policy.name] = reason(error)
    print(f"{name}: {'everything compiles' if not found else ''}", flush=True)
    for what, why in found.items():
        print(f"  {what}: {why}", flush=True)


if __name__ == "__main__":
    try:
        for each in sys.argv[1:] or games():
            report(each)
    except UserError as error:
        sys.exit(f"error: {error}")
