"""`manage.py rebuild_projections [ID]`: write the board's rows afresh from the snapshots."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from game.models import Game
from game.services.replay import rebuild_projections


class Command(BaseCommand):
    help = "Rebuild the projected tables of one game, or of all that were started."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", type=int, nargs="?")

    def handle(self, *, game: int | None, **options: Any) -> None:
        started = Game.objects.exclude(started_at=None) if game is None else Game.objects.filter(pk=game)
        for game_id in started.order_by("pk").values_list("pk", flat=True):
            rebuild_projections(game_id=game_id)
            self.stdout.write(f"game {game_id}: rebuilt")
