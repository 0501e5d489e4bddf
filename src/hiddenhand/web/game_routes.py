"""The teaching bench over HTTP: a search in steps, worked out where agents think, within the same limits."""

from __future__ import annotations

from fastapi import APIRouter, Request

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.session import PERSON, Deal, Question, Session
from hiddenhand.games import tree
from hiddenhand.games.tree.reader import CHANCE, LEAF
from hiddenhand.web.errors import TooMany
from hiddenhand.web.schemas import outgoing as wire
from hiddenhand.web.schemas.http import WatchOrder, chosen_game
from hiddenhand.web.security.middleware import address
from hiddenhand.web.tables.registry import Hall
from hiddenhand.web.uploads.kinds import require_allowed
from hiddenhand.web.uploads.routes import require_short
from hiddenhand.web.workers.pool import Whose

router = APIRouter(prefix="/api/watch")


@router.post("")
async def watch(request: Request, order: WatchOrder) -> wire.Watching:
    """The steps of a search."""
    hall: Hall = request.app.state.hall
    who = address(request.scope)
    if order.text:
        require_allowed("tree", request.app.state.own.kinds)
        require_short(order.text)
    if not request.app.state.own.checks.take(who):
        raise TooMany("too many searches to watch; try again in a moment")
    session, question, written = await hall.lanes.setup.run(asked, hall, order, address=who)
    details = {"breadth": order.breadth, "order": order.order, "boards": order.boards, "seed": order.seed}
    whose = Whose(who, "the teaching bench", lambda: True)
    found = await hall.thinking.watch(session, question, details, whose)
    return wire.Watching(**found, tree=written)


def asked(hall: Hall, order: WatchOrder) -> tuple[Session, Question, wire.TreeWritten | None]:
    """The position, as a question to the agent; and the tree, if it is one."""
    game = own_tree(hall, order) if order.text else chosen_game(hall.resolver, order.game, order.options)
    is_tree = game.rules is tree.GAME.rules
    table = game.deal(order.seed, rolls=not is_tree)  # in a tree chance waits like everybody else
    table.play_all(order.moves)
    if table.over:
        raise UserError("the game is over after these moves")
    agent = hall.checked(game, order.agent)
    session = Session(Deal(game, order.seed), [PERSON] * game.players, open_cards=True, recorded=True)
    seat = 0 if is_tree else table.turn  # in a tree MAX is always the first player
    question = Question(list(table.actions), seat, agent, secret=False)
    return session, question, written(tree.read(game.options)[0][0]) if is_tree and game.name == "tree" else None


def own_tree(hall: Hall, order: WatchOrder) -> Game:
    return hall.resolver.game("tree", {**order.options, "text": order.text})


def written(node: tree.Node) -> wire.TreeWritten:
    return wire.TreeWritten(
        mover={CHANCE: "chance", LEAF: ""}.get(node.mover, "ABCD"[node.mover]),
        label=node.label,
        probability=node.probability,
        payoffs=node.payoffs,
        estimate=node.estimate,
        noisy=node.noisy,
        children=[written(child) for child in node.children],
    )
