"""The printed numbers of Power Up: board, turn, end and the six companies. Money in whole dollars. (PU 1)"""

from dataclasses import dataclass

COLUMNS = "ABCDEFGHIJ"  # columns, from the left
ROWS = "0123456789"  # rows, from the top
HAND_LIMIT = 5  # tiles
SHARES_PER_COMPANY = 25
STARTING_CASH = 6000

ACTION_WEIGHTS = {2: 1, 3: 3, 4: 2}
"""Actions of a turn with their weights: a die on which 1 gives two actions, 2 to 4 give three, and 5 and 6 give four.
(PU 1)"""

GRANT_TOP = 10  # the largest grant to the Department of Energy is this less the number of players (PU 4.3)

PRICE_STEP = 50  # dollars a share for each tile
TILES_AT_START_PRICE = 2

FIRST_BONUS = 10  # times the price, to the clear leader (PU 4.5)
SECOND_BONUS = 5  # times the price, to those in second place

END_SIZE = 50  # tiles of one company (PU 5)
END_SIZE_OF_TWO = 30  # tiles of each of two companies

LIVE_SECONDS = {"take_turn": 90, "final_sale": 20}
"""Our own lengths for live games; the source has none."""


def largest_grant(seats: int) -> int:
    """The most shares that the Department of Energy can get at a founding, by the number of seats at the start. (PU
    4.3, P-17)"""
    return GRANT_TOP - seats


@dataclass(frozen=True)
class CompanyCard:
    """A company's name and its price with two tiles, in whole dollars."""

    title: str
    start_price: int


COMPANIES = {
    "eclipse": CompanyCard("Eclipse Solar", 200),
    "maniac": CompanyCard("Maniac Timber", 200),
    "cortex": CompanyCard("Cortex Power", 300),
    "rufus": CompanyCard("Rufus Geothermal", 300),
    "superslick": CompanyCard("Superslick Oil", 400),
    "whoops": CompanyCard("Whoops Uranium", 400),
}
"""In the order in which companies of equal size are handled."""

RANK = {key: rank for rank, key in enumerate(COMPANIES)}
