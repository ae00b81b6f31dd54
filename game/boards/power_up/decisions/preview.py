"""What an action would do. It uses the view's own forecasts, so it shows nothing hidden."""

from __future__ import annotations

from game.boards.decision import Missing, Question
from game.boards.power_up.decisions.form import end_by_drawing, end_by_playing, ended, final_rows, near_end
from game.boards.shapes import Preview, Request, Row, Say
from game.engine.language import count, mark, say
from game.engine.phrases import thousands
from game.rulesets.power_up.forecast import EXPANSION, FAILED, FOUNDING, MERGER, Acquisition, Forecast, Result
from game.rulesets.power_up.numbers import Holder, price_at
from game.rulesets.power_up.tables import COMPANIES, HAND_LIMIT, largest_grant

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


def preview_of(question: Question) -> Preview:
    """The changes that the chosen action would make."""
    request = question.request()
    if question.bad is not None and not isinstance(question.bad, Missing):
        return Preview(says=(Say(question.bad.text, question.bad.rule),))
    if request is None:
        return Preview(hint=say(LOCKED if question.view.tile_lock else HINT))
    kinds = {"play_tile": _played, "buy": _bought, "draw": _drawn, "end_turn": _ended}
    return kinds[request["kind"]](question, request)


def _played(question: Question, request: Request) -> Preview:
    ahead = next((one for one in question.view.ahead if one.tile == request["tile"]), None)
    if ahead is None or question.view.tile_lock:
        return Preview(hint=say(HINT))
    end = end_by_playing(question, ahead)
    if not ahead.results:
        hint = say(NEUTRAL[ahead.case], tile=ahead.tile)
        if end:
            return Preview(_if_played(ahead), final_rows(question, ahead, None), ended(end), hint)
        return Preview(says=_last(question), hint=f"{hint} {say('You may play another tile after it.')}")
    if ahead.choice and request.get(ahead.choice) not in ahead.companies:
        says = ended(end) if end else _last(question)
        return Preview(_if_played(ahead), _choices(ahead), says, _choice_title(ahead))
    result = ahead.result(request.get(ahead.choice) if ahead.choice else None)
    rows = {FOUNDING: _founding, EXPANSION: _growth, MERGER: _merger}[ahead.case](question, result)
    captions = LAST_CAPTIONS if end else CAPTIONS
    caption = say(captions[ahead.case], tile=ahead.tile, company=_title(result.company))
    hint = _grant(question) if ahead.case == FOUNDING else ""
    if end:
        return Preview(caption, (*rows, *final_rows(question, ahead, result)), ended(end), hint)
    return Preview(caption, rows, (*near_end(question, ahead, result), *_last(question)), hint)


def _if_played(ahead: Forecast) -> str:
    return say("If you play {tile}", tile=ahead.tile)


def _choices(ahead: Forecast) -> tuple[Row, ...]:
    """Rows about each company that can be chosen, as it would be afterwards."""
    return tuple(
        Row(_title(one.company), _tiles(one.size), note=say("price {price}", price=thousands(one.price)))
        for one in ahead.results
    )


def _tiles(n: int) -> str:
    return count("{n} tile", "{n} tiles", n)


def _choice_title(ahead: Forecast) -> str:
    if ahead.choice == "found":
        return say("Choose the company to found.")
    return say("These companies are of equal size: choose the one that survives.")


def _founding(question: Question, result: Result) -> tuple[Row, ...]:
    return (
        Row(say("Tiles"), str(result.size)),
        Row(say("Price"), thousands(result.price)),
        Row(say("Your shares"), "1", "0", note=say("free, as its founder")),
    )


def _grant(question: Question) -> str:
    if question.view.department is None:
        return ""
    most = largest_grant(len(question.view.players))
    return say(
        "The Department of Energy then receives 1 to {most} shares by lot, so this cannot be taken back.", most=most
    )


def _growth(question: Question, result: Result) -> tuple[Row, ...]:
    """The resulting company, and the value of the viewer's shares of it."""
    company = question.view.company(result.company)
    mine = company.holdings.get(question.view.seat, 0)
    rows = (
        Row(say("{company}, tiles", company=company.title), str(result.size), str(company.size)),
        Row(say("Price"), thousands(result.price), thousands(company.price)),
    )
    if not mine:
        return rows
    yours = count("Your {n} share", "Your {n} shares", mine)
    return (*rows, Row(yours, thousands(mine * result.price), thousands(mine * company.price)))


def _merger(question: Question, result: Result) -> tuple[Row, ...]:
    rows = list(_growth(question, result))
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
        rows.extend(_paid(question, gone))
        gained += sum(payout.total for payout in gone.payouts if payout.seat == question.view.seat)
    cash = question.you.cash
    return (*rows, Row(say("Your cash"), thousands(cash + gained), thousands(cash), css="total"))


def _paid(question: Question, gone: Acquisition) -> list[Row]:
    """The payouts for the shares of a company that ends."""
    lines = []
    for payout in gone.payouts:
        note = f"{payout.shares} × {thousands(gone.price)}"
        if payout.bonus:
            note = say("{sale}, bonus {bonus}", sale=note, bonus=thousands(payout.bonus))
        lines.append(Row(_holder(question, payout.seat), f"+{thousands(payout.total)}", note=note))
    return lines


def _holder(question: Question, holder: Holder) -> str:
    if holder is None:
        return say("Dept. of Energy")
    return question.name(holder)


def _bought(question: Question, request: Request) -> Preview:
    company = question.view.company(request["company"])
    cash, mine = question.you.cash, company.holdings.get(question.view.seat, 0)
    price = price_at(company.key, company.size)
    rows = (
        Row(say("Price"), thousands(price)),
        Row(say("Your cash"), thousands(cash - price), thousands(cash)),
        Row(say("Your shares"), str(mine + 1), str(mine)),
        Row(say("Shares left"), str(company.unsold - 1), str(company.unsold)),
    )
    refused = next((offer.refused for offer in question.of("buy") if offer.fixed["company"] == company.key), "")
    if refused:
        return Preview(says=(Say(refused, "PU 4.6"),))
    return Preview(say("If you buy a share of {company}", company=company.title), rows, _last(question))


def _drawn(question: Question, request: Request) -> Preview:
    offer = question.of("draw")[0]
    if offer.refused:
        return Preview(says=(Say(offer.refused, offer.rule),))
    held, bag = len(question.you.hand), question.view.bag
    drawn = min(HAND_LIMIT - held, bag)
    rows = (
        Row(say("Tiles in hand"), str(held + drawn), str(held)),
        Row(say("Tiles in the bag"), str(bag - drawn), str(bag)),
    )
    if end := end_by_drawing(question):
        return Preview(say("If you draw, the game ends"), (*rows, *final_rows(question, None, None)), ended(end))
    hint = say("A draw cannot be taken back, nor anything you did before it.")
    return Preview(say("If you draw"), rows, _last(question), hint)


def _ended(question: Question, request: Request) -> Preview:
    offer = question.of("end_turn")[0]
    if offer.refused:
        return Preview(says=(Say(offer.refused, offer.rule),))
    text = count(
        "You give up {n} action. Then it is {name}’s turn.",
        "You give up {n} actions. Then it is {name}’s turn.",
        question.view.actions_left,
        name=_next(question),
    )
    return Preview(says=(Say(text, "PU 3"),))


def _last(question: Question) -> tuple[Say, ...]:
    """The note of an action that ends the turn."""
    if question.view.actions_left > 1:
        return ()
    return (Say(say("This is your last action. Then it is {name}’s turn.", name=_next(question)), "PU 3"),)


def _next(question: Question) -> str:
    order = question.view.order
    after = order[(order.index(question.view.seat) + 1) % len(order)]
    return str(question.seats[after].name)


def _title(company: str) -> str:
    return COMPANIES[company].title
