"""Actions before and after the main one of a turn: trades, assets, bonuses, and the end of the turn. (BS 6.2, BS 7)"""

from __future__ import annotations

from typing import ClassVar

from game.engine.actions import Action, Refused
from game.engine.language import mark, say
from game.engine.ledger import BANK, treasury_of
from game.engine.play import Play
from game.rulesets.big_shoulders.appeal import note_taken, pay_instead, raise_appeal, settle_bonuses
from game.rulesets.big_shoulders.company_events import AssetUsed, CubesTraded
from game.rulesets.big_shoulders.effects import ASSETS, PRICE_PROTECTION
from game.rulesets.big_shoulders.placing import check_director, check_free, take_cubes
from game.rulesets.big_shoulders.staff import Move, automate, hire_salesperson, place_workers
from game.rulesets.big_shoulders.state import HAYMARKET, SUPPLY, ShouldersState
from game.rulesets.big_shoulders.supply import give_to_haymarket, take_from_haymarket
from game.rulesets.big_shoulders.tables import (
    APPEAL_BONUSES,
    COMPANIES,
    CUBE_TITLES,
    MOST_APPEAL,
    VALUES,
    Company,
    Cube,
    Factory,
)
from game.rulesets.big_shoulders.targets import check_cash, check_move, fixed_cubes
from game.rulesets.big_shoulders.turn_ends import end_if_asked, end_turn
from game.rulesets.big_shoulders.values import move_value

TRADED = 2  # cubes given for one (BS 6.5)


class FreeAct(Action, frozen=True, kw_only=True):
    """An action that costs no partner."""

    is_public: ClassVar[bool] = True


class Trade(FreeAct, frozen=True, kw_only=True, tag="trade"):
    """Give two cubes of a kind to Haymarket and take another one from there. (BS 6.5, B-42)"""

    company: Company
    give: Cube
    take: Cube
    title: ClassVar[str] = mark("Trade in Haymarket")

    def check(self, state: ShouldersState) -> None:
        check_free(state)
        check_company(state, self.actor, self.company)
        if self.give == self.take:
            raise Refused("Take a different kind from the one you give.", "B-42", code="same_kind", field="take")
        if state.cubes(self.give, self.company) < TRADED:
            raise Refused(
                "{company} has {there} of {cube}; a trade takes two.",
                "BS 6.5",
                company=COMPANIES[self.company].title,
                there=state.cubes(self.give, self.company),
                cube=say(CUBE_TITLES[self.give]),
                code="not_enough_cubes",
                field="give",
            )
        if not state.cubes(self.take, HAYMARKET):
            raise Refused(
                "Haymarket has no {cube}.",
                "BS 6.5",
                cube=say(CUBE_TITLES[self.take]),
                code="not_in_haymarket",
                field="take",
            )

    def carry_out(self, play: Play[ShouldersState]) -> None:
        give_to_haymarket(play, self.company, {self.give: TRADED})
        take_from_haymarket(play, self.company, {self.take: 1})
        play.emit(CubesTraded(company=self.company, given=self.give, taken=self.take))


class UseAsset(FreeAct, frozen=True, kw_only=True, tag="use_asset"):
    """Use the capital asset of a company, once a decade. (BS 1.11, B-25)"""

    company: Company
    title: ClassVar[str] = mark("Use the asset")

    def check(self, state: ShouldersState) -> None:
        check_free(state)
        check_company(state, self.actor, self.company)
        own, title = state.companies[self.company], COMPANIES[self.company].title
        if own.asset is None or own.asset == PRICE_PROTECTION:
            raise Refused(
                "{company} has no asset that can be used.", "BS 1.11", company=title, code="no_asset", field="company"
            )
        if own.is_exhausted:
            raise Refused(
                "The asset of {company} was used in this decade.",
                "BS 1.11",
                company=title,
                code="asset_is_exhausted",
                field="company",
            )
        _check_moment(state, self.company)
        row = ASSETS[own.asset]
        if row.use.fixed and not fixed_cubes(state, row.use):
            raise Refused("Haymarket has none of its cubes.", "B-44", code="no_effect", field="company")
        if row.use.appeal and own.appeal == MOST_APPEAL:
            raise Refused("The appeal of {company} is already at its maximum of {most}.", "B-89",
                          company=title, most=MOST_APPEAL,
                          code="no_effect", field="company")  # fmt: skip
        if row.steps and own.price == VALUES[-1]:
            raise Refused("The value of {company} is already at its maximum of {most}.", "B-89",
                          company=title, most=VALUES[-1],
                          code="no_effect", field="company")  # fmt: skip
        check_cash(state, self.company, row.cost, "B-44", "company")

    def carry_out(self, play: Play[ShouldersState]) -> None:
        state, own = play.state, play.state.companies[self.company]
        assert own.asset is not None
        row = ASSETS[own.asset]
        own.is_exhausted = True
        play.emit(AssetUsed(company=self.company, asset=own.asset))
        play.pay(treasury_of(self.company), BANK, row.cost, why="asset use")
        take_cubes(play, self.company, fixed_cubes(state, row.use))
        if row.revenue:
            assert state.operation is not None
            state.operation.revenue += row.revenue
        if row.steps:
            move_value(play, self.company, row.steps)
        raise_appeal(play, self.company, row.use.appeal)


def check_company(state: ShouldersState, seat: int, company: Company) -> None:
    """Raises `Refused` unless the company is the seat's own, and in an operation the one that operates. (B-26)"""
    check_director(state, seat, company)
    if state.operation is not None and state.operation.company != company:
        raise Refused(
            "{company} does not operate now.",
            "B-26",
            company=COMPANIES[company].title,
            code="does_not_operate",
            field="company",
        )


def _check_moment(state: ShouldersState, company: Company) -> None:
    """Raises `Refused` for revenue and stock steps at another time than theirs. (B-25)"""
    asset, operation = state.companies[company].asset, state.operation
    assert asset is not None
    row = ASSETS[asset]
    is_before_pay = operation is not None and not operation.is_paid
    if row.revenue and not is_before_pay:
        raise Refused(
            "{asset} counts in the operation of its company, before its revenue is paid or withheld.",
            "B-25",
            asset=row.title,
            code="not_the_moment",
            field="company",
        )
    if row.steps and not (is_before_pay and operation is not None and operation.has_stopped):
        raise Refused(
            "{asset} counts after production and before the revenue is paid or withheld.",
            "B-25",
            asset=row.title,
            code="not_the_moment",
            field="company",
        )


class Bonus(FreeAct, frozen=True, kw_only=True, tag="bonus"):
    """Take the open bonus of the appeal track, or decline it for $25. (BS 1.5, B-82)"""

    take: bool
    factory: Factory | None = None
    move: Move | None = None
    title: ClassVar[str] = mark("Answer a bonus")

    def check(self, state: ShouldersState) -> None:
        if not state.owed:
            raise Refused("No bonus is open.", "BS 1.5", code="no_bonus")
        owed = state.owed[0]
        bonus = APPEAL_BONUSES[owed.space] if self.take else ""
        free = state.free_spaces(owed.company)
        if bonus != "worker" and self.factory is not None:
            raise _needless("factory")
        if bonus == "worker" and (self.factory is None or self.factory > len(free) or not free[self.factory - 1]):
            raise Refused("Name a factory with a free staff space.", "BS 1.5", code="no_free_space", field="factory")
        if bonus != "automation" and self.move is not None:
            raise _needless("move")
        if bonus == "automation":
            check_move(state.workers_in(owed.company), free, self.move, "move", is_granted=True)

    def carry_out(self, play: Play[ShouldersState]) -> None:
        state = play.state
        owed = state.owed.pop(0)
        if not self.take:
            pay_instead(play, owed, is_automatic=False)
        else:
            note_taken(play, owed)
            self._grant(play, owed.company, APPEAL_BONUSES[owed.space])
        settle_bonuses(play)
        end_if_asked(play)

    def _grant(self, play: Play[ShouldersState], company: Company, bonus: str) -> None:
        match bonus:
            case "worker":
                place_workers(play, company, {str(self.factory): 1}, SUPPLY)  # type: ignore[dict-item]
            case "salesperson":
                hire_salesperson(play, company)
            case "automation":
                assert self.move is not None
                automate(play, company, self.move)
            case "goods_token":
                play.state.companies[company].tokens += 1
            case "stock_step":
                move_value(play, company, 1)


def _needless(field: str) -> Refused:
    return Refused("This answer needs no target.", "B-103", code="superfluous_target", field=field)


class EndTurn(FreeAct, frozen=True, kw_only=True, tag="end_turn"):
    """End the turn, or the operation of a company. (B-24)"""

    title: ClassVar[str] = mark("End the turn")

    def check(self, state: ShouldersState) -> None:
        check_free(state)
        if state.operation is None and not state.has_placed:
            raise Refused("Place a partner first.", "BS 6.2", code="not_placed")
        if state.operation is not None and not state.operation.is_paid:
            raise Refused("Pay or withhold the revenue first.", "BS 7.5", code="not_paid")

    def carry_out(self, play: Play[ShouldersState]) -> None:
        end_turn(play)
