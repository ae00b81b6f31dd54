"""What happens to companies, in their operations, and on the boards of cubes, assets and demand."""

from __future__ import annotations

from typing import ClassVar

from game.engine.events import Names
from game.engine.language import count, mark, say
from game.rulesets.big_shoulders.effects import Asset
from game.rulesets.big_shoulders.tables import (
    COLUMN_PRICES,
    COMPANIES,
    Company,
    Cube,
    Trade,
)
from game.rulesets.big_shoulders.telling import ShouldersEvent


class WorkersPlaced(ShouldersEvent, frozen=True, kw_only=True, tag="workers_placed"):
    """Workers were placed; `market` are those left in the job market."""

    company: Company
    workers: int
    market: int
    topic: ClassVar[str] = "company"

    def sentence(self, names: Names) -> str:
        title = COMPANIES[self.company].title
        return count("{company} took on {n} worker.", "{company} took on {n} workers.", self.workers, company=title)


class ManagerHired(ShouldersEvent, frozen=True, kw_only=True, tag="manager_hired"):
    company: Company
    factory: int
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{company} hired a manager for factory {factory}.")


class SalespersonHired(ShouldersEvent, frozen=True, kw_only=True, tag="salesperson_hired"):
    """A salesperson was hired; `price` is that of a good afterwards."""

    company: Company
    price: int
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{company} hired a salesperson and sells its goods for {price}.")


class Automated(ShouldersEvent, frozen=True, kw_only=True, tag="automated"):
    """A factory was automated; the displaced worker moved to the factory `to`, or left the company if that is 0."""

    company: Company
    factory: int
    to: int
    is_in_market: bool
    topic: ClassVar[str] = "company"

    def sentence(self, names: Names) -> str:
        words = self._words(names)
        if self.to:
            return say("{company} automated factory {factory}; its worker moved to factory {to}.", **words)
        if self.is_in_market:
            return say("{company} automated factory {factory}; its worker went to the job market.", **words)
        return say("{company} automated factory {factory}; its worker left.", **words)


class GoodsMade(ShouldersEvent, frozen=True, kw_only=True, tag="goods_made"):
    company: Company
    goods: int
    total: int
    topic: ClassVar[str] = "company"

    def sentence(self, names: Names) -> str:
        return count(
            "{company} made {n} good and has {total}.", "{company} made {n} goods and has {total}.", self.goods,
            **self._words(names),
        )  # fmt: skip


class CubesTaken(ShouldersEvent, frozen=True, kw_only=True, tag="cubes_taken"):
    company: Company
    cubes: dict[Cube, int]
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{company} took {cubes} from Haymarket.")


class CubesTraded(ShouldersEvent, frozen=True, kw_only=True, tag="cubes_traded"):
    company: Company
    given: Cube
    taken: Cube
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{company} gave two cubes of {given} for one of {taken} in Haymarket.")


class AssetTaken(ShouldersEvent, frozen=True, kw_only=True, tag="asset_taken"):
    company: Company
    asset: Asset
    is_kept: bool
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{company} bought {asset} for its bonus.")

    def sentence(self, names: Names) -> str:
        if self.is_kept:
            return say("{company} bought and kept {asset}.", **self._words(names))
        return super().sentence(names)


class AssetDrawn(ShouldersEvent, frozen=True, kw_only=True, tag="asset_drawn"):
    asset: Asset
    topic: ClassVar[str] = "supply"
    text: ClassVar[str] = mark("{asset} came up for sale.")


class AssetLeft(ShouldersEvent, frozen=True, kw_only=True, tag="asset_left"):
    asset: Asset
    topic: ClassVar[str] = "supply"
    text: ClassVar[str] = mark("Nobody bought {asset}, and it left the game.")


class AssetUsed(ShouldersEvent, frozen=True, kw_only=True, tag="asset_used"):
    company: Company
    asset: Asset
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{company} used {asset}.")


class AppealRaised(ShouldersEvent, frozen=True, kw_only=True, tag="appeal_raised"):
    company: Company
    appeal: int
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("The appeal of {company} rose to {appeal}.")


class BonusTaken(ShouldersEvent, frozen=True, kw_only=True, tag="bonus_taken"):
    company: Company
    bonus: str
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{company} took its bonus: {bonus}.")


class BonusDeclined(ShouldersEvent, frozen=True, kw_only=True, tag="bonus_declined"):
    """A bonus was declined; `is_automatic`: it could not be carried out."""

    company: Company
    bonus: str
    amount: int
    is_automatic: bool
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{company} took money in place of its bonus: {bonus}.")
    figures: ClassVar[str] = "+{amount}"

    def sentence(self, names: Names) -> str:
        if self.is_automatic:
            return say("{company} had no use for its bonus, {bonus}, and got money.", **self._words(names))
        return super().sentence(names)


class BonusLost(ShouldersEvent, frozen=True, kw_only=True, tag="bonus_lost"):
    """The bonus of a bought asset could not be carried out."""

    company: Company
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("{company} had no use for the asset's bonus, which was lost.")


class OperationBegun(ShouldersEvent, frozen=True, kw_only=True, tag="operation_begun"):
    seat: int
    company: Company
    topic: ClassVar[str] = "operation"
    text: ClassVar[str] = mark("{company} operates, directed by {seat}.")
    you: ClassVar[str] = mark("{company} operates, directed by you.")


class FundsRaised(ShouldersEvent, frozen=True, kw_only=True, tag="funds_raised"):
    company: Company
    shares: int
    amount: int
    topic: ClassVar[str] = "operation"
    text: ClassVar[str] = mark("{company} sold shares of its treasury to the bank pool: {shares}.")
    figures: ClassVar[str] = "+{amount}"


class CubesBought(ShouldersEvent, frozen=True, kw_only=True, tag="cubes_bought"):
    company: Company
    cubes: dict[Cube, int]
    price: int
    topic: ClassVar[str] = "operation"
    text: ClassVar[str] = mark("{company} bought {cubes}.")
    figures: ClassVar[str] = "−{price}"


class FactoryRan(ShouldersEvent, frozen=True, kw_only=True, tag="factory_ran"):
    """A factory ran; `goods` include those of manager and automation."""

    company: Company
    factory: int
    goods: int
    total: int
    topic: ClassVar[str] = "operation"

    def sentence(self, names: Names) -> str:
        return count(
            "Factory {factory} of {company} made {n} good.", "Factory {factory} of {company} made {n} goods.",
            self.goods, **self._words(names),
        )  # fmt: skip


class ProductionStopped(ShouldersEvent, frozen=True, kw_only=True, tag="production_stopped"):
    """Production stopped; `goods` are those of the company's tokens. The sale that follows reports them too."""

    company: Company
    goods: int
    total: int
    topic: ClassVar[str] = "operation"
    is_routine: ClassVar[bool] = True

    def sentence(self, names: Names) -> str:
        if not self.total:
            return say("{company} has no goods to sell.", **self._words(names))
        return count(
            "{company} has {n} good to sell.", "{company} has {n} goods to sell.", self.total, **self._words(names)
        )  # fmt: skip


class GoodsSold(ShouldersEvent, frozen=True, kw_only=True, tag="goods_sold"):
    company: Company
    trade: Trade
    goods: int
    amount: int
    topic: ClassVar[str] = "operation"
    figures: ClassVar[str] = mark("revenue {amount}")

    def sentence(self, names: Names) -> str:
        return count("{company} sold {n} good.", "{company} sold {n} goods.", self.goods, **self._words(names))


class SlotCompleted(ShouldersEvent, frozen=True, kw_only=True, tag="slot_completed"):
    company: Company
    trade: Trade
    slot: str
    topic: ClassVar[str] = "operation"
    text: ClassVar[str] = mark("{company} completed the slot of {slot}: {trade}.")


class DividendPaid(ShouldersEvent, frozen=True, kw_only=True, tag="dividend_paid"):
    """A dividend was paid: `amount` dollars for each share."""

    company: Company
    amount: int
    topic: ClassVar[str] = "operation"
    text: ClassVar[str] = mark("{company} paid a dividend of {amount} a share.")


class DividendReceived(ShouldersEvent, frozen=True, kw_only=True, tag="dividend_received"):
    seat: int
    company: Company
    amount: int
    weight: ClassVar[int] = 58
    topic: ClassVar[str] = "operation"
    text: ClassVar[str] = mark("{seat} received a dividend of {company}.")
    you: ClassVar[str] = mark("You received a dividend of {company}.")
    figures: ClassVar[str] = "+{amount}"


class Withheld(ShouldersEvent, frozen=True, kw_only=True, tag="withheld"):
    """The revenue was withheld; `is_forced`: no factory ran, or nothing was sold."""

    company: Company
    amount: int
    is_forced: bool
    topic: ClassVar[str] = "operation"
    text: ClassVar[str] = mark("{company} withheld its revenue.")
    figures: ClassVar[str] = "+{amount}"

    def sentence(self, names: Names) -> str:
        if self.is_forced:
            return say("{company} had to withhold its revenue.", **self._words(names))
        return super().sentence(names)


class ColumnFilled(ShouldersEvent, frozen=True, kw_only=True, tag="column_filled"):
    column: str
    cubes: dict[Cube, int]
    topic: ClassVar[str] = "supply"
    is_routine: ClassVar[bool] = True
    text: ClassVar[str] = mark("New in column {column} of the supply chain: {cubes}.")

    def sentence(self, names: Names) -> str:
        if self.column not in COLUMN_PRICES:
            return say("Next in the supply chain: {cubes}.", **self._words(names))
        return super().sentence(names)


class BagShort(ShouldersEvent, frozen=True, kw_only=True, tag="bag_short"):
    """The bag was too small for a column, which got `cubes`; Haymarket went into the bag."""

    column: str
    cubes: int
    topic: ClassVar[str] = "supply"
    text: ClassVar[str] = mark("The bag ran short: column {column} got {cubes}, and Haymarket was put into the bag.")

    def sentence(self, names: Names) -> str:
        if self.column not in COLUMN_PRICES:
            return say(
                "The bag ran short: the last column got {cubes}, and Haymarket was put into the bag.",
                **self._words(names),
            )
        return super().sentence(names)


class OldestCubesMoved(ShouldersEvent, frozen=True, kw_only=True, tag="oldest_cubes_moved"):
    cubes: dict[Cube, int]
    topic: ClassVar[str] = "supply"
    is_routine: ClassVar[bool] = True
    text: ClassVar[str] = mark("From the column of 10 to Haymarket: {cubes}.")


class DemandDrawn(ShouldersEvent, frozen=True, kw_only=True, tag="demand_drawn"):
    trade: Trade
    slot: str
    capacity: int
    topic: ClassVar[str] = "supply"
    is_routine: ClassVar[bool] = True
    text: ClassVar[str] = mark("New demand in the slot of {slot}, {trade}: {capacity}.")


class DemandCleared(ShouldersEvent, frozen=True, kw_only=True, tag="demand_cleared"):
    trade: Trade
    slot: str
    capacity: int
    topic: ClassVar[str] = "supply"
    text: ClassVar[str] = mark("Demand cleared in the slot of {slot}, {trade}: {capacity}.")
