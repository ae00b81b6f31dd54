"""Money and shares: every dollar leaves one account and enters another, every share has one place."""

from __future__ import annotations

import msgspec

BANK = "bank"
OUTSIDE = "outside"  # the rules' sources and sinks: starting cash, treasuries, running costs, grants …
MAY_BE_NEGATIVE = frozenset({BANK, OUTSIDE})

MOST_SEATS = 24
HAND_PREFIX = "seat:"
# Precomputed: looked up about a hundred thousand times per game.
_CASH = tuple(f"cash:{seat}" for seat in range(MOST_SEATS))
_HANDS = tuple(f"{HAND_PREFIX}{seat}" for seat in range(MOST_SEATS))


def cash_of(seat: int) -> str:
    """The account of a seat's cash."""
    return _CASH[seat]


def treasury_of(company: str) -> str:
    """The account of a company's treasury."""
    return f"treasury:{company}"


def hand_of(seat: int) -> str:
    """The place of a seat's own shares."""
    return _HANDS[seat]


def hands_of(seats: int) -> tuple[str, ...]:
    """The places of the shares that the first `seats` seats hold."""
    return _HANDS[:seats]


class LedgerError(Exception):
    """Money or shares would be created, lost or overdrawn: always a bug, never a player's mistake."""


class Transfer(msgspec.Struct, frozen=True, gc=False):
    """A movement of money in whole dollars, with the reason that the rules give.

    A negative amount is an earlier movement that was undone, so that sums over a game count neither.

    `serial` and `turn` are its phase and turn."""

    payer: str
    payee: str
    amount: int
    why: str
    serial: int = 0
    turn: int = 0

    def taken_back(self) -> Transfer:
        """The reverse movement, which cancels this one in every sum."""
        return msgspec.structs.replace(self, amount=-self.amount)


class Ledger(msgspec.Struct):
    """Balances by account and shares by company and place. Balances of all accounts sum to zero."""

    cash: dict[str, int] = msgspec.field(default_factory=dict)
    shares: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)

    def balance(self, account: str) -> int:
        """Whole dollars in an account."""
        return self.cash.get(account, 0)

    def pay(self, payer: str, payee: str, amount: int) -> None:
        """Move `amount` >= 0 dollars; only the bank and the outside may go below zero."""
        remaining = self.cash.get(payer, 0) - amount
        if amount < 0 or (remaining < 0 and payer not in MAY_BE_NEGATIVE):
            raise LedgerError(f"{payer} cannot pay {amount} to {payee}: {self.cash.get(payer, 0)} there")
        self.cash[payer] = remaining
        self.cash[payee] = self.cash.get(payee, 0) + amount

    def at(self, company: str, place: str) -> int:
        """Shares of a company in one place."""
        return self.shares[company].get(place, 0)

    def held_in(self, place: str) -> dict[str, int]:
        """Shares by company in one place, without zeros."""
        return {company: held for company, places in self.shares.items() if (held := places.get(place))}

    def existing(self, company: str) -> int:
        """All shares of a company, wherever they are."""
        return sum(self.shares[company].values())

    def hand_over(self, company: str, giver: str, taker: str, count: int) -> None:
        """Move `count` >= 0 shares from one place to another."""
        places = self.shares[company]
        remaining = places.get(giver, 0) - count
        if count < 0 or remaining < 0:
            raise LedgerError(f"{giver} cannot give {count} shares of {company}: {places.get(giver, 0)} there")
        places[giver] = remaining
        places[taker] = places.get(taker, 0) + count
        if not places[giver] and giver.startswith(HAND_PREFIX):
            del places[giver]

    def issue(self, company: str, place: str, count: int) -> None:
        """Create `count` new shares."""
        places = self.shares.setdefault(company, {})
        places[place] = places.get(place, 0) + count

    def destroy(self, company: str, place: str, count: int) -> None:
        """Take `count` shares out of the game."""
        if not 0 <= count <= self.at(company, place):
            raise LedgerError(f"{place} holds fewer than {count} shares of {company}")
        self.shares[company][place] = self.at(company, place) - count

    def assert_sound(self) -> None:
        """Raise unless money is conserved and only bank and outside are negative."""
        total = sum(self.cash.values())
        below = {account: held for account, held in self.cash.items() if held < 0 and account not in MAY_BE_NEGATIVE}
        if total or below:
            raise LedgerError(f"the ledger is off by {total}; below zero: {below}")
