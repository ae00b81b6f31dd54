"""What a vote would come to, by how the others vote: from public shares and priority and the voter's own choice alone.
(S 6.5, 6.7)"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

import msgspec

from game.boards.shapes import Asked, Say
from game.engine.phrases import listed, plural
from game.rulesets.sectors.counting import Ranked, rank_actions, rank_revenue, selected_actions

Count = Callable[[Mapping[int, Sequence[str]]], list[Ranked]]


class Case(msgspec.Struct, frozen=True):
    """One way in which the others may vote, and what comes of it; `css` is `ok` where the viewer's choice wins."""

    others: str
    outcome: str
    css: str


class VoteTable(msgspec.Struct, frozen=True):
    """The cases, and how far the viewer's shares carry."""

    caption: str
    cases: tuple[Case, ...]
    pivot: Say


class _Vote(msgspec.Struct, frozen=True):
    """A vote as everybody sees it. `mine` is the viewer's choice, `rivals` what the others may choose instead."""

    you: int
    shares: Mapping[int, int]
    names: Mapping[int, str]
    count: Count
    most: int
    mine: tuple[str, ...]
    rivals: tuple[str, ...]

    @property
    def others(self) -> tuple[int, ...]:
        """Who else votes, the largest first."""
        return tuple(sorted((seat for seat in self.shares if seat != self.you), key=lambda s: (-self.shares[s], s)))


def table_of_actions(asked: Asked, company: Any, chosen: Sequence[str], keys: Sequence[str], most: int) -> VoteTable:
    """The vote on what a company does. Nothing chosen yet: any action stands for the viewer's."""
    free = [key for key in keys if key not in chosen and key != "veto"]
    mine, rivals = (tuple(chosen), free) if chosen else ((free[0],), free[1:])

    def count(ballots: Mapping[int, Sequence[str]]) -> list[Ranked]:
        return rank_actions(ballots, company.holdings, _priority(asked))

    return _table(_vote(asked, company, count, most, mine, tuple(rivals)), is_chosen=bool(chosen))


def table_of_revenue(asked: Asked, company: Any, chosen: str) -> VoteTable:
    """The vote on what a company does with its revenue."""
    mine = chosen or "full"
    rivals = tuple(choice for choice in ("full", "half", "retain") if choice != mine)

    def count(ballots: Mapping[int, Sequence[str]]) -> list[Ranked]:
        votes = {seat: ballot[0] for seat, ballot in ballots.items()}
        return rank_revenue(votes, company.holdings, _priority(asked))

    return _table(_vote(asked, company, count, 1, (mine,), rivals), is_chosen=bool(chosen))


def _priority(asked: Asked) -> list[int]:
    return [player.seat for player in sorted(asked.view.players, key=lambda player: player.priority)]


def _vote(asked: Asked, company: Any, count: Count, most: int, mine: tuple[str, ...], rivals: tuple[str, ...]) -> _Vote:
    names = {seat: asked.name(seat) for seat in company.holdings}
    return _Vote(asked.view.seat, company.holdings, names, count, most, mine, rivals)


def _table(vote: _Vote, *, is_chosen: bool) -> VoteTable:
    others = vote.others
    cases = [_case(vote, "Nobody else votes", {})]
    if len(others) > 1 and len(vote.rivals) >= len(others):
        each = {seat: (vote.rivals[number],) for number, seat in enumerate(others)}
        cases.append(_case(vote, "Each of the others votes for something else", each))
    if len(others) > 1:
        cases.append(_case(vote, f"Only {vote.names[others[0]]} votes against", {others[0]: vote.rivals[: vote.most]}))
    if others:
        one = f"{vote.names[others[0]]} votes against"
        all_say = "All the others agree on something else" if len(others) > 1 else one
        cases.append(_case(vote, all_say, dict.fromkeys(others, vote.rivals[: vote.most])))
    caption = "What your vote comes to" if is_chosen else "What a vote of yours would come to"
    return VoteTable(caption, tuple(cases), _pivot(vote))


def _case(vote: _Vote, others: str, ballots: Mapping[int, Sequence[str]]) -> Case:
    ranked = vote.count({vote.you: vote.mine, **ballots})
    won = selected_actions([each.key for each in ranked], vote.most)
    kept = [key for key in vote.mine if key in won]
    if len(vote.mine) > 1 and 0 < len(kept) < len(vote.mine):
        return Case(others, f"{len(kept)} of your {len(vote.mine)} win", "")
    shares = {each.key: each.shares for each in ranked}
    mine = shares.get(vote.mine[0], 0)
    against = max((count for key, count in shares.items() if key not in vote.mine), default=0)
    whose, css = ("yours wins", "ok") if kept else ("theirs wins", "no")
    if kept and any(key not in vote.mine for key in won):
        return Case(others, "yours is among those carried out", "ok")
    if mine == against:
        return Case(others, f"{whose} the tie, {mine} to {against}", css)
    return Case(others, f"{whose}, {max(mine, against)} to {min(mine, against)}", css)


def _pivot(vote: _Vote) -> Say:
    """Whether the viewer's shares can decide between two choices, and how the others must vote for it."""
    own, others = vote.shares.get(vote.you, 0), vote.others
    held, verb, names = plural(own, "share"), "decides" if own == 1 else "decide", listed(_names(vote, others))
    if not others:
        return Say("Nobody else owns any.", "", "ok", f"Your {held} {verb} alone.")
    if _wins(vote, ()):
        tie = "You come first in player priority, so a tie goes to you." if own == _weight(vote, others) else ""
        return Say(tie or f"{names} cannot outvote you.", "S 6.7" if tie else "", "ok", f"Your {held} {verb} alone.")
    tie = (
        f"Together {names} {'hold' if len(others) > 1 else 'holds'} {_weight(vote, others)}. In a tie, the voter first"
    )
    against = Say(f"{tie} in player priority decides.", "S 6.7", "", f"Your {held} can be outvoted.")
    some = _split(vote)
    if some is None:
        return against
    rest = [seat for seat in others if seat not in some]
    verb_of_some = "votes" if len(some) == 1 else "vote"
    apart = f"{listed(_names(vote, some))} {verb_of_some} against {listed(_names(vote, rest))}"
    return msgspec.structs.replace(against, lead=f"Your {held} {verb} if {apart}.")


def _split(vote: _Vote) -> tuple[int, ...] | None:
    """The most even split of the others in which the viewer's side wins whichever it is; None where there is none."""
    others, total, own = vote.others, _weight(vote, vote.others), vote.shares.get(vote.you, 0)
    sizes = range(1, len(others) // 2 + 1)
    splits = [(abs(2 * _weight(vote, some) - total), some) for size in sizes for some in combinations(others, size)]
    for gap, some in sorted(splits):
        rest = tuple(seat for seat in others if seat not in some)
        if gap < own or (gap == own and _wins(vote, some) and _wins(vote, rest)):
            return some
    return None


def _wins(vote: _Vote, allies: Sequence[int]) -> bool:
    """Whether the viewer and these prevail over all the others, should those agree."""
    mine, theirs = vote.mine[:1], vote.rivals[:1]
    ballots = {seat: mine if seat == vote.you or seat in allies else theirs for seat in vote.shares}
    return vote.count(ballots)[0].key == mine[0]


def _weight(vote: _Vote, seats: Sequence[int]) -> int:
    return sum(vote.shares[seat] for seat in seats)


def _names(vote: _Vote, seats: Sequence[int]) -> list[str]:
    return [vote.names[seat] for seat in seats]
