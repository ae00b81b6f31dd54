"""Sign-ups with an unconfirmed address: until it is confirmed, whoever knows the password may sign up again with the
correct address."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest

from accounts.login_throttling import count_sign_in
from accounts.models import User
from accounts.names import sought


def unconfirmed() -> QuerySet[User]:
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
    spent = count_sign_in(request, {"username": name})
    if not user.check_password(password) or not unconfirmed().filter(pk=user.pk).exists():
        return None
    for each in spent:
        each.give_back()
    return user


@transaction.atomic
def correct_address(user: User, address: str) -> None:
    """Replace the unconfirmed address; links sent to the former one confirm nothing. An address that was confirmed
    meanwhile stays."""
    own = EmailAddress.objects.select_for_update().filter(user=user)
    if any(each.verified for each in own):
        return
    own.delete()
    user.email = address
    user.save(update_fields=["email"])
    EmailAddress.objects.create(user=user, email=address, primary=True, verified=False)
