"""Names of deleted accounts: for a year nobody else takes one, so that no stranger passes for whom others have played
with. Only a keyed digest is kept, of what the name looks like."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from accounts.models import KeptName
from accounts.names import digest_of

KEPT = timedelta(days=365)


def keep(name: str) -> None:
    """Keep a name whose account is being deleted."""
    until = timezone.now() + KEPT
    KeptName.objects.update_or_create(digest=digest_of(name), defaults={"until": until})


def forget_ended() -> int:
    """Delete what has ended; how many there were."""
    return KeptName.objects.filter(until__lte=timezone.now()).delete()[0]
