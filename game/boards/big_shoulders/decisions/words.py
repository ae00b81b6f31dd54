"""Requests of City of the Big Shoulders in a player's words, as part of a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from game.boards.auto import AutoDecision
from game.boards.big_shoulders.decisions.names import company_title, space_title
from game.boards.big_shoulders.decisions.order_words import ORDER_SENTENCES
from game.engine.language import count, mark, say
from game.engine.phrases import listed, thousands
from game.rulesets.big_shoulders.descriptions import tile_in_words
from game.rulesets.big_shoulders.tables import CUBE_TITLES, DECLINED_BONUS, UNITS
from game.rulesets.big_shoulders.telling import cubes_in_words

Request = Mapping[str, Any]
BOUGHT = {
    ("P", "treasury"): mark("buy the preferred certificate of {company} from its treasury"),
    ("C", "treasury"): mark("buy a common certificate of {company} from its treasury"),
    ("P", "pool"): mark("buy the preferred certificate of {company} from the bank pool"),
    ("C", "pool"): mark("buy a common certificate of {company} from the bank pool"),
}


def shares_by_company(certificates: Mapping[str, int]) -> Counter[str]:
    """Shares of 10 percent in some certificates."""
    shares: Counter[str] = Counter()
    for name, number in certificates.items():
        company, _, kind = name.partition(":")
        shares[company] += UNITS[kind] * number
    return shares


def sale(request: Request) -> str:
    """`sell 2 shares of Swift & Co. and 1 share of Elgin National Watch`."""
    shares = shares_by_company(request.get("certificates") or request.get("sale") or {})
    parts = [
        count("{n} share of {company}", "{n} shares of {company}", number, company=company_title({"company": key}))
        for key, number in shares.items()
        if number
    ]
    return say("sell {shares}", shares=listed(parts))


def bonus(request: Request) -> str:
    if not request.get("take"):
        return say("take {amount} in place of the bonus", amount=DECLINED_BONUS)
    return say("take the bonus of the appeal track")


def bought_cubes(request: Request) -> str:
    kinds: Counter[Any] = Counter()
    for key, number in request.get("cubes", {}).items():
        kinds[key.partition(":")[2]] += number
    return say("buy {cubes}", cubes=cubes_in_words(kinds))


def raised(request: Request) -> str:
    shares = UNITS["P"] * request.get("preferred", 0) + request.get("commons", 0)
    return count("sell {n} share of the treasury", "sell {n} shares of the treasury", shares)


SENTENCES: Mapping[str, Callable[[Request], str]] = {
    "start": lambda request: say(
        "start {company} at {value}", company=company_title(request), value=thousands(request.get("value", 0))
    ),
    "sell": sale,
    "buy": lambda request: say(BOUGHT[request["certificate"], request["place"]], company=company_title(request)),
    "pass_turn": lambda request: say("pass the turn"),
    "done": lambda request: say("end the turn"),
    "choose": lambda request: say(
        "build tile {build}, discard tile {discard}",
        build=tile_in_words(request["build"]),
        discard=tile_in_words(request["discard"]),
    ),
    "place": lambda request: say(
        "place a partner of {company}: {space}", company=company_title(request), space=space_title(request["space"])
    ),
    "bonus": bonus,
    "trade": lambda request: say(
        "give two cubes of {given} for one of {taken}",
        given=say(CUBE_TITLES[request["give"]]),
        taken=say(CUBE_TITLES[request["take"]]),
    ),
    "use_asset": lambda request: say("use the asset of {company}", company=company_title(request)),
    "end_turn": lambda request: say("end the turn"),
    "raise": raised,
    "buy_cubes": bought_cubes,
    "run": lambda request: say("run factory {factory}", factory=request["factory"]),
    "stop": lambda request: say("stop production"),
    "sell_goods": lambda request: count(
        "sell {n} good", "sell {n} goods", sum(request.get("goods", {}).values())
    ),
    "pay": lambda request: say("pay the revenue as a dividend"),
    "withhold": lambda request: say("withhold the revenue"),
    **ORDER_SENTENCES,
}  # fmt: skip


def sentence(request: Request, view: Any) -> str:
    tell = SENTENCES.get(request["kind"])
    if tell is None:
        return AutoDecision().sentence(request, view)
    return say("{sale}, then {deal}", sale=sale(request), deal=tell(request)) if request.get("sale") else tell(request)
