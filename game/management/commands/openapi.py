"""Write the contract of the API to docs/api/openapi.json, with which a test compares it."""

import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from game.api.schema import document


class Command(BaseCommand):
    """Writes the file; what changes in it must only grow."""

    help = "Write docs/api/openapi.json."

    def handle(self, *args: Any, **options: Any) -> None:
        path = settings.BASE_DIR / "docs" / "api" / "openapi.json"
        path.write_text(json.dumps(document(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        self.stdout.write(str(path))
