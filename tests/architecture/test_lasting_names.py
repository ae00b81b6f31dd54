"""Names by which operators, dashboards and queued messages know the site stay, wherever its modules move."""

from __future__ import annotations

import json
import re

import pytest
from celery import current_app
from django.apps import apps
from django.core.management import get_commands
from prometheus_client import REGISTRY

from tests.servers import ROOT

KNOWN = ROOT / "tests" / "data" / "lasting_names.json"
"""`python -m tests.architecture.test_lasting_names` writes it again, where a name is new."""
OURS = ("accounts", "game", "sectors_site")


def literals(pattern: str) -> list[str]:
    """What our modules write out, in alphabetical order."""
    files = [path for package in OURS for path in (ROOT / package).rglob("*.py")]
    return sorted(name for path in files for name in re.findall(pattern, path.read_text(encoding="utf-8")))


def names() -> dict[str, list[str]]:
    import game.infra.metrics  # noqa: F401  (its metrics are registered when it is imported)

    current_app.loader.import_default_modules()
    permissions = [
        f"{model._meta.label_lower}.{name}" for model in apps.get_models() for name, _ in model._meta.permissions
    ]
    return {
        "tasks": sorted(name for name in current_app.tasks if not name.startswith("celery.")),
        "metrics": sorted(metric.name for metric in REGISTRY.collect() if metric.name.startswith("sectors_")),
        "loggers": literals(r'get_logger\("([\w.]+)"\)'),
        "salts": literals(r'(?m)^(?:COOKIE, )?SALT.* = (?:\w+, )?(?:"devices", )?"([\w.]+)"'),
        "commands": sorted(name for name, app in get_commands().items() if app in OURS),
        "permissions": sorted(permissions),
    }


@pytest.mark.parametrize("kind", ["tasks", "metrics", "loggers", "salts", "commands", "permissions"])
def test_no_name_that_was_known_outside_is_lost(kind: str) -> None:
    listed = json.loads(KNOWN.read_text())
    assert set(listed[kind]) <= set(names()[kind])


def test_every_logger_is_named_in_words() -> None:
    unnamed = [
        str(path.relative_to(ROOT))
        for package in OURS
        for path in (ROOT / package).rglob("*.py")
        if "get_logger(__name__)" in path.read_text(encoding="utf-8")
    ]
    assert not unnamed, "its name would change with its file"


@pytest.mark.django_db
def test_a_message_that_the_release_before_has_queued_is_carried_out() -> None:
    """As it lies in the broker: the task's name and its arguments."""
    message = {"task": "game.tasks.play_bots", "args": [4711], "kwargs": {}}
    current_app.loader.import_default_modules()
    task = current_app.tasks[message["task"]]
    assert task.apply(message["args"], message["kwargs"]).successful()


if __name__ == "__main__":
    import django

    django.setup()
    KNOWN.write_text(json.dumps(names(), indent=1) + "\n")
