"""Profiles, the export of one's own data, and deleting one's account."""

from __future__ import annotations

from functools import partial

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import limits
from accounts.at_once import is_open
from accounts.models import User
from game.engine.actions import Refused
from game.engine.language import say
from game.moderation import emails, sanctions
from game.people import account_deletion
from game.people.personal_data import archive_of
from game.people.profiles import games_to_leave, profile_context
from game.store import account_locks
from game.store.readers import find_person

LONGEST_PAGE = 6  # digits


@never_cache
@require_safe
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """The page with what this reader may know about somebody. The name matches in any case and redirects to one URL."""
    person = find_person(name)
    if person is None:
        raise Http404(say("There is no such player."))
    if person.username != name:
        return redirect("person", name=person.username)
    page_text = request.GET.get("page", "")
    page = int(page_text) if page_text.isdecimal() and len(page_text) < LONGEST_PAGE else 1
    context = profile_context(person=person, reader=request.user, page=max(1, page))
    return render(request, "people/profile.html", context)


@never_cache
@reauthentication_required  # type: ignore[untyped-decorator]
@require_http_methods(["GET", "HEAD", "POST"])
def delete_account(request: HttpRequest) -> HttpResponse:
    """Explain what deleting means; a POST with the account's name does it. 404 for guests."""
    user = request.user
    assert isinstance(user, User)
    if user.is_guest:
        raise Http404(say("You have no account to delete."))
    trouble = ""
    if request.method == "POST":
        trouble = _delete_or_explain(request, user, request.POST.get("name", ""))
        if not trouble:
            logout(request)
            messages.success(request, say("Your account is deleted."))
            return redirect("home")
    ban = account_locks.ban_of(user)
    sanction_texts = [
        emails.sanction_words(each) for each in sanctions.outliving_sanctions(user).select_related("user")
    ]
    context = {
        "trouble": trouble,
        "games": games_to_leave(user),
        "ban_ends": ban.until if ban else None,
        "held": sanction_texts,
    }
    return render(request, "people/delete_account.html", context, status=422 if trouble else 200)


def _delete_or_explain(request: HttpRequest, user: User, name: str) -> str:
    """Delete the account; otherwise return why not."""
    if name != user.username:
        return say("Type the name of your account, {name}, to delete it.", name=user.username)
    try:
        account_deletion.delete_account(user=user, is_allowed=partial(is_open, request))
    except Refused as refused:
        return str(refused)
    return ""


@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
@require_safe
def my_data(request: HttpRequest) -> HttpResponse:
    """The page that lists the contents of the file and links to it, so that people land on a page after
    reauthenticating, not on a download."""
    return render(request, "people/my_data.html")


@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
@require_safe
def personal_data(request: HttpRequest) -> HttpResponse:
    """The reader's own data as a ZIP file. Raises `limits.TooMany`."""
    assert isinstance(request.user, User)
    limits.spend("export", request.user.pk)
    answer = HttpResponse(archive_of(request.user), content_type="application/zip")
    answer["Content-Disposition"] = 'attachment; filename="my-data.zip"'
    return answer
