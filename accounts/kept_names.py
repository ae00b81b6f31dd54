"""Names of deleted accounts are reserved for a year, so that no stranger poses as a former player. Only a keyed digest
of the name's look is stored."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from accounts.models import KeptName
from accounts.names import digest_of

RESERVATION = timedelta(days=365)


def keep(name: str) -> None:
    """Reserve the name of an account that is being deleted."""
    until = timezone.now() + RESERVATION
    KeptName.objects.update_or_create(digest=digest_of(name), defaults={"until": until})


def forget_ended() -> int:
    """Delete expired reservations. Returns their number."""
    return KeptName.objects.filter(until__lte=timezone.now()).delete()[0]
