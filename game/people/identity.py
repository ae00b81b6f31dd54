"""Changing the name or address of an account, or removing its second factors when the owner has lost all of them: with
a reason, on record, and always telling the owner. A new address and removed factors take two people: one moderator
alone could take over an account, read its hand, or sign in as another moderator and confirm their own requests."""

from __future__ import annotations

from copy import copy
from datetime import timedelta
from typing import Any, NamedTuple

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse

from accounts import addresses
from accounts.emails import queue_email
from accounts.languages import override_language
from accounts.models import User
from game.engine.actions import Refused
from game.moderation import approvals, emails, interventions, permissions
from game.people.account_deletion import revoke_access
from game.store.moderation_models import ApprovalRequest, Intervention

WHAT = Intervention.CHANGE_IDENTITY
NOTICE = "account/email/identity_changed"
VALID_FOR = timedelta(days=7)  # the owner does not expect this email and cannot request it again
REMOVING_FACTORS = Intervention.TAKE_SECOND_FACTOR


class Identity(NamedTuple):
    """The name and address of an account."""

    username: str
    email: str


class Change(NamedTuple):
    """The new name and address of an account, and which of them differ."""

    now: Identity
    changed: list[str]


@transaction.atomic
def change_identity(
    *, user_id: int, moderator: User, reason: str, seen: Identity, wanted: Identity
) -> ApprovalRequest | None:
    """Change the name of an account, or ask a second moderator to confirm a new address: returns that request, of which
    the owner is told at once. `seen` is what the moderator looked at. Raises `Refused`."""
    person = _check(user_id, moderator, reason, seen)
    wanted, changed = _check_change(person, wanted)
    if "email" not in changed:
        _change_account(person, moderator, reason, wanted)
        return None
    arguments = {**_identity_fields(seen, " now"), **_identity_fields(wanted, " wanted")}
    permissions.check_mailbox(arguments, person, moderator)
    request = approvals.file_request(WHAT, moderator, reason, person=person, arguments=arguments)
    emails.email_act(person, emails.ADDRESS_REQUEST, reason=permissions.clean_reason(reason))
    return request


@transaction.atomic
def confirm_new_address(*, request_id: int, moderator: User | None) -> None:
    """Agree to a new address as the second moderator. It is unconfirmed until its owner confirms it; all sessions,
    tokens and password links end. Raises `Refused`."""
    request = approvals.lock_for_approval(request_id=request_id, moderator=moderator)
    if request.what != WHAT or request.person is None or request.asker is None:
        raise Refused("This request is not about an address.", code="other_request")
    seen, wanted = (
        Identity(request.asked[f"name{when}"], request.asked[f"address{when}"]) for when in (" now", " wanted")
    )
    person = _check(request.person.pk, request.asker, request.reason, seen)
    permissions.check_mailbox(request.asked, person, request.asker)
    approvals.settle(request, moderator, approvals.Answer.CONFIRMED, "confirmed")
    _change_account(person, request.asker, request.reason, wanted)


def identity_of(person: User) -> Identity:
    """The current name and address of the account."""
    return Identity(person.username, person.email)


@transaction.atomic
def request_factor_removal(*, user_id: int, moderator: User, reason: str) -> ApprovalRequest:
    """Ask a second moderator to confirm; nothing happens before that. Raises `Refused`."""
    person = _check_second_factors(user_id, moderator, reason)
    return approvals.file_request(REMOVING_FACTORS, moderator, reason, person=person, arguments={})


@transaction.atomic
def confirm_removing_factors(*, request_id: int, moderator: User | None) -> None:
    """Agree as the second moderator: remove apps, passkeys and recovery codes, end all sessions and tokens, and tell
    the owner. Raises `Refused`."""
    request = approvals.lock_for_approval(request_id=request_id, moderator=moderator)
    if request.what != REMOVING_FACTORS or request.person is None or request.asker is None:
        raise Refused("This request is not about second factors.", code="other_request")
    person = _check_second_factors(request.person.pk, request.asker, request.reason)
    approvals.settle(request, moderator, approvals.Answer.CONFIRMED, "confirmed")
    kinds = ", ".join(_kinds(person))
    Authenticator.objects.filter(user=person).delete()
    revoke_access(person)
    emails.email_act(person, emails.FACTORS_REMOVED, reason=request.reason)
    interventions.record(None, request.asker, REMOVING_FACTORS, request.reason, user=person.username, factors=kinds)


def _lock_open(what: Intervention, user_id: int, moderator: User, reason: str) -> User:
    """Lock an open account for a moderator who may do this and has no tie to it. Raises `Refused`."""
    permissions.check(what, moderator, reason, on=[user_id])
    person = User.objects.select_for_update().filter(pk=user_id, is_bot=False, is_guest=False, is_active=True).first()
    if person is None:
        raise Refused("There is no open account to act on.", code="no_such_account")
    permissions.check_ties(moderator, on=person)
    return person


def _check(user_id: int, moderator: User, reason: str, seen: Identity) -> User:
    """The account, if this moderator may change it and it is unchanged since they saw it. Raises `Refused`."""
    person = _lock_open(WHAT, user_id, moderator, reason)
    if identity_of(person) != seen:
        raise interventions.Stale(
            "The account has changed since you opened it, so nothing was done. Check it again before you decide."
        )
    return person


def _check_change(person: User, wanted: Identity) -> Change:
    """The change of the account, validated. Raises `Refused`."""
    current = identity_of(person)
    if wanted.email not in {"", current.email}:
        wanted = wanted._replace(email=_normalize_address(wanted.email))
    changed = [field for field in Identity._fields if getattr(current, field) != getattr(wanted, field)]
    if not changed:
        raise Refused(
            "This is the account's name and address already: there is nothing to change.", code="nothing_changes"
        )
    if not wanted.email and "email" in changed:
        raise Refused(
            "An address can be replaced, not removed: without one the owner could not be told, or set a new password.",
            code="address_missing",
            field="email",
        )
    new = copy(person)
    new.username, new.email = wanted
    unchanged = {field.name for field in User._meta.get_fields()}.difference(changed)
    try:
        new.full_clean(exclude=unchanged)
    except ValidationError as error:
        raise Refused(" ".join(error.messages), code="wrong_value") from error
    if "email" in changed and EmailAddress.objects.filter(email__iexact=new.email).exclude(user=person).exists():
        raise Refused("That address already has an account.", code="address_taken", field="email")
    return Change(identity_of(new), changed)


def _normalize_address(address: str) -> str:
    try:
        return addresses.clean_address(address)
    except ValidationError as error:
        raise Refused(" ".join(error.messages), code="wrong_value", field="email") from error


def _change_account(person: User, moderator: User, reason: str, wanted: Identity) -> None:
    former, (current, changed) = identity_of(person), _check_change(person, wanted)
    person.username, person.email = current
    person.save(update_fields=changed)
    if "email" in changed:
        _replace_address(person)
    with override_language(person.language):
        _notify(person, former, reason, changed)
    details = {
        "account": person.pk,
        "user": former.username,
        "to": person.username,
        "address": "changed" if "email" in changed else "",
    }
    interventions.record(None, moderator, WHAT, reason, **details)


def _replace_address(person: User) -> None:
    """Store the new address alone, unconfirmed. Password links contain a digest of the addresses, so they become
    void."""
    EmailAddress.objects.filter(user=person).delete()
    EmailAddress.objects.create(user=person, email=person.email, primary=True, verified=False)
    revoke_access(person)


def _notify(person: User, former: Identity, reason: str, changed: list[str]) -> None:
    """Tell the owner at both addresses; the old one does not learn the new one, since it may be compromised."""
    context: dict[str, Any] = {
        "was": former,
        "now": identity_of(person),
        "reason": permissions.clean_reason(reason),
        "changed": changed,
    }
    if former.email:
        _send(former.email, context)
    if "email" in changed:
        address = EmailAddress.objects.get(user=person)
        link = settings.SITE_URL + reverse("account_confirm_email", args=[EmailConfirmationHMAC.create(address).key])
        _send(person.email, {**context, "activate_url": link})


def _send(address: str, context: dict[str, Any]) -> None:
    queue_email(get_adapter().render_mail(NOTICE, address, context), valid_for=VALID_FOR)


def _identity_fields(identity: Identity, when: str) -> dict[str, str]:
    """An identity as fields of a request, which its page shows as they are."""
    return {f"name{when}": identity.username, f"address{when}": identity.email}


def _check_second_factors(user_id: int, moderator: User, reason: str) -> User:
    """The account, if this moderator may have its second factors removed. Raises `Refused`."""
    person = _lock_open(REMOVING_FACTORS, user_id, moderator, reason)
    if not _kinds(person):
        raise Refused(f"{person} has no second factor.", code="nothing_changes")
    return person


def _kinds(person: User) -> list[str]:
    kinds = Authenticator.objects.filter(user=person).values_list("type", flat=True)
    return sorted(str(Authenticator.Type(each).label) for each in kinds)
