"""`manage.py scenario`: run rule scenarios written as YAML and print the result of every expectation."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from game.engine.ruleset import Ruleset
from game.engine.scenarios.language import ScenarioError
from game.engine.scenarios.manual import common_vocabulary, vocabulary
from game.engine.scenarios.running import ScenarioResult, tell
from game.management.commands._choices import ruleset_of
from game.rulesets.registry import RULESETS

SUFFIXES = (".yaml", ".yml")


class Command(BaseCommand):
    """Exits with an error if a scenario fails or cannot be run."""

    help = "Run YAML scenarios (docs/rules/scenarios.md): expected value, actual value and result of each check."

    requires_system_checks: list[str] = []  # needs neither site nor database

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="*", type=Path, metavar="FILE_OR_FOLDER")
        parser.add_argument("--ruleset", default=next(iter(RULESETS)), help="the game, if not %(default)s")
        parser.add_argument("--json", action="store_true", help="print everything as one JSON document")
        parser.add_argument("--vocabulary", action="store_true", help="print every word a scenario may use")
        parser.add_argument("--failures", action="store_true", help="print failed scenarios only")

    def handle(self, *, paths: list[Path], ruleset: str, **flags: Any) -> None:
        rules = ruleset_of(ruleset)
        if flags["vocabulary"]:
            self.stdout.write(_vocabulary(rules))
            return
        if not paths:
            raise CommandError("Name a file or a folder of scenarios.")
        results = [result for file in files_in(paths) for result in tell_file(rules, file)]
        if not results:
            raise CommandError(f"There is no scenario in {', '.join(map(str, paths))}; files end in .yaml or .yml.")
        if flags["json"]:
            self.stdout.write(
                json.dumps([report(result) for result in results], ensure_ascii=False, indent=1, default=str)
            )
        else:
            self._print(results, failures_only=flags["failures"])
        if failed := sum(not result.passed for result in results):
            raise CommandError(f"{failed} of {len(results)} scenarios failed.")

    def _print(self, results: list[ScenarioResult], *, failures_only: bool) -> None:
        for result in results:
            if not (failures_only and result.passed):
                self.stdout.write(lines_of(result))
        checks, failed = sum(len(result.checks) for result in results), sum(not result.passed for result in results)
        broken = sum(bool(result.error) for result in results)
        could_not = f", {broken} of them could not be run" if broken else ""
        self.stdout.write(f"{len(results)} scenarios, {checks} expectations, {failed} scenarios failed{could_not}")


def _vocabulary(rules: Ruleset) -> str:
    try:
        return f"{common_vocabulary()}\n{vocabulary(rules)}"
    except ScenarioError as error:
        raise CommandError(str(error)) from None


def files_in(paths: list[Path]) -> list[Path]:
    """The named files, and all YAML files below named folders. Refuses a path that does not exist."""
    files: list[Path] = []
    for path in paths:
        if not path.exists():
            raise CommandError(f"There is no file or folder {path}.")
        files += sorted(file for file in path.rglob("*.y*ml") if file.suffix in SUFFIXES) if path.is_dir() else [path]
    return files


def tell_file(rules: Ruleset, file: Path) -> list[ScenarioResult]:
    """The results of all scenarios of a file; an unreadable file counts as a scenario that cannot be run."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        return [ScenarioResult(str(file), "", (), [], str(error))]
    except UnicodeDecodeError as error:
        return [ScenarioResult(str(file), "", (), [], f"{file} is not text: {error}")]
    return tell(rules, str(file), text)


def lines_of(result: ScenarioResult) -> str:
    """A scenario with its expectations, or why it could not be run."""
    if result.error:
        return f"FAIL  {result.error}"
    lines = [f"{'pass' if result.passed else 'FAIL'}  {', '.join(result.rules)}: {result.title}"]
    for check in result.checks:
        outcome = f"{check.expected!r}" if check.passed else f"expected {check.expected!r}, got {check.got!r}"
        lines.append(f"  {'pass' if check.passed else 'FAIL'}  {check.what}: {outcome}")
    return "\n".join(lines)


def report(result: ScenarioResult) -> dict[str, Any]:
    """The report as JSON data."""
    checks = [{**msgspec.to_builtins(check), "passed": check.passed} for check in result.checks]
    return {
        "file": result.file,
        "title": result.title,
        "rules": result.rules,
        "passed": result.passed,
        "error": result.error,
        "checks": checks,
    }
