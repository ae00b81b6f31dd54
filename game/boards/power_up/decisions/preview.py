"""What an action would do before it is taken: from the view's own forecasts, so from nothing that is hidden."""

from __future__ import annotations

from game.boards.power_up.decisions.ending import end_of_drawing, end_of_playing, ended, final_rows, near_end
from game.boards.shapes import Asked, Preview, Request, Row, Say
from game.engine.phrases import plural, thousands
from game.rulesets.power_up.events import DEPARTMENT
from game.rulesets.power_up.forecast import EXPANSION, FAILED, FOUNDING, MERGER, Acquisition, Forecast, Result
from game.rulesets.power_up.numbers import Holder, price_at
from game.rulesets.power_up.tables.common import HAND_LIMIT, largest_grant
from game.rulesets.power_up.tables.companies import COMPANIES

HINT = "Choose a tile on the map or in your hand, or one of the other actions, to see what it would do."
LOCKED = "Choose an action to see what it would do."
VERBS = {FOUNDING: "is founded", EXPANSION: "grows", MERGER: "takes over"}
NEUTRAL = {
    FAILED: "stays neutral: it founds nothing because all companies are active.",
    "isolated": "touches no other tile and stays neutral.",
}


def preview_of(asked: Asked) -> Preview:
    """What the chosen action would do."""
    request = asked.request()
    if asked.bad is not None:
        return Preview(says=(Say(asked.bad.text, asked.bad.rule),))
    if request is None:
        return Preview(hint=LOCKED if asked.view.tile_lock else HINT)
    kinds = {"play_tile": _played, "buy": _bought, "draw": _drawn, "end_turn": _ended}
    return kinds[request["kind"]](asked, request)


def _played(asked: Asked, request: Request) -> Preview:
    ahead = next((one for one in asked.view.ahead if one.tile == request["tile"]), None)
    if ahead is None or asked.view.tile_lock:
        return Preview(hint=HINT)
    end = end_of_playing(asked, ahead)
    if not ahead.results:
        hint = f"{ahead.tile} {NEUTRAL[ahead.case]}"
        if end:
            return Preview(f"If you play {ahead.tile}", final_rows(asked, ahead, None), ended(end), hint)
        return Preview(says=_last(asked), hint=f"{hint} You may play another tile after it.")
    if ahead.choice and request.get(ahead.choice) not in ahead.companies:
        says = ended(end) if end else _last(asked)
        return Preview(f"If you play {ahead.tile}", _choices(ahead), says, _asked_for(ahead))
    result = ahead.result(request.get(ahead.choice) if ahead.choice else None)
    rows = {FOUNDING: _founding, EXPANSION: _growth, MERGER: _merger}[ahead.case](asked, result)
    caption = f"If you play {ahead.tile}, {_title(result.company)} {VERBS[ahead.case]}"
    hint = _grant(asked) if ahead.case == FOUNDING else ""
    if end:
        return Preview(f"{caption} and the game ends", (*rows, *final_rows(asked, ahead, result)), ended(end), hint)
    return Preview(caption, rows, (*near_end(asked, ahead, result), *_last(asked)), hint)


def _choices(ahead: Forecast) -> tuple[Row, ...]:
    """What each company that can be named would be afterwards."""
    told = ((_title(one.company), plural(one.size, "tile"), f"price {thousands(one.price)}") for one in ahead.results)
    return tuple(Row(title, size, note=price) for title, size, price in told)


def _asked_for(ahead: Forecast) -> str:
    if ahead.choice == "found":
        return "Choose the company to found."
    return "These companies are of equal size: choose the one that survives."


def _founding(asked: Asked, result: Result) -> tuple[Row, ...]:
    return (
        Row("Tiles", str(result.size)),
        Row("Price", thousands(result.price)),
        Row("Your shares", "1", "0", note="free, as its founder"),
    )


def _grant(asked: Asked) -> str:
    if asked.view.department is None:
        return ""
    most = largest_grant(len(asked.view.players))
    return f"{DEPARTMENT} then receives 1 to {most} shares by lot, so this cannot be taken back."


def _growth(asked: Asked, result: Result) -> tuple[Row, ...]:
    """The company that comes out of it, and what the viewer's shares of it are worth."""
    company = asked.view.company(result.company)
    mine = company.holdings.get(asked.view.seat, 0)
    rows = (
        Row(f"{company.title}, tiles", str(result.size), str(company.size)),
        Row("Price", thousands(result.price), thousands(company.price)),
    )
    if not mine:
        return rows
    return (
        *rows,
        Row(f"Your {plural(mine, 'share')}", thousands(mine * result.price), thousands(mine * company.price)),
    )


def _merger(asked: Asked, result: Result) -> tuple[Row, ...]:
    rows = list(_growth(asked, result))
    gained = 0
    for gone in result.acquisitions:
        rows.append(
            Row(
                f"{_title(gone.company)} ends",
                plural(gone.size, "tile"),
                note=f"paid at {thousands(gone.price)}",
                css="head",
            )
        )
        rows.extend(_paid(asked, gone))
        gained += sum(payout.total for payout in gone.payouts if payout.seat == asked.view.seat)
    cash = asked.you.cash
    return (*rows, Row("Your cash", thousands(cash + gained), thousands(cash), css="total"))


def _paid(asked: Asked, gone: Acquisition) -> list[Row]:
    """Who gets what for the shares of a company that ends."""
    lines = []
    for payout in gone.payouts:
        bonus = f", bonus {thousands(payout.bonus)}" if payout.bonus else ""
        note = f"{payout.shares} × {thousands(gone.price)}{bonus}"
        lines.append(Row(_holder(asked, payout.seat), f"+{thousands(payout.total)}", note=note))
    return lines


def _holder(asked: Asked, holder: Holder) -> str:
    if holder is None:
        return "Dept. of Energy"
    return "You" if holder == asked.view.seat else asked.name(holder)


def _bought(asked: Asked, request: Request) -> Preview:
    company = asked.view.company(request["company"])
    cash, mine = asked.you.cash, company.holdings.get(asked.view.seat, 0)
    price = price_at(company.key, company.size)
    rows = (
        Row("Price", thousands(price)),
        Row("Your cash", thousands(cash - price), thousands(cash)),
        Row("Your shares", str(mine + 1), str(mine)),
        Row("Shares left", str(company.unsold - 1), str(company.unsold)),
    )
    refused = next((offer.refused for offer in asked.of("buy") if offer.fixed["company"] == company.key), "")
    if refused:
        return Preview(says=(Say(refused, "PU 4.6"),))
    return Preview(f"If you buy a share of {company.title}", rows, _last(asked))


def _drawn(asked: Asked, request: Request) -> Preview:
    offer = asked.of("draw")[0]
    if offer.refused:
        return Preview(says=(Say(offer.refused, offer.rule),))
    held, bag = len(asked.you.hand), asked.view.bag
    count = min(HAND_LIMIT - held, bag)
    rows = (Row("Tiles in hand", str(held + count), str(held)), Row("Tiles in the bag", str(bag - count), str(bag)))
    if end := end_of_drawing(asked):
        return Preview("If you draw, the game ends", (*rows, *final_rows(asked, None, None)), ended(end))
    return Preview("If you draw", rows, _last(asked), "A draw cannot be taken back, nor can what came before it.")


def _ended(asked: Asked, request: Request) -> Preview:
    offer = asked.of("end_turn")[0]
    if offer.refused:
        return Preview(says=(Say(offer.refused, offer.rule),))
    lost = plural(asked.view.actions_left, "action")
    return Preview(says=(Say(f"You give up {lost}. Then it is {_next(asked)}.", "PU 3"),))


def _last(asked: Asked) -> tuple[Say, ...]:
    """The action that passes the turn says so."""
    if asked.view.actions_left > 1:
        return ()
    return (Say(f"This is your last action. Then it is {_next(asked)}.", "P-18"),)


def _next(asked: Asked) -> str:
    order = asked.view.order
    after = order[(order.index(asked.view.seat) + 1) % len(order)]
    return f"{asked.seats[after].name}’s turn"


def _title(company: str) -> str:
    return COMPANIES[company].title
