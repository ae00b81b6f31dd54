"""`manage.py simulate`: play many games among bots and count what happened."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from statistics import mean
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.text import slugify

from game.engine.ruleset import Ruleset
from game.engine.simulation.survey import Report, Survey
from game.management.commands import _pace
from game.management.commands._choices import bots_of, options_of, ruleset_of
from game.management.reports.pages import write

PROGRESS_GAMES = 10  # between progress messages


class Command(BaseCommand):
    """Games among bots; the same seed gives the same figures."""

    help = "Play games among bots: standings, lengths, and how often each phase, action, card and order occurred."

    requires_system_checks: list[str] = []  # needs neither site nor database

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ruleset")
        parser.add_argument("--seats", type=int, default=4)
        parser.add_argument("--games", type=int, default=20)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument(
            "--bots",
            help="house (the default, where the game has it), random or another bot; mixed draws house or random for "
            "each seat; names separated by commas are one for each seat, and every game moves them on by a seat",
        )
        parser.add_argument(
            "--option", action="append", default=[], metavar="KEY=VALUE", help="a game option; may be repeated"
        )
        parser.add_argument(
            "--report", type=Path, metavar="DIR", help="add a page with plots to the report in this folder"
        )
        parser.add_argument(
            "--pace", action="store_true", help="count how often the game waits for people, and for how many days"
        )
        parser.add_argument("--json", action="store_true", help="print everything as one JSON document")

    def handle(self, *args: Any, **inputs: Any) -> None:
        rules = ruleset_of(inputs["ruleset"])
        inputs["bots"] = inputs["bots"] or ("house" if "house" in rules.bots else "random")
        options = options_of(rules, inputs["option"])
        possible = rules.seats_with(options)
        if inputs["seats"] not in possible:
            raise CommandError(
                f"{rules.title} is played by {min(possible)} to {max(possible)}, not by {inputs['seats']}."
            )
        if inputs["games"] < 1:
            raise CommandError(f"--games must be at least 1, not {inputs['games']}.")
        if inputs["pace"]:
            self._print_pace(rules, inputs)
            return
        survey = Survey(rules, options)
        for number in range(inputs["games"]):
            secret = f"simulate/{inputs['seed']}/{number}"
            survey.play(bots_of(rules, inputs["bots"], inputs["seats"], number, secret), secret)
            if inputs["report"] and (number + 1) % PROGRESS_GAMES == 0:
                self.stderr.write(f"{number + 1} of {inputs['games']} games")
        report = survey.report()
        if inputs["report"]:
            self.stderr.write(f"Written: {write(inputs['report'], _about(rules, inputs) | report)}")
        self.stdout.write(json.dumps(report) if inputs["json"] else _summary(report))

    def _print_pace(self, rules: Ruleset, inputs: dict[str, Any]) -> None:
        if inputs["bots"] not in rules.bots:
            raise CommandError(f"--pace takes one bot for all seats: {', '.join(rules.bots)}.")
        options = options_of(rules, inputs["option"])
        run = _pace.Run(rules, options, rules.bots[inputs["bots"]], inputs["seats"], inputs["games"], inputs["seed"])
        for line in _pace.report_lines(run):
            self.stdout.write(line)


def _about(rules: Ruleset, inputs: dict[str, Any]) -> dict[str, Any]:
    """The name and the inputs of a run."""
    options, bots = inputs["option"], inputs["bots"]
    parts = [
        f"{inputs['seats']} seats",
        *(option.replace("=", " ") for option in options),
        *([f"{bots} bots"] if bots != "house" else []),
    ]
    name = slugify(f"{rules.key} {' '.join(parts)}")
    about = f"{rules.title}: {', '.join(parts).replace('_', ' ')}"
    run = {"ruleset": rules.key, "name": name, "about": about, "seed": inputs["seed"], "bots": bots}
    return run | {"options": options, "seats": inputs["seats"]}


def _summary(report: Report) -> str:
    games = report["games"]
    lines = [f"{len(games)} games, {sum(game['conserved'] for game in games)} with money and shares conserved"]
    lines += [
        (
            f"turns {_spread(games, 'turns')}, phases {_spread(games, 'phases')}, rounds of decisions "
            f"{_spread(games, 'decisions')}"
        )
    ]
    scores = [standing["score"] for game in games for standing in game["standings"]]
    lines += [f"scores {min(scores)} to {max(scores)}, {mean(scores):.0f} on average"] if scores else []
    lines += _wins(games)
    lines += [f"broken: {game['end']}" for game in games if not game["conserved"]]
    for name, counts in report["occurrences"].items():
        lines.append(f"{name}: " + ", ".join(f"{key} {count}" for key, count in counts.items()))
    if dropped := report["dropped"]:
        lines.append(f"requests of bots refused: {sum(dropped.values())}")
        lines += [f"  {count} {why}" for why, count in dropped.items()]
    return "\n".join(lines)


def _wins(games: list[Report]) -> list[str]:
    """How often each bot of a mixed table won; a shared first place is a shared win."""
    seats, wins = Counter[str](), Counter[str]()
    for game in games:
        first = [standing for standing in game["standings"] if standing["place"] == 1]
        seats.update(standing["bot"] for standing in game["standings"])
        for standing in first:
            wins[standing["bot"]] += 100 / len(first) / len(games)  # type: ignore[assignment]
    if len(seats) < 2:
        return []
    texts = [f"{bot} {wins[bot]:.0f} % with {count} of {seats.total()} seats" for bot, count in seats.most_common()]
    return [f"wins: {', '.join(texts)}"]


def _spread(games: list[Report], key: str) -> str:
    values = [game[key] for game in games]
    return f"{min(values)} to {max(values)}"
