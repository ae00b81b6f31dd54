"""How early a game is decided: who leads, and who is last, on the way, and how often they finish first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import StatisticsError, correlation, mean
from typing import Any, NamedTuple

from game.boards.report import Game, winners
from game.management.reports.drawing import Bar, bars


class Lead(NamedTuple):
    """What a place on the way comes to, over all games that it is known of; parts of 100.

    Those who share a place count in parts, as do those who share the win: chance alone would give each seat the same.
    `agreement` is Spearman's rank correlation of how it stood and how it ended: 1 the same order, 0 none, below 0 the
    other way round; None where it is not defined, as all were level."""

    turn: int
    games: int
    leader: float
    last: float
    agreement: float | None


def by_turn(games: Sequence[Game]) -> list[Lead]:
    """After each turn, over the games that went on after it."""
    latest = max((len(game["course"]) for game in games), default=0)
    moments = [(turn, [game for game in games if turn < len(game["course"]) - 1]) for turn in range(1, latest)]
    return [_lead(turn, [(game, turn) for game in going_on]) for turn, going_on in moments if going_on]


def half_time(games: Sequence[Game]) -> Lead | None:
    """After half the turns of each game, rounded down; None where no game has two."""
    halves = [(game, half) for game in games if (half := (len(game["course"]) - 1) // 2)]
    return _lead(0, halves) if halves else None


def _lead(turn: int, moments: Sequence[tuple[Game, int]]) -> Lead:
    agreements = [each for game, at in moments if (each := agreement(game, at)) is not None]
    return Lead(
        turn,
        len(moments),
        round(100 * mean(_wins(game, at, max) for game, at in moments), 1),
        round(100 * mean(_wins(game, at, min) for game, at in moments), 1),
        round(mean(agreements), 2) if agreements else None,
    )


def _wins(game: Game, turn: int, place: Any) -> float:
    """The part of the win that falls to whoever held a place after a turn: `max` the first, `min` the last."""
    worth, first = game["course"][turn]["worth"], winners(game)
    there = [seat for seat, amount in enumerate(worth) if amount == place(worth)]
    return sum(seat in first for seat in there) / len(there) / len(first)


def agreement(game: Game, turn: int) -> float | None:
    """The rank correlation of the order after a turn and the order at the end; None where either has all level."""
    places = {standing["seat"]: -standing["place"] for standing in game["standings"]}
    try:
        return correlation(_ranks(game["course"][turn]["worth"]), _ranks([places[seat] for seat in sorted(places)]))
    except StatisticsError:
        return None


def _ranks(values: Sequence[int]) -> list[float]:
    """The rank of each value, the least first; equal ones share the mean of their ranks."""
    return [mean(_places(values, value)) for value in values]


def _places(values: Sequence[int], value: int) -> Iterator[int]:
    return (place for place, each in enumerate(sorted(values)) if each == value)


def shown(games: Sequence[Game]) -> dict[str, Any]:
    """What the page of a run prints; nothing where no game has two turns."""
    half = half_time(games)
    if half is None:
        return {"comebacks": []}
    even = 100 / len(games[0]["standings"])
    ways = [
        Bar("Leads at half-time", half.leader, f"{half.leader} %"),
        Bar("Is last then", half.last, f"{half.last} %"),
    ]
    rows = by_turn(games)
    order = [Bar(f"Turn {row.turn}", max(row.agreement or 0, 0), _plain(row.agreement)) for row in rows]
    return {
        "comebacks": [(row, _plain(row.agreement)) for row in rows],
        "half": half,
        "half_agreement": _plain(half.agreement),
        "half_chart": bars(ways, "Finishes first", even),
        "agreement_chart": bars(order, "Rank correlation with the end", 1.0),
    }


def leader_wins(games: Sequence[Game]) -> float | None:
    """How often whoever leads at half-time finishes first, in percent: for the list of runs."""
    half = half_time(games)
    return half.leader if half else None


def _plain(agreement: float | None) -> str:
    return "–" if agreement is None else f"{agreement:.2f}".replace("-", "−")
