"""Ending the sessions of a user, the signal that others are shut out, and forgetting where ended sessions came from."""

from allauth.usersessions.models import UserSession
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.dispatch import Signal
from django.utils import timezone

from accounts.models import User

others_shut_out = Signal()
"""Sent with the `request` and the `user` when the owner of an account has ended what others may have of it: their other
sessions, or the password that they may know."""


def end_sessions(user: User, *, but: str | None = None) -> None:
    """Sign a user out everywhere `but` in one session, if any, and void the links that would sign them in.

    A session names its owner only inside its packed data: this reads all that are open, which is a rare act's price."""
    user.sign_in_links.filter(used_at=None).delete()
    for session in Session.objects.filter(expire_date__gt=timezone.now()).exclude(pk=but).iterator():
        if session.get_decoded().get(SESSION_KEY) == str(user.pk):
            session.delete()


def forget_ended() -> int:
    """Delete the addresses and browsers of sessions that have ended; how many there were."""
    going_on = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
    return UserSession.objects.exclude(session_key__in=going_on).delete()[0]
