"""What a person reads: the table of a seat, the name of an action, and what is said when it is played."""

from hiddenhand.games.dominion.cards import COST, NAMES, WIDTH
from hiddenhand.games.dominion.state import ACTIONS_PHASE, UNKNOWN
from hiddenhand.games.dominion.steps import (
    CHOOSE,
    DISCARD,
    DISCARD_ANY,
    DOUBLE,
    FLIP,
    GAIN,
    JUDGE,
    KEEP,
    LEND,
    PLAY_TOP,
    PUT_BACK,
    PUT_ON_DECK,
    RECALL,
    REPLACE,
    REVEAL,
    SENTRY_DISCARD,
    SENTRY_ORDER,
    SENTRY_TRASH,
    SET_ASIDE,
    STEAL,
    STOP,
    SURRENDER,
    TRASH_ANY,
    YES,
    YES_OR_NO,
)

VERBS = {
    DISCARD: "discard",
    DISCARD_ANY: "discard",
    TRASH_ANY: "trash",
    PUT_BACK: "put back",
    REPLACE: "trash",
    DOUBLE: "double",
    PUT_ON_DECK: "put back",
    GAIN: "gain",
    RECALL: "put back",
    STEAL: "trash",
    KEEP: "keep",
    SURRENDER: "trash",
    SENTRY_TRASH: "trash",
    SENTRY_DISCARD: "discard",
    SENTRY_ORDER: "top",
}
YES_WORDS = {
    REVEAL: ("show no Moat", "show Moat"),
    FLIP: ("keep deck", "discard deck"),
    LEND: ("trash no Copper", "trash Copper"),
    JUDGE: ("leave it", "discard it"),
    SET_ASIDE: ("keep it", "set it aside"),
    PLAY_TOP: ("leave it", "play it"),
}
QUESTIONS = {
    REVEAL: "{by} is played: show a Moat?",
    FLIP: "Chancellor: put your deck into your discard pile?",
    LEND: "Moneylender: trash a Copper for three coins?",
    JUDGE: "Spy: player {target} shows {top}. Discard it?",
    SET_ASIDE: "Library: you drew {by}. Set it aside?",
    PLAY_TOP: "Vassal: play the {by} you discarded?",
    DISCARD: "{by}: discard {count} more.",
    DISCARD_ANY: "Cellar: discard a card, or stop and draw {count}.",
    TRASH_ANY: "Chapel: trash a card ({count} at most), or stop.",
    PUT_BACK: "Bureaucrat: put a Victory card on your deck.",
    REPLACE: "{by}: trash a card for another.",
    DOUBLE: "Throne Room: which Action is played twice?",
    PUT_ON_DECK: "Artisan: put a card on your deck.",
    GAIN: "{by}: gain a card that costs at most {count}.",
    RECALL: "Harbinger: put a card of your discard pile on your deck, or stop.",
    STEAL: "Thief: which Treasure of player {target} is trashed?",
    KEEP: "Thief: gain a trashed Treasure, or stop.",
    SURRENDER: "Bandit: which Treasure do you trash?",
    SENTRY_TRASH: "Sentry: trash one of your top cards, or go on.",
    SENTRY_DISCARD: "Sentry: discard one of your top cards, or go on.",
    SENTRY_ORDER: "Sentry: which card lies on top?",
}


def action_name(s, action):
    """`play Smithy`, `buy Gold`, `done`, `discard Estate`, ..."""
    if s.steps > 0:
        kind = int(s.step_kinds[s.steps - 1])
        if kind <= YES_OR_NO:
            return YES_WORDS[kind][int(action == YES)]
        return "stop" if action == STOP else f"{VERBS[kind]} {NAMES[action - CHOOSE]}"
    if action == STOP:
        return "buy phase" if s.phase == ACTIONS_PHASE else "done"
    return f"{'play' if s.phase == ACTIONS_PHASE else 'buy'} {NAMES[action - CHOOSE]}"


def question(view):
    """The topmost question in words."""
    i = view.steps - 1
    target = int(view.step_targets[i])
    height = int(view.top_sizes[target])
    top = view.tops[target][height - 1] if height > 0 else UNKNOWN
    return QUESTIONS[int(view.step_kinds[i])].format(
        by=NAMES[view.step_cards[i]],
        target=target,
        count=int(view.step_counts[i]),
        top="a card" if top == UNKNOWN else NAMES[top],
    )


def cards_text(counts):
    """`2 Copper, Smithy`, or `nothing`."""
    held = [(NAMES[card], int(counts[card])) for card in range(min(WIDTH, len(NAMES))) if counts[card] > 0]
    return ", ".join(name if count == 1 else f"{count} {name}" for name, count in held) or "nothing"


def show(view, seat):
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


def supply_text(view):
    piles = sorted((int(card) for card in view.piles), key=lambda card: (-int(COST[card]), card))
    by_cost: dict[int, list[str]] = {}
    for card in piles:
        by_cost.setdefault(int(COST[card]), []).append(f"{NAMES[card]} {int(view.supply[card])}")
    return "\n".join(f"  cost {cost}: " + ", ".join(texts) for cost, texts in by_cost.items())


def player_text(view, player, seat):
    name = "you" if player == seat else f"player {player}"
    deck = int(view.deck_sizes[player] + view.top_sizes[player])
    text = (
        f"{name}: {int(view.hand_sizes[player])} in hand, {deck} in deck, {int(view.discard_sizes[player])} discarded; "
        f"owns {cards_text(view.owned[player])}"
    )
    tops = view.my_tops if player == seat else view.tops[player]
    known = [int(card) for card in tops[: view.top_sizes[player]]]
    if known:
        names = ["?" if card == UNKNOWN else NAMES[card] for card in reversed(known)]
        text += f"; on the deck lie {', '.join(names)}"
    return text


def status_text(view, seat):
    if view.over:
        return "the game is over"
    if view.steps > 0:
        asked = int(view.step_seats[view.steps - 1])
        return question(view) if asked == seat else f"player {asked} is choosing"
    who = "your turn" if view.current == seat else f"turn of player {int(view.current)}"
    phase = "actions" if view.phase == ACTIONS_PHASE else "buying"
    return (
        f"{who} {int(view.turns[view.current])}, {phase}: "
        f"{int(view.actions)} actions, {int(view.buys)} buys, {int(view.coins)} coins"
    )


def heard(s, action, seat):
    """Everything is said aloud but what an Artisan or a Sentry puts on a deck."""
    kind = int(s.step_kinds[s.steps - 1]) if s.steps > 0 else -1
    mover = int(s.step_seats[s.steps - 1]) if s.steps > 0 else int(s.current)
    if kind in (PUT_ON_DECK, SENTRY_ORDER) and seat != mover:
        return "puts a card on the deck"
    return action_name(s, action)
