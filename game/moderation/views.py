"""Players' pages of the moderation desk: reporting a problem, answers, decisions, appeals, votes on a rewind, and
public monthly counts of what moderators did."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.db.models.functions import TruncMonth
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from game.engine.actions import Refused
from game.engine.language import mark, say
from game.infra.idempotency import submit_once
from game.moderation import case_filing, emails
from game.play.panel import find_game, private
from game.store import account_locks
from game.store.case_models import Case, Sanction
from game.store.moderation_models import ApprovalRequest, Intervention, ModeratorAction
from game.store.readers import find_person, seats_of

MONTHS = 12
I = Intervention  # noqa: E741
KINDS: dict[str, tuple[Intervention, ...]] = {
    mark("Clocks: paused, resumed, extended, closed early"): (
        I.PAUSE, I.RESUME, I.EXTEND_DEADLINE, I.RESOLVE_NOW, I.EXCUSE_MISS,
    ),
    mark("Seats handed over"): (I.HAND_SEAT_TO_BOT, I.HAND_SEAT_TO_USER, I.SET_PROXY, I.END_PROXY),
    mark("Repairs: held, restarted, restored, removed"): (I.HOLD, I.RETRY, I.RESTORE_FROM_LOG, I.REMOVE_TABLE),
    mark("Rewinds"): (I.REWIND_TO,),
    mark("Corrections: a resolution replaced, money put right"): (I.APPLY_RERUN, I.CORRECT_MONEY),
    mark("Messages removed, reports closed"): (I.REMOVE_MESSAGE, I.CLOSE_REPORT),
    mark("Warnings"): (I.WARN,),
    mark("Players silenced or kept from joining"): (I.SILENCE, I.BAR_FROM_JOINING),
    mark("Bans"): (I.BAN,),
    mark("Sanctions ended early"): (I.LIFT_SANCTION,),
    mark("Accounts closed or renamed"): (I.CLOSE_ACCOUNT, I.CHANGE_IDENTITY),
    mark("Second factors removed"): (I.TAKE_SECOND_FACTOR,),
    mark("Emails sent again to addresses that refused them"): (I.LIFT_BOUNCE,),
    mark("Powers of staff changed"): (I.CHANGE_POWERS,),
    mark("Sealed entries read in a running game"): (I.READ_SECRETS,),
    mark("Cases, exports, comparisons, shared homes recorded"): (
        I.HANDLE_CASES, I.EXPORT_BUNDLE, I.COMPARE_PLAYERS, I.LINK_PLAYERS,
    ),
    mark("The whole site: banner, deadlines stopped or moved, parts switched off"): (
        I.SET_BANNER, I.STOP_RESOLVING, I.SHIFT_DEADLINES, I.SWITCH_FEATURES,
    ),
}  # fmt: skip
FILED = mark("Your report has reached the moderators. You get an answer by email and on this page.")
APPEALED = mark("Your appeal has reached the moderators. You get an answer by email.")
OPEN_TO_BANNED = (
    "/moderation/", "/accounts/logout/", "/accounts/my-data", "/accounts/delete/", "/accounts/reauthenticate/",
    "/accounts/2fa/reauthenticate/", "/accounts/2fa/webauthn/reauthenticate/",
    "/mail/unsubscribe/", "/language/", "/theme/", "/static/", "/healthz", "/readyz",
    "/api/",  # knows people by their tokens alone
)  # fmt: skip


class Month(NamedTuple):
    """How often each of `KINDS` happened in a month."""

    first: datetime
    counts: list[int]


def monthly_counts() -> list[Month]:
    """The last twelve months in which anything happened, newest first: two statements."""
    open_cases = list(Case.objects.filter(closed_at=None).order_by().values_list("pk", flat=True))
    undisclosed = ApprovalRequest.objects.filter(what=I.READ_SECRETS, answer="confirmed", told_at=None)
    rows = (
        ModeratorAction.objects.filter(verb__in=Intervention.values)
        .exclude(verb=I.READ_SECRETS, game__in=undisclosed.values("game"))
        .exclude(pk__in=ModeratorAction.objects.filter(details__case__in=open_cases).order_by().values("pk"))
        .order_by()
        .annotate(month=TruncMonth("at", tzinfo=timezone.get_default_timezone()))
        .values_list("month", "verb")
        .annotate(n=Count("pk"))
    )
    counts_by_month: dict[datetime, dict[str, int]] = defaultdict(dict)
    for month, verb, count in rows:
        counts_by_month[month][verb] = count
    newest = sorted(counts_by_month, reverse=True)[:MONTHS]
    return [
        Month(each, [sum(counts_by_month[each].get(verb, 0) for verb in verbs) for verbs in KINDS.values()])
        for each in newest
    ]


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
def appeal(request: HttpRequest, number: str) -> HttpResponse:
    """Show the form to appeal against a decision, then file it."""
    user = _signed_in_user(request)
    sanction = Sanction.objects.filter(pk=int(number), user=user).select_related("user").first()
    if sanction is None:
        raise Http404(say("There is no such decision."))

    def file(_: str, words: str) -> Case:
        return case_filing.appeal(sanction_id=int(number), user=user, words=words)

    context = {"decision": emails.sanction_words(sanction), "kinds": (), "back": "/moderation/mine/"}
    return _file_or_show_form(request, file, {**context, "subject": ""})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def appeal_closing(request: HttpRequest, token: str) -> HttpResponse:
    """Appeal against the closing of an account, at the address in the email about it."""
    sanction = emails.read_appeal(token)
    if sanction is None:
        raise Http404(say("There is no such decision."))
    closed = sanction

    def file(_: str, words: str) -> Case:
        return case_filing.appeal(sanction_id=closed.pk, user=closed.user, words=words)

    context = {"decision": emails.sanction_words(closed), "kinds": (), "back": "/moderation/", "subject": ""}
    return _file_or_show_form(request, file, context, then="moderation", success_text=APPEALED)


@never_cache
@login_required
@require_safe
def my_cases(request: HttpRequest) -> HttpResponse:
    """The reader's reports and the decisions about them."""
    user = _signed_in_user(request)
    answers = [
        (filed, say(emails.TO_REPORTER[Case.Outcome(filed.outcome)]) if filed.outcome else "")
        for filed in case_filing.reports_by(user)
    ]
    decided = Sanction.objects.filter(user=user).select_related("user", "appeal")
    decisions = [(each, emails.sanction_words(each), hasattr(each, "appeal")) for each in decided[:50]]
    return private(render(request, "moderation/my_cases.html", {"answers": answers, "decisions": decisions}))


@require_safe
def counts(request: HttpRequest) -> HttpResponse:
    context = {"months": monthly_counts(), "kinds": list(KINDS)}
    return render(request, "moderation/moderation.html", context)


def banned(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: banned users see only the ban notice and the appeal form."""

    def show_ban_notice(request: HttpRequest) -> HttpResponse:
        user = request.user
        is_closed = not request.path_info.startswith(OPEN_TO_BANNED)
        ban = account_locks.ban_of(user) if is_closed and isinstance(user, User) else None
        if ban is None:
            return get_response(request)
        context = {"decision": emails.sanction_words(ban), "ban": ban}
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
            submit_once(request, lambda: str(file(fields["kind"], fields["words"]).pk))
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


def _signed_in_user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user
