"""The fleets that fit a sea: draws one, each equally likely, from the marks that both players see.

Take the ships still afloat. A candidate of a ship is a place without misses or sunk cells, and with a cell
not yet hit, or the ship would have sunk. Candidates that contain the same hits form a group. A share gives
every ship one of its groups so that each open hit belongs to exactly one ship; its weight is the number of
ways to choose one candidate from each group. Every fleet that fits the marks arises in exactly one share in
exactly one way, and all other choices are those in which ships overlap. So: draw a share by weight, draw a
candidate from each group, and start again if ships overlap. Where that fails too often, few fleets can be
left, and all of them are listed. Either way each fleet is equally likely.
"""

import numpy as np

from hiddenhand.kernel import below, rule, uniform

LENGTHS = np.array([5, 4, 3, 3, 2])
FLEET = len(LENGTHS)
DEPTHS = FLEET + 1
LARGEST = 10
CELLS = LARGEST * LARGEST
ROOM = 2 * CELLS

# marks on a sea, known to both; SUNK + i is a cell of ship i, sunk
UNKNOWN, MISS, HIT, SUNK = 0, 1, 2, 3

# of a candidate: its place, its hits, which of the cells 0 to 49 it takes, which from 50 on
PLACE, HITS, LOW, HIGH = 0, 1, 2, 3
HALF = 50
# of a group: its hits (HITS), its first candidate, and how many there are
START, COUNT = 2, 3
FREE = 0  # group 0 of each ship holds the candidates without hits


@rule
def draw_fleet(marks, width, afloat, n, tries, rng, places):
    """Draw places for the first n ships in `afloat`, after at most so many tries by listing every fleet."""
    number, open_hits = number_hits(marks)
    candidates = np.empty((FLEET, 4, ROOM), np.int64)
    groups = np.empty((FLEET, 4, ROOM), np.int64)
    group_counts = np.empty(FLEET, np.int64)
    for i in range(n):
        length = LENGTHS[afloat[i]]
        group_counts[i] = list_candidates(marks, number, width, length, candidates[i], groups[i])
    shares, totals, share_count = list_shares(groups, group_counts, n, (1 << open_hits) - 1)
    chosen = np.empty(FLEET, np.int64)
    found = False
    for _ in range(tries):
        share = find_share(totals, share_count, uniform(rng) * totals[share_count - 1])
        found = draw_candidates(candidates, groups, shares[share], n, rng, chosen)
        if found:
            break
    if not found:
        draw_from_all(candidates, groups, shares, share_count, n, rng, chosen)
    for i in range(n):
        places[i] = candidates[i, PLACE, chosen[i]]


@rule
def number_hits(marks):
    """A number for each cell with an open hit, and how many there are."""
    number = np.zeros(CELLS, np.int64)
    n = 0
    for cell in range(CELLS):
        if marks[cell] == HIT:
            number[cell] = n
            n += 1
    return number, n


@rule
def list_candidates(marks, number, width, length, candidates, groups):
    """All candidates of one ship, sorted into groups; returns how many groups there are."""
    loose = np.empty((4, ROOM), np.int64)
    n = 0
    for down in range(2):
        step = width if down else 1
        beyond = length - 1
        for row in range(width - beyond * down):
            for column in range(width - beyond * (1 - down)):
                start = row * width + column
                if read_candidate(marks, number, start, step, length, loose, n):
                    loose[PLACE, n] = down * width * width + start
                    n += 1
    return sort_into_groups(loose, n, candidates, groups)


@rule
def read_candidate(marks, number, start, step, length, loose, n):
    """Write the hits and the cells of a place; whether the ship may lie there."""
    hits, low, high, unhit = 0, 0, 0, 0
    for i in range(length):
        cell = start + i * step
        if marks[cell] == HIT:
            hits |= 1 << number[cell]
        elif marks[cell] == UNKNOWN:
            unhit += 1
        else:
            return False
        if cell < HALF:
            low |= 1 << cell
        else:
            high |= 1 << (cell - HALF)
    loose[HITS, n] = hits
    loose[LOW, n] = low
    loose[HIGH, n] = high
    return unhit > 0


@rule
def sort_into_groups(loose, n, candidates, groups):
    group_of = np.empty(ROOM, np.int64)
    groups[HITS, FREE] = 0
    groups[COUNT, FREE] = 0
    count = 1
    for k in range(n):
        g = 0
        while g < count and groups[HITS, g] != loose[HITS, k]:
            g += 1
        if g == count:
            groups[HITS, g] = loose[HITS, k]
            groups[COUNT, g] = 0
            count += 1
        groups[COUNT, g] += 1
        group_of[k] = g
    start = 0
    for g in range(count):
        groups[START, g] = start
        start += groups[COUNT, g]
        groups[COUNT, g] = 0  # counted again while the candidates move in
    for k in range(n):
        g = group_of[k]
        at = groups[START, g] + groups[COUNT, g]
        groups[COUNT, g] += 1
        for row in range(4):
            candidates[row, at] = loose[row, k]
    return count


@rule
def list_shares(groups, group_counts, n, all_hits):
    """Every share with a weight above zero, the running totals of the weights, and how many shares there are.

    A walk through a tree: at each depth, the first hit not yet covered is given to a ship that has none yet.
    """
    shares = np.empty((64, FLEET), np.int64)
    totals = np.empty(64)
    count = 0
    chosen = np.full(FLEET, FREE)
    tried = np.empty(DEPTHS, np.int64)  # the option tried last at each depth: ship * ROOM + group
    covered = np.empty(DEPTHS, np.int64)
    depth = 0
    tried[0] = -1
    covered[0] = 0
    while depth >= 0:
        if covered[depth] == all_hits:
            if count == len(totals):
                shares, totals = enlarge(shares, totals)
            count = add_share(groups, chosen, n, shares, totals, count)
            depth -= 1
            continue
        if tried[depth] >= 0:
            chosen[tried[depth] // ROOM] = FREE
        option = next_option(groups, group_counts, n, chosen, covered[depth], all_hits, tried[depth] + 1)
        tried[depth] = option
        if option < 0:
            depth -= 1
            continue
        ship, group = option // ROOM, option % ROOM
        chosen[ship] = group
        covered[depth + 1] = covered[depth] | groups[ship, HITS, group]
        depth += 1
        tried[depth] = -1
    return shares, totals, count


@rule
def next_option(groups, group_counts, n, chosen, covered, all_hits, option):
    """The next option, from this one on, that covers the first uncovered hit and no hit twice; or -1."""
    uncovered = all_hits & ~covered
    first = uncovered & -uncovered
    ship, group = option // ROOM, option % ROOM
    while ship < n:
        if chosen[ship] == FREE:
            while group < group_counts[ship]:
                hits = groups[ship, HITS, group]
                if hits & first != 0 and hits & covered == 0:
                    return ship * ROOM + group
                group += 1
        ship += 1
        group = 0
    return -1


@rule
def add_share(groups, chosen, n, shares, totals, count):
    weight = 1.0
    for i in range(n):
        weight *= groups[i, COUNT, chosen[i]]
        shares[count, i] = chosen[i]
    if weight == 0.0:
        return count
    totals[count] = weight if count == 0 else totals[count - 1] + weight
    return count + 1


@rule
def enlarge(shares, totals):
    size = len(totals)
    more_shares = np.empty((2 * size, FLEET), np.int64)
    more_totals = np.empty(2 * size)
    for i in range(size):
        more_totals[i] = totals[i]
        for ship in range(FLEET):
            more_shares[i, ship] = shares[i, ship]
    return more_shares, more_totals


@rule
def find_share(totals, count, point):
    """The first share whose running total lies above the point."""
    low, high = 0, count - 1
    while low < high:
        middle = (low + high) // 2
        if totals[middle] > point:
            high = middle
        else:
            low = middle + 1
    return low


@rule
def draw_candidates(candidates, groups, share, n, rng, chosen):
    """One candidate from each group of the share; whether they lie clear of each other."""
    low, high = 0, 0
    for i in range(n):
        k = groups[i, START, share[i]] + below(rng, groups[i, COUNT, share[i]])
        if candidates[i, LOW, k] & low != 0 or candidates[i, HIGH, k] & high != 0:
            return False
        low |= candidates[i, LOW, k]
        high |= candidates[i, HIGH, k]
        chosen[i] = k
    return True


@rule
def draw_from_all(candidates, groups, shares, share_count, n, rng, chosen):
    """List every fleet; the n-th is kept with one chance in n, so that all are equally likely in the end."""
    at = np.empty(FLEET, np.int64)
    low, high = np.zeros(DEPTHS, np.int64), np.zeros(DEPTHS, np.int64)
    fleets = 0
    for share in range(share_count):
        depth = 0
        at[0] = -1
        while depth >= 0:
            at[depth] += 1
            group = shares[share, depth]
            if at[depth] == groups[depth, COUNT, group]:
                depth -= 1
                continue
            k = groups[depth, START, group] + at[depth]
            if candidates[depth, LOW, k] & low[depth] or candidates[depth, HIGH, k] & high[depth]:
                continue
            if depth + 1 < n:
                low[depth + 1] = low[depth] | candidates[depth, LOW, k]
                high[depth + 1] = high[depth] | candidates[depth, HIGH, k]
                depth += 1
                at[depth] = -1
                continue
            fleets += 1
            if below(rng, fleets) == 0:
                for i in range(n):
                    chosen[i] = groups[i, START, shares[share, i]] + at[i]
