"""What happens before and around a turn's start: bids, companies, headlines, tranches."""

from __future__ import annotations

from typing import ClassVar

from game.engine.events import Event, Names
from game.engine.language import mark
from game.engine.phrases import listed, plural, thousands
from game.rulesets.sectors.events.base import AboutCompany


class BidRevealed(Event, frozen=True, kw_only=True, tag="bid_revealed"):
    seat: int
    points: int
    refund: int
    priority: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} bid {points} influence points and got player priority {priority}.")
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
    figures: ClassVar[str] = "IPO at {ipo_price}"

    def sentence(self, names: Names) -> str:
        article = "an" if self.tier[0] in "AEIOU" else "a"
        return f"{self.name} ({self.company}) was founded in {self.sector} as {article} {self.tier} company."


class IpoDiscounted(AboutCompany, frozen=True, kw_only=True, tag="ipo_discounted"):
    price: int
    topic: ClassVar[str] = "price"
    text: ClassVar[str] = "{company} had not floated, so its IPO price fell."
    figures: ClassVar[str] = "IPO at {price}"


class HeadlineOffered(Event, frozen=True, kw_only=True, tag="headline_offered"):
    slot: int
    sector: str
    move: int
    cost: int
    figures: ClassVar[str] = "costs {cost}"

    def sentence(self, names: Names) -> str:
        move = f"{plural(abs(self.move), 'place')} {'up' if self.move > 0 else 'down'}"
        return f"Headline {self.slot} was offered: {self.sector} would move {move} in sector priority."


class HeadlinePaid(Event, frozen=True, kw_only=True, tag="headline_paid"):
    sector: str
    move: int
    payers: tuple[int, ...]
    each: int
    priority: int
    topic: ClassVar[str] = "money"
    figures: ClassVar[str] = "−{each} each"

    def sentence(self, names: Names) -> str:
        who = listed([names(seat) for seat in self.payers])
        return f"{who} paid for a headline; {self.sector} moved to sector priority {self.priority}."

    def seats(self) -> tuple[int, ...]:
        return self.payers


class PledgeDropped(Event, frozen=True, kw_only=True, tag="pledge_dropped"):
    seat: int
    share: int
    cash: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = "{seat} had {cash} and could not pay {share} for a headline, so the pledge was dropped. (A13)"


class TrancheOffered(Event, frozen=True, kw_only=True, tag="tranche_offered"):
    pool: int
    sector: str
    cash: int
    prestige: int

    def sentence(self, names: Names) -> str:
        tokens = [f"{self.prestige} prestige"] if self.prestige else []
        prizes = listed([f"{thousands(self.cash)} in cash", *tokens, f"the ability of {self.sector}"])
        return f"Tranche {self.pool} was offered: {prizes}."


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
    text: ClassVar[str] = "Every tranche was won, so the cash of all was doubled."


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
