"""Distributing a tranche that was won. (S 7.9, A72)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from game.boards.decision import BadField, Decision, Filled, Question, Request, Values, whole
from game.boards.shapes import Option, Preview, Row, Say, Ticket
from game.engine.language import count, mark, say
from game.engine.offers import Choice, Offer, Split
from game.engine.phrases import thousands


class SplitForm(msgspec.Struct, frozen=True):
    """The distribution of a tranche that was won."""

    pool: Any
    rows: tuple[tuple[Any, str], ...]
    choices: tuple[tuple[str, str, tuple[Option, ...]], ...]


class Distribution(Decision):
    """Phase 6: the winner of a tranche splits its cash among all seats and gives its prestige and its ability to
    companies of its sector."""

    prompt = mark("Split your tranche")
    names = frozenset({"cash_", "prestige_to", "ability_to"})

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        split = next(
            (field for offer in offers for field in offer.fields if isinstance(field, Split)),
            Split("cash", mark("Cash"), 0, ()),
        )
        texts = {str(seat): form.get(f"cash_{seat}") for seat in split.seats}
        cash = {
            seat: whole(form, f"cash_{seat}", mark("Starting cash of each player"), 0, split.total, rule="S 7.9")
            for seat, text in texts.items()
            if text
        }
        if sum(cash.values()) > split.total:
            raise BadField(
                "cash",
                "The tranche holds {there}; you gave away {given}.",
                "S 7.9",
                there=split.total,
                given=sum(cash.values()),
            )
        request: Request = {
            "kind": "distribute_tranche",
            "cash": {seat: amount for seat, amount in cash.items() if amount},
        }
        return [request | {name: form.get(name) for name in ("prestige_to", "ability_to") if form.get(name)}]

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        cash = {f"cash_{seat}": [str(amount)] for seat, amount in (request.get("cash") or {}).items()}
        return cash | {name: [str(request.get(name) or "")] for name in ("prestige_to", "ability_to")}

    def with_defaults(self, question: Question) -> Filled:
        """If nothing is chosen, prestige and ability go to the company of the sector in which the winner holds most; a
        form that was sent, or that shows a submission, keeps its choice, even if that is no company."""
        chosen = question.filled.names()
        likely = {
            field.name: _own_company(question, field)
            for offer in question.offers
            for field in offer.fields
            if isinstance(field, Choice) and field.name not in chosen and not question.is_sent
        }
        return question.filled.with_(**{name: ticker for name, ticker in likely.items() if ticker})

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        total = sum((request.get("cash") or {}).values())
        parts = [say("split {amount}", amount=total)]
        if request.get("prestige_to"):
            parts.append(say("prestige to {company}", company=request["prestige_to"]))
        if request.get("ability_to"):
            parts.append(say("ability to {company}", company=request["ability_to"]))
        return ", ".join(parts)

    def ticket(self, question: Question) -> Ticket:
        """A field of cash for each other seat, and a choice of company for each prize. (S 7.9, A72)"""
        pool = next(t for t in question.view.tranches if t.winner == question.view.seat)
        fields = [field for offer in question.offers for field in offer.fields]
        split = next(field for field in fields if isinstance(field, Split))
        others = [seat for seat in split.seats if seat != question.view.seat]
        rows = tuple((question.seats[seat], question.filled.get(f"cash_{seat}") or "0") for seat in others)
        choices = tuple(_prize(question, field) for field in fields if isinstance(field, Choice))
        title = count(
            "Split the tranche you won: {n} dollar and {ability}.",
            "Split the tranche you won: {n} dollars and {ability}.",
            pool.cash,
            ability=say(pool.ability),
        )
        return Ticket(
            "boards/sectors/panel/split.html",
            title,
            SplitForm(pool, rows, choices),
            _split_preview(question, pool),
            say("Tranche {n}", n=pool.number),
            say(pool.sector_title),
            say("Submit distribution"),
            say("Keep the cash only"),
        )


def _own_company(question: Question, field: Choice) -> str:
    """The company among the choices of which the viewer holds most; empty if they hold shares of none."""
    shares = {str(ticker): question.you.holdings.get(ticker, 0) for ticker, _ in field.values}
    return max(shares, key=shares.__getitem__) if any(shares.values()) else ""


def _prize(question: Question, field: Choice) -> tuple[str, str, tuple[Option, ...]]:
    chosen = question.filled.get(field.name)
    nobody = Option("", say("No company: it is lost"), checked=not chosen)
    options = (nobody, *(Option(str(v), f"{v}, {say(words)}", checked=str(v) == chosen) for v, words in field.values))
    return field.name, say(field.label), options


def _split_preview(question: Question, pool: Any) -> Preview:
    request = question.request("distribute_tranche")
    if request is None:
        return Preview()
    others = {int(seat): amount for seat, amount in request["cash"].items() if int(seat) != question.view.seat}
    given_away, cash = sum(others.values()), question.you.cash
    own_cash = pool.cash - given_away
    rows = (
        Row(say("Given to others"), thousands(given_away), note=say("of {n}", n=pool.cash)),
        Row(say("Left for you"), f"{pool.cash} − {given_away} = {own_cash}"),
        Row(say("Your cash"), thousands(cash + own_cash), thousands(cash)),
    )
    lost = LOST.get((bool(pool.prestige and not request.get("prestige_to")), not request.get("ability_to")), "")
    says = (Say(say(lost), "A72"),) if lost else ()
    return Preview(say("If you split it like this"), rows, says, say("Cash you do not give away is yours."))


LOST = {
    (True, True): mark("No company gets the prestige and ability; they are lost."),
    (True, False): mark("No company gets the prestige; it is lost."),
    (False, True): mark("No company gets the ability; it is lost."),
}
"""Texts by whether the prestige and the ability are lost."""
