"""What became of a player's tiles and shares in Power Up, and which mergers concern them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from game.boards.outcomes import GOOD, NEUTRAL, Outcome, Story, kernel_outcome
from game.engine.events import Event
from game.engine.phrases import ordinal, plural, thousands
from game.rulesets.power_up.events import (
    CompanyExpanded,
    CompanyFounded,
    FinalCash,
    HolderPaid,
    MergerCompleted,
    ShareBought,
)
from game.rulesets.power_up.tables.companies import COMPANIES

Teller = Callable[[Any, Story], dict[str, Any] | None]


def outcomes(story: Story) -> list[Outcome]:
    """Own tiles, purchases and payouts, and what others did to companies of which the seat holds shares."""
    told = []
    for part in story.parts:
        for event in part.events:
            teller = TELLERS.get(type(event))
            found = teller(event, story) if teller else None
            if found:
                told.append(Outcome(serial=part.serial, **found))
            elif teller is None and story.seat in event.seats() and (missed := kernel_outcome(event, part.serial)):
                told.append(missed)
    return told


def founded(event: CompanyFounded, story: Story) -> dict[str, Any] | None:
    """An own tile that made a company."""
    if event.seat != story.seat:
        return None
    text = f"You played {event.tile} and founded {_title(event.company)}."
    why = f"It has {plural(event.size, 'tile')}, and you received a share at {thousands(event.price)}."
    return _said("tile", "Founded", text, why, tone=GOOD, weight=60, is_own=True)


def expanded(event: CompanyExpanded, story: Story) -> dict[str, Any] | None:
    """A company of the reader's that grew, by whoever's tile."""
    held = story.view.player(story.seat).shares.get(event.company, 0)
    if not held and event.seat != story.seat:
        return None
    who = "You" if event.seat == story.seat else story.names(event.seat)
    text = f"{who} expanded {_title(event.company)} to {plural(event.size, 'tile')}."
    why = f"A share is worth {thousands(event.price)}" + (f"; you hold {held}." if held else ".")
    return _said("tile", "Grown", text, why, tone=GOOD if held else NEUTRAL, weight=40, is_own=event.seat == story.seat)


def paid(event: HolderPaid, story: Story) -> dict[str, Any] | None:
    """Shares that were bought back in a merger or at the end, with the bonus."""
    if event.seat != story.seat:
        return None
    sale = event.shares * event.price
    text = f"You sold {plural(event.shares, 'share')} of {_title(event.company)} at {thousands(event.price)}."
    why = f"A bonus of {thousands(event.bonus)} for holding most or second most came with it." if event.bonus else ""
    label = "Bonus" if event.bonus else "Paid"
    return _said("paid", label, text, why, tone=GOOD, weight=82, figure=f"+{thousands(sale + event.bonus)}")


def merged(event: MergerCompleted, story: Story) -> dict[str, Any] | None:
    """What survived a merger, for those who hold it."""
    held = story.view.player(story.seat).shares.get(event.survivor, 0)
    if not held:
        return None
    text = f"{_title(event.survivor)} grew to {plural(event.size, 'tile')} by a merger."
    why = f"A share is worth {thousands(event.price)}; you hold {held}."
    return _said("merger", "Merger", text, why, tone=GOOD, weight=56)


def bought(event: ShareBought, story: Story) -> dict[str, Any] | None:
    """A share that the reader bought."""
    if event.seat != story.seat:
        return None
    text = f"You bought a share of {_title(event.company)}."
    return _said("bought", "Bought", text, "", weight=44, figure=f"−{thousands(event.price)}", is_own=True)


def finished(event: FinalCash, story: Story) -> dict[str, Any] | None:
    """The place at the end."""
    if event.seat != story.seat:
        return None
    text = f"You finished {ordinal(event.place)} with {thousands(event.cash)} in cash."
    tone = GOOD if event.place == 1 else NEUTRAL
    return _said("end", f"{ordinal(event.place)} place", text, "", tone=tone, weight=100, is_own=True)


def _said(kind: str, label: str, text: str, why: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "label": label, "text": text, "reason": why, **more}


def _title(company: str) -> str:
    return COMPANIES[company].title


TELLERS: dict[type[Event], Teller] = {
    CompanyFounded: founded,
    CompanyExpanded: expanded,
    HolderPaid: paid,
    MergerCompleted: merged,
    ShareBought: bought,
    FinalCash: finished,
}
