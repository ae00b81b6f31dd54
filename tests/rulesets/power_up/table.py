"""A table of Power Up laid by hand: stories begin in a position and are told in the players' words."""

from __future__ import annotations

from typing import Any

import pytest

from game.engine import referee
from game.engine.actions import Refused
from game.engine.chance import ScriptedChance
from game.engine.events import Event
from game.engine.ledger import BANK, OUTSIDE, cash_of, hand_of
from game.engine.offers import Offer
from game.engine.position import AnyPosition, Cursor, Position
from game.rulesets.power_up.forecast import NEUTRAL, Forecast, foresee
from game.rulesets.power_up.numbers import CELLS
from game.rulesets.power_up.options import Options
from game.rulesets.power_up.ruleset import POWER_UP
from game.rulesets.power_up.setup import setup
from game.rulesets.power_up.state import DOE, PowerUpState, table_of
from game.rulesets.power_up.tables import SHARES_PER_COMPANY
from game.rulesets.power_up.view import PowerUpView

NAMES = ("ada", "bob", "cid", "dan")


class Table:
    """Ada acts with three actions; nobody holds a tile and the board is bare unless a story says otherwise."""

    def __init__(self, seats: int = 2, *, doe: bool = False, actions: int = 3) -> None:
        self.state: PowerUpState = setup(Options(doe=doe), seats)
        self.state.order = list(range(seats))
        self.state.start_tiles = [""] * seats
        self.state.turn, self.state.acting = 1, 0
        self.state.rolled = self.state.actions_left = actions
        self.script: dict[str, list[Any]] = {}
        self.told: list[Event] = []
        self._position: AnyPosition | None = None
        self.cash(**dict.fromkeys(NAMES[:seats], 6000))
        self.hands(**dict.fromkeys(NAMES[1:seats], "J9"))

    # What there is to begin with.

    def board(self, **owners: str) -> Table:
        """Tiles by owner: `board(rufus="D4 D5", neutral="F5")`."""
        for owner, tiles in owners.items():
            for tile in tiles.split():
                self._take(tile)
                self.state.board[tile] = owner
            if owner != NEUTRAL:
                self.state.headquarters[owner] = tiles.split()[0]
                self.state.ledger.issue(owner, BANK, SHARES_PER_COMPANY)
        return self

    def block(self, owner: str, size: int, at: int) -> Table:
        """So many tiles of a company, in whole columns from the column numbered `at`."""
        return self.board(**{owner: " ".join(CELLS[10 * at : 10 * at + size])})

    def hands(self, **tiles: str) -> Table:
        for name, held in tiles.items():
            seat = NAMES.index(name)
            self.state.bag += self.state.hands[seat]
            self.state.hands[seat] = []
            for tile in held.split():
                self._take(tile)
                self.state.hands[seat].append(tile)
        return self

    def _take(self, tile: str) -> None:
        if tile in self.state.bag:
            self.state.bag.remove(tile)
        else:  # the tile that nobody asked about moves over
            owner = next(hand for hand in self.state.hands if tile in hand)
            owner[owner.index(tile)] = self.state.bag.pop()

    def empty_bag(self) -> Table:
        self.state.bag = []
        return self

    def cash(self, **amounts: int) -> Table:
        for name, amount in amounts.items():
            account = cash_of(NAMES.index(name))
            held = self.state.ledger.balance(account)
            self.state.ledger.pay(account, OUTSIDE, held)
            self.state.ledger.pay(OUTSIDE, account, amount)
        return self

    def shares(self, company: str, **held: int) -> Table:
        for name, count in held.items():
            place = DOE if name == "doe" else hand_of(NAMES.index(name))
            self.state.ledger.hand_over(company, BANK, place, count)
        return self

    def after(self, *, played: bool = True, lock: bool = False) -> Table:
        """A tile was played in this turn already; `lock`: it joined a company."""
        self.state.tile_played, self.state.tile_lock = played, lock
        return self

    def draws(self, label: str, *values: Any) -> Table:
        self.script.setdefault(label, []).extend(values)
        return self

    # What happens.

    @property
    def position(self) -> AnyPosition:
        if self._position is None:
            self._position = Position(self.state, Cursor(row=0, serial=1, turn=1, trail=(0,)))
        return self._position

    @property
    def now(self) -> PowerUpState:
        state: PowerUpState = self.position.state
        return state

    def chance(self) -> ScriptedChance:
        return ScriptedChance("story", self.script)

    def asks(self, name: str, kind: str, **fields: Any) -> Table:
        action = POWER_UP.parse({"kind": kind, **fields}, NAMES.index(name))
        return self._absorb(referee.apply(POWER_UP, self.position, action, self.chance()))

    def plays(self, tile: str, *, by: str = "ada", **named: str) -> Table:
        return self.asks(by, "play_tile", tile=tile, **named)

    def buys(self, company: str, times: int = 1, *, by: str = "ada") -> Table:
        for _ in range(times):
            self.asks(by, "buy", company=company)
        return self

    def clock_runs_out(self) -> Table:
        return self._absorb(referee.close(POWER_UP, self.position, self.chance()))

    def _absorb(self, outcome: referee.Outcome[Any]) -> Table:
        self._position = outcome.position
        self.told += outcome.events
        return self

    def refuses(self, words: str, kind: str, *, by: str = "ada", **fields: Any) -> Table:
        """The rules say no in these words, and nothing changes."""
        before = POWER_UP.codec.encode(self.now)
        with pytest.raises(Refused, match=words):
            self.asks(by, kind, **fields)
        assert POWER_UP.codec.encode(self.now) == before
        return self

    # What is there now.

    def size(self, company: str) -> int:
        return self.now.sizes().get(company, 0)

    def money(self, name: str) -> int:
        return self.now.ledger.balance(DOE) if name == "doe" else self.now.cash(NAMES.index(name))

    def held(self, name: str, company: str) -> int:
        return self.now.ledger.at(company, DOE if name == "doe" else hand_of(NAMES.index(name)))

    def ahead(self, tile: str) -> Forecast:
        return foresee(table_of(self.now), tile)

    def events(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.told if isinstance(event, kind)]

    def view(self, name: str | None) -> PowerUpView:
        seen: PowerUpView = POWER_UP.view(self.position, None if name is None else NAMES.index(name))
        return seen

    def offers(self, kind: str, by: str = "ada") -> list[Offer]:
        return [offer for offer in referee.offers(POWER_UP, self.position, NAMES.index(by)) if offer.kind == kind]
