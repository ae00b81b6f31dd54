"""Making a person staff or a superuser, putting them into groups, and undoing it: only superusers can."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from django.contrib.auth.models import Group, Permission
from django.db import transaction

from accounts.models import User
from game.engine.actions import Refused
from game.moderation import account_letters, interventions
from game.moderation import permissions as powers
from game.store.log import Intervention

WHAT = Intervention.CHANGE_POWERS


class Powers(NamedTuple):
    """What an account may do at the desk; groups and permissions by their keys."""

    is_staff: bool
    is_superuser: bool
    groups: frozenset[int]
    permissions: frozenset[int]


def may_change(moderator: User) -> bool:
    """Whether a person may grant powers: anyone else who could would be able to make themselves a superuser."""
    return moderator.is_superuser and powers.may(WHAT, moderator)


def powers_of(person: User) -> Powers:
    """What the account may do now."""
    groups, permissions = (rows.values_list("pk", flat=True) for rows in (person.groups, person.user_permissions))
    return Powers(person.is_staff, person.is_superuser, frozenset(groups), frozenset(permissions))


@transaction.atomic
def change_powers(*, user_id: int, moderator: User, reason: str, wanted: Powers) -> None:
    """Give an account these powers and no others, and tell its owner. Raises `Refused`."""
    powers.check(WHAT, moderator, reason, on=user_id)
    if not may_change(moderator):
        raise Refused("Only a superuser can change powers.", code="no_permission")
    person = User.objects.select_for_update().filter(pk=user_id, is_bot=False, is_guest=False).first()
    if person is None:
        raise Refused("There is no account to act on.", code="no_such_account")
    if person == moderator:
        raise Refused("This is about you. Ask another superuser.", code="about_you")
    was = powers_of(person)
    if was == wanted:
        raise Refused("These are the account's powers already: there is nothing to change.", code="nothing_changes")
    person.is_staff, person.is_superuser = wanted.is_staff, wanted.is_superuser
    person.save(update_fields=["is_staff", "is_superuser"])
    person.groups.set(wanted.groups)
    person.user_permissions.set(wanted.permissions)
    before, after = _named(was), _named(wanted)
    account_letters.tell_powers(person, after, powers.clean(reason))
    changed = {name: f"{before[name]} → {after[name]}" for name in after if before[name] != after[name]}
    interventions.record(None, moderator, WHAT, reason, user=person.username, account=person.pk, **changed)


def _named(powers: Powers) -> dict[str, str]:
    groups = Group.objects.filter(pk__in=powers.groups).order_by("name").values_list("name", flat=True)
    return {
        "staff": _yes(powers.is_staff),
        "superuser": _yes(powers.is_superuser),
        "groups": ", ".join(groups) or "none",
        "permissions": ", ".join(_codes(powers.permissions)) or "none",
    }


def _codes(permissions: Collection[int]) -> list[str]:
    rows = Permission.objects.filter(pk__in=permissions).order_by("codename")
    return list(rows.values_list("codename", flat=True))


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"
