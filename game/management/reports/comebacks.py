"""How early a game is decided: how often the players who lead, or are last, at some point finish first."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import StatisticsError, correlation, mean
from typing import Any, NamedTuple

from game.boards.reports import Game, winners
from game.management.reports.figures import Bar, bars


class Lead(NamedTuple):
    """How often, over all games that reached this point, its leader and its last player finish first, in percent.

    Shared places and shared wins are divided equally, so that by pure chance each seat would get the same. `agreement`
    is Spearman's rank correlation with the final order; None if it is undefined, because all were level."""

    turn: int
    games: int
    leader: float
    last: float
    agreement: float | None


def by_turn(games: Sequence[Game]) -> list[Lead]:
    """The leads after each turn, over the games that continued after it."""
    latest = max((len(game["course"]) for game in games), default=0)
    games_by_turn = [(turn, [game for game in games if turn < len(game["course"]) - 1]) for turn in range(1, latest)]
    return [_lead(turn, [(game, turn) for game in running]) for turn, running in games_by_turn if running]


def half_time(games: Sequence[Game]) -> Lead | None:
    """The lead after half the turns of each game, rounded down; None if no game has two."""
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
    """The part of the win that goes to the holders of a place after a turn: `max` for the first, `min` for the last."""
    worths, game_winners = game["course"][turn]["worth"], winners(game)
    holders = [seat for seat, amount in enumerate(worths) if amount == place(worths)]
    return sum(seat in game_winners for seat in holders) / len(holders) / len(game_winners)


def agreement(game: Game, turn: int) -> float | None:
    """The rank correlation of the order after a turn with the final order; None if all are level in one of them."""
    places = {standing["seat"]: -standing["place"] for standing in game["standings"]}
    try:
        return correlation(_ranks(game["course"][turn]["worth"]), _ranks([places[seat] for seat in sorted(places)]))
    except StatisticsError:
        return None


def _ranks(values: Sequence[int]) -> list[float]:
    """The rank of each value, lowest first; equal values share the mean of their ranks."""
    in_order = sorted(values)
    return [mean(rank for rank, each in enumerate(in_order) if each == value) for value in values]


def comebacks_context(games: Sequence[Game]) -> dict[str, Any]:
    """Template context for the page of a run; empty figures if no game has two turns."""
    half = half_time(games)
    if half is None:
        return {"comebacks": []}
    even = 100 / len(games[0]["standings"])
    ways = [
        Bar("Leads at half-time", half.leader, f"{half.leader} %"),
        Bar("Is last then", half.last, f"{half.last} %"),
    ]
    rows = by_turn(games)
    order = [Bar(f"Turn {row.turn}", max(row.agreement or 0, 0), _format_agreement(row.agreement)) for row in rows]
    return {
        "comebacks": [(row, _format_agreement(row.agreement)) for row in rows],
        "half": half,
        "half_agreement": _format_agreement(half.agreement),
        "half_chart": bars(ways, "Finishes first", even),
        "agreement_chart": bars(order, "Rank correlation with the end", 1.0),
    }


def leader_wins(games: Sequence[Game]) -> float | None:
    """How often the half-time leader finishes first, in percent, for the list of runs."""
    half = half_time(games)
    return half.leader if half else None


def _format_agreement(agreement: float | None) -> str:
    return "–" if agreement is None else f"{agreement:.2f}".replace("-", "−")
