"""Writes a report into a folder: a page and a JSON file per run, and an index of all runs in the folder."""

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
from game.boards.reports import Report
from game.management.reports import comebacks, figures
from game.management.reports.figures import Bar, bars, rank_chart, spread_chart

STYLE_SHEETS = ("tokens", "base", "shell", "data", "pages", "report")
TITLES = {"actions": "requests of players"}

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
    """Add a run to the report and rewrite the index. `run` is the survey's report plus its description."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{run['name']}.json").write_text(json.dumps(run), encoding="utf-8")
    style_sheets = [settings.BASE_DIR / "static" / "css" / f"{name}.css" for name in STYLE_SHEETS]
    styles = "\n".join(path.read_text(encoding="utf-8") for path in style_sheets)
    (folder / "report.css").write_text(styles, encoding="utf-8")
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


def report_of(run: Run) -> Report:
    """The report texts of the run's game."""
    return board_of(run["ruleset"]).report


def run_context(run: Run) -> dict[str, Any]:
    """Template context for the page of one run."""
    games, report = figures.sound(run), report_of(run)
    waits, bank = figures.waits(games), figures.bank(games)
    return {
        "run": run,
        "report": report,
        "count": len(games),
        "length": _length(games),
        "length_charts": [
            (f"Games by {name}", _histogram_bars(game[name] for game in games)) for name in ("turns", "phases")
        ],
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
        **_seat_figures(games, report),
        **comebacks.comebacks_context(games),
        **_counted_events(games, report),
        "sections": [
            (each, bars([Bar(*bar) for bar in each.bars], each.bars_title))
            for each in report.sections(games, run["occurrences"])
        ],
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


def _histogram_bars(values: Iterable[int]) -> str:
    return bars([Bar(span, games, str(games)) for span, games in figures.histogram(values)], "Games")


def _seat_figures(games: list[Run], report: Report) -> dict[str, Any]:
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
            [Bar(f"Seat {seat.number}", seat.percent, f"{seat.percent} %") for seat in seats],
            "Wins by seat",
            100 / len(seats),
        ),
        "even": round(100 / len(seats), 1),
    }


def _counted_events(games: list[Run], report: Report) -> dict[str, Any]:
    rows = [row._replace(name=_spaced(row.name)) for row in figures.counts(games, report.counted)]
    bars_by_event = [Bar(row.name, row.amount, f"{row.a_game} a game") for row in rows]
    return {"counted": rows, "counted_chart": bars(bars_by_event, report.counted_title)}


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
    """The title and chart of each registry."""
    charts: list[tuple[str, str]] = []
    for name in report.registries(run["occurrences"]):
        rows = figures.uses(run["occurrences"].get(name, {}), games)
        chart = bars(
            [Bar(_spaced(row.name), row.amount, f"{row.amount:,}" if row.amount else "never") for row in rows],
            _spaced(name),
        )
        charts.append((TITLES.get(name, _spaced(name)).capitalize(), chart))
    return charts


def _spaced(key: str) -> str:
    return key.replace("_", " ")


def index_row(run: Run) -> dict[str, Any]:
    games, report = figures.sound(run), report_of(run)
    seats = figures.seats(games)
    counted = figures.counts(games, report.counted)
    return {
        "run": run,
        "count": len(games),
        "turns": round(mean(game["turns"] for game in games), 1),
        "decisions": round(mean(map(figures.seat_decisions, games)), 1),
        "waits": round(mean(sum(game["waits"].values()) / max(game["turns"], 1) for game in games), 1),
        "ends": ", ".join(f"{_spaced(end)} {count}" for end, count in figures.ends(games)),
        "winner": round(mean(max(s["score"] for s in game["standings"]) for game in games)),
        "last": round(mean(min(s["score"] for s in game["standings"]) for game in games)),
        "leader_wins": comebacks.leader_wins(games),
        "best_seat": max(seats, key=lambda seat: seat.wins),
        "worst_seat": min(seats, key=lambda seat: seat.wins),
        "counted": ", ".join(f"{_spaced(row.name)} {row.a_game}" for row in counted),
        "never": _unused_count(run, report),
    }


def _unused_count(run: Run, report: Report) -> int:
    """The number of registry entries that no game used."""
    names = report.registries(run["occurrences"])
    return sum(not count for name in names for count in run["occurrences"].get(name, {}).values())
