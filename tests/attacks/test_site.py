"""What the site as a whole says and is: whom to tell about a hole, its settings as a service, the desk's way in."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.scenes import moderator
from tests.servers import ROOT

WHERE = "/.well-known/security.txt"
SERVICE = {
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "SECRET_KEY": "a-key-of-9-BYTES" * 4,
    "SITE_URL": "https://play.example.org",
    "EMAIL_URL": "consolemail://",
    "TRUSTED_PROXY_COUNT": "1",
}


@pytest.mark.django_db
def test_security_txt_says_whom_to_tell_until_when(client: Client, settings: Any) -> None:
    """RFC 9116: `Contact` and `Expires` are required, the latter less than a year away."""
    assert client.get(WHERE).status_code == 404, "without a contact it would be no such file"
    settings.SECURITY_CONTACT = ["mailto:security@example.org", "https://example.org/holes"]
    answer = client.get(WHERE)
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    fields = [line.split(": ", 1) for line in answer.content.decode().splitlines()]
    assert [value for name, value in fields if name == "Contact"] == settings.SECURITY_CONTACT
    result = dict(fields)
    assert result["Canonical"] == f"http://testserver{WHERE}"
    assert result["Preferred-Languages"] == "en, de"
    left = datetime.fromisoformat(result["Expires"]) - datetime.now(UTC)
    assert timedelta(days=30) < left < timedelta(days=365)
    assert "private" not in answer["Cache-Control"]


def test_a_service_is_deployed_without_a_warning(tmp_path: Path) -> None:
    base = {"PATH": os.environ["PATH"], "SECTORS_HOME": str(tmp_path)}
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(command, env=base | SERVICE, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "WARNINGS" not in done.stderr


@pytest.mark.django_db
def test_a20_the_desk_has_no_password_page_of_its_own(client: Client) -> None:
    """Django's would take any number of guesses at the old password, and tell nobody of the new one."""
    client.force_login(moderator("Lena"))
    new = {
        "old_password": "correct horse battery",
        "new_password1": "another horse 42",
        "new_password2": "another horse 42",
    }
    answer = client.post("/admin/password_change/", new)
    assert (answer.status_code, answer["Location"]) == (302, reverse("account_change_password"))
    assert client.login(username="Lena", password="correct horse battery")
