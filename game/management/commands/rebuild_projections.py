"""`manage.py rebuild_projections [ID]`: rewrite the board rows from the snapshots."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.store.game import Game
from game.store.replay import rebuild_projections


class Command(BaseCommand):
    help = "Rebuild the projected tables of one game, or of all that were started."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", type=int, nargs="?")

    def handle(self, *, game: int | None, **options: Any) -> None:
        started = Game.objects.exclude(started_at=None)
        game_ids = list(
            (started if game is None else started.filter(pk=game)).order_by("pk").values_list("pk", flat=True)
        )
        if game is not None and not game_ids:
            raise CommandError(f"There is no game {game} that has started.")
        for game_id in game_ids:
            rebuild_projections(game_id=game_id)
            self.stdout.write(f"game {game_id}: rebuilt")
