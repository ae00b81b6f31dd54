"""`manage.py restore FILE`: restore a backup into an empty database, and verify it by replaying every game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.engine.phrases import plural
from sectors_site.backups import NoBackup, restore_backup


class Command(BaseCommand):
    help = "Read a backup into an empty database and compare every game with what was noted and with its replayed log."
    # The tables may not be there yet.
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *, file: Path, **options: Any) -> None:
        try:
            report = restore_backup(file.resolve())
        except NoBackup as error:
            raise CommandError(str(error)) from error
        for sentence in report.wrong:
            self.stderr.write(sentence)
        if report.wrong:
            raise CommandError(
                f"{plural(len(report.wrong), 'difference')} in {plural(report.games, 'game')}: "
                "do not let people play here."
            )
        games, positions = plural(report.games, "game"), plural(report.positions, "position")
        self.stdout.write(f"{games} restored; {positions} replayed, all equal.")
