"""SMTP backend that records how far sending came: an email that may have been accepted is not sent again."""

from __future__ import annotations

import smtplib
from typing import Any

from django.core.mail.backends import smtp


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
    """The same over implicit TLS."""


class EmailBackend(smtp.EmailBackend):
    """Django's backend, which also says whether the server may have received the last email."""

    @property
    def connection_class(self) -> type[_TrackedSMTP]:
        return _TrackedSMTPS if self.use_ssl else _TrackedSMTP

    @property
    def has_begun(self) -> bool:
        """True if the transfer of the last email's text had begun."""
        return getattr(self.connection, "has_begun", False)
