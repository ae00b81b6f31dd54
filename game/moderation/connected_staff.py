"""Which moderators got their powers from whom: a superuser may have made an account staff only to confirm their own
requests."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from game.store.log import Intervention, ModeratorAction

TIED_FOR = timedelta(days=30)


def tied_to(person: User) -> set[int]:
    """Whose powers this person changed within thirty days, who changed theirs, and so on from each of them: together
    they count as one person."""
    changes = ModeratorAction.objects.filter(verb=Intervention.CHANGE_POWERS, at__gt=timezone.now() - TIED_FOR)
    ties = [{by, on} for by, on in changes.values_list("user_id", "details__account") if by and on]
    tied = {person.pk}
    while grown := [tie for tie in ties if tie & tied and not tie <= tied]:
        tied.update(*grown)
    return tied - {person.pk}
