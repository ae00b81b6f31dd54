"""A form that is sent twice, by a double click or after going back, makes one thing: it carries a token, and for a day
what was made with it is found again by that token."""

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
OURS = re.compile(r"[0-9a-f]{32}")
UNHELD = {FIELD, "csrfmiddlewaretoken"}


def made_once(request: HttpRequest, make: Callable[[], str | None]) -> str:
    """What `make` returns about the thing it made; a form that is sent again gets the same answer. A form that was
    changed before it was sent again counts as another. What `make` refuses is not kept: the same form may try again."""
    token = request.POST.get(FIELD, "")
    if not OURS.fullmatch(token):
        return make() or ""
    held: list[object] = [
        request.path,
        sorted((name, values) for name, values in request.POST.lists() if name not in UNHELD),
    ]
    lock = Fernet(base64.urlsafe_b64encode(sha256(token.encode()).digest()))

    def work() -> idempotency.Answer:
        return idempotency.Answer(200, {}, lock.encrypt((make() or "").encode()))

    kept = idempotency.once(
        user=request.user if isinstance(request.user, User) else None,
        key=_key_of(token, held),
        asked=held,
        work=work,
    )
    return lock.decrypt(kept.body).decode()


def _key_of(token: str, held: list[object]) -> str:
    """It begins as no program's key does. The token is not in it: whoever reads the database cannot read what was kept,
    which may be the text of an API token."""
    return "." + sha256(json.dumps([token, held]).encode()).hexdigest()[:63]
