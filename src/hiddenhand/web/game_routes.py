"""Games over HTTP: what the lobby offers, how a game is played, and the teaching bench, which shows searches step by step."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game
from hiddenhand.core.resolver import Resolver
from hiddenhand.core.session import PERSON, Deal, Question, Session
from hiddenhand.core.settings import Setting
from hiddenhand.games import tree
from hiddenhand.games.tree.reader import CHANCE, LEAF
from hiddenhand.planning.play.world_game import own_words
from hiddenhand.web.errors import NotFound, TooManyRequests
from hiddenhand.web.schemas import outgoing as wire
from hiddenhand.web.schemas.http import StepSearchBody, chosen_game
from hiddenhand.web.security.middleware import address
from hiddenhand.web.tables.registry import TableRegistry
from hiddenhand.web.tables.routes import game_for
from hiddenhand.web.uploads.kinds import require_allowed
from hiddenhand.web.uploads.routes import require_short
from hiddenhand.web.workers.pool import Requester

router = APIRouter(prefix="/api")


@router.get("/games")
async def games(request: Request) -> JSONResponse:
    return JSONResponse([game.model_dump(mode="json") for game in await request.app.state.catalogue()])


@router.get("/games/{name:path}/guide")
async def guide(request: Request, name: str, language: str = "en") -> wire.GuideInfo:
    """How to play a game."""
    game = await game_for(request, name)
    return wire.GuideInfo(text=game.guide_in(language[:8]))


@router.get("/games/{name:path}/words/{word}")
async def meaning(request: Request, name: str, word: str) -> dict[str, str]:
    """What a word of a game means, such as the text of a card."""
    game = await game_for(request, name)
    found = game.meaning(word[:100]) if game.meaning is not None else ""
    if not found:
        raise NotFound(f"nothing is known about {word[:100]!r}")
    return {"word": word, "meaning": found}


@router.get("/games/{name:path}")
async def one_game(request: Request, name: str) -> wire.GameInfo:
    """A game with other options than the usual ones (`?players=4`): who can play it may depend on them."""
    hall: TableRegistry = request.app.state.hall
    game = await game_for(request, name, dict(request.query_params))
    return await hall.lanes.setup.run(describe, hall.resolver, game, address=address(request.scope))


# ---- the catalogue: what the lobby offers


def catalogue(resolver: Resolver) -> list[wire.GameInfo]:
    """All games of the package, and those that the server's owner allows; a file that is no game is left out."""
    found = []
    for name in resolver.games():
        with suppress(UserError):
            found.append(describe(resolver, resolver.game(name)))
    return found


def describe(resolver: Resolver, game: Game) -> wire.GameInfo:
    return wire.GameInfo(
        name=game.spec,
        title=game.title,
        about=" ".join(game.about.partition("\n\n")[0].split()),
        players=(game.fewest_players, game.most_players),
        hidden=game.hidden,
        shares=game.hidden and game.facts is not None,
        chance=game.chance,
        utility=game.utility,
        options={name: setting_sent(setting) for name, setting in game.settings.items()},
        agents=[agent_sent(resolver, game, name, kind) for name, kind in sorted(resolver.agents(game).items())],
        champion=resolver.champion(game),
        usual=resolver.usual_opponent(game),
        opponents=[wire.OpponentInfo(**vars(each)) for each in resolver.opponents(game)],
        words=own_words(game),
    )


def agent_sent(resolver: Resolver, game: Game, name: str, kind: Any) -> wire.AgentInfo:
    """Somebody who can play this game with these options."""
    return wire.AgentInfo(
        name=name,
        summary=kind.summary,
        cheats=kind.cheats,
        example=getattr(kind, "example", ""),
        parameters={key: setting_sent(setting) for key, setting in resolver.settings_of(kind, game).items()},
    )


def setting_sent(setting: Setting) -> wire.SettingInfo:
    return wire.SettingInfo(
        default=setting.default,
        allowed=setting.allowed(),
        choices=None if setting.choices is None else list(setting.choices),
        low=setting.low,
        high=setting.high,
        help=setting.help,
        suggestions=list(setting.suggestions),
        several=list(setting.several),
        presets={value: dict(options) for value, options in setting.presets.items()},
    )


# ---- the teaching bench: a search in steps, worked out where agents think, within the same limits


@router.post("/watch")
async def watch(request: Request, order: StepSearchBody) -> wire.StepSearchInfo:
    """The steps of a search."""
    hall: TableRegistry = request.app.state.hall
    who = address(request.scope)
    if order.text:
        require_allowed("tree", request.app.state.own.kinds)
        require_short(order.text)
    if not request.app.state.own.checks.take(who):
        raise TooManyRequests("too many searches to watch; try again in a moment")
    session, question, written = await hall.lanes.setup.run(asked, hall, order, address=who)
    details = {"breadth": order.breadth, "order": order.order, "boards": order.boards, "seed": order.seed}
    whose = Requester(who, "the teaching bench", lambda: True)
    found = await hall.thinking.watch(session, question, details, whose)
    return wire.StepSearchInfo(**found, tree=written)


def asked(hall: TableRegistry, order: StepSearchBody) -> tuple[Session, Question, wire.TreeInfo | None]:
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


def own_tree(hall: TableRegistry, order: StepSearchBody) -> Game:
    return hall.resolver.game("tree", {**order.options, "text": order.text})


def written(node: tree.Node) -> wire.TreeInfo:
    return wire.TreeInfo(
        mover={CHANCE: "chance", LEAF: ""}.get(node.mover, "ABCD"[node.mover]),
        label=node.label,
        probability=node.probability,
        payoffs=node.payoffs,
        estimate=node.estimate,
        noisy=node.noisy,
        children=[written(child) for child in node.children],
    )
