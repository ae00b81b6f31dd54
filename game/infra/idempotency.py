"""Requests that can be sent again: for a day, the same key does the work once and gets the same answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from accounts.models import User
from game.engine.actions import Refused
from game.infra.models import KeptAnswer

KEPT_FOR = timedelta(days=1)


class Answer(NamedTuple):
    """What was answered: the status of HTTP, headers, and the body as it was sent."""

    status: int
    headers: dict[str, str]
    body: bytes


@transaction.atomic
def once(*, user: User | None, key: str, asked: list[Any], work: Callable[[], Answer]) -> Answer:
    """What `work` answers, now or to an earlier request with this key; a visitor's must be one that nobody can guess.
    Raises `Refused` where that one asked something else; what is refused is not kept."""
    fingerprint, mine = fingerprint_of([{"asked": asked}]), KeptAnswer.objects.filter(user=user)
    mine.filter(at__lt=Now() - KEPT_FOR).delete()
    try:
        with transaction.atomic():  # of two at once, the second waits here until the first is answered
            kept = KeptAnswer.objects.create(user=user, key=key, fingerprint=fingerprint)
    except IntegrityError:
        kept = mine.get(key=key)
        if kept.fingerprint != fingerprint:
            raise Refused("This key was already used for another request.", code="key_reused") from None
        return Answer(kept.status, kept.headers, bytes(kept.body))
    kept.status, kept.headers, kept.body = answer = work()
    kept.save(update_fields=["status", "headers", "body"])
    return answer


def has(*, user: User, key: str) -> bool:
    """Whether an earlier request with this key was answered."""
    return KeptAnswer.objects.filter(user=user, key=key, at__gte=Now() - KEPT_FOR).exists()


def forget_old() -> None:
    """Remove all that cannot be asked for any more."""
    KeptAnswer.objects.filter(at__lt=Now() - KEPT_FOR).delete()


def fingerprint_of(requests: list[dict[str, Any]]) -> str:
    """The same for the same requests, whatever the order of their fields."""
    return sha256(json.dumps(requests, sort_keys=True, default=str).encode()).hexdigest()
