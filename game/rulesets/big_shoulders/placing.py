"""Placing a partner on a space or a building tile. (BS 6.2, BS 6.3)"""

from __future__ import annotations

from typing import ClassVar

from game.engine.actions import Action, Refused
from game.engine.language import mark, say
from game.engine.ledger import BANK, cash_of, treasury_of
from game.engine.play import Play
from game.rulesets.big_shoulders.appeal import raise_appeal
from game.rulesets.big_shoulders.company_events import AssetTaken, BonusLost, CubesTaken
from game.rulesets.big_shoulders.effects import NO_EFFECT, SPACES, TILES, Effect, Space
from game.rulesets.big_shoulders.events import FirstPlaceClaimed, OwnerPaid, PartnerPlaced
from game.rulesets.big_shoulders.staff import (
    FactoryKey,
    Move,
    automate,
    hire_manager,
    hire_salesperson,
    make_goods,
    place_workers,
    sales_left,
)
from game.rulesets.big_shoulders.state import MARKET, SUPPLY, ShouldersState, Visit
from game.rulesets.big_shoulders.supply import take_from_haymarket
from game.rulesets.big_shoulders.tables import ASSET_SLOTS, COMPANIES, Company, Cube, Factory, price_of_workers
from game.rulesets.big_shoulders.targets import (
    AssetSlot,
    Number,
    Targets,
    asset_in,
    bonus_of,
    check_cash,
    check_possible,
    check_targets,
    does_anything,
    fixed_cubes,
)
from game.rulesets.big_shoulders.turn_ends import end_if_asked
from game.rulesets.big_shoulders.values import pay_dividend


class Place(Action, frozen=True, kw_only=True, tag="place"):
    """Place a partner for one of your companies; `end` ends the turn as soon as no bonus is open. (BS 6.2, B-24)"""

    company: Company
    space: Space
    workers: dict[FactoryKey, Number] = {}
    managers: list[Factory] = []
    automate: Move | None = None
    then_automate: Move | None = None
    cubes: dict[Cube, Number] = {}
    asset_slot: AssetSlot | None = None
    keep: bool | None = None
    claim: bool = False
    end: bool = False
    title: ClassVar[str] = mark("Place a partner")
    is_public: ClassVar[bool] = True

    @property
    def targets(self) -> Targets:
        return Targets(**{name: getattr(self, name) for name in Targets.__struct_fields__})

    def check(self, state: ShouldersState) -> None:
        check_free(state)
        if state.has_placed:
            raise Refused("You have already placed a partner this turn.", "BS 6.2", code="has_placed", field="space")
        check_director(state, self.actor, self.company)
        check_open(state, self.space)
        effect = effect_of(self.space)
        check_possible(state, self.company, effect, claim=self.claim)
        check_targets(state, self.company, effect, self.targets)
        check_cash(state, self.company, cost_of(state, self.space, self.targets), "B-33", "space")

    def carry_out(self, play: Play[ShouldersState]) -> None:
        state = play.state
        state.has_placed = True
        state.ready[self.actor] -= 1
        play.emit(PartnerPlaced(seat=self.actor, company=self.company, space=self.space))
        state.visits.append(Visit(self.company, self.space))
        if isinstance(self.space, int) or SPACES[self.space].is_single:
            state.used.append(self.space)
        _pay_for_space(play, self)
        _carry_out_effect(play, self)
        if self.end:
            state.is_ending = True
        end_if_asked(play)


def check_free(state: ShouldersState) -> None:
    """Raises `Refused` while a bonus is open: only the answer to it is possible. (B-82)"""
    if state.owed:
        raise Refused("A bonus of the appeal track must be answered first.", "B-82", code="bonus_is_open")


def check_director(state: ShouldersState, seat: int, company: Company) -> None:
    """Raises `Refused` unless the seat directs the company."""
    own = state.companies.get(company)
    if own is None or own.director != seat:
        raise Refused(
            "You do not direct {company}.",
            "BS 6.2",
            company=COMPANIES[company].title,
            code="not_the_director",
            field="company",
        )


def check_open(state: ShouldersState, space: Space) -> None:
    """Raises `Refused` if a space is not there yet or was used in this decade. (BS 1.9, B-87)"""
    if isinstance(space, int):
        if state.owner_of(space) is None:
            raise Refused("Nobody has built tile {tile}.", "BS 6.2", tile=space, code="not_built", field="space")
    elif state.turn < SPACES[space].since:
        raise Refused(
            "{space} is open from decade {decade} on.",
            "BS 1.9",
            space=say(SPACES[space].title),
            decade=SPACES[space].since,
            code="not_open_yet",
            field="space",
        )
    if space in state.used:
        raise Refused("That was used in this decade.", "BS 1.9", code="space_is_used", field="space")


def effect_of(space: Space) -> Effect:
    return TILES[space].effect if isinstance(space, int) else SPACES[space].effect


def cost_of(state: ShouldersState, space: Space, targets: Targets) -> int:
    """The cash that the company must have: fee, price, and the whole of a dividend. (B-33, B-35)"""
    effect = effect_of(space)
    return fee_of(space) + price_of(state, space, targets) + effect.dividend


def fee_of(space: Space) -> int:
    """The fee that the using company pays to a tile's owner."""
    return 0 if not isinstance(space, int) or TILES[space].is_paid_by_bank else TILES[space].fee


def price_of(state: ShouldersState, space: Space, targets: Targets) -> int:
    """The price that goes to the bank."""
    effect = effect_of(space)
    costs = 0 if isinstance(space, int) else SPACES[space].costs
    if effect.hires:
        costs += price_of_workers(state.market, sum(targets.workers.values()))
    if effect.discount is not None and targets.asset_slot is not None:
        costs += targets.asset_slot - effect.discount
    return costs


def _pay_for_space(play: Play[ShouldersState], placed: Place) -> None:
    """Pay for a space: first the owner of a tile, then the bank. (B-86)"""
    state, space, treasury = play.state, placed.space, treasury_of(placed.company)
    if isinstance(space, int):
        tile, owner = TILES[space], state.owner_of(space)
        assert owner is not None
        if tile.is_paid_by_bank:
            play.pay(BANK, cash_of(owner), tile.fee, why="bank's fee")
        else:
            play.pay(treasury, cash_of(owner), tile.fee, why=mark("fee"))
        play.emit(OwnerPaid(seat=owner, tile=space, amount=tile.fee))
    else:
        play.pay(BANK, treasury, SPACES[space].gives, why="fund raising")
    why = "capital asset" if placed.asset_slot is not None else "space"
    play.pay(treasury, BANK, price_of(state, space, placed.targets), why=why)


def _carry_out_effect(play: Play[ShouldersState], placed: Place) -> None:
    """Carry out all parts of the effect that are possible; appeal comes last, with its bonuses. (B-38)"""
    state, company, effect = play.state, placed.company, effect_of(placed.space)
    bonus = bonus_of(state, effect, placed.asset_slot)
    is_lost = bonus != NO_EFFECT and not does_anything(state, company, bonus)
    if placed.asset_slot is not None:
        _take_asset(play, placed)
    place_workers(play, company, placed.workers, MARKET if effect.hires else SUPPLY)
    for factory in placed.managers:
        hire_manager(play, company, factory)
    for _ in range(min(effect.salespeople, sales_left(state, company))):
        hire_salesperson(play, company)
    for move in (placed.automate, placed.then_automate):
        if move is not None:
            automate(play, company, move)
    take_cubes(play, company, fixed_cubes(state, effect) | {key: n for key, n in placed.cubes.items() if n})
    if effect.goods:
        make_goods(play, company, effect.goods)
    if effect.dividend:
        play.pay(treasury_of(company), BANK, effect.dividend, why="extra dividend")
        pay_dividend(play, company, effect.dividend)
    if placed.claim:
        claim_first_place(play, placed.actor)
    if is_lost:
        play.emit(BonusLost(company=company))
    raise_appeal(play, company, effect.appeal + bonus.appeal)


def take_cubes(play: Play[ShouldersState], company: Company, cubes: dict[Cube, int]) -> None:
    take_from_haymarket(play, company, cubes)
    if cubes:
        play.emit(CubesTaken(company=company, cubes=cubes))


def claim_first_place(play: Play[ShouldersState], seat: int) -> None:
    """Put a seat first in the next sequence; the others keep their order behind it. (BS 6.2, B-30)"""
    state = play.state
    state.next_order = [seat, *(other for other in state.next_order if other != seat)]
    play.emit(FirstPlaceClaimed(seat=seat))


def _take_asset(play: Play[ShouldersState], placed: Place) -> None:
    """Take an asset from the row; those to its right slide at once. A replaced asset and one that is not kept leave the
    game. (B-39, B-85)"""
    state, asset = play.state, asset_in(play.state, placed.asset_slot)
    assert asset is not None
    at = ASSET_SLOTS.index(placed.asset_slot)
    state.assets = [*state.assets[:at], *state.assets[at + 1 :], None]
    own = state.companies[placed.company]
    if placed.keep:
        own.asset, own.is_exhausted = asset, False
    play.emit(AssetTaken(company=placed.company, asset=asset, is_kept=bool(placed.keep)))
