"""The pages of a user's API tokens: list, create and revoke."""

from __future__ import annotations

from collections.abc import Callable, Collection

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import api_tokens
from accounts.forms import TokenForm
from accounts.models import User


@never_cache
@login_required
@require_safe
def tokens(request: HttpRequest) -> HttpResponse:
    """The list of tokens, each with its permissions."""
    return render(request, "accounts/tokens.html", {"tokens": _list_tokens(_owner(request))})


def make_token(
    request: HttpRequest,
    once: Callable[[HttpRequest, Callable[[], str]], str],
    *,
    user: User,
    games: Collection[tuple[int, str]],
    owner: User | None = None,
) -> HttpResponse:
    """The form for a new token of this account, or of an `owner`'s bot. The token is shown once, in the response;
    `once` shows it again if the same form is resubmitted. `games`: the games to which a token can be restricted."""
    form, context = TokenForm(request.POST or None, games=games), {"bot": user if owner else None}
    if request.method == "POST" and form.is_valid():
        fields = form.cleaned_data

        def make() -> str:
            scopes, only_game = fields["scopes"], fields["game"]
            return api_tokens.issue(
                user=user, owner=owner, name=fields["name"], scopes=scopes, days=fields["days"], only_game=only_game
            )[1]

        try:
            text = once(request, make)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            return render(request, "accounts/token_made.html", context | {"name": fields["name"], "text": text})
    status = 422 if form.errors else 200
    return render(request, "accounts/new_token.html", context | {"form": form}, status=status)


@login_required
@require_POST
def revoke_token(request: HttpRequest, number: int) -> HttpResponse:
    api_tokens.revoke(user=_owner(request), number=number)
    messages.success(request, gettext("The token is revoked."))
    return redirect("bots" if request.POST.get("back") == "bots" else "tokens")


@login_required
@require_POST
def revoke_tokens(request: HttpRequest) -> HttpResponse:
    api_tokens.revoke_all(user=_owner(request))
    messages.success(request, gettext("All tokens are revoked."))
    return redirect("tokens")


def _owner(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _list_tokens(user: User) -> list[dict[str, object]]:
    """The tokens with their permissions as texts."""
    return [
        {"token": token, "may": [api_tokens.SCOPES[scope] for scope in token.scopes]}
        for token in api_tokens.live_tokens(user)
    ]
