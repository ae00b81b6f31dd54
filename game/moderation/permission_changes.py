"""Changing staff status, superuser status, groups and permissions: only superusers can."""

from __future__ import annotations

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
    """Whether a person may grant powers. Only superusers may: anyone else could make themselves one."""
    return moderator.is_superuser and powers.may(WHAT, moderator)


def powers_of(person: User) -> Powers:
    """The account's current powers."""
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
    current = powers_of(person)
    if current == wanted:
        raise Refused("These are the account's powers already: there is nothing to change.", code="nothing_changes")
    person.is_staff, person.is_superuser = wanted.is_staff, wanted.is_superuser
    person.save(update_fields=["is_staff", "is_superuser"])
    person.groups.set(wanted.groups)
    person.user_permissions.set(wanted.permissions)
    before, after = _describe_powers(current), _describe_powers(wanted)
    account_letters.tell_powers(person, after, powers.clean(reason))
    details = {name: f"{before[name]} → {after[name]}" for name in after if before[name] != after[name]}
    keys = {"account": person.pk, "by": moderator.pk}  # they outlive both accounts
    interventions.record(None, moderator, WHAT, reason, user=person.username, **keys, **details)


def _describe_powers(powers: Powers) -> dict[str, str]:
    groups = Group.objects.filter(pk__in=powers.groups).order_by("name").values_list("name", flat=True)
    permissions = Permission.objects.filter(pk__in=powers.permissions).order_by("codename")
    return {
        "staff": _yes_or_no(powers.is_staff),
        "superuser": _yes_or_no(powers.is_superuser),
        "groups": ", ".join(groups) or "none",
        "permissions": ", ".join(permissions.values_list("codename", flat=True)) or "none",
    }


def _yes_or_no(is_so: bool) -> str:
    return "yes" if is_so else "no"
