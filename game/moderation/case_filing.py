"""Opening cases: people file them, and some faults open one automatically."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from django.db import transaction
from django.utils import timezone

from accounts import limits
from accounts.models import User
from game.chat import rules
from game.chat.models import Report
from game.engine.actions import Refused
from game.engine.codec import Damaged, Newer
from game.engine.language import ENGLISH, mark, speaking
from game.history.game_log import read_steps, tell
from game.store import account_locks
from game.store.case_models import Case, Sanction
from game.store.game import Game
from game.store.readers import seats_of
from game.store.visible_text import one_line

MOST_WORDS = 1000
MOST_FILED = 50  # shown to the person who filed them
DISMISSED_FOR = timedelta(days=90)  # a case closed as nothing is not opened again by the same figures
SEVERITY_BY_KIND = {
    Case.Kind.PAUSE: Case.Severity.HIGH,
    Case.Kind.REPLACE: Case.Severity.HIGH,
    Case.Kind.PROXY: Case.Severity.HIGH,
    Case.Kind.RULES: Case.Severity.HIGH,
    Case.Kind.NAME: Case.Severity.LOW,
}
ABOUT_GAMES = (
    Case.Kind.PAUSE, Case.Kind.REPLACE, Case.Kind.PROXY, Case.Kind.COLLUSION, Case.Kind.CHAT, Case.Kind.RULES,
    Case.Kind.OTHER,
)  # fmt: skip
ABOUT_PEOPLE = (Case.Kind.CHAT, Case.Kind.COLLUSION, Case.Kind.NAME, Case.Kind.OTHER)


class FiledReport(NamedTuple):
    """A report as its author sees it; the outcome is empty until it is answered."""

    at: datetime
    game: str
    words: str
    outcome: str


def reports_by(user: User) -> list[FiledReport]:
    """What somebody reported, newest first, in their own words, even if another reader reported the same message
    first."""
    own = Case.objects.filter(reporter=user).values_list("at", "game__name", "words", "outcome")
    reports: dict[str | None, Report] = {
        message_key(report): report
        for report in Report.objects.filter(reporter=user)
        .select_related("game")
        .only("message", "at", "reason", "game__name")
    }
    shared = Case.objects.filter(key__in=reports).exclude(reporter=user).values_list("key", "outcome")
    rows = [FiledReport(at, game or "", words, outcome) for at, game, words, outcome in own]
    rows += [
        FiledReport(reports[key].at, reports[key].game.name, reports[key].reason, outcome) for key, outcome in shared
    ]
    return sorted(rows, reverse=True)[:MOST_FILED]


@transaction.atomic
def report_problem(*, game: Game, user: User, kind: str, words: str, seats: Iterable[int] = ()) -> Case:
    """File a case about a game that this person may see, concerning the players of `seats`. Raises `Refused`."""
    seat_numbers = set(seats)
    about = [seat.user for seat in seats_of(game) if seat.number in seat_numbers and seat.user is not None]
    if user in about:
        raise Refused("You cannot report yourself.", code="about_you")
    return _file_report(user, kind, words, ABOUT_GAMES, game=game, about=about)


@transaction.atomic
def report_person(*, person: User, user: User, kind: str, words: str) -> Case:
    """File a case about a person. Raises `Refused`."""
    if person == user:
        raise Refused("You cannot report yourself.", code="about_you")
    return _file_report(user, kind, words, ABOUT_PEOPLE, game=None, about=[person])


@transaction.atomic
def appeal(*, sanction_id: int, user: User, words: str) -> Case:
    """Appeal against a decision, once. Raises `Refused`."""
    account_locks.lock_accounts(user)
    sanction = Sanction.objects.select_for_update().filter(pk=sanction_id, user=user).first()
    if sanction is None:
        raise Refused("There is no such decision.", code="no_such_decision")
    if Case.objects.filter(appealed=sanction).exists():
        raise Refused("You have already appealed against this decision.", code="already_appealed")
    evidence = {"decision": {"kind": sanction.kind, "reason": sanction.reason, "at": sanction.at.isoformat()}}
    case = Case(source=Case.Source.APPEAL, severity=Case.Severity.HIGH, reporter=user, appealed=sanction)
    return _save(case, _clean_words(words), evidence=evidence)


def open_for_hold(*, game: Game) -> None:
    """Open a case for a game on hold, unless one is open."""
    if not Case.objects.filter(game=game, source=Case.Source.HELD, closed_at=None).exists():
        case = Case(source=Case.Source.HELD, kind=Case.Kind.RULES, severity=Case.Severity.URGENT, game=game)
        _save(case, mark("The game went on hold."), evidence={"reason": game.held_reason, **evidence_of(game)})


def open_for_rule_error(*, game: Game, error: str) -> None:
    """Open a case for a game whose rules failed on a request, unless one is open. The request is sealed, so the case
    names only the error."""
    if not Case.objects.filter(game=game, source=Case.Source.BROKEN, closed_at=None).exists():
        case = Case(source=Case.Source.BROKEN, kind=Case.Kind.RULES, severity=Case.Severity.HIGH, game=game)
        _save(case, mark("The rules failed on a request."), evidence={"error": error, "version": game.version})


def message_key(report: Report) -> str:
    """The key of the case that all reports of a message share."""
    return f"message:{report.message_id}"


def open_for_report(*, report: Report) -> None:
    """Open a case for a reported message, unless one of its reports already did."""
    key = message_key(report)
    if not Case.objects.filter(key=key).exists():
        case = Case(source=Case.Source.CHAT, kind=Case.Kind.CHAT, game=report.game, reporter=report.reporter, key=key)
        evidence = {"text": report.text, "around": report.context, "report": report.pk}
        _save(case, report.reason, evidence=evidence, about=[report.author] if report.author else [])


def open_for_bounce(*, address: str, why: str) -> None:
    """Open a case for a player whose mail came back."""
    person = User.objects.filter(email__iexact=address, is_active=True).first()
    if (
        person is not None
        and not Case.objects.filter(people=person, source=Case.Source.BOUNCE, closed_at=None).exists()
    ):
        case = Case(source=Case.Source.BOUNCE, severity=Case.Severity.LOW)
        _save(case, f"Mail to this player comes back: {why}", evidence={}, about=[person])


def open_for_detector(
    *, people: tuple[User, User], game: Game, words: str, severity: Case.Severity, figures: Mapping[str, Any]
) -> Case | None:
    """Open a case for two people whom a detector noticed. A pair has one open case, to which later games are linked.
    `figures` are stored with the public state of the game."""
    pair = _pair_key(people)
    with transaction.atomic():
        # Serializes two rounds that find the same pair in two games.
        list(User.objects.select_for_update(no_key=True).filter(pk__in=[user.pk for user in people]).order_by("pk"))
        open_case = Case.objects.filter(source=Case.Source.DETECTOR, key__startswith=pair, closed_at=None).first()
        if open_case is not None:
            if open_case.game_id != game.pk:
                open_case.games.add(game)
            return None
        kind, source = Case.Kind.COLLUSION, Case.Source.DETECTOR
        case = Case(source=source, kind=kind, severity=severity, key=f"{pair}{game.pk}", game=game)
        return _save(case, words, evidence={**evidence_of(game), **figures}, about=people)


def dismissed_detectors(people: tuple[User, User]) -> set[str]:
    """The detectors whose figures about a pair a moderator dismissed within `QUIET`."""
    closed = Case.objects.filter(key__startswith=_pair_key(people), outcome=Case.Outcome.NOTHING)
    recent = closed.filter(closed_at__gte=timezone.now() - DISMISSED_FOR).values_list("evidence__detectors", flat=True)
    return {key for keys in recent for key in keys or []}


def _pair_key(people: tuple[User, User]) -> str:
    low, high = sorted(user.pk for user in people)
    return f"pair:{low}.{high}:"


def evidence_of(game: Game) -> dict[str, Any]:
    """The public state of a game now, and the newest lines of its log."""
    seats = seats_of(game)
    facts: dict[str, Any] = {"at": timezone.now().isoformat(), "status": game.status, "version": game.version}
    facts["seats"] = [seat.shown_name for seat in seats]
    if not game.has_position:
        return facts
    try:
        position = game.load_position()
        with speaking(ENGLISH):
            flow = game.rules.flow(game.read_options())
            steps, _ = read_steps(game=game)
            chapters = tell(reversed(steps), flow=flow, names=facts["seats"], seat=None)
            facts["log"] = [
                {"at": chapter.at.isoformat(), "text": f"{line.text} {line.figure}".strip()}
                for chapter in chapters
                for line in chapter.entries
            ][:60]
        facts["view"] = msgspec.json.decode(msgspec.json.encode(game.rules.view(position, None)))
    except (Damaged, Newer) as error:
        facts["unreadable"] = type(error).__name__
    return facts


def _file_report(
    user: User, kind: str, words: str, kinds: tuple[Case.Kind, ...], *, game: Game | None, about: list[User]
) -> Case:
    account_locks.lock_free_account(user)
    if not rules.may_write(user):
        raise Refused("Guests cannot report problems. Create an account to do so.", code="guest_may_not")
    if kind not in kinds:
        raise Refused("Choose what the problem is.", code="kind_missing", field="kind")
    text = _clean_words(words)
    limits.spend("report", user.pk)
    severity = SEVERITY_BY_KIND.get(Case.Kind(kind), Case.Severity.NORMAL)
    case = Case(source=Case.Source.PLAYER, kind=kind, severity=severity, reporter=user, game=game)
    return _save(case, text, evidence=evidence_of(game) if game else {}, about=about)


def _clean_words(words: str) -> str:
    text = "\n".join(filter(None, map(one_line, words.splitlines())))
    if not 0 < len(text) <= MOST_WORDS:
        raise Refused(
            "Describe it in 1 to {most} characters; this has {length}.",
            code="wrong_length", field="words", most=MOST_WORDS, length=len(text),
        )  # fmt: skip
    return text


def _save(case: Case, words: str, *, evidence: dict[str, Any], about: Iterable[User] = ()) -> Case:
    case.words, case.evidence, case.at = words, evidence, timezone.now()
    case.due_at = case.at + case.due_after()
    case.save()
    case.people.set(about)
    return case
