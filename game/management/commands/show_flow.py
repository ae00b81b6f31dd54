"""`manage.py show_flow RULESET`: the sequence of play of a ruleset."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from game.engine.flow import FlowRow
from game.management.commands._choices import options_of, ruleset_of


class Command(BaseCommand):
    help = "Print a ruleset's phases: number, name, mode, clock, actions and what happens to those who do nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ruleset")
        parser.add_argument(
            "--option", action="append", default=[], metavar="KEY=VALUE", help="a game option; may be repeated"
        )

    def handle(self, *, ruleset: str, option: list[str], **options: Any) -> None:
        rules = ruleset_of(ruleset)
        rounds: tuple[Any, ...] = ()
        for row in rules.flow(options_of(rules, option)).rows:
            self._print_rounds(row, rounds)
            rounds = row.rounds
            self.stdout.write(line_of(row))

    def _print_rounds(self, row: FlowRow, previous_rounds: tuple[Any, ...]) -> None:
        for depth, part in enumerate(row.rounds):
            if part not in previous_rounds:
                suffix = "  (repeats)" if part.again else ""
                self.stdout.write(f"{'  ' * depth}{part.title}{suffix}")


def line_of(row: FlowRow) -> str:
    phase, indent = row.phase, "  " * len(row.rounds)
    actions = ", ".join(str(kind.__struct_config__.tag) for kind in phase.actions)
    action_text = f"  {actions}  / otherwise {phase.default}" if actions else ""
    return f"{indent}{phase.number:>3} {phase.title:<34} {phase.mode.value:<10} {phase.clock:<13}{action_text}".rstrip()
