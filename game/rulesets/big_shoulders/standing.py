"""The standing order of the stock phase: its purchases, and when the seat passes. (B-79)"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta, structs

from game.engine.actions import Action, ByRules, Refused
from game.engine.language import mark
from game.engine.phrases import thousands
from game.engine.play import Play
from game.rulesets.big_shoulders.state import Place, ShouldersState
from game.rulesets.big_shoulders.stock import Buy, PassTurn, pass_turn
from game.rulesets.big_shoulders.stock_turns import can_buy
from game.rulesets.big_shoulders.tables import COMPANIES, Company, Kind

MOST_WISHES = 8
NOT_NOTED = -1
Otherwise = Literal["ask", "pass", "pass_until_deal", "pass_if_unable"]
OTHERWISE = {
    "ask": mark("Ask me"),
    "pass": mark("Pass"),
    "pass_until_deal": mark("Pass until somebody sells, buys or starts"),
    "pass_if_unable": mark("Pass when I can neither buy nor start"),
}


class StandingOrder(Action, frozen=True, kw_only=True):
    """A standing order, which only its seat ever sees. It is checked when it is played; if it does not fit then, the
    seat is asked."""

    may_stand: ClassVar[bool] = True
    is_conditional: ClassVar[bool] = True


class Wish(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A certificate to buy while a share of its company costs at most `price` dollars."""

    company: Company
    certificate: Kind
    place: Place
    price: Annotated[int, Meta(ge=1, le=999)]

    def purchase(self, seat: int, state: ShouldersState) -> Buy:
        """The purchase, if it is possible within the limit. Raises `Refused`."""
        buy = Buy(actor=seat, company=self.company, certificate=self.certificate, place=self.place)
        buy.check(state)
        if state.price(self.company) > self.price:
            raise Refused(
                "The value of {company} is {price}; your limit is {limit}.",
                "B-79",
                company=COMPANIES[self.company].title,
                price=thousands(state.price(self.company)),
                limit=thousands(self.price),
                code="beyond_limit",
                field="wishes",
            )
        return buy


class StockOrder(StandingOrder, frozen=True, kw_only=True, tag="stock_order"):
    """Buys the first possible wish in each of the seat's turns of this stock phase, each wish once; `otherwise` says
    what happens if none is possible. `deals` counts the sales, purchases and starts of the phase when it was given.
    (B-79)"""

    wishes: Annotated[list[Wish], Meta(max_length=MOST_WISHES)] = []
    otherwise: Otherwise = "ask"
    deals: ByRules[int] = NOT_NOTED
    title: ClassVar[str] = mark("Standing order for the stock phase")
    phases: ClassVar[frozenset[str]] = frozenset({"stock"})

    def serves(self, state: ShouldersState) -> bool:
        return state.acting == self.actor and not state.has_sold

    def check(self, state: ShouldersState) -> None:
        if not self.wishes and self.otherwise == "ask":
            raise Refused(
                "Name a certificate to buy, or say when to pass.", "B-79", code="nothing_ordered", field="wishes"
            )

    def with_facts(self, state: ShouldersState) -> StockOrder:
        return structs.replace(self, deals=state.deals)

    def doubt(self, state: ShouldersState) -> Refused | None:
        """Why there is neither a purchase nor a pass now."""
        try:
            if self._bought(state) is None:
                self._check_pass(state)
        except Refused as refused:
            return refused
        return None

    def _bought(self, state: ShouldersState) -> Wish | None:
        """The wish that is bought now. Raises `Refused` with the reason against the first if the seat is to be
        asked."""
        reasons: list[Refused] = []
        for wish in self.wishes:
            try:
                wish.purchase(self.actor, state)
            except Refused as refused:
                reasons.append(refused)
            else:
                return wish
        if reasons and self.otherwise == "ask":
            raise reasons[0]
        return None

    def _check_pass(self, state: ShouldersState) -> None:
        """Check that a pass was ordered for the present case. Raises `Refused`."""
        PassTurn(actor=self.actor).check(state)
        if self.otherwise == "pass_until_deal" and self.deals not in (NOT_NOTED, state.deals):
            raise Refused("Somebody has sold, bought or started a company.", "B-79", code="somebody_dealt")
        if self.otherwise == "pass_if_unable" and can_buy(state, self.actor):
            raise Refused("You can buy or start a company.", "B-79", code="can_buy")

    def carry_out(self, play: Play[ShouldersState]) -> None:
        wish = self._bought(play.state)
        if wish is not None:
            wish.purchase(self.actor, play.state).carry_out(play)
        else:
            pass_turn(play, self.actor, is_automatic=False)

    def remainder(self, state: ShouldersState) -> StockOrder:
        """The wishes without the one that is bought; one's own purchase is no deal of somebody else."""
        bought = self._bought(state)
        wishes = [wish for wish in self.wishes if wish is not bought]
        return structs.replace(self, wishes=wishes, deals=state.deals + (bought is not None))

    def is_kept(self, state: ShouldersState) -> bool:
        """True until the phase ends or nothing is left to do."""
        return state.passes < state.seats and bool(self.wishes or self.otherwise != "ask")
