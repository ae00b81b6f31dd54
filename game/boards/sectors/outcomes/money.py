"""Payments to a player and by them: dividends, interest, tax, forced sales, and the final worth."""

from __future__ import annotations

from game.boards.outcomes import BAD, GOOD, NEUTRAL, Outcome
from game.boards.sectors.outcomes.scene import Scene, Tellers, mine
from game.boards.sectors.outcomes.votes import has_won
from game.engine.language import count, say, say_as
from game.engine.phrases import ordinal, percent, thousands
from game.rulesets.sectors.events.operations import DividendPaid, LiquidationPaid, ShortDividendPaid, WentBankrupt
from game.rulesets.sectors.events.orders import ShortInterestPaid
from game.rulesets.sectors.events.upkeep import BankBroke, Divested, FinalWorth, TaxPaid


@mine
def dividend(event: DividendPaid, scene: Scene) -> Outcome | None:
    """A dividend on own shares; one for which the reader voted is told with the vote."""
    if any(has_won(each, event.company, scene.me) for each in scene.story.events()):
        return None
    return scene.outcome(
        "paid",
        say_as("received", "Paid"),
        count(
            "{company} paid you dividends on {n} share.",
            "{company} paid you dividends on {n} shares.",
            event.shares,
            company=event.company,
        ),
        figure=f"+{thousands(event.amount)}",
        tone=GOOD,
        weight=54,
    )


@mine
def short_dividend(event: ShortDividendPaid, scene: Scene) -> Outcome:
    """A dividend owed on a short."""
    less = say("You owed {owed} and had less.", owed=thousands(event.owed)) if event.amount < event.owed else ""
    text = say("You paid the dividends of {company} on your short.", company=event.company)
    return scene.outcome(
        "cost", say("Owed"), text, reason=less, figure=f"−{thousands(event.amount)}", tone=BAD, weight=52
    )


@mine
def interest(event: ShortInterestPaid, scene: Scene) -> Outcome:
    """The cost of an open short each turn."""
    text = say("You paid interest on your short in {company}.", company=event.company)
    figure = f"−{thousands(event.amount)}"
    return scene.outcome("cost", say("Paid out"), text, figure=figure, tone=NEUTRAL, weight=34)


@mine
def tax(event: TaxPaid, scene: Scene) -> Outcome:
    rate, base = percent(event.percent), thousands(event.base)
    text = say("You paid capital gains tax: {rate} of {base}.", rate=rate, base=base)
    return scene.outcome("cost", say("Paid out"), text, figure=f"−{thousands(event.amount)}", weight=36)


@mine
def divested(event: Divested, scene: Scene) -> Outcome:
    """A sale that the certificate limit forces."""
    return scene.outcome(
        "forced",
        say("Forced sale"),
        say(
            "You had to sell {shares} {company} at {price}.",
            shares=event.shares,
            company=event.company,
            price=thousands(event.price),
        ),
        reason=say(
            "You held more than {limit} shares, the certificate limit; the shares to sell were drawn at random.",
            limit=event.limit,
        ),
        rule="S 7.2",
        figure=f"+{thousands(event.shares * event.price)}",
        tone=BAD,
        weight=78,
    )


@mine
def liquidated(event: LiquidationPaid, scene: Scene) -> Outcome:
    """Shares of a company that went bankrupt."""
    fate = next((e for e in scene.before() if isinstance(e, WentBankrupt) and e.company == event.company), None)
    why = (
        say(
            "It needed {needed} and was given {given}. You were paid 10% of the price.",
            needed=thousands(fate.shortfall),
            given=thousands(fate.worth),
        )
        if fate
        else say("You were paid 10% of the price.")
    )
    return scene.outcome(
        "bankrupt",
        say("Bankrupt"),
        count(
            "{company} went bankrupt and your {n} share is gone.",
            "{company} went bankrupt and your {n} shares are gone.",
            event.shares,
            company=event.company,
        ),
        reason=why,
        rule="S 6.12",
        figure=f"+{thousands(event.amount)}",
        tone=BAD,
        weight=94,
    )


def bank_broke(event: BankBroke, scene: Scene) -> Outcome:
    """Why the game is over."""
    return scene.outcome("end", say("Bank broke"), say("The bank broke, so this turn was the last."), weight=60)


@mine
def final_worth(event: FinalWorth, scene: Scene) -> Outcome:
    return scene.outcome(
        "end",
        say("{ordinal} place", ordinal=ordinal(event.place)),
        say(
            "You finished {ordinal} with a net worth of {worth}.",
            ordinal=ordinal(event.place),
            worth=thousands(event.worth),
        ),
        tone=GOOD if event.place == 1 else NEUTRAL,
        weight=100,
        is_own=True,
    )


TELLERS: Tellers = {
    DividendPaid: dividend,
    ShortDividendPaid: short_dividend,
    ShortInterestPaid: interest,
    TaxPaid: tax,
    Divested: divested,
    LiquidationPaid: liquidated,
    BankBroke: bank_broke,
    FinalWorth: final_worth,
}
