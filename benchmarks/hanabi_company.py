"""Who plays well with whom in Hanabi: the table VALUES by which the agent `adaptive` chooses its kind.

    python benchmarks/hanabi_company.py [--rules strict] [--games 300]

A row is a kind that `adaptive` can play as, a column a kind that the others may be; the last column moves by lot.
"""

import argparse

import hiddenhand as hh

KINDS = ["simple_distrustful", "distrustful", "trustful", "reinforced2", "reinforced4", "hat", "pair"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", choices=("lenient", "strict"), default="strict")
    parser.add_argument("--games", type=int, default=300)
    chosen = parser.parse_args()
    for players in (2, 3):
        print(f"{chosen.rules}, {players} players")
        for mine in KINDS:
            means = []
            for other in [*KINDS, "stopped_clock"]:
                team = [mine] + [other] * (players - 1)
                options = {"players": players, "rules": chosen.rules}
                result = hh.match("hanabi", team, games=chosen.games, seed=77, rotate=True, **options)
                means.append(f"{result.payoffs[:, 0].mean():.1f}")
            print(f"        ({', '.join(means)}),", flush=True)


if __name__ == "__main__":
    main()
