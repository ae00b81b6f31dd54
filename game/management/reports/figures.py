"""Figures of a report, computed from the games of a survey, and their charts as plain SVG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from statistics import mean, median
from typing import NamedTuple

from django.utils.html import escape
from django.utils.safestring import SafeString
from markupsafe import Markup

from game.boards.drawing import Line, draw_lines
from game.boards.reports import Game, percent, winners

MOST_SPANS = 10
WIDTH, LABEL, VALUE = 480, 150, 96
ROW_HEIGHT = 21


class Figure(NamedTuple):
    """A named amount, its average per game, and its percentage of the total."""

    name: str
    amount: int
    a_game: float
    percent: float


class Seat(NamedTuple):
    """The results of a seat; a shared first place counts in parts."""

    number: int
    wins: float
    percent: float
    worth: float


class Curve(NamedTuple):
    """Minimum, average and maximum of a number, turn by turn."""

    turns: list[int]
    low: list[int]
    middle: list[int]
    high: list[int]


class Bar(NamedTuple):
    """One bar: its label, its length and the text at its end."""

    label: str
    length: float
    words: str


def sound(report: Game) -> list[Game]:
    """The games that were played to their end."""
    return [game for game in report["games"] if game["conserved"]]


def spread(values: Iterable[float]) -> tuple[float, float, float]:
    """Minimum, average and maximum."""
    numbers = list(values)
    return min(numbers), mean(numbers), max(numbers)


def histogram(values: Iterable[int]) -> list[tuple[str, int]]:
    """The number of values in each of at most ten equal spans."""
    numbers = list(values)
    low, high = min(numbers), max(numbers)
    width = next(width for width in count_widths() if high // width - low // width < MOST_SPANS)
    starts = range(low // width * width, high + 1, width)
    counts = Counter(value // width * width for value in numbers)
    return [(f"{start}–{start + width - 1}" if width > 1 else str(start), counts[start]) for start in starts]


def count_widths() -> Iterator[int]:
    """The widths of a histogram's spans: 1, 2, 5, 10, 20, 50 and so on."""
    return (step * 10**power for power in count() for step in (1, 2, 5))


def by_turn(games: Sequence[Game], read: Callable[[Game, int], Iterable[float]], turns: Iterable[int]) -> Curve:
    """The spread of a number over all games that reached a turn."""
    values_by_turn = [
        (turn, values) for turn in turns if (values := [value for game in games for value in read(game, turn)])
    ]
    return Curve(
        [turn for turn, _ in values_by_turn],
        [round(min(values)) for _, values in values_by_turn],
        [round(mean(values)) for _, values in values_by_turn],
        [round(max(values)) for _, values in values_by_turn],
    )


def turns_of(games: Sequence[Game]) -> range:
    return range(1, max(game["turns"] for game in games) + 1)


def waits(games: Sequence[Game]) -> Curve:
    """How often a table waits for somebody in each turn."""
    return by_turn(
        games, lambda game, turn: [game["waits"][str(turn)]] if str(turn) in game["waits"] else [], turns_of(games)
    )


def seat_decisions(game: Game) -> float:
    """Decisions of one seat in one turn of a game."""
    return float(sum(game["asked"].values()) / len(game["standings"]) / max(game["turns"], 1))


def bank(games: Sequence[Game]) -> Curve:
    """The bank's money after each turn; the last point is the end."""
    return by_turn(
        games, lambda game, turn: [game["course"][turn]["bank"]] if turn < len(game["course"]) else [], turns_of(games)
    )


def worths(games: Sequence[Game]) -> tuple[list[int], dict[str, list[int]]]:
    """The average worth of the first, the middle and the last after each turn."""
    curves: dict[str, list[int]] = {"first": [], "middle": [], "last": []}
    turns = [turn for turn in turns_of(games) if any(turn < len(game["course"]) for game in games)]
    for turn in turns:
        worths_by_game = [sorted(game["course"][turn]["worth"]) for game in games if turn < len(game["course"])]
        curves["first"].append(round(mean(worth[-1] for worth in worths_by_game)))
        curves["middle"].append(round(mean(median(worth) for worth in worths_by_game)))
        curves["last"].append(round(mean(worth[0] for worth in worths_by_game)))
    return turns, curves


def score(game: Game, seat: int) -> int:
    return int(next(standing["score"] for standing in game["standings"] if standing["seat"] == seat))


def seats(games: Sequence[Game]) -> list[Seat]:
    """Wins and average worth by seat."""
    rows = []
    for seat in range(len(games[0]["standings"])):
        wins = sum(1 / len(winners(game)) for game in games if seat in winners(game))
        rows.append(
            Seat(seat + 1, round(wins, 1), percent(wins, len(games)), round(mean(score(game, seat) for game in games)))
        )
    return rows


def counts(games: Sequence[Game], names: Iterable[str]) -> list[Figure]:
    """How often events happened, in total and per game."""
    event_counts: Counter[str] = Counter()
    for game in games:
        event_counts.update({name: game["occurred"]["events"].get(name, 0) for name in names})
    return [Figure(name, event_counts[name], round(event_counts[name] / len(games), 2), 0.0) for name in names]


def ends(games: Sequence[Game]) -> list[tuple[str, int]]:
    """The number of games by reason of their end, most frequent first."""
    return Counter(game["end"] for game in games).most_common()


def money(games: Sequence[Game], side: str, leave_out: Iterable[str]) -> list[Figure]:
    """Where money came from or went to, largest first."""
    total: Counter[str] = Counter()
    for game in games:
        total.update({why: amount for why, amount in game[side].items() if why not in leave_out})
    total_amount = sum(total.values())
    return [
        Figure(why, amount, round(amount / len(games)), percent(amount, total_amount))
        for why, amount in total.most_common()
    ]


def uses(occurred: dict[str, int], games: int) -> list[Figure]:
    """How often each entry of a registry occurred, most frequent first; unused ones last with 0."""
    total = sum(occurred.values())
    ranked = sorted(occurred.items(), key=lambda pair: -pair[1])
    return [Figure(name, count, round(count / games, 2), percent(count, total)) for name, count in ranked]


def bars(rows: Sequence[Bar], title: str, mark: float | None = None) -> SafeString:
    """Horizontal bars; `mark` is a reference length, drawn as a line."""
    if not rows:
        return SafeString("")
    longest = max([row.length for row in rows] + [mark or 0]) or 1
    scale = (WIDTH - LABEL - VALUE) / longest
    body = "".join(_bar(row, i * ROW_HEIGHT, scale) for i, row in enumerate(rows))
    height = len(rows) * ROW_HEIGHT
    mark_line = (
        f'<line class="cursor" x1="{LABEL + mark * scale:.1f}" x2="{LABEL + mark * scale:.1f}" y1="0" y2="{height}"/>'
        if mark
        else ""
    )
    text = escape("; ".join(f"{row.label} {row.words}" for row in rows))
    head = f'<svg class="chart bars" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}: {text}">'
    return SafeString(f"{head}{body}{mark_line}</svg>")


def spread_chart(curve: Curve, key: str, title: str) -> Markup:
    """Three lines: minimum, average and maximum in each turn."""
    lines = [
        Line("most", "c-ink thin d2", curve.high),
        Line("average", "c-ink mine d1", curve.middle),
        Line("least", "c-ink thin d3", curve.low),
    ]
    return draw_lines([str(turn) for turn in curve.turns], lines, key, title)


def rank_chart(turns: Sequence[int], curves: dict[str, list[int]], key: str, title: str) -> Markup:
    """One line each for the first, the middle and the last."""
    styles = {"first": "c-ink mine d1", "middle": "c-ink d2", "last": "c-ink d3"}
    return draw_lines(
        [str(turn) for turn in turns], [Line(name, styles[name], values) for name, values in curves.items()], key, title
    )


def _bar(row: Bar, top: int, scale: float) -> str:
    width = round(row.length * scale, 1)
    css = "bar" if row.length else "bar bar--none"
    return (
        f'<text class="name" x="{LABEL - 8}" y="{top + 14}" text-anchor="end">{escape(row.label)}</text>'
        f'<rect class="{css}" x="{LABEL}" y="{top + 4}" width="{max(width, 1)}" height="13"/>'
        f'<text class="value" x="{LABEL + max(width, 1) + 6:.1f}" y="{top + 14}">{escape(row.words)}</text>'
    )
