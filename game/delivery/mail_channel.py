"""Email as a channel."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.core.mail import EmailMessage

from accounts.delivery import Line, NotTaken
from accounts.mail import Letter, is_reachable, note_bounce
from accounts.models import Bounce, User
from game.delivery.emails import write_email
from game.store.log import Notice
from game.store.preference_models import Channel


class MailWay:
    """To the person's address, if it is confirmed and has not bounced."""

    channel = Channel.MAIL
    most_a_day: int | None = 6

    def __init__(self) -> None:
        self._line = Line()
        self.window: timedelta = settings.MAIL_WINDOW

    def reaches(self, user: User) -> bool:
        return is_reachable(user)

    def write(self, notices: Sequence[Notice], *, now: datetime) -> Letter:
        return write_email(notices, now=now)

    def open(self) -> None:
        self._line.open()

    def send(self, message: EmailMessage) -> None:
        try:
            self._line.send(message)
        except NotTaken as refused:
            if refused.is_mailbox_gone:
                note_bounce(message.to[0], Bounce.Why.UNKNOWN, str(refused))
            raise

    def close(self) -> None:
        self._line.close()
