"""Selling goods, and paying or withholding the revenue. (BS 7.4, BS 7.5)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from game.engine.actions import Refused
from game.engine.language import mark
from game.engine.ledger import BANK, treasury_of
from game.engine.play import Play
from game.rulesets.big_shoulders.company_events import (
    GoodsSold,
    SlotCompleted,
    Withheld,
)
from game.rulesets.big_shoulders.operating import OperatingAction, operation_of
from game.rulesets.big_shoulders.state import Operation, ShouldersState
from game.rulesets.big_shoulders.tables import (
    COMPANIES,
    SLOT_BONUSES,
    SLOTS,
    Company,
)
from game.rulesets.big_shoulders.targets import Number
from game.rulesets.big_shoulders.turn_ends import end_if_asked
from game.rulesets.big_shoulders.values import keep_value, move_value, pay_dividend

SlotKey = Literal["50", "20", "0", "bank"]


def check_may_settle(operation: Operation) -> None:
    """Raise `Refused` until production has stopped, and after the revenue was paid or withheld. (B-91)"""
    if not operation.has_stopped:
        raise Refused("Stop production first.", "B-91", code="not_stopped")
    if operation.is_paid:
        raise Refused("The revenue has been paid or withheld.", "BS 7.5", code="is_paid")


class SellGoods(OperatingAction, frozen=True, kw_only=True, tag="sell_goods"):
    """Sell goods to demand tiles of the company's row and to the bank at half price, once. (BS 7.4, B-54)"""

    goods: dict[SlotKey, Number]
    title: ClassVar[str] = mark("Sell goods")

    def check(self, state: ShouldersState) -> None:
        operation = operation_of(state)
        check_may_settle(operation)
        if operation.has_sold:
            raise Refused("The company has already sold goods in this operation.", "B-54", code="has_sold")
        company = operation.company
        total, there = sum(self.goods.values()), state.companies[company].goods
        if not 1 <= total <= there:
            raise Refused(
                "Goods that {company} has: {there}; goods you chose: {total}.",
                "BS 7.4",
                company=COMPANIES[company].title,
                there=there,
                total=total,
                code="wrong_number_of_goods",
                field="goods",
            )
        for column, slot in enumerate(SLOTS):
            room = state.room(COMPANIES[company].trade, column)
            if self.goods.get(slot, 0) > room:  # type: ignore[call-overload]
                raise Refused(
                    "Room left in the {slot} slot: {room}.",
                    "BS 7.4",
                    slot=f"${slot}",
                    room=room,
                    code="no_room",
                    field="goods",
                )

    def carry_out(self, play: Play[ShouldersState]) -> None:
        state = play.state
        operation = operation_of(state)
        company = operation.company
        own, trade = state.companies[company], COMPANIES[company].trade
        before = operation.revenue
        operation.has_sold = True
        own.goods -= sum(self.goods.values())
        operation.revenue += revenue_of(state, company, self.goods)
        for column, slot in enumerate(SLOTS):
            _fill_tile(play, company, column, self.goods.get(slot, 0))  # type: ignore[call-overload]
        play.emit(
            GoodsSold(company=company, trade=trade, goods=sum(self.goods.values()), amount=operation.revenue - before)
        )


def revenue_of(state: ShouldersState, company: Company, goods: Mapping[SlotKey, int]) -> int:
    """The revenue if the company sells these goods."""
    own, row = state.companies[company], COMPANIES[company]
    return revenue_from(goods, _rooms(state, company), row.prices[own.salespeople])


def revenue_from(goods: Mapping[SlotKey, int], rooms: Sequence[int], price: int) -> int:
    """The revenue of goods by slot: each brings `price`, or half of it from the bank; a slot that they fill, by
    `rooms`, adds its bonus."""
    revenue = goods.get("bank", 0) * price // 2
    for slot, room in zip(SLOTS, rooms, strict=True):
        number = goods.get(slot, 0)  # type: ignore[call-overload]
        revenue += number * price
        if number and number == room:
            revenue += SLOT_BONUSES[slot]
    return revenue


def _rooms(state: ShouldersState, company: Company) -> list[int]:
    return [state.room(COMPANIES[company].trade, column) for column in range(len(SLOTS))]


def _fill_tile(play: Play[ShouldersState], company: Company, column: int, goods: int) -> None:
    state, trade = play.state, COMPANIES[company].trade
    tile = state.demand[trade][column]
    if tile is not None:
        tile.goods += goods
    else:
        state.printed[trade] += goods
    if goods and not state.room(trade, column):
        play.emit(SlotCompleted(company=company, trade=trade, slot=SLOTS[column]))


class Pay(OperatingAction, frozen=True, kw_only=True, tag="pay"):
    """Pay the revenue as a dividend. (BS 7.5)"""

    end: bool = False
    title: ClassVar[str] = mark("Pay a dividend")

    def check(self, state: ShouldersState) -> None:
        operation = operation_of(state)
        check_may_settle(operation)
        if must_withhold(operation):
            raise Refused(
                "The revenue must be withheld unless a factory ran and goods were sold.",
                "BS 7.5",
                code="must_withhold",
            )

    def carry_out(self, play: Play[ShouldersState]) -> None:
        operation = operation_of(play.state)
        operation.is_paid = True
        pay_dividend(play, operation.company, operation.revenue // 10 * 10)
        play.state.is_ending = self.end
        end_if_asked(play)


def must_withhold(operation: Operation) -> bool:
    """True if no factory ran or nothing was sold. (BS 7.5, B-53)"""
    return not operation.runs or not operation.has_sold


class Withhold(OperatingAction, frozen=True, kw_only=True, tag="withhold"):
    """The company keeps the revenue, and its value falls. (BS 7.5)"""

    end: bool = False
    title: ClassVar[str] = mark("Withhold the revenue")

    def check(self, state: ShouldersState) -> None:
        check_may_settle(operation_of(state))

    def carry_out(self, play: Play[ShouldersState]) -> None:
        state = play.state
        operation = operation_of(state)
        operation.is_paid = True
        play.pay(BANK, treasury_of(operation.company), operation.revenue, why="revenue")
        play.emit(Withheld(company=operation.company, amount=operation.revenue, is_forced=must_withhold(operation)))
        if state.protects(operation.company):
            keep_value(play, operation.company)
        else:
            move_value(play, operation.company, -1)
        state.is_ending = self.end
        end_if_asked(play)


def best_sale(state: ShouldersState, company: Company) -> dict[SlotKey, int]:
    """The most profitable way for a company to sell all its goods."""
    own, row = state.companies[company], COMPANIES[company]
    return best_split(own.goods, _rooms(state, company), row.prices[own.salespeople])


def best_split(goods: int, rooms: Sequence[int], price: int) -> dict[SlotKey, int]:
    """The split of `goods` goods with the highest revenue; of equal ones, the one with most in the dearer slots.
    (B-78)"""
    best: dict[SlotKey, int] = {}
    for first in range(min(goods, rooms[0]), -1, -1):
        for second in range(min(goods - first, rooms[1]), -1, -1):
            third = min(goods - first - second, rooms[2])
            sale: dict[SlotKey, int] = {"50": first, "20": second, "0": third, "bank": goods - first - second - third}
            if not best or revenue_from(sale, rooms, price) > revenue_from(best, rooms, price):
                best = sale
    return {slot: number for slot, number in best.items() if number}
