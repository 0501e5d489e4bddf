"""Menus of Dominion: the language, what it makes of a game, and the reasons it gives."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hiddenhand as hh
from hiddenhand.core.errors import UserError
from hiddenhand.core.policy import record_of
from hiddenhand.games.dominion.bigmoney import BIG_MONEY
from hiddenhand.games.dominion.cards import CARDS, COST, GOLD, NAMES, PROVINCE, SILVER, SMITHY
from hiddenhand.games.dominion.kingdoms import find_card, find_kingdom
from hiddenhand.games.dominion.menus import (
    Menu,
    MenuCondition,
    MenuEntry,
    MenuQuantity,
    menu_of,
    parameters_of,
    read_menu,
)
from hiddenhand.games.dominion.menus.language import COMPARISONS, NUMBER, OF_A_CARD, PLAIN, SUPPLY, TURN
from hiddenhand.games.dominion.stack import CHOOSE, STOP
from hiddenhand.games.dominion.state import BUY_PHASE

GAME = hh.game("dominion")
VICTORIES = "Province, Duchy when supply(Province) <= 5, Estate when supply(Province) <= 2"
SMITHY_MENU = f"{VICTORIES}, Gold, Smithy up to 1, Silver"


# ---- reading and writing


def test_a_menu_is_read():
    provinces = MenuQuantity(SUPPLY, PROVINCE)
    menu = read_menu("Gold when supply(province) <= 5 and turn > 2, smithy UP TO 1, Silver")
    early = (
        MenuCondition(provinces, 1, MenuQuantity(NUMBER, 5)),
        MenuCondition(MenuQuantity(TURN), 5, MenuQuantity(NUMBER, 2)),
    )
    assert menu == Menu((MenuEntry(GOLD, None, early), MenuEntry(SMITHY, 1), MenuEntry(SILVER)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("buy: Gold, Silver", "Gold, Silver"),
        ("Smithy up to 2 when turn = 3", "smithy when turn == 3 up to 2"),
        ("Throne Room up to 1", "throneroom up to 1"),
        ("Throne Room up to 1", "throne_room up to 1"),
        ("Gold; cautious", "cautious; Gold"),
        ("Gold; play: Village; trash: Curse", "trash: Curse; play: Village; buy: Gold"),
        ("Gold, Silver", "# money\nGold, # dear\n  Silver\n"),
        ("Gold; cautious; penultimate", "penultimate; cautious; Gold"),
        ("Gold when turn >= 3 and turn <= 8 or deficit > 6", "Gold when turn from 3 to 8 OR deficit>6"),
        ("Village when count(Village) < count(Smithy)", "Village\twhen count( village )<count(SMITHY)"),
    ],
)
def test_the_same_menu_in_other_words(one, other):
    assert read_menu(one) == read_menu(other)


def test_sections():
    menu = read_menu("Gold; play only: Village, Smithy; trash: nothing; discard: Estate; gain: Silver; cautious")
    assert [e.card for e in menu.play] == [find_card("Village"), SMITHY]
    assert menu.play_only
    assert menu.cautious
    assert menu.trash == ()
    assert str(menu.gain[0]) == "Silver"
    plain = read_menu("Gold; play: Smithy")
    assert not plain.play_only
    assert plain.trash is None
    assert not plain.cautious


cards = st.integers(0, CARDS - 1)
numbers = st.integers(0, 9999)
of_cards = st.builds(MenuQuantity, st.sampled_from(sorted(OF_A_CARD.values())), cards)
quantities = of_cards | st.builds(MenuQuantity, st.sampled_from(sorted(PLAIN.values())))
conditions = st.builds(
    MenuCondition,
    quantities,
    st.integers(0, len(COMPARISONS) - 1),
    quantities | st.builds(MenuQuantity, st.just(NUMBER), numbers),
    st.booleans(),
)
joined = st.lists(conditions, max_size=3).map(
    lambda several: tuple(replace(one, otherwise=one.otherwise and i > 0) for i, one in enumerate(several))
)
entries = st.builds(MenuEntry, cards, st.none() | numbers, joined)
lists = st.lists(entries, max_size=4).map(tuple)
some = st.none() | lists
menus = st.builds(Menu, lists, some, some, some, some, st.booleans(), st.booleans(), st.booleans()).map(
    lambda menu: menu if menu.play is not None else replace(menu, play_only=False)
)


@settings(max_examples=150, deadline=None)
@given(menus)
def test_round_trips(menu):
    assert read_menu(str(menu)) == menu
    assert menu_of(record_of(parameters_of(menu, range(CARDS)))) == menu


# ---- errors


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Gold, Smithy up to Silver", 'column 20: expected a number after "up to", not "Silver"'),
        ("Gold, Smity", 'column 7: there is no card "Smity" (did you mean Smithy?)'),
        ("Gold Silver", 'column 1: there is no card "Gold Silver"'),
        ("Gold,, Silver", 'column 6: expected a card, not ","'),
        ("Gold,", "column 6: expected a card, not the end"),
        ("", "column 1: expected a card, not the end"),
        ("Gold up 3", 'column 9: expected "to" after "up", not "3"'),
        ("Gold when turn", 'column 15: expected one of < <= = != >= > or "from" after "turn", not the end'),
        ("Gold when turn from 3", 'column 22: expected "to", not the end'),
        ("Gold when turn from 8 to 3", "column 16: there is no number from 8 to 3"),
        ("Gold when turn > 3 or", "column 22: expected a quantity"),
        (
            "Gold when turn > Gold",
            "column 18: expected a quantity (supply(Card), count(Card), hand(Card), others(Card), money, coins, "
            "turn, deck, lead, deficit, empty, purse, buys), not",
        ),
        ("Gold when turn > ;", 'column 18: expected a number or a quantity after ">", not ";"'),
        ("Gold when 5 < turn", "column 11: expected a quantity"),
        ("Gold when supply(Gold < 5", 'column 23: expected ")", not "<"'),
        ("Gold when count < 5", 'column 17: expected "(" and a card after "count", not "<"'),
        ("Gold when turn > 99999", "column 18: numbers go up to 9999"),
        ("Gold when turn > 3 turn", 'column 20: expected "up to", "and", "or", ",", ";" or the end, not "turn"'),
        ("Gold up to 1 up to 2", 'column 14: "up to" stands twice behind Gold'),
        (
            "Gold; pley: Smithy",
            'column 7: there is no section "pley" (did you mean play?); sections: buy, play, play only',
        ),
        ("Gold; Silver", "column 7: there are two lists of what to buy; write one"),
        ("Gold; play: Smithy; play only: Smithy", "column 21: there are two lists of what to play; write one"),
        ("play: Smithy", "column 13: a menu needs a list of what to buy"),
        ("cautious Gold", 'column 10: expected ";" or the end, not "Gold"'),
        ("Gold €", "column 6: a menu has no character '€'"),
        ("Gold,\nSilver,\n  Tin", 'line 3, column 3: there is no card "Tin"'),
    ],
)
def test_errors_say_where(text, message):
    with pytest.raises(UserError) as caught:
        read_menu(text)
    assert str(caught.value).startswith(message)


def test_cards_that_the_kingdom_lacks():
    has = r"\(it has: Cellar, Moat, Village, Woodcutter, Workshop, Militia, Remodel, Smithy, Market, Mine\)"
    for text in ("Gold, Witch", "Gold when count(Witch) > 0", "Gold; trash: Estate when supply(Witch) = 0"):
        with pytest.raises(UserError, match=f"Witch is not in this kingdom {has}"):
            hh.agent(GAME, f"menu:{text}")


def test_a_menu_in_a_file(tmp_path):
    path = tmp_path / "smithy.menu"
    path.write_text(f"# one Smithy\n{SMITHY_MENU.replace(', ', chr(10) + ', ')}\n")
    agent = hh.agent(GAME, f"menu:@{path}")
    assert menu_of(agent.parameters) == read_menu(SMITHY_MENU)
    for text in ("menu", "menu:", f"menu:@{tmp_path}/none"):
        with pytest.raises(UserError):
            hh.agent(GAME, text)


words = [
    *"Gold Province throne room Tin up to when and or from lead penultimate supply count ( ) money".split(),
    *"< <= = == != > 3 99999 , ; :".split(),
]
pieces = st.sampled_from(
    [*words, "play", "only", "trash", "cautious", "nothing", "#", "\n", "€", "up to 2", "turn > 3"]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(pieces, max_size=12).map(" ".join) | st.text(max_size=30))
def test_whatever_is_written_gives_a_menu_or_one_clear_line(text):
    try:
        menu, told = read_menu(text), ""
    except UserError as error:
        menu, told = None, str(error)
    if menu is None:
        assert re.fullmatch(r"(line \d+, )?column \d+: .+", told)
    else:
        assert read_menu(str(menu)) == menu


# ---- what it does, reckoned from its text


def score(record, seat):
    """Points without Gardens."""
    return sum(int(record.owned[seat, NAMES.index(name)]) * worth for name, worth in WORTH.items())


WORTH = {"Estate": 1, "Duchy": 3, "Province": 6, "Curse": -1}


def holds(entry, record, seat, coins):
    """The conditions of an entry, read as Python: its `and` and `or` bind as ours do."""
    text = str(replace(entry, up_to=None)).partition(" when ")[2] or "True"
    text = re.sub(r"\(([^)]*)\)", r"('\1')", text).replace(" = ", " == ")
    owned = {NAMES[card]: int(record.owned[seat, card]) for card in range(CARDS)}
    names = {
        "supply": lambda name: int(record.supply[NAMES.index(name)]),
        "count": owned.get,
        "hand": lambda name: int(record.hand[NAMES.index(name)]),
        "others": lambda name: int(record.owned[1 - seat, NAMES.index(name)]),
        "money": owned["Copper"] + 2 * owned["Silver"] + 3 * owned["Gold"],
        "coins": coins,
        "turn": int(record.turns[seat]),
        "deck": sum(owned.values()),
        "lead": score(record, seat) - score(record, 1 - seat),
        "deficit": score(record, 1 - seat) - score(record, seat),
        "empty": sum(1 for card in record.piles if record.supply[card] == 0),
        "purse": int(record.coins),  # when buying, all Treasures are on the table
        "buys": int(record.buys),
    }
    return eval(text, names)


def obstacles(entry, record, seat, coins):
    """Everything that speaks against an entry, by kind."""
    found = set()
    if COST[entry.card] > coins:
        found.add("costs")
    if record.supply[entry.card] == 0:
        found.add("empty")
    if entry.up_to is not None and record.owned[seat, entry.card] >= entry.up_to:
        found.add("up to")
    if not holds(entry, record, seat, coins):
        found.add("when")
    return found


def kind_of(sentence):
    return next(
        kind
        for kind, words in {
            "costs": " costs ",
            "empty": "pile is empty",
            "up to": ": up to ",
            "when": ": only when ",
        }.items()
        if words in sentence
    )


def check_buy(menu, decision, view):
    """The action and every reason of a buy against the text of the menu."""
    record, seat, coins = view.record, view.seat, int(view.record.coins)
    for number, entry in enumerate(menu.buy):
        against = obstacles(entry, record, seat, coins)
        if not against:
            assert decision.action == CHOOSE + entry.card
            assert decision.reasons[number] == f'"{entry}" is the first entry of what to buy that applies.'
            assert all(said.startswith(f"{NAMES[entry.card]} is ") for said in decision.reasons[number + 1 :])
            assert len(decision.reasons) > number + 1  # what the purchase is for
            return
        sentence = decision.reasons[number]
        assert sentence.startswith(NAMES[entry.card])
        assert kind_of(sentence) in against
        if " costs " in sentence:
            assert (
                sentence == f"{NAMES[entry.card]} costs {COST[entry.card]}, I have {coins} coin{'s' * (coins != 1)}."
            )
    assert decision.action == STOP
    assert decision.reasons[len(menu.buy) :] == ["No entry of what to buy applies."]


RICH = (
    f"{VICTORIES}, Gold when money < 25, Market up to 2 when deck >= 11, "
    "Village when count(Village) < count(Smithy), Smithy up to 3 when turn > 2 and coins != 5, "
    "Militia up to 1, Silver when supply(Silver) > 30"
)
ENDING = (
    "Duchy when supply(Province) = 2 and deficit > 6 or empty >= 1, Province when lead >= 0 or turn from 9 to 14 or "
    "purse > 8, Estate when deficit > 3 and supply(Province) <= 3 or buys > 1 and deck > 20, "
    "Gold when others(Silver) > 2, Gold up to 3 when others(Gold) <= count(Gold), Market, Silver"
)


@pytest.mark.parametrize("text", [RICH, f"Workshop up to 2, Remodel up to 1, {RICH}", ENDING, str(BIG_MONEY)])
def test_every_buy_of_whole_games_is_the_first_entry_that_applies(text):
    menu = read_menu(text)
    agents = [hh.agent(GAME, f"menu:{text}"), hh.agent(GAME, "bigmoney")]
    buys = 0
    for seed in range(6):
        table = GAME.deal(seed)
        while not table.over:
            view = table.view()
            decision = agents[table.turn].explain(view)
            if view.record.steps == 0 and view.record.phase == BUY_PHASE:
                check_buy((menu, BIG_MONEY)[table.turn], decision, view)
                buys += 1
            assert decision.reasons
            table.play(decision.action)
    assert buys > 150


def test_sentences_give_the_numbers():
    agent = hh.agent(GAME, f"menu:{VICTORIES}, Smithy up to 0, Gold when count(Gold) > count(Silver), Silver")
    table = buying(coins=6)
    assert agent.explain(table.view()).reasons == [
        "Province costs 8, I have 6 coins.",
        "Duchy: only when supply(Province) <= 5, but supply(Province) is 8.",
        "Estate: only when supply(Province) <= 2, but supply(Province) is 8.",
        "Smithy: up to 0, I own 0.",
        "Gold: only when count(Gold) > count(Silver), but count(Gold) is 0 and count(Silver) is 0.",
        '"Silver" is the first entry of what to buy that applies.',
        "Silver is for coins: it gives 2, and my 10 cards give 7.",
    ]


def test_a_purchase_says_what_it_is_for():
    table = buying(coins=8)
    told = {
        "Province": "Province is for points: it brings 6, and I am level.",
        "Militia": "Militia is to slow the others down and for more coins in a turn.",
        "Village": "Village is to play more Actions in a turn.",
        "Remodel": "Remodel is to get rid of weak cards.",
    }
    for card, sentence in told.items():
        assert hh.agent(GAME, f"menu:{card}").explain(table.view()).reasons[-1] == sentence
    table.state.owned[1, PROVINCE] = 1
    reasons = hh.agent(GAME, "menu:Duchy").explain(table.view()).reasons
    assert reasons[-1] == "Duchy is for points: it brings 3, and I am 6 behind."


def test_bigmoney_is_its_menu():
    quick = hh.match(GAME, ["bigmoney", "bigmoney"], games=300, seed=3)
    listed = hh.match(GAME, [f"menu:{BIG_MONEY}", f"menu:{BIG_MONEY}"], games=300, seed=3)
    assert quick.payoffs.tolist() == listed.payoffs.tolist()
    assert quick.moves.tolist() == listed.moves.tolist()


def buying(coins, game=GAME):
    """A table at the first buy, with so many coins."""
    table = game.deal(0)
    assert table.state.phase == BUY_PHASE
    table.state.coins = coins
    return table


# ---- sections


def asked(text, hand, move, game=GAME, **state):
    """What a menu answers when it holds this hand and this move has been made."""
    table = game.deal(0)
    s = table.state
    for card in range(CARDS):
        s.owned[0, card] -= s.hands[0, card]
        s.hands[0, card] = 0
    for name in hand.split(", "):
        s.hands[0, find_card(name)] += 1
        s.owned[0, find_card(name)] += 1
    s.hand_sizes[0] = s.hands[0].sum()
    s.phase = 0
    for name, value in state.items():
        s[name] = value
    if move:
        table.play(move)
    decision = hh.agent(game, f"menu:{text}").explain(table.view())
    return decision.text, decision.reasons


def test_the_order_of_play():
    hand = "Militia, Smithy, Village, Copper"
    assert asked("Gold", hand, "")[0] == "play Village"
    assert asked("Gold; play: Militia", hand, "")[0] == "play Militia"
    assert asked("Gold; play: Militia when turn > 9, Smithy", hand, "")[0] == "play Smithy"
    assert asked("Gold; play: Cellar", hand, "")[0] == "play Village"
    assert asked("Gold; play: Militia when hand(Copper) > 1, Smithy", hand, "")[0] == "play Smithy"
    assert asked("Gold; play: Militia when hand(Copper) = 1, Smithy", hand, "")[0] == "play Militia"
    told = asked("Gold; play only: Cellar, Militia when turn > 9", hand, "")
    assert told[0] == "buy phase"
    assert told[1] == [
        "Cellar: there is none to play.",
        "Militia: only when turn > 9, but turn is 1.",
        "No entry of what to play applies.",
    ]
    assert asked("Gold; play only: nothing", hand, "")[0] == "buy phase"


CHAPEL = hh.game("dominion", kingdom="Big Money")


def test_what_is_trashed():
    hand = "Chapel, Copper, Copper, Estate, Gold"
    assert asked("Gold", hand, "play Chapel", CHAPEL)[0] == "trash Estate"
    assert asked("Gold; trash: Gold", hand, "play Chapel", CHAPEL)[0] == "trash Gold"
    assert asked("Gold; trash: Gold when turn > 1", hand, "play Chapel", CHAPEL)[0] == "stop"
    assert asked("Gold; trash: nothing", hand, "play Chapel", CHAPEL)[0] == "stop"
    remodel = "Remodel, Copper, Copper, Estate, Gold"
    assert asked("Gold", remodel, "play Remodel")[0] == "trash Estate"
    assert asked("Gold; trash: Gold", remodel, "play Remodel")[0] == "trash Gold"
    assert asked("Gold; trash: nothing", remodel, "play Remodel")[0] == "trash Estate"


def test_what_is_gained():
    hand = "Workshop, Copper, Copper, Estate, Gold"
    text, reasons = asked("Gold, Smithy up to 1, Silver", hand, "play Workshop")
    assert text == "gain Smithy"
    assert reasons[0] == "Gold costs 6, it may cost 4."
    assert reasons[1] == '"Smithy up to 1" is the first entry of what to buy that applies.'
    assert asked("Gold, Silver; gain: Village", hand, "play Workshop")[0] == "gain Village"
    assert asked("Gold, Silver; gain: Village when coins = 4", hand, "play Workshop")[0] == "gain Village"
    # a gain must be: where no entry applies, the default play chooses
    text, reasons = asked("Province", hand, "play Workshop")
    assert text.startswith("gain ")
    assert "No entry of what to buy applies." in reasons


def test_what_is_discarded():
    table = GAME.deal(0)
    s = table.state
    s.phase = 0
    s.hands[0, find_card("Militia")] += 1
    s.owned[0, find_card("Militia")] += 1
    s.hand_sizes[0] += 1
    table.play("play Militia")
    assert table.turn == 1
    plain = hh.agent(GAME, "menu:Gold").explain(table.view())
    assert plain.text == "discard Estate"
    assert hh.agent(GAME, "menu:Gold; discard: Copper").decide(table.view()).text == "discard Copper"


# ---- caution


def test_a_cautious_menu_does_not_buy_into_a_loss_and_finds_a_win():
    rash, cautious = hh.agent(GAME, "menu:Province, Gold"), hh.agent(GAME, "menu:Province, Gold; cautious")
    silver = hh.agent(GAME, "menu:Silver; cautious")
    table = buying(coins=8)
    s = table.state
    s.supply[PROVINCE] = 1
    s.owned[1, PROVINCE] = 2  # 15 points against my 3: the last Province loses
    assert rash.decide(table.view()).text == "buy Province"
    assert cautious.explain(table.view()).text == "buy Gold"
    assert cautious.explain(table.view()).reasons[0] == "Province would end the game at once, and I should lose it."
    assert silver.decide(table.view()).text == "buy Silver"
    s.owned[1, PROVINCE] = 0  # now it wins
    for agent in (rash, cautious, silver):
        assert agent.explain(table.view()).text == "buy Province"
    assert silver.explain(table.view()).reasons == ["Province ends the game at once, and I win it."]
    # 9 points against 9: the first player has had one turn more, and loses
    s.owned[1, PROVINCE] = 1
    s.turns[1] = 0
    assert cautious.decide(table.view()).text == "buy Gold"
    s.turns[1] = 1  # as many turns: a tie, which is no loss and no win
    assert cautious.decide(table.view()).text == "buy Province"
    assert silver.decide(table.view()).text == "buy Silver"


def test_the_last_province_but_one_is_left_where_the_last_would_beat_me():
    rash, wary = (hh.agent(GAME, f"menu:Province, Duchy{word}") for word in ("", "; penultimate"))
    table = buying(coins=8)
    s = table.state
    s.turns[:2] = 5, 4  # the other has had one turn less, and will have had as many
    for supply, theirs, bought in ((3, 1, "Province"), (2, 1, "Duchy"), (1, 1, "Province"), (2, 0, "Province")):
        s.supply[PROVINCE] = supply
        s.owned[1, PROVINCE] = theirs
        assert rash.decide(table.view()).text == "buy Province"
        assert wary.explain(table.view()).text == f"buy {bought}"
    s.supply[PROVINCE] = 2  # 3 points each, and he will have had a turn more
    s.turns[:2] = 5, 5
    assert wary.decide(table.view()).text == "buy Province"
    s.owned[1, find_card("Estate")] += 1
    told = wary.explain(table.view()).reasons[0]
    assert told == "Province would leave one, and whoever buys that one would beat me."


def test_a_sentence_tells_of_every_alternative():
    agent = hh.agent(GAME, "menu:Gold when turn > 3 and coins > 1 or deficit > 2, Silver")
    assert agent.explain(buying(coins=6).view()).reasons[0] == (
        "Gold: only when turn > 3, but turn is 1; or when deficit > 2, but deficit is 0."
    )


def test_caution_counts_the_third_pile_and_gardens():
    game = hh.game("dominion", kingdom="Size Distortion")
    cautious = hh.agent(game, "menu:Gardens, Silver; cautious")
    table = buying(4, game)
    s = table.state
    gardens = find_card("Gardens")
    s.empty_piles = 2
    s.supply[gardens] = 1
    s.owned[1, find_card("Estate")] = 4
    s.turns[1] = 1
    assert cautious.decide(table.view()).text == "buy Gardens"  # 3 and 1 for 11 cards, against 4: a tie
    s.turns[1] = 0  # one turn fewer: a loss
    assert cautious.decide(table.view()).text == "buy Silver"
    s.empty_piles = 1
    assert cautious.decide(table.view()).text == "buy Gardens"


def test_kingdoms_agree():
    """The numbers of a menu do not depend on the kingdom, if it has the cards."""
    menu = read_menu(SMITHY_MENU)
    first, second = (find_kingdom(name, 1) for name in ("First Game", "Village Square"))
    one, other = (record_of(parameters_of(menu, kingdom)) for kingdom in (first, second))
    assert one.tobytes() == other.tobytes()
