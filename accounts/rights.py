"""Compares rights: moderators cannot act on an account with more rights than their own."""

from django.contrib.auth.models import Permission
from django.db.models import Q

from accounts.models import User


def has_more_rights(person: User, *, than: User) -> bool:
    """True if a user has a right that the other lacks; a closed account counts with the rights it would have if it were
    reopened."""
    if than.is_superuser:
        return False
    if person.is_superuser or (person.is_staff and not than.is_staff):
        return True
    return bool(_permissions_of(person) - _permissions_of(than))


def _permissions_of(person: User) -> set[int]:
    permissions = Permission.objects.filter(Q(user=person) | Q(group__user=person))
    return set(permissions.values_list("pk", flat=True))
