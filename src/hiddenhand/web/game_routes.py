"""Games over HTTP: what the lobby offers, how games are played, and the teaching bench with searches in steps."""

from __future__ import annotations

from contextlib import suppress

from fastapi import APIRouter, Request
from fastapi.responses import Response

from hiddenhand.core.agent import AgentKind
from hiddenhand.core.errors import UserError
from hiddenhand.core.game import Game, guide_of, player_counts, summary_of
from hiddenhand.core.resolver import Resolver
from hiddenhand.core.session import PERSON, Deal, Question, Session
from hiddenhand.core.settings import Setting
from hiddenhand.core.text import Reader, Text, render
from hiddenhand.games import tree
from hiddenhand.games.tree.parser import CHANCE, LEAF
from hiddenhand.planning.play.world_game import own_words
from hiddenhand.web.answers import LANGUAGE, answer, answer_all, language_of, reader_of
from hiddenhand.web.errors import NotFound, TooManyRequests
from hiddenhand.web.schemas import outgoing
from hiddenhand.web.schemas.http import StepSearchBody, chosen_game
from hiddenhand.web.security.middleware import address
from hiddenhand.web.tables.registry import TableRegistry
from hiddenhand.web.tables.routes import game_for
from hiddenhand.web.uploads.kinds import require_allowed
from hiddenhand.web.uploads.routes import require_short
from hiddenhand.web.workers.pool import Requester

router = APIRouter(prefix="/api")


@router.get("/games")
async def games(request: Request) -> Response:
    """All games of the lobby."""
    return answer_all(request, await request.app.state.catalogue())


@router.get("/games/{name:path}/guide")
async def guide(request: Request, name: str) -> Response:
    """How to play a game."""
    game = await game_for(request, name)
    return answer(request, outgoing.GuideInfo(text=guide_of(game, language_of(request))))


@router.get("/games/{name:path}/words/{word}")
async def meaning(request: Request, name: str, word: str) -> dict[str, str]:
    """What a word of a game means, such as the text of a card."""
    game = await game_for(request, name)
    found = game.people.meaning(word[:100]) if game.people.meaning is not None else ""
    if not found:
        raise NotFound(Text("nothing is known about {word}", word=repr(word[:100])))
    return {"word": word, "meaning": str(render(found, reader_of(request)))}


@router.get("/games/{name:path}")
async def one_game(request: Request, name: str) -> Response:
    """A game with the options of the query, such as `?players=4`; which agents can play it may depend on them."""
    tables: TableRegistry = request.app.state.tables
    options = {option: value for option, value in request.query_params.items() if option != LANGUAGE}
    game = await game_for(request, name, options)
    found = await tables.threads.setup.run(describe, tables.resolver, game, address=address(request.scope))
    language = language_of(request)
    return answer(request, found, Reader(language, words=own_words(game).get(language, {})))


# ---- the catalogue: what the lobby offers


def catalogue(resolver: Resolver) -> list[outgoing.GameInfo]:
    """All games of the package, and those that the server's owner allows; a file that is no game is left out."""
    found = []
    for name in resolver.games():
        with suppress(UserError):
            found.append(describe(resolver, resolver.game(name)))
    return found


def describe(resolver: Resolver, game: Game) -> outgoing.GameInfo:
    return outgoing.GameInfo(
        name=game.origin.spec,
        title=game.title,
        about=summary_of(game),
        players=player_counts(game),
        hidden=game.hidden,
        shares=game.hidden and game.people.facts is not None,
        chance=bool(game.chance),
        utility=game.utility,
        options={name: setting_sent(setting) for name, setting in game.settings.items()},
        agents=[agent_sent(resolver, game, name, kind) for name, kind in sorted(resolver.agents(game).items())],
        champion=resolver.champion(game),
        usual=resolver.usual_opponent(game),
        opponents=[outgoing.OpponentInfo(**vars(each)) for each in resolver.opponents(game)],
        words=own_words(game),
    )


def agent_sent(resolver: Resolver, game: Game, name: str, kind: AgentKind) -> outgoing.AgentInfo:
    """What the lobby is told of an agent that can play a game."""
    return outgoing.AgentInfo(
        name=name,
        summary=kind.summary,
        cheats=kind.cheats,
        example=kind.example,
        parameters={key: setting_sent(setting) for key, setting in resolver.settings_of(kind, game).items()},
    )


def setting_sent(setting: Setting) -> outgoing.SettingInfo:
    return outgoing.SettingInfo(
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
async def watch(request: Request, order: StepSearchBody) -> Response:
    """The steps of a search."""
    tables: TableRegistry = request.app.state.tables
    who = address(request.scope)
    if order.text:
        require_allowed("tree", request.app.state.uploads.kinds)
        require_short(order.text)
    if not request.app.state.uploads.checks.take(who):
        raise TooManyRequests(Text("too many searches to watch; try again in a moment"))
    session, question, written = await tables.threads.setup.run(asked, tables, order, address=who)
    details = {"breadth": order.breadth, "order": order.order, "boards": order.boards, "seed": order.seed}
    requester = Requester(who, "the teaching bench", lambda: True)
    found = await tables.scheduler.watch(session, question, details, requester)
    return answer(request, outgoing.StepSearchInfo(**found, tree=written))


def asked(tables: TableRegistry, order: StepSearchBody) -> tuple[Session, Question, outgoing.TreeInfo | None]:
    """The session, the question to the agent at the position that is asked for, and the tree if the game is one."""
    game = own_tree(tables, order) if order.text else chosen_game(tables.resolver, order.game, order.options)
    is_tree = game.rules is tree.GAME.rules
    table = game.deal(order.seed, rolls=not is_tree)  # in a tree chance waits like everybody else
    table.play_all(order.moves)
    if table.over:
        raise UserError("the game is over after these moves")
    agent = tables.checked(game, order.agent)
    session = Session(Deal(game, order.seed), [PERSON] * game.players, open_cards=True, recorded=True)
    seat = 0 if is_tree else table.turn  # in a tree MAX is always the first player
    question = Question(list(table.history), seat, agent, secret=False)
    return session, question, written(tree.read(game.options)[0][0]) if is_tree and game.name == "tree" else None


def own_tree(tables: TableRegistry, order: StepSearchBody) -> Game:
    return tables.resolver.game("tree", {**order.options, "text": order.text})


def written(node: tree.ParsedNode) -> outgoing.TreeInfo:
    return outgoing.TreeInfo(
        mover={CHANCE: "chance", LEAF: ""}.get(node.mover, "ABCD"[node.mover]),
        label=node.label,
        probability=node.probability,
        payoffs=node.payoffs,
        estimate=node.estimate,
        noisy=node.noisy,
        children=[written(child) for child in node.children],
    )
