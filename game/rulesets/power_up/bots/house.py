"""The house bot: it compares what each player would have if the game ended after an action, and takes the action that
puts it furthest ahead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from game.engine.chance import Chance
from game.engine.random_bot import Request
from game.engine.ruleset import Offered
from game.rulesets.power_up.forecast import FOUNDING, ISOLATED, MERGER, Forecast, Result
from game.rulesets.power_up.numbers import Holder, bonuses
from game.rulesets.power_up.tables import HAND_LIMIT, largest_grant
from game.rulesets.power_up.view import PowerUpView, holders

Held = Mapping[Holder, int]
NEAR = 1.5  # how much more a bonus counts that a tile of its own hand would pay out
GROWTH = 3  # dollars that a share is expected to gain for each tile the company has
LEAST_HAND = 2
"""With fewer tiles it draws before it buys: a turn without a tile begins with a wasted action."""
FOUNDING_BONUS = 600  # dollars in favour of a founding: it buys into the new company first
LOOKAHEAD = 4  # shares it considers buying of one company, over several actions
Choice = tuple[float, Request]


class Outlook:
    """Holders and prices of the active companies, from one seat's point of view."""

    def __init__(self, view: PowerUpView) -> None:
        assert view.seat is not None
        self.seat: int = view.seat
        self._seats = len(view.players)
        self._has_department = view.department is not None
        active = [company for company in view.companies if company.is_active]
        self.held: dict[str, Held] = {company.key: holders(company) for company in active}
        self._prices = {company.key: company.price for company in active}
        self._sizes = {company.key: company.size for company in active}
        results = [result for ahead in view.ahead if ahead.case == MERGER for result in ahead.results]
        self._near = {gone.company for result in results for gone in result.acquisitions}

    def founders(self) -> Held:
        """The holders of a company that the seat founds; the Department is assumed to get the middle of its possible
        grant."""
        return {self.seat: 1, None: largest_grant(self._seats) // 2} if self._has_department else {self.seat: 1}

    def lead(self, now: Mapping[str, tuple[Held, int]]) -> float:
        """How much the seat's lead over the others' average grows with new holders and prices of some companies."""
        return sum(self._lead_in(*then) - self._lead_in(*self._before(key)) for key, then in now.items())

    def gain_of_buying(self, key: str, count: int) -> float:
        """The final value of `count` shares of a company less their price."""
        held, price = self.held[key], self._prices[key]
        more = {**held, self.seat: held.get(self.seat, 0) + count}
        gain = self._lead_in(more, price) - self._lead_in(held, price) - count * price
        return gain * (NEAR if key in self._near else 1) + count * GROWTH * self._sizes[key]

    def _before(self, key: str) -> tuple[Held, int]:
        return self.held.get(key, {}), self._prices.get(key, 0)

    def _lead_in(self, held: Held, price: int) -> float:
        """The amount that a company pays the seat, less the average of what it pays the others."""
        extra = bonuses(held, price)
        paid = {holder: shares * price + extra.get(holder, 0) for holder, shares in held.items() if holder is not None}
        mine = paid.pop(self.seat, 0)
        return mine - sum(paid.values()) / (self._seats - 1)


def house_bot(view: PowerUpView, offered: Offered, chance: Chance) -> list[Request]:
    """One action: play a tile, buy a share, draw when the hand is low, or end the turn."""
    outlook = Outlook(view)
    tile = max(_tiles(view, outlook), key=_gain, default=None)
    if not view.tile_played:
        return [_first_tile(view, tile, outlook)]
    share = max(_shares(view, outlook), key=_gain, default=None)
    if tile is not None and not view.tile_lock and _is_worth_more(view, tile, share):
        return [tile[1]]
    tiles = len(view.ahead)
    can_draw = view.bag > 0 and tiles < HAND_LIMIT
    if share is not None and not (can_draw and tiles < LEAST_HAND):
        return [share[1]]
    return [{"kind": "draw"} if can_draw else {"kind": "end_turn"}]


def _gain(choice: Choice) -> float:
    return choice[0]


def _first_tile(view: PowerUpView, best: Choice | None, outlook: Outlook) -> Request:
    """The best tile; before a merger, one that touches nothing if there is time to buy shares of the company to be
    taken over."""
    if best is None:
        return {"kind": "draw"}
    cases = {ahead.tile: ahead.case for ahead in view.ahead}
    alone = [tile for tile, case in cases.items() if case == ISOLATED]
    has_time = view.actions_left > 2 and any(gain > 0 for gain, _ in _shares(view, outlook))
    if alone and has_time and cases[best[1]["tile"]] == MERGER:
        return {"kind": "play_tile", "tile": alone[0]}
    return best[1]


def _is_worth_more(view: PowerUpView, tile: Choice, share: Choice | None) -> bool:
    """True if another tile is better than a share: as the last action, or if it gains more. A merger waits for the last
    action: shares bought before it are cheaper, or are paid out by it."""
    if share is None or view.actions_left == 1:
        return tile[0] > 0
    is_merger = any(ahead.tile == tile[1]["tile"] and ahead.case == MERGER for ahead in view.ahead)
    return tile[0] > max(share[0], 0) and not is_merger


def _tiles(view: PowerUpView, outlook: Outlook) -> Iterator[Choice]:
    """Every tile with every company that can be chosen for it, and the gain."""
    for ahead in view.ahead:
        for result in ahead.results:
            named = {ahead.choice: result.company} if ahead.choice else {}
            yield _gain_of(ahead, result, outlook), {"kind": "play_tile", "tile": ahead.tile, **named}
        if not ahead.results:
            yield 0, {"kind": "play_tile", "tile": ahead.tile}


def _gain_of(ahead: Forecast, result: Result, outlook: Outlook) -> float:
    """How much the placement increases the seat's lead."""
    if ahead.case == FOUNDING:
        return outlook.lead({result.company: (outlook.founders(), result.price)}) + FOUNDING_BONUS
    held = outlook.held[result.company]
    now: dict[str, tuple[Held, int]] = {result.company: (held, result.price)}
    now |= {gone.company: (outlook.held[gone.company], gone.price) for gone in result.acquisitions}
    return outlook.lead(now)


def _shares(view: PowerUpView, outlook: Outlook) -> Iterator[Choice]:
    """Every company whose shares can be bought, and the gain per share."""
    cash = view.player(outlook.seat).cash
    for company in view.companies:
        most = min(LOOKAHEAD, company.unsold, cash // company.price)
        if company.is_active and most:
            gain = max(outlook.gain_of_buying(company.key, count) / count for count in range(1, most + 1))
            yield gain, {"kind": "buy", "company": company.key}
