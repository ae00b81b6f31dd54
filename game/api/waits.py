"""Internal headers between the ASGI wrappers and the views of one process: who waits on which channels, retries of a
wait, and refused streams."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping

ASKS = "X-Wait-Groups"
AGAIN = "X-Waits-Still"
WAITS = "X-Waits-For"
FULL = "X-No-Place"
SECRET = secrets.token_urlsafe(16)  # known to this process only, in which both sides run


def groups_asked(headers: Mapping[str, str]) -> bool:
    """True if this process's wrapper asks for the channels, not a client."""
    return _is_ours(headers, ASKS)


def waiting_for(person: int, groups: Iterable[str]) -> str:
    """The value of the header `WAITS`: the user, whichever their token, and the groups."""
    return " ".join((str(person), *groups))


def asks_again(headers: Mapping[str, str]) -> bool:
    """True if this is the internal retry of a long poll."""
    return _is_ours(headers, AGAIN)


def is_one_too_many(headers: Mapping[str, str]) -> bool:
    """True if this process's wrapper found no free place for this stream."""
    return _is_ours(headers, FULL)


def _is_ours(headers: Mapping[str, str], name: str) -> bool:
    return secrets.compare_digest(headers.get(name, "").encode(), SECRET.encode())
