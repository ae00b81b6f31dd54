"""Standing orders in words, as part of a sentence. (B-79)"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from game.boards.big_shoulders.decisions.names import company_title, space_title
from game.engine.language import count, mark, say
from game.engine.phrases import listed, thousands
from game.rulesets.big_shoulders.standing_companies import NEVER
from game.rulesets.big_shoulders.tables import BONUS_TITLES, DECLINED_BONUS

Request = Mapping[str, Any]
WISHES = {
    "P": mark("the preferred certificate of {company} up to {price}"),
    "C": mark("a common certificate of {company} up to {price}"),
}
PASSES = {
    "pass": mark("pass"),
    "pass_until_deal": mark("pass until somebody sells, buys or starts"),
    "pass_if_unable": mark("pass when you can neither buy nor start"),
}


def stock_order(request: Request) -> str:
    """`buy a common certificate of Swift & Co. up to 40, then pass`."""
    wishes = [
        say(WISHES[wish["certificate"]], company=company_title(wish), price=thousands(wish["price"]))
        for wish in request.get("wishes", ())
    ]
    passes = PASSES.get(request.get("otherwise", "ask"), "")
    if not wishes:
        return say(passes)
    return say("buy {wishes}, otherwise {passes}", wishes=listed(wishes), passes=say(passes or mark("ask me")))


def placements(request: Request) -> str:
    entries = [
        say("{company} on {space}", company=company_title(entry), space=space_title(entry["space"]))
        for entry in request.get("entries", ())
    ]
    return say("place the first that is possible: {entries}", entries=", ".join(entries))


def recipe(request: Request) -> str:
    """`operate Swift & Co. by recipe: cubes up to 30, at least 1 factory, pay for 1 step`."""
    dearest, runs = request.get("dearest", 30), request.get("runs", 1)
    parts = [
        say("cubes up to {price}", price=thousands(dearest)) if dearest else say("no cubes"),
        count("at least {n} factory", "at least {n} factories", runs),
        pays(request.get("steps", 1), request.get("share", 0)),
    ]
    return say("operate {company} by recipe: {parts}", company=company_title(request), parts=", ".join(parts))


def pays(steps: int, share: int) -> str:
    """The words for when a recipe pays a dividend."""
    if not steps:
        return say("always pay")
    by_share = say("pay from {amount} a share", amount=thousands(share))
    if steps >= NEVER:
        return by_share if share else say("always withhold")
    by_steps = count("pay for {n} step", "pay for {n} steps", steps)
    return say("{first} or {second}", first=by_steps, second=by_share) if share else by_steps


def bonus_rule(request: Request) -> str:
    bonus = say(BONUS_TITLES[request["bonus"]])
    if not request.get("take"):
        return say("always take {amount} in place of the bonus: {bonus}", amount=DECLINED_BONUS, bonus=bonus)
    if request.get("factory"):
        return say("always take the bonus: {bonus}, factory {number}", bonus=bonus, number=request["factory"])
    return say("always take the bonus: {bonus}", bonus=bonus)


ORDER_SENTENCES: Mapping[str, Callable[[Request], str]] = {
    "stock_order": stock_order,
    "placements": placements,
    "recipe": recipe,
    "bonus_rule": bonus_rule,
}
