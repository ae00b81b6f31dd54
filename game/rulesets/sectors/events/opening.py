"""Events before and at the start of a turn: bids, companies, headlines, tranches."""

from __future__ import annotations

from typing import ClassVar

from game.engine.events import Event, Names, with_you
from game.engine.language import count, mark, say
from game.engine.phrases import listed, thousands
from game.rulesets.sectors.events.base import AboutCompany


class BidRevealed(Event, frozen=True, kw_only=True, tag="bid_revealed"):
    seat: int
    points: int
    refund: int
    priority: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} bid {points} influence points and is number {priority} in player priority.")
    you: ClassVar[str] = mark("You bid {points} influence points and are number {priority} in player priority.")
    figures: ClassVar[str] = "+{refund}"


class PrioritySet(Event, frozen=True, kw_only=True, tag="priority_set"):
    order: tuple[int, ...]

    def sentence(self, names: Names) -> str:
        return say("Player priority, poorest first: {seats}.", seats=listed([names(seat) for seat in self.order]))


class CompanyOpened(AboutCompany, frozen=True, kw_only=True, tag="company_opened"):
    name: str
    sector: str
    tier: str
    ipo_price: int
    figures: ClassVar[str] = mark("IPO at {ipo_price}")

    def sentence(self, names: Names) -> str:
        return say(
            "{name} ({company}) was founded in {sector} as an {tier} company."
            if self.tier[0] in "AEIOU"
            else "{name} ({company}) was founded in {sector} as a {tier} company.",
            name=self.name,
            company=self.company,
            sector=say(self.sector),
            tier=say(self.tier),
        )


class IpoDiscounted(AboutCompany, frozen=True, kw_only=True, tag="ipo_discounted"):
    price: int
    topic: ClassVar[str] = "price"
    text: ClassVar[str] = mark("{company} had not floated, so its IPO price fell.")
    figures: ClassVar[str] = mark("IPO at {price}")


class HeadlineOffered(Event, frozen=True, kw_only=True, tag="headline_offered"):
    slot: int
    sector: str
    move: int
    cost: int
    figures: ClassVar[str] = mark("costs {cost}")

    def sentence(self, names: Names) -> str:
        places, facts = abs(self.move), {"slot": self.slot, "sector": say(self.sector)}
        if self.move > 0:
            return count(
                "Headline {slot} was offered: {sector} would move {n} place earlier in sector priority.",
                "Headline {slot} was offered: {sector} would move {n} places earlier in sector priority.",
                places,
                **facts,
            )
        return count(
            "Headline {slot} was offered: {sector} would move {n} place later in sector priority.",
            "Headline {slot} was offered: {sector} would move {n} places later in sector priority.",
            places,
            **facts,
        )


HEADLINE_PAID_BY_YOU = mark("You paid for a headline; {sector} moved to sector priority {priority}.")
HEADLINE_PAID_WITH_YOU = mark("{seats} paid for a headline together; {sector} moved to sector priority {priority}.")


class HeadlinePaid(Event, frozen=True, kw_only=True, tag="headline_paid"):
    sector: str
    move: int
    payers: tuple[int, ...]
    each: int
    priority: int
    topic: ClassVar[str] = "money"
    figures: ClassVar[str] = mark("−{each} each")

    def figure(self, names: Names) -> str:
        return super().figure(names) if len(self.payers) > 1 else f"−{thousands(self.each)}"

    def sentence(self, names: Names) -> str:
        return count(
            "{seats} paid for a headline; {sector} moved to sector priority {priority}.",
            "{seats} paid for a headline; {sector} moved to sector priority {priority}.",
            len(self.payers),
            seats=listed([names(seat) for seat in self.payers]),
            sector=say(self.sector),
            priority=self.priority,
        )

    def sentence_for(self, seat: int, names: Names) -> str:
        if seat not in self.payers:
            return self.sentence(names)
        return say(
            HEADLINE_PAID_BY_YOU if len(self.payers) == 1 else HEADLINE_PAID_WITH_YOU,
            seats=with_you(seat, self.payers, names),
            sector=say(self.sector),
            priority=self.priority,
        )

    def seats(self) -> tuple[int, ...]:
        return self.payers


class PledgeDropped(Event, frozen=True, kw_only=True, tag="pledge_dropped"):
    seat: int
    share: int
    cash: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark(
        "{seat} had {cash} and could not pay {share} for a headline, so the pledge was dropped. (A13)"
    )
    you: ClassVar[str] = mark(
        "You had {cash} and could not pay {share} for a headline, so your pledge was dropped. (A13)"
    )


class TrancheOffered(Event, frozen=True, kw_only=True, tag="tranche_offered"):
    pool: int
    sector: str
    cash: int
    prestige: int

    def sentence(self, names: Names) -> str:
        tokens = [say("{tokens} prestige", tokens=self.prestige)] if self.prestige else []
        ability = say("the ability of {sector}", sector=say(self.sector))
        prizes = listed([say("{amount} in cash", amount=thousands(self.cash)), *tokens, ability])
        return say("Tranche {pool} was offered: {prizes}.", pool=self.pool, prizes=prizes)


TRANCHE_VOTES = {
    0: mark("Nobody voted for tranche {pool}."),
    1: mark("Only {seats} voted for tranche {pool} and so won it."),
    2: mark("{seats} both voted for tranche {pool}, so nobody won it."),
}
TRANCHE_VOTED_BY_MANY = mark("{seats} all voted for tranche {pool}, so nobody won it.")
TRANCHE_VOTED_BY_YOU = mark("Only you voted for tranche {pool} and so won it.")
TRANCHE_VOTED_WITH_YOU = mark("{seats} voted for tranche {pool}, so nobody won it.")


class TrancheVoted(Event, frozen=True, kw_only=True, tag="tranche_voted"):
    pool: int
    voters: tuple[int, ...]
    topic: ClassVar[str] = "vote"

    def sentence(self, names: Names) -> str:
        return say(
            TRANCHE_VOTES.get(len(self.voters), TRANCHE_VOTED_BY_MANY),
            seats=listed([names(seat) for seat in self.voters]),
            pool=self.pool,
        )

    def sentence_for(self, seat: int, names: Names) -> str:
        if seat not in self.voters:
            return self.sentence(names)
        text = TRANCHE_VOTED_BY_YOU if len(self.voters) == 1 else TRANCHE_VOTED_WITH_YOU
        return say(text, seats=with_you(seat, self.voters, names), pool=self.pool)

    def seats(self) -> tuple[int, ...]:
        return self.voters


class TranchesDoubled(Event, frozen=True, kw_only=True, tag="tranches_doubled"):
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("Every tranche was won, so the cash of all was doubled.")


class TranchePaid(Event, frozen=True, kw_only=True, tag="tranche_paid"):
    seat: int
    pool: int
    giver: int
    amount: int
    topic: ClassVar[str] = "money"
    figures: ClassVar[str] = "+{amount}"

    def sentence(self, names: Names) -> str:
        return say(
            "{seat} received cash of tranche {pool}."
            if self.giver == self.seat
            else "{seat} received cash of tranche {pool} from {giver}.",
            seat=names(self.seat),
            pool=self.pool,
            giver=names(self.giver),
        )

    def sentence_for(self, seat: int, names: Names) -> str:
        if seat not in self.seats():
            return self.sentence(names)
        facts = {"seat": names(self.seat), "pool": self.pool, "giver": names(self.giver)}
        if seat != self.seat:
            return say("You gave {seat} cash of tranche {pool}.", **facts)
        if seat == self.giver:
            return say("You received cash of tranche {pool}.", **facts)
        return say("You received cash of tranche {pool} from {giver}.", **facts)

    def seats(self) -> tuple[int, ...]:
        return (self.seat, self.giver)


class PrestigeGiven(AboutCompany, frozen=True, kw_only=True, tag="prestige_given"):
    seat: int
    tokens: int
    text: ClassVar[str] = mark("{seat} gave {tokens} prestige to {company}.")
    you: ClassVar[str] = mark("You gave {tokens} prestige to {company}.")


class AbilityGiven(AboutCompany, frozen=True, kw_only=True, tag="ability_given"):
    seat: int
    ability: str

    def sentence(self, names: Names) -> str:
        return say(
            "{seat} gave {ability} to {company}.",
            seat=names(self.seat),
            ability=say(self.ability),
            company=self.company,
        )

    def sentence_for(self, seat: int, names: Names) -> str:
        if seat != self.seat:
            return self.sentence(names)
        return say("You gave {ability} to {company}.", ability=say(self.ability), company=self.company)
