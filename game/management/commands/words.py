"""Updates the catalogues with the texts that players read, and lists what is not translated."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from accounts import languages
from game.management import word_catalogues


class Command(BaseCommand):
    """Adds new texts to the German catalogues and removes obsolete ones."""

    help = "Bring locale/de.po of every area up to date with the texts in the code, and list what is not translated."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("areas", nargs="*", help="Only these, as game/boards/sectors; . is the shell.")
        parser.add_argument("--missing", action="store_true", help="List every text without a translation.")

    def handle(self, *args: Any, areas: list[str], missing: bool, **options: Any) -> None:
        root = settings.BASE_DIR
        catalogues = word_catalogues.catalogues(root, "de")
        elsewhere = {
            text: translations
            for each in catalogues.values()
            for text, translations in each.items()
            if all(translations)
        }
        texts = word_catalogues.collected(root)
        for area in sorted({*texts, *catalogues}):
            if areas and area.as_posix() not in areas:
                continue
            catalogue = word_catalogues.updated(texts.get(area, set()), catalogues.get(area, {}), elsewhere)
            languages.write_catalogue(word_catalogues.catalogue_of(root, area, "de"), catalogue, "de")
            untranslated = word_catalogues.missing(catalogue)
            self.stdout.write(f"{area.as_posix()}: {len(catalogue)} texts, {len(untranslated)} not translated")
            for text in untranslated if missing else ():
                self.stdout.write(f"  {text.one}")
            for fault in word_catalogues.faults(catalogue):
                self.stdout.write(f"  other places or tags: {fault}")
