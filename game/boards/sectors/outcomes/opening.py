"""What became of influence bids, headline pledges and tranche votes."""

from __future__ import annotations

from game.boards.outcomes import BAD, GOOD, NEUTRAL, Outcome
from game.boards.sectors.outcomes.scene import Scene, Tellers, mine
from game.engine.phrases import listed, ordinal, plural, thousands
from game.rulesets.sectors.events.opening import (
    AbilityGiven,
    BidRevealed,
    HeadlinePaid,
    PledgeDropped,
    PrestigeGiven,
    TranchePaid,
    TranchesDoubled,
    TrancheVoted,
)
from game.rulesets.sectors.view.shapes import CompanyView


@mine
def bid(event: BidRevealed, scene: Scene) -> Outcome:
    """The place that a bid brought, and who bid more."""
    ahead = [other for other in scene.before() if isinstance(other, BidRevealed)]
    return scene.own(
        "bid",
        f"{ordinal(event.priority)} in priority",
        f"You bid {event.points} influence points and are {ordinal(event.priority)} in player priority.",
        reason=_outbid(event, ahead, scene),
        figure=f"+{thousands(event.refund)}",
        tone=NEUTRAL if ahead else GOOD,
        weight=70,
    )


def _outbid(own: BidRevealed, ahead: list[BidRevealed], scene: Scene) -> str:
    more = [other for other in reversed(ahead) if other.points > own.points]
    as_much = [other for other in reversed(ahead) if other.points == own.points]
    said = [f"{scene.who(other.seat)} bid {other.points}" for other in more]
    said += [f"{scene.who(other.seat)} bid as much and won the draw" for other in as_much]
    kept = f"The {own.refund} you kept were paid to you." if own.refund else ""
    return f"{'; '.join(said)}. {kept}".strip() if said else f"Nobody bid more. {kept}".strip()


def headline(event: HeadlinePaid, scene: Scene) -> Outcome | None:
    """A headline that was bought: by the reader, or over the heads of its holders."""
    moved = f"{event.sector} moved {plural(abs(event.move), 'place')} {'up' if event.move > 0 else 'down'}"
    if scene.me in event.payers:
        others = [seat for seat in event.payers if seat != scene.me]
        return scene.own(
            "headline",
            "Bought",
            f"Your headline was bought: {moved}, to sector priority {event.priority}.",
            reason=f"You shared its cost with {scene.who(*others)}." if others else "You paid all of its cost.",
            figure=f"−{thousands(event.each)}",
            tone=GOOD,
            weight=66,
        )
    held = [c.ticker for c in _companies_of(event.sector, scene) if scene.held(c.ticker)]
    if not held:
        return None
    tone = GOOD if event.move > 0 else BAD
    why = f"{scene.opening(*event.payers)} paid for a headline. You hold shares of {listed(held)}."
    return scene.told(
        "sector", "Sector", f"{moved}, to sector priority {event.priority}.", reason=why, tone=tone, weight=44
    )


def _companies_of(title: str, scene: Scene) -> tuple[CompanyView, ...]:
    return next((sector.companies for sector in scene.view.sectors if sector.title == title), ())


@mine
def pledge_dropped(event: PledgeDropped, scene: Scene) -> Outcome:
    """A pledge that could not be paid."""
    return scene.own(
        "headline",
        "Dropped",
        "Your pledge for a headline was dropped.",
        reason=f"Your part was {thousands(event.share)} and you had {thousands(event.cash)}. It cost you nothing.",
        rule="A13",
        tone=BAD,
        weight=76,
    )


def tranche_vote(event: TrancheVoted, scene: Scene) -> Outcome | None:
    """A tranche is won by a single vote only."""
    if scene.me not in event.voters:
        return None
    others = [seat for seat in event.voters if seat != scene.me]
    if not others:
        return scene.own(
            "tranche",
            "Won",
            f"You won tranche {event.pool}.",
            reason="Nobody else voted for it.",
            tone=GOOD,
            weight=74,
        )
    return scene.own(
        "tranche",
        "Lost",
        f"You did not win tranche {event.pool}.",
        reason=f"{scene.opening(*others)} voted for it too, and only a single vote wins.",
        rule="S 7.9",
        tone=BAD,
        weight=72,
    )


def doubled(event: TranchesDoubled, scene: Scene) -> Outcome | None:
    """Told to those who won one."""
    won = any(isinstance(other, TrancheVoted) and other.voters == (scene.me,) for other in scene.before())
    if not won:
        return None
    return scene.told(
        "tranche",
        "Doubled",
        "The cash of your tranche was doubled.",
        reason="Every tranche was won.",
        tone=GOOD,
        weight=50,
    )


def tranche_paid(event: TranchePaid, scene: Scene) -> Outcome | None:
    """Cash of a tranche: kept, given away, or received from its winner."""
    figure = f"+{thousands(event.amount)}"
    if event.seat == scene.me == event.giver:
        return scene.own(
            "paid", "Paid", f"You kept {event.amount} of tranche {event.pool}.", figure=figure, tone=GOOD, weight=60
        )
    if event.seat == scene.me:
        return scene.told(
            "paid",
            "Paid",
            f"{scene.who(event.giver)} gave you cash of tranche {event.pool}.",
            figure=figure,
            tone=GOOD,
            weight=60,
        )
    if event.giver == scene.me:
        return scene.own(
            "gift", "Given", f"You gave {scene.who(event.seat)} {event.amount} of tranche {event.pool}.", weight=36
        )
    return None


def prestige(event: PrestigeGiven, scene: Scene) -> Outcome | None:
    """Tokens of a tranche."""
    return _gift(event.seat, event.company, f"{event.tokens} prestige", scene)


def ability(event: AbilityGiven, scene: Scene) -> Outcome | None:
    """The ability of a tranche."""
    return _gift(event.seat, event.company, event.ability, scene)


def _gift(giver: int, company: str, what: str, scene: Scene) -> Outcome | None:
    if giver == scene.me:
        return scene.own("gift", "Given", f"You gave {what} to {company}.", tone=GOOD, weight=46)
    if not scene.held(company):
        return None
    return scene.told(
        "company",
        "Company",
        f"{scene.who(giver)} gave {what} to {company}.",
        reason=_shares(company, scene),
        tone=GOOD,
        weight=38,
    )


def _shares(company: str, scene: Scene) -> str:
    return f"You hold {plural(scene.held(company), 'share')}."


TELLERS: Tellers = {
    BidRevealed: bid,
    HeadlinePaid: headline,
    PledgeDropped: pledge_dropped,
    TrancheVoted: tranche_vote,
    TranchesDoubled: doubled,
    TranchePaid: tranche_paid,
    PrestigeGiven: prestige,
    AbilityGiven: ability,
}
