"""Who votes with how many shares, and the result of a vote for each way the others may vote."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

import msgspec

from game.boards.decision import Question
from game.boards.shapes import Say
from game.engine.language import count, mark, say, say_as
from game.engine.phrases import listed
from game.rulesets.sectors.counting import Ranked, rank_actions, rank_revenue, selected_actions

Count = Callable[[Mapping[int, Sequence[str]]], list[Ranked]]
OUTCOMES = {
    (True, True): mark("yours wins the tie, {more} to {less}"),
    (False, True): mark("theirs wins the tie, {more} to {less}"),
    (True, False): mark("yours wins {more} to {less}"),
    (False, False): mark("theirs wins {more} to {less}"),
}
"""Texts by whether the viewer's choice wins, and whether it is a tie."""


class Case(msgspec.Struct, frozen=True):
    """One way in which the others may vote, and its result; `css` is `ok` if the viewer's choice wins."""

    others: str
    outcome: str
    css: str


class VoteTable(msgspec.Struct, frozen=True):
    """The cases, and how far the viewer's shares carry."""

    caption: str
    cases: tuple[Case, ...]
    pivot: Say


class _Vote(msgspec.Struct, frozen=True):
    """A vote as everybody sees it. `mine` is the viewer's choice, `rivals` are the choices that the others may make
    instead."""

    you: int
    shares: Mapping[int, int]
    names: Mapping[int, str]
    count: Count
    most: int
    mine: tuple[str, ...]
    rivals: tuple[str, ...]

    @property
    def others(self) -> tuple[int, ...]:
        """The other voters, the largest first."""
        return tuple(sorted((seat for seat in self.shares if seat != self.you), key=lambda s: (-self.shares[s], s)))


def table_of_actions(
    question: Question, company: Any, chosen: Sequence[str], keys: Sequence[str], most: int
) -> VoteTable:
    """The vote on a company's actions. If nothing is chosen yet, any action stands for the viewer's choice."""
    free = [key for key in keys if key not in chosen and key != "veto"]
    mine, rivals = (tuple(chosen), free) if chosen else ((free[0],), free[1:])

    def count(ballots: Mapping[int, Sequence[str]]) -> list[Ranked]:
        return rank_actions(ballots, company.holdings, _priority(question))

    return _table(_vote(question, company, count, most, mine, tuple(rivals)), is_chosen=bool(chosen))


def table_of_revenue(question: Question, company: Any, chosen: str) -> VoteTable:
    """The vote on a company's revenue."""
    mine = chosen or "full"
    rivals = tuple(choice for choice in ("full", "half", "retain") if choice != mine)

    def count(ballots: Mapping[int, Sequence[str]]) -> list[Ranked]:
        votes = {seat: ballot[0] for seat, ballot in ballots.items()}
        return rank_revenue(votes, company.holdings, _priority(question))

    return _table(_vote(question, company, count, 1, (mine,), rivals), is_chosen=bool(chosen))


def _priority(question: Question) -> list[int]:
    return [player.seat for player in sorted(question.view.players, key=lambda player: player.priority)]


def _vote(
    question: Question, company: Any, count: Count, most: int, mine: tuple[str, ...], rivals: tuple[str, ...]
) -> _Vote:
    names = {seat: question.name(seat) for seat in company.holdings}
    return _Vote(question.view.seat, company.holdings, names, count, most, mine, rivals)


def _table(vote: _Vote, *, is_chosen: bool) -> VoteTable:
    others = vote.others
    cases = [_case(vote, say("Nobody else votes"), {})]
    if len(others) > 1 and len(vote.rivals) >= len(others):
        each = {seat: (vote.rivals[number],) for number, seat in enumerate(others)}
        cases.append(_case(vote, say("Everyone else votes for something different"), each))
    against = vote.rivals[: vote.most]
    if len(others) > 1:
        only = say("Only {name} votes against", name=vote.names[others[0]])
        cases.append(_case(vote, only, {others[0]: against}))
        cases.append(_case(vote, say("All the others agree on something else"), dict.fromkeys(others, against)))
    elif others:
        one = say("{name} votes against", name=vote.names[others[0]])
        cases.append(_case(vote, one, dict.fromkeys(others, against)))
    caption = say("What your vote changes" if is_chosen else "What your vote could change")
    return VoteTable(caption, tuple(cases), _pivot(vote))


def _case(vote: _Vote, others: str, ballots: Mapping[int, Sequence[str]]) -> Case:
    ranked = vote.count({vote.you: vote.mine, **ballots})
    won = selected_actions([each.key for each in ranked], vote.most)
    winning = [key for key in vote.mine if key in won]
    if len(vote.mine) > 1 and 0 < len(winning) < len(vote.mine):
        return Case(others, say("{won} of your {all} win", won=len(winning), all=len(vote.mine)), "")
    shares = {each.key: each.shares for each in ranked}
    mine = shares.get(vote.mine[0], 0)
    against = max((count for key, count in shares.items() if key not in vote.mine), default=0)
    if winning and any(key not in vote.mine for key in won):
        return Case(others, say("yours is among those carried out"), "ok")
    more, less = max(mine, against), min(mine, against)
    return Case(others, say(OUTCOMES[bool(winning), more == less], more=more, less=less), "ok" if winning else "no")


def _pivot(vote: _Vote) -> Say:
    """Whether the viewer's shares can decide between two choices, and how the others must vote for that."""
    own, others = vote.shares.get(vote.you, 0), vote.others
    alone = count("Your {n} share decides alone.", "Your {n} shares decide alone.", own)
    if not others:
        return Say(say("Nobody else owns any."), "", "ok", alone)
    names, weight = listed(_names(vote, others)), _weight(vote, others)
    if _wins(vote, ()):
        if own == weight:
            first = say("You come before {names} in player priority, so a tie goes to you.", names=names)
            return Say(first, "S 6.7", "ok", alone)
        return Say(say("{names} cannot outvote you.", names=names), "", "ok", alone)
    together = say(
        "Together {names} hold {weight}. In a tie, the voter who is first in player priority decides."
        if len(others) > 1
        else "{names} holds {weight}. In a tie, the voter who is first in player priority decides.",
        names=names,
        weight=weight,
    )
    some = _split(vote)
    outvoted = count("Your {n} share can be outvoted.", "Your {n} shares can be outvoted.", own)
    return Say(together, "S 6.7", "", _if_apart(vote, some) if some else outvoted)


def _if_apart(vote: _Vote, some: Sequence[int]) -> str:
    own, rest = vote.shares.get(vote.you, 0), [seat for seat in vote.others if seat not in some]
    sides = {"some": listed(_names(vote, some)), "rest": listed(_names(vote, rest))}
    if len(some) == 1:
        return count(
            "Your {n} share decides if {some} votes against {rest}.",
            "Your {n} shares decide if {some} votes against {rest}.",
            own,
            **sides,
        )
    return count(
        "Your {n} share decides if {some} vote against {rest}.",
        "Your {n} shares decide if {some} vote against {rest}.",
        own,
        **sides,
    )


def _split(vote: _Vote) -> tuple[int, ...] | None:
    """The most even split of the others in which the viewer's side wins either way; None if there is none."""
    others, total, own = vote.others, _weight(vote, vote.others), vote.shares.get(vote.you, 0)
    sizes = range(1, len(others) // 2 + 1)
    splits = [(abs(2 * _weight(vote, some) - total), some) for size in sizes for some in combinations(others, size)]
    for gap, some in sorted(splits):
        rest = tuple(seat for seat in others if seat not in some)
        if gap < own or (gap == own and _wins(vote, some) and _wins(vote, rest)):
            return some
    return None


def _wins(vote: _Vote, allies: Sequence[int]) -> bool:
    """True if the viewer and these seats prevail over all the others, should those agree."""
    mine, theirs = vote.mine[:1], vote.rivals[:1]
    ballots = {seat: mine if seat == vote.you or seat in allies else theirs for seat in vote.shares}
    return vote.count(ballots)[0].key == mine[0]


def _weight(vote: _Vote, seats: Sequence[int]) -> int:
    return sum(vote.shares[seat] for seat in seats)


def _names(vote: _Vote, seats: Sequence[int]) -> list[str]:
    return [vote.names[seat] for seat in seats]


class Weight(msgspec.Struct, frozen=True):
    """A seat's shares in the weigh bar; `css` is the seat's colour, `letter` its mark elsewhere on the page."""

    name: str
    shares: int
    css: str
    is_you: bool
    letter: str


def weights_of(question: Question, company: Any) -> tuple[Weight, ...]:
    """The shares that may vote: yours first, then the largest."""
    held = sorted(company.holdings.items(), key=lambda pair: (pair[0] != question.view.seat, -pair[1]))
    return tuple(_weight_of(question.seats[seat], shares, is_you=seat == question.view.seat) for seat, shares in held)


def _weight_of(place: Any, shares: int, *, is_you: bool) -> Weight:
    return Weight(say_as("seat", "You") if is_you else place.name, shares, place.css, is_you, place.letter)
