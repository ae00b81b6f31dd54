"""Players' pages of the moderation desk: reporting a problem, answers, decisions, appeals, and its public counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from game.engine.actions import Refused
from game.engine.language import mark, say
from game.infra.once import made_once
from game.moderation import case_filing, case_letters, moderation_counts
from game.play.pages import find_game, private
from game.reputation import bans
from game.store.case_models import Case, Sanction
from game.store.readers import find_person
from game.store.seating import seats_of

FILED = mark("Your report has reached the moderators. You get an answer by email and on this page.")
APPEALED = mark("Your appeal has reached the moderators. You get an answer by email.")
OPEN_TO_BANNED = (
    "/moderation/", "/accounts/logout/", "/accounts/my-data", "/accounts/delete/", "/accounts/reauthenticate/",
    "/accounts/2fa/reauthenticate/", "/accounts/2fa/webauthn/reauthenticate/",
    "/mail/unsubscribe/", "/language/", "/theme/", "/static/", "/healthz", "/readyz",
    "/api/",  # knows people by their tokens alone
)  # fmt: skip


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report_problem(request: HttpRequest, game_id: int) -> HttpResponse:
    """Show the form about a problem with a game, then file it as a case."""
    game, user = find_game(request, game_id), _signed_in_user(request)
    seats = [seat for seat in seats_of(game) if seat.user_id not in {None, user.pk}]

    def file(kind: str, words: str) -> Case:
        seat_numbers = [int(each) for each in request.POST.getlist("seats") if each.isdecimal() and len(each) < 4]
        return case_filing.report_problem(game=game, user=user, kind=kind, words=words, seats=seat_numbers)

    context = {"game": game, "seats": seats, "kinds": case_filing.ABOUT_GAMES, "back": game.get_absolute_url()}
    return _file_or_show_form(request, file, {**context, "subject": game.name})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def report_person(request: HttpRequest, name: str) -> HttpResponse:
    """Show the form about a player, then file it as a case."""
    person, user = find_person(name), _signed_in_user(request)
    if person is None or person.is_bot or person.is_guest:
        raise Http404(say("There is no such player."))
    reported = person

    def file(kind: str, words: str) -> Case:
        return case_filing.report_person(person=reported, user=user, kind=kind, words=words)

    back = f"/people/{person.username}/"
    return _file_or_show_form(
        request, file, {"kinds": case_filing.ABOUT_PEOPLE, "back": back, "subject": person.username}
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def appeal(request: HttpRequest, number: int) -> HttpResponse:
    """Show the form to appeal against a decision, then file it."""
    user = _signed_in_user(request)
    sanction = Sanction.objects.filter(pk=number, user=user).select_related("user").first()
    if sanction is None:
        raise Http404(say("There is no such decision."))

    def file(_: str, words: str) -> Case:
        return case_filing.appeal(sanction_id=number, user=user, words=words)

    context = {"decision": case_letters.decided_words(sanction), "kinds": (), "back": "/moderation/mine/"}
    return _file_or_show_form(request, file, {**context, "subject": ""})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def appeal_closing(request: HttpRequest, token: str) -> HttpResponse:
    """The same for the owner of a closed account, by the address in the email about it."""
    sanction = case_letters.read_appeal(token)
    if sanction is None:
        raise Http404(say("There is no such decision."))
    closed = sanction

    def file(_: str, words: str) -> Case:
        return case_filing.appeal(sanction_id=closed.pk, user=closed.user, words=words)

    context = {"decision": case_letters.decided_words(closed), "kinds": (), "back": "/moderation/", "subject": ""}
    return _file_or_show_form(request, file, context, then="moderation", success_text=APPEALED)


@never_cache
@login_required
@require_safe
def my_cases(request: HttpRequest) -> HttpResponse:
    """The reader's reports and the decisions about them."""
    user = _signed_in_user(request)
    answers = [(filed, _outcome_text(filed.outcome)) for filed in case_filing.filed_by(user)]
    decided = Sanction.objects.filter(user=user).select_related("user", "appeal")
    decisions = [(each, case_letters.decided_words(each), hasattr(each, "appeal")) for each in decided[:50]]
    return private(render(request, "moderation/my_cases.html", {"answers": answers, "decisions": decisions}))


@require_safe
def counts(request: HttpRequest) -> HttpResponse:
    """Monthly counts of what moderators did."""
    context = {"months": moderation_counts.months(), "kinds": list(moderation_counts.KINDS)}
    return render(request, "moderation/moderation.html", context)


def banned(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: banned users see only the ban notice and the appeal form."""

    def show_ban_notice(request: HttpRequest) -> HttpResponse:
        user = request.user
        is_closed = not request.path_info.startswith(OPEN_TO_BANNED)
        ban = bans.ban_of(user) if is_closed and isinstance(user, User) else None
        if ban is None:
            return get_response(request)
        context = {"decision": case_letters.decided_words(ban), "ban": ban}
        return private(render(request, "moderation/banned.html", context, status=403))

    return show_ban_notice


def _file_or_show_form(
    request: HttpRequest,
    file: Callable[[str, str], Case],
    context: dict[str, Any],
    then: str = "my_cases",
    success_text: str = FILED,
) -> HttpResponse:
    """File a valid form; otherwise show it, with 422 and the reason after a refusal. The address may preset its
    fields."""
    fields = {name: (request.POST or request.GET).get(name, "") for name in ("kind", "words")}
    refusal = ""
    if request.method == "POST":
        try:
            made_once(request, lambda: str(file(fields["kind"], fields["words"]).pk))
            messages.success(request, say(success_text))
            return redirect(then)
        except Refused as refused:
            refusal = str(refused)
    context = {
        "decision": "",
        "seats": (),
        **context,
        "sent": fields,
        "chosen": request.POST.getlist("seats"),
        "refusal": refusal,
    }
    return private(render(request, "moderation/problem.html", context, status=422 if refusal else 200))


def _outcome_text(outcome: str) -> str:
    """The outcome of a report in words; empty while nobody has answered."""
    return say(case_letters.TO_REPORTER[Case.Outcome(outcome)]) if outcome else ""


def _signed_in_user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user
