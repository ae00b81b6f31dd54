"""What an action of a turn would bring: cost, cash, ownership, offices, and what a contract risks."""

from __future__ import annotations

from typing import Any

import msgspec

from game.boards.decision import Missing, Question, Request
from game.boards.shapes import Meter, Preview, Row, Say
from game.boards.stock_market_tycoon.decisions.turn import contracts
from game.boards.stock_market_tycoon.market import office_of, share_of
from game.engine.actions import Refused
from game.engine.language import mark, say
from game.engine.phrases import thousands
from game.rulesets.stock_market_tycoon.cards import signed
from game.rulesets.stock_market_tycoon.tables import BUYBACK_BLOCK, BUYBACK_RISE
from game.rulesets.stock_market_tycoon.view import CompanyView, TycoonView

OFFICES = {"chairman": mark("Chairman"), "director": mark("Director")}
CAPTIONS = {
    "buy": mark("If you buy {n} {company} at {price}"),
    "sell": mark("If you sell {n} {company} at {price}"),
    "sell_short": mark("If you sell {n} {company} short at {price}"),
    "buy_option": mark("If you buy {contract} on {n} {company} at {price}"),
    "play_rights": mark("If you issue rights of {company} and take {n}"),
    "follow_rights": mark("If you follow the rights of {company} with {n}"),
    "play_debenture": mark("If you play the Debenture for {company}"),
    "declare_dividend": mark("If you declare this dividend of {company}"),
    "announce_buyback": mark("If you offer to buy back {n} {company}"),
    "play_loan": mark("If you play Loan Stocks Matured"),
}
CHOOSE = mark("Choose what to do and a company to see what it would bring. After one action your turn ends.")


def turn_preview(question: Question, request: Request | None) -> Preview:
    """The changes that the form's request would make."""
    if question.bad is not None and not isinstance(question.bad, Missing):
        return Preview(says=(Say(question.bad.text, question.bad.rule),))
    if request is None:
        return Preview(says=debt_words(question, question.view), hint=say(CHOOSE))
    if request["kind"] == "end_turn":
        return Preview(says=debt_words(question, question.view), hint=say("You do nothing this turn."))
    try:
        after = question.foresee(request)
    except Refused as refusal:
        return Preview(says=(Say(refusal.text, refusal.rule),))
    if after is None:
        return Preview()
    rows = [*_money_rows(question, after), *_company_rows(question, request, after)]
    return Preview(_caption(question, request), tuple(rows), _says(question, request, after))


def _caption(question: Question, request: Request) -> str:
    company = request.get("company")
    row = question.view.company(company) if company else None
    return say(
        CAPTIONS[request["kind"]],
        n=thousands(request.get("shares", 0)),
        company=row.title if row else "",
        price=thousands(row.price if row else 0),
        contract=contracts(request.get("contract", "")),
    )


def _money_rows(question: Question, after: TycoonView) -> list[Row]:
    was, now = question.you.cash, after.player(question.view.seat).cash
    if was == now:
        return []
    paid = Row(say("Cost"), thousands(was - now)) if now < was else Row(say("You receive"), thousands(now - was))
    return [paid, Row(say("Cash"), thousands(now), thousands(was))]


def _company_rows(question: Question, request: Request, after: TycoonView) -> list[Row]:
    """The changes to the company that the request names."""
    if not (key := request.get("company")):
        return []
    before, now = question.view.company(key), after.company(key)
    rows = _shares_rows(question, before, now, after)
    if before.price != now.price:
        rows.append(Row(say("Price"), thousands(now.price), thousands(before.price)))
    return [*rows, *BY_KIND.get(request["kind"], _nothing)(question, request)]


def _shares_rows(question: Question, before: CompanyView, now: CompanyView, after: TycoonView) -> list[Row]:
    seat = question.view.seat
    was, held = (view.player(seat).shares.get(before.key, 0) for view in (question.view, after))
    if was == held:
        return []
    shares = [Row(say("Your shares"), thousands(held), thousands(was))]
    parts = [100 * number // company.outstanding for number, company in ((was, before), (held, now))]
    threshold = now.for_chairman if held >= now.for_director else now.for_director
    meter = Meter(min(parts), abs(parts[1] - parts[0]), -(-100 * threshold // now.outstanding))
    owned = Row(say("Your part of it"), share_of(held, now), share_of(was, before), meter=meter)
    return [*shares, owned, *_office_rows(question, before, now)]


def _office_rows(question: Question, before: CompanyView, now: CompanyView) -> list[Row]:
    """Own and others' offices that change, and what is missing to the next one."""
    seat, rows = question.view.seat, []
    was, gained = office_of(before, seat), office_of(now, seat)
    if was != gained:
        rows.append(Row(say("Your office"), _office(gained), _office(was)))
    for name, old, new in (
        ("chairman", before.chairman_seat, now.chairman_seat),
        ("director", before.director_seat, now.director_seat),
    ):
        if old != new and seat not in (old, new):
            rows.append(Row(say(OFFICES[name]), _holder(question, new), _holder(question, old)))
    return rows


def _office(name: str) -> str:
    return say(OFFICES[name]) if name else say("no office")


def _holder(question: Question, seat: int | None) -> str:
    return say("Nobody") if seat is None else question.name(seat)


def _short_rows(question: Question, request: Request) -> list[Row]:
    """Rows about what each dollar of the price means at the end of the year."""
    shares = request["shares"]
    return [
        Row(say("Gain for each dollar the price falls"), f"+{thousands(shares)}"),
        Row(say("Loss for each dollar it rises"), f"−{thousands(shares)}"),
    ]


def _option_rows(question: Question, request: Request) -> list[Row]:
    """Rows about the price at which an option begins to pay, and at which it has earned its premium."""
    company = question.view.company(request["company"])
    earned = -(-company.price * company.rate // 100)
    is_call = request["contract"] == "call"
    even = company.price + earned if is_call else company.price - earned
    strike = thousands(company.price)
    pays = say("above {price}", price=strike) if is_call else say("below {price}", price=strike)
    return [
        Row(say("Pays out if the year ends"), pays),
        Row(say("Breaks even at"), thousands(max(0, even))),
    ]


def _dividend_rows(question: Question, request: Request) -> list[Row]:
    """The dividends that the other players receive."""
    paid = [
        (player.seat, player.shares.get(request["company"], 0) * request["dividend"])
        for player in question.view.players
        if player.seat != question.view.seat
    ]
    return [Row(question.name(seat), f"+{thousands(amount)}") for seat, amount in paid if amount]


def _buyback_rows(question: Question, request: Request) -> list[Row]:
    """The cost of a buyback of which every share is accepted."""
    company = question.view.company(request["company"])
    shares, held = request["shares"], question.you.shares.get(request["company"], 0)
    rise = BUYBACK_RISE * (shares // BUYBACK_BLOCK)
    left = company.outstanding - shares
    then = msgspec.structs.replace(company, outstanding=max(left, 1))
    return [
        Row(say("If all are tendered"), "", css="head"),
        Row(say("Price"), thousands(company.price + rise), thousands(company.price)),
        Row(say("Your part of it"), share_of(held, then), share_of(held, company)),
        Row(say("Shares that remain"), thousands(left), thousands(company.outstanding)),
    ]


def _nothing(question: Question, request: Request) -> list[Row]:
    return []


BY_KIND: dict[str, Any] = {
    "sell_short": _short_rows,
    "buy_option": _option_rows,
    "declare_dividend": _dividend_rows,
    "announce_buyback": _buyback_rows,
}


def _says(question: Question, request: Request, after: TycoonView) -> tuple[Say, ...]:
    """Arguments for or against the action: one’s own cards, a chair that is lost, a ruinous loss, a debt."""
    return (*_cards_words(question, request), *_risk_words(question, request), *debt_words(question, after))


def _cards_words(question: Question, request: Request) -> list[Say]:
    if request["kind"] not in {"buy", "sell", "sell_short", "buy_option"}:
        return []
    company = question.view.company(request["company"])
    total = company.my_sum or 0
    text = say("Your own cards of {company} add up to {sum}.", company=company.title, sum=signed(total))
    return [Say(text, css="ok")] if total else []


def _risk_words(question: Question, request: Request) -> list[Say]:
    """A short sale that one’s own money cannot cover ends in a debt, and that nearly always in bankruptcy. (ST 5)"""
    if request["kind"] != "sell_short":
        return []
    company, shares = question.view.company(request["company"]), request["shares"]
    rise = question.you.score // shares
    if rise > company.price:
        return []
    text = say(
        "If {company} rises by more than {rise}, everything you have cannot pay the loss. The rest becomes a "
        "debt, and a debt nearly always ends in bankruptcy.",
        company=company.title,
        rise=thousands(rise),
    )
    return [Say(text, "ST 5")]


def debt_words(question: Question, after: TycoonView) -> tuple[Say, ...]:
    """The words for a debt that is due at the end of this turn. (ST 5)"""
    if not question.you.debt or question.view.sub_round > 1:
        return ()
    missing = question.you.debt - after.player(question.view.seat).cash
    if missing > 0:
        text = say("You are {n} short of your debt of {debt}: after this turn you are bankrupt.",
                   n=thousands(missing), debt=thousands(question.you.debt))  # fmt: skip
        return (Say(text, "ST 5", "no"),)
    text = say("Your debt of {debt} is paid after this turn.", debt=thousands(question.you.debt))
    return (Say(text, "ST 5", "ok"),)
