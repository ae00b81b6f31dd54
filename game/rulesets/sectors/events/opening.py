"""What happens before and around a turn's start: bids, companies, headlines, tranches."""

from __future__ import annotations

from typing import ClassVar

from game.engine.events import Event, Names
from game.engine.phrases import listed, plural, thousands
from game.rulesets.sectors.events.base import AboutCompany


class BidRevealed(Event, frozen=True, kw_only=True, tag="bid_revealed"):
    seat: int
    points: int
    refund: int
    priority: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = "{seat} bid {points} influence and is number {priority} in priority."
    figures: ClassVar[str] = "+{refund}"


class PrioritySet(Event, frozen=True, kw_only=True, tag="priority_set"):
    order: tuple[int, ...]

    def sentence(self, names: Names) -> str:
        return f"Player priority, poorest first: {listed([names(seat) for seat in self.order])}."


class CompanyOpened(AboutCompany, frozen=True, kw_only=True, tag="company_opened"):
    name: str
    sector: str
    tier: str
    ipo_price: int
    text: ClassVar[str] = "{name} ({company}) opens in {sector} at tier {tier}."
    figures: ClassVar[str] = "IPO at {ipo_price}"


class IpoDiscounted(AboutCompany, frozen=True, kw_only=True, tag="ipo_discounted"):
    price: int
    topic: ClassVar[str] = "price"
    text: ClassVar[str] = "{company} is still not floated: its IPO gets cheaper."
    figures: ClassVar[str] = "IPO at {price}"


class HeadlineOffered(Event, frozen=True, kw_only=True, tag="headline_offered"):
    slot: int
    sector: str
    move: int
    cost: int
    figures: ClassVar[str] = "costs {cost}"

    def sentence(self, names: Names) -> str:
        way = "earlier" if self.move > 0 else "later"
        return f"Headline {self.slot} would have {self.sector} served {plural(abs(self.move), 'place')} {way}."


class HeadlinePaid(Event, frozen=True, kw_only=True, tag="headline_paid"):
    sector: str
    move: int
    payers: tuple[int, ...]
    each: int
    priority: int
    topic: ClassVar[str] = "money"
    figures: ClassVar[str] = "−{each} each"

    def sentence(self, names: Names) -> str:
        return f"{listed([names(s) for s in self.payers])} paid for the headline: {self.sector} is now served number {self.priority}."

    def seats(self) -> tuple[int, ...]:
        return self.payers


class PledgeDropped(Event, frozen=True, kw_only=True, tag="pledge_dropped"):
    seat: int
    share: int
    cash: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = "{seat} pledged for a headline but could not pay {share} out of {cash}. (A13)"


class TrancheOffered(Event, frozen=True, kw_only=True, tag="tranche_offered"):
    pool: int
    sector: str
    cash: int
    prestige: int

    def sentence(self, names: Names) -> str:
        tokens = [f"{self.prestige} prestige"] if self.prestige else []
        return f"Tranche {self.pool}: {listed([f'{thousands(self.cash)} in cash', *tokens, f'the ability of {self.sector}'])}."


class TrancheVoted(Event, frozen=True, kw_only=True, tag="tranche_voted"):
    pool: int
    voters: tuple[int, ...]
    topic: ClassVar[str] = "vote"

    def sentence(self, names: Names) -> str:
        if len(self.voters) == 1:
            return f"{names(self.voters[0])} alone voted for tranche {self.pool} and won it."
        who = listed([names(seat) for seat in self.voters])
        if not self.voters:
            return f"Nobody voted for tranche {self.pool}."
        return f"{who} {'both' if len(self.voters) == 2 else 'all'} voted for tranche {self.pool}, so nobody won it."

    def seats(self) -> tuple[int, ...]:
        return self.voters


class TranchesDoubled(Event, frozen=True, kw_only=True, tag="tranches_doubled"):
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = "Every tranche was won: all their cash is doubled."


class TranchePaid(Event, frozen=True, kw_only=True, tag="tranche_paid"):
    seat: int
    pool: int
    giver: int
    amount: int
    topic: ClassVar[str] = "money"
    figures: ClassVar[str] = "+{amount}"

    def sentence(self, names: Names) -> str:
        giver = "" if self.giver == self.seat else f" from {names(self.giver)}"
        return f"{names(self.seat)} received cash of tranche {self.pool}{giver}."

    def seats(self) -> tuple[int, ...]:
        return (self.seat, self.giver)


class PrestigeGiven(AboutCompany, frozen=True, kw_only=True, tag="prestige_given"):
    seat: int
    tokens: int
    text: ClassVar[str] = "{seat} gave {tokens} prestige to {company}."


class AbilityGiven(AboutCompany, frozen=True, kw_only=True, tag="ability_given"):
    seat: int
    ability: str
    text: ClassVar[str] = "{seat} gave {ability} to {company}."
