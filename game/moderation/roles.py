"""The staff's roles with the interventions of each, which `migrate` writes as Django groups, and changing the powers of
one account, which only superusers may."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models import Q

from accounts.models import User
from game.engine.actions import Refused
from game.moderation import emails, interventions, permissions
from game.store.moderation_models import Intervention

_HELPER = (
    Intervention.PAUSE, Intervention.RESUME, Intervention.EXTEND_DEADLINE, Intervention.EXCUSE_MISS,
    Intervention.REMOVE_MESSAGE, Intervention.SILENCE, Intervention.CLOSE_REPORT, Intervention.HANDLE_CASES,
    Intervention.WARN,
)  # fmt: skip
_MODERATOR = (
    *_HELPER, Intervention.RESOLVE_NOW, Intervention.HOLD, Intervention.RETRY, Intervention.HAND_SEAT_TO_BOT,
    Intervention.HAND_SEAT_TO_USER, Intervention.SET_PROXY, Intervention.END_PROXY,
    Intervention.REWIND_TO, Intervention.RESTORE_FROM_LOG, Intervention.REMOVE_TABLE,
    Intervention.APPLY_RERUN, Intervention.CORRECT_MONEY,
    Intervention.CHANGE_IDENTITY, Intervention.BAR_FROM_JOINING, Intervention.BAN, Intervention.LIFT_SANCTION,
    Intervention.READ_SECRETS, Intervention.EXPORT_BUNDLE, Intervention.COMPARE_PLAYERS,
    Intervention.LINK_PLAYERS, Intervention.LIFT_BOUNCE,
)  # fmt: skip
ROLES: dict[str, frozenset[Intervention]] = {
    "helper": frozenset(_HELPER),
    "moderator": frozenset(_MODERATOR),
    "admin": frozenset(Intervention) - {Intervention.CHANGE_POWERS},
}
"""Each role includes the one before it. Only superusers change powers."""
LISTS_BY_ROLE: dict[str, tuple[str, ...]] = {
    "helper": ("accounts.view_user",),
    "moderator": ("accounts.view_user", "accounts.view_bounce", "game.can_see_hints"),
    "admin": ("accounts.view_user", "accounts.view_bounce", "game.can_see_hints"),
}
"""Lists of accounts that each role can open."""
LISTS = {
    "accounts.view_user": "see the list of accounts: name, date of joining, powers",
    "accounts.view_bounce": "see the addresses that mail came back from",
    "game.can_see_hints": "see hints that two accounts belong to one person",
}
"""Descriptions of these lists."""
WHAT = Intervention.CHANGE_POWERS


class Powers(NamedTuple):
    """The powers of an account at the desk: groups and permissions by their keys."""

    is_staff: bool
    is_superuser: bool
    groups: frozenset[int]
    permissions: frozenset[int]


def write_groups() -> None:
    """Write the groups of this table and leave other groups alone. Called after every `migrate`."""
    own_permissions = Q(codename__startswith="can_", content_type__app_label="game") | Q(
        content_type__app_label="accounts"
    )
    rows = Permission.objects.filter(own_permissions).values_list("pk", "content_type__app_label", "codename")
    permission_ids = {f"{label}.{codename}": pk for pk, label, codename in rows}
    for name, allowed in ROLES.items():
        names = {*(each.permission for each in allowed), *LISTS_BY_ROLE[name]}
        group, _ = Group.objects.get_or_create(name=name)
        group.permissions.set([permission_ids[each] for each in names if each in permission_ids])


def as_markdown() -> Iterator[str]:
    """The table of `docs/moderation.md`, line by line."""
    yield "| Intervention | " + " | ".join(ROLES) + " |"
    yield "|---" * (len(ROLES) + 1) + "|"
    for each in Intervention:
        yield f"| {each.label} (`{each.value}`) | {_yes_cells(each in allowed for allowed in ROLES.values())} |"
    for permission, words in LISTS.items():
        yield f"| {words} (`{permission}`) | {_yes_cells(permission in LISTS_BY_ROLE[role] for role in ROLES)} |"


def may_change(moderator: User) -> bool:
    """True if a person may grant powers. Only superusers may: anyone else could make themselves one."""
    return moderator.is_superuser and permissions.may(WHAT, moderator)


def powers_of(person: User) -> Powers:
    keys = (frozenset(rows.values_list("pk", flat=True)) for rows in (person.groups, person.user_permissions))
    return Powers(person.is_staff, person.is_superuser, *keys)


@transaction.atomic
def change_powers(*, user_id: int, moderator: User, reason: str, wanted: Powers) -> None:
    """Give an account these powers and no others, and tell its owner. Raises `Refused`."""
    permissions.check(WHAT, moderator, reason, on=[user_id])
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
    emails.email_powers(person, after, permissions.clean_reason(reason))
    details = {name: f"{before[name]} → {after[name]}" for name in after if before[name] != after[name]}
    keys = {"account": person.pk, "by": moderator.pk}  # they outlive both accounts
    interventions.record(None, moderator, WHAT, reason, user=person.username, **keys, **details)


def _yes_cells(allowed: Iterable[bool]) -> str:
    return " | ".join("yes" if may else "" for may in allowed)


def _describe_powers(powers: Powers) -> dict[str, str]:
    groups = Group.objects.filter(pk__in=powers.groups).order_by("name").values_list("name", flat=True)
    codenames = Permission.objects.filter(pk__in=powers.permissions).order_by("codename")
    return {
        "staff": "yes" if powers.is_staff else "no",
        "superuser": "yes" if powers.is_superuser else "no",
        "groups": ", ".join(groups) or "none",
        "permissions": ", ".join(codenames.values_list("codename", flat=True)) or "none",
    }
