"""Mail as a channel."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from smtplib import SMTPDataError, SMTPRecipientsRefused, SMTPResponseException

from django.conf import settings
from django.core import mail
from django.core.mail import EmailMessage, EmailMultiAlternatives

from accounts.mail import is_reachable, note_bounce
from accounts.models import Bounce, User
from accounts.post import is_for_good
from game.models import Channel, Notice
from game.services.channels import NotTaken, Unanswered
from game.services.emails import write_email

GONE = {550, 551, 553}  # SMTP: no such mailbox
OF_THE_MAILBOX = b"5.1."  # enhanced status codes; without one it may be our own relay, which refuses everybody
CLEAR = {503}  # of the answers that a service gives where it is at fault: it has not taken the mail


class MailWay:
    """By SMTP, or by a service that django-anymail knows."""

    channel = Channel.MAIL
    most_a_day: int | None = 6

    def __init__(self) -> None:
        self.post = mail.get_connection()
        self.window: timedelta = settings.MAIL_WINDOW

    def reaches(self, user: User) -> bool:
        return is_reachable(user)

    def write(self, notices: Sequence[Notice], *, now: datetime) -> EmailMultiAlternatives:
        return write_email(notices, now=now)

    def open(self) -> None:
        try:
            self.post.open()
        except Exception as error:
            raise NotTaken(_words(error), is_down=isinstance(error, OSError)) from error

    def send(self, message: EmailMessage) -> None:
        try:
            self.post.send_messages([message])
        except Exception as error:
            may_be_taken = self._may_be_taken(error)
            with suppress(OSError):
                self.post.close()
            if may_be_taken:
                raise Unanswered(_words(error)) from error
            if _is_gone(error):
                note_bounce(message.to[0], Bounce.Why.UNKNOWN, _words(error))
            raise NotTaken(_words(error), for_good=_is_refused(error), is_down=_is_down(error)) from error

    def close(self) -> None:
        with suppress(OSError):
            self.post.close()

    def _may_be_taken(self, error: Exception) -> bool:
        if isinstance(error, SMTPResponseException | SMTPRecipientsRefused) or _is_refused_by_service(error):
            return False
        if _is_of_service(error):
            status = getattr(error, "status_code", None)
            return isinstance(error, OSError) and (status is None or (status >= 500 and status not in CLEAR))
        return isinstance(error, OSError) and getattr(self.post, "has_begun", True)


def _is_of_service(error: Exception) -> bool:
    from anymail.exceptions import AnymailError  # here: its HTTP client would cost every process 5 MB

    return isinstance(error, AnymailError)


def _is_refused_by_service(error: Exception) -> bool:
    from anymail.exceptions import AnymailRecipientsRefused

    return isinstance(error, AnymailRecipientsRefused)


def _is_refused(error: Exception) -> bool:
    return _is_refused_by_service(error) or is_for_good(error)


def _is_gone(error: Exception) -> bool:
    """Whether the server says that there is no such mailbox."""
    if _is_refused_by_service(error):
        return True
    return isinstance(error, SMTPRecipientsRefused) and all(
        code in GONE and words.startswith(OF_THE_MAILBOX) for code, words in error.recipients.values()
    )


def _is_down(error: Exception) -> bool:
    """Whether the rest of the round would meet the same."""
    is_about_this_mail = isinstance(error, SMTPDataError | SMTPRecipientsRefused) or _is_refused_by_service(error)
    return isinstance(error, OSError) and not is_about_this_mail


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:200]
