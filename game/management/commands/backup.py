"""`manage.py backup FILE`: write the whole database to one file while the site runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.engine.phrases import plural
from sectors_site.backups import NoBackup, write_backup


class Command(BaseCommand):
    help = "Write the whole database to a file that `restore` reads and verifies. It holds every secret of every game."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *, file: Path, **options: Any) -> None:
        try:
            games = write_backup(file.resolve())
        except NoBackup as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"{plural(games, 'game')} in {file}. Protect it like a password.")
