"""The vote for one tranche. (S 7.9)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from game.boards.decision import Decision, Filled, Question, Request, Values, named, whole
from game.boards.sectors.decisions import first_order, turn_sheet
from game.boards.shapes import Cards, Option, Preview, Ticket
from game.engine.language import mark, say
from game.engine.offers import Offer
from game.engine.phrases import thousands


class TrancheVote(Decision):
    """Phase 4: vote for a tranche. (S 7.9)"""

    prompt = mark("Vote for one tranche; you get it only if nobody else votes for it")
    names = frozenset({"tranche", *turn_sheet.NAMES})
    is_vote = True
    choice = ("tranche", mark("Choose a tranche."))

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        return [*read_vote(form, offers), *self.ahead(form, offers)]

    def ahead(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        return turn_sheet.read_rest(form, offers)

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        rest = turn_sheet.fill_rest(request)
        if rest is not None:
            return rest
        return named(request, tranche="tranche")

    def fit(self, form: Filled, view: Any, offers: Sequence[Offer]) -> Filled:
        return first_order.fit_order(form, offers)

    def redrawn(self, sent: Filled, fitted: Filled) -> list[str]:
        return first_order.redrawn(sent, fitted)

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        return turn_sheet.rest_words(request, view) or words_of(request)

    def ticket(self, question: Question) -> Ticket:
        """Phase 4: vote for one pool. (S 7.9)"""
        cards = cards_of(question)
        assert cards is not None
        rule = say("If every tranche is won, all cash doubles.")
        return Ticket(
            "boards/sectors/panel/turn_sheet.html",
            say("Vote for one tranche. You get it only if nobody else votes for it."),
            turn_sheet.sheet_of(question, cards, None, rule),
            Preview(),
            mark("Tranches"),
            say("{n} on offer", n=len(cards.options)),
            say("Submit vote"),
            say("Do not vote"),
            lasting=turn_sheet.ticks_of(question),
        )


def read_vote(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    """The vote in a form, if any. Raises `BadField`."""
    if not form.get("tranche"):
        return []
    most = sum(offer.kind == "vote_tranche" for offer in offers)
    return [
        {"kind": "vote_tranche", "tranche": whole(form, "tranche", mark("The tranche"), 1, max(most, 1), rule="S 7.9")}
    ]


def words_of(request: Mapping[str, Any]) -> str:
    """The vote in a player's words, as part of a sentence."""
    return say("vote for tranche {n}", n=request["tranche"])


def cards_of(question: Question) -> Cards | None:
    """The tranches to choose from; None if there are none this turn."""
    chosen = question.filled.get("tranche")
    options = tuple(_pool(question, offer, chosen) for offer in question.of("vote_tranche"))
    return Cards("tranche", say("Tranches"), options) if options else None


def cards_ahead(question: Question) -> Cards | None:
    """The tranches for a vote ahead, which can also be left for its own phase; None if there are none this turn."""
    cards, none = cards_of(question), Option("", say("Ask me then"), checked=not question.filled.get("tranche"))
    return cards and Cards(cards.name, cards.legend, (*cards.options, none))


def _pool(question: Question, offer: Offer, chosen: str) -> Option:
    pool = next(t for t in question.view.tranches if t.number == offer.fixed["tranche"])
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
