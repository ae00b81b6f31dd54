"""API tokens: created on a page, shown once and stored as digests."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection
from datetime import timedelta
from typing import Any
from zlib import crc32

from allauth.account.signals import password_reset
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.addresses import is_confirmed
from accounts.emails import queue_email
from accounts.languages import override_language
from accounts.limits import most_of
from accounts.models import ApiToken, User

TEXT_PREFIX = "sat_"  # lets people and secret scanners recognise a token
PREFIX_LENGTH = 10  # leading characters that the owner recognises it by
LIFETIMES = {30: _("30 days"), 90: _("90 days"), 365: _("A year")}
READ, PLAY, MANAGE, WEBHOOKS = "read", "play", "manage", "webhooks"
SCOPES = {
    READ: _("See what my seats see"),
    PLAY: _("Play at my seats, and write in their chat"),
    MANAGE: _("Create, join, start and leave games for me"),
    WEBHOOKS: _("Make, change and remove my webhooks"),
}
"""No scope covers the address, the password, moderation or closing the account."""


def issue(
    *,
    user: User,
    name: str,
    scopes: Collection[str],
    days: int,
    owner: User | None = None,
    only_game: int | None = None,
) -> tuple[ApiToken, str]:
    """A new token and its text, which is not stored. The owner is notified by email; for a bot's token that is the
    `owner` of the bot. `only_game` restricts it to one game. Raises `ValidationError`."""
    text = _new_text()
    if only_game is not None and WEBHOOKS in scopes:
        raise ValidationError(
            gettext("Webhooks get messages about all your games: a token for one game cannot change them.")
        )
    with transaction.atomic():
        is_open = User.objects.select_for_update(no_key=True).get(pk=user.pk).is_active  # serializes requests, too
        if not is_open:
            raise ValidationError(gettext("This account is closed."))
        if user.is_guest or (user.is_bot and owner is None):
            raise ValidationError(gettext("Only people with an account can have tokens."))
        if live_tokens(user).count() >= (most := most_of("tokens")):
            raise ValidationError(gettext("You have %(most)s tokens, the maximum. Revoke one first.") % {"most": most})
        token = ApiToken.objects.create(
            user=user,
            name=name,
            prefix=text[:PREFIX_LENGTH],
            digest=_digest(text),
            scopes=[scope for scope in SCOPES if scope in scopes],
            only_game=only_game,
            expires_at=timezone.now() + timedelta(days=days),
        )
        _email_owner(owner or user, token)
    return token, text


def live_tokens(user: User) -> Any:
    """The valid tokens of a user; deletes expired ones."""
    user.api_tokens.filter(expires_at__lte=timezone.now()).delete()
    return user.api_tokens.all()


def digest_of_token(text: str) -> str:
    """The digest to look a token up by; empty if the text cannot be one of our tokens, for example a mistyped one."""
    return _digest(text) if _is_whole(text) else ""


def note_use(token: ApiToken) -> None:
    """Record the day of use: one write a day, and no log of the times at which a user was here."""
    today = timezone.now().date()
    if token.used_on != today:
        token.used_on = today
        ApiToken.objects.filter(pk=token.pk).update(used_on=today)


def is_live(token: ApiToken) -> bool:
    """False if the token was revoked, or its account closed, since it was read."""
    return ApiToken.objects.filter(pk=token.pk, user__is_active=True).exists()


def revoke(*, user: User, number: int) -> None:
    """Revoke one token of a user or of their bots, if it still exists."""
    _revoke(_tokens_with_bots(user).filter(pk=number))


def revoke_all(*, user: User) -> None:
    """Revoke all tokens of a user, but none of their bots."""
    _revoke(ApiToken.objects.filter(user=user))


def revoke_with_bots(*, user: User) -> None:
    """Revoke all tokens of a user and of their bots: an intruder may have created them."""
    _revoke(_tokens_with_bots(user))


@transaction.atomic
def _revoke(tokens: QuerySet[ApiToken]) -> None:
    """Delete tokens with their accounts locked: what they ask for comes before, or finds them revoked."""
    owners = User.objects.filter(pk__in=tokens.values("user"))
    list(owners.select_for_update(no_key=True).order_by("pk").values_list("pk"))
    tokens.delete()


def count_with_bots(*, user: User) -> int:
    """The number of valid tokens of a user and their bots."""
    return _tokens_with_bots(user).filter(expires_at__gt=timezone.now()).count()


def connect() -> None:
    """Revoke tokens on a password reset: the user may have lost more than the password."""
    password_reset.connect(_password_was_reset, dispatch_uid="api_tokens_password_reset")


def _password_was_reset(*, user: User, **_: Any) -> None:
    revoke_with_bots(user=user)


def _tokens_with_bots(user: User) -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(Q(user=user) | Q(user__bot_account__owner=user))


def _new_text() -> str:
    body = TEXT_PREFIX + secrets.token_urlsafe(32)
    return body + _checksum(body)


def _is_whole(text: str) -> bool:
    body, check = text[:-8], text[-8:]
    return text.startswith(TEXT_PREFIX) and text.isascii() and secrets.compare_digest(check, _checksum(body))


def _checksum(body: str) -> str:
    return f"{crc32(body.encode()):08x}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _email_owner(user: User, token: ApiToken) -> None:
    """The owner notices a token that somebody else created."""
    if not is_confirmed(user):
        return
    with override_language(user.language):
        permissions = [str(SCOPES[scope]) for scope in token.scopes]
        if token.only_game is not None:
            permissions.append(gettext("all this only in game %(game)s") % {"game": token.only_game})
        text = gettext(
            "Hello %(name)s,\n\nA new API token, “%(token)s”, was made for your account. It allows a program to:\n"
            "%(scopes)s\n\nIf that was not you, revoke it here and change your password:\n%(url)s\n"
        ) % {
            "name": user.username,
            "token": token.name,
            "scopes": "\n".join(f"- {permission}" for permission in permissions),
            "url": settings.SITE_URL + reverse("tokens"),
        }
        subject = gettext("A new API token for your account")
        queue_email(EmailMessage(subject, text, to=[user.email]))
