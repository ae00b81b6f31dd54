"""Requests that can be sent again: with the same key the work is done once, and leads to the same game for a day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from accounts.models import User
from game.engine.actions import Refused
from game.models import KeptAnswer
from game.services.moves import fingerprint_of

KEPT_FOR = timedelta(days=1)


def once(*, user: User, key: str, asked: list[Any], work: Callable[[], int]) -> int:
    """The number that `work` led to, of now or of an earlier request with this key. Raises `Refused` where that one
    asked something else; what is refused is not kept."""
    return work() if not key else _once(user, key, fingerprint_of([{"asked": asked}]), work)


def forget_old() -> None:
    """Remove all that cannot be asked for any more."""
    KeptAnswer.objects.filter(at__lt=Now() - KEPT_FOR).delete()


@transaction.atomic
def _once(user: User, key: str, fingerprint: str, work: Callable[[], int]) -> int:
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # of two at once, the second finds the first's answer
    mine = KeptAnswer.objects.filter(user=user)
    mine.filter(at__lt=Now() - KEPT_FOR).delete()
    kept = mine.filter(key=key).first()
    if kept is None:
        number = work()
        KeptAnswer.objects.create(user=user, key=key, fingerprint=fingerprint, number=number)
        return number
    if kept.fingerprint != fingerprint:
        raise Refused("This key was already used for another request.", code="key_reused")
    return kept.number
