"""Additions to a report on many games of Sectors: the sectors, and which of them were played together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import mean
from typing import NamedTuple

from game.boards.reports import Game, Report, Section, percent, winners
from game.engine.phrases import thousands

COMPANY_HEAD = ("Companies a game", "Alive and floated at the end", "Bankrupt", "Leader wins", "Winner’s worth")
LEADER_INTRO = "Over the games that had them; “leader wins” is how often a holder of most of the sector’s shares won"
MIX_HEAD = ("Sectors", "Games", "Winner’s worth", "Last one’s worth", "Seat 1 wins")


class SectorRow(NamedTuple):
    """A sector, over the games that had it. `led_percent`: how often the holder of most of its shares won."""

    key: str
    games: int
    companies: float
    floated_percent: float
    bankrupt_percent: float
    led_percent: float
    winner: float


class Mix(NamedTuple):
    """A set of sectors played together: number of games, the mean worth of winner and last, and how often seat 1
    won."""

    sectors: tuple[str, ...]
    games: int
    winner: float
    last: float
    first_seat_percent: float


def sections(games: Sequence[Game], occurrences: Mapping[str, Mapping[str, int]]) -> list[Section]:
    """The sectors, and those that were in play together."""
    sector_rows = sectors(games, occurrences.get("sectors", {}))
    if not sector_rows:
        return []
    rows = [_sector_cells(row) for row in sector_rows]
    bars = [(row.key, row.led_percent, f"{row.led_percent} %") for row in sector_rows]
    together = [_mix_cells(row) for row in mixes(games)]
    return [
        Section("sectors", "Sectors", LEADER_INTRO, ("Sector", "Games", *COMPANY_HEAD), rows, bars, "Leader wins"),
        Section("mixes", "Sectors played together", "Few games each: read with care", MIX_HEAD, together),
    ]


def _sector_cells(row: SectorRow) -> tuple[str, ...]:
    shares = (f"{share} %" for share in (row.floated_percent, row.bankrupt_percent, row.led_percent))
    return (row.key, str(row.games), str(row.companies), *shares, thousands(round(row.winner)))


def _mix_cells(row: Mix) -> tuple[str, ...]:
    worths = (thousands(round(row.winner)), thousands(round(row.last)))
    return (", ".join(row.sectors), str(row.games), *worths, f"{row.first_seat_percent} %")


def sectors(games: Sequence[Game], keys: Iterable[str]) -> list[SectorRow]:
    """Each sector over the games in which it was in play."""
    games_by_sector = {key: [game for game in games if key in game["facts"].get("sectors", {})] for key in keys}
    return [_sector(key, among) for key, among in games_by_sector.items() if among]


def _sector(key: str, games: Sequence[Game]) -> SectorRow:
    facts = [game["facts"]["sectors"][key] for game in games]
    companies = sum(fact["companies"] for fact in facts)
    led = [_led(winners(game), fact["leaders"]) for game, fact in zip(games, facts, strict=True) if fact["leaders"]]
    return SectorRow(
        key,
        len(games),
        round(companies / len(games), 1),
        percent(sum(fact["floated"] for fact in facts), companies),
        percent(sum(fact["bankrupt"] for fact in facts), companies),
        percent(sum(led), len(led)),
        round(mean(max(standing["score"] for standing in game["standings"]) for game in games)),
    )


def _led(first: Sequence[int], leaders: Sequence[int]) -> float:
    """The fraction of a game's largest holders of a sector that won."""
    return len({*first} & {*leaders}) / len(leaders)


def mixes(games: Sequence[Game]) -> list[Mix]:
    """The sectors that were in play together, the most frequent first."""
    games_by_mix: dict[tuple[str, ...], list[Game]] = {}
    for game in games:
        games_by_mix.setdefault(tuple(sorted(game["facts"].get("sectors", {}))), []).append(game)
    return sorted(
        (_mix(mix, among) for mix, among in games_by_mix.items() if mix), key=lambda row: (-row.games, row.sectors)
    )


def _mix(mix: tuple[str, ...], games: Sequence[Game]) -> Mix:
    scores = [[standing["score"] for standing in game["standings"]] for game in games]
    first = sum(1 / len(winners(game)) for game in games if 0 in winners(game))
    winner, last = round(mean(map(max, scores))), round(mean(map(min, scores)))
    return Mix(mix, len(games), winner, last, percent(first, len(games)))


SECTORS_REPORT = Report(
    score="Net worth",
    not_income=("set-up", "margin"),
    counted=("company_opened", "company_floated", "became_insolvent", "reactivated", "went_bankrupt"),
    counted_title="Companies",
    used=("company_actions", "cards", "prestige", "abilities", "orders", "actions"),
    sections=sections,
)
