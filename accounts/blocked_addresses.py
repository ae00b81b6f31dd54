"""Addresses blocked for sign-up: those of banned users and of closed accounts. A keyed digest of each address is stored
until the ban ends or the account is reopened. It outlives the account, and then identifies nobody."""

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
    """Block sign-ups with the confirmed addresses of this account until then, or until they are accepted again;
    includes addresses added since the first call."""
    RefusedAddress.objects.filter(user=user).update(until=until)
    for digest in digests_of(user):
        RefusedAddress.objects.get_or_create(digest=digest, user=user, defaults={"until": until})


def accept_addresses_of(user: User) -> None:
    """Unblock the addresses of this account, unless another account keeps them blocked."""
    RefusedAddress.objects.filter(user=user).delete()


def is_refused(address: str) -> bool:
    """True if nobody can sign up with this address now."""
    now = timezone.now()
    blocks = RefusedAddress.objects.filter(Q(until=None) | Q(until__gt=now), digest=digest_of(address))
    return blocks.exists()


def forget_ended() -> int:
    """Delete expired blocks. Returns their number."""
    return RefusedAddress.objects.filter(until__lte=timezone.now()).delete()[0]


def digests_of(user: User) -> set[str]:
    """Digests of the confirmed addresses of an account. Unconfirmed ones may belong to a stranger and are ignored."""
    confirmed = set(EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True))
    return {digest_of(address) for address in confirmed | ({user.email} if is_confirmed(user) else set())}


def digest_of(address: str) -> str:
    """The same digest for all spellings of one mailbox."""
    return str(salted_hmac(SALT, "@".join(mailbox_of(address)), algorithm="sha256").hexdigest())
