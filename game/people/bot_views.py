"""A person's bots: the form with their name and the games they join; list, create, change and delete them; new tokens
for a bot or oneself."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.at_once import one_at_a_time
from accounts.limits import most_of
from accounts.models import User
from accounts.token_pages import make_token
from game.bots import accounts
from game.bots.accounts import LONGEST_NAME, UNFINISHED, Declared, kept_seats
from game.engine.actions import Refused
from game.engine.language import apart, say
from game.infra.idempotency import submit_once
from game.people import account_deletion
from game.rulesets.registry import RULESETS
from game.store.game import Keeper, Pace, Seat
from game.store.seat_models import BotAccount

PACES = [pace for pace in Pace if pace != Pace.NO_CLOCK]


class BotForm(forms.Form):
    """The form for a bot: its name, which cannot be changed later, and the games it joins."""

    name = forms.CharField(label=_("Name"), max_length=LONGEST_NAME, help_text=_("Your own name is shown beside it."))
    rulesets = forms.MultipleChoiceField(label=_("Games it plays"), widget=forms.CheckboxSelectMultiple)
    paces = forms.MultipleChoiceField(label=_("Paces it plays at"), widget=forms.CheckboxSelectMultiple)
    least_seats = forms.IntegerField(label=_("Fewest players"), min_value=2, max_value=100, initial=2)
    most_seats = forms.IntegerField(label=_("Most players"), min_value=2, max_value=100, initial=8)

    def __init__(self, *args: Any, bot: BotAccount | None = None, **kwargs: Any) -> None:
        current = {} if bot is None else {name: getattr(bot, name) for name in Declared._fields}
        defaults = {"rulesets": list(RULESETS), "paces": [pace.value for pace in PACES]}
        kwargs["initial"] = defaults | current
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        most_games = most_of("bot_games")
        fields["most_games"] = forms.IntegerField(
            label=_("Games at a time"), min_value=1, max_value=most_games, initial=1
        )
        fields["rulesets"].choices = [(key, rules.title) for key, rules in RULESETS.items()]
        fields["paces"].choices = [(pace.value, say(str(pace.label))) for pace in PACES]
        if bot is not None:
            del self.fields["name"]

    def declared(self) -> Declared:
        """The games that the bot joins."""
        return Declared(**{name: self.cleaned_data[name] for name in Declared._fields})


def bots_context(owner: User) -> dict[str, Any]:
    """The owner's bots, and the seats that the caretaker plays for them."""
    bots = owner.bots.select_related("user").prefetch_related("user__api_tokens")
    rows = [_bot_row(bot) for bot in bots]
    most_bots = most_of("bots")
    return {"bots": rows, "may_make": len(rows) < most_bots, "most": most_bots}


def games_of(user: User) -> list[tuple[int, str]]:
    """A user's unfinished games, newest first: numbers and names."""
    own_seats = Seat.objects.filter(user=user, game__status__in=UNFINISHED, game__lesson="")
    rows = own_seats.exclude(keeper=Keeper.RESIGNED).order_by("-game_id").values_list("game_id", "game__name")
    return [(number, f"{apart(name)} ({number})") for number, name in rows]


@never_cache
@login_required
@require_safe
def bots(request: HttpRequest) -> HttpResponse:
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
            submit_once(request, make)
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


@one_at_a_time
@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
@require_http_methods(["GET", "HEAD", "POST"])
def new_token(request: HttpRequest) -> HttpResponse:
    return make_token(request, submit_once, user=_owner(request), games=games_of(_owner(request)))


@one_at_a_time
@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
@require_http_methods(["GET", "HEAD", "POST"])
def new_bot_token(request: HttpRequest, number: int) -> HttpResponse:
    bot = _bot(request, number).user
    return make_token(request, submit_once, user=bot, owner=_owner(request), games=games_of(bot))


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
        accounts.reclaim_seat(owner=_owner(request), number=number, game_id=game_id)
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("bots")


def _bot_row(bot: BotAccount) -> dict[str, Any]:
    """A bot, what it plays in words, and its valid tokens."""
    now = timezone.now()
    return {
        "bot": bot,
        "kept": kept_seats(bot),
        "rulesets": [RULESETS[key].title for key in bot.rulesets if key in RULESETS],
        "paces": [say(str(pace.label)) for pace in PACES if pace.value in bot.paces],
        "tokens": [token for token in bot.user.api_tokens.all() if token.expires_at > now],
    }


def _owner(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _bot(request: HttpRequest, number: int) -> BotAccount:
    try:
        return accounts.find_bot(owner=_owner(request), number=number)
    except Refused as refused:
        raise Http404(str(refused)) from refused
