"""`manage.py scenario`: run rule scenarios written as YAML and print what came of every expectation."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from game.rulesets.sectors.scenarios import Scenario, ScenarioError, Told, read, run, vocabulary

SUFFIXES = (".yaml", ".yml")


class Command(BaseCommand):
    """Exits with an error when any expectation fails or any word is unknown."""

    help = "Run YAML scenarios of Sectors (docs/rules/scenarios.md): what was expected, what there is, pass or fail."

    requires_system_checks: list[str] = []  # the rules need neither site nor database

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="*", type=Path, metavar="FILE_OR_FOLDER")
        parser.add_argument("--json", action="store_true", help="print everything as one JSON document")
        parser.add_argument("--vocabulary", action="store_true", help="print every word a scenario may use")
        parser.add_argument("--failures", action="store_true", help="print failed scenarios only")

    def handle(self, *, paths: list[Path], **given: Any) -> None:
        if given["vocabulary"]:
            self.stdout.write(vocabulary())
            return
        if not paths:
            raise CommandError("Name a file or a folder of scenarios.")
        try:
            told = [run(scenario) for scenario in scenarios_in(paths)]
        except ScenarioError as error:
            raise CommandError(str(error)) from None
        if not told:
            raise CommandError(f"There is no scenario in {', '.join(map(str, paths))}; files end in .yaml or .yml.")
        if given["json"]:
            self.stdout.write(json.dumps([report(one) for one in told], ensure_ascii=False, indent=1))
        else:
            for one in told:
                if not (given["failures"] and one.passed):
                    self.stdout.write(lines_of(one))
        failed = sum(not one.passed for one in told)
        if not given["json"]:
            self.stdout.write(f"{len(told)} scenarios, {sum(len(one.checks) for one in told)} expectations, {failed} scenarios failed")
        if failed:
            raise CommandError(f"{failed} of {len(told)} scenarios failed.")


def scenarios_in(paths: list[Path]) -> list[Scenario]:
    """The scenarios of files, and of all YAML files below folders."""
    files: list[Path] = []
    for path in paths:
        files += sorted(file for file in path.rglob("*.y*ml") if file.suffix in SUFFIXES) if path.is_dir() else [path]
    try:
        return [scenario for file in files for scenario in read(str(file), file.read_text(encoding="utf-8"))]
    except OSError as error:
        raise CommandError(str(error)) from None
    except UnicodeDecodeError as error:
        raise CommandError(f"A file is not text: {error}.") from None


def lines_of(told: Told) -> str:
    """A scenario with all its expectations."""
    lines = [f"{'pass' if told.passed else 'FAIL'}  {', '.join(told.scenario.rules)}: {told.scenario.title}"]
    for check in told.checks:
        found = f"{check.expected!r}" if check.passed else f"expected {check.expected!r}, got {check.got!r}"
        lines.append(f"  {'pass' if check.passed else 'FAIL'}  {check.what}: {found}")
    return "\n".join(lines)


def report(told: Told) -> dict[str, Any]:
    """The same as data."""
    scenario = told.scenario
    checks = [{**msgspec.to_builtins(check), "passed": check.passed} for check in told.checks]
    return {"file": scenario.file, "title": scenario.title, "rules": scenario.rules, "passed": told.passed, "checks": checks}
