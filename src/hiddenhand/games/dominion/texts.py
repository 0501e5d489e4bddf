"""What a person reads: the table of a seat, the name of an action, and what is said when it is played."""

from collections.abc import Callable
from typing import Any

import numpy as np
from typing_extensions import TypedDict

from hiddenhand.core.text import Seat, Text
from hiddenhand.games.dominion import steps
from hiddenhand.games.dominion.cards import (
    BANDIT,
    NAMES,
    PROVINCE,
    SECRET_PASSAGE,
    TABLE,
    THIEF,
    CardDefinition,
    price,
)
from hiddenhand.games.dominion.kingdoms import BY_NAME, plain
from hiddenhand.games.dominion.rules import points
from hiddenhand.games.dominion.stack import CHOOSE, STOP, YES
from hiddenhand.games.dominion.state import ACTIONS_PHASE, BUY_PHASE, MOST_TURNS, UNKNOWN

VERBS: dict[int, str] = {
    steps.DISCARD: Text("discard"),
    steps.DISCARD_ANY: Text("discard"),
    steps.TRASH_ANY: Text("trash"),
    steps.PUT_BACK: Text("put back"),
    steps.TRADE_IN: Text("trash"),
    steps.DOUBLE: Text("double"),
    steps.PUT_ON_DECK: Text("put back"),
    steps.GAIN: Text("gain"),
    steps.RECALL: Text("put back"),
    steps.STEAL: Text("trash"),
    steps.KEEP: Text("keep"),
    steps.SURRENDER: Text("trash"),
    steps.SENTRY_TRASH: Text("trash"),
    steps.SENTRY_DISCARD: Text("discard"),
    steps.SENTRY_ORDER: Text("top"),
    steps.TRASH: Text("trash"),
    steps.PASS: Text("pass"),
    steps.UNVEIL: Text("show"),
    steps.NAME: Text("name"),
    steps.SWINDLE: Text("give"),
    steps.SCRAP_PILE: Text("trash"),
    steps.SALVAGE: Text("gain"),
    steps.ARRANGE: Text("put under"),
}
KINDS = {
    "treasure": Text("treasure"),
    "victory": Text("victory"),
    "curse": Text("curse"),
    "action": Text("action"),
    "attack": Text("attack"),
    "reaction": Text("reaction"),
}
"""What a card can be, in words."""
YES_WORDS = {
    steps.REVEAL: (Text("show no Moat"), Text("show Moat")),
    steps.FLIP: (Text("keep deck"), Text("discard deck")),
    steps.LEND: (Text("trash no Copper"), Text("trash Copper")),
    steps.JUDGE: (Text("leave it"), Text("discard it")),
    steps.SET_ASIDE: (Text("keep it"), Text("set it aside")),
    steps.PLAY_TOP: (Text("leave it"), Text("play it")),
    steps.REACT: (Text("show no Diplomat"), Text("show Diplomat")),
    steps.SCRAP: (Text("keep Mining Village"), Text("trash Mining Village")),
    steps.SELL_ESTATE: (Text("gain Estate"), Text("discard Estate")),
    steps.SELL_TWO: (Text("keep cards"), Text("discard two")),
}
QUESTIONS: dict[int, str] = {
    steps.FLIP: Text("Chancellor: put your deck into your discard pile?"),
    steps.LEND: Text("Moneylender: trash a Copper for three coins?"),
    steps.SCRAP: Text("Mining Village: trash it for two coins?"),
    steps.SELL_ESTATE: Text("Baron: discard an Estate for four coins, or gain one?"),
    steps.SELL_TWO: Text("Mill: discard two cards for two coins?"),
    steps.PASS: Text("Masquerade: pass a card to the next player."),
    steps.UNVEIL: Text("Courtier: show a card."),
    steps.NAME: Text("Wishing Well: name a card."),
    steps.SCRAP_PILE: Text("Lurker: trash an Action from the supply."),
    steps.SALVAGE: Text("Lurker: gain an Action from the trash."),
    steps.ARRANGE: Text("Patrol: which card is put under the others?"),
    steps.PUT_BACK: Text("Bureaucrat: put a Victory card on your deck."),
    steps.DOUBLE: Text("Throne Room: which Action is played twice?"),
    steps.RECALL: Text("Harbinger: put a card of your discard pile on your deck, or stop."),
    steps.KEEP: Text("Thief: gain a trashed Treasure, or stop."),
    steps.SURRENDER: Text("Bandit: which Treasure do you trash?"),
    steps.SENTRY_TRASH: Text("Sentry: trash one of your top cards, or go on."),
    steps.SENTRY_DISCARD: Text("Sentry: discard one of your top cards, or go on."),
    steps.SENTRY_ORDER: Text("Sentry: which card lies on top?"),
}
"""The questions that are always asked in the same words."""


class QuestionParts(TypedDict):
    """What a question is about."""

    by: str
    """The card that asks; with a Library, the one that it drew."""
    target: int
    """The seat that it is about."""
    top: str
    """The card on that seat's deck."""
    count: int


QUESTIONS_ABOUT: dict[int, Callable[[QuestionParts], str]] = {
    steps.REVEAL: lambda q: Text("{by} is played: show a Moat?", by=q["by"]),
    steps.JUDGE: lambda q: Text("Spy: {who} shows {top}. Discard it?", who=Seat(q["target"]), top=q["top"]),
    steps.SET_ASIDE: lambda q: Text("Library: you drew {by}. Set it aside?", by=q["by"]),
    steps.PLAY_TOP: lambda q: Text("Vassal: play the {by} you discarded?", by=q["by"]),
    steps.DISCARD: lambda q: Text("{by}: discard {n} more.", by=q["by"], n=q["count"]),
    steps.REACT: lambda q: Text("{by} is played: show a Diplomat, draw two cards and discard three?", by=q["by"]),
    steps.CHOICE: lambda q: Text("{by}: choose.", by=q["by"]),
    steps.TRASH: lambda q: Text("{by}: trash {n} more.", by=q["by"], n=q["count"]),
    steps.SWINDLE: lambda q: Text(
        "Swindler: {who} gains a card that costs {n}; which one?", who=Seat(q["target"]), n=q["count"]
    ),
    steps.DISCARD_ANY: lambda q: Text("Cellar: discard a card, or stop and draw {n}.", n=q["count"]),
    steps.TRASH_ANY: lambda q: Text("{by}: trash a card ({n} at most), or stop.", by=q["by"], n=q["count"]),
    steps.TRADE_IN: lambda q: Text("{by}: trash a card for another.", by=q["by"]),
    steps.PUT_ON_DECK: lambda q: Text("{by}: put a card on your deck.", by=q["by"]),
    steps.GAIN: lambda q: Text("{by}: gain a card that costs at most {n}.", by=q["by"], n=q["count"]),
    steps.STEAL: lambda q: Text("Thief: which Treasure of {who} is trashed?", who=Seat(q["target"])),
}
"""The questions that name a card, a player or a number."""


def action_name(s: np.record, action: int) -> str:
    """`play Smithy`, `buy Gold`, `done`, `discard Estate`, ..."""
    if s.steps > 0:
        kind = int(s.step_kinds[s.steps - 1])
        if kind <= steps.YES_OR_NO:
            return YES_WORDS[kind][int(action == YES)]
        if kind == steps.CHOICE:
            return thing_name(s, int(s.step_cards[s.steps - 1]), action)
        if action == STOP:
            return Text("stop")
        return Text("{verb} {card}", verb=VERBS[kind], card=NAMES[action - CHOOSE])
    if action == STOP:
        return Text("buy phase") if s.phase == ACTIONS_PHASE else Text("done")
    return Text("play {card}" if s.phase == ACTIONS_PHASE else "buy {card}", card=NAMES[action - CHOOSE])


def thing_name(s: np.record, card: int, thing: int) -> str:
    """One of the things that a card offers."""
    if card != SECRET_PASSAGE:
        return TABLE[card].things[thing]
    seat = int(s.step_seats[s.steps - 1])
    if thing == 0:
        return Text("on the deck")
    if thing == int(s.deck_sizes[seat] + s.top_sizes[seat]):
        return Text("at the bottom of the deck")
    return Text.plural("under {n} card", "under {n} cards", n=thing)


def tells_nothing(s: np.record, action: int) -> bool:
    """The end of the action phase; a purchase with another buy left; a card of several to discard or trash.

    None of them draws or shows a card: what follows is the next question, to the same seat.
    """
    if s.steps == 0:
        return action == STOP if s.phase == ACTIONS_PHASE else action != STOP and s.buys > 1
    top = s.steps - 1
    kind, cards_left = s.step_kinds[top], s.hand_sizes[s.step_seats[top]] > 1
    asked_again = kind == steps.DISCARD_ANY or (kind == steps.TRASH_ANY and s.step_counts[top] > 1)
    return bool(asked_again and cards_left and action != STOP)


def question(view: np.record) -> str:
    """The topmost question in words."""
    i, parts = view.steps - 1, question_parts(view)
    kind = int(view.step_kinds[i])
    if kind == steps.JUDGE and view.step_targets[i] == view.step_seats[i]:
        return Text("Spy: you show {top}. Discard it?", top=parts["top"])
    return QUESTIONS[kind] if kind in QUESTIONS else QUESTIONS_ABOUT[kind](parts)


def question_parts(view: np.record) -> QuestionParts:
    i = view.steps - 1
    target = int(view.step_targets[i])
    height = int(view.top_sizes[target])
    top = int(view.tops[target][height - 1]) if height > 0 else UNKNOWN
    return {
        "by": NAMES[view.drawn - 1] if view.step_kinds[i] == steps.SET_ASIDE else NAMES[view.step_cards[i]],
        "target": target,
        "top": Text("a card") if top < 0 else NAMES[top],
        "count": int(view.step_counts[i]),
    }


def cards_text(counts: np.ndarray[Any, Any]) -> str:
    """`2 Copper, Smithy`, or `nothing`."""
    held = [(NAMES[card], int(counts[card])) for card in range(len(NAMES)) if counts[card] > 0]
    named = ", ".join(name if count == 1 else f"{count} {name}" for name, count in held)
    return named or Text("nothing")


def show(view: np.record, seat: int) -> str:
    lines = [supply_text(view)]
    for player in range(view.players):
        lines.append(player_text(view, player, seat))
    lines.append(Text("in play: {cards}", cards=cards_text(view.in_play)))
    if view.aside.any():
        lines.append(Text("set aside: {cards}", cards=cards_text(view.aside)))
    if view.trash.any():
        lines.append(Text("trash: {cards}", cards=cards_text(view.trash)))
    lines.append(Text("your hand: {cards}", cards=cards_text(view.hand)))
    lines.append(status_text(view, seat))
    return Text.joined("\n", lines)


def supply_text(view: np.record) -> str:
    piles = sorted((int(card) for card in view.piles), key=lambda card: (-int(price(view, card)), card))
    by_cost: dict[int, list[str]] = {}
    for card in piles:
        by_cost.setdefault(int(price(view, card)), []).append(f"{NAMES[card]} {int(view.supply[card])}")
    rows = [Text("  cost {cost}: {piles}", cost=cost, piles=", ".join(texts)) for cost, texts in by_cost.items()]
    return Text.joined("\n", rows)


def player_text(view: np.record, player: int, seat: int) -> str:
    text = Text(
        "{name}: {points}, {hand} in hand, {deck} in deck, {discard} discarded; owns {cards}",
        name=Text("you") if player == seat else Text("{who}", who=Seat(player)),
        points=points_text(points(view, player)),
        hand=view.hand_sizes[player],
        deck=int(view.deck_sizes[player] + view.top_sizes[player]),
        discard=view.discard_sizes[player],
        cards=cards_text(view.owned[player]),
    )
    tops = view.my_tops if player == seat else view.tops[player]
    known: list[str] = ["?" if card < 0 else NAMES[card] for card in tops[: view.top_sizes[player]].tolist()]
    if player != seat and view.mixed_size[player] > 0:
        low, high = int(view.mixed_from[player]), int(view.mixed_from[player] + view.mixed_size[player])
        known[low:high] = [Text("{cards} in some order", cards=all_of(known[low:high]))]
    if known:
        return Text("{player}; on the deck lie {cards}", player=text, cards=Text.joined(", ", reversed(known)))
    return text


def all_of(parts: list[str]) -> str:
    """a and b and c"""
    text = parts[0]
    for part in parts[1:]:
        text = Text("{a} and {b}", a=text, b=part)
    return text


def points_text(count: int) -> Text:
    """Points of victory, which may be below zero."""
    if count == -1:
        return Text("-1 point")
    return Text.plural("{n} point", "{n} points", n=int(count))


def status_text(view: np.record, seat: int) -> str:
    if view.over:
        return Text("the game is over")
    if view.steps > 0:
        asked = int(view.step_seats[view.steps - 1])
        return question(view) if asked == seat else Text("{name} is choosing", name=Seat(asked))
    number = int(view.turns[view.current])
    turn = Text("turn of {who} {number}", who=Seat(view.current), number=number)
    if view.current == seat:
        turn = Text("your turn {number}", number=number)
    return Text(
        "{turn}, actions: {left}" if view.phase == ACTIONS_PHASE else "{turn}, buying: {left}",
        turn=turn,
        left=Text.joined(
            ", ",
            [
                Text.plural("{n} action", "{n} actions", n=int(view.actions)),
                Text.plural("{n} buy", "{n} buys", n=int(view.buys)),
                Text.plural("{n} coin", "{n} coins", n=int(view.coins)),
            ],
        ),
    )


def heard(s: np.record, action: int, seat: int) -> str:
    """Everything is said aloud but what an Artisan or a Sentry puts on a deck, and the order in which cards are put
    back; a purchase with the coins."""
    kind = int(s.step_kinds[s.steps - 1]) if s.steps > 0 else -1
    mover = int(s.step_seats[s.steps - 1]) if s.steps > 0 else int(s.current)
    if kind in (steps.PUT_ON_DECK, steps.SENTRY_ORDER, steps.ARRANGE) and seat != mover:
        return Text("puts a card on the deck")
    if kind == steps.PASS and seat != mover:
        return Text("chooses a card to pass")
    if kind in (steps.REVEAL, steps.REACT) and action != YES and seat != mover:
        return ""  # nobody learns that there was a card to show
    name = action_name(s, action)
    if s.steps == 0 and s.phase != ACTIONS_PHASE and seat != mover:
        return Text("{move} ({n} coins)", move=name, n=int(s.coins))
    return name


def news(before: np.record, after: np.record, seat: int) -> list[str]:
    """What cards showed, who gained, lost and discarded what, known tops and shuffles.

    What the name of the move says already is left out: a purchase, and a card that somebody chose to discard.
    """
    sentences: list[str] = []
    for player in range(after.players):
        you = player == seat
        who = Seat(player)
        change = after.owned[player].astype(int) - before.owned[player]
        bought = before.steps == 0 and before.phase == BUY_PHASE and player == before.current
        showed = shown_cards(before, after, player)
        if showed.any():
            cards = cards_text(showed)
            sentences.append(
                Text("you must show {cards}" if you else "{who} must show {cards}", who=who, cards=cards)
            )
        if (change > 0).any() and not bought:
            cards = cards_text(change)
            sentences.append(Text("you gain {cards}" if you else "{who} gains {cards}", who=who, cards=cards))
        if (change < 0).any():
            cards = cards_text(-change)
            if passes(before, after):
                sentences.append(
                    Text("you pass {cards} on" if you else "{who} passes {cards} on", who=who, cards=cards)
                )
            else:
                sentences.append(
                    Text(
                        "you lose {cards} to the trash" if you else "{who} loses {cards} to the trash",
                        who=who,
                        cards=cards,
                    )
                )
        dropped = discarded(before, after, player)
        if dropped.any():
            cards = cards_text(dropped)
            sentences.append(
                Text("you must discard {cards}" if you else "{who} must discard {cards}", who=who, cards=cards)
            )
        for i in range(before.top_sizes[player], after.top_sizes[player]):
            if showed.any():
                break  # it was just said what lies there
            card = after.tops[player][i]
            if you and card == UNKNOWN:
                card = after.own_tops[player][i]
            if card >= 0:
                sentences.append(
                    Text(
                        "on your deck lies {card}" if you else "on the deck of {who} lies {card}",
                        card=NAMES[card],
                        who=who,
                    )
                )
        if before.discard_sizes[player] > 3 and after.discard_sizes[player] == 0:
            sentences.append(Text("you shuffle" if you else "{who} shuffles", who=who))
    return sentences


def passes(before: np.record, after: np.record) -> bool:
    """Whether a Masquerade has passed cards on: nothing was trashed, though somebody owns less."""
    return bool((before.trash == after.trash).all())


def shown_cards(before: np.record, after: np.record, player: int) -> Any:
    """The top cards that a player has just shown to a Spy, a Thief or a Bandit, as counts."""
    shown = np.zeros(len(before.trash), int)
    if is_shown_to(after, player) and not is_shown_to(before, player):
        step, height = after.steps - 1, int(after.top_sizes[player])
        for card in after.tops[player][height - int(after.step_counts[step]) : height]:
            shown[card] += 1
    elif player != before.current and is_robbing(before, after) and not is_shown_to(before, player):
        lost = np.maximum(before.owned[player].astype(int) - after.owned[player], 0)
        shown = lost + discarded(before, after, player)
    return shown


def is_shown_to(s: np.record, player: int) -> bool:
    """Whether somebody is being asked about the cards that this player shows."""
    step = s.steps - 1
    return (
        step >= 0
        and s.step_kinds[step] in (steps.JUDGE, steps.STEAL, steps.SURRENDER)
        and s.step_targets[step] == player
    )


def is_robbing(before: np.record, after: np.record) -> bool:
    """Whether a Thief or a Bandit has been played, or was still at work."""
    at_work = before.step_cards[: before.steps].tolist()
    return any(card in at_work or after.in_play[card] > before.in_play[card] for card in (THIEF, BANDIT))


def discarded(before: np.record, after: np.record, player: int) -> Any:
    """What a player has put on his discard pile in the open without having chosen each card, as counts."""
    nothing = np.zeros(len(before.trash), int)
    if player == before.current and (after.current != player or after.over):
        return nothing  # the end of the turn
    gained = np.maximum(after.owned[player].astype(int) - before.owned[player], 0)
    dropped = np.maximum(after.seen[player].astype(int) - before.seen[player] - gained, 0)
    chose = before.steps > 0 and before.step_kinds[before.steps - 1] in CHOSEN_DISCARDS
    chose = chose and before.step_targets[before.steps - 1] == player
    return nothing if chose and dropped.sum() == 1 else dropped


CHOSEN_DISCARDS = (steps.DISCARD, steps.DISCARD_ANY, steps.SENTRY_DISCARD, steps.JUDGE, steps.SELL_ESTATE)


def outcome(s: np.record) -> str:
    """Everybody's points, and what ended the game."""
    scores = [
        Text("{who} has {points}", who=Seat(seat), points=points_text(points(s, seat))) for seat in range(s.players)
    ]
    worth = Text.joined(", ", [*scores, *fewer_turns(s)])
    return Text("{points}; {end}", points=worth, end=what_ended(s))


def fewer_turns(s: np.record) -> list[str]:
    """Who had fewer turns, if that decided between players with equal points; otherwise nothing."""
    best = max(points(s, seat) for seat in range(s.players))
    level = [seat for seat in range(s.players) if points(s, seat) == best]
    fewest = min(int(s.turns[seat]) for seat in level)
    winners = [seat for seat in level if s.turns[seat] == fewest]
    if len(winners) == len(level):
        return []
    players = all_of([Text("{who}", who=Seat(seat)) for seat in winners])
    return [Text("and of equals {players} had fewer turns, {turns}", players=players, turns=fewest)]


def what_ended(s: np.record) -> str:
    if s.supply[PROVINCE] == 0:
        return Text("the Provinces are gone")
    if s.empty_piles < 3:
        return Text("the last turn has been played, number {n}", n=MOST_TURNS)
    empty = [NAMES[card] for card in s.piles if s.supply[card] == 0]
    return Text("{n} piles are empty: {cards}", n=len(empty), cards=", ".join(empty))


def meaning(word: str) -> str:
    """The text of a card."""
    if plain(word) not in BY_NAME:
        return ""
    card = TABLE[BY_NAME[plain(word)]]
    return Text(
        "{card}, {kind}, costs {cost}: {text}",
        card=card.name,
        kind=Text.joined("-", [KINDS[kind] for kind in card.kind.split("-")]),
        cost=card.cost,
        text=card_text(card),
    )


def card_text(card: CardDefinition) -> str:
    """What a card gives and does."""
    gives = [
        gift
        for count, gift in (
            (card.cards, Text.plural("+{n} card", "+{n} cards", n=card.cards)),
            (card.actions, Text.plural("+{n} action", "+{n} actions", n=card.actions)),
            (card.buys, Text.plural("+{n} buy", "+{n} buys", n=card.buys)),
            (card.coins, Text.plural("+{n} coin", "+{n} coins", n=card.coins)),
        )
        if count
    ]
    says = [Text.joined(", ", gives), points_text(card.points) if card.points else "", card.text]
    return Text.joined("; ", [part for part in says if part])
