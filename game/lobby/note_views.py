"""The notes for newcomers: marking one as read, and turning them off."""

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

EMPTY_NOTE = '<div id="coach" data-region hidden></div>'


@login_required
@require_POST
def read_note(request: HttpRequest) -> HttpResponse:
    """Record that a note was read; a script gets an empty note in return."""
    assert isinstance(request.user, User)
    note_key = request.POST.get("note", "")
    if note_key not in _note_keys():
        return HttpResponse(say("There is no such note."), status=422, content_type="text/plain")
    read_notes(request.user, [note_key])
    if request.headers.get("HX-Request"):
        return HttpResponse(EMPTY_NOTE)
    next_url = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(next_url, {request.get_host()}, require_https=request.is_secure())
    return redirect(next_url if is_ours else "lobby")


def _note_keys() -> set[str]:
    return {ALL, *(mark_of(key, note) for key, board in BOARDS.items() for note in board.notes)}
