"""The actions of a seat in its turn. (PU 3, 4)"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, get_args

from msgspec import Meta

from game.engine.actions import Action, Pass, Ready, Refused, Undo, Withdraw
from game.engine.language import count, mark
from game.engine.ledger import BANK, cash_of, hand_of
from game.engine.names import Named, naming
from game.engine.phrases import either, listed, thousands
from game.engine.play import Play
from game.rulesets.power_up import numbers
from game.rulesets.power_up.events import ShareBought, TurnEnded
from game.rulesets.power_up.forecast import Forecast, foresee
from game.rulesets.power_up.placing import fill_hand, place_tile
from game.rulesets.power_up.state import PowerUpState, table_of
from game.rulesets.power_up.tables import COMPANIES, HAND_LIMIT

CompanyKey = Literal["eclipse", "maniac", "cortex", "rufus", "superslick", "whoops"]
COMPANY_KEYS: tuple[CompanyKey, ...] = get_args(CompanyKey)
TILE = Named(
    mark("There is no tile {name}. Tiles are named A0 to J9."),
    "PU 4.2",
    code="no_such_tile",
    of=lambda state, seat: numbers.CELLS,
)
Tile = Annotated[str, Meta(min_length=2, max_length=2), naming(TILE)]


class Draw(Action, frozen=True, kw_only=True, tag="draw"):
    """Fill the hand to five tiles from the bag. (PU 4.1)"""

    title: ClassVar[str] = mark("Draw tiles")
    is_public: ClassVar[bool] = True

    def check(self, state: PowerUpState) -> None:
        held = len(state.hands[self.actor])
        if held >= HAND_LIMIT:
            raise Refused(
                "You hold {held} of {most} tiles. Play a tile before you draw.",
                "PU 4.1",
                held=held,
                most=HAND_LIMIT,
                code="hand_is_full",
            )
        if not state.bag:
            raise Refused("You cannot draw: the bag is empty.", "PU 4.1", code="bag_is_empty")

    def carry_out(self, play: Play[PowerUpState]) -> None:
        fill_hand(play, self.actor)
        spend_action(play)


class PlayTile(Action, frozen=True, kw_only=True, tag="play_tile"):
    """Put a tile on its cell. `found` names the company to found, `survivor` the one that wins a tie. (PU 4.2)"""

    tile: Tile
    found: CompanyKey | None = None
    survivor: CompanyKey | None = None
    title: ClassVar[str] = mark("Play tile")
    is_public: ClassVar[bool] = True

    def check(self, state: PowerUpState) -> None:
        if state.tile_lock:
            raise Refused(
                "You cannot play another tile: one of this turn belongs to a company. Buy, draw or end the turn.",
                "PU 3",
                code="tile_lock",
            )
        hand = state.hands[self.actor]
        if self.tile not in hand:
            if not hand:
                raise Refused("You hold no tiles: draw first.", "PU 4.2", code="not_held", field="tile")
            raise Refused(
                "You do not hold that tile. You hold {tiles}.",
                "PU 4.2",
                tiles=listed(hand),
                code="not_held",
                field="tile",
            )
        ahead = foresee(table_of(state), self.tile)
        _check_named(ahead, "found", self.found, state)
        _check_named(ahead, "survivor", self.survivor, state)

    def carry_out(self, play: Play[PowerUpState]) -> None:
        place_tile(play, self.actor, self.tile, self.found or self.survivor)
        spend_action(play)


def _check_named(ahead: Forecast, field: str, named: str | None, state: PowerUpState) -> None:
    """Refuse a company unless the tile needs exactly this choice; other names come from another position. (P-7,
    P-12)"""
    if ahead.choice != field:
        if named is not None:
            raise Refused(WRONG[field], "P-7", tile=ahead.tile, code="not_asked_for", field=field)
        return
    if named not in ahead.companies:
        plain, despite, rule = CALLED[field]
        choice = either(COMPANIES[company].title for company in ahead.companies)
        if named is None:
            raise Refused(plain, rule, tile=ahead.tile, choice=choice, code="choice_missing", field=field)
        tiles = count("{n} tile", "{n} tiles", state.sizes().get(named, 0))
        raise Refused(
            despite,
            rule,
            tile=ahead.tile,
            choice=choice,
            company=COMPANIES[named].title,
            tiles=tiles,
            code="not_a_choice",
            field=field,
        )


CALLED = {
    "found": (
        mark("{tile} founds a company. Choose {choice}."),
        mark("{tile} founds a company. {company} has {tiles}. Choose {choice}."),
        "PU 4.3",
    ),
    "survivor": (
        mark("{tile} joins companies of equal size. Choose {choice}."),
        mark("{tile} joins companies of equal size. {company} has {tiles}. Choose {choice}."),
        "PU 4.5",
    ),
}
WRONG = {
    "found": mark("{tile} founds no company now. Look at the board and choose again."),
    "survivor": mark("{tile} causes no merger now whose survivor you choose. Look at the board and choose again."),
}


class Buy(Action, frozen=True, kw_only=True, tag="buy"):
    """Buy one share at the current price. (PU 4.6)"""

    company: CompanyKey
    title: ClassVar[str] = mark("Buy a share")
    is_public: ClassVar[bool] = True

    def check(self, state: PowerUpState) -> None:
        company = COMPANIES[self.company].title
        if not state.tile_played:
            raise Refused("You cannot buy before you have played a tile this turn.", "PU 3", code="no_tile_played")
        size = state.sizes().get(self.company, 0)
        if not size:
            raise Refused(
                "You cannot buy {company}: it is not active.",
                "PU 4.6",
                company=company,
                code="not_active",
                field="company",
            )
        if not state.unsold(self.company):
            raise Refused(
                "You cannot buy {company}: all its shares are sold.",
                "PU 4.6",
                company=company,
                code="none_left",
                field="company",
            )
        price, cash = numbers.price_at(self.company, size), state.cash(self.actor)
        if cash < price:
            raise Refused(
                "You cannot buy {company}: a share costs {price}, and you have {cash}.",
                "PU 4.6",
                company=company,
                price=thousands(price),
                cash=thousands(cash),
                code="not_enough_cash",
                field="company",
            )

    def carry_out(self, play: Play[PowerUpState]) -> None:
        price = play.state.price(self.company)
        play.pay(cash_of(self.actor), BANK, price, why="purchase")
        play.ledger.hand_over(self.company, BANK, hand_of(self.actor), 1)
        play.emit(ShareBought(seat=self.actor, company=self.company, price=price))
        spend_action(play)


class EndTurn(Action, frozen=True, kw_only=True, tag="end_turn"):
    """End the turn with unused actions. (PU 3, P-1)"""

    title: ClassVar[str] = mark("End turn")
    is_public: ClassVar[bool] = True

    def check(self, state: PowerUpState) -> None:
        if not state.tile_played:
            raise Refused("You cannot end your turn before you have played a tile.", "PU 3", code="no_tile_played")

    def carry_out(self, play: Play[PowerUpState]) -> None:
        end_turn(play, self.actor)


def spend_action(play: Play[PowerUpState]) -> None:
    """Count one action and check for the end of the game; after the last one the turn passes. (PU 5, P-1, P-3)"""
    state = play.state
    state.actions_left -= 1
    state.end = numbers.end_of(state.sizes().values(), is_bag_empty=not state.bag, has_empty_hand=not all(state.hands))


def end_turn(play: Play[PowerUpState], seat: int) -> None:
    """End the turn: no seat acts until the next one begins."""
    play.emit(TurnEnded(seat=seat, unused=play.state.actions_left))
    play.state.actions_left = 0


PowerUpAction = Ready | Pass | Withdraw | Undo | Draw | PlayTile | Buy | EndTurn
ACTIONS: dict[str, type[Action]] = {str(kind.__struct_config__.tag): kind for kind in PowerUpAction.__args__}
