"""`manage.py replay_game ID`: replay a game's log and compare it with every snapshot."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.store.game import Game
from game.store.replay import replay_game


class Command(BaseCommand):
    help = "Replay a game's log and compare the result with every stored snapshot."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", type=int)

    def handle(self, *, game: int, **options: Any) -> None:
        game_row = Game.objects.filter(pk=game).first()
        if game_row is None:
            raise CommandError(f"There is no game {game}.")
        checks = list(replay_game(game=game_row))
        if not checks:
            self.stdout.write("Nothing to compare: no position of this game was made by today's rules.")
            return
        for check in checks:
            self.stdout.write(
                f"{check.number:>6}  phase {check.serial:>5}  {check.stored}  "
                f"{'ok' if check.is_equal else check.replayed}"
            )
        wrong = sum(not check.is_equal for check in checks)
        if wrong:
            raise CommandError(f"{wrong} of {len(checks)} snapshots differ from the replay.")
        self.stdout.write(f"{len(checks)} positions, all equal.")
