"""What a process loads at its start stays in its memory for as long as it runs."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.servers import ROOT

HTTP_CLIENTS = {"requests", "charset_normalizer"}
SELDOM_USED = {*HTTP_CLIENTS, "pywebpush", "py_vapid", "aiohttp", "numpy", "drf_spectacular", "jsonschema"}
WEB = """
import sectors_site.asgi
from django.urls import get_resolver
get_resolver()._populate()
"""


def loaded_by(program: str, home: Path) -> set[str]:
    """The packages that a fresh process has loaded after these lines."""
    lines = f"{program}\nimport json, sys\nprint(json.dumps(sorted({{name.split('.')[0] for name in sys.modules}})))"
    environment = os.environ | {"SECTORS_HOME": str(home), "DJANGO_SETTINGS_MODULE": "sectors_site.settings"}
    done = subprocess.run(
        [sys.executable, "-c", lines], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_a_web_process_loads_nothing_that_only_mail_webhooks_ratings_or_the_contract_need(tmp_path: Path) -> None:
    loaded = loaded_by(WEB, tmp_path)
    assert {"game", "celery", "rest_framework"} <= loaded
    assert loaded & SELDOM_USED == set()


def test_a_worker_loads_no_http_client(tmp_path: Path) -> None:
    loaded = loaded_by("from sectors_site.celery import app\napp.loader.import_default_modules()", tmp_path)
    assert {"game", "celery"} <= loaded
    assert loaded & {*HTTP_CLIENTS, "pywebpush", "rest_framework"} == set()


def test_what_only_starts_other_processes_loads_neither_celery_nor_a_game(tmp_path: Path) -> None:
    """It would take 30 MB to do nothing."""
    loaded = loaded_by("import sectors_site.service, sectors_site.serving", tmp_path)
    assert "uvicorn" in loaded
    assert loaded & {"celery", "game", "redis"} == set()
