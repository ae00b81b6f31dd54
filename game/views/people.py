"""The pages of people, and what the site keeps about the one who asks."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from game.engine.language import say
from game.personal_data import archive_of
from game.profiles import find_person, profile_context

LONGEST_PAGE = 6  # digits


@never_cache
@require_safe
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """Who somebody is, as far as this reader may know: in any case of their name, at one address."""
    person = find_person(name)
    if person is None:
        raise Http404(say("There is no such player."))
    if person.username != name:
        return redirect("person", name=person.username)
    asked = request.GET.get("page", "")
    page = int(asked) if asked.isdecimal() and len(asked) < LONGEST_PAGE else 1
    context = profile_context(person=person, reader=request.user, page=max(1, page))
    return render(request, "game/profile.html", context)


@never_cache
@login_required
@require_safe
def personal_data(request: HttpRequest) -> HttpResponse:
    """The reader's own data as a ZIP file."""
    assert isinstance(request.user, User)
    answer = HttpResponse(archive_of(request.user), content_type="application/zip")
    answer["Content-Disposition"] = 'attachment; filename="my-data.zip"'
    return answer
