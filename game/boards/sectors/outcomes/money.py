"""What was paid to a player and by them: dividends, interest, tax, forced sales, and the final worth."""

from __future__ import annotations

from game.boards.outcomes import BAD, GOOD, NEUTRAL, Outcome
from game.boards.sectors.outcomes.scene import Scene, Tellers, mine
from game.engine.phrases import ordinal, plural, thousands
from game.rulesets.sectors.events.operations import DividendPaid, LiquidationPaid, ShortDividendPaid, WentBankrupt
from game.rulesets.sectors.events.orders import ShortInterestPaid
from game.rulesets.sectors.events.upkeep import BankBroke, Divested, FinalWorth, TaxPaid


@mine
def dividend(event: DividendPaid, scene: Scene) -> Outcome:
    """A dividend on own shares."""
    return scene.told(
        "paid",
        "Paid",
        f"{event.company} paid you dividends on {plural(event.shares, 'share')}.",
        figure=f"+{thousands(event.amount)}",
        tone=GOOD,
        weight=54,
    )


@mine
def short_dividend(event: ShortDividendPaid, scene: Scene) -> Outcome:
    """A dividend owed on a short."""
    less = f"You owed {thousands(event.owed)} and had less." if event.amount < event.owed else ""
    text = f"You paid the dividends of {event.company} on your short."
    return scene.told("cost", "Owed", text, reason=less, figure=f"−{thousands(event.amount)}", tone=BAD, weight=52)


@mine
def interest(event: ShortInterestPaid, scene: Scene) -> Outcome:
    """What an open short costs each turn."""
    text, figure = f"You paid interest on your short in {event.company}.", f"−{thousands(event.amount)}"
    return scene.told("cost", "Paid out", text, figure=figure, tone=NEUTRAL, weight=34)


@mine
def tax(event: TaxPaid, scene: Scene) -> Outcome:
    """Capital gains."""
    text = f"You paid capital gains tax: {event.percent}% of {thousands(event.base)}."
    return scene.told("cost", "Paid out", text, figure=f"−{thousands(event.amount)}", weight=36)


@mine
def divested(event: Divested, scene: Scene) -> Outcome:
    """A sale that the certificate limit forces."""
    return scene.told(
        "forced",
        "Forced sale",
        f"You had to sell {event.shares} {event.company} at {thousands(event.price)}.",
        reason=f"You held more than {event.limit} shares, the certificate limit; which ones go is drawn.",
        rule="S 7.2",
        figure=f"+{thousands(event.shares * event.price)}",
        tone=BAD,
        weight=78,
    )


@mine
def liquidated(event: LiquidationPaid, scene: Scene) -> Outcome:
    """Shares of a company that went bankrupt."""
    fate = next((e for e in scene.before() if isinstance(e, WentBankrupt) and e.company == event.company), None)
    why = f"It needed {thousands(fate.shortfall)} and was given {thousands(fate.worth)}. " if fate else ""
    return scene.told(
        "bankrupt",
        "Bankrupt",
        f"{event.company} went bankrupt and your {plural(event.shares, 'share')} are gone.",
        reason=f"{why}You were paid 10% of the price.",
        rule="S 6.12",
        figure=f"+{thousands(event.amount)}",
        tone=BAD,
        weight=94,
    )


def bank_broke(event: BankBroke, scene: Scene) -> Outcome:
    """Why it is over."""
    return scene.told("end", "Bank broke", "The bank broke, so this turn was the last.", weight=60)


@mine
def final_worth(event: FinalWorth, scene: Scene) -> Outcome:
    """The place at the end."""
    return scene.told(
        "end",
        f"{ordinal(event.place)} place",
        f"You finished {ordinal(event.place)} with a net worth of {thousands(event.worth)}.",
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
