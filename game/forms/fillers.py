"""What a form holds when it shows requests that were made or saved earlier."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from game.forms.fields import Filled

Values = dict[str, list[str]]
PLAIN = ("kind", "company", "side", "location", "quantity", "value")


def fill(requests: Iterable[Mapping[str, Any]]) -> Filled:
    """The form that makes these requests; a draft from another version of the site is shown as far as it is known."""
    values: Values = {}
    for request in requests:
        filler = FILLERS.get(str(request.get("kind")))
        for name, strings in (filler(request) if filler else {}).items():
            values.setdefault(name, []).extend(strings)
    return Filled(values)


def _named(name: str, field: str) -> Callable[[Mapping[str, Any]], Values]:
    return lambda request: {field: [str(request.get(name, ""))]}


def _distribution(request: Mapping[str, Any]) -> Values:
    cash = {f"cash_{seat}": [str(amount)] for seat, amount in (request.get("cash") or {}).items()}
    return cash | {name: [str(request.get(name) or "")] for name in ("prestige_to", "ability_to")}


def _order(request: Mapping[str, Any]) -> Values:
    plain = {name: [str(request[name])] for name in PLAIN if request.get(name) is not None}
    return plain | ({"bid": [str(request["bid"])]} if request.get("bid") is not None else {})


def _option(request: Mapping[str, Any]) -> Values:
    bid = {"contract_bid": [str(request["bid"])]} if request.get("bid") is not None else {}
    return {"kind": ["option_order"], "contract": [str(request.get("contract", ""))]} | bid


def _revenue(request: Mapping[str, Any]) -> Values:
    return {f"vote_{request.get('company')}": [str(request.get("choice", ""))]}


def _ballot(request: Mapping[str, Any]) -> Values:
    ticker = request.get("company")
    ready = {f"ready_{ticker}": ["on"]} if request.get("ready") else {}
    return {f"actions_{ticker}": [str(action) for action in request.get("actions", [])]} | ready


def _contribution(request: Mapping[str, Any]) -> Values:
    return {name: [str(request.get(name) or "")] for name in ("cash", "shares")}


FILLERS: dict[str, Callable[[Mapping[str, Any]], Values]] = {
    "bid_influence": _named("points", "points"),
    "pledge_headline": _named("headline", "headline"),
    "vote_tranche": _named("tranche", "tranche"),
    "distribute_tranche": _distribution,
    "market_order": _order,
    "limit_order": _order,
    "short_order": _order,
    "option_order": _option,
    "cover_short": _named("order", "cover"),
    "exercise_option": _named("contract", "exercise"),
    "vote_revenue": _revenue,
    "vote_actions": _ballot,
    "contribute": _contribution,
}
