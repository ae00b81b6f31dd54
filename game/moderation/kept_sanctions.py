"""Silence and “no joining of games” of people who delete their account: they apply to the next account that confirms
one of its addresses. A keyed digest of each address is kept with the decision, without the name, until the decision
applies again or ends."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts import blocked_addresses
from accounts.models import User
from game.moderation import case_letters
from game.moderation.name_erasure import in_place_of_name, whole_name
from game.reputation import sanctions_in_force
from game.store.case_models import KeptSanction, Sanction

OUTLIVE = (Sanction.Kind.MUTE, Sanction.Kind.NO_JOIN)
"""A ban outlives its account, too: nobody signs up with the address."""


def outliving(user: User) -> QuerySet[Sanction]:
    """What would go on, were this account deleted now."""
    return user.sanctions.filter(kind__in=OUTLIVE, lifted_at=None, until__gt=timezone.now())


def keep(user: User, names: Iterable[str]) -> None:
    """Keep what outlives an account that is being deleted, without its names."""
    name = whole_name(names)
    for held in outliving(user):
        kept: dict[str, Any] = {"kind": held.kind, "by": held.by, "at": held.at, "until": held.until}
        reason = name.sub(in_place_of_name(None), held.reason)
        for digest in blocked_addresses.digests_of(user):
            KeptSanction.objects.create(digest=digest, reason=reason, **kept)


@transaction.atomic
def go_on(*, user: User, address: str) -> None:
    """Apply what is kept for an address to the account that has just confirmed it, and tell its owner."""
    digest = blocked_addresses.digest_of(address)
    for kept in KeptSanction.objects.select_for_update().filter(digest=digest, until__gt=timezone.now()):
        told: dict[str, Any] = {"kind": kept.kind, "reason": kept.reason, "by": kept.by}
        told |= {"at": kept.at, "until": kept.until}
        sanction, is_new = Sanction.objects.get_or_create(user=user, **told)
        kept.delete()
        if is_new:
            sanctions_in_force.hold_longest(user, Sanction.Kind(kept.kind))
            case_letters.tell_sanction(sanction)


def forget_ended() -> int:
    """Delete what has ended; how many there were."""
    return KeptSanction.objects.filter(until__lte=timezone.now()).delete()[0]
