"""What is asked of the laboratory over HTTP: experiments, and the gallery.

The gallery is a folder with figures and reports, as `hiddenhand reproduce` writes them.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Body, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, Response
from pydantic import ValidationError

from hiddenhand.core.text import Text
from hiddenhand.lab.work_kinds import work_kind, work_kinds
from hiddenhand.lab.work_names import work_names
from hiddenhand.web.answers import LANGUAGE, answer, answer_all, reader_of
from hiddenhand.web.errors import NotFound, TooManyRequests
from hiddenhand.web.lab.offers import offers
from hiddenhand.web.lab.queue import JobQueue
from hiddenhand.web.schemas.http import StopBody, chosen_game
from hiddenhand.web.schemas.lab import (
    Exhibit,
    ExperimentBody,
    ExperimentInfo,
    KindForm,
    LabModel,
    Started,
    TournamentReport,
    form_of,
    order_of,
)
from hiddenhand.web.schemas.socket import TableId
from hiddenhand.web.security.middleware import address, at_the_machine
from hiddenhand.web.tables.store import new_token

router = APIRouter(prefix="/api/lab")
KINDS = {
    ".png": "picture",
    ".svg": "picture",
    ".html": "report",
    ".md": "text",
    ".txt": "text",
    ".csv": "table",
    ".json": "table",
}
MOST = 500
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
"""The Content-Security-Policy for files of the gallery and of experiments: they are shown, and nothing in them is
run.
"""


def jobs_of(request: Request) -> JobQueue:
    found: JobQueue = request.app.state.jobs
    return found


def to_download(text: str, kind: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=kind, headers=headers)


# ---- experiments


@router.get("/games/{name:path}")
async def game(request: Request, name: str) -> Response:
    """What the laboratory can do with a game that has the options of the query."""
    tables, who = request.app.state.tables, address(request.scope)
    options = {option: value for option, value in request.query_params.items() if option != LANGUAGE}
    of = await tables.threads.setup.run(chosen_game, tables.resolver, name, options, address=who)
    return answer(request, await tables.threads.setup.run(offers, tables.resolver, of, address=who))


@router.get("/forms")
async def forms(request: Request) -> Response:
    """The forms of all kinds of work."""
    setup = request.app.state.tables.threads.setup
    return answer_all(request, await setup.run(all_forms, address=address(request.scope)))


@router.get("/jobs")
async def jobs(request: Request) -> Response:
    """All experiments, the latest first, without their results; what visitors brought is for them and the owner."""
    found = jobs_of(request).listed(private=at_the_machine(request.scope))
    return answer_all(request, found)


@router.get("/jobs/{job}")
async def job(request: Request, job: TableId) -> Response:
    return answer(request, jobs_of(request).find(job))


@router.delete("/jobs/{job}")
async def stop(request: Request, job: TableId, order: StopBody | None = None) -> Response:
    """Stop an experiment: for the client that has begun it, and for the owner of the server."""
    if not at_the_machine(request.scope):
        jobs_of(request).require_owner(job, order.token if order else None)
    return answer(request, jobs_of(request).stop(job))


@router.get("/jobs/{job}/experiment.json")
async def whole(request: Request, job: TableId) -> Response:
    """All that is known of an experiment, as a file."""
    found = jobs_of(request).find(job)
    whole = found.model_dump_json(indent=1, context=reader_of(request))
    return to_download(whole, "application/json", f"{found.kind}-{job}.json")


@router.get("/jobs/{job}/table.csv")
async def table(request: Request, job: TableId) -> Response:
    """The results of an experiment as CSV."""
    found = jobs_of(request).find(job)
    return to_download(as_csv(table_of(found)), "text/csv", f"{found.kind}-{job}.csv")


@router.get("/jobs/{job}/curves.csv")
async def curves(request: Request, job: TableId) -> Response:
    found = jobs_of(request).find(job)
    return to_download(as_csv(curves_of(found)), "text/csv", f"{found.kind}-{job}-curves.csv")


@router.get("/jobs/{job}/files/{name}")
async def file(request: Request, job: TableId, name: str) -> FileResponse:
    """A file that the experiment has written, such as what was learned."""
    found = jobs_of(request).experiments.file(job, name)
    if found is None:
        raise NotFound(Text("job {job} has no file {name}", job=repr(job), name=repr(name[:100])))
    headers = {"content-security-policy": PICTURE_POLICY}
    return FileResponse(found, filename=f"{job}-{name}", headers=headers)


@router.post("/{kind}")
async def add(request: Request, kind: str, body: dict[str, object] = Body()) -> Response:
    """Queue a new experiment of one of the kinds of work that a page may ask for."""
    who, setup = address(request.scope), request.app.state.tables.threads.setup
    if kind not in work_names():
        raise NotFound(Text("the laboratory does not know {kind}", kind=repr(kind[:100])))
    schema = await setup.run(schema_of, kind, address=who)
    try:
        order = schema.model_validate(body)
    except ValidationError as error:
        raise RequestValidationError(error.errors(include_url=False, include_input=False)) from None
    if not request.app.state.creations.take(who):
        raise TooManyRequests(Text("too many jobs; try again in a moment"))
    token = new_token()
    job = await jobs_of(request).add(kind, order, who, token)
    return answer(request, Started(job=job.id, token=token))


def schema_of(kind: str) -> type[ExperimentBody]:
    """In a thread, since the kind is loaded: the schema of an order."""
    found = work_kind(kind)
    if found.page is None:
        raise NotFound(Text("the laboratory does not know {kind}", kind=repr(kind)))
    return order_of(found)


def all_forms() -> list[KindForm]:
    return [form_of(kind) for kind in work_kinds() if kind.page is not None]


# ---- the gallery


@router.get("/gallery")
async def gallery(request: Request) -> Response:
    return answer_all(request, exhibits(request.app.state.gallery))


@router.get("/gallery/{path:path}")
async def exhibit(request: Request, path: str) -> FileResponse:
    found = find(request.app.state.gallery, path)
    if found is None:
        raise NotFound(Text("the gallery has no {path}", path=repr(path[:100])))
    return FileResponse(found, headers={"content-security-policy": PICTURE_POLICY})


def exhibits(folder: Path | None) -> list[Exhibit]:
    """The files of the gallery, in the order of their names."""
    found: list[Exhibit] = []
    if folder is None or not folder.is_dir():
        return found
    for path in sorted(folder.rglob("*")):
        if path.suffix in KINDS and len(found) < MOST and inside(folder, path):
            name = path.relative_to(folder).as_posix()
            title = path.stem.replace("_", " ").replace("-", " ")
            shown = {"name": name, "title": title, "kind": KINDS[path.suffix], "size": path.stat().st_size}
            found.append(Exhibit.model_validate({**shown, "href": f"/api/lab/gallery/{name}"}))
    return found


def find(folder: Path | None, name: str) -> Path | None:
    """The file of an exhibit; None for anything that is not one."""
    if folder is None:
        return None
    path = folder / name
    return path if path.suffix in KINDS and inside(folder, path) else None


def inside(folder: Path, path: Path) -> bool:
    """Whether there is such a file in the folder, links followed, and nothing on the way is hidden."""
    try:
        part = path.resolve().relative_to(folder.resolve())
        return path.is_file() and not any(name.startswith(".") for name in part.parts)
    except (OSError, ValueError, RuntimeError):  # such as a name that is too long, or a link to itself
        return False


# ---- experiments as tables that a spreadsheet reads: what came of them, and their curves


Row = dict[str, Any]


def table_of(experiment: ExperimentInfo) -> list[Row]:
    """The results as rows: one for each agent or opponent, or a single one where there are none."""
    result = experiment.result
    if result is None:
        return []
    if isinstance(result, TournamentReport):
        return [
            {
                **flat(agent),
                **{f"against {other.agent}": cell and cell.mean for other, cell in zip(result.agents, row)},
            }
            for agent, row in zip(result.agents, result.cross)
        ]
    for many in ("seats", "tests"):
        if hasattr(result, many):
            return [flat(each) for each in getattr(result, many)]
    return [flat(result)]


def flat(thing: LabModel) -> Row:
    """The simple fields of a model as one row; the two ends of an interval become two columns."""
    row: Row = {}
    for name, value in thing.model_dump().items():
        if isinstance(value, tuple):
            row |= {f"{name}_low": value[0], f"{name}_high": value[1]}
        elif not isinstance(value, (dict, list)):
            row[name] = value
    return row


def curves_of(experiment: ExperimentInfo) -> list[Row]:
    """The curves as rows, one for each point."""
    return [
        {"curve": curve.name, curve.across: step, curve.upwards: value, "ci95_low": low, "ci95_high": high}
        for curve in experiment.curves
        for step, value, low, high in curve.points
    ]


def as_csv(rows: Sequence[Row]) -> str:
    """The rows as CSV with a header; a text that would be taken for a formula is marked with an apostrophe."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\r\n")
    writer.writerow(map(harmless, names))
    writer.writerows([harmless(row.get(name)) for name in names] for row in rows)
    return written.getvalue()


def harmless(value: object) -> Any:
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
