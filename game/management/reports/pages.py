"""A report written into a folder: one page a run with its JSON, and an index of all runs that the folder holds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string

from game.boards.registry import board_of
from game.boards.report import Report, Section
from game.management.reports import comebacks, figures
from game.management.reports.drawing import Bar, bars, rank_chart, spread_chart

SHEETS = ("tokens", "base", "shell", "data", "pages", "report")
WORDS = {"actions": "requests of players"}

Run = dict[str, Any]


@dataclass(frozen=True)
class ByTurn:
    """Three sums of money after each turn: a chart and its table."""

    key: str
    title: str
    note: str
    columns: tuple[str, str, str]
    rows: Sequence[tuple[Any, ...]]
    chart: str


def write(folder: Path, run: Run) -> Path:
    """Add a run to the report and draw the index anew. `run` is the survey's report with what it is about."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{run['name']}.json").write_text(json.dumps(run), encoding="utf-8")
    (folder / "report.css").write_text("\n".join(_sheet(name) for name in SHEETS), encoding="utf-8")
    page = folder / f"{run['name']}.html"
    page.write_text(render_to_string("reports/run.html", run_context(run)), encoding="utf-8")
    runs = [
        each
        for path in sorted(folder.glob("*.json"))
        if "ruleset" in (each := json.loads(path.read_text(encoding="utf-8")))
    ]
    index = folder / "index.html"
    index.write_text(
        render_to_string("reports/index.html", {"rows": [index_row(each) for each in runs]}), encoding="utf-8"
    )
    return index


def _sheet(name: str) -> str:
    return (settings.BASE_DIR / "static" / "css" / f"{name}.css").read_text(encoding="utf-8")


def report_of(run: Run) -> Report:
    """How the run's game words its reports."""
    return board_of(run["ruleset"]).report


def run_context(run: Run) -> dict[str, Any]:
    """Everything the page of one run prints."""
    games, report = figures.sound(run), report_of(run)
    waits, bank = figures.waits(games), figures.bank(games)
    return {
        "run": run,
        "report": report,
        "count": len(games),
        "length": _length(games),
        "length_charts": [(f"Games by {name}", _counted(game[name] for game in games)) for name in ("turns", "phases")],
        "ends": figures.uses(run["occurrences"].get("ends", {}), len(games)),
        "waits": list(zip(waits.turns, waits.low, waits.middle, waits.high, strict=True)),
        "waits_chart": spread_chart(waits, "w", "How often the table waits in each turn"),
        "bank": ByTurn(
            key="bank",
            title="Bank",
            note="After each turn, over all games",
            columns=("Least", "Average", "Most"),
            rows=list(zip(bank.turns, bank.low, bank.middle, bank.high, strict=True)),
            chart=spread_chart(bank, "b", "Bank after each turn"),
        ),
        **_people(games, report),
        **comebacks.shown(games),
        **_counted_events(games, report),
        "sections": [(each, _section_bars(each)) for each in report.sections(games, run["occurrences"])],
        **_money(games, report),
        "uses": _uses(run, len(games), report),
    }


def _length(games: list[Run]) -> list[tuple[str, ...]]:
    rows = {
        "Turns": [game["turns"] for game in games],
        "Phases": [game["phases"] for game in games],
        "Rounds of decisions": [game["decisions"] for game in games],
        "Rounds of decisions a turn": [game["decisions"] / max(game["turns"], 1) for game in games],
        "Decisions of a seat a turn": [figures.seat_decisions(game) for game in games],
    }
    return [
        (name, *(f"{value:.1f}".removesuffix(".0") for value in figures.spread(values)))
        for name, values in rows.items()
    ]


def _counted(values: Iterable[int]) -> str:
    return bars([Bar(span, games, str(games)) for span, games in figures.histogram(values)], "Games")


def _people(games: list[Run], report: Report) -> dict[str, Any]:
    turns, curves = figures.worths(games)
    seats = figures.seats(games)
    return {
        "seats": seats,
        "worth": ByTurn(
            key="worth",
            title=report.score,
            note="Average of the players who are first, in the middle and last after each turn",
            columns=("First", "Middle", "Last"),
            rows=list(zip(turns, *curves.values(), strict=True)),
            chart=rank_chart(turns, curves, "n", f"Average {report.score.lower()} after each turn"),
        ),
        "seats_chart": bars(
            [Bar(f"Seat {s.number}", s.percent, f"{s.percent} %") for s in seats], "Wins by seat", 100 / len(seats)
        ),
        "even": round(100 / len(seats), 1),
    }


def _counted_events(games: list[Run], report: Report) -> dict[str, Any]:
    rows = [row._replace(name=_words(row.name)) for row in figures.counts(games, report.counted)]
    drawn = [Bar(row.name, row.amount, f"{row.a_game} a game") for row in rows]
    return {"counted": rows, "counted_chart": bars(drawn, report.counted_title)}


def _section_bars(section: Section) -> str:
    return bars([Bar(*bar) for bar in section.bars], section.bars_title)


def _money(games: list[Run], report: Report) -> dict[str, Any]:
    income, spending = (figures.money(games, side, report.not_income) for side in ("income", "spending"))
    return {
        "income": income,
        "income_chart": bars([Bar(row.name, row.percent, f"{row.percent} %") for row in income], "Income by source"),
        "spending": spending,
        "spending_chart": bars(
            [Bar(row.name, row.percent, f"{row.percent} %") for row in spending], "Spending by purpose"
        ),
    }


def _uses(run: Run, games: int, report: Report) -> list[tuple[str, str]]:
    """Each registry's name with its bars."""
    shown: list[tuple[str, str]] = []
    for name in report.registries(run["occurrences"]):
        rows = figures.uses(run["occurrences"].get(name, {}), games)
        drawn = bars(
            [Bar(_words(row.name), row.amount, f"{row.amount:,}" if row.amount else "never") for row in rows],
            _words(name),
        )
        shown.append((WORDS.get(name, _words(name)).capitalize(), drawn))
    return shown


def _words(key: str) -> str:
    return key.replace("_", " ")


def index_row(run: Run) -> dict[str, Any]:
    """One run beside the others."""
    games, report = figures.sound(run), report_of(run)
    seats = figures.seats(games)
    counted = figures.counts(games, report.counted)
    return {
        "run": run,
        "count": len(games),
        "turns": round(mean(game["turns"] for game in games), 1),
        "decisions": round(mean(map(figures.seat_decisions, games)), 1),
        "waits": round(mean(sum(game["waits"].values()) / max(game["turns"], 1) for game in games), 1),
        "ends": ", ".join(f"{_words(end)} {count}" for end, count in figures.ends(games)),
        "winner": round(mean(max(s["score"] for s in game["standings"]) for game in games)),
        "last": round(mean(min(s["score"] for s in game["standings"]) for game in games)),
        "leader_wins": comebacks.leader_wins(games),
        "best_seat": max(seats, key=lambda seat: seat.wins),
        "worst_seat": min(seats, key=lambda seat: seat.wins),
        "counted": ", ".join(f"{_words(row.name)} {row.a_game}" for row in counted),
        "never": _never(run, report),
    }


def _never(run: Run, report: Report) -> int:
    """How many entries of the registries no game used."""
    names = report.registries(run["occurrences"])
    return sum(not count for name in names for count in run["occurrences"].get(name, {}).values())
