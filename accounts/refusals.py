"""Addresses for which nobody can sign up until a day: of people who deleted an account while it was banned.

Kept is a keyed digest of each and the day, nothing else; it names nobody and is deleted when the ban would have
ended."""

from __future__ import annotations

from datetime import datetime

from allauth.account.models import EmailAddress
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.mail import is_confirmed
from accounts.models import RefusedAddress, User

SALT = "accounts.refusals"


def refuse_addresses_of(user: User, until: datetime) -> None:
    """Let nobody sign up with a confirmed address of this account before then."""
    for digest in digests_of(user):
        row, _ = RefusedAddress.objects.get_or_create(digest=digest, defaults={"until": until})
        RefusedAddress.objects.filter(pk=row.pk, until__lt=until).update(until=until)


def is_refused(address: str) -> bool:
    """Whether nobody can sign up with this address now."""
    return RefusedAddress.objects.filter(digest=digest_of(address), until__gt=timezone.now()).exists()


def forget_ended() -> int:
    """Delete what has ended; how many there were."""
    return RefusedAddress.objects.filter(until__lte=timezone.now()).delete()[0]


def digests_of(user: User) -> set[str]:
    """Of the confirmed addresses of an account. One that was never confirmed may be a stranger's: it is left alone."""
    confirmed = set(EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True))
    return {digest_of(address) for address in confirmed | ({user.email} if is_confirmed(user) else set())}


def digest_of(address: str) -> str:
    """Without what follows a plus: most mail servers put it into the same mailbox."""
    box, _, domain = address.strip().lower().rpartition("@")
    return str(salted_hmac(SALT, f"{box.partition('+')[0]}@{domain}", algorithm="sha256").hexdigest())
