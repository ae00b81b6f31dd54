"""The vote for one tranche. (S 7.9)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from game.boards.decision import Decision, Request, Values, named
from game.boards.fields import Filled, whole
from game.boards.shapes import Asked, Cards, Option, Preview, Ticket
from game.engine.language import mark, say
from game.engine.offers import Offer
from game.engine.phrases import thousands


class TrancheVote(Decision):
    """Phase 4."""

    prompt = mark("Vote for one tranche")
    names = frozenset({"tranche"})

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        if not form.get("tranche"):
            return []
        return [
            {
                "kind": "vote_tranche",
                "tranche": whole(form, "tranche", mark("The tranche"), 1, max(len(offers), 1), rule="S 7.9"),
            }
        ]

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        return named(request, tranche="tranche")

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        return say("vote for tranche {n}", n=request["tranche"])

    def ticket(self, asked: Asked) -> Ticket:
        """Phase 4: vote for one pool. (S 7.9)"""
        chosen = asked.filled.get("tranche")
        options = tuple(_pool(asked, offer, chosen) for offer in asked.of("vote_tranche"))
        hint = say("You win a tranche only if nobody else votes for it. If every tranche is won, all cash doubles.")
        return Ticket(
            "boards/sectors/panel/cards.html",
            say("Vote for one tranche."),
            Cards("tranche", say("Tranches"), options),
            Preview(hint=hint),
            mark("Tranches"),
            say("{n} on offer", n=len(options)),
            say("Submit vote"),
            say("Do not vote"),
        )


def _pool(asked: Asked, offer: Offer, chosen: str) -> Option:
    pool = next(t for t in asked.view.tranches if t.number == offer.fixed["tranche"])
    ability = say(
        "{prestige} prestige and {ability}. {means}" if pool.prestige else "{ability}. {means}",
        prestige=pool.prestige,
        ability=say(pool.ability),
        means=say(pool.ability_text),
    )
    value = str(pool.number)
    label = say("Tranche {n}: {sector}", n=pool.number, sector=say(pool.sector_title))
    return Option(
        value,
        label,
        ability,
        say("{amount} cash", amount=thousands(pool.cash)),
        "",
        value == chosen,
        offer.refused,
        offer.rule,
    )
