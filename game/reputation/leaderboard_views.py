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
    """To the leaderboard of the game that this site plays first."""
    return redirect("leaderboard", ruleset=next(iter(RULESETS)))


@never_cache
@require_safe
def page(request: HttpRequest, ruleset: str) -> HttpResponse:
    """Who is how strong; `page` counts from 1. 404 where there is no such game or page."""
    if ruleset not in RULESETS:
        raise Http404(say("There is no such game; there are {games}.", games=", ".join(RULESETS)))
    asked = request.GET.get("page", "1")
    if not asked.isdecimal() or len(asked) > LONGEST_PAGE or int(asked) < 1:
        raise Http404(say("Pages are numbered from 1."))
    number = int(asked)
    found = page_of(ruleset=ruleset, page=number)
    last = max(1, -(-found.total // PAGE))
    if number > last:
        raise Http404(say("There is no page {page} of this list; there are {last}.", page=number, last=last))
    boards = [(say(rules.title), reverse("leaderboard", args=[key]), key == ruleset) for key, rules in RULESETS.items()]
    context = {
        "page": "leaderboard",
        "title": say(RULESETS[ruleset].title),
        "boards": boards if len(boards) > 1 else [],
        "rows": found.rows,
        "count": found.total,
        "page_number": number,
        "last_page": last,
        "least_games": LEAST_GAMES,
    }
    return render(request, "reputation/leaderboard.html", context)
