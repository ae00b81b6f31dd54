"""What moderators do about reported messages: remove one, silence its author, or close the report."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from game.chat import writing
from game.chat.models import Report
from game.engine.actions import Refused
from game.moderation import cases, emails, interventions, permissions
from game.reputation import bans
from game.store.case_models import Sanction
from game.store.moderation_models import Intervention

MOST_HOURS = 30 * 24


@transaction.atomic
def remove_message(*, report_id: int, moderator: User, reason: str) -> None:
    """Remove the text of a reported message; its readers see that, and the reason. Raises `Refused`."""
    report = _lock_report(Intervention.REMOVE_MESSAGE, report_id, moderator, reason)
    message = report.message
    if message.removed_at is not None:
        raise Refused("This message was already removed.", code="already_removed")
    chat = writing.lock_chat(report.game)
    message.text, message.removed_at, message.removed_why = "", timezone.now(), permissions.clean_reason(reason)
    message.save(update_fields=["text", "removed_at", "removed_why"])
    writing.announce_change(chat)
    emails.email_message_removed(message, message.removed_why)
    details = _close(report, "message removed", has_acted=True)
    _record_act(report, moderator, Intervention.REMOVE_MESSAGE, reason, message=message.number, **details)


@transaction.atomic
def silence(*, report_id: int, moderator: User, reason: str, hours: int) -> None:
    """Keep the author of a reported message out of every chat for a number of hours, and write to them. 0 hours end a
    silence. Raises `Refused`."""
    report = _lock_report(Intervention.SILENCE, report_id, moderator, reason)
    author = report.author
    if author is None:
        raise Refused("The author has deleted the account.", code="no_such_account")
    if not 0 <= hours <= MOST_HOURS:
        raise Refused(f"A silence lasts 0 to {MOST_HOURS} hours, not {hours}.", code="wrong_length", field="hours")
    permissions.check_ties(moderator, on=author)
    if hours:
        until, why = timezone.now() + timedelta(hours=hours), permissions.clean_reason(reason)
        kind = Sanction.Kind.MUTE
        sanction = Sanction.objects.create(user=author, kind=kind, reason=why, by=moderator, until=until)
        emails.email_sanction(sanction)
    else:
        _end_silences(author, moderator)
    bans.apply_longest(author, Sanction.Kind.MUTE)
    outcome = f"author silenced for {hours} hours" if hours else "silence ended"
    details = _close(report, outcome, has_acted=bool(hours))
    _record_act(report, moderator, Intervention.SILENCE, reason, user=author.username, hours=hours, **details)


@transaction.atomic
def close_report(*, report_id: int, moderator: User, reason: str) -> None:
    """Close a report without doing anything about the message. Raises `Refused`."""
    report = _lock_report(Intervention.CLOSE_REPORT, report_id, moderator, reason)
    if report.closed_at is not None:
        raise Refused("This report was already closed.", code="already_closed")
    details = _close(report, "closed", has_acted=False)
    _record_act(report, moderator, Intervention.CLOSE_REPORT, reason, **details)


def _end_silences(author: User, moderator: User) -> None:
    """Moderators may end their own decisions; ending those of others needs the permission to end sanctions early."""
    muted = Sanction.objects.filter(user=author, kind=Sanction.Kind.MUTE, lifted_at=None, until__gt=timezone.now())
    if muted.exclude(by=moderator).exists() and not permissions.may(Intervention.LIFT_SANCTION, moderator):
        raise Refused(
            "Another moderator silenced this player. To end that needs the permission "
            f"{Intervention.LIFT_SANCTION.permission}.",
            code="no_permission",
        )
    muted.update(lifted_at=timezone.now(), lifted_by=moderator)


def _lock_report(what: Intervention, report_id: int, moderator: User, reason: str) -> Report:
    """Lock a report for a moderator who may do this, gives a reason and is not tied to its
    game or its people. Raises `Refused`."""
    author_ids = Report.objects.filter(pk=report_id).values_list("author", flat=True)
    permissions.check(what, moderator, reason, on=author_ids)
    report = (
        Report.objects.select_for_update(of=("self",)).select_related("game", "message").filter(pk=report_id).first()
    )
    if report is None:
        raise Refused("There is no such report.", code="no_such_report")
    permissions.check_ties(moderator, game=report.game, people=_people_of(report))
    return report


def _people_of(report: Report) -> list[User]:
    """The author of a reported message, and everybody who reported it: all of them are answered."""
    same = Report.objects.filter(message=report.message_id)
    return list(User.objects.filter(Q(pk=report.author_id) | Q(pk__in=same.values("reporter"))))


def _close(report: Report, outcome: str, *, has_acted: bool) -> dict[str, int]:
    """Close the report, or all reports of the message if a moderator acted, and with the last one the case. Returns
    details for the record."""
    same = Q(message=report.message_id) if has_acted else Q(pk=report.pk)
    Report.objects.filter(same, closed_at=None).update(closed_at=timezone.now(), outcome=outcome)
    return cases.close_with_report(report=report, has_acted=has_acted)


def _record_act(report: Report, moderator: User, what: Intervention, reason: str, **details: Any) -> None:
    interventions.record(report.game, moderator, what, reason, report=report.pk, **details)
