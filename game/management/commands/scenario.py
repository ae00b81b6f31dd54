"""`manage.py scenario`: run rule scenarios written as YAML and print what came of every expectation."""

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
    """Exits with an error when any scenario fails or cannot be run."""

    help = "Run YAML scenarios (docs/rules/scenarios.md): expected value, actual value and result of each check."

    requires_system_checks: list[str] = []  # the rules need neither site nor database

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="*", type=Path, metavar="FILE_OR_FOLDER")
        parser.add_argument("--ruleset", default=next(iter(RULESETS)), help="the game, if not %(default)s")
        parser.add_argument("--json", action="store_true", help="print everything as one JSON document")
        parser.add_argument("--vocabulary", action="store_true", help="print every word a scenario may use")
        parser.add_argument("--failures", action="store_true", help="print failed scenarios only")

    def handle(self, *, paths: list[Path], ruleset: str, **given: Any) -> None:
        rules = ruleset_of(ruleset)
        if given["vocabulary"]:
            self.stdout.write(_vocabulary(rules))
            return
        if not paths:
            raise CommandError("Name a file or a folder of scenarios.")
        told = [one for file in files_in(paths) for one in tell_file(rules, file)]
        if not told:
            raise CommandError(f"There is no scenario in {', '.join(map(str, paths))}; files end in .yaml or .yml.")
        if given["json"]:
            self.stdout.write(json.dumps([report(one) for one in told], ensure_ascii=False, indent=1, default=str))
        else:
            self._print(told, failures_only=given["failures"])
        if failed := sum(not one.passed for one in told):
            raise CommandError(f"{failed} of {len(told)} scenarios failed.")

    def _print(self, told: list[ScenarioResult], *, failures_only: bool) -> None:
        for one in told:
            if not (failures_only and one.passed):
                self.stdout.write(lines_of(one))
        checks, failed = sum(len(one.checks) for one in told), sum(not one.passed for one in told)
        broken = sum(bool(one.error) for one in told)
        could_not = f", {broken} of them could not be run" if broken else ""
        self.stdout.write(f"{len(told)} scenarios, {checks} expectations, {failed} scenarios failed{could_not}")


def _vocabulary(rules: Ruleset) -> str:
    try:
        return f"{common_vocabulary()}\n{vocabulary(rules)}"
    except ScenarioError as error:
        raise CommandError(str(error)) from None


def files_in(paths: list[Path]) -> list[Path]:
    """The files named, and all YAML files below folders. A path that leads nowhere is refused."""
    files: list[Path] = []
    for path in paths:
        if not path.exists():
            raise CommandError(f"There is no file or folder {path}.")
        files += sorted(file for file in path.rglob("*.y*ml") if file.suffix in SUFFIXES) if path.is_dir() else [path]
    return files


def tell_file(rules: Ruleset, file: Path) -> list[ScenarioResult]:
    """Every scenario of a file; a file that cannot be read is told like a scenario that cannot be run."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        return [ScenarioResult(str(file), "", (), [], str(error))]
    except UnicodeDecodeError as error:
        return [ScenarioResult(str(file), "", (), [], f"{file} is not text: {error}")]
    return tell(rules, str(file), text)


def lines_of(told: ScenarioResult) -> str:
    """A scenario with all its expectations, or why it could not be run."""
    if told.error:
        return f"FAIL  {told.error}"
    lines = [f"{'pass' if told.passed else 'FAIL'}  {', '.join(told.rules)}: {told.title}"]
    for check in told.checks:
        found = f"{check.expected!r}" if check.passed else f"expected {check.expected!r}, got {check.got!r}"
        lines.append(f"  {'pass' if check.passed else 'FAIL'}  {check.what}: {found}")
    return "\n".join(lines)


def report(told: ScenarioResult) -> dict[str, Any]:
    """The same as data."""
    checks = [{**msgspec.to_builtins(check), "passed": check.passed} for check in told.checks]
    return {
        "file": told.file,
        "title": told.title,
        "rules": told.rules,
        "passed": told.passed,
        "error": told.error,
        "checks": checks,
    }
