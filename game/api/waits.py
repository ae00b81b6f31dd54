"""What the wrappers around the site and its views tell each other, and nobody else: who asks and where a newer answer
would be announced, that a wait asks again by itself, and that somebody has too many streams."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping

ASKS = "X-Wait-Groups"
AGAIN = "X-Waits-Still"
WAITS = "X-Waits-For"
FULL = "X-No-Place"
SECRET = secrets.token_urlsafe(16)  # of this process, in which both sides live


def groups_asked(headers: Mapping[str, str]) -> bool:
    """Whether the wrapper of this process asks, and no client."""
    return _is_ours(headers, ASKS)


def waiting_for(person: int, groups: Iterable[str]) -> str:
    """What the header `WAITS` says: who asks, whichever token it is sent with, and the groups."""
    return " ".join((str(person), *groups))


def asks_again(headers: Mapping[str, str]) -> bool:
    """Whether the wrapper of this process asks once more for a client that waits."""
    return _is_ours(headers, AGAIN)


def is_one_too_many(headers: Mapping[str, str]) -> bool:
    """Whether the wrapper of this process found no place for this stream."""
    return _is_ours(headers, FULL)


def _is_ours(headers: Mapping[str, str], name: str) -> bool:
    return secrets.compare_digest(headers.get(name, "").encode(), SECRET.encode())
