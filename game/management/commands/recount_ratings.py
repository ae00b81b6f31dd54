"""`manage.py recount_ratings [RULESET]`: recompute the ratings from the results of all rated games."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.reputation.ratings import recount
from game.rulesets.registry import RULESETS


class Command(BaseCommand):
    help = "Work out the ratings of one ruleset, or of all, from the results of their rated games."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ruleset", nargs="?", default="")

    def handle(self, *, ruleset: str, **options: Any) -> None:
        if ruleset and ruleset not in RULESETS:
            raise CommandError(f"There is no ruleset {ruleset!r}. Choose one of {', '.join(RULESETS)}.")
        for key in [ruleset] if ruleset else RULESETS:
            self.stdout.write(f"{key}: {recount(ruleset=key)} rated games counted")
