"""`python -m hiddenhand` is the same as `hiddenhand`."""

import sys

from hiddenhand.cli import main

if __name__ == "__main__":
    sys.exit(main())
