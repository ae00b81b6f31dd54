"""The pages of people."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game.profiles import find_person, profile_context

LONGEST_PAGE = 6  # digits


@never_cache
@require_safe
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """Who somebody is, as far as this reader may know: in any case of their name, at one address."""
    person = find_person(name)
    if person is None:
        raise Http404("There is no such player.")
    if person.username != name:
        return redirect("person", name=person.username)
    asked = request.GET.get("page", "")
    page = int(asked) if asked.isdecimal() and len(asked) < LONGEST_PAGE else 1
    context = profile_context(person=person, reader=request.user, page=max(1, page))
    return render(request, "game/profile.html", context)
