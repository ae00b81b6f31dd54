"""The results of a player's tiles and shares in Power Up, and the mergers that concern them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from game.boards.outcomes import GOOD, NEUTRAL, Outcome, Part, Story, outcomes_by_teller
from game.engine.events import Event
from game.engine.language import count, say
from game.engine.phrases import ordinal, thousands
from game.rulesets.power_up.events import (
    CompanyExpanded,
    CompanyFounded,
    FinalCash,
    HolderPaid,
    MergerCompleted,
    ShareBought,
)
from game.rulesets.power_up.tables import COMPANIES

Teller = Callable[[Any, Story], dict[str, Any] | None]


def outcomes(story: Story) -> list[Outcome]:
    """Own tiles, purchases and payouts, and what others did to companies of which the seat holds shares."""

    def tell(teller: Teller, part: Part, at: int) -> Outcome | None:
        fields = teller(part.events[at], story)
        return Outcome(serial=part.serial, **fields) if fields else None

    return outcomes_by_teller(TELLERS, tell, story)


def founded(event: CompanyFounded, story: Story) -> dict[str, Any] | None:
    """The reader's tile founded a company."""
    if event.seat != story.seat:
        return None
    text = say("You played {tile} and founded {company}.", tile=event.tile, company=_title(event.company))
    why = count(
        "It has {n} tile, and you received a share worth {price}.",
        "It has {n} tiles, and you received a share worth {price}.",
        event.size,
        price=thousands(event.price),
    )
    return _fields("tile", say("Founded"), text, why, tone=GOOD, weight=60, is_own=True)


def expanded(event: CompanyExpanded, story: Story) -> dict[str, Any] | None:
    """A company of the reader's grew, whoever played the tile."""
    held = story.view.player(story.seat).shares.get(event.company, 0)
    if not held and event.seat != story.seat:
        return None
    is_own = event.seat == story.seat
    why = _worth(event.price, held)
    tone = GOOD if held else NEUTRAL
    return _fields("tile", say("Grown"), _grown(event, story), why, tone=tone, weight=40, is_own=is_own)


def _grown(event: CompanyExpanded, story: Story) -> str:
    if event.seat == story.seat:
        return count(
            "You expanded {company} to {n} tile.",
            "You expanded {company} to {n} tiles.",
            event.size,
            company=_title(event.company),
        )
    return count(
        "{seat} expanded {company} to {n} tile.",
        "{seat} expanded {company} to {n} tiles.",
        event.size,
        seat=story.names(event.seat),
        company=_title(event.company),
    )


def _worth(price: int, held: int) -> str:
    if held:
        return say("A share is worth {price}; you hold {held}.", price=thousands(price), held=held)
    return say("A share is worth {price}.", price=thousands(price))


def paid(event: HolderPaid, story: Story) -> dict[str, Any] | None:
    """Shares that were bought back in a merger or at the end, with the bonus."""
    if event.seat != story.seat:
        return None
    sale = event.shares * event.price
    text = count(
        "You sold {n} share of {company} at {price}.",
        "You sold {n} shares of {company} at {price}.",
        event.shares,
        company=_title(event.company),
        price=thousands(event.price),
    )
    label, why = say("Paid"), ""
    if event.bonus:
        label = say("Bonus")
        why = say("A bonus of {n} for holding the most or second most shares came with it.", n=thousands(event.bonus))
    return _fields("paid", label, text, why, tone=GOOD, weight=82, figure=f"+{thousands(sale + event.bonus)}")


def merged(event: MergerCompleted, story: Story) -> dict[str, Any] | None:
    """The surviving company of a merger, for its shareholders."""
    held = story.view.player(story.seat).shares.get(event.survivor, 0)
    if not held:
        return None
    text = count(
        "{company} grew to {n} tile by a merger.",
        "{company} grew to {n} tiles by a merger.",
        event.size,
        company=_title(event.survivor),
    )
    return _fields("merger", say("Merger"), text, _worth(event.price, held), tone=GOOD, weight=56)


def bought(event: ShareBought, story: Story) -> dict[str, Any] | None:
    """A share that the reader bought, or that somebody else bought of a company of the reader's."""
    held = story.view.player(story.seat).shares.get(event.company, 0)
    if event.seat != story.seat:
        why = count("You hold {n} share.", "You hold {n} shares.", held)
        text = event.sentence(story.names)
        return _fields("rival", say("Bought"), text, why, weight=32) if held else None
    text = say("You bought a share of {company}.", company=_title(event.company))
    return _fields("bought", say("Bought"), text, "", weight=44, figure=f"−{thousands(event.price)}", is_own=True)


def finished(event: FinalCash, story: Story) -> dict[str, Any] | None:
    if event.seat != story.seat:
        return None
    place = ordinal(event.place)
    text = say("You finished {place} with {cash} in cash.", place=place, cash=thousands(event.cash))
    tone = GOOD if event.place == 1 else NEUTRAL
    return _fields("end", say("{place} place", place=place), text, "", tone=tone, weight=100, is_own=True)


def _fields(kind: str, label: str, text: str, why: str, **more: Any) -> dict[str, Any]:
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
