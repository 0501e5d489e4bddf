"""The contract: the rules that every game is made of, by name.

A game writes these functions for its own state record. An algorithm that works for every game imports the names
from here and is bound to a game later (see `binding`): what stands here is only the meaning of each rule.

`s` is a state record, `rng` a stream of random numbers (`uint64[1]`), `out` and `actions` are arrays that the caller
provides, long enough for the game: actions and seats are int64, payoffs and odds float64.
"""

OVER = -1
CHANCE = -2
UNTOLD = -1


def deal(s, rng):
    """Set up a new game. The fields of the options are already filled in."""
    raise NotImplementedError


def turn(s):
    """The seat to move, OVER, or CHANCE."""
    raise NotImplementedError


def legal(s, out):
    """Write the legal actions in ascending order and return how many; at CHANCE, the possible outcomes."""
    raise NotImplementedError


def play(s, action, rng):
    """Apply one legal action. `deal` and `play` alone use randomness."""
    raise NotImplementedError


def payoff(s, out):
    """Write one number per seat; the game is over."""
    raise NotImplementedError


def observe(s, seat, view):
    """Write into the view record exactly what the seat may know.

    Left out, which only a game that hides nothing may do: the whole state.
    """
    raise NotImplementedError


def redeal(s, seat, rng):
    """Replace all that the seat cannot know by a uniform draw among the worlds its knowledge allows.

    The result may depend on what `observe` shows and on `rng`, and on nothing else. Left out, which only a game that
    hides nothing may do: nothing changes.
    """
    raise NotImplementedError


def rewind(s, first, actions):
    """How this state came about: write the state after the deal into `first` and all moves since, outcomes of chance
    included, into `actions`; returns how many. Played again from `first`, they give this very state.

    Left out: UNTOLD, the state does not remember.
    """
    raise NotImplementedError


def vary(s, seat, rng):
    """Change a little of what the seat cannot know: a random step from world to world among those that its knowledge
    allows, as likely there as back, by which every one can be reached from every other. Left out: `redeal`.
    """
    raise NotImplementedError


def worlds(s, seat):
    """How many worlds `world` lists for this seat. Left out: 0, they cannot be listed."""
    raise NotImplementedError


def world(s, seat, number, rng):
    """Put world `number` of that list in the place of this one; returns its weight.

    The weight is the number of equally likely deals that look so to everybody up to now, times any constant; 0 for
    one that the seat's knowledge excludes. What nobody has seen yet and nobody's view depends on, as the order of the
    cards in a deck, is drawn.
    """
    raise NotImplementedError


def odds(s, out):
    """At CHANCE: write the probability of each outcome, in the order of `legal`."""
    raise NotImplementedError


def evaluate(s, out):
    """EVAL: write an estimate of each seat's payoff. Left out: 0 for everyone."""
    raise NotImplementedError


def features(s, out):
    """Write how far seat 0 is ahead in each of the game's features, float64, of which EVAL is then made.

    Left out: there are none.
    """
    raise NotImplementedError


def judge(s, network, out):
    """EVAL by a network, a flat array of numbers: write an estimate of each seat's payoff.

    Left out: no network judges this game.
    """
    raise NotImplementedError


def order(s, actions, n):
    """Put the first n actions into the order in which a search should try them. Left out: as they are.

    It may be asked at CHANCE too, and must then keep the outcomes as they are.
    """
    raise NotImplementedError


def quiet(s):
    """Whether EVAL can be trusted here, or a search should look further. Left out: always."""
    raise NotImplementedError


def endgame(s, codes):
    """The code of the position in a table of endgames (see `core.endgames`), and whether that settles its value.

    UNKNOWN if it is not in the table. Left out: there are no such tables.
    """
    raise NotImplementedError


def side(s, seat):
    """The side (0 or 1) that a seat plays for. Left out: the seat itself."""
    raise NotImplementedError


def likely(s, seat, actions, n, rng):
    """One of the first n actions, as a plausible player would choose: how simulated games are finished.

    It may look at what the seat knows and at nothing else. Left out: any of them, equally likely.
    """
    raise NotImplementedError


def measure(s, out):
    """Write the game's own measurements of a finished game, one per name in its `metrics`."""
    raise NotImplementedError


def encode(view, seat, out):
    """Write what the seat sees as numbers, for learners: as many as the game's `Encoding` says.

    Left out: the fields of the view one after the other.
    """
    raise NotImplementedError


def relative(view, action, seat):
    """The number of an action from the side of a seat, given what it sees: where all seats share one network.

    A bijection on the actions of the game, whatever the view. Left out: the action itself.
    """
    raise NotImplementedError


REQUIRED = (deal, turn, legal, play, payoff)
OPTIONAL = (
    observe, redeal, rewind, vary, worlds, world, odds, evaluate, features, judge, order, quiet, endgame, side,
    likely, measure, encode, relative,
)  # fmt: skip
