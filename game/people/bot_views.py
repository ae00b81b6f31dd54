"""A person's bots: list, create, change and delete them; new tokens for a bot or oneself."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.token_pages import make_token
from game.bots import accounts
from game.engine.actions import Refused
from game.engine.language import say
from game.infra.once import made_once
from game.people import account_deletion
from game.people.bot_forms import BotForm, bots_context, games_of
from game.store.bot_models import BotAccount


@never_cache
@login_required
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The owner's bots and what each takes part in."""
    return render(request, "accounts/bots.html", bots_context(_owner(request)))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_bot(request: HttpRequest) -> HttpResponse:
    """Create a bot; an invalid name is 422, with the reason."""
    form = BotForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        name = form.cleaned_data["name"]

        def make() -> None:
            accounts.make_bot(owner=_owner(request), name=name, declared=form.declared())

        try:
            made_once(request, make)
        except ValidationError as error:
            form.add_error("name", " ".join(error.messages))
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, say("{name} is your bot now. Make a token for its program.", name=name))
            return redirect("bots")
    return render(request, "accounts/bot.html", {"form": form}, status=422 if form.errors else 200)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def change_bot(request: HttpRequest, number: int) -> HttpResponse:
    """Change what a bot takes part in."""
    bot = _bot(request, number)
    form = BotForm(request.POST or None, bot=bot)
    if request.method == "POST" and form.is_valid():
        try:
            accounts.change_bot(owner=_owner(request), number=number, declared=form.declared())
            return redirect("bots")
        except Refused as refused:
            form.add_error(None, str(refused))
    return render(request, "accounts/bot.html", {"form": form, "bot": bot}, status=422 if form.errors else 200)


@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
@require_http_methods(["GET", "HEAD", "POST"])
def new_token(request: HttpRequest) -> HttpResponse:
    """Create a token for oneself."""
    return make_token(request, made_once, user=_owner(request), games=games_of(_owner(request)))


@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
@require_http_methods(["GET", "HEAD", "POST"])
def new_bot_token(request: HttpRequest, number: int) -> HttpResponse:
    """Create a token for a bot."""
    bot = _bot(request, number).user
    return make_token(request, made_once, user=bot, owner=_owner(request), games=games_of(bot))


@never_cache
@login_required
@require_POST
def delete_bot(request: HttpRequest, number: int) -> HttpResponse:
    """Delete a bot; its seats go to the caretaker, and its tokens are revoked."""
    bot = _bot(request, number)
    account_deletion.delete_account(user=bot.user)
    messages.success(request, say("The bot is deleted."))
    return redirect("bots")


@never_cache
@login_required
@require_POST
def take_seat_back(request: HttpRequest, number: int, game_id: int) -> HttpResponse:
    """Take a bot's seat back from the caretaker."""
    try:
        accounts.take_back(owner=_owner(request), number=number, game_id=game_id)
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("bots")


def _owner(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _bot(request: HttpRequest, number: int) -> BotAccount:
    try:
        return accounts.find_bot(owner=_owner(request), number=number)
    except Refused as refused:
        raise Http404(str(refused)) from refused
