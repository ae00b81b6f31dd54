"""Requests and offers in a player's words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from game.engine.phrases import listed, plural, thousands
from game.rulesets.sectors.effects import COMPANY_ACTIONS

CHOICES = {"full": "pays all", "half": "pays half", "retain": "retains"}


def won(view: Any, seats: Any) -> str:
    """Who has won, as a headline."""
    first = [seats[row.seat] for row in view.standings if row.place == 1]
    if not first:
        return "The game is over."
    names, worth = ["You" if place.is_you else place.name for place in first], thousands(view.standings[0].score)
    if len(names) > 1:
        return f"{listed(names)} share the first place with {worth}."
    return f"{names[0]} {'win' if first[0].is_you else 'wins'} with {worth}."


def opened(text: str) -> str:
    """With a capital first letter, the rest untouched."""
    return text[:1].upper() + text[1:]


def summary_of(requests: Iterable[Mapping[str, Any]], view: Any) -> str:
    """What the requests ask, on one line."""
    said = [SENTENCES[request["kind"]](request, view) for request in requests if request.get("kind") in SENTENCES]
    return "; ".join(said) if len(said) <= 3 else f"{'; '.join(said[:2])} and {len(said) - 2} more"


def _bid(request: Mapping[str, Any], view: Any) -> str:
    return f"bid {request['points']}"


def _pledge(request: Mapping[str, Any], view: Any) -> str:
    headline = next((h for h in view.headlines if h.slot == request["headline"]), None)
    return f"help to pay for {headline.sector_title}" if headline else "help to pay for a headline"


def _distribution(request: Mapping[str, Any], view: Any) -> str:
    given = sum((request.get("cash") or {}).values())
    tokens = [f"prestige to {request['prestige_to']}"] if request.get("prestige_to") else []
    tokens += [f"ability to {request['ability_to']}"] if request.get("ability_to") else []
    return ", ".join([f"share out {given}", *tokens])


def _market(request: Mapping[str, Any], view: Any) -> str:
    where = " from the IPO" if request["location"] == "ipo" else ""
    bid = f", bidding {request['bid']}" if request.get("bid") else ""
    return f"{request['side']} {request['quantity']} {request['company']}{where}{bid}"


def _limit(request: Mapping[str, Any], view: Any) -> str:
    return f"{request['side']} {request['quantity']} {request['company']} at {request['value']}"


def _short(request: Mapping[str, Any], view: Any) -> str:
    return f"short {request['quantity']} {request['company']}"


def _option(request: Mapping[str, Any], view: Any) -> str:
    contract = next((c for c in view.contracts if c.id == request["contract"]), None)
    return f"take the option on {contract.shares} {contract.company}" if contract else "take an option"


def _cover(request: Mapping[str, Any], view: Any) -> str:
    order = next((o for o in view.orders if o.id == request["order"]), None)
    return f"cover {order.quantity} {order.company}" if order else "cover a short"


def _exercise(request: Mapping[str, Any], view: Any) -> str:
    contract = next((c for c in view.contracts if c.id == request["contract"]), None)
    return f"exercise {contract.shares} {contract.company}" if contract else "exercise a contract"


def _revenue(request: Mapping[str, Any], view: Any) -> str:
    return f"{request['company']} {CHOICES.get(request['choice'], '')}"


def _ballot(request: Mapping[str, Any], view: Any) -> str:
    titles = [COMPANY_ACTIONS[key].title if key in COMPANY_ACTIONS else key for key in request["actions"]]
    return f"{request['company']}: {listed(titles).lower()}"


def _contribution(request: Mapping[str, Any], view: Any) -> str:
    shares = [plural(request["shares"], "share")] if request.get("shares") else []
    return f"give {listed([*([thousands(request['cash'])] if request.get('cash') else []), *shares])}"


SENTENCES: dict[str, Callable[[Mapping[str, Any], Any], str]] = {
    "pass": lambda request, view: "nothing, on purpose",
    "bid_influence": _bid,
    "pledge_headline": _pledge,
    "vote_tranche": lambda request, view: f"vote for tranche {request['tranche']}",
    "distribute_tranche": _distribution,
    "market_order": _market,
    "limit_order": _limit,
    "short_order": _short,
    "option_order": _option,
    "cover_short": _cover,
    "exercise_option": _exercise,
    "vote_revenue": _revenue,
    "vote_actions": _ballot,
    "contribute": _contribution,
}
