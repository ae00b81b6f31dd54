"""From the games of a survey to the figures that a report prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from statistics import mean, median
from typing import NamedTuple

from game.boards.report import Game, percent, winners

MOST_SPANS = 10


class Figure(NamedTuple):
    """A named amount, its average a game, and its part of all in percent."""

    name: str
    amount: int
    a_game: float
    percent: float


class Seat(NamedTuple):
    """How a seat fared; a shared first place counts in parts."""

    number: int
    wins: float
    percent: float
    worth: float


class Curve(NamedTuple):
    """The least, the middle and the greatest of something, turn by turn."""

    turns: list[int]
    low: list[int]
    middle: list[int]
    high: list[int]


def sound(report: Game) -> list[Game]:
    """The games that were played to their end."""
    return [game for game in report["games"] if game["conserved"]]


def spread(values: Iterable[float]) -> tuple[float, float, float]:
    """The least, the average and the greatest."""
    known = list(values)
    return min(known), mean(known), max(known)


def histogram(values: Iterable[int]) -> list[tuple[str, int]]:
    """How many of the values lie in each of at most ten equal spans."""
    known = list(values)
    low, high = min(known), max(known)
    width = next(width for width in count_widths() if high // width - low // width < MOST_SPANS)
    starts = range(low // width * width, high + 1, width)
    counts = Counter(value // width * width for value in known)
    return [(f"{start}–{start + width - 1}" if width > 1 else str(start), counts[start]) for start in starts]


def count_widths() -> Iterator[int]:
    """1, 2, 5, 10, 20, 50 and so on."""
    return (step * 10**power for power in count() for step in (1, 2, 5))


def by_turn(games: Sequence[Game], read: Callable[[Game, int], Iterable[float]], turns: Iterable[int]) -> Curve:
    """The spread of a number over all games that reached a turn."""
    known = [(turn, values) for turn in turns if (values := [value for game in games for value in read(game, turn)])]
    return Curve(
        [turn for turn, _ in known],
        [round(min(values)) for _, values in known],
        [round(mean(values)) for _, values in known],
        [round(max(values)) for _, values in known],
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
    """What the bank holds after each turn; the last point is the end."""
    return by_turn(
        games, lambda game, turn: [game["course"][turn]["bank"]] if turn < len(game["course"]) else [], turns_of(games)
    )


def worths(games: Sequence[Game]) -> tuple[list[int], dict[str, list[int]]]:
    """After each turn: the average worth of whoever is first, in the middle and last then."""
    curves: dict[str, list[int]] = {"first": [], "middle": [], "last": []}
    turns = [turn for turn in turns_of(games) if any(turn < len(game["course"]) for game in games)]
    for turn in turns:
        ranked = [sorted(game["course"][turn]["worth"]) for game in games if turn < len(game["course"])]
        curves["first"].append(round(mean(worth[-1] for worth in ranked)))
        curves["middle"].append(round(mean(median(worth) for worth in ranked)))
        curves["last"].append(round(mean(worth[0] for worth in ranked)))
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
    """How often events happened, in all and a game."""
    found: Counter[str] = Counter()
    for game in games:
        found.update({name: game["occurred"]["events"].get(name, 0) for name in names})
    return [Figure(name, found[name], round(found[name] / len(games), 2), 0.0) for name in names]


def ends(games: Sequence[Game]) -> list[tuple[str, int]]:
    """How many games ended for each reason, the most frequent first."""
    return Counter(game["end"] for game in games).most_common()


def money(games: Sequence[Game], side: str, leave_out: Iterable[str]) -> list[Figure]:
    """Where money came from or went to, the greatest first."""
    total: Counter[str] = Counter()
    for game in games:
        total.update({why: amount for why, amount in game[side].items() if why not in leave_out})
    whole = sum(total.values())
    return [
        Figure(why, amount, round(amount / len(games)), percent(amount, whole)) for why, amount in total.most_common()
    ]


def uses(occurred: dict[str, int], games: int) -> list[Figure]:
    """How often each entry of a registry occurred, the most frequent first; what never did comes last with 0."""
    whole = sum(occurred.values())
    ranked = sorted(occurred.items(), key=lambda pair: -pair[1])
    return [Figure(name, count, round(count / games, 2), percent(count, whole)) for name, count in ranked]
