"""The roles of the staff: which interventions each of them may do. `migrate` writes them as Django's groups."""

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
"""Who may do what, in one place; each role may do all that the one before it may. Powers are changed by superusers
alone."""

SEES: dict[str, tuple[str, ...]] = {
    "helper": ("accounts.view_user",),
    "moderator": ("accounts.view_user", "accounts.view_bounce", "game.can_see_hints"),
    "admin": ("accounts.view_user", "accounts.view_bounce", "game.can_see_hints"),
}
"""Which lists of accounts a role opens besides."""
LISTS = {
    "accounts.view_user": "see the list of accounts: name, date of joining, powers",
    "accounts.view_bounce": "see the addresses that mail came back from",
    "game.can_see_hints": "see hints that two accounts belong to one person",
}
"""What each of these lists shows."""


def set_up() -> None:
    """Make the groups as the table says; other groups are left alone. Called after every `migrate`."""
    ours = Q(codename__startswith="can_", content_type__app_label="game") | Q(content_type__app_label="accounts")
    rows = Permission.objects.filter(ours).values_list("pk", "content_type__app_label", "codename")
    known = {f"{label}.{codename}": pk for pk, label, codename in rows}
    for name, interventions in ROLES.items():
        names = {*(each.permission for each in interventions), *SEES[name]}
        group, _ = Group.objects.get_or_create(name=name)
        group.permissions.set([known[each] for each in names if each in known])


def as_markdown() -> Iterator[str]:
    """The table of `docs/moderation.md`, line by line."""
    yield "| Intervention | " + " | ".join(ROLES) + " |"
    yield "|---" * (len(ROLES) + 1) + "|"
    for each in Intervention:
        yield f"| {each.label} (`{each.value}`) | {_marks(each in allowed for allowed in ROLES.values())} |"
    for permission, words in LISTS.items():
        yield f"| {words} (`{permission}`) | {_marks(permission in SEES[role] for role in ROLES)} |"


def _marks(allowed: Iterable[bool]) -> str:
    return " | ".join("yes" if may else "" for may in allowed)
