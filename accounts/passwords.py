"""Minimum length of passwords."""

from __future__ import annotations

from allauth.mfa.utils import is_mfa_enabled
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, ngettext

from accounts.models import User

ALONE, BESIDE_ANOTHER = 12, 8


class LongEnough:
    """Twelve characters, or eight with a second factor."""

    def validate(self, password: str, user: User | None = None) -> None:
        """Raises `ValidationError` if the password is too short."""
        least = _least(user)
        if len(password) < least:
            raise ValidationError(
                ngettext(
                    "A password needs at least {least} character; this one has {length}.",
                    "A password needs at least {least} characters; this one has {length}.",
                    least,
                ).format(least=least, length=len(password)),
                code="password_too_short",
            )

    def get_help_text(self) -> str:
        return ngettext("At least {least} character.", "At least {least} characters.", ALONE).format(least=ALONE)


def asked_of(user: User | None = None) -> str:
    """The hint below the field of a new password."""
    template = gettext("At least {least} characters. Not a common password, your name, or only digits.")
    return template.format(least=_least(user))


def misses(password: str, user: User) -> int:
    """How many characters a password lacks after its second factor was removed; 0 if it is long enough."""
    return max(0, _least(user) - len(password))


def _least(user: User | None) -> int:
    has_account = user is not None and user.pk is not None
    return BESIDE_ANOTHER if has_account and is_mfa_enabled(user) else ALONE
