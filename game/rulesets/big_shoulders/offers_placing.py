"""The spaces on which a company may place a partner, with the choices of each effect. (BS 6.2, BS 6.3)"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from game.engine.actions import Refused
from game.engine.language import say
from game.engine.offers import Choice, Counts, Field, Flag, Offer, Several
from game.rulesets.big_shoulders.descriptions import asset_in_words, space_in_words
from game.rulesets.big_shoulders.effects import ASSETS, GENERAL_SPACES, SPACES, Effect, Space
from game.rulesets.big_shoulders.placing import Place, check_open, effect_of, fee_of
from game.rulesets.big_shoulders.staff import after_move, moves_in, unmanaged
from game.rulesets.big_shoulders.state import HAYMARKET, ShouldersState
from game.rulesets.big_shoulders.tables import ASSET_SLOTS, COMPANIES, MOST_APPEAL, Company, price_of_workers
from game.rulesets.big_shoulders.targets import AssetSlot, asset_in, bonus_of, check_possible, choices_of_cubes
from game.rulesets.big_shoulders.telling import cubes_in_words


def placing(state: ShouldersState, seat: int, company: Company) -> Iterator[Offer]:
    """One offer for each space and tile; of capital assets one for each slot."""
    tiles = sorted(state.tiles_built())
    for space in (*GENERAL_SPACES, *tiles):
        if effect_of(space).discount is None:
            yield _offer(state, seat, company, space)
        else:
            for slot, asset in zip(ASSET_SLOTS, state.assets, strict=True):
                if asset is not None:
                    yield _offer(state, seat, company, space, slot)  # type: ignore[arg-type]


def _offer(state: ShouldersState, seat: int, company: Company, space: Space, slot: AssetSlot | None = None) -> Offer:
    fixed: dict[str, Any] = {"company": company, "space": space} | ({} if slot is None else {"asset_slot": slot})
    refused, rule = "", "BS 6.2"
    fields: tuple[Field, ...] = ()
    try:
        check_open(state, space)
        fields, more = _fields(state, company, space, slot)
        fixed |= more
        Place(actor=seat, **fixed, **{field.name: smallest(field) for field in fields}).check(state)
    except Refused as refusal:
        refused, rule = refusal.text, refusal.rule
    return Offer(
        "place", _label(state, space, slot), fixed, () if refused else fields, refused, rule,
        text=_text(state, space, slot), group=COMPANIES[company].title,
    )  # fmt: skip


def _label(state: ShouldersState, space: Space, slot: AssetSlot | None) -> str:
    title = say("Tile {tile}", tile=space) if isinstance(space, int) else say(SPACES[space].title)
    if slot is None:
        return title
    asset = state.assets[ASSET_SLOTS.index(slot)]
    assert asset is not None
    return say("{space}: {asset} for {price}", space=title, asset=ASSETS[asset].title,
               price=slot - (effect_of(space).discount or 0))  # fmt: skip


def _text(state: ShouldersState, space: Space, slot: AssetSlot | None) -> str:
    """The effect of a space in words; for an asset, its bonus and use."""
    asset = asset_in(state, slot)
    words = space_in_words(space)
    return f"{words}; {asset_in_words(ASSETS[asset])}" if asset else words


def smallest(field: Field) -> Any:
    """A field's smallest answer: its first value, or as few as possible."""
    match field:
        case Counts(parts=parts, least=least):
            value: dict[str, int] = {}
            for key, _, most in parts:
                value[key] = min(most, least - sum(value.values()))
            return value
        case Several(values=values, least=least):
            return [key for key, _ in values[:least]]
        case Choice(values=values, optional=optional):
            return None if optional else values[0][0]
    return False


def _fields(
    state: ShouldersState, company: Company, space: Space, slot: AssetSlot | None
) -> tuple[tuple[Field, ...], dict[str, Any]]:
    """The fields of the effect and of an asset's bonus, and the answers of those with only one possible answer."""
    effect = effect_of(space)
    check_possible(state, company, effect, claim=effect.claims)
    bonus = bonus_of(state, effect, slot)
    fields: list[Field] = []
    fixed: dict[str, Any] = {}
    fields += _workers(state, company, space, effect, effect.workers or bonus.workers)
    fields += _managers(state, company, effect.managers)
    fields += _automations(state, company, effect.automations or bonus.automations)
    if choices := choices_of_cubes(state.cubes_at(HAYMARKET), effect):
        fields.append(Choice("cubes", say("Cubes"), tuple((cubes, cubes_in_words(cubes)) for cubes in choices)))
    if slot is not None and COMPANIES[company].has_slot:
        fields.append(Flag("keep", say("Keep the asset")))
    if effect.claims and state.companies[company].appeal == MOST_APPEAL:
        fixed["claim"] = True
    elif effect.claims:
        fields.append(Flag("claim", say("Claim the first place")))
    return tuple(fields), fixed


def _workers(state: ShouldersState, company: Company, space: Space, effect: Effect, granted: int) -> Iterator[Field]:
    """The workers to choose: from the market up to the room and the money there are, otherwise up to the number
    granted."""
    free = state.free_spaces(company)
    least, most = (1, sum(free)) if effect.hires else (min(granted, sum(free)),) * 2
    if effect.hires:
        cash = state.treasury(company) - fee_of(space)
        most = max([1, *(number for number in range(1, most + 1) if price_of_workers(state.market, number) <= cash)])
    if least and any(free):
        parts = tuple(
            (str(number), say("Factory {number}", number=number), min(most, spaces))
            for number, spaces in enumerate(free, 1)
            if spaces
        )
        yield Counts("workers", say("Workers"), most, parts, least=least)


def _managers(state: ShouldersState, company: Company, granted: int) -> Iterator[Field]:
    factories = unmanaged(state, company)
    if number := min(granted, len(factories)):
        values = tuple((factory, say("Factory {number}", number=factory)) for factory in factories)
        yield Several("managers", say("Managers"), values, number, least=number)


def _automations(state: ShouldersState, company: Company, granted: int) -> Iterator[Field]:
    """The fields of two automations. The second may be omitted; its choices are those that remain after any first
    one."""
    workers, free = state.workers_in(company), state.free_spaces(company)
    moves = moves_in(workers, free) if granted else []
    if not moves:
        return
    yield Choice("automate", say("Automation"), tuple((move, move_words(move)) for move in moves))
    later = {move: None for first in moves for move in moves_in(*after_move(workers, free, first))}
    if granted > 1 and later:
        values = tuple((move, move_words(move)) for move in later)
        yield Choice("then_automate", say("Second automation"), values, optional=True)


def move_words(move: str) -> str:
    """`Factory 1, its worker to factory 2`."""
    factory, _, to = move.partition(">")
    if not to:
        return say("Factory {number}, its worker leaves", number=factory)
    return say("Factory {number}, its worker to factory {to}", number=factory, to=to)
