"""The compiled interface to the beliefs: draw worlds, or ask where a card and where the partner is.

`kind` is EXACT, TABLE, WEIGHTED or STATISTICS (both of the last weigh deals by a model of the others: the rule agent,
or counted statistics). `model` float64[2 + ...] is read by the weighted kinds only: particles, noise, then the
statistics. A policy with the settings "particles" and "noise" last and `knowledge=statistics_of` finds it in a slice
of its parameters.
"""

from hiddenhand.games.snaps.beliefs.exact import draw_exact, exact_chances, holders_from
from hiddenhand.games.snaps.beliefs.likelihood import BY_RULES, BY_STATISTICS
from hiddenhand.games.snaps.beliefs.table import draw_from_table, table_chances
from hiddenhand.games.snaps.beliefs.weighted import draw_weighted, weighted_chances
from hiddenhand.kernel import rule

KINDS = ("exact", "table", "weighted", "statistics")
EXACT, TABLE, WEIGHTED, STATISTICS = range(len(KINDS))


@rule
def which_model(kind):
    """Which model of the others a weighted kind asks for. (One call below, not two: it is compiled in place.)"""
    return BY_STATISTICS if kind == STATISTICS else BY_RULES


@rule
def draw_worlds(kind, view, seat, model, rng, hands):
    """Fill hands int64[n, 4], one world a row: the masks of all four hands, the seat's own included."""
    if kind == TABLE:
        draw_from_table(view, seat, rng, hands)
    elif kind != EXACT:
        draw_weighted(view, seat, which_model(kind), model, rng, hands)
    else:
        draw_exact(view, seat, rng, hands)


@rule
def card_chances(kind, view, seat, model, rng, chances):
    """Write chances float64[4, 24]: the probability that a seat holds a card now (0 for cards that are played)."""
    if kind == TABLE:
        table_chances(view, seat, chances)
    elif kind != EXACT:
        weighted_chances(view, seat, which_model(kind), model, rng, chances)
    else:
        exact_chances(view, seat, chances)


@rule
def holder_chances(kind, view, seat, model, rng, chances, holders):
    """Write holders float64[4]: the probability that a seat was dealt the named card; chances float64[4, 24] too."""
    card_chances(kind, view, seat, model, rng, chances)
    holders_from(view, chances, holders)
