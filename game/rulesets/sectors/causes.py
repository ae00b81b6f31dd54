"""Why a price moved, an order was rejected or an action failed: stored in English in the log, shown in the reader's
language."""

from __future__ import annotations

from game.engine.actions import Refused
from game.engine.language import kept, mark
from game.engine.retelling import retelling

# why a price moved
MORE_BOUGHT = mark("{shares} more bought than sold")
MORE_SOLD = mark("{shares} more sold than bought")
DISTRIBUTED = mark("{amount} distributed")
RETAINED = mark("revenue retained")
CONTRIBUTED = mark("{shares} shares were contributed")
DIVESTED = mark("{shares} shares were divested")
GAP = mark("supply and demand {gap} apart")
THROUGHPUT = mark("throughput {throughput}")  # in logs written before this release
COVERED = mark("a short was covered")
SHORTED = mark("shares were shorted")
EXERCISED = mark("an option was exercised")
LIMITS_SETTLED = mark("limit orders settled")
RESEARCHED = mark("research")

# why an instrument ended
BANKRUPT = mark("{company} is bankrupt")
TERM_OVER = mark("its term is over")
GAME_OVER = mark("the game is over")

# why an order was rejected
ORDER_BANKRUPT = mark("{company} is bankrupt.")
TOO_FEW_HELD = mark("{wanted} to sell, {held} held.")
TOO_FEW_LEFT = mark("{wanted} wanted, {left} left.")
OVER_THE_CAP = mark("it would make {after} shares, the ownership cap is {cap}.")
TOO_DEAR = mark("it costs {cost}, cash is {cash}.")
NO_MARGIN = mark("the margin is {margin}, cash is {cash}.")
NOTHING_TO_BORROW = mark("{wanted} to borrow, {there} on the open market.")
SOLD_TO_ANOTHER = mark("the contract went to another player.")

# why an action of a company failed
INSOLVENT_BEFORE = mark("{company} became insolvent before it.")
TREASURY_TOO_LOW = mark("It costs {cost}; the treasury holds {treasury}.")
PRESTIGE_TOO_LOW = mark("It takes {tokens} prestige; {company} has {prestige}.")
AT_THE_TOP = mark("{company} is a Titan already.")
AT_THE_BOTTOM = mark("{company} is an Incubator already.")
HAS_LOAN = mark("{company} has had its one loan of {loan}.")
NO_ROOM_FOR_SUPPLY = mark("Its supply is {supply}; its tier allows {most}.")

WITH_FACTS = (
    MORE_BOUGHT,
    MORE_SOLD,
    DISTRIBUTED,
    CONTRIBUTED,
    DIVESTED,
    GAP,
    THROUGHPUT,
    BANKRUPT,
    ORDER_BANKRUPT,
    TOO_FEW_HELD,
    TOO_FEW_LEFT,
    OVER_THE_CAP,
    TOO_DEAR,
    NO_MARGIN,
    NOTHING_TO_BORROW,
    INSOLVENT_BEFORE,
    TREASURY_TOO_LOW,
    PRESTIGE_TOO_LOW,
    AT_THE_TOP,
    AT_THE_BOTTOM,
    HAS_LOAN,
    NO_ROOM_FOR_SUPPLY,
)
"""The causes with facts, which `told` parses from the stored text."""


def written(refused: Refused) -> str:
    """A refusal as it is stored in the log: in English, whoever caused it."""
    return refused.template.format_map(refused.facts)


_in_words = retelling(WITH_FACTS, fact=r"\S+")


@kept(4096)
def cause_words(cause: str) -> str:
    """A stored cause in the current language; an unknown one unchanged."""
    return _in_words(cause)
