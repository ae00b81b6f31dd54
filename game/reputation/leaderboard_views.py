"""The leaderboard of one ruleset, page by page."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game.engine.language import say
from game.reputation.leaderboards import LEAST_GAMES, PAGE, page_of
from game.rulesets.registry import RULESETS

LONGEST_PAGE = 6  # digits


@require_safe
def first(request: HttpRequest) -> HttpResponse:
    """Redirect to the leaderboard of the site's first game."""
    return redirect("leaderboard", ruleset=next(iter(RULESETS)))


@never_cache
@require_safe
def page(request: HttpRequest, ruleset: str) -> HttpResponse:
    """One page of the board; `page` counts from 1. 404 if there is no such game or page."""
    if ruleset not in RULESETS:
        raise Http404(say("There is no such game; there are {games}.", games=", ".join(RULESETS)))
    page_text = request.GET.get("page", "1")
    if not page_text.isdecimal() or len(page_text) > LONGEST_PAGE or int(page_text) < 1:
        raise Http404(say("Pages are numbered from 1."))
    number = int(page_text)
    board_page = page_of(ruleset=ruleset, page=number)
    last_page = max(1, -(-board_page.total // PAGE))
    if number > last_page:
        raise Http404(say("There is no page {page} of this list; there are {last}.", page=number, last=last_page))
    boards = [(say(rules.title), reverse("leaderboard", args=[key]), key == ruleset) for key, rules in RULESETS.items()]
    context = {
        "page": "leaderboard",
        "title": say(RULESETS[ruleset].title),
        "boards": boards if len(boards) > 1 else [],
        "rows": board_page.rows,
        "count": board_page.total,
        "page_number": number,
        "last_page": last_page,
        "least_games": LEAST_GAMES,
    }
    return render(request, "reputation/leaderboard.html", context)
