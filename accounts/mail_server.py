"""Hands emails to the mail server and reads its replies: an email is retried only if it was certainly not accepted. The
SMTP backend records how far sending came."""

from __future__ import annotations

import re
import smtplib
from contextlib import suppress
from smtplib import SMTPDataError, SMTPRecipientsRefused, SMTPResponseException
from typing import Any

from django.core import mail
from django.core.mail import EmailMessage
from django.core.mail.backends import smtp

NO_MAILBOX_CODES = {550, 551, 553}  # SMTP: no such mailbox
MAILBOX_STATUS = b"5.1."  # enhanced status code; without one, our own relay may be refusing everybody
REFUSAL_STATUSES = {503}  # 5xx responses: the provider did not accept the message
FIRST_PERMANENT_CODE = 500  # SMTP replies from here on are final
ADDRESS = re.compile(r"[^\s<>\"'(){}\[\],:;=]+@[^\s<>\"'(){}\[\],:;]+")


class NotAccepted(Exception):
    """The other side has certainly not accepted the message, so it may be retried. `is_permanent`: it never will accept
    it. `is_down`: it would accept no other message now either."""

    def __init__(self, words: str, *, is_permanent: bool = False, is_down: bool = False) -> None:
        super().__init__(words)
        self.is_permanent, self.is_down = is_permanent, is_down

    @property
    def is_mailbox_gone(self) -> bool:
        """True if the server says that there is no such mailbox."""
        error = self.__cause__
        if isinstance(error, SMTPRecipientsRefused):
            replies = error.recipients.values()
            return all(code in NO_MAILBOX_CODES and text.startswith(MAILBOX_STATUS) for code, text in replies)
        return error is not None and _is_refused_by_service(error)


class NoReply(Exception):
    """The message was sent and no reply came: it may have arrived, so it is not sent again."""


class MailConnection:
    """A connection for one round of sending, by SMTP or a service that django-anymail supports."""

    def __init__(self) -> None:
        self._connection = mail.get_connection()

    def open(self) -> None:
        """Raises `NotAccepted`."""
        try:
            self._connection.open()
        except Exception as error:
            raise NotAccepted(_error_text(error), is_down=isinstance(error, OSError)) from error

    def send(self, message: EmailMessage) -> None:
        """Raises `NotAccepted` or `NoReply`."""
        try:
            self._connection.send_messages([message])
        except Exception as error:
            may_be_taken = self._may_be_accepted(error)
            self.close()
            if may_be_taken:
                raise NoReply(_error_text(error)) from error
            raise NotAccepted(_error_text(error), is_permanent=_is_refused(error), is_down=_is_down(error)) from error

    def close(self) -> None:
        with suppress(OSError):
            self._connection.close()

    def _may_be_accepted(self, error: Exception) -> bool:
        if isinstance(error, SMTPResponseException | SMTPRecipientsRefused) or _is_refused_by_service(error):
            return False
        if _is_service_error(error):
            status = getattr(error, "status_code", None)
            return isinstance(error, OSError) and (status is None or (status >= 500 and status not in REFUSAL_STATUSES))
        return isinstance(error, OSError) and getattr(self._connection, "has_begun", True)


def _is_service_error(error: Exception) -> bool:
    from anymail.exceptions import AnymailError  # imported here: its HTTP client costs 5 MB

    return isinstance(error, AnymailError)


def _is_refused_by_service(error: BaseException) -> bool:
    from anymail.exceptions import AnymailRecipientsRefused

    return isinstance(error, AnymailRecipientsRefused)


def _is_refused(error: Exception) -> bool:
    """True if the server will never accept this message."""
    if isinstance(error, SMTPRecipientsRefused):
        return all(code >= FIRST_PERMANENT_CODE for code, _ in error.recipients.values())
    return _is_refused_by_service(error) or (
        isinstance(error, SMTPDataError) and error.smtp_code >= FIRST_PERMANENT_CODE
    )


def _is_down(error: Exception) -> bool:
    """True if the rest of the round would fail in the same way."""
    is_about_this_mail = isinstance(error, SMTPDataError | SMTPRecipientsRefused) or _is_refused_by_service(error)
    return isinstance(error, OSError) and not is_about_this_mail


def _error_text(error: Exception) -> str:
    """The reply of the other side, for staff and for the log: without the address, which servers repeat."""
    return ADDRESS.sub("…", f"{type(error).__name__}: {error}")[:200]


class _TrackedSMTP(smtplib.SMTP):
    """Records whether the transfer of the last email's text has begun."""

    has_begun = False

    def sendmail(self, *args: Any, **options: Any) -> Any:
        self.has_begun = False
        return super().sendmail(*args, **options)

    def data(self, msg: Any) -> Any:
        self.has_begun = True
        return super().data(msg)


class _TrackedSMTPS(_TrackedSMTP, smtplib.SMTP_SSL):
    """A tracked SMTP connection over implicit TLS."""


class EmailBackend(smtp.EmailBackend):
    """Django's backend, which also says whether the server may have received the last email."""

    @property
    def connection_class(self) -> type[_TrackedSMTP]:
        return _TrackedSMTPS if self.use_ssl else _TrackedSMTP

    @property
    def has_begun(self) -> bool:
        """True if the transfer of the last email's text had begun."""
        return getattr(self.connection, "has_begun", False)
