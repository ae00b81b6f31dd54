"""Environment variables that are missing or wrong end the start in one sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sectors_site import environment
from tests.servers import ROOT

SERVICE = {
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "SECRET_KEY": "k" * 60,
    "SITE_URL": "https://play.example.org",
    "EMAIL_URL": "consolemail://",
    "TRUSTED_PROXY_COUNT": "1",
}
WRONG = [
    ("RULES_SECONDS", "fast", lambda: environment.seconds("RULES_SECONDS", 5.0)),
    ("RULES_SECONDS", "-1", lambda: environment.seconds("RULES_SECONDS", 5.0)),
    ("RULES_SECONDS", "inf", lambda: environment.seconds("RULES_SECONDS", 5.0)),
    ("RULES_SECONDS", "0", lambda: environment.seconds("RULES_SECONDS", 5.0)),
    ("DATABASE_POOL", "2.5", lambda: environment.whole_number("DATABASE_POOL", 10)),
    ("RETRY_SECONDS", "soon", lambda: environment.numbers("RETRY_SECONDS", [1])),
    ("SSL_REDIRECT", "yess", lambda: environment.boolean("SSL_REDIRECT", default=True)),
    ("LOG_LEVEL", "chatty", lambda: environment.level("LOG_LEVEL", "INFO")),
    ("SITE_URL", "play.example.org", lambda: environment.address("SITE_URL", "")),
    ("SITE_URL", "https://play.example.org/sectors", lambda: environment.address("SITE_URL", "")),
    ("SECURITY_CONTACT", "http://play.example.org", lambda: environment.contacts("SECURITY_CONTACT")),
    ("SECURITY_CONTACT", "the host", lambda: environment.contacts("SECURITY_CONTACT")),
    ("SECTORS_HOME", "/dev/null", lambda: environment.folder("SECTORS_HOME", ROOT)),
    ("SECTORS_HOME", "/dev/null/home", lambda: environment.folder("SECTORS_HOME", ROOT)),
]
WRONG += [
    ("DEFAULT_FROM_EMAIL", sender, lambda: environment.sender("DEFAULT_FROM_EMAIL", ""))
    for sender in ("garbage", "Sectors <sectors>", "a@example.org, b@example.org", "a@example.org\nBcc: b@example.org")
]
HIDDEN = [
    ("DATABASE_URL", "postgres://me:pssst@", lambda: environment.database("DATABASE_URL")),
    ("DATABASE_URL", "postgres://me:pssst@host", lambda: environment.database("DATABASE_URL")),
    ("DATABASE_URL", "postgre://me:pssst@host/name", lambda: environment.database("DATABASE_URL")),
    ("DATABASE_URL", "pssst", lambda: environment.database("DATABASE_URL")),
    ("REDIS_URL", "http://:pssst@host", lambda: environment.redis("REDIS_URL")),
    ("REDIS_URL", "redis://:pssst@", lambda: environment.redis("REDIS_URL")),
    ("REDIS_URL", "redis://:pssst@host:port", lambda: environment.redis("REDIS_URL")),
    ("DATABASE_URL", "oracle://me:pssst@host/name", lambda: environment.database("DATABASE_URL")),
    ("EMAIL_URL", "post://me:pssst@host", lambda: environment.mail("EMAIL_URL", "")),
    ("ANYMAIL", "{pssst", lambda: environment.json("ANYMAIL")),
    ("ANYMAIL", '["pssst"]', lambda: environment.json("ANYMAIL")),
    ("ANYMAIL", '{"WEBHOOK_SECRET": "pssst"}', lambda: environment.anymail("ANYMAIL")),
    ("ANYMAIL", '{"WEBHOOK_SECRET": ["new:word", "pssst"]}', lambda: environment.anymail("ANYMAIL")),
]


def start(tmp_path: Path, **given: str) -> subprocess.CompletedProcess[str]:
    base = {"PATH": os.environ["PATH"], "SECTORS_HOME": str(tmp_path)}
    command = [sys.executable, "manage.py", "check"]
    return subprocess.run(command, env=base | given, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("name", "value", "read"), WRONG)
def test_a_wrong_value_is_named_with_what_it_must_be(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, read: Callable[[], object]
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as end:
        read()
    assert str(end.value).startswith(f"{name} is “{value}”; it must be ")
    assert str(end.value).endswith(".")


@pytest.mark.parametrize(("name", "value", "read"), HIDDEN)
def test_what_may_hold_a_password_is_never_shown(
    monkeypatch: pytest.MonkeyPatch,
    recwarn: pytest.WarningsRecorder,
    name: str,
    value: str,
    read: Callable[[], object],
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as end:
        read()
    assert str(end.value).startswith(f"{name} must be a")
    assert "pssst" not in str(end.value)
    assert not recwarn.list, "a warning would show it"


@pytest.mark.parametrize(("word", "told"), [("on", True), ("False", False), ("1", True), ("", True)])
def test_on_and_off_are_said_in_the_usual_words(monkeypatch: pytest.MonkeyPatch, word: str, *, told: bool) -> None:
    monkeypatch.setenv("SSL_REDIRECT", word)
    assert environment.boolean("SSL_REDIRECT", default=True) is told


@pytest.mark.parametrize("name", ["SECRET_KEY", "EMAIL_URL", "TRUSTED_PROXY_COUNT"])
def test_a_service_is_asked_for_what_it_cannot_guess(tmp_path: Path, name: str) -> None:
    done = start(tmp_path, **{key: value for key, value in SERVICE.items() if key != name})
    assert done.returncode == 1
    assert done.stderr.startswith(f"{name} is not set. ")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("sender", ["Sectors <sectors@127.0.0.1>", "a@example.org", '"A, B" <a@example.org>'])
def test_a_sender_has_an_address(monkeypatch: pytest.MonkeyPatch, sender: str) -> None:
    monkeypatch.setenv("DEFAULT_FROM_EMAIL", sender)
    assert environment.sender("DEFAULT_FROM_EMAIL", "") == sender


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "rediss://:secret@host", ""])
def test_redis_has_a_host(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("REDIS_URL", url)
    assert environment.redis("REDIS_URL") == url


@pytest.mark.parametrize(
    ("name", "place"),
    [("EXTRA_RULESETS", "nope"), ("EXTRA_RULESETS", "tests.toy.ruleset"), ("EMAIL_BACKEND", "nope.Nope")],
)
def test_code_that_is_not_there_is_named(tmp_path: Path, name: str, place: str) -> None:
    done = start(tmp_path, **{name: place})
    assert done.returncode == 1
    assert done.stderr.startswith(f"{name} names “{place}”, which ")
    assert len(done.stderr.splitlines()) == 1


def test_a_limit_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = start(tmp_path, LIMITS='{"move": 120, "moves": 120}')
    assert done.returncode == 1
    assert done.stderr.startswith("LIMITS names “moves”; it must be ")
    assert len(done.stderr.splitlines()) == 1


def test_a_service_that_is_told_everything_starts(tmp_path: Path) -> None:
    done = start(tmp_path, **SERVICE)
    assert done.returncode == 0, done.stderr


def test_reports_about_mail_are_taken_however_it_is_sent(tmp_path: Path) -> None:
    """A service that takes it by SMTP tells of bounces at the same address."""
    given = {"EMAIL_URL": "smtp+tls://me:secret@smtp.example.org:587", "ANYMAIL": '{"WEBHOOK_SECRET": "me:a word"}'}
    base = {"PATH": os.environ["PATH"], "SECTORS_HOME": str(tmp_path)} | SERVICE | given
    command = [sys.executable, "-c", "from sectors_site import settings; print(settings.ANYMAIL['WEBHOOK_SECRET'])"]
    done = subprocess.run(command, env=base, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == "me:a word\n", done.stderr
