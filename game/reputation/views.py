"""The leaderboard, and the account page about people who share a home or an internet connection."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.names import NAME_LENGTH
from game.engine.actions import Refused
from game.engine.language import mark, say
from game.infra.idempotency import submit_once
from game.reputation import households
from game.reputation.leaderboards import LEAST_GAMES, PAGE, page_of
from game.reputation.rating_reads import leaderboard_url, title_of
from game.rulesets.registry import RULESETS

ANSWERS: Mapping[str, tuple[Callable[..., None], str]] = {
    "confirm": (households.confirm, mark("Confirmed. You can no longer play together in new rated games.")),
    "decline": (households.decline, mark("Declined.")),
    "withdraw": (households.withdraw, mark("Withdrawn.")),
    "end": (households.end, mark("Ended. In rated games it applies for {days} more days.")),
}
"""What one may do about a link, and the message afterwards."""


class AskForm(forms.Form):
    """The name of the person to ask."""

    name = forms.CharField(
        label=_("Name of the other player"),
        max_length=NAME_LENGTH,
        help_text=_("Tell them to confirm it on this page; they get no email."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def households_page(request: HttpRequest) -> HttpResponse:
    """The reader's links and requests; a POST asks somebody for a link. A refusal is 422, with the reason."""
    assert isinstance(request.user, User)
    form = AskForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            submit_once(request, partial(households.request_link, user=request.user, **form.cleaned_data))
        except Refused as refused:
            form.add_error("name" if refused.field else None, str(refused))
        else:
            messages.success(request, say("Done. What you both said is listed here."))
            return redirect("households")
    return _render_page(request, request.user, form, status=422 if form.errors else 200)


@never_cache
@login_required
@require_POST
def answer_household_request(request: HttpRequest, number: str, verb: str) -> HttpResponse:
    """Confirm, decline, withdraw or end; a refusal is 422, with the reason."""
    assert isinstance(request.user, User)
    if verb not in ANSWERS:
        raise Http404
    act, success_text = ANSWERS[verb]
    try:
        act(user=request.user, number=int(number))
    except Refused as refused:
        messages.error(request, str(refused))
        return _render_page(request, request.user, AskForm(), status=422)
    messages.success(request, say(success_text, days=households.HOLDS.days))
    return redirect("households")


def _render_page(request: HttpRequest, user: User, form: AskForm, status: int) -> HttpResponse:
    context: dict[str, Any] = {"links": households.links_of(user), "form": form, "days": households.HOLDS.days}
    return render(request, "accounts/households.html", context, status=status)


LONGEST_PAGE = 6  # digits


@require_safe
def first_leaderboard(request: HttpRequest) -> HttpResponse:
    """Redirect to the leaderboard of the site's first game."""
    return redirect("leaderboard", ruleset=next(iter(RULESETS)))


@never_cache
@require_safe
def leaderboard(request: HttpRequest, ruleset: str, ladder: str | None = None) -> HttpResponse:
    """One page of a ladder's leaderboard; without a ladder, the ruleset's usual one. `page` counts from 1. 404 if there
    is no such game, ladder or page."""
    if ruleset not in RULESETS:
        raise Http404(say("There is no such game. Choose one of {games}.", games=", ".join(RULESETS)))
    ladders = RULESETS[ruleset].ladders
    ladder = next(iter(ladders)) if ladder is None else ladder
    if ladder not in ladders:
        raise Http404(say("This game has no such leaderboard."))
    page_text = request.GET.get("page", "1")
    if not page_text.isdecimal() or len(page_text) > LONGEST_PAGE or int(page_text) < 1:
        raise Http404(say("Pages are numbered from 1."))
    number = int(page_text)
    board_page = page_of(ruleset=ruleset, ladder=ladder, page=number)
    last_page = max(1, -(-board_page.total // PAGE))
    if number > last_page:
        raise Http404(say("There is no page {page} of this list; the last is {last}.", page=number, last=last_page))
    boards = [
        (title_of(*each), leaderboard_url(*each), each == (ruleset, ladder))
        for each in ((key, ladder) for key, rules in RULESETS.items() for ladder in rules.ladders)
    ]
    context = {
        "page": "leaderboard",
        "title": title_of(ruleset, ladder),
        "boards": boards if len(boards) > 1 else [],
        "rows": board_page.rows,
        "count": board_page.total,
        "page_number": number,
        "last_page": last_page,
        "least_games": LEAST_GAMES,
    }
    return render(request, "reputation/leaderboard.html", context)
