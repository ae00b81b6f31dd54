"""Numbers that both editions share."""

SHARES_PER_COMPANY = 10
SECTORS_IN_PLAY = 3
ECONOMY_START = 10  # (S 1.1)
LIMIT_ACTIONS = 5  # open limit orders a seat may have (S 5.2)
SHORT_ACTIONS = 2  # open shorts a seat may have (S 5.2)
LARGEST_NUMBER = 999_999_999  # largest number: shares of an order, dollars of a bid or a limit (quantity)
INTEREST_PERCENT = 5  # percent of a short's initial value, each turn (S 5.6)
LIQUIDATION_PERCENT = 10  # of a share's price, paid at bankruptcy (S 6.12)
LOAN = 250  # dollars (S 6.9, R-4)
IPO_DISCOUNT = 5  # dollars off, and the lowest IPO price it leaves (S 7.8, A71)
FREEZE_STEPS = 2  # most steps that a frozen price moves by a turn's market orders (A55)
BOOM_STEPS = 3  # steps beyond a tier's first that Boom Cycle allows (S 3.5)
STEADY_UNITS = 2  # units Steady Demand sells without consumers (S 6.2)
CARBON_THROUGHPUT = 1  # the largest throughput with Carbon Credit (A58)

THROUGHPUT_STEPS = (0, 0, 1, 2, 2, 3, 3, 4, 4)
"""Price steps down by the difference of supply and demand; the last entry also applies beyond it. (S 6.3, A37)"""

OPTION_TERMS = (1, 2, 3, 4)
OPTION_BUNDLES = ((3, 1), (5, 1), (7, 1), (10, 2), (12, 2))  # shares, steps the price rises on exercise (S 1.11)
OPTIONS_ON_SALE = 3

MOST_TRANCHES = 6  # (S 1.9)
HEADLINE_SLOTS = 3
HEADLINE_MOVES = (-1, -2, 1, 2)  # places a sector moves: positive is earlier (S 1.10)

DECK_SIZE = 12
BLANKS = 3  # cards of the deck without finding (S 1.7)

TRACK_LENGTH = 10
INJECTION_START = 200  # dollars on a Capital Injection space (S 1.8)
INJECTION_GROWTH = 100  # dollars added to all of them when one is passed unbought (A11)


def certificate_limit(seats: int) -> int:
    """The most shares that one player can keep at divestment, all companies together. (S 1.2)"""
    if seats < 2:
        return 20
    return 6 if seats > 20 else (2 * (18 * 20 - 14 * (seats - 2)) + 18) // 36


def tranche_pools(seats: int) -> int:
    """The number of tranches in a tranche round. (S 1.9)"""
    return min(max(seats - 1, 2), MOST_TRANCHES)
