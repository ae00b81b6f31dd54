"""The state of a game of Stock Market Tycoon."""

from __future__ import annotations

from typing import Literal

import msgspec

from game.engine.ledger import BANK, cash_of, hand_of
from game.engine.position import State
from game.rulesets.stock_market_tycoon.cards import sum_of
from game.rulesets.stock_market_tycoon.options import Options
from game.rulesets.stock_market_tycoon.tables import (
    COMPANIES,
    COMPANY_KEYS,
    OPTION_CAP_PERCENT,
    SHORT_CAP,
    SUB_ROUNDS,
    Company,
)

RETIRED = "retired"
"""The place of shares that buybacks took out of the game."""
ESCROW = "escrow"
"""The account that holds the money of an open buyback."""
CHAIRMAN, DIRECTOR = "chairman", "director"
Kind = Literal["call", "put"]


class Short(msgspec.Struct, frozen=True):
    """Shares sold short this year at `entry` dollars. (ST 4.7)"""

    seat: int
    company: Company
    entry: int
    shares: int


class OptionContract(msgspec.Struct, frozen=True):
    """An option of this year. (ST 4.8)"""

    seat: int
    kind: Kind
    company: Company
    strike: int
    shares: int
    premium: int


class OwnedCard(msgspec.Struct, frozen=True):
    """A price card at the end of a year, and its owner's seat."""

    seat: int
    card: str


class Buyback(msgspec.Struct, frozen=True):
    """An open buyback: up to `shares` at `price` dollars, paid by the Chairman from escrow. (ST 4.10)"""

    seat: int
    company: Company
    shares: int
    price: int


class PriceChange(msgspec.Struct, frozen=True):
    """The effect of a year's cards on a price: `total` is their sum, `held` are each seat's shares of the company."""

    company: Company
    was: int
    total: int
    price: int
    held: tuple[int, ...]


class Suspension(msgspec.Struct, frozen=True):
    """A price that a seat put back to that of the end of the last year."""

    seat: int
    company: Company
    was: int
    price: int


class Settlement(msgspec.Struct, frozen=True):
    """A payment to or from a seat at the end of a year: `reason` is currency, short or option."""

    seat: int
    reason: Literal["currency", "short", "option"]
    amount: int
    company: Company | None = None


class YearEnd(msgspec.Struct):
    """The last end of a year as everybody saw it. `shown` has the struck cards as well; of a withheld card only its
    company is known. `worths` and `worths_after` are everybody's net worth before the cards were shown and after the
    last payment; the latter is empty until then."""

    year: int
    withheld: list[Company]
    worths: list[int]
    shown: list[OwnedCard] = []
    struck: list[OwnedCard] = []
    changes: list[PriceChange] = []
    suspensions: list[Suspension] = []
    settlements: list[Settlement] = []
    worths_after: list[int] = []


class Office(msgspec.Struct):
    """A company's Chairman and Director, and for each seat the movement of shares since which it has been at a
    threshold. (T-5)"""

    chairman: int | None = None
    director: int | None = None
    at_chairman: dict[int, int] = {}
    at_director: dict[int, int] = {}


class TycoonState(State):
    """A position of Stock Market Tycoon. `turn` counts the years. `hands` are hidden; so is `withheld`, the card by
    company, except that a Director withheld one. `order` is the year's; `queue` are the seats that have yet to act in
    this sub-round. `closes` are the prices at the start and at the end of each year. `bought` are the companies with a
    first purchase this year. `windows` are the companies whose rights can be followed in this sub-round, once for each
    card played, `followed` those that the acting seat has followed for free. `movements` counts the movements of
    shares; `bankrupts` are in the order of their bankruptcy; `filed` are the seats with a list for this sub-round."""

    options: Options = msgspec.field(default_factory=Options)
    dealer: int = 0
    order: list[int] = []
    sub_round: int = 0
    queue: list[int] = []
    acting: int | None = None
    has_acted: bool = False
    prices: dict[Company, int] = {}
    closes: list[dict[Company, int]] = []
    offices: dict[Company, Office] = {}
    movements: int = 0
    rates: dict[Company, int] = {}
    hands: list[list[str]] = []
    kept_cards: dict[int, list[str]] = {}
    bought: list[Company] = []
    windows: list[Company] = []
    followed: list[Company] = []
    shorts: list[Short] = []
    contracts: list[OptionContract] = []
    buyback: Buyback | None = None
    withheld: dict[Company, OwnedCard] = {}
    revealed: list[OwnedCard] = []
    struck: list[OwnedCard] = []
    debts: list[int] = []
    bankrupts: list[int] = []
    filed: list[int] = []
    year_end: YearEnd | None = None
    end: str = ""

    @property
    def out(self) -> tuple[int, ...]:
        """The bankrupt seats, which are never asked."""
        return tuple(self.bankrupts)

    @property
    def active(self) -> list[int]:
        """The seats that are not bankrupt."""
        return [seat for seat in range(self.seats) if seat not in self.bankrupts]

    @property
    def is_last_year(self) -> bool:
        return self.turn == self.options.years

    @property
    def is_trading(self) -> bool:
        """True if turns of this year are left."""
        return bool(self.queue) or self.sub_round < SUB_ROUNDS

    def cash(self, seat: int) -> int:
        return self.ledger.balance(cash_of(seat))

    def held(self, seat: int, company: Company) -> int:
        """A seat's shares of a company."""
        return self.ledger.at(company, hand_of(seat))

    def pool(self, company: Company) -> int:
        """Shares that the bank has for sale."""
        return self.ledger.at(company, BANK)

    def outstanding(self, company: Company) -> int:
        """Shares that are not retired, sold or not: percentages refer to these. (ST 2)"""
        return self.options.numbers.shares_per_company - self.ledger.at(company, RETIRED)

    def share_sum(self, seat: int, company: Company) -> int:
        """The sum of the seat's price cards of a company, for the buy condition. (ST 4.1)"""
        return sum_of(company, self.hands[seat])

    def short_left(self, company: Company) -> int:
        """Shares that can still be sold short this year, by anybody. (ST 4.7)"""
        return SHORT_CAP - sum(short.shares for short in self.shorts if short.company == company)

    def options_left(self, company: Company) -> int:
        """Shares for which options can still be bought this year. (ST 4.8)"""
        cap = OPTION_CAP_PERCENT * self.outstanding(company) // 100
        return max(0, cap - sum(contract.shares for contract in self.contracts if contract.company == company))

    def rate(self, company: Company) -> int:
        """The premium of an option this year, in percent of the strike price. (ST 4.11)"""
        return self.rates.get(company, self.options.premium_rates[0])

    def stock_value(self, seat: int) -> int:
        """The value of a seat's shares at today's prices."""
        return sum(self.held(seat, company) * self.prices[company] for company in COMPANY_KEYS)

    def set_aside(self, seat: int) -> int:
        """Dollars of a seat that its open buyback holds; what nobody tenders for comes back. (ST 4.10)"""
        is_own = self.buyback is not None and self.buyback.seat == seat
        return self.ledger.balance(ESCROW) if is_own else 0

    def worth(self, seat: int) -> int:
        """Net worth: cash, that of an open buyback too, and shares less debt. (ST 6)"""
        return self.cash(seat) + self.set_aside(seat) + self.stock_value(seat) - self.debts[seat]

    def last_close(self, company: Company) -> int:
        """The price at the end of last year; in the first year, the start price. (ST 4.11)"""
        return self.closes[-1][company]

    def office_of(self, seat: int, company: Company) -> str:
        """`chairman`, `director` or empty."""
        office = self.offices[company]
        return CHAIRMAN if office.chairman == seat else DIRECTOR if office.director == seat else ""


def start_prices() -> dict[Company, int]:
    return {company: row.start_price for company, row in COMPANIES.items()}
