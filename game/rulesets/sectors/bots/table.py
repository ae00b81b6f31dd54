"""The table as a bot sees it: its view, its seat, and its temper, the weights of all its judgements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from game.engine.chance import Chance
from game.engine.offers import Offer
from game.engine.ruleset import Offered
from game.rulesets.sectors.bots.prospects import prospects_of
from game.rulesets.sectors.view import CompanyView, OrderView, SectorsView

# fmt: on


Request = dict[str, Any]


@dataclass(frozen=True)
class Temper:
    """The character of a bot. Percentages are of a share's price or of its cash; `likes` are dollars per share in
    favour of an action."""

    name: str
    least_gain: int  # percent that a purchase must promise
    crowding: int  # percent of its promise that a purchase loses for every share held already
    lot: int  # shares of a floated company bought at once
    short_gain: int  # percent that a short must promise
    short_stake: int  # percent of its cash it would lock under shorts
    option_gain: int  # percent of the premium that an option must promise
    option_stake: int  # percent of its cash it would pay for an option
    stop_mood: int  # rounds in ten in which it considers a stop
    bargain_mood: int  # rounds in ten in which it considers a bargain
    likes: Mapping[str, float] = field(default_factory=dict)
    bid: tuple[int, int] = (30, 70)  # percent of its influence, from and to
    pledges_one_in: int = 6  # turns in which it pays for a headline; 0: never
    opening_lot: int = 0  # shares of a company not yet floated bought at once; 0: as many as float it
    reserve: int = 25  # dollars kept back for an insolvency
    doubt: float = 0.75  # for every share that others must still buy before a company floats


# fmt: off
#                least  crowd-  lot   short  short  option  option  stop  bargain
#                 gain  ing           gain   stake  gain    stake   mood  mood
TEMPERS = (
    Temper("steady",  8,  5,   4,     12,    30,     60,     25,    1,    2,
           {"share_buyback": 2.0, "strategic_reserve": 4.0, "loan": 0.5}),
    Temper("builder", 8,  4,   5,     15,    30,     60,     25,    1,    2,
           {"share_buyback": 0.3, "expansion": 2.0, "rapid_expansion": 6.0, "visionary": 4.0, "outsource": 1.0,
            "research": 0.5}),
    Temper("trader",  6,  5,   5,      8,    40,     30,     40,    2,    4,
           {"share_buyback": 0.3, "surge_pricing": 5.0, "price_freeze": 4.0, "lobby": 1.0}),
    Temper("bear",   10,  6,   4,      4,    60,     50,     25,    2,    3,
           {"share_buyback": 0.3, "fast_track_approval": 4.0, "share_issue": 0.5, "downsize": 0.5}),
)


# fmt: on


def eager(temper: Temper) -> Temper:
    """A temper in a hurry: it bids to be served first, spends all its cash at once, and pays for no headline."""
    return replace(temper, bid=(60, 100), pledges_one_in=0, opening_lot=8, reserve=0, doubt=1.0)


# fmt: off
#                       least  crowd-  lot   short  short  option  option  stop  bargain
#                        gain  ing           gain   stake  gain    stake   mood  mood
SHARP_TEMPERS = tuple(map(eager, (
    Temper("raider",      4,  2,   8,     12,    30,     60,     25,    1,    2,
           {"share_buyback": 2.0, "strategic_reserve": 4.0, "loan": 0.5}),
    Temper("prowler",     4,  2,   8,      4,    50,     30,     50,    1,    2,
           {"share_buyback": 2.0, "strategic_reserve": 4.0, "loan": 0.5}),
)))


def allowed(offered: Offered) -> list[Offer]:
    """The offers that are not refused."""
    return [offer for offer in offered() if not offer.refused]


class Table:
    """One decision of one seat."""

    def __init__(self, view: SectorsView, chance: Chance, tempers: Sequence[Temper] = TEMPERS) -> None:
        assert view.seat is not None
        self.view = view
        self.chance = chance
        self.seat = view.seat
        self.prospects = prospects_of(view)
        self.companies = self.prospects.companies
        self.turns_left = self.prospects.turns_left  # turns after this one at most; 0 once the bank is broken
        self.me = view.player(view.seat)
        self._tempers = tempers
        self._temper: Temper | None = None
        self._orders: list[OrderView] | None = None

    @property
    def temper(self) -> Temper:
        """The seat's temper: drawn once and kept all game."""
        if self._temper is None:
            self._temper = self.chance.lasting("bot_temper", self.seat, self._tempers)
        return self._temper

    def company(self, ticker: str) -> CompanyView:
        """A company by its ticker."""
        return next(company for company in self.companies if company.ticker == ticker)

    def owned(self) -> list[CompanyView]:
        """Companies that are not closed, of which the seat holds shares."""
        return [company for company in self.prospects.living if self.seat in company.holdings]

    def shares(self, company: CompanyView) -> int:
        """The seat's own shares."""
        return company.holdings.get(self.seat, 0)

    @property
    def orders(self) -> list[OrderView]:
        """The seat's own orders, including ended ones."""
        if self._orders is None:
            self._orders = [order for order in self.view.orders if order.seat == self.seat]
        return self._orders

    def orders_now(self) -> list[OrderView]:
        """The seat's orders of this stock round."""
        return [order for order in self.orders if order.turn == self.view.turn]

    def shorts(self) -> list[OrderView]:
        """The seat's open shorts."""
        return [order for order in self.orders if order.kind == "short" and order.status == "open"]

    def shorted(self, company: CompanyView) -> int:
        """Shares of a company that the seat owes."""
        return self.me.margin and sum(short.quantity or 0 for short in self.shorts() if short.company == company.ticker)
