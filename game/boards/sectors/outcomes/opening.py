"""The results of influence bids, headline pledges and tranche votes."""

from __future__ import annotations

from game.boards.outcomes import BAD, GOOD, NEUTRAL, Outcome
from game.boards.sectors.outcomes.scene import Scene, Tellers, mine
from game.engine.language import count, say, say_as
from game.engine.phrases import listed, ordinal, thousands
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
    """The place in the priority order that a bid won, and who bid more."""
    ahead = [other for other in scene.before() if isinstance(other, BidRevealed)]
    return scene.own(
        "bid",
        say("{ordinal} in priority", ordinal=ordinal(event.priority)),
        say(
            "You bid {points} influence points and are {ordinal} in player priority.",
            points=event.points,
            ordinal=ordinal(event.priority),
        ),
        reason=_outbid(event, ahead, scene),
        figure=f"+{thousands(event.refund)}",
        tone=NEUTRAL if ahead else GOOD,
        weight=70,
    )


def _outbid(own: BidRevealed, ahead: list[BidRevealed], scene: Scene) -> str:
    more = [other for other in reversed(ahead) if other.points > own.points]
    as_much = [other for other in reversed(ahead) if other.points == own.points]
    bids = [say("{player} bid {points}", player=scene.who(other.seat), points=other.points) for other in more]
    bids += [say("{player} bid the same and won the draw", player=scene.who(other.seat)) for other in as_much]
    refund = say("The {points} you kept were paid to you.", points=own.refund) if own.refund else ""
    return f"{'; '.join(bids)}. {refund}".strip() if bids else f"{say('Nobody bid more.')} {refund}".strip()


def headline(event: HeadlinePaid, scene: Scene) -> Outcome | None:
    """A headline that was bought: by the reader, or by others for a sector of the reader's."""
    moved = _moved(event)
    if scene.me in event.payers:
        others = [seat for seat in event.payers if seat != scene.me]
        return scene.own(
            "headline",
            say("Bought"),
            say("Your headline was paid for: {moved}", moved=moved),
            reason=(
                say("You shared its cost with {players}.", players=scene.who(*others))
                if others
                else say("You paid all of its cost.")
            ),
            figure=f"−{thousands(event.each)}",
            tone=GOOD,
            weight=66,
        )
    held = [c.ticker for c in _companies_of(event.sector, scene) if scene.held(c.ticker)]
    if not held:
        return None
    tone = GOOD if event.move > 0 else BAD
    payers, companies = scene.opening(*event.payers), listed(held)
    why = (
        say("{player} paid for a headline. You hold shares of {companies}.", player=payers, companies=companies)
        if len(event.payers) == 1
        else say("{players} paid for a headline. You hold shares of {companies}.", players=payers, companies=companies)
    )
    return scene.outcome("sector", say("Sector"), moved, reason=why, tone=tone, weight=44)


def _moved(event: HeadlinePaid) -> str:
    """The effect of a headline on its sector, as a sentence."""
    facts = {"sector": say(event.sector), "priority": event.priority}
    if event.move > 0:
        return count(
            "{sector} moved {n} place earlier, to sector priority {priority}.",
            "{sector} moved {n} places earlier, to sector priority {priority}.",
            event.move,
            **facts,
        )
    return count(
        "{sector} moved {n} place later, to sector priority {priority}.",
        "{sector} moved {n} places later, to sector priority {priority}.",
        -event.move,
        **facts,
    )


def _companies_of(title: str, scene: Scene) -> tuple[CompanyView, ...]:
    return next((sector.companies for sector in scene.view.sectors if sector.title == title), ())


@mine
def pledge_dropped(event: PledgeDropped, scene: Scene) -> Outcome:
    """A pledge that could not be paid."""
    return scene.own(
        "headline",
        say("Dropped"),
        say("Your pledge for a headline was dropped."),
        reason=say(
            "Your share of the cost was {part}, and you had {cash}. It cost you nothing.",
            part=thousands(event.share),
            cash=thousands(event.cash),
        ),
        rule="A13",
        tone=BAD,
        weight=76,
    )


def tranche_vote(event: TrancheVoted, scene: Scene) -> Outcome | None:
    """The result of a tranche vote; a tranche is won by a single vote only."""
    if scene.me not in event.voters:
        return None
    others = [seat for seat in event.voters if seat != scene.me]
    if not others:
        return scene.own(
            "tranche",
            say("Won"),
            say("You won tranche {tranche}.", tranche=event.pool),
            reason=say("Nobody else voted for it."),
            tone=GOOD,
            weight=74,
        )
    return scene.own(
        "tranche",
        say("Lost"),
        say("You did not win tranche {tranche}.", tranche=event.pool),
        reason=(
            say("{player} voted for it too, and only a single vote wins.", player=scene.opening(*others))
            if len(others) == 1
            else say("{players} voted for it too, and only a single vote wins.", players=scene.opening(*others))
        ),
        rule="S 7.9",
        tone=BAD,
        weight=72,
    )


def doubled(event: TranchesDoubled, scene: Scene) -> Outcome | None:
    """Every tranche was won, which doubles the cash of the reader's tranche; None unless the reader won one."""
    won = any(isinstance(other, TrancheVoted) and other.voters == (scene.me,) for other in scene.before())
    if not won:
        return None
    return scene.outcome(
        "tranche",
        say("Doubled"),
        say("The cash of your tranche was doubled."),
        reason=say("Every tranche was won."),
        tone=GOOD,
        weight=50,
    )


def tranche_paid(event: TranchePaid, scene: Scene) -> Outcome | None:
    """Cash of a tranche: kept, given away, or received from its winner."""
    figure, amount = f"+{thousands(event.amount)}", str(event.amount)
    if event.seat == scene.me == event.giver:
        text = say("You kept {amount} of tranche {tranche}.", amount=amount, tranche=event.pool)
        return scene.own("paid", say_as("received", "Paid"), text, figure=figure, tone=GOOD, weight=60)
    if event.seat == scene.me:
        return scene.outcome(
            "paid",
            say_as("received", "Paid"),
            say("{player} gave you cash of tranche {tranche}.", player=scene.who(event.giver), tranche=event.pool),
            figure=figure,
            tone=GOOD,
            weight=60,
        )
    if event.giver == scene.me:
        to = scene.who(event.seat)
        text = say("You gave {player} {amount} of tranche {tranche}.", player=to, amount=amount, tranche=event.pool)
        return scene.own("gift", say("Given"), text, weight=36)
    return None


def prestige(event: PrestigeGiven, scene: Scene) -> Outcome | None:
    """Tokens of a tranche."""
    return _gift(event.seat, event.company, say("{tokens} prestige", tokens=event.tokens), scene)


def ability(event: AbilityGiven, scene: Scene) -> Outcome | None:
    """The ability of a tranche."""
    return _gift(event.seat, event.company, say(event.ability), scene)


def _gift(giver: int, company: str, what: str, scene: Scene) -> Outcome | None:
    if giver == scene.me:
        text = say("You gave {what} to {company}.", what=what, company=company)
        return scene.own("gift", say("Given"), text, tone=GOOD, weight=46)
    if not scene.held(company):
        return None
    return scene.outcome(
        "company",
        say("Company"),
        say("{player} gave {what} to {company}.", player=scene.who(giver), what=what, company=company),
        reason=count("You hold {n} share.", "You hold {n} shares.", scene.held(company)),
        tone=GOOD,
        weight=38,
    )


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
