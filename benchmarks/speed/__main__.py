"""How fast: ours beside the peers, measured in one run on one core. A table is a module here with `rows()`.

hiddenhand bench search
python benchmarks/speed search
"""

from __future__ import annotations

import argparse
import json
import sys
from importlib import import_module

from rows import Row

TABLES = ("dominion", "env", "gpu", "hanabi", "search", "snaps", "solving")


def main() -> int:
    parser = argparse.ArgumentParser(prog="hiddenhand bench", description="Measure speed, ours beside the peers'.")
    parser.add_argument("name", nargs="?", default="search", choices=TABLES, help="which table (search)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    found: list[Row] = []
    if not given.json:
        print(f"{'job':38}{'ours':>14}{'theirs':>14}  {'unit':14}{'ratio':>8}{'wanted':>8}  peer")
    for row in import_module(given.name).rows():
        found.append(row)
        if not given.json:
            print(line(row), flush=True)
    missing = {row.peer for row in found if row.theirs is None and row.peer != "-"}
    if given.json:
        json.dump([row.to_json() for row in found], sys.stdout, indent=2)
        print()
    elif missing:
        print(f"not installed: {'; '.join(sorted(missing))}")
        print("pip install 'hiddenhand[bench]' (OpenSpiel, pyminion) or pip install pgx jaxmarl measures them too")
    return 0


def line(row: Row) -> str:
    theirs = "-" if row.theirs is None else rate(row.theirs)
    ratio = "-" if row.ratio is None else f"{row.ratio:.1f}x"
    wanted = "" if row.wanted is None else f"{row.wanted:g}x"
    return f"{row.job:38}{rate(row.ours):>14}{theirs:>14}  {row.unit:14}{ratio:>8}{wanted:>8}  {row.peer}"


def rate(number: float) -> str:
    """Whole numbers for large rates, three digits for small ones."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


if __name__ == "__main__":
    sys.exit(main())
