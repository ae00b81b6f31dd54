"""A moderator's work on a case: take it, weigh it, note, close it with an answer to both sides, reopen it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from game.chat.models import Report
from game.engine.actions import Refused
from game.moderation import emails, interventions, permissions
from game.moderation.case_filing import DISMISSED_FOR, message_key
from game.reputation import bans, households
from game.store.case_models import Case, CaseNote, Sanction
from game.store.game import Game, Seat
from game.store.moderation_models import ApprovalRequest, Intervention, number_of
from game.store.seat_models import StandIn, Tenure

APPEAL_OUTCOMES = {Case.Outcome.UPHELD, Case.Outcome.LIFTED}
MOST_TEXT = 1000
SUSPICION = Q(kind=Case.Kind.COLLUSION) | Q(source=Case.Source.DETECTOR)
"""Cases that need a note of what speaks in favour of the players before a decision."""


def cases_for(moderator: User) -> QuerySet[Case]:
    """The cases a moderator may see: not about them or people they share a home with, not filed by those, and not about
    a game in which one of them or of their bots plays or played."""
    own_rows = permissions.household_rows(moderator)
    their_games = Game.objects.filter(
        Q(pk__in=Seat.objects.filter(own_rows).values("game"))
        | Q(pk__in=Tenure.objects.filter(own_rows).values("game"))
        | Q(pk__in=StandIn.objects.filter(own_rows).values("game"))
    ).values("pk")
    linked_to_their_games = Case.games.through.objects.filter(game__in=their_games).values("case")
    about_them = Case.people.through.objects.filter(own_rows).values("case")
    others = (
        Case.objects.exclude(pk__in=about_them)
        .exclude(pk__in=linked_to_their_games)
        .filter(Q(game=None) | ~Q(game__in=their_games))
    )
    return others.filter(Q(reporter=None) | ~Q(reporter__in=households.together_with(moderator.pk)))


@transaction.atomic
def assign(*, case_id: int, moderator: User, to_me: bool) -> None:
    """Take a case, or leave it to others. Raises `Refused`."""
    case = _lock_to_decide(case_id, moderator) if to_me else _lock_case(case_id, moderator)
    case.assignee = moderator if to_me else None
    case.save(update_fields=["assignee"])
    _record_act(case, moderator, "", did="taken" if to_me else "left to others")


@transaction.atomic
def set_severity(*, case_id: int, moderator: User, reason: str, severity: int) -> None:
    """Set the severity, from which the due date follows. Raises `Refused`."""
    _check_reason(reason)
    case = _lock_to_decide(case_id, moderator)
    former, case.severity = case.get_severity_display(), Case.Severity(severity)
    case.due_at = case.at + case.due_after()
    case.save(update_fields=["severity", "due_at"])
    _record_act(case, moderator, reason, did=f"{former} → {case.get_severity_display()}")


@transaction.atomic
def add_note(*, case_id: int, moderator: User, text: str) -> None:
    """Leave a note for other moderators. Raises `Refused`."""
    _check_reason(text)
    case = _lock_to_decide(case_id, moderator)
    CaseNote.objects.create(case=case, author=moderator, text=text.strip()[:MOST_TEXT])


@transaction.atomic
def close(*, case_id: int, moderator: User, reason: str, outcome: str, exculpatory: str = "") -> None:
    """Close a case and tell both sides. Raises `Refused`."""
    _check_reason(reason)
    account_ids = bans.accounts_changed_by(Sanction.objects.filter(appeal=case_id))
    case = _lock_to_decide(case_id, moderator, on=account_ids)
    if case.closed_at is not None:
        raise Refused("This case was already closed.", code="already_closed")
    case_outcome = Case.Outcome(outcome)
    if (case_outcome in APPEAL_OUTCOMES) != (case.source == Case.Source.APPEAL):
        raise Refused("This outcome does not fit the case: appeals have outcomes of their own.", code="wrong_outcome")
    if case_outcome == Case.Outcome.ACTED:
        _check_weighed(case, exculpatory)
    if case.appealed is not None:
        _answer_appeal(case, case.appealed, case_outcome, moderator)
    case.exculpatory = exculpatory.strip()[:MOST_TEXT] or case.exculpatory
    _save_outcome(case, case_outcome)
    emails.email_outcome(case)
    _record_act(case, moderator, reason, did=f"closed: {case_outcome.label}")


def close_with_report(*, report: Report, has_acted: bool) -> dict[str, int]:
    """Close the case of a reported message with what was done about it, and tell the people who reported it. Without an
    act it waits for the last report of the message, and then the author is told too. Returns details for the record."""
    case = Case.objects.select_for_update(of=("self",)).filter(key=message_key(report), closed_at=None).first()
    others = Report.objects.filter(message=report.message_id, closed_at=None)
    if case is None or (not has_acted and others.exists()):
        return {}
    _save_outcome(case, Case.Outcome.ACTED if has_acted else Case.Outcome.NOTHING)
    if has_acted:
        emails.email_reporters(case)
    else:
        emails.email_outcome(case)
    return {"case": case.pk}


@transaction.atomic
def reopen(*, case_id: int, moderator: User, reason: str) -> None:
    """Look into a closed case again. Raises `Refused`."""
    _check_reason(reason)
    case = _lock_to_decide(case_id, moderator)
    if case.closed_at is None:
        raise Refused("This case is open.", code="not_closed")
    case.closed_at, case.outcome, case.reopened = None, "", case.reopened + 1
    case.due_at = timezone.now() + case.due_after()
    case.save(update_fields=["closed_at", "outcome", "reopened", "due_at"])
    _record_act(case, moderator, reason, did="opened again")


def check_decision(*, case: Case | None, person: User, moderator: User, exculpatory: str) -> None:
    """Check that a moderator may decide about a person by this case, or without one, and store what speaks for them.
    Raises `Refused`."""
    if case is None:
        _check_no_suspicion(person)
        return
    locked_case = _lock_to_decide(case.pk, moderator)
    if not locked_case.people.filter(pk=person.pk).exists():
        raise Refused(f"Case {number_of(Case, case.pk)} is not about {person}.", code="other_case", field="case")
    _check_not_dismissed(locked_case)
    _check_weighed(locked_case, exculpatory)
    if exculpatory.strip():
        locked_case.exculpatory = exculpatory.strip()[:MOST_TEXT]
        locked_case.save(update_fields=["exculpatory"])


def case_of_request(request: ApprovalRequest, person: User) -> Case | None:
    """The case on which a request for a decision about a person is based. Raises `Refused` if a moderator dismissed it,
    or if there is none and the person has come under suspicion."""
    case = Case.objects.filter(pk=request.asked.get("case") or 0).first()
    if case is not None:
        _check_not_dismissed(case)
    elif _suspicions_of(person).filter(closed_at=None).exists():
        raise Refused(
            f"{person} is by now in an open case of collusion, or in one that a detector opened. Refuse this request; "
            "the moderator who asked can ask again with the number of the case, and with what speaks for them.",
            code="case_missing",
        )
    return case


def _suspicions_of(person: User) -> QuerySet[Case]:
    return Case.objects.filter(SUSPICION, people=person)


def _check_no_suspicion(person: User) -> None:
    """A decision about a person who is under suspicion, or was cleared lately, must name a case, so that what speaks
    for them is considered. The refusal does not name it: it may be about the moderator too."""
    is_lately_dismissed = ~Q(outcome=Case.Outcome.ACTED) & Q(closed_at__gte=timezone.now() - DISMISSED_FOR)
    if _suspicions_of(person).filter(Q(closed_at=None) | is_lately_dismissed).exists():
        raise Refused(
            f"{person} is in a case of collusion, or in one that a detector opened, which is open or was closed in the "
            f"last {DISMISSED_FOR.days} days without anything against the rules. Enter the number of the case that you "
            "decide, and what speaks for them.",
            code="case_missing",
            field="case",
        )


def _check_not_dismissed(case: Case) -> None:
    """A dismissed case must be reopened, on the record, before a decision can be based on it."""
    if case.closed_at is not None and case.outcome != Case.Outcome.ACTED:
        raise Refused(
            f"Case {number_of(Case, case.pk)} was closed without anything against the rules. Open it again before you "
            "decide by it.",
            code="case_dismissed",
            field="case",
        )


def _check_weighed(case: Case, exculpatory: str) -> None:
    """Acting on a suspicion of collusion or on a detector needs a note of what speaks in favour of the players."""
    is_weighed = bool(exculpatory.strip() or case.exculpatory)
    if not is_weighed and Case.objects.filter(SUSPICION, pk=case.pk).exists():
        raise Refused(
            "Write down what speaks in favour of the players before you act on this case.", code="text_missing",
            field="exculpatory",
        )  # fmt: skip


def _answer_appeal(case: Case, sanction: Sanction, outcome: Case.Outcome, moderator: User) -> None:
    """Only a moderator who could end the decision and does not play with the person answers an appeal. The one who
    decided never does; the one who confirmed does only if nobody else can."""
    permissions.check_may(Intervention.LIFT_SANCTION, moderator, on=[sanction.user_id])
    permissions.check_ties(moderator, on=sanction.user)
    is_second = moderator.pk == sanction.confirmed_by_id
    if moderator.pk == sanction.by_id or (is_second and _others_can_answer(case, sanction)):
        raise Refused("You had a part in this decision. Another moderator answers the appeal.", code="own_decision")
    if outcome == Case.Outcome.LIFTED and sanction.lifted_at is None:
        bans.end(sanction, moderator)


def _others_can_answer(case: Case, sanction: Sanction) -> bool:
    """True if a moderator who had no part in the decision may answer this appeal."""
    had_part = {sanction.by_id, sanction.confirmed_by_id}
    staff = [user for user in User.objects.filter(is_staff=True, is_active=True) if user.pk not in had_part]
    return any(_can_answer(case, sanction, user) for user in staff)


def _can_answer(case: Case, sanction: Sanction, moderator: User) -> bool:
    needed = (Intervention.HANDLE_CASES, Intervention.LIFT_SANCTION)
    if not all(permissions.may(what, moderator) for what in needed):
        return False
    if permissions.is_tied(moderator, on=sanction.user):
        return False
    return cases_for(moderator).filter(pk=case.pk).exists()


def _save_outcome(case: Case, outcome: Case.Outcome) -> None:
    case.outcome, case.closed_at = outcome, timezone.now()
    case.save(update_fields=["outcome", "closed_at", "exculpatory"])


def _check_reason(reason: str) -> None:
    if not permissions.clean_reason(reason):
        raise Refused("Enter a reason or a note. Only moderators read it.", code="reason_missing")


def _lock_case(case_id: int, moderator: User, on: Iterable[int | None] = ()) -> Case:
    """Lock a case for a moderator who may work on it and has no part in it, and before it the accounts of `on`. Raises
    `Refused`."""
    permissions.check_may(Intervention.HANDLE_CASES, moderator, on=on)
    case = (
        Case.objects.select_for_update(of=("self",)).select_related("reporter", "appealed").filter(pk=case_id).first()
    )
    # The same refusal for both, so that people do not learn from a number that a case is about them.
    if case is None or not cases_for(moderator).filter(pk=case_id).exists():
        raise Refused("There is no such case, or you have a part in it.", code="no_such_case", field="case")
    return case


def _lock_to_decide(case_id: int, moderator: User, on: Iterable[int | None] = ()) -> Case:
    """Lock the case for a decision by a moderator without ties to its people; with ties, they may only leave it to
    others. Raises `Refused`."""
    case = _lock_case(case_id, moderator, on)
    permissions.check_ties(moderator, people=people_of(case))
    return case


def people_of(case: Case) -> list[User]:
    """Everybody about whom a case decides: the people in it, and who reported them."""
    return [*case.people.all(), *([case.reporter] if case.reporter else [])]


def _record_act(case: Case, moderator: User, reason: str, **details: Any) -> None:
    text = permissions.clean_reason(reason)[:300]
    interventions.record(case.game, moderator, Intervention.HANDLE_CASES, text, case=case.pk, **details)
