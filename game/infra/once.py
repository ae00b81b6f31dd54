"""Forms that may be sent twice, by a double click or the back button, create one object: each carries a token, and for
24 hours a repeated token returns the stored result."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from hashlib import sha256

from cryptography.fernet import Fernet
from django.http import HttpRequest

from accounts.models import User
from game.infra import idempotency

FIELD = "token"
TOKEN_PATTERN = re.compile(r"[0-9a-f]{32}")
IGNORED_FIELDS = {FIELD, "csrfmiddlewaretoken"}


def made_once(request: HttpRequest, make: Callable[[], str | None]) -> str:
    """The result of `make`; the same form sent again gets the stored result. A form with changed fields counts as a
    different one. Refusals of `make` are not stored, so the same form may try again."""
    token = request.POST.get(FIELD, "")
    if not TOKEN_PATTERN.fullmatch(token):
        return make() or ""
    fingerprint_parts: list[object] = [
        request.path,
        sorted((name, values) for name, values in request.POST.lists() if name not in IGNORED_FIELDS),
    ]
    lock = Fernet(base64.urlsafe_b64encode(sha256(token.encode()).digest()))

    def work() -> idempotency.Answer:
        return idempotency.Answer(200, {}, lock.encrypt((make() or "").encode()))

    stored = idempotency.once(
        user=request.user if isinstance(request.user, User) else None,
        key=_key_of(token, fingerprint_parts),
        asked=fingerprint_parts,
        work=work,
    )
    return lock.decrypt(stored.body).decode()


def _key_of(token: str, fingerprint_parts: list[object]) -> str:
    """The storage key, with a prefix that no API client's key has. It does not reveal the token, so access to the
    database is not enough to decrypt the result, which may be an API token."""
    return "." + sha256(json.dumps([token, fingerprint_parts]).encode()).hexdigest()[:63]
