"""What a person reads: the table of a seat, the name of an action, and what is said when it is played."""

from typing import Any

import numpy as np
from typing_extensions import TypedDict

from hiddenhand.core.text import Seat, Text
from hiddenhand.games.dominion.cards import (
    BANDIT,
    COURTIER,
    LURKER,
    MINION,
    NAMES,
    NOBLES,
    PAWN,
    PROVINCE,
    SECRET_PASSAGE,
    STEWARD,
    TABLE,
    TEXTS,
    THIEF,
    TORTURER,
    CardDefinition,
)
from hiddenhand.games.dominion.kingdoms import BY_NAME, plain
from hiddenhand.games.dominion.rules import points
from hiddenhand.games.dominion.stack import (
    ARRANGE,
    CHOICE,
    CHOOSE,
    DISCARD,
    DISCARD_ANY,
    DOUBLE,
    FLIP,
    GAIN,
    JUDGE,
    KEEP,
    LEND,
    NAME,
    PASS,
    PLAY_TOP,
    PUT_BACK,
    PUT_ON_DECK,
    REACT,
    RECALL,
    REVEAL,
    SALVAGE,
    SCRAP,
    SCRAP_PILE,
    SELL_ESTATE,
    SELL_TWO,
    SENTRY_DISCARD,
    SENTRY_ORDER,
    SENTRY_TRASH,
    SET_ASIDE,
    STEAL,
    STOP,
    SURRENDER,
    SWINDLE,
    TRADE_IN,
    TRASH,
    TRASH_ANY,
    UNVEIL,
    YES,
    YES_OR_NO,
    price,
)
from hiddenhand.games.dominion.state import ACTIONS_PHASE, BUY_PHASE, MOST_TURNS, UNKNOWN

VERBS = {
    DISCARD: "discard",
    DISCARD_ANY: "discard",
    TRASH_ANY: "trash",
    PUT_BACK: Text("put back"),
    TRADE_IN: "trash",
    DOUBLE: "double",
    PUT_ON_DECK: Text("put back"),
    GAIN: "gain",
    RECALL: Text("put back"),
    STEAL: "trash",
    KEEP: "keep",
    SURRENDER: "trash",
    SENTRY_TRASH: "trash",
    SENTRY_DISCARD: "discard",
    SENTRY_ORDER: "top",
    TRASH: "trash",
    PASS: "pass",
    UNVEIL: "show",
    NAME: "name",
    SWINDLE: "give",
    SCRAP_PILE: "trash",
    SALVAGE: "gain",
    ARRANGE: Text("put under"),
}
YES_WORDS = {
    REVEAL: (Text("show no Moat"), Text("show Moat")),
    FLIP: (Text("keep deck"), Text("discard deck")),
    LEND: (Text("trash no Copper"), Text("trash Copper")),
    JUDGE: (Text("leave it"), Text("discard it")),
    SET_ASIDE: (Text("keep it"), Text("set it aside")),
    PLAY_TOP: (Text("leave it"), Text("play it")),
    REACT: (Text("show no Diplomat"), Text("show Diplomat")),
    SCRAP: (Text("keep Mining Village"), Text("trash Mining Village")),
    SELL_ESTATE: (Text("gain Estate"), Text("discard Estate")),
    SELL_TWO: (Text("keep cards"), Text("discard two")),
}
THINGS = {
    PAWN: (Text("a card"), Text("an action"), Text("a buy"), Text("a coin")),
    COURTIER: (Text("an action"), Text("a buy"), Text("three coins"), Text("a Gold")),
    STEWARD: (Text("two cards"), Text("two coins"), Text("trash two")),
    NOBLES: (Text("three cards"), Text("two actions")),
    MINION: (Text("two coins"), Text("a new hand")),
    LURKER: (Text("trash an Action"), Text("gain an Action")),
    TORTURER: (Text("discard two"), Text("gain a Curse")),
}
"""What the cards offer that let one choose, each thing with its number as an answer; see also `place_name`."""
QUESTIONS = {
    REVEAL: "{by} is played: show a Moat?",
    FLIP: Text("Chancellor: put your deck into your discard pile?"),
    LEND: Text("Moneylender: trash a Copper for three coins?"),
    JUDGE: "Spy: {target} shows {top}. Discard it?",
    SET_ASIDE: "Library: you drew {by}. Set it aside?",
    PLAY_TOP: "Vassal: play the {by} you discarded?",
    DISCARD: "{by}: discard {count} more.",
    REACT: "{by} is played: show a Diplomat, draw two cards and discard three?",
    SCRAP: Text("Mining Village: trash it for two coins?"),
    SELL_ESTATE: Text("Baron: discard an Estate for four coins, or gain one?"),
    SELL_TWO: Text("Mill: discard two cards for two coins?"),
    CHOICE: "{by}: choose.",
    TRASH: "{by}: trash {count} more.",
    PASS: Text("Masquerade: pass a card to the next player."),
    UNVEIL: Text("Courtier: show a card."),
    NAME: Text("Wishing Well: name a card."),
    SWINDLE: "Swindler: {target} gains a card that costs {count}; which one?",
    SCRAP_PILE: Text("Lurker: trash an Action from the supply."),
    SALVAGE: Text("Lurker: gain an Action from the trash."),
    ARRANGE: Text("Patrol: which card is put under the others?"),
    DISCARD_ANY: "Cellar: discard a card, or stop and draw {count}.",
    TRASH_ANY: "{by}: trash a card ({count} at most), or stop.",
    PUT_BACK: Text("Bureaucrat: put a Victory card on your deck."),
    TRADE_IN: "{by}: trash a card for another.",
    DOUBLE: Text("Throne Room: which Action is played twice?"),
    PUT_ON_DECK: "{by}: put a card on your deck.",
    GAIN: "{by}: gain a card that costs at most {count}.",
    RECALL: Text("Harbinger: put a card of your discard pile on your deck, or stop."),
    STEAL: "Thief: which Treasure of {target} is trashed?",
    KEEP: Text("Thief: gain a trashed Treasure, or stop."),
    SURRENDER: Text("Bandit: which Treasure do you trash?"),
    SENTRY_TRASH: Text("Sentry: trash one of your top cards, or go on."),
    SENTRY_DISCARD: Text("Sentry: discard one of your top cards, or go on."),
    SENTRY_ORDER: Text("Sentry: which card lies on top?"),
}
OWN_TOP = "Spy: you show {top}. Discard it?"


def action_name(s: Any, action: int) -> str:
    """`play Smithy`, `buy Gold`, `done`, `discard Estate`, ..."""
    if s.steps > 0:
        kind = int(s.step_kinds[s.steps - 1])
        if kind <= YES_OR_NO:
            return YES_WORDS[kind][int(action == YES)]
        if kind == CHOICE:
            return thing_name(s, int(s.step_cards[s.steps - 1]), action)
        return "stop" if action == STOP else f"{VERBS[kind]} {NAMES[action - CHOOSE]}"
    if action == STOP:
        return Text("buy phase") if s.phase == ACTIONS_PHASE else "done"
    return f"{'play' if s.phase == ACTIONS_PHASE else 'buy'} {NAMES[action - CHOOSE]}"


def thing_name(s: Any, card: int, thing: int) -> str:
    """One of the things that a card offers."""
    if card != SECRET_PASSAGE:
        return THINGS[card][thing]
    seat = int(s.step_seats[s.steps - 1])
    if thing == 0:
        return Text("on the deck")
    if thing == int(s.deck_sizes[seat] + s.top_sizes[seat]):
        return Text("at the bottom of the deck")
    return f"under {amount(thing, 'card')}"


def tells_nothing(s: Any, action: int) -> bool:
    """The end of the action phase; a purchase with another buy left; a card of several to discard or trash.

    None of them draws or shows a card: what follows is the next question, to the same seat.
    """
    if s.steps == 0:
        return action == STOP if s.phase == ACTIONS_PHASE else action != STOP and s.buys > 1
    top = s.steps - 1
    kind, cards_left = s.step_kinds[top], s.hand_sizes[s.step_seats[top]] > 1
    asked_again = kind == DISCARD_ANY or (kind == TRASH_ANY and s.step_counts[top] > 1)
    return bool(asked_again and cards_left and action != STOP)


def question(view: Any) -> str:
    """The topmost question in words."""
    parts = question_parts(view)
    return question_frame(view).format(**{**parts, "target": f"seat {parts['target']}"})


def question_frame(view: Any) -> str:
    """The topmost question, with gaps for its parts."""
    i = view.steps - 1
    if view.step_kinds[i] == JUDGE and view.step_targets[i] == view.step_seats[i]:
        return OWN_TOP
    return QUESTIONS[int(view.step_kinds[i])]


class QuestionParts(TypedDict):
    """What goes into the gaps of a question."""

    by: str
    """The card that asks; with a Library, the one that it drew."""
    target: int
    """The seat that it is about."""
    top: str
    """The card on that seat's deck."""
    count: int


def question_parts(view: Any) -> QuestionParts:
    i = view.steps - 1
    target = int(view.step_targets[i])
    height = int(view.top_sizes[target])
    top = int(view.tops[target][height - 1]) if height > 0 else UNKNOWN
    return {
        "by": NAMES[view.drawn - 1] if view.step_kinds[i] == SET_ASIDE else NAMES[view.step_cards[i]],
        "target": target,
        "top": Text("a card") if top < 0 else NAMES[top],
        "count": int(view.step_counts[i]),
    }


def cards_text(counts: Any) -> str:
    """`2 Copper, Smithy`, or `nothing`."""
    held = [(NAMES[card], int(counts[card])) for card in range(len(NAMES)) if counts[card] > 0]
    return ", ".join(name if count == 1 else f"{count} {name}" for name, count in held) or "nothing"


def show(view: Any, seat: int) -> str:
    lines = [supply_text(view)]
    for player in range(view.players):
        lines.append(player_text(view, player, seat))
    lines.append(f"in play: {cards_text(view.in_play)}")
    if view.aside.any():
        lines.append(f"set aside: {cards_text(view.aside)}")
    if view.trash.any():
        lines.append(f"trash: {cards_text(view.trash)}")
    lines.append(f"your hand: {cards_text(view.hand)}")
    lines.append(status_text(view, seat))
    return "\n".join(lines)


def supply_text(view: Any) -> str:
    piles = sorted((int(card) for card in view.piles), key=lambda card: (-int(price(view, card)), card))
    by_cost: dict[int, list[str]] = {}
    for card in piles:
        by_cost.setdefault(int(price(view, card)), []).append(f"{NAMES[card]} {int(view.supply[card])}")
    return "\n".join(f"  cost {cost}: " + ", ".join(texts) for cost, texts in by_cost.items())


def player_text(view: Any, player: int, seat: int) -> str:
    name = "you" if player == seat else f"seat {player}"
    deck = int(view.deck_sizes[player] + view.top_sizes[player])
    text = (
        f"{name}: {amount(points(view, player), 'point')}, {int(view.hand_sizes[player])} in hand, {deck} in deck, "
        f"{int(view.discard_sizes[player])} discarded; owns {cards_text(view.owned[player])}"
    )
    tops = view.my_tops if player == seat else view.tops[player]
    known = ["?" if card < 0 else NAMES[card] for card in tops[: view.top_sizes[player]].tolist()]
    if player != seat and view.mixed_size[player] > 0:
        low, high = int(view.mixed_from[player]), int(view.mixed_from[player] + view.mixed_size[player])
        known[low:high] = [f"{' and '.join(known[low:high])} in some order"]
    if known:
        text += f"; on the deck lie {', '.join(reversed(known))}"
    return text


def amount(count: int, noun: str) -> str:
    return f"{int(count)} {noun}{'' if abs(count) == 1 else 's'}"


def status_text(view: Any, seat: int) -> str:
    if view.over:
        return Text("the game is over")
    if view.steps > 0:
        asked = int(view.step_seats[view.steps - 1])
        return question(view) if asked == seat else Text("{name} is choosing", name=Seat(asked))
    who = "your turn" if view.current == seat else f"turn of seat {int(view.current)}"
    phase = "actions" if view.phase == ACTIONS_PHASE else "buying"
    return (
        f"{who} {int(view.turns[view.current])}, {phase}: "
        f"{amount(view.actions, 'action')}, {amount(view.buys, 'buy')}, {amount(view.coins, 'coin')}"
    )


def heard(s: Any, action: int, seat: int) -> str:
    """Everything is said aloud but what an Artisan or a Sentry puts on a deck, and the order in which cards are put
    back; a purchase with the coins."""
    kind = int(s.step_kinds[s.steps - 1]) if s.steps > 0 else -1
    mover = int(s.step_seats[s.steps - 1]) if s.steps > 0 else int(s.current)
    if kind in (PUT_ON_DECK, SENTRY_ORDER, ARRANGE) and seat != mover:
        return Text("puts a card on the deck")
    if kind == PASS and seat != mover:
        return Text("chooses a card to pass")
    if kind in (REVEAL, REACT) and action != YES and seat != mover:
        return ""  # nobody learns that there was a card to show
    name = action_name(s, action)
    if s.steps == 0 and s.phase != ACTIONS_PHASE and seat != mover:
        return f"{name} ({int(s.coins)} coins)"
    return name


def news(before: Any, after: Any, seat: int) -> list[str]:
    """What cards showed, who gained, lost and discarded what, known tops and shuffles.

    What the name of the move says already is left out: a purchase, and a card that somebody chose to discard.
    """
    sentences: list[str] = []
    for player in range(after.players):
        you = player == seat
        who = "you" if you else f"seat {player}"
        change = after.owned[player].astype(int) - before.owned[player]
        bought = before.steps == 0 and before.phase == BUY_PHASE and player == before.current
        showed = shown_cards(before, after, player)
        if showed.any():
            sentences.append(Text("{who} must show {cards}", who=who, cards=cards_text(showed)))
        if (change > 0).any() and not bought:
            sentences.append(f"{who} gain{'' if you else 's'} {cards_text(change)}")
        if (change < 0).any():
            passed = passes(before, after)
            sentences.append(
                f"{who} {'pass' if you else 'passes'} {cards_text(-change)} on"
                if passed
                else f"{who} lose{'' if you else 's'} {cards_text(-change)} to the trash"
            )
        dropped = discarded(before, after, player)
        if dropped.any():
            sentences.append(Text("{who} must discard {cards}", who=who, cards=cards_text(dropped)))
        for i in range(before.top_sizes[player], after.top_sizes[player]):
            if showed.any():
                break  # it was just said what lies there
            card = after.tops[player][i]
            if you and card == UNKNOWN:
                card = after.own_tops[player][i]
            if card >= 0:
                sentences.append(f"on {'your deck' if you else f'the deck of {who}'} lies {NAMES[card]}")
        if before.discard_sizes[player] > 3 and after.discard_sizes[player] == 0:
            sentences.append(f"{who} shuffle{'' if you else 's'}")
    return sentences


def passes(before: Any, after: Any) -> bool:
    """Whether a Masquerade has passed cards on: nothing was trashed, though somebody owns less."""
    return bool((before.trash == after.trash).all())


def shown_cards(before: Any, after: Any, player: int) -> Any:
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


def is_shown_to(s: Any, player: int) -> bool:
    """Whether somebody is being asked about the cards that this player shows."""
    step = s.steps - 1
    return step >= 0 and s.step_kinds[step] in (JUDGE, STEAL, SURRENDER) and s.step_targets[step] == player


def is_robbing(before: Any, after: Any) -> bool:
    """Whether a Thief or a Bandit has been played, or was still at work."""
    at_work = before.step_cards[: before.steps].tolist()
    return any(card in at_work or after.in_play[card] > before.in_play[card] for card in (THIEF, BANDIT))


def discarded(before: Any, after: Any, player: int) -> Any:
    """What a player has put on his discard pile in the open without having chosen each card, as counts."""
    nothing = np.zeros(len(before.trash), int)
    if player == before.current and (after.current != player or after.over):
        return nothing  # the end of the turn
    gained = np.maximum(after.owned[player].astype(int) - before.owned[player], 0)
    dropped = np.maximum(after.seen[player].astype(int) - before.seen[player] - gained, 0)
    chose = before.steps > 0 and before.step_kinds[before.steps - 1] in CHOSEN_DISCARDS
    chose = chose and before.step_targets[before.steps - 1] == player
    return nothing if chose and dropped.sum() == 1 else dropped


CHOSEN_DISCARDS = (DISCARD, DISCARD_ANY, SENTRY_DISCARD, JUDGE, SELL_ESTATE)


def outcome(s: Any) -> str:
    """Everybody's points, and what ended the game."""
    worth = ", ".join(f"seat {seat} has {amount(points(s, seat), 'point')}" for seat in range(s.players))
    return f"{worth}{fewer_turns(s)}; {what_ended(s)}"


def fewer_turns(s: Any) -> str:
    """Who had fewer turns, where that decided between equal points."""
    best = max(points(s, seat) for seat in range(s.players))
    level = [seat for seat in range(s.players) if points(s, seat) == best]
    fewest = min(int(s.turns[seat]) for seat in level)
    winners = [seat for seat in level if s.turns[seat] == fewest]
    if len(winners) == len(level):
        return ""
    return f", and of equals {' and '.join(f'seat {seat}' for seat in winners)} had fewer turns, {fewest}"


def what_ended(s: Any) -> str:
    if s.supply[PROVINCE] == 0:
        return "the Provinces are gone"
    if s.empty_piles < 3:
        return f"the last turn has been played, number {MOST_TURNS}"
    empty = [NAMES[card] for card in s.piles if s.supply[card] == 0]
    return f"{len(empty)} piles are empty: {', '.join(empty)}"


def meaning(word: str) -> str:
    """The text of a card."""
    if plain(word) not in BY_NAME:
        return ""
    card = TABLE[BY_NAME[plain(word)]]
    return Text(
        "{card}, {kind}, costs {cost}: {text}", card=card.name, kind=card.kind, cost=card.cost, text=card_text(card)
    )


def card_text(card: CardDefinition) -> str:
    """What a card gives and does."""
    gives = [
        f"+{amount(count, noun)}"
        for count, noun in ((card.cards, "card"), (card.actions, "action"), (card.buys, "buy"), (card.coins, "coin"))
        if count
    ]
    worth = amount(card.points, "point") if card.points else ""
    says = [", ".join(gives), worth, TEXTS.get(card.name, "")]
    return "; ".join(part for part in says if part)
