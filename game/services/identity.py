"""Changing the name or the address of an account: with a reason, recorded, and never without telling the
owner."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, NamedTuple

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse

from accounts.languages import speaking
from accounts.models import User
from accounts.post import keep
from accounts.sessions import end_sessions
from game.engine.actions import Refused
from game.models import Intervention
from game.services import moderation

NOTICE = "account/email/identity_changed"
TOLD_WITHIN = timedelta(days=7)  # nobody asks again for a mail that they do not know of


class Identity(NamedTuple):
    """What an account goes by."""

    username: str
    email: str


@transaction.atomic
def change_identity(*, user_id: int, moderator: User, reason: str, seen: Identity, wanted: Identity) -> None:
    """Give an account another name, another address or both; `seen` is what the moderator looked at. Raises `Refused`.

    A new address counts once its owner has confirmed it; everyone who is signed in or has a password link is
    out."""
    moderation.check(Intervention.CHANGE_IDENTITY, moderator, reason)
    person = User.objects.select_for_update().filter(pk=user_id, is_bot=False, is_active=True).first()
    if person is None:
        raise Refused("There is no open account to change.", code="no_such_account")
    if person == moderator:
        raise Refused(
            "Your own address is changed on the pages of your account; for your name ask another moderator.",
            code="protected_account",
        )
    moderation.check_person(moderator, person)
    was = identity_of(person)
    if was != seen:
        raise moderation.Stale(
            "The account has changed since you opened it, so nothing was done. Check it again before you decide."
        )
    changed = [field for field in Identity._fields if getattr(was, field) != getattr(wanted, field)]
    _rename(person, wanted, changed)
    if "email" in changed:
        _move(person)
    with speaking(person.language):
        _notify(person, was, reason, changed)
    details = {
        "account": person.pk,
        "user": was.username,
        "to": person.username,
        "address": "changed" if "email" in changed else "",
    }
    moderation.record(None, moderator, Intervention.CHANGE_IDENTITY, reason, **details)


def identity_of(person: User) -> Identity:
    """What the account goes by now."""
    return Identity(person.username, person.email)


def _rename(person: User, wanted: Identity, changed: list[str]) -> None:
    if not changed:
        raise Refused(
            "This is the account's name and address already: there is nothing to change.", code="nothing_changes"
        )
    if not wanted.email and "email" in changed:
        raise Refused(
            "An address is replaced, not taken away: without one nobody could be told, or set a new password.",
            code="address_missing",
            field="email",
        )
    person.username, person.email = wanted
    kept = {field.name for field in User._meta.get_fields()}.difference(changed)
    try:
        person.full_clean(exclude=kept)
    except ValidationError as error:
        raise Refused(" ".join(error.messages), code="wrong_value") from error
    if "email" in changed and EmailAddress.objects.filter(email__iexact=person.email).exclude(user=person).exists():
        raise Refused("That address already has an account.", code="address_taken", field="email")
    person.save(update_fields=changed)


def _move(person: User) -> None:
    """Only the new address is left, unconfirmed. Links for a new password carry a digest of the addresses, so they are
    void too."""
    EmailAddress.objects.filter(user=person).delete()
    EmailAddress.objects.create(user=person, email=person.email, primary=True, verified=False)
    end_sessions(person)


def _notify(person: User, was: Identity, reason: str, changed: list[str]) -> None:
    """Tell the owner at both addresses; the old one is not told the new one, which it may have been lost to."""
    told: dict[str, Any] = {
        "was": was,
        "now": identity_of(person),
        "reason": moderation.clean(reason),
        "changed": changed,
    }
    if was.email:
        _send(was.email, told)
    if "email" in changed:
        address = EmailAddress.objects.get(user=person)
        link = settings.SITE_URL + reverse("account_confirm_email", args=[EmailConfirmationHMAC.create(address).key])
        _send(person.email, {**told, "activate_url": link})


def _send(address: str, context: dict[str, Any]) -> None:
    keep(get_adapter().render_mail(NOTICE, address, context), valid_for=TOLD_WITHIN)
