"""Mail about accounts: kept in the database by the request that asks for it, sent at most once and forgotten by the
worker."""

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

VALID_FOR = timedelta(hours=6)  # by then people have asked again
FIRST_RETRY, LONGEST_RETRY = timedelta(seconds=30), timedelta(minutes=10)
SECONDS = 5  # a round, and the notices after it, end before the task's time limit; the next goes on
log = structlog.get_logger("accounts.post")


def keep(message: EmailMessage, *, valid_for: timedelta = VALID_FOR) -> None:
    """Have the worker send this text, and the same in HTML, in the current language. The request has done its part when
    the database has answered, whether or not the mail server answers."""
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
    """Send what is due, and delete what is sent or too old; how many mails went out. No row is locked while the server
    is talked to."""
    WaitingMail.objects.filter(expires_at__lte=timezone.now()).delete()
    ends, sent, line = time.monotonic() + SECONDS, 0, Line()
    try:
        while time.monotonic() < ends and (due := _claim()) is not None:
            sent += _send(due, line)
    except NotTaken as down:
        log.warning("post_is_down", trouble=_name_of(down))
    finally:
        line.close()
    return sent


@transaction.atomic
def _claim() -> WaitingMail | None:
    """The mail that has waited longest. Its next attempt is committed before this one is made, so that no other worker
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
    """Send one. One that cannot be delivered stays and delays no other; raises `NotTaken` if none can be sent now. The
    attempt is committed before the email is handed over: if a process dies or a connection breaks in between, it may
    have arrived, and it is not sent again."""
    sent = 1
    try:
        line.open()
        if not WaitingMail.objects.filter(pk=due.pk, handed_at=None).update(handed_at=timezone.now()):
            return 0  # another worker has sent it, while this one was held up
        line.send(_letter(due))
    except NotTaken as refused:
        return _failed(due, refused)
    except Unanswered as silence:
        log.error("account_mail_unanswered", mail=due.pk, trouble=_name_of(silence))
        sent = 0
    due.delete()
    return sent


def _failed(due: WaitingMail, refused: NotTaken) -> int:
    """Keep it for another attempt, unless the server will never take it."""
    number = due.pk
    if refused.for_good:
        due.delete()
    else:
        WaitingMail.objects.filter(pk=number).update(handed_at=None)
    if refused.is_down:
        raise refused
    # Not even the error's words: a server may repeat the address.
    log.error("account_mail_not_sent", mail=number, trouble=_name_of(refused), exc_info=_unexpected(refused))
    return 0


def _letter(due: WaitingMail) -> Letter:
    letter = Letter(due.subject, due.text, to=[due.recipient])
    if due.page:
        letter.attach_alternative(due.page, "text/html")
    # The same for every attempt: if a server accepted an email and the connection broke, its reader sees one email.
    host = settings.DEFAULT_FROM_EMAIL.rsplit("@", 1)[-1].strip("> ")
    letter.extra_headers = {"Message-ID": f"<account-{due.token.hex}@{host}>", "Auto-Submitted": "auto-generated"}
    return letter


def _name_of(error: Exception) -> str:
    return type(error.__cause__).__name__


def _unexpected(refused: NotTaken) -> Exception | None:
    """Only our own bugs need a traceback in the log."""
    return None if isinstance(refused.__cause__, OSError) else refused
