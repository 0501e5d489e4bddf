"""The page: the files of the built bundle, and the one page for every address that is no file."""

from __future__ import annotations

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

STATIC = Path(__file__).parent / "static"
PREFIX = "static/"


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
