"""Addresses that cannot be used to sign up: those of banned people and of closed accounts. A keyed digest of each
address is kept until the ban ends or the account is open again. It is kept even if the owner deletes the account, and
then names no one."""

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
    """Refuse sign-ups with confirmed addresses of this account until then, or until they are accepted again; also those
    that it had since it was refused first."""
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
    """The confirmed addresses of an account. One that was never confirmed may belong to a stranger, so it is
    ignored."""
    confirmed = set(EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True))
    return {digest_of(address) for address in confirmed | ({user.email} if is_confirmed(user) else set())}


def digest_of(address: str) -> str:
    """One for all spellings that lead to the same mailbox."""
    return str(salted_hmac(SALT, "@".join(mailbox_of(address)), algorithm="sha256").hexdigest())
