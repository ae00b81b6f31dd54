"""Authentication by the token in the header. Cookies are ignored."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts import api_tokens
from accounts.models import ApiToken, User
from game.engine.language import say
from game.infra.compiled import CompiledQuery
from game.moderation import emails
from game.store import account_locks

SCHEME = "bearer"


def text_in(header: str) -> str:
    """The token in an `Authorization` header, regardless of case and spaces; empty if there is none."""
    scheme, _, text = header.partition(" ")
    return text.strip() if scheme.lower() == SCHEME else ""


def find_token(text: str) -> ApiToken | None:
    """The token with this text and its owner; None if it has expired, was revoked, or its account is closed."""
    digest = api_tokens.digest_of_token(text)
    token = _tokens.first(digest) if digest else None
    if token is None or token.expires_at <= timezone.now():
        return None
    return token if token.user.is_active and not token.user.is_guest else None


_tokens = CompiledQuery(lambda digest: ApiToken.objects.select_related("user").filter(digest=digest))


def unknown_token() -> AuthenticationFailed:
    return AuthenticationFailed(say("This token is not known: it may have expired or been revoked."))


class TokenAuthentication(BaseAuthentication):
    """Reads `Authorization: Bearer sat_…`; tokens are never part of an address."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        header = request.headers.get("Authorization", "")
        if not header:
            return None
        token = find_token(text_in(header))
        if token is None:
            raise unknown_token()
        if (ban := account_locks.ban_of(token.user)) is not None:
            raise AuthenticationFailed(emails.sanction_words(ban))
        api_tokens.note_use(token)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
