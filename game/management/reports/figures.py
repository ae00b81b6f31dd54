"""Computes the figures of a report from the games of a survey."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from statistics import mean, median
from typing import NamedTuple

from game.boards.report import Game, percent, winners

MOST_SPANS = 10


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
    """1, 2, 5, 10, 20, 50 and so on."""
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
