"""Emails about accounts: their layout, their subject, and the queue from which the worker sends each at most once."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from email.header import Header
from typing import Any, NamedTuple

import structlog
from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language

from accounts.mail_server import MailConnection, NoReply, NotAccepted
from accounts.models import WaitingMail

BLANK_LINES = re.compile(r"\n\s*\n")
VALID_FOR = timedelta(hours=6)  # by then users have requested another
FIRST_RETRY, LONGEST_RETRY = timedelta(seconds=30), timedelta(minutes=10)
ROUND_SECONDS = 5  # a round and the notices after it end before the task's time limit; the next round continues
MAX_WORD_LENGTH = 60  # letters; a longer word does not fit on the line of the field name
log = structlog.get_logger("accounts.post")


class Block(NamedTuple):
    """A paragraph with its lines, or a URL of the site; the first URL is the email's button."""

    lines: tuple[str, ...] = ()
    url: str = ""
    is_button: bool = False


def render_html(*, subject: str, text: str) -> str:
    """The email in HTML, in the current language."""
    context = {"language": get_language(), "subject": subject, "blocks": list(split_blocks(text))}
    return render_to_string("email/letter.html", context)


def split_blocks(text: str) -> Iterator[Block]:
    """The blocks of a text. Only URLs of this site become links: others were chosen by strangers."""
    has_button = False
    for part in BLANK_LINES.split(text.strip()):
        for block in _split_part(part.splitlines()):
            yield block._replace(is_button=bool(block.url) and not has_button)
            has_button = has_button or bool(block.url)


def _split_part(part_lines: Sequence[str]) -> Iterator[Block]:
    lines: list[str] = []
    for line in map(str.strip, part_lines):
        before, _, last = line.rpartition(" ")
        is_address = last.startswith(f"{settings.SITE_URL}/")
        text = before if is_address else line
        if lines and not text.startswith("- "):
            lines[-1] = f"{lines[-1]} {text}".strip()
        elif text:
            lines.append(text)
        if is_address:
            yield from _paragraph(lines)
            lines = []
            yield Block(url=last)
    yield from _paragraph(lines)


def _paragraph(lines: list[str]) -> Iterator[Block]:
    if lines:
        yield Block(tuple(lines))


def queue_email(message: EmailMessage, *, valid_for: timedelta = VALID_FOR) -> None:
    """Queue this text, and the same in HTML, in the current language. The request waits only for the database, never
    for the mail server."""
    subject, text = str(message.subject), str(message.body)
    page = render_html(subject=subject, text=text)
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


def send_queued() -> int:
    """Send due emails; delete sent and expired ones. Returns the number sent. No row is locked while talking to the
    server."""
    WaitingMail.objects.filter(expires_at__lte=timezone.now()).delete()
    ends_at, sent_count, line = time.monotonic() + ROUND_SECONDS, 0, MailConnection()
    try:
        while time.monotonic() < ends_at and (due := _claim()) is not None:
            sent_count += _send(due, line)
    except NotAccepted as error:
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


def _send(due: WaitingMail, line: MailConnection) -> int:
    """Send one email. If it cannot be delivered, it stays queued and delays no other; raises `NotAccepted` if none can
    be sent now. The attempt is committed before the email is handed over: if the process dies or the connection breaks
    in between, it may have arrived, and it is not sent again."""
    sent_count = 1
    try:
        line.open()
        if not WaitingMail.objects.filter(pk=due.pk, handed_at=None).update(handed_at=timezone.now()):
            return 0  # another worker was faster
        line.send(_build_message(due))
    except NotAccepted as error:
        return _record_failure(due, error)
    except NoReply as unanswered:
        log.error("account_mail_unanswered", mail=due.pk, trouble=_error_name(unanswered))
        sent_count = 0
    due.delete()
    return sent_count


def _record_failure(due: WaitingMail, error: NotAccepted) -> int:
    """Keep it for another attempt, unless the server will never accept it."""
    mail_id = due.pk
    if error.is_permanent:
        due.delete()
    else:
        WaitingMail.objects.filter(pk=mail_id).update(handed_at=None)
    if error.is_down:
        raise error
    # Without the error's text: a server may repeat the address. Only our own bugs need a traceback.
    bug = None if isinstance(error.__cause__, OSError) else error
    log.error("account_mail_not_sent", mail=mail_id, trouble=_error_name(error), exc_info=bug)
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


class Letter(EmailMultiAlternatives):
    """An email whose subject starts on the line of its field name: mail programs show a subject that starts with an
    empty line as none."""

    def message(self, **options: Any) -> Any:
        subject = self.subject
        self.subject = encode_subject(str(subject))
        try:
            return super().message(**options)
        finally:
            self.subject = subject


def encode_subject(subject: str) -> str:
    """The subject in words that fit on a line, the first one on the line of the field name."""
    if subject.isascii() and all(len(word) <= MAX_WORD_LENGTH for word in subject.split()):
        return subject
    return Header(subject, "utf-8", header_name="Subject").encode(linesep="")
