"""A person's API tokens: the list, the form of a new one, which is shown once, and revoking them."""

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
    """What programs can use the account, each with what it may do."""
    return render(request, "accounts/tokens.html", {"tokens": _listed(_owner(request))})


def make_token(
    request: HttpRequest,
    once: Callable[[HttpRequest, Callable[[], str]], str],
    *,
    user: User,
    games: Collection[tuple[int, str]],
    owner: User | None = None,
) -> HttpResponse:
    """The form of a new token of this account, which may be a bot of its owner's. Its text is shown once, in the
    response, and by `once` again if the same form is sent again; `games`: those from which one may be chosen, if the
    token is for one alone."""
    form, context = TokenForm(request.POST or None, games=games), {"bot": user if owner else None}
    if request.method == "POST" and form.is_valid():
        asked = form.cleaned_data

        def make() -> str:
            scopes, only = asked["scopes"], asked["game"]
            return api_tokens.issue(
                user=user, owner=owner, name=asked["name"], scopes=scopes, days=asked["days"], only_game=only
            )[1]

        try:
            text = once(request, make)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            return render(request, "accounts/token_made.html", context | {"name": asked["name"], "text": text})
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


def _listed(user: User) -> list[dict[str, object]]:
    """The tokens with what they may do in words."""
    return [
        {"token": token, "may": [api_tokens.SCOPES[scope] for scope in token.scopes]}
        for token in api_tokens.live_tokens(user)
    ]
