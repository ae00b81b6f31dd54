"""The forms of the sealed decisions: premiums, withholding, striking, suspension and tenders. (ST 4.10, 4.11)"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from game.boards.decision import Filled, Question, Request, Values
from game.boards.shapes import Option, Row
from game.boards.stock_market_tycoon.decisions.sealed import NAMES, Part, Sealed, choices_of, number_in, several_in
from game.boards.stock_market_tycoon.market import share_of
from game.engine.language import count, mark, say
from game.engine.offers import Offer, Range, Several
from game.engine.phrases import thousands
from game.rulesets.stock_market_tycoon.cards import signed, sum_of, value_of
from game.rulesets.stock_market_tycoon.tables import BUYBACK_BLOCK, BUYBACK_RISE
from game.rulesets.stock_market_tycoon.view import CompanyView

Facts = tuple[tuple[str, str], ...]


def own_facts(question: Question, company: CompanyView) -> Facts:
    """The price of a company, and the viewer's shares of it."""
    held = question.you.shares.get(company.key, 0)
    own = say("{n}, {part}", n=thousands(held), part=share_of(held, company))
    return (say("Price"), thousands(company.price)), (say("Your shares"), own)


def worth_row(question: Question, company: CompanyView, price: int) -> Row:
    """The worth of the viewer's shares at a price."""
    held = question.you.shares.get(company.key, 0)
    return Row(say("Your shares are worth"), thousands(held * price), thousands(held * company.price))


class SetPremiums(Sealed):
    """What options on one’s own companies cost this year."""

    prompt = mark("Set what options on your company cost")
    kind = "set_premium"
    heading = mark("Option premiums")
    none = mark("Usual premium")
    names = NAMES | {"set_premium_"}

    def fill_part(self, request: Mapping[str, Any]) -> Values:
        return {f"set_premium_{request['company']}": [str(request["rate"])]}

    def parts(self, question: Question) -> tuple[Part, ...]:
        return tuple(self._part(question, offer) for offer in question.of(self.kind))

    def _part(self, question: Question, offer: Offer) -> Part:
        company, name = question.view.company(offer.fixed["company"]), self.name_of(offer)
        return Part(
            company.key,
            company.title,
            name,
            "rates",
            own_facts(question, company),
            choices_of(question, offer, name),
            say("usual"),
        )

    def rows(self, question: Question) -> tuple[Row, ...]:
        """What options on 1,000 shares cost."""
        chosen = {request["company"]: request["rate"] for request in self.requests_in(question)}
        rows = []
        for offer in question.of(self.kind):
            company = question.view.company(offer.fixed["company"])
            rate = chosen.get(company.key, company.rate)
            label = say("Options on 1,000 {company} cost", company=company.title)
            rows.append(Row(label, thousands(company.price * 1000 * rate // 100)))
        return tuple(rows)


class WithholdCards(Sealed):
    """A Director's own card that is not shown."""

    prompt = mark("Withhold a card of a company that you direct, or none")
    kind = "withhold"
    heading = mark("Withhold a card")
    none = mark("Withhold none")
    names = NAMES | {"withhold_"}

    def fill_part(self, request: Mapping[str, Any]) -> Values:
        return {f"withhold_{request['company']}": [request["card"]]}

    def parts(self, question: Question) -> tuple[Part, ...]:
        parts = []
        for offer in question.of(self.kind):
            company, name = question.view.company(offer.fixed["company"]), self.name_of(offer)
            options = choices_of(question, offer, name)
            facts = (*own_facts(question, company), (say("Your cards of it"), signed(company.my_sum or 0)))
            parts.append(Part(company.key, company.title, name, "cards", facts, options, say("none")))
        return tuple(parts)

    def rows(self, question: Question) -> tuple[Row, ...]:
        """The price after one’s own cards; others' cards will change it further."""
        cards = {request["company"]: request["card"] for request in self.requests_in(question)}
        rows: list[Row] = []
        for offer in question.of(self.kind):
            company = question.view.company(offer.fixed["company"])
            card = cards.get(offer.fixed["company"])
            total = (company.my_sum or 0) - (value_of(card) if card else 0)
            label = say("{company} by your cards alone", company=company.title)
            price = max(0, company.price + total)
            rows += [Row(label, thousands(price), thousands(company.price), note=signed(total))]
            rows.append(worth_row(question, company, price))
        return tuple(rows)


class StrikeCards(Sealed):
    """The card on the table that a Chairman cancels."""

    prompt = mark("Strike a card of a company that you chair, or none")
    kind = "strike"
    heading = mark("Strike a card")
    none = mark("Strike none")
    names = NAMES | {"strike_"}

    def read_part(self, form: Filled, offer: Offer) -> list[Request]:
        name, owner = self.name_of(offer), str(offer.fixed["owner"])
        whose, _, card = form.get(name).partition("/")
        return super().read_part(Filled({name: [card]}), offer) if whose == owner else []

    def fill_part(self, request: Mapping[str, Any]) -> Values:
        return {f"strike_{request['company']}": [f"{request['owner']}/{request['card']}"]}

    def parts(self, question: Question) -> tuple[Part, ...]:
        offers = question.of(self.kind)
        keys = dict.fromkeys(offer.fixed["company"] for offer in offers)
        return tuple(
            self._part(question, question.view.company(key), [o for o in offers if o.fixed["company"] == key])
            for key in keys
        )

    def _part(self, question: Question, company: CompanyView, offers: Iterable[Offer]) -> Part:
        name = f"strike_{company.key}"
        chosen = question.filled.get(name)
        options = [
            Option(
                f"{offer.fixed['owner']}/{option.value}",
                option.label,
                question.name(offer.fixed["owner"]),
                checked=f"{offer.fixed['owner']}/{option.value}" == chosen,
                extra=option.value,
            )
            for offer in offers
            for option in choices_of(question, offer, name)
        ]
        facts = (*own_facts(question, company), (say("Cards shown"), signed(_shown_sum(question, company))))
        return Part(company.key, company.title, name, "cards", facts, tuple(options), say("none"))

    def rows(self, question: Question) -> tuple[Row, ...]:
        """The new price, and the worth of the viewer's shares at it."""
        struck = {request["company"]: request["card"] for request in self.requests_in(question)}
        rows: list[Row] = []
        for part in self.parts(question):
            company = question.view.company(part.company)
            card = struck.get(part.company)
            total = _shown_sum(question, company) - (value_of(card) if card else 0)
            price = max(0, company.price + total)
            label = say("New price of {company}", company=company.title)
            rows += [Row(label, thousands(price), thousands(company.price), note=signed(total))]
            rows.append(worth_row(question, company, price))
        return tuple(rows)


def _shown_sum(question: Question, company: CompanyView) -> int:
    """The sum of the cards of a company on the table."""
    return sum_of(company.key, [owned.card for owned in question.view.revealed])


class SuspendShares(Sealed):
    """Companies whose price goes back to the end of last year."""

    prompt = mark("Suspend a company’s share, or none")
    kind = "suspend"
    heading = mark("Share Suspended")
    none = mark("Suspend none")
    names = frozenset({"suspend"})
    lists = frozenset({"suspend"})

    def read_part(self, form: Filled, offer: Offer) -> list[Request]:
        (field,) = offer.fields
        assert isinstance(field, Several)
        chosen = several_in(form, "suspend", field, offer.rule)
        return [{"kind": "suspend", "companies": chosen}] if chosen else []

    def fill_part(self, request: Mapping[str, Any]) -> Values:
        return {"suspend": list(request["companies"])}

    def parts(self, question: Question) -> tuple[Part, ...]:
        (offer,) = question.of(self.kind)
        chosen = question.filled.several("suspend")
        options = tuple(self._option(question, company, chosen) for company in question.view.companies)
        (field,) = offer.fields
        assert isinstance(field, Several)
        most = count("You hold {n} card: choose up to one.", "You hold {n} cards: choose up to {n}.", field.most)
        return (Part("", most, "suspend", "companies", options=options),)

    def _option(self, question: Question, company: CompanyView, chosen: list[str]) -> Option:
        change = company.last_close - company.price
        effect = question.you.shares.get(company.key, 0) * change
        detail = say("{was} to {now}", was=thousands(company.price), now=thousands(company.last_close))
        figure = signed(effect) if effect else ""
        return Option(company.key, company.title, detail, figure, checked=company.key in chosen)

    def rows(self, question: Question) -> tuple[Row, ...]:
        request = question.request("suspend")
        rows: list[Row] = []
        for key in request["companies"] if request else ():
            company = question.view.company(key)
            price = company.last_close
            rows.append(Row(company.title, thousands(price), thousands(company.price)))
            rows += [worth_row(question, company, price), *_contract_rows(question, company, price)]
        return tuple(rows)


def _contract_rows(question: Question, company: CompanyView, price: int) -> list[Row]:
    """What the price does to the viewer's short sales and options of a company."""
    seat, rows = question.view.seat, []
    for short in question.view.shorts:
        if (short.seat, short.company) == (seat, company.key):
            was, now = (short.shares * (short.entry - each) for each in (company.price, price))
            rows.append(Row(say("Your short sale"), signed(now), signed(was)))
    for option in question.view.contracts:
        if (option.seat, option.company) == (seat, company.key):
            way = 1 if option.kind == "call" else -1
            was, now = (max(0, way * (each - option.strike)) * option.shares for each in (company.price, price))
            rows.append(Row(say("Your options"), thousands(now), thousands(was)))
    return rows


class OfferShares(Sealed):
    """How many shares the viewer offers to a Chairman who buys back."""

    prompt = mark("Say how many shares you tender")
    kind = "tender"
    heading = mark("Tender")
    none = mark("Tender none")
    names = NAMES | {"tender"}

    def read_part(self, form: Filled, offer: Offer) -> list[Request]:
        (field,) = offer.fields
        assert isinstance(field, Range)
        if not form.get("tender"):
            return []
        return [{"kind": "tender", "shares": number_in(form, "tender", field, offer.rule)}]

    def fill_part(self, request: Mapping[str, Any]) -> Values:
        return {"tender": [str(request["shares"])]}

    def with_defaults(self, question: Question) -> Filled:
        """Nothing, until something is entered."""
        return question.filled if question.filled.get("tender") else question.filled.with_(tender="0")

    def parts(self, question: Question) -> tuple[Part, ...]:
        buyback = question.view.buyback
        company = question.view.company(buyback.company)
        held = question.you.shares.get(company.key, 0)
        facts = (
            *own_facts(question, company),
            (say("Price offered"), thousands(buyback.price)),
            (say("Offered for"), say("{n} shares", n=thousands(buyback.shares))),
            (say("By"), question.name(buyback.seat)),
        )
        quick = tuple(
            Option(str(amount), text)
            for amount, text in ((0, say("none")), (held // 2, say("half")), (held, say("all {n}", n=thousands(held))))
        )
        value = question.filled.get("tender") or "0"
        return (Part(company.key, company.title, "tender", "number", facts, (), "", 0, held, value, quick),)

    def rows(self, question: Question) -> tuple[Row, ...]:
        """The rows if nobody before the viewer tenders any shares: tenders are accepted in order, up to the number of
        shares wanted."""
        buyback, request = question.view.buyback, question.request("tender")
        company = question.view.company(buyback.company)
        held = question.you.shares.get(buyback.company, 0)
        shares = min(request["shares"] if request else 0, buyback.shares)
        rise = BUYBACK_RISE * (buyback.shares // BUYBACK_BLOCK)
        most, left = shares * buyback.price, held - shares
        then = msgspec.structs.replace(company, outstanding=company.outstanding - buyback.shares)
        rows = [
            Row(
                say("You receive up to"), thousands(most), note=_against(most, shares * company.price) if shares else ""
            ),
            Row(say("Your shares, at least"), thousands(left), thousands(held)),
            Row(say("Your part of it, if all are tendered"), share_of(left, then), share_of(held, company)),
            Row(say("Price if all are tendered"), thousands(company.price + rise), thousands(company.price)),
        ]
        return tuple(rows)


def _against(offered: int, market: int) -> str:
    if not offered:
        return ""
    if offered == market:
        return say("same as the market price")
    return say("{n} compared with the market price", n=signed(offered - market))
