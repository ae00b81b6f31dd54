"""The ranking and the public goals. (BS 9, BS 1.13)"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from game.engine.breakdown import Part
from game.engine.language import count, say
from game.engine.leaving import ranked
from game.engine.phrases import thousands
from game.engine.ruleset import Standing
from game.rulesets.big_shoulders.state import ShouldersState
from game.rulesets.big_shoulders.tables import COMMON, COMPANIES, COMPANY_KEYS, PREFERRED, Company


def _sum_of(number: Callable[[ShouldersState, Company], int]) -> Callable[[ShouldersState, int], int]:
    return lambda state, seat: sum(number(state, company) for company in state.directed_by(seat))


def _best_of(number: Callable[[ShouldersState, Company], int]) -> Callable[[ShouldersState, int], int]:
    return lambda state, seat: max((number(state, company) for company in state.directed_by(seat)), default=0)


COUNTS: Mapping[int, Callable[[ShouldersState, int], int]] = {
    1: _sum_of(lambda state, key: state.companies[key].managers),
    2: _sum_of(lambda state, key: state.companies[key].salespeople),
    3: _sum_of(lambda state, key: state.companies[key].asset is not None),
    4: _sum_of(lambda state, key: sum(state.workers_in(key))),
    5: _sum_of(lambda state, key: state.companies[key].automated),
    6: _best_of(lambda state, key: state.companies[key].appeal),
    7: _best_of(lambda state, key: state.treasury(key)),
    8: lambda state, seat: state.partners[seat],
    9: lambda state, seat: sum(state.held(seat, company, COMMON) for company in state.companies),
    10: lambda state, seat: sum(state.held(seat, company, PREFERRED) for company in state.companies),
}
"""What each goal counts for a seat. (B-70)"""


def winners_of(state: ShouldersState, goal: int) -> list[int]:
    """The seats with the most, if that is more than nothing. (B-70)"""
    counts = [COUNTS[goal](state, seat) for seat in range(state.seats)]
    return [seat for seat, number in enumerate(counts) if number and number == max(counts)]


def standings(state: ShouldersState) -> list[Standing]:
    """Seats by score, then by the dollars that goals brought; equal ones share the place (1, 1, 3). (B-69)"""
    merits = [(state.worth(seat), state.awards[seat]) for seat in range(state.seats)]
    ranks = [sorted(set(merits)).index(merit) for merit in merits]
    return [
        Standing(standing.seat, standing.place, state.worth(standing.seat)) for standing in ranked(ranks, state.left)
    ]


def score_parts(state: ShouldersState, subject: str) -> tuple[Part, ...]:
    """The parts of a score, by the number of its seat. (BS 9)"""
    if not subject.isdecimal() or int(subject) >= state.seats:
        return ()
    seat = int(subject)
    certificates = [
        Part(_shares(state, company, units), units * state.price(company))
        for company in COMPANY_KEYS
        if company in state.companies and (units := state.units(seat, company))
    ]
    goals = [Part(say("Goals"), state.awards[seat])] if state.awards[seat] else []
    return Part(say("Cash"), state.cash(seat)), *certificates, *goals


def _shares(state: ShouldersState, company: Company, units: int) -> str:
    return count(
        "{company}, {n} share at {value}",
        "{company}, {n} shares at {value}",
        units,
        company=COMPANIES[company].title,
        value=thousands(state.price(company)),
    )
