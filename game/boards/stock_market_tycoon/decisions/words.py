"""Requests of Stock Market Tycoon in a player's words, as part of a sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from game.engine.language import count, mark, say
from game.engine.phrases import listed, percent, thousands
from game.rulesets.stock_market_tycoon.cards import signed, value_of
from game.rulesets.stock_market_tycoon.plans import MOST_ENTRIES
from game.rulesets.stock_market_tycoon.tables import COMPANIES

Request = Mapping[str, Any]
MOST_TOLD = 2  # entries of a list that a line names
UP_TO = {
    "buy": mark("buy up to {n} {company}"),
    "sell": mark("sell up to {n} {company}"),
    "sell_short": mark("sell up to {n} {company} short"),
    "play_rights": mark("issue rights of {company} for up to {n} shares"),
    "follow_rights": mark("follow the rights of {company} with up to {n} shares"),
    "call": mark("buy calls on up to {n} {company}"),
    "put": mark("buy puts on up to {n} {company}"),
}
EXACTLY = {
    "buy": mark("buy {n} {company}"),
    "sell": mark("sell {n} {company}"),
    "sell_short": mark("sell {n} {company} short"),
    "play_rights": mark("issue rights of {company} for {n} shares"),
    "follow_rights": mark("follow the rights of {company} with {n} shares"),
    "call": mark("buy calls on {n} {company}"),
    "put": mark("buy puts on {n} {company}"),
    "play_debenture": mark("play a Debenture for {company}"),
}
CARDS = {
    "none": mark("no card"),
    "lowest": mark("the lowest card below 0"),
    "highest": mark("the highest card above 0"),
}


def title(request: Request) -> str:
    """The name of the company that a request is about."""
    row = COMPANIES.get(request.get("company", ""))
    return row.title if row else ""


def trade(request: Request, view: Any) -> str:
    """What moves shares, or plays a card for a company."""
    kind = request.get("contract", "call") if request["kind"] == "buy_option" else request["kind"]
    text = UP_TO[kind] if request.get("is_up_to") else EXACTLY[kind]
    words = say(text, n=thousands(request.get("shares", 0)), company=title(request))
    return _with_limit(words, request)


def _with_limit(words: str, request: Request) -> str:
    """The condition of an entry on the price."""
    if not request.get("limit"):
        return words
    is_most = request["kind"] == "buy" or request.get("contract") == "call"
    price = thousands(request["limit"])
    if is_most:
        return say("{what} at {price} or less", what=words, price=price)
    return say("{what} at {price} or more", what=words, price=price)


def dividend(request: Request, view: Any) -> str:
    return say("declare a dividend of {n} a share of {company}", n=request.get("dividend", 0), company=title(request))


def buyback(request: Request, view: Any) -> str:
    return say(
        "offer to buy back {n} {company} at {price}",
        n=thousands(request.get("shares", 0)),
        company=title(request),
        price=thousands(request.get("price", 0)),
    )


def entries(request: Request, view: Any) -> str:
    """The first entries of a plan or a list."""
    sentences = [sentence(entry, view) for entry in request.get("entries", ())[:MOST_ENTRIES]]
    lines = [say("{n}. {what}", n=number, what=words) for number, words in enumerate(sentences[:MOST_TOLD], 1)]
    if len(sentences) > MOST_TOLD:
        lines.append(count("{n} more", "{n} more", len(sentences) - MOST_TOLD))
    return ", ".join(lines)


def plan(request: Request, view: Any) -> str:
    return say("plan: {entries}", entries=entries(request, view))


def batch(request: Request, view: Any) -> str:
    return say("list: {entries}", entries=entries(request, view))


def premium(request: Request, view: Any) -> str:
    return say("premium of {company} {rate}", company=title(request), rate=percent(request.get("rate", 0)))


def withhold(request: Request, view: Any) -> str:
    value = signed(value_of(request["card"]))
    return say("withhold {value} of {company}", company=title(request), value=value)


def strike(request: Request, view: Any) -> str:
    value = signed(value_of(request["card"]))
    return say("strike {value} of {company}", company=title(request), value=value)


def suspend(request: Request, view: Any) -> str:
    return say("suspend {companies}", companies=listed(COMPANIES[key].title for key in request.get("companies", ())))


def tender(request: Request, view: Any) -> str:
    return count("offer {n} share", "offer {n} shares", request.get("shares", 0))


def keep_premium(request: Request, view: Any) -> str:
    return say("option premium {rate} every year", rate=percent(request.get("rate", 0)))


def keep_withholding(request: Request, view: Any) -> str:
    return say("withhold {card} every year", card=say(CARDS[request["card"]]))


def keep_striking(request: Request, view: Any) -> str:
    return say("strike {card} every year", card=say(CARDS[request["card"]]))


def limit_tender(request: Request, view: Any) -> str:
    return say(
        "tender up to {n} {company} at {price} or more",
        n=thousands(request.get("shares", 0)),
        company=title(request),
        price=thousands(request.get("price", 0)),
    )


def keep_following(request: Request, view: Any) -> str:
    return say(
        "always follow rights of {company} with up to {n} shares",
        company=title(request),
        n=thousands(request.get("shares", 0)),
    )


SENTENCES: Mapping[str, Callable[[Request, Any], str]] = {
    "buy": trade,
    "sell": trade,
    "sell_short": trade,
    "buy_option": trade,
    "play_rights": trade,
    "follow_rights": trade,
    "play_debenture": trade,
    "declare_dividend": dividend,
    "announce_buyback": buyback,
    "play_loan": lambda request, view: say("play Loan Stocks Matured"),
    "end_turn": lambda request, view: say("pass the turn"),
    "plan": plan,
    "batch": batch,
    "set_premium": premium,
    "withhold": withhold,
    "strike": strike,
    "suspend": suspend,
    "tender": tender,
    "keep_premium": keep_premium,
    "keep_withholding": keep_withholding,
    "keep_striking": keep_striking,
    "limit_tender": limit_tender,
    "keep_following": keep_following,
}


def sentence(request: Request, view: Any) -> str:
    return SENTENCES[request["kind"]](request, view)
