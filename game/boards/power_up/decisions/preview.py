"""What an action would do before it is taken: from the view's own forecasts, so from nothing that is hidden."""

from __future__ import annotations

from game.boards.decision import Asked
from game.boards.power_up.decisions.form import end_of_drawing, end_of_playing, ended, final_rows, near_end
from game.boards.shapes import Preview, Request, Row, Say
from game.engine.language import count, mark, say
from game.engine.phrases import thousands
from game.rulesets.power_up.forecast import EXPANSION, FAILED, FOUNDING, MERGER, Acquisition, Forecast, Result
from game.rulesets.power_up.numbers import Holder, price_at
from game.rulesets.power_up.tables.common import HAND_LIMIT, largest_grant
from game.rulesets.power_up.tables.companies import COMPANIES

HINT = mark("Choose a tile on the map or in your hand, or one of the other actions, to see what it would do.")
LOCKED = mark("Choose an action to see what it would do.")
CAPTIONS = {
    FOUNDING: mark("If you play {tile}, {company} is founded"),
    EXPANSION: mark("If you play {tile}, {company} grows"),
    MERGER: mark("If you play {tile}, {company} takes over"),
}
LAST_CAPTIONS = {
    FOUNDING: mark("If you play {tile}, {company} is founded and the game ends"),
    EXPANSION: mark("If you play {tile}, {company} grows and the game ends"),
    MERGER: mark("If you play {tile}, {company} takes over and the game ends"),
}
NEUTRAL = {
    FAILED: mark("{tile} stays neutral: it founds nothing because all companies are active."),
    "isolated": mark("{tile} touches no other tile and stays neutral."),
}


def preview_of(asked: Asked) -> Preview:
    """What the chosen action would do."""
    request = asked.request()
    if asked.bad is not None:
        return Preview(says=(Say(asked.bad.text, asked.bad.rule),))
    if request is None:
        return Preview(hint=say(LOCKED if asked.view.tile_lock else HINT))
    kinds = {"play_tile": _played, "buy": _bought, "draw": _drawn, "end_turn": _ended}
    return kinds[request["kind"]](asked, request)


def _played(asked: Asked, request: Request) -> Preview:
    ahead = next((one for one in asked.view.ahead if one.tile == request["tile"]), None)
    if ahead is None or asked.view.tile_lock:
        return Preview(hint=say(HINT))
    end = end_of_playing(asked, ahead)
    if not ahead.results:
        hint = say(NEUTRAL[ahead.case], tile=ahead.tile)
        if end:
            return Preview(_if_played(ahead), final_rows(asked, ahead, None), ended(end), hint)
        return Preview(says=_last(asked), hint=f"{hint} {say('You may play another tile after it.')}")
    if ahead.choice and request.get(ahead.choice) not in ahead.companies:
        says = ended(end) if end else _last(asked)
        return Preview(_if_played(ahead), _choices(ahead), says, _asked_for(ahead))
    result = ahead.result(request.get(ahead.choice) if ahead.choice else None)
    rows = {FOUNDING: _founding, EXPANSION: _growth, MERGER: _merger}[ahead.case](asked, result)
    captions = LAST_CAPTIONS if end else CAPTIONS
    caption = say(captions[ahead.case], tile=ahead.tile, company=_title(result.company))
    hint = _grant(asked) if ahead.case == FOUNDING else ""
    if end:
        return Preview(caption, (*rows, *final_rows(asked, ahead, result)), ended(end), hint)
    return Preview(caption, rows, (*near_end(asked, ahead, result), *_last(asked)), hint)


def _if_played(ahead: Forecast) -> str:
    return say("If you play {tile}", tile=ahead.tile)


def _choices(ahead: Forecast) -> tuple[Row, ...]:
    """What each company that can be named would be afterwards."""
    return tuple(
        Row(_title(one.company), _tiles(one.size), note=say("price {price}", price=thousands(one.price)))
        for one in ahead.results
    )


def _tiles(n: int) -> str:
    return count("{n} tile", "{n} tiles", n)


def _asked_for(ahead: Forecast) -> str:
    if ahead.choice == "found":
        return say("Choose the company to found.")
    return say("These companies are of equal size: choose the one that survives.")


def _founding(asked: Asked, result: Result) -> tuple[Row, ...]:
    return (
        Row(say("Tiles"), str(result.size)),
        Row(say("Price"), thousands(result.price)),
        Row(say("Your shares"), "1", "0", note=say("free, as its founder")),
    )


def _grant(asked: Asked) -> str:
    if asked.view.department is None:
        return ""
    most = largest_grant(len(asked.view.players))
    return say(
        "The Department of Energy then receives 1 to {most} shares by lot, so this cannot be taken back.", most=most
    )


def _growth(asked: Asked, result: Result) -> tuple[Row, ...]:
    """The company that comes out of it, and what the viewer's shares of it are worth."""
    company = asked.view.company(result.company)
    mine = company.holdings.get(asked.view.seat, 0)
    rows = (
        Row(say("{company}, tiles", company=company.title), str(result.size), str(company.size)),
        Row(say("Price"), thousands(result.price), thousands(company.price)),
    )
    if not mine:
        return rows
    yours = count("Your {n} share", "Your {n} shares", mine)
    return (*rows, Row(yours, thousands(mine * result.price), thousands(mine * company.price)))


def _merger(asked: Asked, result: Result) -> tuple[Row, ...]:
    rows = list(_growth(asked, result))
    gained = 0
    for gone in result.acquisitions:
        rows.append(
            Row(
                say("{company} ends", company=_title(gone.company)),
                _tiles(gone.size),
                note=say("paid at {price}", price=thousands(gone.price)),
                css="head",
            )
        )
        rows.extend(_paid(asked, gone))
        gained += sum(payout.total for payout in gone.payouts if payout.seat == asked.view.seat)
    cash = asked.you.cash
    return (*rows, Row(say("Your cash"), thousands(cash + gained), thousands(cash), css="total"))


def _paid(asked: Asked, gone: Acquisition) -> list[Row]:
    """Who gets what for the shares of a company that ends."""
    lines = []
    for payout in gone.payouts:
        note = f"{payout.shares} × {thousands(gone.price)}"
        if payout.bonus:
            note = say("{sale}, bonus {bonus}", sale=note, bonus=thousands(payout.bonus))
        lines.append(Row(_holder(asked, payout.seat), f"+{thousands(payout.total)}", note=note))
    return lines


def _holder(asked: Asked, holder: Holder) -> str:
    if holder is None:
        return say("Dept. of Energy")
    return say("You") if holder == asked.view.seat else asked.name(holder)


def _bought(asked: Asked, request: Request) -> Preview:
    company = asked.view.company(request["company"])
    cash, mine = asked.you.cash, company.holdings.get(asked.view.seat, 0)
    price = price_at(company.key, company.size)
    rows = (
        Row(say("Price"), thousands(price)),
        Row(say("Your cash"), thousands(cash - price), thousands(cash)),
        Row(say("Your shares"), str(mine + 1), str(mine)),
        Row(say("Shares left"), str(company.unsold - 1), str(company.unsold)),
    )
    refused = next((offer.refused for offer in asked.of("buy") if offer.fixed["company"] == company.key), "")
    if refused:
        return Preview(says=(Say(refused, "PU 4.6"),))
    return Preview(say("If you buy a share of {company}", company=company.title), rows, _last(asked))


def _drawn(asked: Asked, request: Request) -> Preview:
    offer = asked.of("draw")[0]
    if offer.refused:
        return Preview(says=(Say(offer.refused, offer.rule),))
    held, bag = len(asked.you.hand), asked.view.bag
    drawn = min(HAND_LIMIT - held, bag)
    rows = (
        Row(say("Tiles in hand"), str(held + drawn), str(held)),
        Row(say("Tiles in the bag"), str(bag - drawn), str(bag)),
    )
    if end := end_of_drawing(asked):
        return Preview(say("If you draw, the game ends"), (*rows, *final_rows(asked, None, None)), ended(end))
    hint = say("A draw cannot be taken back, nor can what came before it.")
    return Preview(say("If you draw"), rows, _last(asked), hint)


def _ended(asked: Asked, request: Request) -> Preview:
    offer = asked.of("end_turn")[0]
    if offer.refused:
        return Preview(says=(Say(offer.refused, offer.rule),))
    text = count(
        "You give up {n} action. Then it is {name}’s turn.",
        "You give up {n} actions. Then it is {name}’s turn.",
        asked.view.actions_left,
        name=_next(asked),
    )
    return Preview(says=(Say(text, "PU 3"),))


def _last(asked: Asked) -> tuple[Say, ...]:
    """The action that passes the turn says so."""
    if asked.view.actions_left > 1:
        return ()
    return (Say(say("This is your last action. Then it is {name}’s turn.", name=_next(asked)), "P-18"),)


def _next(asked: Asked) -> str:
    order = asked.view.order
    after = order[(order.index(asked.view.seat) + 1) % len(order)]
    return str(asked.seats[after].name)


def _title(company: str) -> str:
    return COMPANIES[company].title
