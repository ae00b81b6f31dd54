"""The limits for what people do on pages: the same counter and numbers as for programs, counted together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.models import User
from game import limits
from game.engine.language import mark, say

OF_PAGES = {
    "create_game": "create",
    "rematch": "create",
    "join_game": "write",
    "leave_game": "write",
    "invitation": "write",
    "take_seat": "write",
    "add_bot": "write",
    "fill_with_bots": "write",
    "submit_action": "move",
    "save_draft": "draft",
}
"""The page that a form is sent to -> the limit that it counts for; moves and drafts count for each game apart."""
SPENT = {
    limits.MINUTE: mark("The limit is {most} a minute, and you have reached it. Nothing was changed."),
    limits.DAY: mark("The limit is {most} a day, and you have reached it. Nothing was changed."),
}


class Limits:
    """Answers 429 with the limit and the time after which one may try again."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Mapping[str, Any]
    ) -> HttpResponse | None:
        """Count what is sent to one of those pages by somebody who is signed in."""
        match = request.resolver_match
        name = OF_PAGES.get(match.url_name or "") if match and request.method == "POST" else None
        if name is None or not settings.PAGE_LIMITS or not isinstance(request.user, User):
            return None
        who = str(request.user.pk)
        if name in limits.OF_A_GAME:
            who = f"{who}.{kwargs.get('game_id')}"
        try:
            limits.spend(name, who)
        except limits.TooMany as too_many:
            return _refused(request, too_many)
        return None


def _refused(request: HttpRequest, too_many: limits.TooMany) -> HttpResponse:
    spent = too_many.spent
    words = say(SPENT[spent.limit.seconds], most=spent.limit.most)
    page = render(request, "429.html", {"words": words, "minutes": -(-spent.left_seconds // 60)}, status=429)
    for header, value in too_many.headers.items():
        page[header] = value
    return page
