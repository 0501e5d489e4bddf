"""Advice for a step of the loop: looked up where knowledge was precalculated deep enough, reckoned where not.

The original looks into the `precalculated` sections of its file first, and takes the first one of at least the wanted
depth that has the visible state. The rule of the look-up is the document's, or its program's (`svarog`).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hiddenhand.planning.exact import Advice, Planner
from hiddenhand.planning.knowledge.blocks import Knowledge
from hiddenhand.planning.knowledge.lookup import Found, Lookup, section_for
from hiddenhand.planning.knowledge.text import from_tree
from hiddenhand.planning.world import World


class Adviser:
    """Advises in one world; what was reckoned or read is remembered."""

    def __init__(self, world: World, compat: str = "document") -> None:
        self.world = world
        self.compat = compat
        self.planner = Planner(world)
        self._lookups: dict[int, Lookup] = {}

    @cached_property
    def sections(self) -> list[Knowledge]:
        """What was precalculated in the world's own file."""
        return [from_tree(self.world, section) for section in self.world.specification.precalculated]

    def decide(self, belief: NDArray[np.float64], depth: int) -> Advice | Found:
        """What to do with `depth` steps to go."""
        visible = int(self.world.visible_of[int(np.argmax(belief))])
        section = section_for(self.sections, depth, visible)
        if section is None:
            return self.planner.decide(belief, depth)
        if id(section) not in self._lookups:
            self._lookups[id(section)] = Lookup(self.world, section, self.compat)
        return self._lookups[id(section)].decide(belief)
