"""The queue of account emails: stored by the request, sent at most once and then deleted by the worker."""

from __future__ import annotations

import time
from datetime import timedelta

import structlog
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import timezone

from accounts import email_layout
from accounts.delivery import Line, NotTaken, Unanswered
from accounts.mail import Letter
from accounts.models import WaitingMail

VALID_FOR = timedelta(hours=6)  # by then users have requested another
FIRST_RETRY, LONGEST_RETRY = timedelta(seconds=30), timedelta(minutes=10)
ROUND_SECONDS = 5  # a round and the notices after it end before the task's time limit; the next round continues
log = structlog.get_logger("accounts.post")


def keep(message: EmailMessage, *, valid_for: timedelta = VALID_FOR) -> None:
    """Queue this text, and the same in HTML, in the current language. The request waits only for the database, never
    for the mail server."""
    subject, text = str(message.subject), str(message.body)
    page = email_layout.page_of(subject=subject, text=text)
    WaitingMail.objects.bulk_create(
        WaitingMail(
            recipient=recipient,
            subject=subject,
            text=text,
            page=page,
            expires_at=timezone.now() + valid_for,
        )
        for recipient in message.to
    )


def send_waiting() -> int:
    """Send due emails; delete sent and expired ones. Returns the number sent. No row is locked while talking to the
    server."""
    WaitingMail.objects.filter(expires_at__lte=timezone.now()).delete()
    ends_at, sent_count, line = time.monotonic() + ROUND_SECONDS, 0, Line()
    try:
        while time.monotonic() < ends_at and (due := _claim()) is not None:
            sent_count += _send(due, line)
    except NotTaken as error:
        log.warning("post_is_down", trouble=_error_name(error))
    finally:
        line.close()
    return sent_count


@transaction.atomic
def _claim() -> WaitingMail | None:
    """The email that has waited longest. Its next attempt is committed before this one starts, so that no other worker
    makes it too."""
    now = timezone.now()
    waiting = WaitingMail.objects.select_for_update(skip_locked=True).filter(due_at__lte=now, handed_at=None)
    due = waiting.order_by("due_at", "pk").first()
    if due is not None:
        due.due_at = now + min(FIRST_RETRY * 2 ** min(due.attempts, 10), LONGEST_RETRY)
        due.attempts += 1
        due.save(update_fields=["due_at", "attempts"])
    return due


def _send(due: WaitingMail, line: Line) -> int:
    """Send one email. If it cannot be delivered, it stays queued and delays no other; raises `NotTaken` if none can be
    sent now. The attempt is committed before the email is handed over: if the process dies or the connection breaks in
    between, it may have arrived, and it is not sent again."""
    sent_count = 1
    try:
        line.open()
        if not WaitingMail.objects.filter(pk=due.pk, handed_at=None).update(handed_at=timezone.now()):
            return 0  # another worker was faster
        line.send(_build_message(due))
    except NotTaken as error:
        return _record_failure(due, error)
    except Unanswered as unanswered:
        log.error("account_mail_unanswered", mail=due.pk, trouble=_error_name(unanswered))
        sent_count = 0
    due.delete()
    return sent_count


def _record_failure(due: WaitingMail, error: NotTaken) -> int:
    """Keep it for another attempt, unless the server will never accept it."""
    mail_id = due.pk
    if error.for_good:
        due.delete()
    else:
        WaitingMail.objects.filter(pk=mail_id).update(handed_at=None)
    if error.is_down:
        raise error
    # Without the error's text: a server may repeat the address.
    log.error("account_mail_not_sent", mail=mail_id, trouble=_error_name(error), exc_info=_unexpected_error(error))
    return 0


def _build_message(due: WaitingMail) -> Letter:
    message = Letter(due.subject, due.text, to=[due.recipient])
    if due.page:
        message.attach_alternative(due.page, "text/html")
    # The same for every attempt, so that an email sent twice shows up once.
    host = settings.DEFAULT_FROM_EMAIL.rsplit("@", 1)[-1].strip("> ")
    message.extra_headers = {"Message-ID": f"<account-{due.token.hex}@{host}>", "Auto-Submitted": "auto-generated"}
    return message


def _error_name(error: Exception) -> str:
    return type(error.__cause__).__name__


def _unexpected_error(error: NotTaken) -> Exception | None:
    """Only our own bugs need a traceback in the log."""
    return None if isinstance(error.__cause__, OSError) else error
