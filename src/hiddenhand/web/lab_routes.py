"""What is asked of the laboratory over HTTP: matches, tournaments, and the gallery.

The gallery is a folder with figures and reports, as `hiddenhand reproduce` writes them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse

from hiddenhand.web.errors import Missing, TooMany
from hiddenhand.web.guard import address
from hiddenhand.web.jobs import Jobs
from hiddenhand.web.orders import MatchOrder, TournamentOrder

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
"""What lies there is shown; nothing in it is run."""


def jobs_of(request: Request) -> Jobs:
    return request.app.state.jobs


@router.post("/match")
async def match(request: Request, order: MatchOrder) -> dict[str, str]:
    return await add(request, "match", order)


@router.post("/tournament")
async def tournament(request: Request, order: TournamentOrder) -> dict[str, str]:
    return await add(request, "tournament", order)


async def add(request: Request, kind: str, order: MatchOrder | TournamentOrder) -> dict[str, str]:
    who = address(request.scope)
    if not request.app.state.creations.take(who):
        raise TooMany("too many jobs; try again in a moment")
    return {"job": (await jobs_of(request).add(kind, order, who)).id}


@router.get("/jobs")
async def jobs(request: Request) -> list[dict[str, Any]]:
    """All jobs, the latest first, without their results."""
    shown = [job.to_json() for job in reversed(jobs_of(request).jobs.values())]
    return [{**job, "result": None, "histogram": None} for job in shown]


@router.get("/jobs/{job}")
async def job(request: Request, job: str) -> dict[str, Any]:
    return jobs_of(request).find(job).to_json()


@router.delete("/jobs/{job}")
async def stop(request: Request, job: str) -> dict[str, Any]:
    return jobs_of(request).stop(job).to_json()


@router.get("/gallery")
async def gallery(request: Request) -> list[dict[str, Any]]:
    return exhibits(request.app.state.gallery)


@router.get("/gallery/{path:path}")
async def exhibit(request: Request, path: str) -> FileResponse:
    found = find(request.app.state.gallery, path)
    if found is None:
        raise Missing(f"the gallery has no {path[:100]!r}")
    return FileResponse(found, headers={"content-security-policy": PICTURE_POLICY})


def exhibits(folder: Path | None) -> list[dict[str, Any]]:
    """What there is to see, in the order of names."""
    found: list[dict[str, Any]] = []
    if folder is None or not folder.is_dir():
        return found
    for path in sorted(folder.rglob("*")):
        if path.suffix in KINDS and len(found) < MOST and inside(folder, path):
            name = path.relative_to(folder).as_posix()
            title = path.stem.replace("_", " ").replace("-", " ")
            kind, size = KINDS[path.suffix], path.stat().st_size
            found.append(
                {"name": name, "title": title, "kind": kind, "href": f"/api/lab/gallery/{name}", "size": size}
            )
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
