"""Addresses with which nobody can sign up: of people who are banned, and of closed accounts.

Kept is a keyed digest of each address until the ban ends or the account is open again. It outlives an account that its
owner deletes, and names nobody then."""

from __future__ import annotations

from datetime import datetime

from allauth.account.models import EmailAddress
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.mail import is_confirmed, mailbox_of
from accounts.models import RefusedAddress, User

SALT = "accounts.refusals"


def refuse_addresses_of(user: User, until: datetime | None) -> None:
    """Let nobody sign up with a confirmed address of this account before then, or before it is accepted again; nor with
    one that it had since it was refused first."""
    RefusedAddress.objects.filter(user=user).update(until=until)
    for digest in digests_of(user):
        RefusedAddress.objects.get_or_create(digest=digest, user=user, defaults={"until": until})


def accept_addresses_of(user: User) -> None:
    """Let the addresses of this account be used again, as far as no other account keeps them refused."""
    RefusedAddress.objects.filter(user=user).delete()


def is_refused(address: str) -> bool:
    """Whether nobody can sign up with this address now."""
    now = timezone.now()
    held = RefusedAddress.objects.filter(Q(until=None) | Q(until__gt=now), digest=digest_of(address))
    return held.exists()


def forget_ended() -> int:
    """Delete what has ended; how many there were."""
    return RefusedAddress.objects.filter(until__lte=timezone.now()).delete()[0]


def digests_of(user: User) -> set[str]:
    """Of the confirmed addresses of an account. One that was never confirmed may be a stranger's: it is left alone."""
    confirmed = set(EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True))
    return {digest_of(address) for address in confirmed | ({user.email} if is_confirmed(user) else set())}


def digest_of(address: str) -> str:
    """One for all spellings that lead to the same mailbox."""
    return str(salted_hmac(SALT, "@".join(mailbox_of(address)), algorithm="sha256").hexdigest())
