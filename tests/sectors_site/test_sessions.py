"""A session is found by its key until it expires, as by Django's own store."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from sectors_site.sessions import SessionStore
from tests.tables import person

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


def stored() -> SessionStore:
    session = SessionStore()
    session["theme"] = "dark"
    session.save()
    return session


def test_a_session_is_read_once_and_written_as_ever() -> None:
    key = stored().session_key
    again = SessionStore(key)
    with CaptureQueriesContext(connection) as asked:
        assert (again["theme"], again.get("language")) == ("dark", None)
    assert len(asked) == 1
    again["theme"] = "light"
    again.save()
    assert SessionStore(key)["theme"] == "light"


def test_an_expired_session_and_an_unknown_one_are_empty_and_their_keys_are_not_used_again() -> None:
    session, other = stored(), stored()
    Session.objects.filter(pk=session.session_key).update(expire_date=timezone.now() - timedelta(seconds=1))
    for key in (session.session_key, "unknown-" * 4, "100%s", "\ue0000"):
        found = SessionStore(key)
        assert found.get("theme") is None, key
        assert found.session_key is None
    assert SessionStore(other.session_key)["theme"] == "dark"


def test_a_browser_whose_session_has_expired_is_signed_out() -> None:
    client = Client()
    client.force_login(person("ada"))
    assert client.get("/accounts/preferences/").status_code == 200
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert client.get("/accounts/preferences/").status_code == 302
