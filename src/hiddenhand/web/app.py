"""The web application: routes, the registry of tables, the laboratory and uploads, put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from hiddenhand.core.errors import UserError
from hiddenhand.core.files import Allowed
from hiddenhand.core.resolver import Resolver
from hiddenhand.web.answers import answer, language_of
from hiddenhand.web.game_routes import catalogue
from hiddenhand.web.game_routes import router as game_router
from hiddenhand.web.lab.queue import JobQueue
from hiddenhand.web.lab.routes import router as lab_router
from hiddenhand.web.lab.saved import SavedExperiments
from hiddenhand.web.schemas.outgoing import ErrorInfo, GameInfo
from hiddenhand.web.schemas.socket import one_line
from hiddenhand.web.security.limits import Limits, TokenBuckets, files_allowed
from hiddenhand.web.security.middleware import SecurityMiddleware, address
from hiddenhand.web.tables.connection import Connection
from hiddenhand.web.tables.registry import TableRegistry
from hiddenhand.web.tables.routes import router as table_router
from hiddenhand.web.tables.store import EXPERIMENTS, OWN, TableStore
from hiddenhand.web.uploads.kinds import GAMES, KINDS, Kind
from hiddenhand.web.uploads.routes import Uploads
from hiddenhand.web.uploads.routes import router as uploads_router
from hiddenhand.web.uploads.store import UploadStore
from hiddenhand.web.uploads.worker import UploadChecker

TIDY_EVERY = 15.0
GOODBYE = 2.0
FILE = "tables.sqlite"
STATIC = Path(__file__).parent / "static"
PREFIX = "static/"


def create_app(
    data: Path,
    gallery: Path | None = None,
    limits: Limits | None = None,
    names: tuple[str, ...] = (),
    allow: Sequence[Path] = (),
    bring: Sequence[Kind] = KINDS,
) -> FastAPI:
    """The application for a server whose tables are kept in the folder `data`.

    gallery   a folder with figures and reports to show
    allow     folders whose files may be opened as games and agents; without any, no file is
    bring     the kinds of texts that visitors may bring; nothing in them is run
    names     under which the server may be addressed, besides localhost and plain addresses
    """
    borne = (limits or Limits()).within(files_allowed())
    texts = UploadStore(data / OWN, [kind for kind in bring if kind in GAMES], borne.texts, borne.texts_size)
    allowed = Allowed(allow, own=[data / EXPERIMENTS, *texts.folders])
    store = TableStore(data / FILE)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        tables = TableRegistry(store, borne, Resolver(allowed, strangers=True))
        app.state.tables, app.state.jobs = tables, JobQueue(tables, SavedExperiments(data / EXPERIMENTS))
        app.state.creations = TokenBuckets(borne.creations)
        app.state.gallery = gallery
        app.state.uploads = Uploads(bring, texts, UploadChecker(tables.resolver, borne), TokenBuckets(borne.checks))
        app.state.catalogue = once(tables)
        tidying = asyncio.create_task(tidy(tables, app.state.uploads.checker))
        looking_up = asyncio.create_task(app.state.catalogue())
        try:
            yield
        finally:
            tidying.cancel()
            looking_up.cancel()
            app.state.jobs.close()
            app.state.uploads.checker.close()
            await stop_thinking(tables)
            tables.scheduler.close()
            tables.background.stop()
            store.close()

    app = FastAPI(lifespan=life, docs_url=None, redoc_url=None, openapi_url=None)
    for router in (table_router, lab_router, uploads_router, game_router):
        app.include_router(router)
    app.add_exception_handler(UserError, complain)
    app.add_exception_handler(RequestValidationError, complain)
    app.add_exception_handler(HTTPException, complain)

    @app.websocket("/ws")
    async def socket(socket: WebSocket) -> None:
        await Connection(socket, app.state.tables, address(socket.scope), language_of(socket)).serve()

    app.mount("/", Pages())
    app.add_middleware(GZipMiddleware, minimum_size=2000)
    app.add_middleware(SecurityMiddleware, limits=borne, names=names)
    return app


def once(tables: TableRegistry) -> Any:
    """A function that gives the list of games for the lobby; the list is put together at its first call."""
    lock, found = asyncio.Lock(), list[GameInfo]()

    async def get() -> list[GameInfo]:
        async with lock:
            if not found:
                found.extend(await tables.threads.setup.run(catalogue, tables.resolver))
        return found

    return get


async def tidy(tables: TableRegistry, checker: UploadChecker) -> None:
    """Every few seconds, put away the tables and end the processes that nobody uses."""
    while True:
        await asyncio.sleep(TIDY_EVERY)
        tables.put_away()
        checker.tidy()


async def stop_thinking(tables: TableRegistry) -> None:
    """Before the server stops: finish what people have asked for, and cancel the moves that agents work on."""
    for live in list(tables.live_tables.values()):
        if live.changes:
            await asyncio.wait(live.changes, timeout=GOODBYE)
        if live.agent_task is not None:
            live.agent_task.cancel()
            with suppress(asyncio.CancelledError):
                await live.agent_task


async def complain(request: Request, error: Exception) -> Response:
    """The answer to a request that failed: what was wrong, in one line, in the language of the client."""
    text: str
    if isinstance(error, RequestValidationError):
        text, status = one_line(error.errors()[0]), 400
    elif isinstance(error, HTTPException):
        text, status = str(error.detail), error.status_code
    else:
        text, status = error.text if isinstance(error, UserError) else str(error), getattr(error, "status", 400)
    return answer(request, ErrorInfo(error=text), status=status)


class Pages(StaticFiles):
    """The files under `static`; `/t/TABLE`, `/lab` and the like are shown by the same page."""

    def __init__(self) -> None:
        super().__init__(directory=STATIC, html=True)

    async def get_response(self, path: str, scope: Scope) -> Response:
        try:
            response = await super().get_response(path.removeprefix(PREFIX), scope)
        except HTTPException as error:
            if error.status_code != 404 or Path(path).suffix or path.startswith("api"):
                raise
            response = await super().get_response("index.html", scope)
        response.headers["cache-control"] = "no-cache"
        return response
