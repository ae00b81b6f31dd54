"""Ending the sessions of a user, the signal that others are shut out, and forgetting where ended sessions came from."""

from allauth.usersessions.models import UserSession
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.dispatch import Signal
from django.utils import timezone

from accounts.models import User

others_shut_out = Signal()
"""Sent with the `request` and the `user` when the owner of an account has signed others out: by ending other sessions,
or by a new password."""


def end_sessions(user: User, *, but: str | None = None) -> None:
    """Sign a user out everywhere `but` in one session, if any, and void the links that would sign them in. A session
    names its owner only in its packed data, so this reads all open sessions; that is acceptable because it is rare."""
    user.sign_in_links.filter(used_at=None).delete()
    for session in Session.objects.filter(expire_date__gt=timezone.now()).exclude(pk=but).iterator():
        if session.get_decoded().get(SESSION_KEY) == str(user.pk):
            session.delete()


def forget_ended() -> int:
    """Delete the addresses and browsers of sessions that have ended; how many there were."""
    going_on = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
    return UserSession.objects.exclude(session_key__in=going_on).delete()[0]
