"""`python -m hiddenhand.testing golden GAME...` writes the golden playthroughs of these games again."""

import sys

from hiddenhand.core import resolver
from hiddenhand.core.errors import UserError
from hiddenhand.testing.golden import FOLDER, write_golden

USAGE = f"python -m hiddenhand.testing golden GAME... [--folder FOLDER, {FOLDER} unless told otherwise]"


def main(words: list[str]) -> None:
    folder = str(FOLDER)
    if words[-2:-1] == ["--folder"]:
        folder, words = words[-1], words[:-2]
    if len(words) < 2 or words[0] != "golden":
        raise UserError(USAGE)
    for name in words[1:]:
        print(write_golden(resolver.game(name), folder))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
