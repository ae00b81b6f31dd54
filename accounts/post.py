"""Mail about accounts: kept in the database by the request that asks for it, sent and forgotten by the worker."""

from __future__ import annotations

import time
from datetime import timedelta
from smtplib import SMTPDataError, SMTPException, SMTPRecipientsRefused

import structlog
from django.conf import settings
from django.core import mail
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.utils import timezone

from accounts import letters
from accounts.models import WaitingMail

VALID_FOR = timedelta(hours=6)  # by then people have asked again
FIRST_RETRY, LONGEST_RETRY = timedelta(seconds=30), timedelta(minutes=10)
SECONDS = 5  # a round, and the notices after it, end before the task's time limit; the next goes on
PERMANENT = 500  # SMTP replies from here on mean: never
log = structlog.get_logger(__name__)


def keep(message: EmailMessage, *, valid_for: timedelta = VALID_FOR) -> None:
    """Have the worker send this text, with the same in HTML, in the language that is spoken now. With the database's
    answer the request's part is done, whether the mail server answers or not."""
    subject, text = str(message.subject), str(message.body)
    page = letters.page_of(subject=subject, text=text)
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
    """Send what is due and delete what is sent or too old; how many mails went out. No row is locked while the server
    is talked to."""
    WaitingMail.objects.filter(expires_at__lte=timezone.now()).delete()
    ends, sent, post = time.monotonic() + SECONDS, 0, mail.get_connection()
    try:
        while time.monotonic() < ends and (due := _claim()) is not None:
            sent += _send(due, post)
    except OSError as error:
        log.warning("post_is_down", trouble=type(error).__name__)
    finally:
        post.close()
    return sent


def is_for_good(error: Exception) -> bool:
    """Whether the server has said that it will never take this mail."""
    if isinstance(error, SMTPRecipientsRefused):
        return all(code >= PERMANENT for code, _ in error.recipients.values())
    return isinstance(error, SMTPDataError) and error.smtp_code >= PERMANENT


@transaction.atomic
def _claim() -> WaitingMail | None:
    """The mail that has waited longest. Its next attempt is committed before this one is made, so that no other worker
    makes it too."""
    now = timezone.now()
    due = (
        WaitingMail.objects.select_for_update(skip_locked=True).filter(due_at__lte=now).order_by("due_at", "pk").first()
    )
    if due is not None:
        due.due_at = now + min(FIRST_RETRY * 2 ** min(due.attempts, 10), LONGEST_RETRY)
        due.attempts += 1
        due.save(update_fields=["due_at", "attempts"])
    return due


def _send(due: WaitingMail, post: BaseEmailBackend) -> int:
    """Send one. One that cannot be delivered stays and holds no other up; raises `OSError` where none can be sent
    now."""
    number = due.pk
    try:
        post.open()
        post.send_messages([_letter(due)])
    except Exception as error:
        post.close()
        if is_for_good(error):
            due.delete()
        if isinstance(error, OSError) and not isinstance(error, SMTPDataError | SMTPRecipientsRefused):
            raise
        # Not even the error's words: a server may repeat the address.
        log.error("account_mail_not_sent", mail=number, trouble=type(error).__name__, exc_info=_unexpected(error))
        return 0
    due.delete()
    return 1


def _letter(due: WaitingMail) -> EmailMultiAlternatives:
    letter = EmailMultiAlternatives(due.subject, due.text, to=[due.recipient])
    if due.page:
        letter.attach_alternative(due.page, "text/html")
    # The same for every attempt: where a server took a mail and the line broke, its reader's program sees one mail.
    host = settings.DEFAULT_FROM_EMAIL.rsplit("@", 1)[-1].strip("> ")
    letter.extra_headers = {"Message-ID": f"<account-{due.token.hex}@{host}>", "Auto-Submitted": "auto-generated"}
    return letter


def _unexpected(error: Exception) -> Exception | None:
    """Only our own bugs need a traceback in the log."""
    return None if isinstance(error, SMTPException) else error
