"""What is switched off for the whole site as a whole: signing up, and the API."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from game.engine.language import say
from game.services import features
from game.views.board import private

PATHS = {"/api/v1/": features.API, "/accounts/signup/": features.SIGN_UP}


def switched_off(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Answer politely in place of what is off: with a page, or with a problem that has a code."""

    def kept(request: HttpRequest) -> HttpResponse:
        feature = next((name for path, name in PATHS.items() if request.path_info.startswith(path)), None)
        if feature is None or not features.is_off(feature):
            return get_response(request)
        words = say(features.OFF[feature])
        if feature == features.API:
            problem = {"type": "about:blank", "title": words, "status": 503, "code": "switched_off"}
            answer: HttpResponse = JsonResponse(problem, status=503)
            answer["Content-Type"] = "application/problem+json"
        else:
            answer = render(request, "game/switched_off.html", {"words": words}, status=503)
        answer["Retry-After"] = "600"
        return private(answer)

    return kept
