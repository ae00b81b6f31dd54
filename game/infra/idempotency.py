"""Idempotency keys: for 24 hours a repeated key returns the stored response."""

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
    """A stored response: HTTP status, headers and body."""

    status: int
    headers: dict[str, str]
    body: bytes


@transaction.atomic
def once(*, user: User | None, key: str, asked: list[Any], work: Callable[[], Answer]) -> Answer:
    """The response of `work`, from now or from an earlier request with this key; visitors must use a key that nobody
    can guess. Refusals are not stored. Raises `Refused` if the earlier request was a different one."""
    fingerprint, own_answers = fingerprint_of([{"asked": asked}]), KeptAnswer.objects.filter(user=user)
    own_answers.filter(at__lt=Now() - KEPT_FOR).delete()
    try:
        with transaction.atomic():  # the second of two concurrent requests waits here for the first
            stored = KeptAnswer.objects.create(user=user, key=key, fingerprint=fingerprint)
    except IntegrityError:
        stored = own_answers.get(key=key)
        if stored.fingerprint != fingerprint:
            raise Refused("This key was already used for another request.", code="key_reused") from None
        return Answer(stored.status, stored.headers, bytes(stored.body))
    stored.status, stored.headers, stored.body = answer = work()
    stored.save(update_fields=["status", "headers", "body"])
    return answer


def has(*, user: User, key: str) -> bool:
    """True if a response with this key is stored."""
    return KeptAnswer.objects.filter(user=user, key=key, at__gte=Now() - KEPT_FOR).exists()


def forget_old() -> None:
    """Delete expired responses."""
    KeptAnswer.objects.filter(at__lt=Now() - KEPT_FOR).delete()


def fingerprint_of(requests: list[dict[str, Any]]) -> str:
    """A hash of these requests, independent of the order of their fields."""
    return sha256(json.dumps(requests, sort_keys=True, default=str).encode()).hexdigest()
