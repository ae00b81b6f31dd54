"""Handing emails over to the mail server, and what its answers mean: an email is tried again only if it was certainly
not accepted."""

from __future__ import annotations

import re
from contextlib import suppress
from smtplib import SMTPDataError, SMTPRecipientsRefused, SMTPResponseException

from django.core import mail
from django.core.mail import EmailMessage

GONE = {550, 551, 553}  # SMTP: no such mailbox
OF_THE_MAILBOX = b"5.1."  # enhanced status codes; without one it may be our own relay, which refuses everybody
CLEAR = {503}  # of the answers that a service gives where it is at fault: it has not taken the mail
PERMANENT = 500  # SMTP replies from here on mean: never
ADDRESS = re.compile(r"[^\s<>\"'(){}\[\],:;=]+@[^\s<>\"'(){}\[\],:;]+")


class NotTaken(Exception):
    """The other side has certainly not accepted the message, so it may be tried again; `for_good` if it never will
    accept it, `is_down` if it would accept no other now either."""

    def __init__(self, words: str, *, for_good: bool = False, is_down: bool = False) -> None:
        super().__init__(words)
        self.for_good, self.is_down = for_good, is_down

    @property
    def is_mailbox_gone(self) -> bool:
        """Whether the server says that there is no such mailbox."""
        error = self.__cause__
        if isinstance(error, SMTPRecipientsRefused):
            answers = error.recipients.values()
            return all(code in GONE and words.startswith(OF_THE_MAILBOX) for code, words in answers)
        return error is not None and _is_refused_by_service(error)


class Unanswered(Exception):
    """The message was on its way and no answer came: it may have arrived, and is not sent again."""


class Line:
    """By SMTP, or by a service that django-anymail knows; for one round of sending."""

    def __init__(self) -> None:
        self._post = mail.get_connection()

    def open(self) -> None:
        """Make ready to send. Raises `NotTaken`."""
        try:
            self._post.open()
        except Exception as error:
            raise NotTaken(_words(error), is_down=isinstance(error, OSError)) from error

    def send(self, message: EmailMessage) -> None:
        """Raises `NotTaken` or `Unanswered`."""
        try:
            self._post.send_messages([message])
        except Exception as error:
            may_be_taken = self._may_be_taken(error)
            self.close()
            if may_be_taken:
                raise Unanswered(_words(error)) from error
            raise NotTaken(_words(error), for_good=_is_refused(error), is_down=_is_down(error)) from error

    def close(self) -> None:
        with suppress(OSError):
            self._post.close()

    def _may_be_taken(self, error: Exception) -> bool:
        if isinstance(error, SMTPResponseException | SMTPRecipientsRefused) or _is_refused_by_service(error):
            return False
        if _is_of_service(error):
            status = getattr(error, "status_code", None)
            return isinstance(error, OSError) and (status is None or (status >= 500 and status not in CLEAR))
        return isinstance(error, OSError) and getattr(self._post, "has_begun", True)


def _is_of_service(error: Exception) -> bool:
    from anymail.exceptions import AnymailError  # here: its HTTP client would cost every process 5 MB

    return isinstance(error, AnymailError)


def _is_refused_by_service(error: BaseException) -> bool:
    from anymail.exceptions import AnymailRecipientsRefused

    return isinstance(error, AnymailRecipientsRefused)


def _is_refused(error: Exception) -> bool:
    """Whether the server has said that it will never take this mail."""
    if isinstance(error, SMTPRecipientsRefused):
        return all(code >= PERMANENT for code, _ in error.recipients.values())
    return _is_refused_by_service(error) or (isinstance(error, SMTPDataError) and error.smtp_code >= PERMANENT)


def _is_down(error: Exception) -> bool:
    """Whether the rest of the round would fail in the same way."""
    is_about_this_mail = isinstance(error, SMTPDataError | SMTPRecipientsRefused) or _is_refused_by_service(error)
    return isinstance(error, OSError) and not is_about_this_mail


def _words(error: Exception) -> str:
    """What the other side said, for all staff and for the log: without the address, which servers repeat."""
    return ADDRESS.sub("…", f"{type(error).__name__}: {error}")[:200]
