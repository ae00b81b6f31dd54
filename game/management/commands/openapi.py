"""Writes the API contract to docs/api/openapi.json, which a test compares with the code."""

import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from game.api.schema import document


class Command(BaseCommand):
    """Changes to the written file must be additions."""

    help = "Write docs/api/openapi.json."

    def handle(self, *args: Any, **options: Any) -> None:
        path = settings.BASE_DIR / "docs" / "api" / "openapi.json"
        path.write_text(json.dumps(document(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        self.stdout.write(str(path))
