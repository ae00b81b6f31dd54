"""The building phase: one tile of the hand is built, one leaves the game, one stays. (BS 6.1)"""

from __future__ import annotations

from typing import ClassVar

from game.engine.actions import Action, Refused
from game.engine.language import mark
from game.engine.play import Play
from game.rulesets.big_shoulders.effects import ERAS, TILES, TileNumber
from game.rulesets.big_shoulders.events import HandSeen, MarketFilled, PartnerGained, TileBuilt, TilesDealt
from game.rulesets.big_shoulders.state import MARKET, SUPPLY, WORKERS, ShouldersState
from game.rulesets.big_shoulders.tables import HAND_SIZE, MOST_WORKERS, PARTNERS_DECADE


class Choose(Action, frozen=True, kw_only=True, tag="choose"):
    """Build one tile of the hand and discard another, in secret until all have chosen. (BS 6.1, B-19)"""

    build: TileNumber
    discard: TileNumber
    title: ClassVar[str] = mark("Choose building tiles")

    def check(self, state: ShouldersState) -> None:
        for field, tile in (("build", self.build), ("discard", self.discard)):
            if tile not in state.hands[self.actor]:
                raise Refused(
                    "Tile {tile} is not in your hand.", "BS 6.1", tile=tile, code="tile_not_in_hand", field=field
                )
        if self.build == self.discard:
            raise Refused(
                "You cannot build and discard the same tile: choose two tiles.",
                "BS 6.1",
                code="same_tile",
                field="discard",
            )


def everybody(state: ShouldersState) -> range:
    """All seats: everybody chooses a tile."""
    return range(state.seats)


def deal_tiles(play: Play[ShouldersState], count: int) -> None:
    """Deal a random hand to each seat in seat order; the deck is a set. (B-20)"""
    state = play.state
    deck = state.era_decks[ERAS[state.turn]]
    play.emit(TilesDealt(tiles=count))
    for seat in range(state.seats):
        dealt = play.chance.sample("deal", deck, count)
        state.era_decks[ERAS[state.turn]] = deck = [tile for tile in deck if tile not in dealt]
        state.hands[seat] = sorted([*state.hands[seat], *dealt])
        play.emit(HandSeen(audience=(seat,), seat=seat, tiles=tuple(state.hands[seat])))


def begin_building(play: Play[ShouldersState]) -> None:
    """Fill the hands up to three tiles; those of the first decade were dealt before. (BS 6.1)"""
    missing = HAND_SIZE - len(play.state.hands[0])
    if missing:
        deal_tiles(play, missing)


def reveal_tiles(play: Play[ShouldersState]) -> None:
    """Reveal all tiles together, refill the job market, and give every player a partner in decade 3. (BS 6.1)"""
    state = play.state
    choices = {choice.actor: choice for choice in play.inputs_of(Choose)}
    workers = 0
    for seat in range(state.seats):
        lowest = state.hands[seat]
        build, discard = (choices[seat].build, choices[seat].discard) if seat in choices else (lowest[0], lowest[1])
        state.hands[seat] = [tile for tile in state.hands[seat] if tile not in (build, discard)]
        state.built[seat].append(build)
        state.discarded[seat].append(discard)
        workers += TILES[build].workers
        play.emit(TileBuilt(seat=seat, tile=build))
    coming = min(workers, MOST_WORKERS - state.market)
    play.ledger.hand_over(WORKERS, SUPPLY, MARKET, coming)
    play.emit(MarketFilled(workers=coming, market=state.market))
    if state.turn == PARTNERS_DECADE:
        for seat in range(state.seats):
            gain_partner(play, seat, "decade")


def gain_partner(play: Play[ShouldersState], seat: int, why: str) -> None:
    """Give a seat one more partner, ready at once in the action phase, otherwise from the next one on. (BS 6.2.5, B-67)

    `why`: decade, appeal or factories."""
    state = play.state
    state.partners[seat] += 1
    if state.operation is None:
        state.ready[seat] += 1
    play.emit(PartnerGained(seat=seat, why=why))
