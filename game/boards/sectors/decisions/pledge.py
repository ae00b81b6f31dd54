"""Paying for a headline, together with other players who pledge to it. (S 1.10, A13)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from game.boards.decision import Decision, Request, Values, named
from game.boards.fields import Filled, whole
from game.boards.shapes import Asked, Cards, Option, Preview, Row, Say, Ticket
from game.engine.offers import Offer
from game.engine.phrases import plural, thousands
from game.rulesets.sectors.tables.common import HEADLINE_SLOTS


class Pledge(Decision):
    """Phase 3."""

    prompt = "Pledge to a headline, or skip them"
    names = frozenset({"headline"})

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        if not form.get("headline"):
            return []
        return [
            {
                "kind": "pledge_headline",
                "headline": whole(form, "headline", "The headline", 1, HEADLINE_SLOTS, rule="S 1.10"),
            }
        ]

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        return named(request, headline="headline")

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        headline = next((h for h in view.headlines if h.slot == request["headline"]), None)
        return f"pledge to the {headline.sector_title} headline" if headline else "pledge to a headline"

    def ticket(self, asked: Asked) -> Ticket:
        """Phase 3: join the payers of one headline. (S 1.10, A13)"""
        chosen = asked.filled.get("headline")
        options = [_headline(asked, offer, chosen) for offer in asked.of("pledge_headline")]
        none = Option("", "None of them", "You pay nothing.", "0", checked=not chosen)
        now = ", ".join(sector.title for sector in _by_priority(asked))
        hint = f"Sector priority now: {now}. Everyone who pledges pays an equal part, rounded down."
        cards, cash = Cards("headline", "Headlines", (*options, none)), f"Cash {thousands(asked.you.cash)}"
        return Ticket(
            "boards/sectors/panel/cards.html",
            "Pledge to a headline, or skip them.",
            cards,
            _pledge_preview(asked, hint),
            "Headlines",
            cash,
            "Submit pledge",
            "Skip headlines",
        )


def _headline(asked: Asked, offer: Offer, chosen: str) -> Option:
    headline = next(h for h in asked.view.headlines if h.slot == offer.fixed["headline"])
    way = "earlier" if headline.move > 0 else "later"
    after = _order_after(asked, headline)
    before = [sector.title for sector in _by_priority(asked)]
    detail = f"New sector priority: {', '.join(after)}" if after != before else "Sector priority would not change."
    split = (
        f"alone {headline.cost} / two pay {headline.cost // 2} each / all {len(asked.seats)} pay "
        f"{headline.cost // len(asked.seats)} each"
    )
    label = f"{headline.sector_title} {plural(abs(headline.move), 'place')} {way}"
    value = str(headline.slot)
    return Option(value, label, detail, thousands(headline.cost), split, value == chosen, offer.refused, offer.rule)


def _by_priority(asked: Asked) -> list[Any]:
    return sorted(asked.view.sectors, key=lambda sector: sector.priority)


def _order_after(asked: Asked, headline: Any) -> list[str]:
    """The sectors in their order once the headline is paid. (S 1.10)"""
    order = [(sector.key, sector.title) for sector in _by_priority(asked)]
    at = next(place for place, (key, _) in enumerate(order) if key == headline.sector)
    order.insert(min(max(at - headline.move, 0), len(order) - 1), order.pop(at))
    return [title for _, title in order]


def _pledge_preview(asked: Asked, hint: str) -> Preview:
    request = asked.request("pledge_headline")
    headline = next((h for h in asked.view.headlines if request and h.slot == request["headline"]), None)
    if headline is None:
        return Preview(hint=hint)
    cash, least = asked.you.cash, headline.cost // len(asked.seats)
    rows = (
        Row("If you pay alone", thousands(headline.cost)),
        Row(f"If all {len(asked.seats)} pay", thousands(least)),
        Row("Cash", f"{thousands(cash - headline.cost)} to {thousands(cash - least)}", thousands(cash)),
        Row("New sector priority", ", ".join(_order_after(asked, headline))),
    )
    says: tuple[Say, ...] = ()
    if cash < headline.cost:
        says = (
            Say(
                f"If nobody else pledges, it costs {headline.cost}; you have {cash}. Your pledge is then dropped "
                "and costs nothing.",
                "A13",
            ),
        )
    return Preview("If the headline is paid", rows, says, hint)
