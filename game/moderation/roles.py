"""The staff's roles and the interventions each may do. `migrate` writes them as Django groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.contrib.auth.models import Group, Permission
from django.db.models import Q

from game.store.log import Intervention

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

SEES: dict[str, tuple[str, ...]] = {
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


def set_up() -> None:
    """Write the groups of this table and leave other groups alone. Called after every `migrate`."""
    own_permissions = Q(codename__startswith="can_", content_type__app_label="game") | Q(
        content_type__app_label="accounts"
    )
    rows = Permission.objects.filter(own_permissions).values_list("pk", "content_type__app_label", "codename")
    permission_ids = {f"{label}.{codename}": pk for pk, label, codename in rows}
    for name, interventions in ROLES.items():
        names = {*(each.permission for each in interventions), *SEES[name]}
        group, _ = Group.objects.get_or_create(name=name)
        group.permissions.set([permission_ids[each] for each in names if each in permission_ids])


def as_markdown() -> Iterator[str]:
    """The table of `docs/moderation.md`, line by line."""
    yield "| Intervention | " + " | ".join(ROLES) + " |"
    yield "|---" * (len(ROLES) + 1) + "|"
    for each in Intervention:
        yield f"| {each.label} (`{each.value}`) | {_yes_cells(each in allowed for allowed in ROLES.values())} |"
    for permission, words in LISTS.items():
        yield f"| {words} (`{permission}`) | {_yes_cells(permission in SEES[role] for role in ROLES)} |"


def _yes_cells(allowed: Iterable[bool]) -> str:
    return " | ".join("yes" if may else "" for may in allowed)
