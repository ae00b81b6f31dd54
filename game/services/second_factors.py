"""Taking the second factors of an account away, for an owner who has lost every one of them."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from django.db import transaction

from accounts.models import User
from game.engine.actions import Refused
from game.models import Intervention
from game.services import account_letters, moderation

WHAT = Intervention.TAKE_SECOND_FACTOR


@transaction.atomic
def take_away(*, user_id: int, moderator: User, reason: str) -> None:
    """Leave an account with its password alone: apps, passkeys and recovery codes are gone, and the owner is told.
    Raises `Refused`."""
    moderation.check(WHAT, moderator, reason)
    person = User.objects.select_for_update().filter(pk=user_id, is_bot=False, is_active=True).first()
    if person is None:
        raise Refused("There is no open account to act on.", code="no_such_account")
    if person == moderator:
        raise Refused("Your own are on the pages of your account. Ask another moderator.", code="about_you")
    moderation.check_person(moderator, person)
    factors = Authenticator.objects.filter(user=person)
    kinds = sorted(Authenticator.Type(each).label for each in factors.values_list("type", flat=True))
    if not kinds:
        raise Refused(f"{person} has no second factor.", code="nothing_changes")
    factors.delete()
    account_letters.tell_factors_taken(person, moderation.clean(reason))
    moderation.record(None, moderator, WHAT, reason, user=person.username, factors=", ".join(map(str, kinds)))
