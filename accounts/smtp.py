"""Sending by SMTP, recording how far it came: an email that may have been accepted is not sent again."""

from __future__ import annotations

import smtplib
from typing import Any

from django.core.mail.backends import smtp


class _Watched(smtplib.SMTP):
    """A connection that knows whether it has begun to hand over its last mail's text."""

    has_begun = False

    def sendmail(self, *args: Any, **options: Any) -> Any:
        self.has_begun = False
        return super().sendmail(*args, **options)

    def data(self, msg: Any) -> Any:
        self.has_begun = True
        return super().data(msg)


class _WatchedTLS(_Watched, smtplib.SMTP_SSL):
    """The same where the connection is encrypted from its beginning."""


class EmailBackend(smtp.EmailBackend):
    """Django's, which says whether the server can have taken the last mail."""

    @property
    def connection_class(self) -> type[_Watched]:
        return _WatchedTLS if self.use_ssl else _Watched

    @property
    def has_begun(self) -> bool:
        """Whether the last mail's text was on its way to the server."""
        return getattr(self.connection, "has_begun", False)
