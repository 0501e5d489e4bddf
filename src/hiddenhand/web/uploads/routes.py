"""Bring your own: texts that visitors write or open, checked while they write, and made into games.

Records are brought to `/api/records`. What may be brought at all is the owner's to say (`serve --bring`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import Response

from hiddenhand.core.errors import UserError
from hiddenhand.core.extras import load
from hiddenhand.core.game import given_options
from hiddenhand.core.text import Text
from hiddenhand.web.answers import answer
from hiddenhand.web.errors import TooManyRequests
from hiddenhand.web.schemas import outgoing
from hiddenhand.web.schemas.http import LONGEST_TEXT, CheckBody, UploadBody
from hiddenhand.web.security.limits import TokenBuckets
from hiddenhand.web.security.middleware import address
from hiddenhand.web.tables.registry import TableRegistry
from hiddenhand.web.uploads.check import agent_languages, table_for
from hiddenhand.web.uploads.kinds import GAMES, Kind, require_allowed
from hiddenhand.web.uploads.store import UploadStore
from hiddenhand.web.uploads.worker import UploadChecker

router = APIRouter(prefix="/api/own")


@dataclass
class Uploads:
    """What the routes of this module share."""

    kinds: Sequence[Kind]
    store: UploadStore
    checker: UploadChecker
    checks: TokenBuckets


def uploads_of(request: Request, kind: Kind) -> Uploads:
    uploads: Uploads = request.app.state.uploads
    require_allowed(kind, uploads.kinds)
    return uploads


@router.get("/examples")
async def examples(request: Request) -> Response:
    """What may be brought, and texts of the package to begin with."""
    uploads: Uploads = request.app.state.uploads
    if uploads.kinds:
        uploads.checker.prepare()
    offered = [one for one in all_examples() if one.kind in uploads.kinds]
    return answer(request, outgoing.UploadsInfo(kinds=list(uploads.kinds), examples=offered))


@router.post("/check")
async def check(request: Request, order: CheckBody) -> Response:
    """Check a text: what is wrong with it, or what it describes."""
    uploads, who = uploads_of(request, order.kind), address(request.scope)
    require_short(order.text)
    if not uploads.checks.take(who):
        raise TooManyRequests(Text("too many texts to check; try again in a moment"))
    return answer(request, await uploads.checker.check(order.kind, order.text, who))


@router.post("")
async def bring(request: Request, order: UploadBody) -> Response:
    """Keep a sound text, and say how a table is made of it."""
    uploads, who = uploads_of(request, order.kind), address(request.scope)
    require_short(order.text)
    if not request.app.state.creations.take(who):
        raise TooManyRequests(Text("too many texts; try again in a moment"))
    if order.kind not in (*GAMES, *agent_languages()):
        raise UserError("a {kind} is brought to /api/records", kind=order.kind)
    tables: TableRegistry = request.app.state.tables
    require_sound(await uploads.checker.check(order.kind, order.text, who, tables.limits.opening))
    if order.kind not in GAMES:
        game, agent = await tables.threads.setup.run(table_for, order.kind, order.text, tables.resolver, address=who)
        options = {name: game.options[name] for name in given_options(game)}
        return answer(
            request, outgoing.UploadInfo(game=game.origin.spec, title=game.title, options=options, agent=agent)
        )
    path = uploads.store.path(order.kind, order.name, order.text)
    used = tables.store.games() if uploads.store.full(len(order.text.encode())) else set[str]()
    name = await tables.threads.quick.run(uploads.store.keep, path, order.text, used, address=who)
    game = await tables.threads.setup.run(tables.resolver.game, name, address=who)
    return answer(request, outgoing.UploadInfo(game=game.origin.spec, title=game.title))


def require_short(text: str) -> None:
    if len(text.encode()) > LONGEST_TEXT:
        raise UserError("the text is too long: at most {n} KB can be brought", n=LONGEST_TEXT // 1024)


def require_sound(checked: outgoing.CheckInfo) -> None:
    """Raise a UserError that names the first mistake of a text, if it has any."""
    for found in checked.findings:
        if found.severity == "error":
            raise UserError(
                "line {line}, column {column}: {message}", line=found.line, column=found.column, message=found.message
            )


# ---- texts to begin with


@cache
def all_examples() -> tuple[outgoing.ExampleInfo, ...]:
    """The worlds, models, trees and menus of the package."""
    from hiddenhand.games import tree
    from hiddenhand.planning.worlds import models, worlds

    files: dict[Kind, Iterable[Path]] = {
        "svarog": worlds().values(),
        "pomdp": models().values(),
        "tree": sorted(tree.EXAMPLES.glob("*.tree")),
    }
    found = [example(kind, path) for kind, paths in files.items() for path in paths]
    for kind, (_, texts) in agent_languages().items():
        found += [example(kind, path) for path in sorted(load(texts.examples).glob(f"*.{kind}"))]
    return tuple(found)


def example(kind: str, path: Path) -> outgoing.ExampleInfo:
    found = {"kind": kind, "name": path.stem.replace("_", " "), "text": path.read_text(encoding="utf-8")}
    return outgoing.ExampleInfo.model_validate(found)
