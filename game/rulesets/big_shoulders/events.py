"""What happens in City of the Big Shoulders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from game.engine.events import Event, Names
from game.engine.language import count, mark, say
from game.engine.phrases import inside, listed
from game.rulesets.big_shoulders.company_events import (
    AppealRaised,
    AssetDrawn,
    AssetLeft,
    AssetTaken,
    AssetUsed,
    Automated,
    BagShort,
    BonusDeclined,
    BonusLost,
    BonusTaken,
    ColumnFilled,
    CubesBought,
    CubesTaken,
    CubesTraded,
    DemandCleared,
    DemandDrawn,
    DividendPaid,
    DividendReceived,
    FactoryRan,
    FundsRaised,
    GoodsMade,
    GoodsSold,
    ManagerHired,
    OldestCubesMoved,
    OperationBegun,
    ProductionStopped,
    SalespersonHired,
    SlotCompleted,
    Withheld,
    WorkersPlaced,
)
from game.rulesets.big_shoulders.descriptions import tile_in_words
from game.rulesets.big_shoulders.effects import SPACES, GeneralSpace
from game.rulesets.big_shoulders.tables import (
    GOALS,
    Company,
)
from game.rulesets.big_shoulders.telling import ShouldersEvent


class FirstSeatDrawn(ShouldersEvent, frozen=True, kw_only=True, tag="first_seat_drawn"):
    """The first seat was drawn; `order` is the order in which the first companies are started."""

    seat: int
    order: tuple[int, ...]
    you: ClassVar[str] = mark("You start the first company.")

    def sentence(self, names: Names) -> str:
        return say("Companies are started in this order: {order}.", order=listed(names(seat) for seat in self.order))


class GoalsShown(ShouldersEvent, frozen=True, kw_only=True, tag="goals_shown"):
    goals: tuple[int, ...]

    def sentence(self, names: Names) -> str:
        return say("The public goals are: {goals}.", goals=listed(inside(GOALS[goal]) for goal in self.goals))


class TilesDealt(ShouldersEvent, frozen=True, kw_only=True, tag="tiles_dealt"):
    """Building tiles were dealt: the number that each player got."""

    tiles: int
    is_routine: ClassVar[bool] = True
    topic: ClassVar[str] = "buildings"

    def sentence(self, names: Names) -> str:
        return count("Everybody was dealt {n} building tile.", "Everybody was dealt {n} building tiles.", self.tiles)


class HandSeen(ShouldersEvent, frozen=True, kw_only=True, tag="hand_seen"):
    """The whole hand afterwards, for its owner alone."""

    seat: int
    tiles: tuple[int, ...]
    topic: ClassVar[str] = "buildings"

    def sentence(self, names: Names) -> str:
        return say("Your building tiles: {tiles}.", tiles=listed(map(tile_in_words, self.tiles)))


class CompanyStarted(ShouldersEvent, frozen=True, kw_only=True, tag="company_started"):
    seat: int
    company: Company
    value: int
    price: int
    topic: ClassVar[str] = "stock"
    text: ClassVar[str] = mark("{seat} started {company} at {value}.")
    you: ClassVar[str] = mark("You started {company} at {value}.")
    figures: ClassVar[str] = "−{price}"


class CertificatesSold(ShouldersEvent, frozen=True, kw_only=True, tag="certificates_sold"):
    """Certificates were sold: `shares` of 10 percent each, all at the value before the sale."""

    seat: int
    company: Company
    shares: int
    amount: int
    topic: ClassVar[str] = "stock"
    figures: ClassVar[str] = "+{amount}"

    def sentence(self, names: Names) -> str:
        words = self._words(names)
        return count(
            "{seat} sold {n} share of {company}.",
            "{seat} sold {n} shares of {company}.",
            self.shares,
            seat=words["seat"],
            company=words["company"],
        )

    def sentence_for(self, seat: int, names: Names) -> str:
        if seat != self.seat:
            return self.sentence(names)
        company = self._words(names)["company"]
        return count(
            "You sold {n} share of {company}.", "You sold {n} shares of {company}.", self.shares, company=company
        )


class CertificateBought(ShouldersEvent, frozen=True, kw_only=True, tag="certificate_bought"):
    """A certificate was bought: `certificate` is P or C, `place` treasury or pool."""

    seat: int
    company: Company
    certificate: str
    place: str
    price: int
    topic: ClassVar[str] = "stock"
    figures: ClassVar[str] = "−{price}"

    def sentence(self, names: Names) -> str:
        return say(BOUGHT[self.certificate, self.place], **self._words(names))

    def yours(self, seat: int) -> str:
        return YOU_BOUGHT[self.certificate, self.place]


BOUGHT: Mapping[tuple[str, str], str] = {
    ("P", "treasury"): mark("{seat} bought the preferred certificate of {company} from its treasury."),
    ("C", "treasury"): mark("{seat} bought a common certificate of {company} from its treasury."),
    ("P", "pool"): mark("{seat} bought the preferred certificate of {company} from the bank pool."),
    ("C", "pool"): mark("{seat} bought a common certificate of {company} from the bank pool."),
}
YOU_BOUGHT: Mapping[tuple[str, str], str] = {
    ("P", "treasury"): mark("You bought the preferred certificate of {company} from its treasury."),
    ("C", "treasury"): mark("You bought a common certificate of {company} from its treasury."),
    ("P", "pool"): mark("You bought the preferred certificate of {company} from the bank pool."),
    ("C", "pool"): mark("You bought a common certificate of {company} from the bank pool."),
}


class ValueMoved(ShouldersEvent, frozen=True, kw_only=True, tag="value_moved"):
    company: Company
    was: int
    price: int
    topic: ClassVar[str] = "stock"
    text: ClassVar[str] = mark("The value of {company} rose from {was} to {price}.")

    def sentence(self, names: Names) -> str:
        if self.price < self.was:
            return say("The value of {company} fell from {was} to {price}.", **self._words(names))
        return super().sentence(names)


class ValueKept(ShouldersEvent, frozen=True, kw_only=True, tag="value_kept"):
    """Price Protection stopped a drop."""

    company: Company
    topic: ClassVar[str] = "stock"
    text: ClassVar[str] = mark("Price Protection kept the value of {company}.")


class DirectorChanged(ShouldersEvent, frozen=True, kw_only=True, tag="director_changed"):
    seat: int
    company: Company
    topic: ClassVar[str] = "stock"
    text: ClassVar[str] = mark("{seat} now directs {company}.")
    you: ClassVar[str] = mark("You now direct {company}.")


class TurnPassed(ShouldersEvent, frozen=True, kw_only=True, tag="turn_passed"):
    """A seat passed its turn; `is_automatic`: nothing else was possible."""

    seat: int
    is_automatic: bool
    is_idle: ClassVar[bool] = True
    weight: ClassVar[int] = 10
    topic: ClassVar[str] = "stock"
    text: ClassVar[str] = mark("{seat} passed.")

    def sentence(self, names: Names) -> str:
        if self.is_automatic:
            return say("{seat} could not trade and passed.", **self._words(names))
        return super().sentence(names)

    def yours(self, seat: int) -> str:
        return mark("You could not trade and passed.") if self.is_automatic else mark("You passed.")


class PriorityMoved(ShouldersEvent, frozen=True, kw_only=True, tag="priority_moved"):
    seat: int
    topic: ClassVar[str] = "stock"
    text: ClassVar[str] = mark("{seat} begins the next stock phase.")
    you: ClassVar[str] = mark("You begin the next stock phase.")


class FullyOwned(ShouldersEvent, frozen=True, kw_only=True, tag="fully_owned"):
    company: Company
    topic: ClassVar[str] = "stock"
    text: ClassVar[str] = mark("All certificates of {company} are with players.")


class TileEvent(ShouldersEvent, frozen=True, kw_only=True):
    """An event about a building tile, named by its number and its effect."""

    tile: int

    def _words(self, names: Names) -> dict[str, object]:
        return {**super()._words(names), "tile": tile_in_words(self.tile)}


class TileBuilt(TileEvent, frozen=True, kw_only=True, tag="tile_built"):
    seat: int
    topic: ClassVar[str] = "buildings"
    text: ClassVar[str] = mark("{seat} built tile {tile}.")
    you: ClassVar[str] = mark("You built tile {tile}.")


class MarketFilled(ShouldersEvent, frozen=True, kw_only=True, tag="market_filled"):
    """The job market was filled; `market` are its workers afterwards."""

    workers: int
    market: int
    topic: ClassVar[str] = "buildings"
    text: ClassVar[str] = mark("The job market grew by {workers} to {market}.")


class PartnerGained(ShouldersEvent, frozen=True, kw_only=True, tag="partner_gained"):
    """A seat gained a partner; `why` is decade, appeal or factories."""

    seat: int
    why: str
    topic: ClassVar[str] = "actions"

    def sentence(self, names: Names) -> str:
        return say(GAINED[self.why], **self._words(names))

    def yours(self, seat: int) -> str:
        return YOU_GAINED[self.why]


GAINED: Mapping[str, str] = {
    "decade": mark("{seat} gained a partner in the third decade."),
    "appeal": mark("{seat} gained a partner by appeal."),
    "factories": mark("{seat} gained a partner, as all factories of a company have run."),
}
YOU_GAINED: Mapping[str, str] = {
    "decade": mark("You gained a partner in the third decade."),
    "appeal": mark("You gained a partner by appeal."),
    "factories": mark("You gained a partner, as all factories of a company have run."),
}


class PartnerPlaced(ShouldersEvent, frozen=True, kw_only=True, tag="partner_placed"):
    """A partner was placed; `space` is the key of a general space or the number of a tile."""

    seat: int
    company: Company
    space: GeneralSpace | int
    topic: ClassVar[str] = "actions"

    def sentence(self, names: Names) -> str:
        words = self._words(names)
        if isinstance(self.space, int):
            words["space"] = tile_in_words(self.space)
            return say("{seat} placed a partner of {company} on tile {space}.", **words)
        space = say(SPACES[self.space].title)
        return say("{seat} placed a partner of {company}: {space}.", **{**words, "space": space})

    def sentence_for(self, seat: int, names: Names) -> str:
        if seat != self.seat:
            return self.sentence(names)
        company = self._words(names)["company"]
        if isinstance(self.space, int):
            space = tile_in_words(self.space)
            return say("You placed a partner of {company} on tile {space}.", company=company, space=space)
        space = say(SPACES[self.space].title)
        return say("You placed a partner of {company}: {space}.", company=company, space=space)


class OwnerPaid(TileEvent, frozen=True, kw_only=True, tag="owner_paid"):
    seat: int
    amount: int
    topic: ClassVar[str] = "actions"
    text: ClassVar[str] = mark("{seat} was paid as the owner of tile {tile}.")
    you: ClassVar[str] = mark("You were paid as the owner of tile {tile}.")
    figures: ClassVar[str] = "+{amount}"


class FirstPlaceClaimed(ShouldersEvent, frozen=True, kw_only=True, tag="first_place_claimed"):
    seat: int
    topic: ClassVar[str] = "actions"
    text: ClassVar[str] = mark("{seat} goes first in the next sequence.")
    you: ClassVar[str] = mark("You go first in the next sequence.")


class IdlePartners(ShouldersEvent, frozen=True, kw_only=True, tag="idle_partners"):
    seat: int
    amount: int
    topic: ClassVar[str] = "actions"
    text: ClassVar[str] = mark("{seat} directs no company and was paid for idle partners.")
    you: ClassVar[str] = mark("You direct no company and were paid for idle partners.")
    figures: ClassVar[str] = "+{amount}"


class DecadeBegun(ShouldersEvent, frozen=True, kw_only=True, tag="decade_begun"):
    decade: int
    text: ClassVar[str] = mark("Decade {decade} begins.")


class GoalWon(ShouldersEvent, frozen=True, kw_only=True, tag="goal_won"):
    seat: int
    goal: int
    amount: int
    topic: ClassVar[str] = "result"
    figures: ClassVar[str] = "+{amount}"
    weight: ClassVar[int] = 70

    def sentence(self, names: Names) -> str:
        return say("{seat} won a goal: {goal}.", seat=names(self.seat), goal=say(GOALS[self.goal]))

    def sentence_for(self, seat: int, names: Names) -> str:
        goal = say(GOALS[self.goal])
        return say("You won a goal: {goal}.", goal=goal) if seat == self.seat else self.sentence(names)


class FinalScore(ShouldersEvent, frozen=True, kw_only=True, tag="final_score"):
    """A final score; games of earlier versions lack `cash` and the value of `certificates`."""

    seat: int
    score: int
    cash: int | None = None
    certificates: int | None = None
    topic: ClassVar[str] = "result"
    text: ClassVar[str] = mark("{seat} ends with {score}.")
    you: ClassVar[str] = mark("You end with {score}.")


class GameEnded(ShouldersEvent, frozen=True, kw_only=True, tag="game_ended"):
    end: str
    topic: ClassVar[str] = "result"

    def sentence(self, names: Names) -> str:
        return say("The game is over: {end}.", end=say(ENDS[self.end]))


ENDS = {"decades": mark("five decades have been played")}

AnyEvent = (
    FirstSeatDrawn | GoalsShown | TilesDealt | HandSeen | CompanyStarted | CertificatesSold | CertificateBought
    | ValueMoved | ValueKept | DirectorChanged | TurnPassed | PriorityMoved | FullyOwned | TileBuilt | MarketFilled
    | PartnerGained | PartnerPlaced | OwnerPaid | WorkersPlaced | ManagerHired | SalespersonHired | Automated
    | GoodsMade | CubesTaken | CubesTraded | AssetTaken | AssetDrawn | AssetLeft | AssetUsed | AppealRaised
    | BonusTaken | BonusDeclined | BonusLost | FirstPlaceClaimed | IdlePartners | OperationBegun | FundsRaised
    | CubesBought | FactoryRan | ProductionStopped | GoodsSold | SlotCompleted | DividendPaid | DividendReceived
    | Withheld | ColumnFilled | BagShort | OldestCubesMoved | DemandDrawn | DemandCleared | DecadeBegun | GoalWon
    | FinalScore | GameEnded
)  # fmt: skip
EVENTS: dict[str, type[Event]] = {str(kind.__struct_config__.tag): kind for kind in AnyEvent.__args__}
