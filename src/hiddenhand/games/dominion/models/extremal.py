"""The strategy that all models share: it answers every question with the best or the worst card of a chooser.

After Peter Fulla's `ExtremalStrategy` (5.1.2). Gaining decides what to own: the best card is bought and gained, the
worst trashed, and of another player's Treasures the best. Playing decides what to use: the best Action is played, the
worst cards are discarded. One may always buy nothing, and trash nothing where the card allows it; but an Action is
played whenever one is in hand, ranked or not, as the published genomes show: one of them is said to play its Smithies
"like a RandomChooser" with none of its Actions ranked, and another wins by Thieves that it does not rank.

The thesis leaves questions that are answered by yes or no to a preset answer, which it does not give. Ours: a Moat is
shown, a deck flipped, a Copper trashed for money, an Action from the discard pile played; a Library keeps Actions
while one can still be played; a Spy discards the others' Treasures and Actions, and one's own other cards. With
Intrigue a Baron and a Mill take their cards, a Mining Village and a Diplomat stay where they are, and of the things
that a card offers the first is taken.
"""

from hiddenhand.games.dominion.cards import ACTION, TREASURE
from hiddenhand.games.dominion.models.choosers import best_card, worst_card
from hiddenhand.games.dominion.models.game_end import estimate_game_end
from hiddenhand.games.dominion.models.questions import is_about_playing, takes_best
from hiddenhand.games.dominion.stack import NO, STOP, YES
from hiddenhand.games.dominion.state import ACTIONS_PHASE
from hiddenhand.games.dominion.steps import CHOICE, JUDGE, REACT, SCRAP, SET_ASIDE, YES_OR_NO
from hiddenhand.kernel import rule


@rule
def season_of(view, parameters, first, seasons):
    """Of the seasons from `first` on, the first one whose threshold the estimate reaches."""
    if seasons == 1:
        return first
    estimate = estimate_game_end(view)
    for season in range(first, first + seasons - 1):
        if estimate >= parameters.threshold[season]:
            return season
    return first + seasons - 1


@rule
def gaining_season(view, parameters):
    return season_of(view, parameters, 0, parameters.gaining_seasons)


@rule
def playing_season(view, parameters):
    return season_of(view, parameters, parameters.gaining_seasons, parameters.playing_seasons)


@rule
def decide(view, seat, actions, parameters, rng):
    """The answer of a strategy with these parameters to whatever is asked."""
    if view.steps > 0:
        kind = view.step_kinds[view.steps - 1]
        if kind <= YES_OR_NO:
            return agrees(view, seat, kind)
        if kind == CHOICE:
            return actions[0]
        must = actions[0] != STOP
        if is_about_playing(kind):
            season = playing_season(view, parameters)
        else:
            season = gaining_season(view, parameters)
        if takes_best(kind):
            return best_card(view, seat, actions, must, parameters, season, rng)
        return worst_card(view, seat, actions, must, parameters, season, rng)
    if view.phase == ACTIONS_PHASE:
        return best_card(view, seat, actions, True, parameters, playing_season(view, parameters), rng)
    return best_card(view, seat, actions, False, parameters, gaining_season(view, parameters), rng)


@rule
def agrees(view, seat, kind):
    """The answer to a question of yes or no."""
    step = view.steps - 1
    if kind in (REACT, SCRAP):
        return NO
    if kind == SET_ASIDE:
        return YES if view.actions == 0 else NO
    if kind == JUDGE:
        target = view.step_targets[step]
        card = view.tops[target, view.top_sizes[target] - 1]
        useful = TREASURE[card] or ACTION[card]
        return YES if useful == (target != seat) else NO
    return YES
