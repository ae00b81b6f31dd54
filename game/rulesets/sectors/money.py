"""Why money enters and leaves the game of Sectors, and what its bank pays and receives. (S 7.10)"""

from __future__ import annotations

from game.engine.language import mark
from game.engine.ledger import cash_of, treasury_of
from game.engine.ruleset import Money
from game.rulesets.sectors.effects import COMPANY_ACTIONS
from game.rulesets.sectors.state import ACTIVE, INSOLVENT, SectorsState


def correctable(state: SectorsState) -> list[str]:
    """The accounts that moderators can correct: every player's cash, and the treasury of every company that is not
    bankrupt."""
    alive = [company.ticker for company in state.companies.values() if company.status in {ACTIVE, INSOLVENT}]
    return [*(cash_of(seat) for seat in range(state.seats)), *(treasury_of(ticker) for ticker in alive)]


MONEY = Money(
    is_public=True,
    correctable=correctable,
    sources=frozenset(
        {mark("set-up"), mark("new company"), mark("loan"), mark("capital injection"), mark("government grant")}
    ),
    sinks=frozenset(
        {mark("operating cost"), mark("loan interest"), mark("treasury of a bankrupt company"), *COMPANY_ACTIONS}
    ),
    bank_pays=frozenset(
        {
            mark("influence refund"),
            mark("tranche"),
            mark("market sell"),
            mark("limit sell"),
            mark("short sale"),
            mark("option payout"),
            mark("dividend"),
            mark("retained revenue"),
            mark("contributed shares"),
            mark("bankruptcy payout"),
            mark("divestment"),
        }
    ),
    bank_gets=frozenset(
        {
            mark("set-up"),
            mark("headline"),
            mark("market buy"),
            mark("limit buy"),
            mark("premium"),
            mark("short interest"),
            mark("short dividend"),
            mark("short cover"),
            mark("short closed at bankruptcy"),
            mark("capital gains"),
        }
    ),
)
"""A company's actions are sinks under their own names."""

NAMED_BY_ACTIONS = (
    mark("large marketing"),
    mark("small marketing"),
    mark("expansion"),
    mark("downsize"),
    mark("share issue"),
    mark("lobby"),
    mark("outsource"),
    mark("visionary"),
    mark("strategic reserve"),
    mark("rapid expansion"),
    mark("fast track approval"),
    mark("price freeze"),
    mark("re brand"),
    mark("surge pricing"),
    mark("extract"),
    mark("manufacture"),
)
"""The actions that cost money, with their titles."""
