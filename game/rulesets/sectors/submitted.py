"""What was submitted in a phase that has closed, and is resolved by the next one: for positions built by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from game.engine.scenarios.language import DescriptionError
from game.rulesets.sectors.descriptions import Description
from game.rulesets.sectors.effects import COMPANY_ACTIONS
from game.rulesets.sectors.state import FULL, HALF, RETAIN, SectorsState, Wish

V = TypeVar("V")
Seat = Callable[[str], int]


def fill(state: SectorsState, description: Description, seat: Seat) -> None:
    """Put bids, pledges, votes and wishes where their resolutions look for them. Raises `DescriptionError`."""
    state.bids = _by_seat(description.bids, seat)
    if description.phase == "influence_resolve":
        state.bids = {number: state.bids.get(number, 0) for number in range(state.seats)}
    state.pledges, state.tranche_votes = _by_seat(description.pledges, seat), _by_seat(description.tranche_votes, seat)
    for wish in description.wishes.values():
        _known((wish.prestige_to, wish.ability_to), state.companies, "company")
    wishes = {name: Wish(_by_seat(w.cash, seat), w.prestige_to, w.ability_to) for name, w in description.wishes.items()}
    state.wishes = _by_seat(wishes, seat)
    _votes(state, description, seat)


def _votes(state: SectorsState, description: Description, seat: Seat) -> None:
    _known(description.revenue_votes, state.companies, "company")
    for votes in description.revenue_votes.values():
        _known(votes.values(), (FULL, HALF, RETAIN), "choice")
    state.revenue_votes = {ticker: _by_seat(votes, seat) for ticker, votes in description.revenue_votes.items()}
    for ballot in (*description.ballots.values(), description.selected or ()):
        _known(ballot, COMPANY_ACTIONS, "company action")
    state.ballots = _by_seat(description.ballots, seat)
    state.selected = description.selected


def _by_seat(by_name: Mapping[str, V], seat: Seat) -> dict[int, V]:
    return {seat(name): value for name, value in by_name.items()}


def _known(given: Iterable[str | None], names: Iterable[str], kind: str) -> None:
    known = list(names)
    if wrong := [name for name in given if name is not None and name not in known]:
        raise DescriptionError(f"there is no {kind} {wrong[0]}; there are {', '.join(known) or 'none'}")
