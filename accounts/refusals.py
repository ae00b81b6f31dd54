"""Addresses for which nobody can sign up until a day: of people who deleted an account while it was banned.

Kept is a keyed digest of each and the day, nothing else; it names nobody and is deleted when the ban would have
ended."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from allauth.account.models import EmailAddress
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.mail import is_confirmed
from accounts.models import RefusedAddress, User

SALT = "accounts.refusals"


def refuse_addresses_of(user: User, until: datetime) -> None:
    """Let nobody sign up with a confirmed address of this account before then. An address that was never confirmed may
    be a stranger's: it is left alone."""
    confirmed = set(EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True))
    for digest in _digests(confirmed | ({user.email} if is_confirmed(user) else set())):
        row, _ = RefusedAddress.objects.get_or_create(digest=digest, defaults={"until": until})
        RefusedAddress.objects.filter(pk=row.pk, until__lt=until).update(until=until)


def is_refused(address: str) -> bool:
    """Whether nobody can sign up with this address now."""
    return RefusedAddress.objects.filter(digest__in=_digests([address]), until__gt=timezone.now()).exists()


def forget_ended() -> int:
    """Delete what has ended; how many there were."""
    return RefusedAddress.objects.filter(until__lte=timezone.now()).delete()[0]


def _digests(addresses: Iterable[str]) -> set[str]:
    """Without what follows a plus: most mail servers put it into the same mailbox."""
    found = set()
    for address in addresses:
        box, _, domain = address.strip().lower().rpartition("@")
        found.add(salted_hmac(SALT, f"{box.partition('+')[0]}@{domain}", algorithm="sha256").hexdigest())
    return found
