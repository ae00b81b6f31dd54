"""The accounts and places that only this game has: margins, the lowest balance of the bank, and the places of
shares."""

from __future__ import annotations

from game.engine import ledger
from game.engine.ledger import BANK, MOST_SEATS

IPO = "ipo"
MARKET = "market"
ASIDE = "aside"  # shares set aside under open shorts
PLACES = (IPO, MARKET, ASIDE)

_MARGINS = tuple(f"margin:{seat}" for seat in range(MOST_SEATS))


def margin_of(seat: int) -> str:
    """The account in which a seat's short margins are locked."""
    return _MARGINS[seat]


class SectorsLedger(ledger.Ledger):
    """A ledger that remembers the bank's lowest balance: the bank breaks at the first payment below zero. (A20)"""

    bank_low: int | None = None  # the least the bank has held after paying

    def pay(self, payer: str, payee: str, amount: int) -> None:
        ledger.Ledger.pay(self, payer, payee, amount)
        if payer == BANK:
            balance = self.cash[BANK]
            self.bank_low = balance if self.bank_low is None else min(self.bank_low, balance)
