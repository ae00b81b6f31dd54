"""The sharp bot: it continues the most promising turns as the house bot would, and takes the one that is best for it at
the end of the year."""

from __future__ import annotations

from functools import partial

from game.engine import referee
from game.engine.chance import Chance
from game.engine.offers import Offer
from game.engine.position import AnyPosition
from game.engine.ruleset import Bot, Offered, Ruleset
from game.engine.search import Requests, Search
from game.rulesets.stock_market_tycoon.bots.house import decide, house_bot
from game.rulesets.stock_market_tycoon.bots.inference import InformedOutlook
from game.rulesets.stock_market_tycoon.bots.outlook import Outlook
from game.rulesets.stock_market_tycoon.bots.values import VALUES, Request
from game.rulesets.stock_market_tycoon.tables import SUB_ROUNDS
from game.rulesets.stock_market_tycoon.view import CompanyView, TycoonView

ROLLOUTS = 24
LATER = 0.5  # worth of an office in later years, as a part of what it brings this year
CANDIDATES = 6  # turns that are tried, the house bot's among them


def sharp_of(rules: Ruleset) -> Bot:
    """The sharp bot of these rules. It makes sealed decisions and lists like the house bot, but with expectations that
    include the others' trades."""

    def sharp_bot(view: TycoonView, offered: Offered, chance: Chance) -> Requests:
        offers = [offer for offer in offered() if not offer.refused]
        if not offers or view.phase is None:
            return []
        outlook = InformedOutlook(view)
        first = decide(outlook, offers)
        if view.phase.name != "trade" or view.acting_seat != view.seat or _is_last(view):
            return first
        candidates = [first, *([turn] for _, turn in _promising(outlook, offers) if [turn] != first)][:CANDIDATES]
        search = Search(rules, house_bot, partial(lead, rules, outlook), is_far, ROLLOUTS)
        return search.best(view, candidates, chance) if len(candidates) > 1 else first

    return sharp_bot


def _is_last(view: TycoonView) -> bool:
    return view.sub_round >= SUB_ROUNDS


def _promising(outlook: Outlook, offers: list[Offer]) -> list[tuple[float, Request]]:
    """Turns that are expected to be worth more than a pass, the best first."""
    valued = [VALUES[offer.kind](outlook, offer) for offer in offers if offer.kind in VALUES and not offer.refused]
    return sorted((each for each in valued if each[0] > 0), key=lambda each: -each[0])


def is_far(view: TycoonView, position: AnyPosition) -> bool:
    """True once the seat's last turn of the year has come, or the year is over."""
    state = position.state
    return bool(state.turn > view.turn or (state.sub_round >= SUB_ROUNDS and state.acting == view.seat))


def lead(rules: Ruleset, informed: InformedOutlook, position: AnyPosition, seat: int) -> float:
    """The seat's lead in expected net worth at the end of the year, including the last turn, over the mean of the best
    of the others and their average. The bot knows its own hand and what the trades so far reveal."""
    view: TycoonView = rules.view(position, seat)
    outlook = informed.after(view)
    worths = [_worth(outlook, other) for other in range(len(view.players))]
    if view.acting_seat == seat:
        turns = _promising(outlook, referee.offers(rules, position, seat))
        worths[seat] += turns[0][0] if turns else 0
    others = worths[:seat] + worths[seat + 1 :]
    return float(worths[seat] - (max(others) + sum(others) / len(others)) / 2)


def _lift(outlook: Outlook, company: CompanyView, seat: int) -> float:
    """Dollars a share that a Chairman saves by striking: this year for every holder, later for the Chairman, who can
    count on it. (ST 4.11)"""
    if company.chairman_seat is None:
        return 0.0
    is_to_come = company.chairman_seat == seat and outlook.view.turn < outlook.view.years
    return outlook.lowest_card(company.key) * (1 + LATER * is_to_come)


def _worth(outlook: Outlook, seat: int) -> float:
    """Net worth, plus the expected gain of shares, short sales and options."""
    view, player = outlook.view, outlook.view.player(seat)
    worth = player.score
    for company in view.companies:
        if held := player.shares.get(company.key, 0):
            worth += (outlook.mean(company.key) + _lift(outlook, company, seat)) * held
    for short in view.shorts:
        if short.seat == seat:
            worth += (short.entry - view.company(short.company).price - outlook.mean(short.company)) * short.shares
    for option in view.contracts:
        if option.seat == seat:
            out = option.strike - view.company(option.company).price
            pays = outlook.above(option.company, out) if option.kind == "call" else outlook.below(option.company, -out)
            worth += pays * option.shares
    return float(worth)
