"""Idempotency: for 24 hours a repeated key of the API, or a form sent twice by a double click or the back button, gets
the stored result."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from typing import Any, NamedTuple

from cryptography.fernet import Fernet
from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.http import HttpRequest

from accounts.models import User
from game.engine.actions import Refused
from game.infra.models import StoredResponse

RETENTION = timedelta(days=1)


class ResponseParts(NamedTuple):
    """HTTP status, headers and body of a response."""

    status: int
    headers: dict[str, str]
    body: bytes


@transaction.atomic
def run_once(*, user: User | None, key: str, requests: list[Any], work: Callable[[], ResponseParts]) -> ResponseParts:
    """The response of `work`, from now or from an earlier request with this key; visitors must use a key that nobody
    can guess. Refusals are not stored. Raises `Refused` if the earlier request was a different one."""
    fingerprint, own_responses = fingerprint_of([{"asked": requests}]), StoredResponse.objects.filter(user=user)
    own_responses.filter(at__lt=Now() - RETENTION).delete()
    try:
        with transaction.atomic():  # the second of two concurrent requests waits here for the first
            stored = StoredResponse.objects.create(user=user, key=key, fingerprint=fingerprint)
    except IntegrityError:
        stored = own_responses.get(key=key)
        if stored.fingerprint != fingerprint:
            raise Refused("This key was already used for another request.", code="key_reused") from None
        return ResponseParts(stored.status, stored.headers, bytes(stored.body))
    stored.status, stored.headers, stored.body = parts = work()
    stored.save(update_fields=["status", "headers", "body"])
    return parts


def has_response(*, user: User, key: str) -> bool:
    """True if a response with this key is stored."""
    return StoredResponse.objects.filter(user=user, key=key, at__gte=Now() - RETENTION).exists()


def delete_expired() -> None:
    """Delete expired responses."""
    StoredResponse.objects.filter(at__lt=Now() - RETENTION).delete()


def fingerprint_of(requests: list[dict[str, Any]]) -> str:
    """A hash of these requests, independent of the order of their fields."""
    return sha256(json.dumps(requests, sort_keys=True, default=str).encode()).hexdigest()


FIELD = "token"
TOKEN_PATTERN = re.compile(r"[0-9a-f]{32}")
IGNORED_FIELDS = {FIELD, "csrfmiddlewaretoken"}


def submit_once(request: HttpRequest, make: Callable[[], str | None]) -> str:
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

    def work() -> ResponseParts:
        return ResponseParts(200, {}, lock.encrypt((make() or "").encode()))

    stored = run_once(
        user=request.user if isinstance(request.user, User) else None,
        key=_key_of(token, fingerprint_parts),
        requests=fingerprint_parts,
        work=work,
    )
    return lock.decrypt(stored.body).decode()


def _key_of(token: str, fingerprint_parts: list[object]) -> str:
    """The storage key, with a prefix that no API client's key has. It does not reveal the token, so access to the
    database is not enough to decrypt the result, which may be an API token."""
    return "." + sha256(json.dumps([token, fingerprint_parts]).encode()).hexdigest()[:63]
