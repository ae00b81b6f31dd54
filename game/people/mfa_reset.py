"""Removing the second factors of an account whose owner has lost all of them. It takes two people: one alone could sign
in as another moderator and confirm their own requests."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from django.db import transaction

from accounts.models import User
from game.engine.actions import Refused
from game.moderation import approvals, emails, interventions, permissions
from game.people.revoke_access import shut_out
from game.store.approval_models import SecondOpinion
from game.store.log import Intervention

WHAT = Intervention.TAKE_SECOND_FACTOR


@transaction.atomic
def ask_to_take(*, user_id: int, moderator: User, reason: str) -> SecondOpinion:
    """Ask a second moderator to confirm; nothing happens before that. Raises `Refused`."""
    person = _check(user_id, moderator, reason)
    return approvals.file_request(WHAT, moderator, reason, person=person, arguments={})


@transaction.atomic
def confirm_taking(*, request_id: int, moderator: User | None) -> None:
    """Agree as the second moderator: remove apps, passkeys and recovery codes, end all sessions and tokens, and tell
    the owner. Raises `Refused`."""
    request = approvals.lock_for_approval(request_id=request_id, moderator=moderator)
    if request.what != WHAT or request.person is None or request.asker is None:
        raise Refused("This request is not about second factors.", code="other_request")
    person = _check(request.person.pk, request.asker, request.reason)
    if moderator is not None:
        interventions.check_person(moderator, person)
    approvals.settle(request, moderator, approvals.Answer.CONFIRMED, "confirmed")
    kinds = ", ".join(_kinds(person))
    Authenticator.objects.filter(user=person).delete()
    shut_out(person)
    emails.tell_act(person, emails.FACTORS_REMOVED, reason=request.reason)
    interventions.record(None, request.asker, WHAT, request.reason, user=person.username, factors=kinds)


def _check(user_id: int, moderator: User, reason: str) -> User:
    """The account, if this moderator may have its second factors removed. Raises `Refused`."""
    permissions.check(WHAT, moderator, reason, on=user_id)
    person = User.objects.select_for_update().filter(pk=user_id, is_bot=False, is_active=True).first()
    if person is None:
        raise Refused("There is no open account to act on.", code="no_such_account")
    if person == moderator:
        raise Refused("Your own are on the pages of your account. Ask another moderator.", code="about_you")
    interventions.check_person(moderator, person)
    if not _kinds(person):
        raise Refused(f"{person} has no second factor.", code="nothing_changes")
    return person


def _kinds(person: User) -> list[str]:
    kinds = Authenticator.objects.filter(user=person).values_list("type", flat=True)
    return sorted(str(Authenticator.Type(each).label) for each in kinds)
