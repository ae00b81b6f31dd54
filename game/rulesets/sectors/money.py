"""Why money enters and leaves the game of Sectors, and what its bank pays and gets. (S 7.10)"""

from __future__ import annotations

from game.engine.ruleset import Money
from game.rulesets.sectors.effects import COMPANY_ACTIONS

MONEY = Money(
    is_public=True,
    sources=frozenset({"set-up", "new company", "loan", "capital injection", "government grant"}),
    sinks=frozenset({"operating cost", "loan interest", "treasury of a bankrupt company", *COMPANY_ACTIONS}),
    bank_pays=frozenset(
        {
            "influence refund",
            "tranche",
            "market sell",
            "limit sell",
            "short sale",
            "option payout",
            "dividend",
            "retained revenue",
            "contributed shares",
            "bankruptcy payout",
            "divestment",
        }
    ),
    bank_gets=frozenset(
        {
            "set-up",
            "headline",
            "market buy",
            "limit buy",
            "premium",
            "short interest",
            "short dividend",
            "short cover",
            "short closed at bankruptcy",
            "capital gains",
        }
    ),
)
"""A company's actions are sinks under their own names."""
