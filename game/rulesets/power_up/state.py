"""The state of a game of Power Up."""

from __future__ import annotations

from collections import Counter

import msgspec

from game.engine.ledger import BANK, cash_of, hand_of
from game.engine.position import State
from game.rulesets.power_up import numbers
from game.rulesets.power_up.forecast import NEUTRAL, Acquisition, Table
from game.rulesets.power_up.numbers import Holder
from game.rulesets.power_up.options import Options
from game.rulesets.power_up.tables import COMPANIES

DOE = "doe"
"""The Department of Energy in the ledger: the account of its cash, and the place that holds its shares."""


class MergerReport(msgspec.Struct, frozen=True):
    """The last merger: who played which tile in which turn, and the result. `size` and `price` are the survivor's
    afterwards."""

    turn: int
    seat: int
    tile: str
    survivor: str
    size: int
    price: int
    acquisitions: tuple[Acquisition, ...]


class PowerUpState(State):
    """A position of Power Up. `turn` counts the turns of all seats; `order` lists the seats in turn order. `hands` and
    `bag` are hidden. `board` has the owner of every tile played: a company or `NEUTRAL`; a company is active while it
    owns tiles. `headquarters` are the tiles that founded the active companies. `rolled` is the number of actions rolled
    for this turn."""

    options: Options = msgspec.field(default_factory=Options)
    order: list[int] = []
    start_tiles: list[str] = []  # by seat
    hands: list[list[str]] = []
    bag: list[str] = []
    board: dict[str, str] = {}
    headquarters: dict[str, str] = {}
    acting: int | None = None
    rolled: int = 0
    actions_left: int = 0
    tile_played: bool = False
    tile_lock: bool = False
    merger: MergerReport | None = None
    end: str = ""

    def cash(self, seat: int) -> int:
        """Whole dollars that a seat has."""
        return self.ledger.balance(cash_of(seat))

    def sizes(self) -> dict[str, int]:
        """Tiles by active company, in the order of the companies."""
        counted = Counter(self.board.values())
        return {company: counted[company] for company in COMPANIES if company in counted}

    def price(self, company: str) -> int:
        """The price of a share now; the start price of an inactive company."""
        return numbers.price_at(company, self.sizes().get(company, 0))

    def unsold(self, company: str) -> int:
        """Shares of the company that the bank still has for sale; 0 while it is inactive."""
        return self.ledger.at(company, BANK)

    def holdings(self, company: str) -> dict[Holder, int]:
        """The holders of a company's shares: the seats in order, then the Department."""
        places = self.ledger.shares[company]
        held: dict[Holder, int] = {seat: shares for seat in range(self.seats) if (shares := places.get(hand_of(seat)))}
        if granted := places.get(DOE):
            held[None] = granted
        return held


def account_of(holder: Holder) -> str:
    """The account that receives the money for a holder's shares."""
    return DOE if holder is None else cash_of(holder)


def place_of(holder: Holder) -> str:
    """The place of the ledger with a holder's shares."""
    return DOE if holder is None else hand_of(holder)


def table_of(state: PowerUpState) -> Table:
    """The public facts of a position, which decide the effects of a tile."""
    sizes = state.sizes()
    return Table(board=state.board, sizes=sizes, holdings={company: state.holdings(company) for company in sizes})


__all__ = ["DOE", "NEUTRAL", "MergerReport", "PowerUpState", "account_of", "place_of", "table_of"]
