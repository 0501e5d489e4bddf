"""Dominion: what a seat is told, what it is not, and the worlds it may imagine; and that no card is ever lost."""

import random
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from dominion_tables import (
    FIRST,
    NOTHING,
    SECOND,
    cards,
    choices,
    count,
    hand,
    open_tops,
    play,
    position,
    seat,
    tops,
)
from hiddenhand.core.resolver import game
from hiddenhand.core.table import Table
from hiddenhand.games.dominion.cards import NAMES
from hiddenhand.games.dominion.kingdoms import EDITIONS, available, random_kingdom
from hiddenhand.games.dominion.state import MOST_STEPS
from hiddenhand.games.dominion.steps import FIRST_QUESTION, PASS, REVEAL
from hiddenhand.kernel import OVER, new_records, stream


def seen(table, of):
    """What everybody knows to lie in a discard pile."""
    return count(table.state.seen[of])


def unseen(table, of):
    return count(table.state.unseen[of])


def shown(table, of):
    """What everybody knows to be in a hand."""
    return count(table.state.shown[of])


def worlds(table, of, number):
    """Worlds that a seat may imagine."""
    view = table.view(of)
    rng = stream(5)
    return [view.imagine(rng) for _ in range(number)]


# ---- what a view shows


def test_a_view_shows_ones_own_cards_and_what_everybody_owns():
    table = position(
        seat("Copper, Estate", deck="Gold", below="Moat", discard="2 Duchy"), seat("Smithy", below="Curse")
    )
    mine, other = table.view(0).record, table.view(1).record
    assert count(mine.hand) == cards("Estate")  # the Copper is in play
    assert count(mine.in_play) == count(other.in_play) == cards("Copper")
    assert count(mine.discard) == cards("2 Duchy")
    assert NAMES[mine.my_tops[0]] == "Gold"
    assert count(other.hand) == cards("Smithy")
    assert count(other.owned[0]) == cards("Copper, Estate, Gold, Moat, 2 Duchy")
    assert (other.hand_sizes[0], other.deck_sizes[0], other.top_sizes[0], other.discard_sizes[0]) == (1, 1, 1, 2)


def test_a_view_has_no_field_with_the_cards_of_others():
    of = game("dominion")
    assert not {"hands", "decks", "own_tops", "unseen"} & set(of.rules.view.names)


def test_gains_and_purchases_are_seen():
    table = position(seat("Gold", below="5 Copper"), seat(), buys=2)
    play(table, "buy Silver")
    assert seen(table, 0) == cards("Silver")


def test_played_cards_are_seen_at_clean_up_and_the_rest_of_the_hand_is_not():
    table = position(seat("Smithy, Estate, Gold", deck="Copper, Curse, Moat", below="6 Duchy"), seat())
    play(table, "play Smithy", "done")
    assert seen(table, 0) == cards("Smithy, Gold, Copper")
    assert unseen(table, 0) == cards("Estate, Curse, Moat")
    assert count(table.view(0).record.discard) == cards("Smithy, Gold, Copper, Estate, Curse, Moat")


def test_a_hand_discarded_at_clean_up_may_be_anything_to_the_others():
    """Seat 1 knows that three of these are discarded and five are not."""
    table = position(
        seat("Estate, Duchy, Curse, Gold", below="Estate, Province, Moat, Village, Copper, Silver"), seat("2 Estate")
    )
    play(table, "done")
    discarded = Counter()
    for world in worlds(table, 1, 200):
        pile = count(world.unseen[0])
        assert pile.total() == 3
        assert not {"Copper", "Silver", "Gold"} & set(pile)  # Treasures would have been played
        discarded += pile
    assert set(discarded) == {"Estate", "Duchy", "Curse", "Province", "Moat", "Village"}


def test_cards_discarded_by_an_effect_are_seen():
    table = position(seat("Militia"), seat("2 Estate, Copper, Gold, Curse"))
    play(table, "play Militia", "discard Estate", "discard Curse")
    assert seen(table, 1) == cards("Estate, Curse")
    table = position(seat("Cellar, Estate, Duchy, Moat", deck="Gold"), seat())
    play(table, "play Cellar", "discard Duchy", "stop")
    assert seen(table, 0) == cards("Duchy")


def test_a_shuffle_ends_what_was_known():
    table = position(seat("Gold, Estate", below="3 Copper"), seat())
    play(table, "buy Silver")  # three cards are drawn, then Gold, Estate and Silver are shuffled
    assert seen(table, 0) == unseen(table, 0) == NOTHING
    assert open_tops(table, 0) == []


def test_bureaucrats_silver_and_the_card_put_back_are_known_to_all():
    table = position(seat("Bureaucrat", below="9 Estate"), seat("Estate, 2 Copper"), seat())
    play(table, "play Bureaucrat")
    assert open_tops(table, 0) == ["Silver"]
    assert open_tops(table, 1) == ["Estate"]
    for world in worlds(table, 2, 20):
        assert NAMES[world.own_tops[0, 0]] == "Silver"
        assert NAMES[world.own_tops[1, 0]] == "Estate"
    play(table, "done")  # clean-up draws the Silver: all know that it is held
    assert shown(table, 0) == cards("Silver")
    assert all(world.hands[0, NAMES.index("Silver")] == 1 for world in worlds(table, 1, 20))


def test_a_hand_shown_to_bureaucrat_is_known():
    table = position(seat("Bureaucrat", below="9 Estate"), seat("2 Copper, Smithy", below="Gold, Estate"))
    play(table, "play Bureaucrat")
    for world in worlds(table, 0, 20):
        assert count(world.hands[1]) == cards("2 Copper, Smithy")


def test_a_card_drawn_after_that_is_not():
    table = position(
        seat("Bureaucrat, Council Room", below="9 Estate"), seat("2 Copper", below="Gold, Curse"), actions=2
    )
    play(table, "play Bureaucrat", "play Council Room")
    hands = {tuple(sorted(count(world.hands[1]).elements())) for world in worlds(table, 0, 40)}
    assert hands == {("Copper", "Copper", "Gold"), ("Copper", "Copper", "Curse")}


def test_what_a_spy_leaves_is_known_to_all_and_what_it_discards_is_seen():
    table = position(seat("Spy", deck="Copper, Gold, Silver"), seat(deck="Estate, Curse"), seat())
    play(table, "play Spy", "leave it", "discard it")
    assert open_tops(table, 0) == ["Gold", "?"]
    assert open_tops(table, 1) == ["?"]
    assert seen(table, 1) == cards("Estate")


def test_a_moat_that_was_shown_is_known_and_one_that_was_not_is_not():
    for answer, known in (("show Moat", cards("Moat")), ("show no Moat", NOTHING)):
        table = position(seat("Witch", deck="2 Estate"), seat("Moat, Copper, Smithy"), seat())
        play(table, "play Witch", answer)
        assert shown(table, 1) == known


def test_a_moat_is_not_given_away_before_it_is_shown():
    """While seat 1 is asked, it must not learn whether seat 2 will be."""
    stacks = set()
    for other in ("Moat, Copper", "Curse, Copper"):
        table = position(seat("Witch", deck="2 Estate"), seat("Moat"), seat(other, below="Moat, Curse"), also="Moat")
        play(table, "play Witch")
        view = table.view(1).record
        assert table.turn == 1
        steps = slice(0, int(view.steps))
        stacks.add((*view.step_kinds[steps].tolist(), *view.step_seats[steps].tolist()))
    assert len(stacks) == 1


def test_treasures_gained_into_the_hand_are_known():
    table = position(seat("Mine, Copper, Moat, Estate", deck="Duchy"), seat(), actions=2)
    play(table, "play Mine", "gain Silver")
    assert shown(table, 0) == cards("Silver")


def test_adventurers_treasures_are_known():
    table = position(seat("Adventurer, Moat", deck="Copper, Estate, Gold"), seat(), actions=2)
    play(table, "play Adventurer")
    assert shown(table, 0) == cards("Copper, Gold")
    assert seen(table, 0) == cards("Estate")


def test_what_artisan_puts_on_the_deck_is_known_to_its_owner_alone():
    table = position(seat("Artisan, Estate, Moat", deck="Gold"), seat(), edition=SECOND, actions=2)
    play(table, "play Artisan", "gain Duchy", "put back Duchy")
    assert tops(table, 0) == ["Duchy", "Gold"]
    assert open_tops(table, 0)[0] == "?"
    mine, other = table.view(0).record, table.view(1).record
    assert NAMES[mine.my_tops[1]] == "Duchy"
    assert other.tops[0][1] == -1
    assert shown(table, 0) == NOTHING  # the Duchy they knew of may be the card put back
    on_top = {NAMES[world.own_tops[0, 1]] for world in worlds(table, 1, 60)}
    assert on_top == {"Duchy", "Estate", "Moat", "Gold"}


def test_after_artisan_the_gained_card_may_be_the_one_on_the_deck_even_if_it_is_not():
    table = position(seat("Artisan, Estate, Moat", deck="Gold"), seat(), edition=SECOND, actions=2)
    play(table, "play Artisan", "gain Duchy", "put back Estate")
    assert hand(table, 0) == cards("Moat, Duchy")
    assert shown(table, 0) == NOTHING
    assert "Duchy" in {NAMES[world.own_tops[0, 1]] for world in worlds(table, 1, 60)}


def test_what_sentry_looks_at_is_known_to_its_owner_alone():
    table = position(seat("Sentry, Moat", below="Gold, Estate, Curse, Silver"), seat(), edition=SECOND)
    play(table, "play Sentry")
    looked_at = {NAMES[card] for card in table.view(0).record.my_tops[:2]}
    assert looked_at == {choice.removeprefix("trash ") for choice in choices(table)[1:]}
    assert open_tops(table, 0) == ["?", "?"]
    pairs = {tuple(sorted(NAMES[card] for card in world.own_tops[0, :2])) for world in worlds(table, 1, 60)}
    assert len(pairs) > 5


def test_the_order_in_which_sentry_leaves_two_cards_is_nobodys_business():
    """One of them was known to all; afterwards it may be either."""
    for first in ("Gold", "Curse"):
        table = position(
            seat("Sentry, Moat", deck="Copper, Gold", below="2 Curse", open_deck=True), seat(), edition=SECOND
        )
        play(table, "play Sentry", "stop", "stop", f"top {first}")
        assert open_tops(table, 0) == ["?", "?"]


def test_two_alike_that_everybody_knew_stay_known():
    table = position(seat("Sentry, Moat", deck="Copper, 2 Gold, Curse", open_deck=True), seat(), edition=SECOND)
    play(table, "play Sentry", "stop", "stop")
    assert open_tops(table, 0) == ["Gold", "Gold", "Curse"]


def test_what_chancellor_throws_down_is_not_seen():
    table = position(seat("Chancellor", below="Gold, Estate, Curse", discard="Copper"), seat())
    play(table, "play Chancellor", "discard deck")
    assert seen(table, 0) == cards("Copper")
    assert unseen(table, 0) == cards("Gold, Estate, Curse")
    assert count(table.view(0).record.discard) == cards("Gold, Estate, Curse, Copper")  # he can count his cards


# ---- the worlds are drawn evenly


def world_of(hand_cards, top, rest, discarded):
    return tuple(sorted(hand_cards)), top, tuple(sorted(rest)), tuple(sorted(discarded))


def chi_square(found, expected, draws):
    """Pearson's sum; every world found must be possible."""
    assert set(found) <= set(expected)
    return sum((found[world] - draws * share) ** 2 / (draws * share) for world, share in expected.items())


def bound(kinds):
    """Far beyond what chance gives: the mean of chi-square plus six deviations."""
    return (kinds - 1) + 6 * np.sqrt(2 * (kinds - 1))


def test_worlds_are_as_likely_as_an_enumeration_says():
    """Two in hand, a card on the deck that only its owner knows, two below it and one thrown away from a hand."""
    table = position(seat("Copper"), seat("Copper, Estate", deck="Smithy", below="Silver, Estate", discard="Curse"))
    hidden = ["Copper", "Silver", "Smithy", "Estate", "Estate", "Curse"]
    expected = Counter()
    for order in permutations(hidden):
        if order[5] not in ("Copper", "Silver"):
            expected[world_of(order[:2], order[2], order[3:5], order[5:])] += 1
    total = expected.total()
    draws = 4000
    found = Counter()
    for world in worlds(table, 0, draws):
        found[
            world_of(
                count(world.hands[1]).elements(),
                NAMES[world.own_tops[1, 0]],
                [NAMES[card] for card in world.decks[1, :2]],
                count(world.unseen[1]).elements(),
            )
        ] += 1
    shares = {world: number / total for world, number in expected.items()}
    assert chi_square(found, shares, draws) < bound(len(shares))


def test_worlds_after_a_played_turn_are_as_likely_as_the_shuffle_makes_them():
    """Draw two of six at random, play what is Treasure, throw the rest away, draw two more: Bayes by counting."""
    start = ["Copper", "Copper", "Estate", "Curse", "Moat", "Duchy"]
    expected = Counter()
    for order in permutations(start):
        first, second = order[:2], order[2:4]
        if sorted(first).count("Copper") == 1:  # the one Copper that was seen to be played
            expected[world_of(second, "", order[4:], [name for name in first if name != "Copper"])] += 1
    total = expected.total()
    shares = {world: number / total for world, number in expected.items()}
    # the engine after such a turn, put together by hand: hands of two do not exist
    table = position(seat("Gold"), seat("Estate, Curse", below="Copper, Moat", discard="Copper, Duchy"), also="Moat")
    draws = 4000
    found = Counter(
        world_of(
            count(world.hands[1]).elements(),
            "",
            [NAMES[card] for card in world.decks[1, :2]],
            count(world.unseen[1]).elements(),
        )
        for world in worlds(table, 0, draws)
    )
    assert chi_square(found, shares, draws) < bound(len(shares))


def test_ones_own_deck_holds_what_is_nowhere_else():
    table = position(seat("Estate", deck="Gold", below="Curse, Moat, Silver", discard="Duchy"), seat("Copper"))
    for world in worlds(table, 0, 5):
        assert Counter(NAMES[card] for card in world.decks[0, :3]) == cards("Curse, Moat, Silver")
        assert NAMES[world.own_tops[0, 0]] == "Gold"


# ---- random games


def rich_position(seed):
    """Two to four players with cards of a random kingdom in every place, and money for more of them."""
    chance = random.Random(seed)
    edition = (FIRST, SECOND)[seed % 2]
    players = 2 + seed // 2 % 3
    names = [NAMES[card] for card in random_kingdom(seed, available(EDITIONS[edition]))]  # Intrigue too
    pool = [*names, *names, "Copper", "Silver", "Gold", "Estate", "Curse", "Province"]
    seats = []
    for _ in range(players):
        sizes = (5, chance.randint(0, 2), chance.randint(0, 8), 4)  # hand, deck, below it, discard pile
        seats.append(seat(*(", ".join(chance.choices(pool, k=size)) for size in sizes)))
    piles = {name: chance.randint(1, 9) for name in names[:5]} | {"Curse": chance.randint(0, 3)}
    return position(*seats, edition=edition, actions=2, supply=piles, also=", ".join(names), seed=seed)


def any_move(table, chance):
    """A random move, but seldom the one that ends a phase."""
    legal = table.legal_actions()
    return chance.choice(legal[1:] if len(legal) > 1 and chance.random() < 0.8 else legal)


def check_steps(s):
    """The stack has room, and what is asked first can be answered."""
    assert 0 <= s.steps <= MOST_STEPS - 8
    assert s.empty_piles == sum(1 for card in s.piles if s.supply[card] == 0)


@pytest.mark.parametrize("seed", range(36))
def test_no_card_is_lost_in_random_games(seed):
    table = rich_position(seed)
    chance = random.Random(seed)
    before = table.game.people.conserved(table.state)
    for _ in range(150):
        if table.over:
            break
        table.play(any_move(table, chance))
        assert table.game.people.conserved(table.state) == before, table.history_names
        check_steps(table.state)


@pytest.mark.parametrize("seed", range(24))
def test_imagined_worlds_can_be_played_on(seed):
    """What the mover imagines has as many cards, looks the same to him, and can be played to any depth."""
    table = rich_position(seed)
    of = table.game
    chance = random.Random(seed)
    actions = np.zeros(of.most_actions, np.int64)
    views = new_records(of.rules.view, 2)
    for step in range(40):
        if table.over:
            break
        mover = table.turn
        world = table.view(mover).imagine(stream(step))
        before = of.people.conserved(table.state)
        of.rules.observe(table.state, mover, views[0])
        of.rules.observe(world, mover, views[1])
        assert views[0].tobytes() == views[1].tobytes()
        rng = stream(seed * 1000 + step)
        for _ in range(20):
            assert of.people.conserved(world) == before, table.history_names
            if of.rules.turn(world) == OVER:
                break
            number = of.rules.legal(world, actions)
            assert number > 0
            of.rules.play(world, int(chance.choice(actions[:number].tolist())), rng)
        table.play(any_move(table, chance))


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_asked_can_be_done_in_every_imagined_world(seed):
    """A question that waits deeper in the stack must not be about a card that another player may not have."""
    table = rich_position(4 + seed * 6)
    chance = random.Random(seed)
    moat = NAMES.index("Moat")
    for _ in range(80):
        if table.over:
            break
        s = table.view(table.turn).imagine(stream(seed))
        for i in range(s.steps):
            if s.step_kinds[i] == REVEAL:
                assert s.hands[s.step_seats[i], moat] > 0
            if i < s.steps - 1:
                assert s.step_kinds[i] < FIRST_QUESTION or s.step_seats[i] == s.current or s.step_kinds[i] == PASS
        table.play(any_move(table, chance))


def test_a_game_dealt_from_a_seed_is_always_the_same():
    of = game("dominion", players=3, kingdom="Interaction")
    games = []
    for _ in range(2):
        table, chance = Table(of, 9), random.Random(9)
        for _ in range(60):
            table.play(any_move(table, chance))
        games.append(table.state.tobytes())
    assert games[0] == games[1]
    assert hand(table, 0).total() > 0
