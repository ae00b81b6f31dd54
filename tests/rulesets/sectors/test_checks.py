"""What an action itself refuses when it is asked outside its phase, as a bot's request is tried before it is sent."""

from __future__ import annotations

import pytest

from game.engine import names
from game.engine.actions import COMMON_ACTIONS, Action, Refused
from game.rulesets.sectors.actions import (
    ACTIONS,
    BidInfluence,
    Contribute,
    CoverShort,
    DistributeTranche,
    ExerciseOption,
    PledgeHeadline,
    VoteActions,
    VoteFullRevenue,
    VoteRevenue,
    VoteTranche,
)
from game.rulesets.sectors.orders import LimitOrder, MarketOrder, OptionOrder, ShortOrder, StopOrdering
from game.rulesets.sectors.standing_orders import ORDERS, StandingOrder
from tests.rulesets.sectors.table import Table


@pytest.mark.parametrize(
    ("action", "rule", "words"),
    [
        (PledgeHeadline(actor=0, headline=1), "S 1.10", "no headline in slot 1"),
        (VoteTranche(actor=0, tranche=1), "S 7.9", "There is no tranche 1"),
        (DistributeTranche(actor=0), "S 7.9", "You have won no tranche"),
        (
            MarketOrder(actor=0, company="NONE", side="buy", location="ipo", quantity=1),
            "S 5.1",
            "no company NONE in this game. Choose one of ACME",
        ),
        (CoverShort(actor=0, order=1), "S 5.6", "no open short number 1"),
        (ExerciseOption(actor=0, contract=1), "S 5.7", "no contract number 1"),
        (VoteRevenue(actor=0, company="ACME", choice="full"), "S 6.5", "no revenue"),
        (VoteActions(actor=0, company="ACME", actions=["veto"]), "S 6.7", "no vote left this turn"),
        (Contribute(actor=0, cash=1), "S 6.12", "No company is asking"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Action) else "",
)
def test_what_is_not_there_is_refused_by_name(table: Table, action: Action, rule: str, words: str) -> None:
    """S 5.1: never an error of the program."""
    table.at("stock_orders").company("ACME", price=47)
    with pytest.raises(Refused) as refused:
        names.check(action, table.state)
    assert refused.value.rule == rule
    assert words in refused.value.text


def test_only_orders_share_the_name_by_which_they_are_withdrawn() -> None:
    """*slots of sealed inputs*: whatever is numbered 1 or about ACME, a late withdrawal finds its own kind alone."""
    kinds = [
        BidInfluence(points=1),
        PledgeHeadline(headline=1),
        VoteTranche(tranche=1),
        DistributeTranche(),
        MarketOrder(company="ACME", side="buy", location="ipo", quantity=1),
        LimitOrder(company="ACME", side="buy", value=1, quantity=1),
        ShortOrder(company="ACME", quantity=1),
        OptionOrder(contract=1),
        StandingOrder(company="ACME", side="buy", limit=1, quantity=1),
        CoverShort(order=1),
        ExerciseOption(contract=1),
        VoteRevenue(company="ACME", choice="full"),
        VoteFullRevenue(),
        VoteActions(company="ACME", actions=["veto"]),
        StopOrdering(),
        Contribute(cash=1),
    ]
    assert {type(each) for each in kinds} == set(ACTIONS.values()) - set(COMMON_ACTIONS)
    slots = [each.slot() for each in kinds if not isinstance(each, ORDERS)]
    assert len({*slots, "order"}) == len(slots) + 1
    assert {each.slot() for each in kinds if isinstance(each, ORDERS)} == {"order"}
