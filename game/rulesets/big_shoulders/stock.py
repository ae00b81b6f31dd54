"""The stock phase: sales, purchases, companies started, and the pass. (BS 5)"""

from __future__ import annotations

from typing import ClassVar

from game.engine.actions import Action, Refused
from game.engine.language import mark
from game.engine.ledger import BANK, cash_of, hand_of, treasury_of
from game.engine.play import Play
from game.rulesets.big_shoulders import directors
from game.rulesets.big_shoulders.appeal import enter_track
from game.rulesets.big_shoulders.events import CertificateBought, CertificatesSold, CompanyStarted, TurnPassed
from game.rulesets.big_shoulders.state import (
    UNISSUED,
    CompanyState,
    FactoryState,
    Place,
    ShouldersState,
    certificate,
)
from game.rulesets.big_shoulders.stock_checks import (
    CERTIFICATES,
    Sale,
    check_cash,
    check_duty,
    check_holding,
    check_limit,
    check_place,
    check_rebuy,
    is_over_limit,
    title_of,
)
from game.rulesets.big_shoulders.tables import (
    COMMON,
    COMPANIES,
    COMPANY_KEYS,
    DIRECTOR,
    ISSUED,
    OPENING_VALUES,
    PREFERRED,
    UNITS,
    VALUES,
    Company,
    Kind,
)
from game.rulesets.big_shoulders.values import keep_value, move_value


class StockAction(Action, frozen=True, kw_only=True):
    """An action of the stock phase, which takes effect at once."""

    is_public: ClassVar[bool] = True


class Sell(StockAction, frozen=True, kw_only=True, tag="sell"):
    """Sell own certificates of any companies to the bank pool, once in a turn. (BS 5.2, B-8)"""

    certificates: Sale
    title: ClassVar[str] = mark("Sell")

    def check(self, state: ShouldersState) -> None:
        check_sale(state, self.actor, self.certificates)

    def carry_out(self, play: Play[ShouldersState]) -> None:
        sell(play, self.actor, self.certificates)


class Buy(StockAction, frozen=True, kw_only=True, tag="buy"):
    """Buy one certificate of a treasury or of the pool, which ends the turn; `sale` is sold first. (BS 5.3, B-9)"""

    company: Company
    certificate: Kind
    place: Place
    sale: Sale = {}
    title: ClassVar[str] = mark("Buy")

    def check(self, state: ShouldersState) -> None:
        if self.sale:
            check_sale(state, self.actor, self.sale)
        else:
            self.check_purchase(state)

    def check_purchase(self, state: ShouldersState) -> None:
        """Checked on the position after the sale of this turn. (B-13, B-14)"""
        check_duty(state, self.actor)
        self.check_company(state)
        check_limit(state, self.actor)
        check_cash(state, self.actor, self.cost(state))

    def check_company(self, state: ShouldersState) -> None:
        """Check what no sale of other companies changes."""
        check_place(state, self.company, self.certificate, self.place)
        check_rebuy(state, self.actor, self.company)
        check_holding(state, self.actor, self.company, self.certificate)

    def cost(self, state: ShouldersState) -> int:
        """Dollars."""
        return UNITS[self.certificate] * state.price(self.company)

    def carry_out(self, play: Play[ShouldersState]) -> None:
        state = play.state
        if self.sale:
            sell(play, self.actor, self.sale)
            self.check_purchase(state)
        price = self.cost(state)
        treasury = treasury_of(self.company)
        if self.place == "treasury":
            play.pay(cash_of(self.actor), treasury, price, why="purchase")
        else:
            play.pay(cash_of(self.actor), BANK, price, why="purchase from the pool")
        source = treasury if self.place == "treasury" else BANK
        play.ledger.hand_over(certificate(self.company, self.certificate), source, hand_of(self.actor), 1)
        play.emit(
            CertificateBought(
                seat=self.actor, company=self.company, certificate=self.certificate, place=self.place, price=price
            )
        )
        if state.options.advanced:
            directors.after_purchase(play, self.company, self.actor)
        note_deal(state, self.actor)
        state.acting = None


class Start(StockAction, frozen=True, kw_only=True, tag="start"):
    """Start a company at one of four values by buying its director's certificate. (BS 5.5)"""

    company: Company
    value: int
    sale: Sale = {}
    title: ClassVar[str] = mark("Start a company")

    def check(self, state: ShouldersState) -> None:
        if self.sale:
            check_sale(state, self.actor, self.sale)
        else:
            self.check_start(state)

    def check_start(self, state: ShouldersState) -> None:
        """Checked on the position after the sale of this turn. (B-13, B-14)"""
        check_duty(state, self.actor)
        self.check_company(state)
        check_limit(state, self.actor)
        check_cash(state, self.actor, self.cost(state))

    def cost(self, state: ShouldersState) -> int:
        """Dollars."""
        return UNITS[DIRECTOR] * self.value

    def check_company(self, state: ShouldersState) -> None:
        """Check what no sale changes."""
        if state.turn == 1 and not state.is_setting_up:
            raise Refused("No company is started in the first stock phase.", "BS 5.5", code="first_decade")
        if self.company in state.companies:
            raise Refused(
                "{company} has started.",
                "BS 5.5",
                company=COMPANIES[self.company].title,
                code="has_started",
                field="company",
            )
        if self.value not in OPENING_VALUES:
            raise Refused(
                "A company opens at {values}, not at {value}.",
                "BS 5.5",
                values=", ".join(map(str, OPENING_VALUES)),
                value=self.value,
                code="no_opening_value",
                field="value",
            )

    def carry_out(self, play: Play[ShouldersState]) -> None:
        state = play.state
        if self.sale:
            sell(play, self.actor, self.sale)
            self.check_start(state)
        row, treasury = COMPANIES[self.company], treasury_of(self.company)
        price = self.cost(state)
        play.pay(cash_of(self.actor), treasury, price, why=mark("start"))
        for kind in (DIRECTOR, PREFERRED, COMMON):
            place = hand_of(self.actor) if kind == DIRECTOR else treasury
            play.ledger.hand_over(certificate(self.company, kind), UNISSUED, place, ISSUED[kind])
        state.companies[self.company] = CompanyState(
            director=self.actor,
            value=VALUES.index(self.value),
            appeal=row.appeal,
            factories=[FactoryState() for _ in row.factories],
        )
        enter_track(state, self.company)
        if state.is_setting_up:
            state.first_companies[self.actor] = self.company
        else:
            note_deal(state, self.actor)
        play.emit(CompanyStarted(seat=self.actor, company=self.company, value=self.value, price=price))
        state.acting = None


class PassTurn(StockAction, frozen=True, kw_only=True, tag="pass_turn"):
    """Do nothing in this turn. (BS 5.1, B-9)"""

    title: ClassVar[str] = mark("Pass")

    def check(self, state: ShouldersState) -> None:
        check_duty(state, self.actor)
        if state.has_sold:
            raise Refused("You have sold in this turn, which is no pass.", "B-9", code="has_sold")

    def carry_out(self, play: Play[ShouldersState]) -> None:
        pass_turn(play, self.actor, is_automatic=False)


class Done(StockAction, frozen=True, kw_only=True, tag="done"):
    """End the turn after a sale, without a purchase. (B-9)"""

    title: ClassVar[str] = mark("Done")

    def check(self, state: ShouldersState) -> None:
        if not state.has_sold:
            raise Refused("You have sold nothing in this turn: pass instead.", "B-9", code="has_not_sold")

    def carry_out(self, play: Play[ShouldersState]) -> None:
        play.state.acting = None


def pass_turn(play: Play[ShouldersState], seat: int, *, is_automatic: bool) -> None:
    play.state.passes += 1
    play.state.acting = None
    play.emit(TurnPassed(seat=seat, is_automatic=is_automatic))


def note_deal(state: ShouldersState, seat: int) -> None:
    """Note a sale, a purchase or a start: it interrupts the passes and moves the marker. (B-10)"""
    state.passes = 0
    state.deals += 1
    state.last_dealer = seat


# --- sales


def check_sale(state: ShouldersState, seat: int, sale: Sale) -> None:
    """Raises `Refused` unless the seat may sell these now. (BS 5.2)"""
    if state.has_sold:
        raise Refused("You have sold in this turn; all is sold at once.", "B-8", code="has_sold")
    if not any(sale.values()):
        raise Refused("Choose at least one certificate.", "BS 5.2", code="nothing_to_sell", field="certificates")
    for name, number in sale.items():
        company, kind = CERTIFICATES[name]
        held = state.held(seat, company, kind)
        if number > held:
            raise Refused(
                "You hold {held} of {certificate}, not {number}.",
                "BS 5.2",
                held=held,
                certificate=title_of(company, kind),
                number=number,
                code="not_held",
                field="certificates",
            )
        if number and kind == DIRECTOR:
            directors.check_sale(state, seat, company)
    _check_enough(state, seat, sale)


def _check_enough(state: ShouldersState, seat: int, sale: Sale) -> None:
    """Raises `Refused` if a seat over the limit sells too little: its one sale must reach the limit or leave only
    directors' certificates. (B-75)"""
    after = state.certificates(seat) - sum(sale.values())
    others = sum(
        state.held(seat, *CERTIFICATES[name]) - sale.get(name, 0) for name in CERTIFICATES if name[-1] != DIRECTOR
    )
    if is_over_limit(state, seat) and after > state.limit and others:
        raise Refused(
            "You hold {held} certificates and may hold {limit}: sell at least {missing}.",
            "B-75",
            held=state.certificates(seat),
            limit=state.limit,
            missing=state.certificates(seat) - state.limit,
            code="sells_too_little",
            field="certificates",
        )


def sell(play: Play[ShouldersState], seat: int, sale: Sale) -> None:
    """Sell every share at the value before the sale, company by company; then the values fall, and at last directors
    may change. (BS 5.2, B-74)"""
    state = play.state
    state.has_sold = True
    note_deal(state, seat)
    companies = [key for key in COMPANY_KEYS if any(sale.get(certificate(key, kind), 0) for kind in UNITS)]
    for company in companies:
        counts = {kind: sale.get(certificate(company, kind), 0) for kind in UNITS}
        units = sum(UNITS[kind] * number for kind, number in counts.items())
        amount = units * state.price(company)
        play.pay(BANK, cash_of(seat), amount, why="sale")
        for kind, number in counts.items():
            play.ledger.hand_over(certificate(company, kind), hand_of(seat), BANK, number)
        if company not in state.sold[seat]:
            state.sold[seat].append(company)
        play.emit(CertificatesSold(seat=seat, company=company, shares=units, amount=amount))
        drop_for_sale(play, seat, company, units)
    if state.options.advanced:
        for company in companies:
            directors.after_sale(play, company, seat)


def drop_for_sale(play: Play[ShouldersState], seat: int, company: Company, units: int) -> None:
    """Lower the value a step for each share that the director sold, and for those of others too unless the company or
    an option protects it. (B-16)"""
    state = play.state
    if state.companies[company].director == seat:
        move_value(play, company, -units)
    elif state.protects(company):
        keep_value(play, company)
    else:
        move_value(play, company, -1 if state.options.friendly_sales else -units)
