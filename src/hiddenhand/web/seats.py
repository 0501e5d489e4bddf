"""Seats: who sits where, and the secret token that holds a seat."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import asdict, dataclass
from typing import Any

PERSON, OPEN, AGENT, RECORD = "person", "open", "agent", "record"


@dataclass
class Seat:
    """One seat of a table. Of a token only the hash is kept: what lies in the store opens no seat."""

    seat: int
    kind: str
    name: str
    agent: str = ""
    key: str = ""

    def public(self, connected: bool) -> dict[str, Any]:
        """What everybody may know of it."""
        shown = {"seat": self.seat, "name": self.name, "kind": self.kind, "connected": connected}
        return {**shown, "agent": self.agent} if self.agent else shown

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def new_token() -> str:
    return secrets.token_urlsafe(18)


def key_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
