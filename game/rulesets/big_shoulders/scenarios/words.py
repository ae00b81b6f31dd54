"""City of the Big Shoulders' words in scenarios: positions, players' sentences, and draws."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from game.engine.scenarios.language import ScenarioError
from game.engine.scenarios.story import Story
from game.engine.scenarios.words import Request, Words, seats_in_order
from game.rulesets.big_shoulders.scenarios.notation import certificates_in, cubes_in
from game.rulesets.big_shoulders.scenarios.positions import ShouldersDescription, stand
from game.rulesets.big_shoulders.state import WORKERS, ShouldersState
from game.rulesets.big_shoulders.tables import COMPANY_KEYS, CUBES

MEANINGS = {
    "given": {
        "turn": "number of the decade",
        "companies": "keys of the started companies, each with the words below; named earlier, ahead on a space",
        "acting": "whose turn it is; otherwise the first one",
        "priority": "who holds the priority marker; otherwise the first player",
        "last": "who has bought or sold last in this stock phase",
        "passes": "passes in a row",
        "order": "players in the order of the action phase; otherwise the seats' order",
        "next_order": "players in the order of the next sequence; otherwise as `order`",
        "placed": "true: the acting player has placed a partner",
        "used": "spaces and tiles used in this decade",
        "market": "workers in the job market",
        "supply": "cubes by column: `10`, `20`, `30` and `X`, as letters: `SSL`",
        "haymarket": "cubes in Haymarket Square, as letters",
        "bag": "cubes in the bag, as letters; the last company then has all others; otherwise all of them",
        "assets": "the row of capital assets from 40 to 80; otherwise the five of the start",
        "asset_deck": "assets still to come; otherwise all others",
        "demand": "by trade, the slots from $50 to $0: `3/1` is a tile of 3 with one good",
        "demand_left": "capacities still to come, by pips; otherwise all that are not on the board",
        "printed": "goods on the printed $20 slot, by trade",
        "goals": "numbers of the public goals",
        "operation": "the open operation, with the words below",
        "operating": "companies that operate after it",
    },
    "players": {
        "cash": "dollars on hand",
        "partners": "partners; otherwise two",
        "ready": "partners that are ready; otherwise all",
        "hand": "building tiles in the hand",
        "built": "building tiles on the track, in order",
        "sold": "companies of which the player has sold in this decade",
        "first_company": "the company of the set-up; otherwise the first one directed",
        "had_appeal_partner": "true: the partner for appeal has been gained",
        "had_factory_partner": "true: the partner for all factories has been gained",
    },
    "companies": {
        "held": "certificates by player and `pool`: `D 2C`; all others are in the treasury",
        "value": "dollars a share",
        "cash": "dollars of the company",
        "appeal": "space of the appeal track; otherwise the printed one",
        "goods": "goods not sold yet",
        "tokens": "goods tokens",
        "salespeople": "salespeople",
        "asset": "the capital asset it keeps",
        "exhausted": "true: the asset was used in this decade",
        "factories": "staff from left to right: `wam` is a worker, an automation and a manager",
        "cubes": "its cubes, as letters",
    },
    "operation": {
        "company": "its key",
        "runs": "factories that have run",
        "revenue": "dollars so far",
        "raised": "true: funds were raised",
        "bought": "true: cubes were bought",
        "stopped": "true: production has stopped",
        "sold": "true: goods were sold",
        "paid": "true: the revenue was paid or withheld",
    },
    "options": {
        "advanced": "directors can change, companies raise funds: on, off",
        "friendly_sales": "sales by others than the director cost one step in all: on, off",
        "goals": "public goals: on, off",
        "price_protection_passive": "Price Protection counts every time: on, off",
    },
}
DRAWS = {
    "first_seat": "the player who starts the first company",
    "goals": "numbers of the five public goals",
    "demand": "capacity of a demand tile, one for each slot that is filled",
    "asset_start": "the four resource assets from 40 to 70",
    "asset": "the asset that comes up for 80",
    "deal": "building tiles, a list for each player by seat",
    "cubes": "cubes of a column from the bag, as letters",
    "haymarket_cubes": "cubes of a column from Haymarket, as letters",
}


def letters_read(answer: Any, names: list[str]) -> list[str]:
    """The cubes of letters such as `SSL`, as the rules draw them."""
    return [cube for cube, number in cubes_in(str(answer)).items() for _ in range(number)]


def all_cubes(state: ShouldersState) -> int:
    return sum(state.ledger.existing(cube) for cube in CUBES)


def all_certificates(state: ShouldersState) -> int:
    return sum(state.ledger.existing(f"{company}:{kind}") for company in COMPANY_KEYS for kind in "DPC")


WORDS = Words(
    given=ShouldersDescription,
    build=stand,
    meanings=MEANINGS,
    draws=DRAWS,
    read={
        "first_seat": lambda answer, names: seats_in_order(answer, names)[0],
        "cubes": letters_read,
        "haymarket_cubes": letters_read,
    },
    rule=re.compile(r"BS \d+(\.\d+)?|B-\d+|example \d+|(tile|goal) \d+|(asset|slot) \w+"),
    rule_examples="BS 5.2, B-16, example 12, tile 13, asset foundry, goal 4, slot printed",
    seats_in=("audience", "first_seat_drawn.order"),
    conserved={
        "cubes": all_cubes,
        "certificates": all_certificates,
        "workers": lambda state: state.ledger.existing(WORKERS),
    },
)


def _sale(words: str) -> dict[str, int]:
    """`2C of swift, P of anglo`."""
    sale: dict[str, int] = {}
    for part in words.split(", "):
        kinds, _, company = part.partition(" of ")
        sale |= {f"{company}:{kind}": number for kind, number in certificates_in(kinds).items()}
    return sale


def _with_sale(request: Request, words: str | None) -> Request:
    return request | ({"sale": _sale(words)} if words else {})


@WORDS.sentence(
    r"starts (\w+) at (\d+)(?: selling (.+))?", "starts swift at 40", "starts swift at 40 selling 2C of anglo"
)
def _start(story: Story, match: re.Match[str]) -> Request:
    return _with_sale({"kind": "start", "company": match[1], "value": int(match[2])}, match[3])


@WORDS.sentence(r"sells (\d*[DPC](?: \d*[DPC])* of .+)", "sells 2C P of swift, C of anglo")
def _sell(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "sell", "certificates": _sale(match[1])}


@WORDS.sentence(
    r"buys ([DPC]) of (\w+) from the (treasury|pool)(?: selling (.+))?",
    "buys C of swift from the treasury",
    "buys P of swift from the pool selling C of anglo",
)
def _buy(story: Story, match: re.Match[str]) -> Request:
    request = {"kind": "buy", "certificate": match[1], "company": match[2], "place": match[3]}
    return _with_sale(request, match[4])


@WORDS.sentence(r"passes this turn", "passes this turn")
def _pass(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "pass_turn"}


@WORDS.sentence(r"is done", "is done")
def _done(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "done"}


@WORDS.sentence(r"builds (\d+) and discards (\d+)", "builds 3 and discards 5")
def _choose(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "choose", "build": int(match[1]), "discard": int(match[2])}


TARGETS: Mapping[str, Callable[[re.Match[str], Request], None]] = {
    r"(\d+) workers? in (\d)": lambda m, r: r.setdefault("workers", {}).update({m[2]: int(m[1])}),
    r"manager in (\d)": lambda m, r: r.setdefault("managers", []).append(int(m[1])),
    r"automation (\d(?:>\d)?)": lambda m, r: r.update({"then_automate" if "automate" in r else "automate": m[1]}),
    r"cubes ([LSCW]+)": lambda m, r: r.update(cubes=dict(cubes_in(m[1]))),
    r"the asset at (\d+)": lambda m, r: r.update(asset_slot=int(m[1])),
    r"(not )?keeping it": lambda m, r: r.update(keep=not m[1]),
    r"claim": lambda m, r: r.update(claim=True),
    r"end": lambda m, r: r.update(end=True),
}


@WORDS.sentence(
    r"places (\w+) on (tile )?(\w+)(?: with (.+))?",
    "places swift on fund_40",
    "places swift on tile 13",
    "places swift on hire_workers with 2 workers in 1, 1 worker in 2, end",
    "places anglo on tile 43 with 1 worker in 1, manager in 2",
    "places swift on tile 21 with automation 1>2, automation 2",
    "places swift on tile 8 with cubes SC",
    "places swift on capital_investment with the asset at 40, keeping it, automation 1",
    "places swift on advertising with claim",
)
def _place(story: Story, match: re.Match[str]) -> Request:
    return _placement(match)


def _placement(match: re.Match[str]) -> Request:
    request: Request = {"kind": "place", "company": match[1], "space": int(match[3]) if match[2] else match[3]}
    for part in match[4].split(", ") if match[4] else ():
        for pattern, note in TARGETS.items():
            if target := re.fullmatch(pattern, part):
                note(target, request)
                break
        else:
            raise ScenarioError(f"“{part}” is no target of a placement")
    return request


@WORDS.sentence(r"trades two (\w+) of (\w+) for (\w+)", "trades two coal of swift for wood")
def _trade(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "trade", "give": match[1], "company": match[2], "take": match[3]}


@WORDS.sentence(r"uses the asset of (\w+)", "uses the asset of swift")
def _use(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "use_asset", "company": match[1]}


@WORDS.sentence(
    r"takes the bonus(?: in (\d)| automating (\d(?:>\d)?))?",
    "takes the bonus",
    "takes the bonus in 2",
    "takes the bonus automating 1>2",
)
def _bonus(story: Story, match: re.Match[str]) -> Request:
    target = {"factory": int(match[1])} if match[1] else {"move": match[2]} if match[2] else {}
    return {"kind": "bonus", "take": True, **target}


@WORDS.sentence(r"declines the bonus", "declines the bonus")
def _decline(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "bonus", "take": False}


@WORDS.sentence(r"ends the turn", "ends the turn")
def _end(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "end_turn"}


@WORDS.sentence(r"raises funds with ([DPC\d ]+)", "raises funds with P 2C")
def _raise(story: Story, match: re.Match[str]) -> Request:
    counts = certificates_in(match[1])
    return {"kind": "raise", "preferred": counts.get("P", 0), "commons": counts.get("C", 0)}


@WORDS.sentence(r"buys (\d+ \w+ at \d+(?:, \d+ \w+ at \d+)*)", "buys 2 coal at 10, 1 wood at 30")
def _buy_cubes(story: Story, match: re.Match[str]) -> Request:
    parts = [part.split() for part in match[1].split(", ")]
    return {"kind": "buy_cubes", "cubes": {f"{column}:{cube}": int(number) for number, cube, _, column in parts}}


@WORDS.sentence(r"runs factory (\d)(?: taking ([LSCW]+))?", "runs factory 1", "runs factory 2 taking SC")
def _run(story: Story, match: re.Match[str]) -> Request:
    cubes = {"cubes": dict(cubes_in(match[2]))} if match[2] else {}
    return {"kind": "run", "factory": int(match[1]), **cubes}


@WORDS.sentence(r"stops production", "stops production")
def _stop(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "stop"}


@WORDS.sentence(r"sells goods: (.+)", "sells goods: 2 at 50, 1 at 20, 3 at bank")
def _sell_goods(story: Story, match: re.Match[str]) -> Request:
    parts = [part.split(" at ") for part in match[1].split(", ")]
    return {"kind": "sell_goods", "goods": {slot: int(number) for number, slot in parts}}


@WORDS.sentence(r"(pays|withholds)( and ends)?", "pays", "withholds and ends")
def _decide(story: Story, match: re.Match[str]) -> Request:
    end = {"end": True} if match[2] else {}
    return {"kind": match[1].removesuffix("s"), **end}


# --- standing orders

OTHERWISE = {
    "ask": "ask",
    "pass": "pass",
    "pass until somebody deals": "pass_until_deal",
    "pass if unable": "pass_if_unable",
}


@WORDS.sentence(
    r"orders(?: (.+?))?, otherwise (.+)",
    "orders C of swift from the treasury at 40, P of anglo from the pool at 60, otherwise pass",
    "orders nothing, otherwise pass until somebody deals",
)
def _stock_order(story: Story, match: re.Match[str]) -> Request:
    wishes = [
        {"certificate": wish[1], "company": wish[2], "place": wish[3], "price": int(wish[4])}
        for wish in re.finditer(r"([DPC]) of (\w+) from the (treasury|pool) at (\d+)", match[1] or "")
    ]
    return {"kind": "stock_order", "wishes": wishes, "otherwise": OTHERWISE[match[2]]}


@WORDS.sentence(r"lists (.+)", "lists swift on fund_40; swift on hire_workers with 1 worker in 1")
def _placements(story: Story, match: re.Match[str]) -> Request:
    matches = [re.fullmatch(r"(\w+) on (tile )?(\w+)(?: with (.+))?", entry) for entry in match[1].split("; ")]
    return {"kind": "placements", "entries": [_placement(placement) for placement in matches if placement]}


@WORDS.sentence(
    r"gives (\w+) a recipe: (\d+) factor(?:y|ies), cubes at (\d+), (\d) steps?(?:, (\d+) a share)?",
    "gives swift a recipe: 1 factory, cubes at 20, 2 steps, 9 a share",
)
def _recipe(story: Story, match: re.Match[str]) -> Request:
    return {
        "kind": "recipe",
        "company": match[1],
        "runs": int(match[2]),
        "dearest": int(match[3]),
        "steps": int(match[4]),
        "share": int(match[5] or 0),
    }


@WORDS.sentence(r"always (takes|declines) (\w+)(?: in (\d))?", "always takes worker in 2", "always declines automation")
def _bonus_rule(story: Story, match: re.Match[str]) -> Request:
    return {"kind": "bonus_rule", "bonus": match[2], "take": match[1] == "takes", "factory": int(match[3] or 0)}
