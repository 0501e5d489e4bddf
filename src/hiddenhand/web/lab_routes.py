"""What is asked of the laboratory over HTTP: matches, tournaments, and the gallery."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse

from hiddenhand.web.errors import Missing, TooMany
from hiddenhand.web.gallery import PICTURE_POLICY, exhibits, find
from hiddenhand.web.guard import address
from hiddenhand.web.jobs import Jobs
from hiddenhand.web.orders import MatchOrder, TournamentOrder

router = APIRouter(prefix="/api/lab")


def jobs_of(request: Request) -> Jobs:
    return request.app.state.jobs


@router.post("/match")
async def match(request: Request, order: MatchOrder) -> dict[str, str]:
    return await add(request, "match", order)


@router.post("/tournament")
async def tournament(request: Request, order: TournamentOrder) -> dict[str, str]:
    return await add(request, "tournament", order)


async def add(request: Request, kind: str, order: MatchOrder | TournamentOrder) -> dict[str, str]:
    if not request.app.state.creations.take(address(request.scope)):
        raise TooMany("too many jobs; try again in a moment")
    return {"job": (await jobs_of(request).add(kind, order)).id}


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
