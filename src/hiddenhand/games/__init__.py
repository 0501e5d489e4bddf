"""The games of the package, a module each, which the resolver finds by name. Calling the package lists all games."""

import sys
from types import ModuleType


class GamesModule(ModuleType):
    """This package. It is a function too, so that `hiddenhand.games()` and `hiddenhand.games.kuhn` are one thing."""

    def __call__(self) -> list[str]:
        """The names of all games: of the package, and of installed packages."""
        from hiddenhand.core.resolver import games

        return games()


sys.modules[__name__].__class__ = GamesModule
