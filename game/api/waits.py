"""How a view tells the wrapper around the site where a newer answer would be announced, and nobody else."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

ASKS = "X-Wait-Groups"
WAITS = "X-Waits-For"
SECRET = secrets.token_urlsafe(16)  # of this process, in which both sides live


def groups_asked(headers: Mapping[str, str]) -> bool:
    """Whether the wrapper of this process asks, and no client."""
    return secrets.compare_digest(headers.get(ASKS, "").encode(), SECRET.encode())
