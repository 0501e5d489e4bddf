"""The default play of Dominion, question by question; and the agents that rest on it, match by match."""

import numpy as np
import pytest

import hiddenhand as hh
from hiddenhand.games.dominion.cards import (
    ACTION,
    CARDS,
    COINS,
    COPPER,
    COST,
    CURSE,
    ESTATE,
    NAMES,
    PROVINCE,
    TREASURE,
    VICTORY,
)
from hiddenhand.games.dominion.default_play import default_choice, reasons
from hiddenhand.games.dominion.kingdoms import available, find_card
from hiddenhand.games.dominion.stack import CHOOSE, STOP
from hiddenhand.games.dominion.state import ACTIONS_PHASE, BASIC, TEN

BIG_MONEY = "Province, Duchy when supply(Province) <= 5, Estate when supply(Province) <= 2, Gold, Silver"


def kingdom_with(*names, edition=1):
    """A game whose kingdom has these cards."""
    wanted = [find_card(name) for name in names]
    others = [card for card in available(edition) if card not in wanted]
    cards = ", ".join(NAMES[card] for card in (wanted + others)[:TEN])
    return hh.game("dominion", kingdom=cards, edition={1: "first", 2: "second"}[edition])


def cards_of(text):
    return [find_card(name) for name in filter(None, text.split(", "))]


def give(s, seat, text):
    """Let a player hold exactly these cards, besides what is in his deck."""
    for card in range(CARDS):
        s.owned[seat, card] -= s.hands[seat, card]
        s.hands[seat, card] = 0
    for card in cards_of(text):
        s.hands[seat, card] += 1
        s.owned[seat, card] += 1
    s.hand_sizes[seat] = len(cards_of(text))


def lay(s, seat, text):
    """Put these cards on a deck, for all to see, the last one on top."""
    for card in cards_of(text):
        n = s.top_sizes[seat]
        s.own_tops[seat, n] = s.tops[seat, n] = card
        s.owned[seat, card] += 1
        s.top_sizes[seat] = n + 1


def situation(hand, *moves, edition=1, needs=(), theirs="", tops="", their_tops="", **fields):
    """The table after the first player, who holds this hand, has made these moves."""
    names = [NAMES[card] for card in cards_of(hand) + cards_of(theirs) if card >= BASIC]
    table = kingdom_with(*dict.fromkeys([*names, *needs]), edition=edition).deal(1)
    s = table.state
    give(s, 0, hand)
    if theirs:
        give(s, 1, theirs)
    lay(s, 0, tops)
    lay(s, 1, their_tops)
    s.phase, s.coins, s.actions = ACTIONS_PHASE, 0, 1
    for name, value in fields.items():
        if name in ("provinces", "curses"):
            s.supply[PROVINCE if name == "provinces" else CURSE] = value
        else:
            s[name] = value
    for move in moves:
        table.play(move)
    return table


def answer(table):
    """What the default play does (no buying is asked for here)."""
    return table.ask(hh.agent(table.game, "menu:nothing")).text


def answers(table, many=10):
    """The answers of the seat that is asked, up to the first that is no answer to a question."""
    given = []
    seat = table.turn
    while table.state.steps > 0 and table.turn == seat and len(given) < many:
        given.append(answer(table))
        table.play(given[-1])
    return given


# ---- playing Actions


@pytest.mark.parametrize(
    ("hand", "first"),
    [
        ("Smithy, Village, Militia, Copper", "play Village"),
        ("Smithy, Market, Copper", "play Market"),
        ("Smithy, Laboratory, Village", "play Village"),
        ("Smithy, Moat, Copper", "play Smithy"),
        ("Witch, Smithy, Copper", "play Witch"),
        ("Chapel, Copper, Estate", "play Chapel"),
        ("Chapel, Silver, Gold", "buy phase"),
        ("Cellar, Estate, Gold", "play Cellar"),
        ("Cellar, Copper, Gold", "buy phase"),
        ("Remodel, Estate, Gold", "play Remodel"),
        ("Remodel, Silver, Gold", "buy phase"),
        ("Moneylender, Copper", "play Moneylender"),
        ("Moneylender, Silver", "buy phase"),
        ("Mine, Silver", "play Mine"),
        ("Mine, Gold", "buy phase"),
        ("Throne Room, Smithy, Copper", "play Throne Room"),
        ("Throne Room, Copper", "buy phase"),
        ("Throne Room, Chapel, Estate, Copper", "play Chapel"),
        ("Throne Room, Remodel, Gold", "buy phase"),
    ],
)
def test_which_action_is_played(hand, first):
    assert answer(situation(hand)) == first


def test_in_the_ending_estates_stay_and_gold_becomes_province():
    assert answer(situation("Chapel, Copper, Estate", provinces=4)) == "buy phase"
    assert answer(situation("Remodel, Gold, Silver", provinces=4)) == "play Remodel"
    table = situation("Remodel, Silver, Gold, Estate", "play Remodel", provinces=4)
    assert answers(table) == ["trash Gold", "gain Province"]


def test_a_witch_without_curses_is_a_moat():
    assert answer(situation("Witch, Smithy, Copper", curses=0)) == "play Smithy"


# ---- questions of the first edition


def test_chapel():
    table = situation("Chapel, Copper, Copper, Estate, Curse", "play Chapel")
    assert answers(table) == ["trash Curse", "trash Estate", "trash Copper", "trash Copper"]
    table = situation("Chapel, Copper, Estate, Gold", "play Chapel")
    for card in (COPPER, ESTATE):  # two Coppers and a Gold are too little to trash one
        table.state.owned[0, card] = 2
    assert answers(table) == ["trash Estate", "stop"]


def test_cellar_replaces_what_does_nothing():
    table = situation("Cellar, Copper, Estate, Curse, Silver", "play Cellar")
    assert sorted(answers(table, 3)) == ["discard Curse", "discard Estate", "stop"]


def test_cellar_changes_coppers_in_a_rich_deck_and_actions_that_cannot_be_played():
    table = situation("Cellar, Copper, Estate, Gold", "play Cellar")
    table.state.owned[0, find_card("Gold")] = 20
    assert sorted(answers(table, 3)) == ["discard Copper", "discard Estate", "stop"]
    table = situation("Cellar, Smithy, Moat, Copper", "play Cellar")
    assert answers(table, 2) == ["discard Moat", "stop"]


@pytest.mark.parametrize(
    ("hand", "wanted"),
    [
        ("Steward, Estate, Estate", "trash two"),
        ("Steward, Gold, Gold", "two coins"),
        ("Nobles, Smithy, Gold", "two actions"),
        ("Nobles, Gold", "three cards"),
        ("Minion, Gold, Gold", "two coins"),
        ("Minion, Copper, Estate", "a new hand"),
        ("Baron, Estate", "discard Estate"),
        ("Mill, Estate, Curse", "discard two"),
        ("Mill, Gold, Silver, Smithy", "keep cards"),
        ("Mining Village, Copper", "keep Mining Village"),
        ("Courtier, Copper, Mill", "show Mill"),
        ("Masquerade, Estate, Gold", "pass Estate"),
        ("Wishing Well, Gold", "name Copper"),
        ("Upgrade, Estate, Gold", "trash Estate"),
        ("Lurker, Gold", "trash an Action"),
        ("Pawn, Gold", "an action"),
        ("Secret Passage, Gold", "at the bottom of the deck"),
        ("Trading Post, Estate, Estate, Gold", "trash Estate"),
    ],
)
def test_the_cards_of_intrigue(hand, wanted):
    first = hand.partition(",")[0]
    assert answers(situation(hand, f"play {first}", edition=2, tops="Copper, Copper, Copper"), 1) == [wanted]


def test_the_victims_of_intrigue():
    assert answers(situation("Torturer", "play Torturer", edition=2, theirs="Copper, Copper, Estate"), 1) == [
        "discard two"
    ]
    table = situation("Torturer", "play Torturer", edition=2, theirs="Copper, Copper, Estate", curses=0)
    assert answers(table, 1) == ["gain a Curse"]
    table = situation("Swindler", "play Swindler", edition=2, their_tops="Copper")
    assert answers(table, 1) == ["give Curse"]


def test_throne_room_doubles_the_first_action():
    assert answers(situation("Throne Room, Smithy, Moat, Copper", "play Throne Room"), 1) == ["double Smithy"]
    assert answers(situation("Throne Room, Smithy, Village, Copper", "play Throne Room"), 1) == ["double Village"]
    # a Throne Room that must double something takes no Remodel that would cost a Gold
    assert answers(situation("Throne Room, Chapel, Remodel, Gold", "play Throne Room"), 1) == ["double Chapel"]


def test_remodel_and_mine():
    assert answers(situation("Remodel, Estate, Copper, Gold", "play Remodel"), 1) == ["trash Estate"]
    assert answers(situation("Remodel, Curse, Estate, Gold", "play Remodel"), 1) == ["trash Curse"]
    assert answers(situation("Mine, Copper, Silver, Gold", "play Mine")) == ["trash Silver", "gain Gold"]
    assert answers(situation("Mine, Copper, Gold", "play Mine")) == ["trash Copper", "gain Silver"]


def test_militia_takes_victories_then_surplus_actions_then_coppers():
    hand = "Estate, Copper, Silver, Gold, Province"
    assert answers(situation("Militia", "play Militia", theirs=hand)) == ["discard Estate", "discard Province"]
    hand = "Copper, Silver, Gold, Smithy, Woodcutter"
    assert answers(situation("Militia", "play Militia", theirs=hand)) == ["discard Woodcutter", "discard Copper"]
    hand = "Copper, Silver, Gold, Smithy, Village"
    assert answers(situation("Militia", "play Militia", theirs=hand)) == ["discard Copper", "discard Silver"]


def test_moat_is_shown():
    assert answer(situation("Witch", "play Witch", theirs="Moat, Copper")) == "show Moat"


def test_library_keeps_what_can_be_played():
    table = situation("Library, Copper", "play Library", tops="Smithy", needs=["Smithy"])
    assert answer(table) == "set it aside"
    table = situation("Library, Copper", "play Library", tops="Smithy", needs=["Smithy"], actions=2)
    assert answer(table) == "keep it"


def test_chancellor_flips_a_poor_deck():
    table = situation("Chancellor, Copper", "play Chancellor")
    s = table.state
    s.seen[0, find_card("Gold")] += 2
    s.owned[0, find_card("Gold")] += 2
    s.discard_sizes[0] += 2
    assert answer(table) == "discard deck"
    table = situation("Chancellor, Copper", "play Chancellor", tops="Gold")
    s = table.state
    s.seen[0, find_card("Province")] += 6
    s.owned[0, find_card("Province")] += 6
    s.discard_sizes[0] += 6
    assert answer(table) == "keep deck"


def test_spy_keeps_the_good_and_spoils_the_others():
    table = situation("Spy", "play Spy", tops="Gold, Copper", their_tops="Gold")  # the Copper is drawn
    assert answers(table) == ["leave it", "discard it"]
    table = situation("Spy", "play Spy", tops="Copper, Gold", their_tops="Copper")
    assert answers(table) == ["discard it", "leave it"]


def test_thief_takes_the_best_and_no_copper():
    assert answers(situation("Thief", "play Thief", their_tops="Silver, Gold")) == ["trash Gold", "keep Gold"]
    assert answers(situation("Thief", "play Thief", their_tops="Copper, Copper")) == ["stop"]


def test_bureaucrat_puts_a_victory_card_back():
    table = situation("Bureaucrat", "play Bureaucrat", theirs="Estate, Duchy, Copper")
    assert answer(table) in ("put back Estate", "put back Duchy")


# ---- questions of the second edition


def test_second_edition():
    def after(hand, move, **details):
        return situation(hand, move, edition=2, **details)

    def sentry(tops):
        return answers(after("Sentry", "play Sentry", tops=tops))

    assert answer(after("Moneylender, Copper", "play Moneylender")) == "trash Copper"
    assert answer(after("Vassal", "play Vassal", tops="Smithy", needs=["Smithy"])) == "play it"
    assert answer(after("Vassal, Gold", "play Vassal", tops="Chapel", needs=["Chapel"])) == "leave it"
    assert sentry("Curse, Gold, Copper") == ["trash Curse", "stop", "stop"]
    assert sentry("Province, Gold, Copper") == ["stop", "discard Province", "stop"]
    assert sentry("Gold, Silver, Copper")[-1] == "top Gold"
    assert answers(after("Bandit", "play Bandit", their_tops="Silver, Gold")) == ["trash Silver"]
    assert answers(after("Mine, Gold", "play Mine")) == ["stop"]
    assert answers(after("Throne Room, Chapel, Gold", "play Throne Room")) == ["stop"]
    table = after("Artisan, Smithy, Estate, Gold", "play Artisan")
    table.play("gain Silver")
    assert answer(table) == "put back Smithy"
    table = after("Artisan, Copper, Estate, Gold", "play Artisan")
    table.play("gain Silver")
    assert answer(table) == "put back Estate"


def test_harbinger_recalls_the_best():
    table = situation("Harbinger, Copper", edition=2)
    s = table.state
    for name in ("Gold", "Province", "Silver"):
        s.seen[0, find_card(name)] += 1
        s.owned[0, find_card(name)] += 1
        s.discard_sizes[0] += 1
    table.play("play Harbinger")
    assert answer(table) == "put back Gold"


# ---- the reasons are true


def money(record, seat):
    return sum(int(record.owned[seat, card] * COINS[card]) for card in range(BASIC) if TREASURE[card])


def late(record):
    return record.supply[PROVINCE] <= 4 or record.empty_piles >= 2


def useful(card):
    """How useful a card is when it is drawn, in our own words once more."""
    return 0 if VICTORY[card] or card == CURSE else 1 if card == COPPER else int(COST[card])


def offered(view):
    return [action - CHOOSE for action in view.legal_actions() if action != STOP]


def actions_held(view):
    return sum(int(view.record.hand[card]) for card in held(view) if ACTION[card])


def held(view):
    return [card for card in range(CARDS) if view.record.hand[card] > 0]


TRUE = {
    reasons.PLAYS_FIRST: lambda v, card: v.record.hand[card] > 0 and ACTION[card],
    reasons.SETS_ASIDE: lambda v, card: v.record.actions == 0,
    reasons.KEEPS_ACTION: lambda v, card: v.record.actions > 0,
    reasons.DISCARDS_DEAD: lambda v, card: VICTORY[card] or card == CURSE,
    reasons.DISCARDS_LEAST: lambda v, card: useful(card) == min(map(useful, held(v))),
    reasons.DISCARDS_SURPLUS: lambda v, card: ACTION[card] and actions_held(v) > 1,
    reasons.STOPS_DISCARDING: lambda v, card: all(useful(c) > 0 for c in offered(v)),
    reasons.TRASHES_CURSE: lambda v, card: card == CURSE,
    reasons.TRASHES_ESTATE: lambda v, card: card == ESTATE and not late(v.record),
    reasons.TRASHES_COPPER: lambda v, card: card == COPPER and money(v.record, v.seat) - 1 >= 6,
    reasons.STOPS_TRASHING: lambda v, card: CURSE not in offered(v) and (late(v.record) or ESTATE not in offered(v)),
    reasons.REMODELS_FOR_POINTS: lambda v, card: late(v.record),
    reasons.GAINS_POINTS: lambda v, card: late(v.record) and VICTORY[card],
    reasons.GAINS_DEAREST: lambda v, card: useful(card) == max(map(useful, offered(v))),
    reasons.RECALLS_BEST: lambda v, card: useful(card) == max(map(useful, offered(v))),
    reasons.RECALLS_NOTHING: lambda v, card: max(map(useful, offered(v))) <= 1,
    reasons.STEALS_BEST: lambda v, card: card == max(offered(v)),
    reasons.KEEPS_LOOT: lambda v, card: TREASURE[card] and card != COPPER,
    reasons.LEAVES_LOOT: lambda v, card: offered(v) == [COPPER],
    reasons.SURRENDERS_LEAST: lambda v, card: card == min(offered(v)),
    reasons.TOPS_BEST: lambda v, card: useful(card) == max(map(useful, offered(v))),
    reasons.SAVES_ACTION: lambda v, card: v.record.actions == 0 and ACTION[card],
    reasons.DECKS_LEAST: lambda v, card: useful(card) == min(map(useful, held(v))),
}


@pytest.mark.parametrize("edition", ["first", "second"])
def test_reasons_of_whole_games_are_true(edition):
    """Everybody buys the dearest card, and so comes to many; the answers are those of the default play."""
    seen = set()
    for seed in range(10):
        game = hh.game("dominion", kingdom=f"random:{seed}", edition=edition, players=2 + seed % 2)
        buyer, default = hh.agent(game, "greedy"), hh.agent(game, "menu:nothing")
        table = game.deal(seed)
        while not table.over and len(table.history) < 400:
            if table.state.steps == 0 and table.state.phase != ACTIONS_PHASE:
                table.play(table.ask(buyer).action)
                continue
            view = table.view()
            decision = default.explain(view)
            action, why = default_choice(view.record, view.seat, np.array(view.legal_actions(), np.int64))
            if decision.action == action and len(decision.reasons) == 1:
                seen.add(why)
                assert decision.reasons == [reasons.default_reason(why, action)]
                assert TRUE.get(why, lambda v, card: True)(view, action - CHOOSE), (decision, table.view().screen())
            table.play(decision.action)
    assert len(seen) > 15


# ---- reference matches


def shares(first, second, games=5000, **options):
    """The share of games that the first agent wins, and loses, with rotating seats."""
    result = hh.match("dominion", [first, second], games=games, seed=2, rotate=True, **options)
    mine = result.payoffs[:, 0]
    return (mine > 0).mean(), (mine < 0).mean()


def test_the_mirror_of_bigmoney():
    """200,000 games of a reference: 20.70 turns (sd 4.18); 51.6 % and 40.7 %. The bounds are about five errors."""
    result = hh.match("dominion", ["bigmoney", "bigmoney"], games=5000, seed=2)
    assert abs(result.metrics[:, 0].mean() - 20.70) < 0.3
    first = result.payoffs[:, 0]
    assert abs((first > 0).mean() - 0.516) < 0.035
    assert abs((first < 0).mean() - 0.407) < 0.035


def test_one_smithy_against_bigmoney():
    """200,000 games of a reference: 69.6 % and 24.4 %."""
    won, lost = shares("menu:" + BIG_MONEY.replace("Silver", "Smithy up to 1, Silver"), "bigmoney")
    assert abs(won - 0.696) < 0.033
    assert abs(lost - 0.244) < 0.031


KINGDOM = "Chapel, Witch, Militia, Market, Laboratory, Village, Smithy, Council Room, Mine, Bureaucrat"


@pytest.mark.parametrize(
    ("extra", "least"),
    [
        ("Witch up to 2", 0.85),
        ("Militia up to 1", 0.62),
        ("Laboratory", 0.52),
        ("Market", 0.53),
        ("Mine up to 1", 0.52),
        ("Council Room up to 2", 0.60),
        ("Bureaucrat up to 1", 0.55),
    ],
)
def test_one_good_card_beats_bigmoney(extra, least):
    won, lost = shares("menu:" + BIG_MONEY.replace("Silver", f"{extra}, Silver"), "bigmoney", kingdom=KINGDOM)
    assert won > least
    assert won > lost + 0.1


def test_a_thin_deck_beats_bigmoney():
    text = (
        "Province when money > 15, Duchy when supply(Province) <= 4, Estate when supply(Province) <= 2, Gold, "
        "Market up to 4, Laboratory, Chapel up to 1 when turn < 3, Militia up to 1, Silver"
    )
    won, lost = shares(f"menu:{text}", "bigmoney", kingdom=KINGDOM)
    assert won > 0.7 > 0.3 > lost


def test_gardens_end_the_game_before_the_provinces_do():
    text = (
        "Gardens, Workshop, Estate when supply(Gardens) <= 4, Copper; "
        "gain: Workshop up to 6, Gardens, Workshop, Estate"
    )
    won, lost = shares(f"menu:{text}", "bigmoney", kingdom="Size Distortion")
    assert won > 0.65 > 0.35 > lost


def test_greedy_is_a_beginner():
    won, lost = shares("greedy", "bigmoney", games=2000)
    assert won < 0.1
    assert lost > 0.9
