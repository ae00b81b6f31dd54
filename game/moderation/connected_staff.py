"""Moderators connected by role changes: a superuser may have made an account staff only to confirm their own
requests."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from game.store.log import Intervention, ModeratorAction

TIED_FOR = timedelta(days=30)


def tied_to(person: User) -> set[int]:
    """Staff connected by role changes in the last 30 days, directly or through others. They count as one person for
    two-person approval."""
    changes = ModeratorAction.objects.filter(verb=Intervention.CHANGE_POWERS, at__gt=timezone.now() - TIED_FOR)
    keys = changes.values_list("details__by", "user_id", "details__account")
    ties = [{recorded or by, on} for recorded, by, on in keys if (recorded or by) and on]
    connected = {person.pk}
    while overlapping := [tie for tie in ties if tie & connected and not tie <= connected]:
        connected.update(*overlapping)
    return connected - {person.pk}
