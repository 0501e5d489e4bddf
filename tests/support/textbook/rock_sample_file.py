"""RockSample of any size as a `.pomdpx` file: the rover is seen, each rock is a variable of its own.

The rules are those of `rock_sample`. The map of 11 is the one commonly used; that of 15 is ours, a rock per column.
15 by 15 with 15 rocks makes 225 * 2 ** 15 states and the end: more than anybody wants to write down.

    python -m textbook.rock_sample_file 11 > rocks.pomdpx
"""

from __future__ import annotations

import sys
from math import hypot

from textbook.rock_sample import HALF_DISTANCE, MAPS, STEPS

LARGER = {
    **MAPS,
    11: ((0, 5), [(0, 3), (0, 7), (1, 8), (2, 4), (3, 3), (3, 8), (4, 3), (5, 8), (6, 1), (9, 3), (9, 9)]),
    15: ((0, 7), [(x, (4 * x + 5) % 15) for x in range(15)]),
}


def rock_sample_file(size: int) -> str:
    """The text of the file."""
    first, rocks = LARGER[size]
    cells = [(x, y) for y in range(size) for x in range(size)]
    name = {cell: f"c{cell[0]}-{cell[1]}" for cell in cells}
    moves = ["north", "south", "east", "west"]
    numbers = range(1, len(rocks) + 1)
    rover = [entry(f"* {name[cell]} {name[cell]}", "1.0") for cell in cells] + [entry("* over over", "1.0")]
    for action, (dx, dy) in zip(moves, STEPS):
        for x, y in cells:
            to = max(x + dx, 0), min(max(y + dy, 0), size - 1)
            rover.append(entry(f"{action} {name[x, y]} -", one_hot([*name.values(), "over"], name.get(to, "over"))))
    whole = [f'<pomdpx version="1.0" id="rocks{size}">', "<Discount>0.95</Discount>", "<Variable>"]
    whole.append(
        '<StateVar vnamePrev="rover_0" vnameCurr="rover_1" fullyObs="true"><ValueEnum>'
        + " ".join([*name.values(), "over"])
        + "</ValueEnum></StateVar>"
    )
    for i in numbers:
        whole.append(
            f'<StateVar vnamePrev="rock{i}_0" vnameCurr="rock{i}_1"><ValueEnum>good bad</ValueEnum></StateVar>'
        )
    looks = " ".join(f"look-{i}" for i in numbers)
    whole.append(f'<ActionVar vname="deed"><ValueEnum>{" ".join(moves)} sample {looks}</ValueEnum></ActionVar>')
    whole += [f'<ObsVar vname="sensor{i}"><ValueEnum>nothing good bad</ValueEnum></ObsVar>' for i in numbers]
    whole += ['<RewardVar vname="paid"/>', "</Variable>", "<InitialStateBelief>"]
    whole.append(function("CondProb", "rover_0", "null", [entry(name[first], "1.0")]))
    whole += [function("CondProb", f"rock{i}_0", "null", [entry("-", "uniform")]) for i in numbers]
    whole += ["</InitialStateBelief>", "<StateTransitionFunction>"]
    whole.append(function("CondProb", "rover_1", "deed rover_0", rover))
    for i, rock in zip(numbers, rocks):
        sampled = [entry("* * - -", "identity"), entry(f"sample {name[rock]} * -", "0.0 1.0")]
        whole.append(function("CondProb", f"rock{i}_1", f"deed rover_0 rock{i}_0", sampled))
    whole += ["</StateTransitionFunction>", "<ObsFunction>"]
    for i, rock in zip(numbers, rocks):
        seen = [entry("* * * -", "1.0 0.0 0.0")]
        for cell in cells:
            right = 0.5 * (1.0 + 2.0 ** (-hypot(cell[0] - rock[0], cell[1] - rock[1]) / HALF_DISTANCE))
            chances = f"0.0 {right!r} {1.0 - right!r} 0.0 {1.0 - right!r} {right!r}"
            seen.append(entry(f"look-{i} {name[cell]} - -", chances))
        whole.append(function("CondProb", f"sensor{i}", f"deed rover_1 rock{i}_1", seen))
    whole += ["</ObsFunction>", "<RewardFunction>"]
    paid = [entry(f"sample {name[cell]}", "-100.0", "ValueTable") for cell in cells if cell not in rocks]
    paid += [entry(f"east {name[size - 1, y]}", "10.0", "ValueTable") for y in range(size)]
    whole.append(function("Func", "paid", "deed rover_0", paid))
    for i, rock in zip(numbers, rocks):
        worth = [entry(f"sample {name[rock]} -", "10.0 -10.0", "ValueTable")]
        whole.append(function("Func", "paid", f"deed rover_0 rock{i}_0", worth))
    return "\n".join([*whole, "</RewardFunction>", "</pomdpx>"]) + "\n"


def entry(instance: str, numbers: str, table: str = "ProbTable") -> str:
    return f"<Entry><Instance>{instance}</Instance><{table}>{numbers}</{table}></Entry>"


def one_hot(values: list[str], chosen: str) -> str:
    return " ".join("1.0" if value == chosen else "0.0" for value in values)


def function(kind: str, of: str, given: str, entries: list[str]) -> str:
    inside = "\n".join(entries)
    return f'<{kind}><Var>{of}</Var><Parent>{given}</Parent><Parameter type="TBL">\n{inside}\n</Parameter></{kind}>'


if __name__ == "__main__":
    print(rock_sample_file(int(sys.argv[1])), end="")
