"""Counting votes, from votes, shares and player priority alone. (S 6.5, 6.7)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from game.rulesets.sectors.effects import COMPANY_ACTIONS
from game.rulesets.sectors.state import FULL, HALF, RETAIN, VETO


class Ranked(NamedTuple):
    """A choice with its number of shares and its voters, best player priority first."""

    key: str
    shares: int
    voters: tuple[int, ...]


def rank_actions(
    ballots: Mapping[int, Sequence[str]], shares: Mapping[int, int], priority: Sequence[int]
) -> list[Ranked]:
    """Actions by votes, most shares first; ties by the best-placed voter, then the order of the tables. (S 6.7, A45)"""
    voters: dict[str, list[int]] = {}
    for seat in priority:
        for action in ballots.get(seat, ()):
            voters.setdefault(action, []).append(seat)
    place, table = {seat: number for number, seat in enumerate(priority)}, list(COMPANY_ACTIONS)
    ranking = [Ranked(key, sum(shares.get(seat, 0) for seat in seats), tuple(seats)) for key, seats in voters.items()]
    ranking.sort(key=lambda each: (-each.shares, place[each.voters[0]], table.index(each.key)))
    return [each for each in ranking if each.shares]


def selected_actions(ranked: Sequence[str], most: int) -> list[str]:
    """The first `most` of the ranking. VETO counts only in first place, and then alone; without votes: VETO. (VETO,
    A46)"""
    if not ranked or ranked[0] == VETO:
        return [VETO]
    return [action for action in ranked if action != VETO][:most]


def rank_revenue(votes: Mapping[int, str], shares: Mapping[int, int], priority: Sequence[int]) -> list[Ranked]:
    """The choices about revenue, most shares first; a tie goes to the best-placed voter among the tied. (S 6.5)"""
    weight = dict.fromkeys((FULL, HALF, RETAIN), 0)
    for seat, choice in votes.items():
        weight[choice] += shares.get(seat, 0)
    voters = {choice: tuple(seat for seat in priority if votes.get(seat) == choice) for choice in weight}
    place = {seat: number for number, seat in enumerate(priority)}
    ranking = [Ranked(choice, weight[choice], voters[choice]) for choice in weight if weight[choice]]
    return sorted(ranking, key=lambda each: (-each.shares, place[each.voters[0]]))
