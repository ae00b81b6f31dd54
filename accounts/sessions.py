"""Ends sessions of a user, signals that others were signed out, and deletes the addresses of ended sessions."""

from allauth.usersessions.models import UserSession
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.dispatch import Signal
from django.utils import timezone

from accounts.models import User

others_shut_out = Signal()
"""Sent with the `request` and the `user` when the owner has signed others out, by ending sessions or by a new
password."""


def end_sessions(user: User, *, but: str | None = None) -> None:
    """End all sessions of a user `but` one, if given, and void their sign-in links. A session names its owner only in
    its packed data, so this reads all open sessions; that is acceptable because it is rare."""
    user.sign_in_links.filter(used_at=None).delete()
    for session in Session.objects.filter(expire_date__gt=timezone.now()).exclude(pk=but).iterator():
        if session.get_decoded().get(SESSION_KEY) == str(user.pk):
            session.delete()


def forget_ended() -> int:
    """Delete addresses and browsers of ended sessions. Returns their number."""
    open_keys = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
    return UserSession.objects.exclude(session_key__in=open_keys).delete()[0]
