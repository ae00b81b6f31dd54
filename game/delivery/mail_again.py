"""Resuming mail about games to addresses that bounced or reported it as spam."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction

from accounts.models import Bounce, User
from game.engine.actions import Refused
from game.moderation import account_letters, interventions, permissions
from game.outbox import deferred
from game.store.log import Intervention

WHAT = Intervention.LIFT_BOUNCE


@transaction.atomic
def lift_bounces(*, numbers: Collection[int], moderator: User, reason: str) -> int:
    """Try these addresses again, all or none. Returns how many there were. Raises `Refused`."""
    permissions.check(WHAT, moderator, reason)
    bounces = list(Bounce.objects.select_for_update().filter(pk__in=numbers).order_by("pk"))
    if not bounces:
        raise Refused("Mail goes to these addresses again already.", code="nothing_changes")
    for bounce in bounces:
        _lift(bounce, moderator, reason)
    return len(bounces)


def _lift(bounce: Bounce, moderator: User, reason: str) -> None:
    """Resume mail to one address. The record names its owner, not the address."""
    person = User.objects.filter(email__iexact=bounce.address).first()
    if person == moderator:
        raise Refused("This is your own address. Ask another moderator.", code="about_you")
    if person is not None:
        interventions.check_person(moderator, person)
    bounce.delete()
    if person is not None:
        deferred.ask_again(user_id=person.pk, came_back=bounce.why == Bounce.Why.UNKNOWN)
        account_letters.tell_mail_again(person, permissions.clean(reason))
    details = {"user": person.username if person else "", "because": bounce.get_why_display()}
    interventions.record(None, moderator, WHAT, reason, **details)
