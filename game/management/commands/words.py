"""Bring the catalogues up to date with the texts that players read, and say what is not translated."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from accounts import po
from game.management.words import collecting


class Command(BaseCommand):
    """Collects all texts; adds new ones to the German catalogues, and removes those that are gone."""

    help = "Bring locale/de.po of every area up to date with the texts in the code, and list what is not translated."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("areas", nargs="*", help="Only these, as game/boards/sectors; . is the shell.")
        parser.add_argument("--missing", action="store_true", help="List every text without a translation.")

    def handle(self, *args: Any, areas: list[str], missing: bool, **options: Any) -> None:
        root = settings.BASE_DIR
        known = collecting.catalogues(root, "de")
        elsewhere = {text: told for each in known.values() for text, told in each.items() if all(told)}
        found = collecting.collected(root)
        for place in sorted({*found, *known}):
            if areas and place.as_posix() not in areas:
                continue
            catalogue = collecting.updated(found.get(place, set()), known.get(place, {}), elsewhere)
            po.write(collecting.catalogue_of(root, place, "de"), catalogue, "de")
            lacking = collecting.missing(catalogue)
            self.stdout.write(f"{place.as_posix()}: {len(catalogue)} texts, {len(lacking)} not translated")
            for text in lacking if missing else ():
                self.stdout.write(f"  {text.one}")
            for fault in collecting.faults(catalogue):
                self.stdout.write(f"  other places or tags: {fault}")
