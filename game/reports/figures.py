"""From the games of a survey to the figures that a report prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from statistics import mean, median
from typing import Any, NamedTuple

Game = dict[str, Any]
MOST_SPANS = 10


class Share(NamedTuple):
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


class SectorRow(NamedTuple):
    """A sector over the games that had it. `led_percent`: how often the holder of most of its shares won."""

    key: str
    games: int
    companies: float
    floated_percent: float
    bankrupt_percent: float
    led_percent: float
    winner: float


class Mix(NamedTuple):
    """A set of sectors played together: games, the winner's worth, the last one's, and how often seat 1 won."""

    sectors: tuple[str, ...]
    games: int
    winner: float
    last: float
    first_seat_percent: float


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


def _percent(part: float, whole: float) -> float:
    return round(100 * part / whole, 1) if whole else 0.0


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
    return by_turn(games, lambda game, turn: [game["waits"][str(turn)]] if str(turn) in game["waits"] else [], turns_of(games))


def seat_decisions(game: Game) -> float:
    """Decisions of one seat in one turn of a game."""
    return float(sum(game["asked"].values()) / len(game["standings"]) / game["turns"])


def bank(games: Sequence[Game]) -> Curve:
    """What the bank holds after each turn; the last point is the end."""
    return by_turn(games, lambda game, turn: [game["course"][turn]["bank"]] if turn < len(game["course"]) else [], turns_of(games))


def worths(games: Sequence[Game]) -> tuple[list[int], dict[str, list[int]]]:
    """After each turn: the average worth of whoever is first, in the middle and last then."""
    curves: dict[str, list[int]] = {"first": [], "middle": [], "last": []}
    turns = turns_of(games)
    for turn in turns:
        ranked = [sorted(game["course"][turn]["worth"]) for game in games if turn < len(game["course"])]
        curves["first"].append(round(mean(worth[-1] for worth in ranked)))
        curves["middle"].append(round(mean(median(worth) for worth in ranked)))
        curves["last"].append(round(mean(worth[0] for worth in ranked)))
    return list(turns), curves


def winners(game: Game) -> list[int]:
    return [standing["seat"] for standing in game["standings"] if standing["place"] == 1]


def score(game: Game, seat: int) -> int:
    return int(next(standing["score"] for standing in game["standings"] if standing["seat"] == seat))


def seats(games: Sequence[Game]) -> list[Seat]:
    """Wins and average worth by seat."""
    rows = []
    for seat in range(len(games[0]["standings"])):
        wins = sum(1 / len(winners(game)) for game in games if seat in winners(game))
        rows.append(Seat(seat + 1, round(wins, 1), _percent(wins, len(games)), round(mean(score(game, seat) for game in games))))
    return rows


def sectors(games: Sequence[Game], keys: Iterable[str]) -> list[SectorRow]:
    """Each sector over the games in which it was in play."""
    return [_sector(key, among) for key in keys if (among := [game for game in games if key in game["facts"].get("sectors", {})])]


def _sector(key: str, games: Sequence[Game]) -> SectorRow:
    facts = [game["facts"]["sectors"][key] for game in games]
    companies = sum(fact["companies"] for fact in facts)
    led = [_led(winners(game), fact["leaders"]) for game, fact in zip(games, facts, strict=True) if fact["leaders"]]
    return SectorRow(
        key,
        len(games),
        round(companies / len(games), 1),
        _percent(sum(fact["floated"] for fact in facts), companies),
        _percent(sum(fact["bankrupt"] for fact in facts), companies),
        _percent(sum(led), len(led)),
        round(mean(max(standing["score"] for standing in game["standings"]) for game in games)),
    )


def _led(first: Sequence[int], leaders: Sequence[int]) -> float:
    """Which part of those who held most of a sector won."""
    return len({*first} & {*leaders}) / len(leaders)


def mixes(games: Sequence[Game]) -> list[Mix]:
    """The sectors that were in play together, the most frequent first."""
    found: dict[tuple[str, ...], list[Game]] = {}
    for game in games:
        found.setdefault(tuple(sorted(game["facts"].get("sectors", {}))), []).append(game)
    return sorted((_mix(mix, among) for mix, among in found.items() if mix), key=lambda row: (-row.games, row.sectors))


def _mix(mix: tuple[str, ...], games: Sequence[Game]) -> Mix:
    scores = [[standing["score"] for standing in game["standings"]] for game in games]
    first = sum(1 / len(winners(game)) for game in games if 0 in winners(game))
    return Mix(mix, len(games), round(mean(map(max, scores))), round(mean(map(min, scores))), _percent(first, len(games)))


def fates(games: Sequence[Game], names: Iterable[str]) -> list[Share]:
    """How often events happened, in all and a game."""
    counts: Counter[str] = Counter()
    for game in games:
        counts.update({name: game["occurred"]["events"].get(name, 0) for name in names})
    return [Share(name, counts[name], round(counts[name] / len(games), 2), 0.0) for name in names]


def money(games: Sequence[Game], side: str, leave_out: Iterable[str]) -> list[Share]:
    """Where money came from or went to, the greatest first."""
    total: Counter[str] = Counter()
    for game in games:
        total.update({why: amount for why, amount in game[side].items() if why not in leave_out})
    whole = sum(total.values())
    return [Share(why, amount, round(amount / len(games)), _percent(amount, whole)) for why, amount in total.most_common()]


def uses(counts: dict[str, int], games: int) -> list[Share]:
    """How often each entry of a registry occurred, the most frequent first; what never did comes last with 0."""
    whole = sum(counts.values())
    ranked = sorted(counts.items(), key=lambda pair: -pair[1])
    return [Share(name, count, round(count / games, 2), _percent(count, whole)) for name, count in ranked]
