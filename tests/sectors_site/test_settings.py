"""One settings file for every way to run: what each environment chooses, and that nothing is loose outside the embedded
default."""

import json
import logging
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import structlog
from channels.layers import get_channel_layer
from django.test import Client

from sectors_site.environment import make_private, secret_key
from tests.servers import ROOT

ASK = """
import json, django
django.setup()
from django.conf import settings
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("SELECT 1")
print(json.dumps({name: repr(getattr(settings, name)) for name in dir(settings) if name.isupper()} | {"vendor":
connection.vendor}))
"""


def settings_with(tmp_path: Path, **environment: str) -> dict[str, str]:
    base = {
        "PATH": os.environ["PATH"],
        "SECTORS_HOME": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "sectors_site.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", ASK], env=base | environment, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_the_embedded_default_needs_nothing(tmp_path: Path) -> None:
    found = settings_with(tmp_path)
    assert (found["vendor"], found["EMBEDDED"], found["DEBUG"]) == ("sqlite", "True", "False")
    assert "console" in found["EMAIL_BACKEND"]
    assert "memory://" in found["CELERY_BROKER_URL"]
    assert "LoopInMemory" in found["CHANNEL_LAYERS"]


def test_sqlite_is_durable_and_does_not_deadlock_writers(tmp_path: Path) -> None:
    pragmas = """
import django; django.setup()
from django.db import connection as c
k = c.cursor()
print([k.execute("PRAGMA " + name).fetchone()[0] for name in ("journal_mode", "synchronous", "foreign_keys")],
c.transaction_mode)
"""
    base = {
        "PATH": os.environ["PATH"],
        "SECTORS_HOME": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "sectors_site.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", pragmas], env=base, cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['wal', 2, 1] IMMEDIATE"


def test_the_service_is_chosen_by_urls_and_is_strict(tmp_path: Path, postgres_url: str, redis_url: str) -> None:
    found = settings_with(
        tmp_path,
        DATABASE_URL=postgres_url,
        REDIS_URL=redis_url,
        SECRET_KEY="k" * 60,
        SITE_URL="https://play.example.org",
        EMAIL_URL="smtp+tls://u:p@mail.example.org:587",
        TRUSTED_PROXY_COUNT="1",
    )
    assert (found["vendor"], found["EMBEDDED"]) == ("postgresql", "False")
    assert "pool" in found["DATABASES"]
    assert "lock_timeout=10s" in found["DATABASES"]
    assert "ImpatientRedisChannelLayer" in found["CHANNEL_LAYERS"]
    assert found["ALLOWED_HOSTS"] == "['play.example.org']"
    for name in ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT", "EMAIL_USE_TLS"):
        assert found[name] == "True", name
    assert int(found["SECURE_HSTS_SECONDS"]) > 0


def test_a_service_without_its_own_key_does_not_start(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="SECRET_KEY"):
        settings_with(tmp_path, EMBEDDED="0")


def test_a_ruleset_is_played_that_a_setting_names(tmp_path: Path) -> None:
    ask = "import django; django.setup(); from game.rulesets.registry import RULESETS; print(*sorted(RULESETS))"
    base = {
        "PATH": os.environ["PATH"],
        "SECTORS_HOME": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "sectors_site.settings",
    }
    shipped, more = (
        subprocess.run(
            [sys.executable, "-c", ask], env=base | extra, cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.split()
        for extra in ({}, {"EXTRA_RULESETS": "tests.toy.ruleset:TOY"})
    )
    assert "toy" not in shipped
    assert more == sorted([*shipped, "toy"])


def test_the_key_of_a_copy_is_made_once_and_is_private(tmp_path: Path) -> None:
    key = secret_key(tmp_path)
    assert len(key) >= 60
    assert secret_key(tmp_path) == key
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0
    assert [file.name for file in tmp_path.iterdir()] == ["secret_key"]


@pytest.mark.django_db
def test_every_page_carries_strict_headers(client: Client) -> None:
    answer = client.get("/accounts/login/")
    assert answer.status_code == 200
    policy = answer["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"


@pytest.mark.django_db
def test_a_page_that_is_not_there_says_so_in_our_own_words(client: Client) -> None:
    answer = client.get("/no/such/page/")
    assert answer.status_code == 404
    assert b"Sectors" in answer.content
    assert b"urlpatterns" not in answer.content


def test_nothing_of_an_error_shows_local_values(capsys: pytest.CaptureFixture[str]) -> None:
    from sectors_site.logs import logging_config

    formatter = logging_config(plain=True, level=logging.INFO)["formatters"]["line"]
    line = formatter.pop("()")(**formatter)
    try:
        sealed = "bid-of-" + "four-hundred"
        raise ValueError("boom")
    except ValueError:
        record = logging.getLogger("x").makeRecord("x", logging.ERROR, __file__, 1, "it broke", (), sys.exc_info())
    text = line.format(record)
    assert "boom" in text
    assert sealed not in text


def test_a_logger_that_wrote_before_the_site_is_configured_again_is_heard_afterwards() -> None:
    from sectors_site.logs import logging_config

    log = structlog.get_logger("game.x")
    log.info("before")
    logging_config(plain=True, level=logging.INFO)
    with structlog.testing.capture_logs() as logged:
        log.info("after")
    assert [line["event"] for line in logged] == ["after"]


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_the_folder_of_a_copy_and_its_database_are_for_their_owner_alone(tmp_path: Path) -> None:
    settings_with(home := tmp_path / "new")
    assert mode(home) == 0o700
    assert {file.name: mode(file) for file in home.iterdir() if file.name != "static"} == {
        "secret_key": 0o600,
        "sectors.sqlite3": 0o600,
    }


def test_the_script_makes_the_folder_as_private_and_the_site_closes_an_open_one(tmp_path: Path) -> None:
    shutil.copy(ROOT / "dev", tmp_path)
    fake = tmp_path / ".venv" / "bin"
    fake.mkdir(parents=True)
    subprocess.run(
        ["./dev", "manage", "help"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHON": "nothing"},
        capture_output=True,
        check=False,
    )
    assert mode(tmp_path / ".local") == 0o700
    (tmp_path / ".local").chmod(0o755)
    make_private(tmp_path / ".local", is_ours=False)
    assert mode(tmp_path / ".local") == 0o755, "a folder that somebody named may be shared on purpose"
    make_private(tmp_path / ".local", is_ours=True)
    assert mode(tmp_path / ".local") == 0o700


LOUD = (
    "django.db.backends",
    "django.template",
    "asyncio",
    "websockets.server",
    "uvicorn.error",
    "celery.worker",
    "kombu",
    "urllib3",
)


def test_debug_logging_is_for_our_own_words(tmp_path: Path) -> None:
    """Statements, template contexts and headers are not logged at any level: they hold orders, drafts, hashes and
    sessions."""
    ask = f"""
import django, logging; django.setup()
print([name for name in {(*LOUD, "game.x")!r} if logging.getLogger(name).isEnabledFor(logging.DEBUG)])
"""
    base = {
        "PATH": os.environ["PATH"],
        "SECTORS_HOME": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "sectors_site.settings",
    }
    loud = base | {"LOG_LEVEL": "debug", "DEBUG": "1"}
    done = subprocess.run([sys.executable, "-c", ask], env=loud, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['game.x']"


async def test_the_embedded_layer_carries_sends_of_other_threads_home() -> None:
    import asyncio

    from asgiref.sync import async_to_sync

    from sectors_site.channel_layers import LoopInMemoryChannelLayer

    layer = LoopInMemoryChannelLayer()
    channel = await layer.new_channel()
    await layer.group_add("game.7", channel)
    waiting = asyncio.create_task(layer.receive(channel))
    await asyncio.to_thread(async_to_sync(layer.group_send), "game.7", {"type": "game.changed", "version": 42})
    assert await asyncio.wait_for(waiting, 60) == {"type": "game.changed", "version": 42}


async def test_the_services_layer_carries_a_hint_through_redis(redis_url: str, settings: Any) -> None:
    settings.CHANNEL_LAYERS = {
        "default": {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [redis_url]}}
    }
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add("game.7", channel)
    await layer.group_send("game.7", {"type": "game.changed", "version": 42})
    assert (await layer.receive(channel))["version"] == 42
