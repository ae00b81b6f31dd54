"""Who may sign up under which name and address.

Until an address is confirmed, whoever knows the password may sign up again with the correct one. Addresses of banned
users and of closed accounts are blocked until the ban ends or the account is reopened; names of deleted accounts are
reserved for a year, so that no stranger poses as a former player. Of both only a keyed digest is stored. It outlives
the account, and then identifies nobody."""

from __future__ import annotations

from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.addresses import is_confirmed, mailbox_of
from accounts.models import KeptName, RefusedAddress, User
from accounts.names import digest_of, sought
from accounts.sign_ins import count_sign_in

SALT = "accounts.refusals"
RESERVATION = timedelta(days=365)


def unconfirmed_accounts() -> QuerySet[User]:
    """Accounts with only unconfirmed addresses, to which nobody has ever signed in."""
    own = EmailAddress.objects.filter(user=OuterRef("pk"))
    people = User.objects.filter(is_guest=False, is_bot=False, is_staff=False, last_login=None)
    return people.filter(Exists(own), ~Exists(own.filter(verified=True)))


def own_sign_up(request: HttpRequest, name: str, password: str) -> User | None:
    """The unconfirmed account of this name, if the password is right. A wrong password counts as at sign-in, and is
    checked for every name, so that the answer takes as long for confirmed ones. Raises `limits.TooMany`."""
    user = User.objects.filter(username__iexact=sought(name), is_guest=False, is_bot=False).first()
    if user is None:
        return None
    usages = count_sign_in(request, {"username": name})
    if not user.check_password(password) or not unconfirmed_accounts().filter(pk=user.pk).exists():
        return None
    for each in usages:
        each.refund()
    return user


@transaction.atomic
def correct_address(user: User, address: str) -> None:
    """Replace the unconfirmed address; links sent to the former one confirm nothing. An address that was confirmed
    meanwhile stays."""
    User.objects.select_for_update(no_key=True).filter(pk=user.pk).first()
    own = EmailAddress.objects.select_for_update().filter(user=user)
    if any(each.verified for each in own):
        return
    own.delete()
    user.email = address
    user.save(update_fields=["email"])
    EmailAddress.objects.create(user=user, email=address, primary=True, verified=False)


def block_addresses_of(user: User, until: datetime | None) -> None:
    """Block sign-ups with the confirmed addresses of this account until then, or until they are accepted again;
    includes addresses added since the first call."""
    RefusedAddress.objects.filter(user=user).update(until=until)
    for digest in digests_of(user):
        RefusedAddress.objects.get_or_create(digest=digest, user=user, defaults={"until": until})


def unblock_addresses_of(user: User) -> None:
    """Unblock the addresses of this account, unless another account keeps them blocked."""
    RefusedAddress.objects.filter(user=user).delete()


def is_blocked(address: str) -> bool:
    """True if nobody can sign up with this address now."""
    now = timezone.now()
    blocks = RefusedAddress.objects.filter(Q(until=None) | Q(until__gt=now), digest=digest_of_address(address))
    return blocks.exists()


def delete_expired_blocks() -> int:
    """Delete expired blocks. Returns their number."""
    return RefusedAddress.objects.filter(until__lte=timezone.now()).delete()[0]


def digests_of(user: User) -> set[str]:
    """Digests of the confirmed addresses of an account. Unconfirmed ones may belong to a stranger and are ignored."""
    confirmed = set(EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True))
    return {digest_of_address(address) for address in confirmed | ({user.email} if is_confirmed(user) else set())}


def digest_of_address(address: str) -> str:
    """A digest of an address that is equal for all spellings of one mailbox."""
    return str(salted_hmac(SALT, "@".join(mailbox_of(address)), algorithm="sha256").hexdigest())


def reserve_name(name: str) -> None:
    """Reserve the name of an account that is being deleted."""
    until = timezone.now() + RESERVATION
    KeptName.objects.update_or_create(digest=digest_of(name), defaults={"until": until})


def delete_expired_reservations() -> int:
    """Delete expired reservations. Returns their number."""
    return KeptName.objects.filter(until__lte=timezone.now()).delete()[0]
