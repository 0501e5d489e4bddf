"""Answers over HTTP, in the language of whoever asks: `?language=pl`, or else the header Accept-Language."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import HTTPConnection
from starlette.responses import Response

from hiddenhand.core.catalogue import best_language
from hiddenhand.core.text import Reader
from hiddenhand.web.schemas.base import OutgoingModel

LANGUAGE = "language"
JSON = "application/json"


def language_of(request: HTTPConnection) -> str:
    """The code of the language that the client asks for; English if it asks for none that there is."""
    wanted = request.query_params.get(LANGUAGE) or request.headers.get("accept-language", "")
    return best_language(wanted[:200])


def reader_of(request: HTTPConnection) -> Reader:
    """The reader for answers that belong to no table: seats have no names."""
    return Reader(language_of(request))


def answer(
    request: HTTPConnection, model: OutgoingModel, reader: Reader | None = None, status: int = 200
) -> Response:
    """A model as JSON.

    reader   for answers that belong to a table, where seats have names; left out, `reader_of(request)`
    """
    return Response(model.written(reader or reader_of(request)), status, media_type=JSON)


def answer_all(request: HTTPConnection, models: Sequence[OutgoingModel]) -> Response:
    """A list of models as JSON."""
    reader = reader_of(request)
    return Response(f"[{','.join(model.written(reader) for model in models)}]", media_type=JSON)
