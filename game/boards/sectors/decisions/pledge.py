"""Paying for a headline, together with other players who pledge to it. (S 1.10, A13)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from game.boards.decision import Decision, Filled, Question, Request, Values, named, whole
from game.boards.sectors.decisions import first_order, tranche, turn_sheet
from game.boards.shapes import Cards, Option, Preview, Row, Say, Ticket
from game.engine.language import count, mark, say
from game.engine.offers import Offer
from game.engine.phrases import thousands
from game.rulesets.sectors.tables.common import HEADLINE_SLOTS


class Pledge(Decision):
    """Phase 3: pledge to pay for a headline with others. (S 1.10)"""

    prompt = mark("Pledge to a headline or pass")
    names = frozenset({"headline", "tranche", *turn_sheet.NAMES})

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        if not form.get("headline"):
            return self.ahead(form, offers)
        return [
            {
                "kind": "pledge_headline",
                "headline": whole(form, "headline", mark("The headline"), 1, HEADLINE_SLOTS, rule="S 1.10"),
            },
            *self.ahead(form, offers),
        ]

    def ahead(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        votes = [vote | turn_sheet.READY for vote in tranche.read_vote(form, offers)]
        return [*votes, *turn_sheet.read_rest(form, offers)]

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        rest = turn_sheet.fill_rest(request)
        if rest is not None:
            return rest
        return named(request, **{name: name for name in ("headline", "tranche") if name in request})

    def fit(self, form: Filled, view: Any, offers: Sequence[Offer]) -> Filled:
        return first_order.fit_order(form, offers)

    def redrawn(self, sent: Filled, fitted: Filled) -> list[str]:
        return first_order.redrawn(sent, fitted)

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        if rest := turn_sheet.rest_words(request, view):
            return rest
        if request["kind"] == "vote_tranche":
            return tranche.words_of(request)
        headline = next((h for h in view.headlines if h.slot == request["headline"]), None)
        if headline is None:
            return say("pledge to a headline")
        return say("pledge to the headline “{headline}”", headline=_moved(headline))

    def ticket(self, question: Question) -> Ticket:
        """Phase 3: join the payers of one headline. (S 1.10, A13)"""
        chosen = question.filled.get("headline")
        options = [_headline(question, offer, chosen) for offer in question.of("pledge_headline")]
        none = Option("", say("None of them"), figure="0", checked=not chosen)
        hint = say(
            "Sector priority now: {sectors}. Everyone who pledges pays an equal part, rounded down.",
            sectors=", ".join(say(sector.title) for sector in _by_priority(question)),
        )
        cards = Cards("headline", say("Headlines"), (*options, none))
        return Ticket(
            "boards/sectors/panel/turn_sheet.html",
            say("Pledge to a headline or pass."),
            turn_sheet.sheet_of(question, cards, tranche.cards_ahead(question)),
            _pledge_preview(question, hint),
            mark("Headlines"),
            say("Cash {amount}", amount=thousands(question.you.cash)),
            say("Submit"),
            say("Pass"),
            lasting=turn_sheet.ticks_of(question),
        )


def _headline(question: Question, offer: Offer, chosen: str) -> Option:
    headline = next(h for h in question.view.headlines if h.slot == offer.fixed["headline"])
    after = _order_after(question, headline)
    before = [say(sector.title) for sector in _by_priority(question)]
    new = say("Then: {sectors}", sectors=", ".join(after))
    detail = new if after != before else say("Sector priority would not change.")
    split = _split(headline.cost, len(question.seats))
    value, label = str(headline.slot), _moved(headline)
    return Option(value, label, detail, thousands(headline.cost), split, value == chosen, offer.refused, offer.rule)


def _split(cost: int, seats: int) -> str:
    """What each pays, by how many pledge. (S 1.10)"""
    if seats == 2:
        return say("alone {alone} / both pay {two} each", alone=cost, two=cost // 2)
    return say(
        "alone {alone} / two pay {two} each / all {seats} pay {least} each",
        alone=cost,
        two=cost // 2,
        seats=seats,
        least=cost // seats,
    )


def _moved(headline: Any) -> str:
    sector = say(headline.sector_title)
    if headline.move > 0:
        return count("{sector} {n} place earlier", "{sector} {n} places earlier", headline.move, sector=sector)
    return count("{sector} {n} place later", "{sector} {n} places later", -headline.move, sector=sector)


def _by_priority(question: Question) -> list[Any]:
    return sorted(question.view.sectors, key=lambda sector: sector.priority)


def _order_after(question: Question, headline: Any) -> list[str]:
    """The order of the sectors after the headline is paid. (S 1.10)"""
    order = [(sector.key, say(sector.title)) for sector in _by_priority(question)]
    at = next(place for place, (key, _) in enumerate(order) if key == headline.sector)
    order.insert(min(max(at - headline.move, 0), len(order) - 1), order.pop(at))
    return [title for _, title in order]


def _pledge_preview(question: Question, hint: str) -> Preview:
    request = question.request("pledge_headline")
    headline = next((h for h in question.view.headlines if request and h.slot == request["headline"]), None)
    if headline is None:
        return Preview(hint=hint)
    cash, least = question.you.cash, headline.cost // len(question.seats)
    rows = (
        Row(say("If you pay alone"), thousands(headline.cost)),
        Row(say("If all {n} players pay", n=len(question.seats)), thousands(least)),
        Row(
            say("Cash then"), say("{low} to {high}", low=thousands(cash - headline.cost), high=thousands(cash - least))
        ),
        Row(say("New sector priority"), ", ".join(_order_after(question, headline))),
    )
    says: tuple[Say, ...] = ()
    if cash < headline.cost:
        too_dear = say(
            "If nobody else pledges, it costs {cost}; you have {cash}. Your pledge is then dropped and costs nothing.",
            cost=headline.cost,
            cash=cash,
        )
        says = (Say(too_dear, "A13"),)
    return Preview(say("If the headline is paid"), rows, says, hint)
