"""A table of players for rules tests: any position by hand, moves in the players' words, and what came of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest

from game.engine import referee
from game.engine.actions import Refused
from game.engine.chance import ScriptedChance
from game.engine.flow import FlowRow
from game.engine.ledger import BANK
from game.engine.position import Position
from game.rulesets.sectors import numbers
from game.rulesets.sectors.options import Options
from game.rulesets.sectors.positions import standing
from game.rulesets.sectors.ruleset import SECTORS
from game.rulesets.sectors.state import Company, Sector, SectorsState
from game.rulesets.sectors.view import SectorsView
from tests.rulesets.sectors.player import Player

PLAYERS = ("ada", "bob", "cid", "dan", "eve", "fay", "gus", "hal")


class Table:
    """Describe a position, then play on it. The position is built at the first move or question."""

    def __init__(self) -> None:
        self.words: dict[str, Any] = {
            "players": {"ada": {}, "bob": {}, "cid": {}},
            "companies": {},
            "sectors": {},
            "options": {},
        }
        self.script: dict[str, list[Any]] = {}
        self.told: list[Any] = []
        self.transfers: list[Any] = []
        self._position: Position[SectorsState, Any] | None = None
        self._entering: FlowRow | None = None
        self._balances: dict[str, int] = {}
        self._consumers: int | None = None

    # --- describing

    def at(self, phase: str, **words: Any) -> Table:
        """Stand at a phase; further words as `descriptions.Description` has them."""
        return self.with_(phase=phase, **words)

    def with_(self, **words: Any) -> Table:
        assert self._position is None, "the position is built already"
        self.words.update(words)
        return self

    def seats(self, *names: str, **words: Any) -> Table:
        """Who sits here, in seat order; `words` are everybody's (cash=…)."""
        part = self.words["players"]
        return self.with_(players={name: {**part.get(name, {}), **words} for name in names})

    def seat_count(self, count: int, **words: Any) -> Table:
        return self.seats(*PLAYERS[:count], **words)

    def player(self, name: str, **words: Any) -> Table:
        self.words["players"][name] = {**self.words["players"].get(name, {}), **words}
        return self

    def priority(self, *names: str) -> Table:
        return self.with_(priority=list(names))

    def company(self, ticker: str, **words: Any) -> Table:
        self.words["companies"][ticker] = {**self.words["companies"].get(ticker, {}), **words}
        return self

    def sector(self, key: str, **words: Any) -> Table:
        self.words["sectors"][key] = {**self.words["sectors"].get(key, {}), **words}
        return self

    def options(self, **words: Any) -> Table:
        self.words["options"].update(words)
        return self

    def ipo_holds(self, **shares: int) -> Table:
        for ticker, count in shares.items():
            self.company(ticker, ipo=count)
        return self

    def market_holds(self, **shares: int) -> Table:
        for ticker, count in shares.items():
            self.company(ticker, market=count)
        return self

    def holdings(self, ticker: str, **shares: int) -> Table:
        """Shares of one company by player."""
        for name, count in shares.items():
            held = self.words["players"][name].get("shares", {})
            self.player(name, shares={**held, ticker: count})
        return self

    def cash_is(self, **cash: int) -> Table:
        for name, amount in cash.items():
            self.player(name, cash=amount)
        return self

    def order(self, player: str, kind: str, company: str, **words: Any) -> Table:
        """An order of an earlier phase."""
        return self._add("orders", {"player": player, "kind": kind, "company": company, **words})

    def limit(self, player: str, side: str, company: str, quantity: int, value: int, **words: Any) -> Table:
        return self.order(player, "limit", company, side=side, quantity=quantity, price=value, **words)

    def short(self, player: str, company: str, quantity: int, price: int, **words: Any) -> Table:
        return self.order(player, "short", company, side="sell", quantity=quantity, price=price, **words)

    def contract(self, company: str, **words: Any) -> Table:
        return self._add("contracts", {"company": company, **words})

    def tranche(self, sector: str, **words: Any) -> Table:
        return self._add("tranches", {"sector": sector, **words})

    def headlines(self, *headlines: tuple[str, int] | None) -> Table:
        return self.with_(headlines=list(headlines))

    def draws(self, **script: list[Any]) -> Table:
        """Write the answers of named draws down, in the order in which they are drawn."""
        for label, answers in script.items():
            self.script.setdefault(label, []).extend(answers)
        return self

    def _add(self, word: str, item: dict[str, Any]) -> Table:
        return self.with_(**{word: [*self.words.get(word, []), item]})

    # --- playing

    @property
    def position(self) -> Position[SectorsState, Any]:
        if self._position is None:
            self._position, self._entering = standing(self.words)
            self._balances = dict(self._position.state.ledger.cash)
            self._consumers = _consumers(self._position.state)
        return self._position

    @property
    def chance(self) -> ScriptedChance:
        return ScriptedChance("a table of tests", self.script)

    def starts(self, seats: int = 3, **options: Any) -> Table:
        """A game from its very beginning, dealt by chance or script."""
        self.words["players"] = {name: {} for name in PLAYERS[:seats]}
        self._take(referee.start(SECTORS, msgspec.convert(options, Options), seats, self.chance))
        return self

    def asks(self, name: str, kind: str, **fields: Any) -> None:
        """A request as a client sends it."""
        raw = {"kind": kind, **{field: value for field, value in fields.items() if value is not None}}
        self._take(referee.apply(SECTORS, self.position, SECTORS.parse(raw, self.seat(name)), self.chance))

    def clock_runs_out(self) -> Table:
        """The phase in front of the game begins, or the open one closes; the game runs on to the next decision."""
        position, row, self._entering = self.position, self._entering, None
        if row is None:
            self._take(referee.close(SECTORS, position, self.chance))
        else:
            self._take(referee.enter(SECTORS, position, row, self.chance))
        return self

    play_on = clock_runs_out

    def everybody_is_ready(self) -> Table:
        serial = self.position.cursor.serial
        for seat in sorted(referee.waiting_on(SECTORS, self.position)):
            if self.position.cursor.serial == serial:
                self.asks(self.names[seat], "ready")
        return self

    def play_to(self, phase: str) -> Table:
        """Let clocks run out until a phase is open."""
        for _ in range(60):
            if self.phase == phase or self.position.is_over:
                break
            self.clock_runs_out()
        assert self.phase == phase, f"the game stands at {self.phase}, it never came to {phase}"
        return self

    def _take(self, outcome: referee.Outcome[Any]) -> None:
        self._position = outcome.position
        self.told += outcome.events
        self.transfers += outcome.transfers
        outcome.position.state.ledger.assert_sound()

    @contextmanager
    def refuses(self, rule: str, *words: str) -> Iterator[None]:
        """The request inside is refused, citing the rule and saying the words; nothing changes."""
        before = self.position
        with pytest.raises(Refused) as refused:
            yield
        assert refused.value.rule == rule, str(refused.value)
        for word in words:
            assert word in refused.value.text
        assert self.position is before

    # --- asking

    def __getattr__(self, name: str) -> Player:
        if name.startswith("_") or name not in self.words["players"]:
            raise AttributeError(name)
        return Player(self, name)

    @property
    def names(self) -> list[str]:
        return list(self.words["players"])

    def seat(self, name: str) -> int:
        return self.names.index(name)

    @property
    def state(self) -> SectorsState:
        return self.position.state

    @property
    def phase(self) -> str:
        """The name of the open phase; "" when the game is over."""
        phase = referee.phase_of(SECTORS, self.position)
        return phase.name if phase else ""

    @property
    def phases(self) -> list[str]:
        """The phases entered since the start of the story."""
        return [event.phase for event in self.events("phase_opened")]

    def of(self, ticker: str) -> Company:
        return self.state.companies[ticker]

    def sector_of(self, key: str) -> Sector:
        return self.state.sectors[key]

    def sector_order(self) -> list[str]:
        return [sector.key for sector in numbers.sectors_in_order(self.state)]

    def price(self, ticker: str) -> int:
        return self.of(ticker).price

    def filled(self, ticker: str) -> int:
        return self.of(ticker).filled

    def status(self, ticker: str) -> str:
        return self.of(ticker).status

    def treasury(self, ticker: str) -> int:
        return self.state.treasury(ticker)

    @property
    def bank(self) -> int:
        return self.state.ledger.balance(BANK)

    def shares(self, ticker: str) -> dict[str, int]:
        """Who holds how many; nobody holding none is named."""
        held = {name: self.state.shares(ticker, seat) for seat, name in enumerate(self.names)}
        return {name: count for name, count in held.items() if count}

    def places(self, ticker: str) -> dict[str, int]:
        """Shares in the IPO, on the open market and set aside."""
        return {place: self.state.ledger.at(ticker, place) for place in ("ipo", "market", "aside")}

    def cash(self) -> dict[str, int]:
        return {name: self.state.cash(seat) for seat, name in enumerate(self.names)}

    def in_priority(self) -> list[str]:
        return [self.names[seat] for seat in self.state.priority]

    def orders(self, kind: str | None = None) -> dict[str, str]:
        """Player → status of the last order, of all kinds or one."""
        return {self.names[o.seat]: o.status for o in self.state.orders.values() if kind in (None, o.kind)}

    def events(self, kind: str) -> list[Any]:
        return [event for event in self.told if event.__struct_config__.tag == kind]

    def rejections(self) -> dict[str, str]:
        """Player → why the last order was rejected."""
        return {self.names[event.seat]: event.reason for event in self.events("order_rejected")}

    def view(self, name: str | None = None) -> SectorsView:
        return SECTORS.view(self.position, None if name is None else self.seat(name))

    def paid(self, why: str) -> int:
        """Dollars moved for one reason since the start of the story."""
        return sum(transfer.amount for transfer in self.transfers if transfer.why == why)

    def money_is_conserved(self) -> bool:
        """Every account holds what it held at the beginning plus what came in less what went out. (S 7.10)"""
        balances = dict(self._balances)
        for transfer in self.transfers:
            balances[transfer.payer] = balances.get(transfer.payer, 0) - transfer.amount
            balances[transfer.payee] = balances.get(transfer.payee, 0) + transfer.amount
        now = self.state.ledger.cash
        return all(balances.get(account, 0) == now.get(account, 0) for account in {*balances, *now})

    def consumers_are_conserved(self) -> bool:
        """Pool and sectors together hold as many consumers as at the beginning."""
        return self._consumers in (None, _consumers(self.state))


def _consumers(state: SectorsState) -> int:
    return state.pool + sum(sector.consumers for sector in state.sectors.values())
