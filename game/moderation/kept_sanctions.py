"""Silence and “no joining of games” survive the deletion of an account: they apply to the next account that confirms
one of its addresses. Until then, or until it ends, the decision is stored without a name, by a keyed digest of each
address."""

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
"""Bans need no entry: nobody can sign up with a banned address."""


def outliving(user: User) -> QuerySet[Sanction]:
    """The sanctions that would survive the deletion of this account now."""
    return user.sanctions.filter(kind__in=OUTLIVE, lifted_at=None, until__gt=timezone.now())


def keep(user: User, names: Iterable[str]) -> None:
    """Store the surviving sanctions of an account that is being deleted, without its names."""
    name = whole_name(names)
    for sanction in outliving(user):
        fields: dict[str, Any] = {"kind": sanction.kind, "by": sanction.by, "at": sanction.at, "until": sanction.until}
        reason = name.sub(in_place_of_name(None), sanction.reason)
        for digest in blocked_addresses.digests_of(user):
            KeptSanction.objects.create(digest=digest, reason=reason, **fields)


@transaction.atomic
def go_on(*, user: User, address: str) -> None:
    """Apply the stored sanctions of an address to the account that has just confirmed it, and tell its owner."""
    digest = blocked_addresses.digest_of(address)
    for stored in KeptSanction.objects.select_for_update().filter(digest=digest, until__gt=timezone.now()):
        fields: dict[str, Any] = {"kind": stored.kind, "reason": stored.reason, "by": stored.by}
        fields |= {"at": stored.at, "until": stored.until}
        sanction, is_new = Sanction.objects.get_or_create(user=user, **fields)
        stored.delete()
        if is_new:
            sanctions_in_force.hold_longest(user, Sanction.Kind(stored.kind))
            case_letters.tell_sanction(sanction)


def forget_ended() -> int:
    """Delete ended ones. Returns their number."""
    return KeptSanction.objects.filter(until__lte=timezone.now()).delete()[0]
