"""What is true in a game of Toy, hidden things included."""

from __future__ import annotations

import msgspec

from game.engine.ledger import cash_of
from game.engine.position import State

CARDS = tuple(range(1, 21))
COLUMNS, ROWS = "ABC", "123"
CELLS = tuple(column + row for row in ROWS for column in COLUMNS)
CENTRE = "B2"
WON = 35  # points
LOW = 5  # cards up to here may be exchanged


class Options(msgspec.Struct, frozen=True):
    """What the host chooses."""

    rounds: int = 2
    edition: int = 1

    @property
    def bid_step(self) -> int:
        """Bids of the long edition are even."""
        return 2 if self.edition == 2 else 1


class ToyState(State):
    """`hands` and `deck` are hidden; `board` says who placed which card where; `order` is the order of turns of this
    round."""

    options: Options = msgspec.field(default_factory=Options)
    hands: list[list[int]] = []
    deck: list[int] = []
    board: dict[str, tuple[int, int]] = {}
    points: list[int] = []
    order: list[int] = []
    turns_taken: int = 0
    actions_left: int = 0
    has_ended: bool = False
    gone: tuple[int, ...] = ()

    @property
    def out(self) -> tuple[int, ...]:
        """Those who had no coins at the end of a round of the long edition, and those voted out. (T 11, 12)"""
        return self.gone

    @property
    def acting(self) -> int | None:
        """The seat that acts; None between the turns of two rounds."""
        return self.order[self.turns_taken] if self.turns_taken < len(self.order) else None

    def low_cards(self, seat: int) -> list[int]:
        """The cards of a hand that may be exchanged, lowest first."""
        return sorted(card for card in self.hands[seat] if card <= LOW)

    @property
    def is_won(self) -> bool:
        """True if the long edition is over at once. (T 10)"""
        return self.options.edition == 2 and max(self.points) >= WON

    @property
    def free_cells(self) -> tuple[str, ...]:
        """Cells without a card."""
        return tuple(cell for cell in CELLS if cell not in self.board)

    def coins(self, seat: int) -> int:
        """A seat's coins."""
        return self.ledger.balance(cash_of(seat))

    def score(self, seat: int) -> int:
        """Coins and points. (T 7)"""
        return self.coins(seat) + self.points[seat]
