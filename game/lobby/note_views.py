"""The notes for newcomers: reading one, and wanting no more of them."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from accounts.guests import read_notes
from accounts.models import User
from game.boards.coach import ALL, mark_of
from game.boards.registry import BOARDS
from game.engine.language import say

GONE = '<div id="coach" data-region hidden></div>'


@login_required
@require_POST
def read_note(request: HttpRequest) -> HttpResponse:
    """Remember that a note was read; a script gets the place that it leaves empty."""
    assert isinstance(request.user, User)
    mark = request.POST.get("note", "")
    if mark not in _known():
        return HttpResponse(say("There is no such note."), status=422, content_type="text/plain")
    read_notes(request.user, [mark])
    if request.headers.get("HX-Request"):
        return HttpResponse(GONE)
    page = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(page, {request.get_host()}, require_https=request.is_secure())
    return redirect(page if is_ours else "lobby")


def _known() -> set[str]:
    return {ALL, *(mark_of(key, note) for key, board in BOARDS.items() for note in board.notes)}
