"""What a seat may believe, worked out the long way: every deal of the cards it does not see, played again.

Nothing of `hiddenhand.belief` is used, nor of the rules `redeal`, `rewind` and `world`. A deal counts only if the
seat would have seen in it, all along, what it really saw; and each move of another as much as the model says.
"""

from collections import Counter
from itertools import combinations, permutations

import numpy as np

from hiddenhand.core.table import Table
from hiddenhand.core.view import legal_actions, seen_by
from hiddenhand.kernel import CHANCE, new_records, stream


def enumerated(table, seat, agents, mistakes):
    """The chance of each set of facts, by all deals; agents: PolicyAgents by seat, which draw nothing at random."""
    game = table.game
    seen = views_along(game, first_of(table), table.history, seat)
    chances = Counter()
    for first, actions, ways in DEALS[game.name](table, seat):
        weight = played_again(game, first, actions, (seat, seen), agents, mistakes)
        if weight > 0.0:
            chances[frozenset(game.people.facts(first, seat).items())] += ways * weight  # `first` has been played on
    total = sum(chances.values())
    return {facts: weight / total for facts, weight in chances.items()}


def first_of(table):
    """The state after the deal."""
    return Table(table.game, table.seed, rolls=False).state


def views_along(game, state, actions, seat):
    """What the seat saw before each move and sees in the end."""
    seen = []
    for action in actions:
        seen.append(seen_by(game, state, seat))
        game.rules.play(state, action, stream(0))
    return [*seen, seen_by(game, state, seat)]


def played_again(game, state, actions, known, agents, mistakes):
    """How well the others' moves fit their models; 0 if the seat would have seen something else on the way."""
    seat, seen = known
    weight = 1.0
    memories = [new_records(agent.policy.memory, 1)[0] for agent in agents]
    view = new_records(game.rules.view, 1)[0]
    for ply, action in enumerate(actions):
        legal, mover = legal_actions(game, state), int(game.rules.turn(state))
        if action not in legal or (mover == seat and seen_by(game, state, seat) != seen[ply]):
            return 0.0
        if mover != CHANCE:
            game.rules.observe(state, mover, view)
            agent, rng = agents[mover], stream(1)
            answer = agent.policy.rule(view, mover, np.array(legal), memories[mover], agent.parameters, rng)
            assert rng[0] == stream(1)[0], "the model draws at random"
            if mover != seat:
                weight *= (1.0 - mistakes) * (answer == action) + mistakes / len(legal)
        game.rules.play(state, action, stream(0))
    return weight if seen_by(game, state, seat) == seen[-1] else 0.0


# --- the deals: (the state after the deal, the moves since, in how many ways it comes about) ---------------------


def poker_deals(table, seat):
    """Chance deals to seat 0 and then to seat 1."""
    for card in range(6):
        actions = list(table.history)
        actions[1 - seat] = card
        yield first_of(table), actions, 1


def hanabi_deals(table, seat):
    """One's own cards are any of those that are not seen, the deck what is left of them."""
    first = first_of(table)
    players, size = int(first.players), int(first.hand_size)
    order = [int(card) for hand in first.hands[:players] for card in hand[:size]]
    order += [int(card) for card in first.deck[: first.deck_left][::-1]]
    places = [list(range(who * size, who * size + size)) for who in range(players)]
    drawn = players * size
    for mover, action in zip(table.movers, table.history, strict=True):
        if action < 10:
            places[mover].pop(action % 5)
            if drawn < len(order):
                places[mover].append(drawn)
                drawn += 1
    mine, deck = places[seat], list(range(drawn, len(order)))
    unseen = [order[place] for place in mine + deck]
    for hand, ways in Counter(permutations(unseen, len(mine))).items():
        rest = list((Counter(unseen) - Counter(hand)).elements())
        cards = list(order)
        for place, card in zip(mine + deck, [*hand, *rest], strict=True):
            cards[place] = card
        yield Table(table.game, dealt=cards).state, table.history, ways


def snaps_deals(table, seat):
    """The cards that are neither one's own nor played are with any of the others, as many as each still holds."""
    now, first = table.state, first_of(table)
    others = [other for other in range(4) if other != seat]
    unseen = [card for card in range(24) if any(int(now.hands[other]) >> card & 1 for other in others)]
    sizes = [int(now.hands[other]).bit_count() for other in others]
    for one in combinations(unseen, sizes[0]):
        rest = [card for card in unseen if card not in one]
        for two in combinations(rest, sizes[1]):
            three = [card for card in rest if card not in two]
            dealt = first_of(table)
            for other, held in zip(others, (one, two, three), strict=True):
                dealt.hands[other] = int(first.hands[other]) & ~int(now.hands[other])  # what it has played
                for card in held:
                    dealt.hands[other] |= 1 << card
            dealt.seen_first = dealt.hands[dealt.chooser]
            yield dealt, table.history, 1


DEALS = {"kuhn": poker_deals, "leduc": poker_deals, "hanabi": hanabi_deals, "snaps": snaps_deals}
