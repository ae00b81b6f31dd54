"""The things that requests of Sectors name: companies, seats, tranches, headlines, contracts, shorts and company
actions."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from game.engine.actions import Refused
from game.engine.language import mark
from game.engine.names import Named, naming
from game.rulesets.sectors import numbers
from game.rulesets.sectors.effects import COMPANY_ACTIONS
from game.rulesets.sectors.state import Contract, SectorsState
from game.rulesets.sectors.tables.common import HEADLINE_SLOTS, LARGEST_NUMBER, MOST_TRANCHES


def _sold(state: SectorsState) -> list[Contract]:
    """The contracts on sale."""
    if not state.options.option_orders:
        raise Refused("Option contracts are switched off in this game.", "A6", code="switched_off", field="contract")
    return [contract for contract in state.contracts.values() if contract.owner is None]


COMPANY = Named(
    mark("There is no company {name} in this game. Choose one of {known}."),
    "S 5.1",
    code="no_such_company",
    of=lambda state, seat: state.companies,
)
COMPANY_ACTION = Named(
    mark("There is no company action {name}."),
    "S 6.9",
    code="no_such_company_action",
    of=lambda state, seat: COMPANY_ACTIONS,
)
SEAT = Named(
    mark("There is no seat {name} in this game of {count}."),
    "S 7.9",
    code="no_such_seat",
    of=lambda state, seat: [str(number) for number in range(state.seats)],
)
HEADLINE = Named(
    mark("There is no headline in slot {name}."),
    "S 1.10",
    code="no_such_headline",
    of=lambda state, seat: [slot for slot, headline in enumerate(state.headlines, 1) if headline is not None],
)
TRANCHE = Named(
    mark("There is no tranche {name}. Tranches this turn: {count}."),
    "S 7.9",
    code="no_such_tranche",
    of=lambda state, seat: range(1, len(state.tranches) + 1),
)
CONTRACT_ON_SALE = Named(
    mark("Contract {name} is not on sale."),
    "S 5.7",
    code="not_on_sale",
    of=lambda state, seat: [contract.id for contract in _sold(state)],
)
OWN_CONTRACT = Named(
    mark("You own no contract number {name}."),
    "S 5.7",
    code="no_such_contract",
    of=lambda state, seat: [contract.id for contract in state.contracts.values() if contract.owner == seat],
)
OWN_SHORT = Named(
    mark("You have no open short number {name}."),
    "S 5.6",
    code="no_such_short",
    of=lambda state, seat: [short.id for short in numbers.open_shorts(state, seat)],
)

Number = Annotated[int, Meta(ge=0, le=LARGEST_NUMBER)]
Ticker = Annotated[str, Meta(min_length=1, max_length=8), naming(COMPANY)]
CompanyAction = Annotated[str, naming(COMPANY_ACTION)]
SeatNumber = Annotated[str, naming(SEAT)]
HeadlineSlot = Annotated[int, Meta(ge=1, le=HEADLINE_SLOTS), naming(HEADLINE)]
TrancheNumber = Annotated[int, Meta(ge=1, le=MOST_TRANCHES), naming(TRANCHE)]
OfferedContract = Annotated[int, Meta(ge=0, le=LARGEST_NUMBER), naming(CONTRACT_ON_SALE)]
OwnContract = Annotated[int, Meta(ge=0, le=LARGEST_NUMBER), naming(OWN_CONTRACT)]
OwnShort = Annotated[int, Meta(ge=0, le=LARGEST_NUMBER), naming(OWN_SHORT)]
