"""One event in its phase, as one seat sees it: what happened earlier, and what the reader holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any

from game.boards.outcomes import Outcome, Part, Story
from game.engine.events import Event
from game.engine.phrases import capitalised, listed
from game.rulesets.sectors.view.shapes import CompanyView, SectorsView


@dataclass(frozen=True)
class Scene:
    """An event of a part from one seat's point of view; `at` is its index among the part's events."""

    story: Story
    part: Part
    at: int

    @property
    def me(self) -> int:
        """The reader's seat."""
        return self.story.seat

    @property
    def view(self) -> SectorsView:
        """The position as it stands now."""
        view: SectorsView = self.story.view
        return view

    def who(self, *seats: int) -> str:
        """Names in the middle of a sentence, the reader's own as `you`."""
        return listed(self.story.listed(seats))

    def opening(self, *seats: int) -> str:
        """Names at the beginning of a sentence: `You` for the reader; players' names keep their spelling."""
        who = self.who(*seats)
        return capitalised(who) if seats[:1] == (self.me,) else who

    def before(self) -> Iterator[Event]:
        """The earlier events of the same phase, newest first."""
        return reversed(self.part.events[: self.at])

    def company(self, ticker: str) -> CompanyView | None:
        """A company as it stands now."""
        return next((company for company in self.view.companies if company.ticker == ticker), None)

    def held(self, ticker: str) -> int:
        """The reader's own shares of a company."""
        return int(self.view.player(self.me).holdings.get(ticker, 0))

    def concerns(self, ticker: str) -> bool:
        """True if the reader has shares, a short, an option or a waiting order of the company."""
        return bool(self.held(ticker)) or ticker in stakes(self.view, self.me)

    def outcome(self, kind: str, label: str, text: str, **more: Any) -> Outcome:
        return Outcome(kind=kind, label=label, text=text, serial=self.part.serial, **more)

    def own(self, kind: str, label: str, text: str, **more: Any) -> Outcome:
        """The outcome of the reader's own input."""
        return self.outcome(kind, label, text, is_own=True, **more)


Teller = Callable[[Any, Scene], Outcome | None]
Tellers = dict[type[Event], Teller]


def mine(teller: Teller) -> Teller:
    """A describer that runs only for the event's own seat."""

    @wraps(teller)
    def own_only(event: Any, scene: Scene) -> Outcome | None:
        return teller(event, scene) if event.seat == scene.me else None

    return own_only


def stakes(view: SectorsView, seat: int) -> Mapping[str, str]:
    """A seat's stakes in companies besides shares: `short`, `option` or `limit` by ticker."""
    orders = {order.company: order.kind or "" for order in view.orders if order.seat == seat and order.status == "open"}
    bought = {contract.company: "option" for contract in view.contracts if contract.owner == seat}
    return bought | {ticker: kind for ticker, kind in orders.items() if kind in {"short", "limit"}}
