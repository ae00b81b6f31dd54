"""Hands emails to the mail server and reads its replies: an email is retried only if it was certainly not accepted."""

from __future__ import annotations

import re
from contextlib import suppress
from smtplib import SMTPDataError, SMTPRecipientsRefused, SMTPResponseException

from django.core import mail
from django.core.mail import EmailMessage

GONE = {550, 551, 553}  # SMTP: no such mailbox
OF_THE_MAILBOX = b"5.1."  # enhanced status code; without one, our own relay may be refusing everybody
NOT_ACCEPTED = {503}  # 5xx responses: the provider did not accept the message
PERMANENT = 500  # SMTP replies from here on are final
ADDRESS = re.compile(r"[^\s<>\"'(){}\[\],:;=]+@[^\s<>\"'(){}\[\],:;]+")


class NotTaken(Exception):
    """The other side has certainly not accepted the message, so it may be retried. `for_good`: it never will accept it.
    `is_down`: it would accept no other message now either."""

    def __init__(self, words: str, *, for_good: bool = False, is_down: bool = False) -> None:
        super().__init__(words)
        self.for_good, self.is_down = for_good, is_down

    @property
    def is_mailbox_gone(self) -> bool:
        """True if the server says that there is no such mailbox."""
        error = self.__cause__
        if isinstance(error, SMTPRecipientsRefused):
            replies = error.recipients.values()
            return all(code in GONE and text.startswith(OF_THE_MAILBOX) for code, text in replies)
        return error is not None and _is_refused_by_service(error)


class Unanswered(Exception):
    """The message was sent and no reply came: it may have arrived, so it is not sent again."""


class Line:
    """A connection for one round of sending, by SMTP or a service that django-anymail supports."""

    def __init__(self) -> None:
        self._connection = mail.get_connection()

    def open(self) -> None:
        """Raises `NotTaken`."""
        try:
            self._connection.open()
        except Exception as error:
            raise NotTaken(_error_text(error), is_down=isinstance(error, OSError)) from error

    def send(self, message: EmailMessage) -> None:
        """Raises `NotTaken` or `Unanswered`."""
        try:
            self._connection.send_messages([message])
        except Exception as error:
            may_be_taken = self._may_be_taken(error)
            self.close()
            if may_be_taken:
                raise Unanswered(_error_text(error)) from error
            raise NotTaken(_error_text(error), for_good=_is_refused(error), is_down=_is_down(error)) from error

    def close(self) -> None:
        with suppress(OSError):
            self._connection.close()

    def _may_be_taken(self, error: Exception) -> bool:
        if isinstance(error, SMTPResponseException | SMTPRecipientsRefused) or _is_refused_by_service(error):
            return False
        if _is_of_service(error):
            status = getattr(error, "status_code", None)
            return isinstance(error, OSError) and (status is None or (status >= 500 and status not in NOT_ACCEPTED))
        return isinstance(error, OSError) and getattr(self._connection, "has_begun", True)


def _is_of_service(error: Exception) -> bool:
    from anymail.exceptions import AnymailError  # imported here: its HTTP client costs 5 MB

    return isinstance(error, AnymailError)


def _is_refused_by_service(error: BaseException) -> bool:
    from anymail.exceptions import AnymailRecipientsRefused

    return isinstance(error, AnymailRecipientsRefused)


def _is_refused(error: Exception) -> bool:
    """True if the server will never accept this message."""
    if isinstance(error, SMTPRecipientsRefused):
        return all(code >= PERMANENT for code, _ in error.recipients.values())
    return _is_refused_by_service(error) or (isinstance(error, SMTPDataError) and error.smtp_code >= PERMANENT)


def _is_down(error: Exception) -> bool:
    """True if the rest of the round would fail in the same way."""
    is_about_this_mail = isinstance(error, SMTPDataError | SMTPRecipientsRefused) or _is_refused_by_service(error)
    return isinstance(error, OSError) and not is_about_this_mail


def _error_text(error: Exception) -> str:
    """The reply of the other side, for staff and for the log: without the address, which servers repeat."""
    return ADDRESS.sub("…", f"{type(error).__name__}: {error}")[:200]
