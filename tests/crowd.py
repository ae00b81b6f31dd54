"""Many people who are signed in, made by a handful of statements."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.models import User

BATCH = 500


def sessions_of_a_crowd(number: int) -> list[str]:
    """The keys of the sessions of so many new people."""
    fresh = [User(username=f"one of many {n}", password=f"!{secrets.token_hex(20)}") for n in range(number)]
    people = User.objects.bulk_create(fresh, batch_size=BATCH)
    store, ends = SessionStore(), timezone.now() + timedelta(days=1)
    sessions = [
        Session(session_key=secrets.token_hex(16), session_data=store.encode(_signed_in(user)), expire_date=ends)
        for user in people
    ]
    Session.objects.bulk_create(sessions, batch_size=BATCH)
    return [session.session_key for session in sessions]


def _signed_in(user: User) -> dict[str, str]:
    backend = settings.AUTHENTICATION_BACKENDS[0]
    return {SESSION_KEY: str(user.pk), BACKEND_SESSION_KEY: backend, HASH_SESSION_KEY: user.get_session_auth_hash()}
