"""Match: many games between the same agents, and a fair account of them.

    >>> print(hiddenhand.match("connect_four", ["random", "random"], games=1000))

The seed of the match determines every game; how it is cut into chunks and who plays them does not matter.
"""

from __future__ import annotations

from hiddenhand.core.devices import CPU
from hiddenhand.core.errors import UserError
from hiddenhand.core.processes import Workers
from hiddenhand.core.text import Text
from hiddenhand.lab.match_plan import MatchPlan, Setup
from hiddenhand.lab.match_result import MatchResult
from hiddenhand.lab.match_work import MatchWork
from hiddenhand.lab.runner import Running, run
from hiddenhand.lab.work_kinds import PageSupport, work


@work("match", MatchPlan, page=PageSupport(Text("match")))
def match(plan: MatchPlan, running: Running, pool: Workers) -> MatchResult:
    """Play many games between agents, one per seat.

    Finished games go to the store, so Ctrl-C loses nothing: repeat the command with --resume.
    """
    if plan.device != CPU and not pool.here:
        raise UserError(
            "workers and a cluster are for the CPU: leave them out with device {device}", device=plan.device
        )
    setup = Setup(plan)
    if running.store is not None:
        setup.require_texts()
    result: MatchResult = run(MatchWork(setup, pool), running)
    return result
