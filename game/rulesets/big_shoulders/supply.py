"""The supply chain, the bag and Haymarket Square. (BS 1.6, BS 7.6)"""

from __future__ import annotations

from collections.abc import Mapping

from game.engine.play import Play
from game.rulesets.big_shoulders.company_events import BagShort, ColumnFilled
from game.rulesets.big_shoulders.state import BAG, HAYMARKET, ShouldersState
from game.rulesets.big_shoulders.tables import COLUMNS, CUBES, HAYMARKET_START, REFILLS, Company, Cube


def refill(play: Play[ShouldersState]) -> None:
    """Slide the columns toward 10 without merging them, then fill each empty one by a draw of its own. (B-63)"""
    state = play.state
    contents = [content for column in COLUMNS if (content := state.cubes_at(column))]
    for column in COLUMNS:
        _move(play, state.cubes_at(column), column, BAG)
    for column, content in zip(COLUMNS, contents, strict=False):
        _move(play, content, BAG, column)
    for column in COLUMNS[len(contents) :]:
        _fill(play, column)


def _fill(play: Play[ShouldersState], column: str) -> None:
    """Fill a column from the bag. If the bag is short, it first takes all of Haymarket but two cubes of each kind.
    (B-64)"""
    wanted = REFILLS[play.state.turn]
    drawn = _draw(play, "cubes", BAG, column, wanted)
    if drawn < wanted:
        drawn += _draw(play, "haymarket_cubes", HAYMARKET, column, wanted - drawn)
        _move(play, play.state.cubes_at(HAYMARKET), HAYMARKET, BAG)
        back = {cube: min(HAYMARKET_START, number) for cube, number in play.state.cubes_at(BAG).items()}
        _move(play, back, BAG, HAYMARKET)
        play.emit(BagShort(column=column, cubes=drawn))
    if drawn:
        play.emit(ColumnFilled(column=column, cubes=play.state.cubes_at(column)))


def _draw(play: Play[ShouldersState], label: str, place: str, column: str, wanted: int) -> int:
    """Random cubes of a place, as many as there are."""
    there = [cube for cube, number in play.state.cubes_at(place).items() for _ in range(number)]
    count = min(wanted, len(there))
    for cube in play.chance.sample(label, there, count) if count else ():
        play.ledger.hand_over(cube, place, column, 1)
    return count


def _move(play: Play[ShouldersState], cubes: Mapping[Cube, int], giver: str, taker: str) -> None:
    for cube, number in cubes.items():
        play.ledger.hand_over(cube, giver, taker, number)


def take_from_haymarket(play: Play[ShouldersState], company: Company, cubes: Mapping[Cube, int]) -> None:
    _move(play, cubes, HAYMARKET, company)


def give_to_haymarket(play: Play[ShouldersState], giver: str, cubes: Mapping[Cube, int]) -> None:
    """Put cubes into Haymarket; `giver` is a company or a column."""
    _move(play, cubes, giver, HAYMARKET)


def counted(cubes: tuple[Cube, ...]) -> dict[Cube, int]:
    """The number of cubes of each kind, in the order of the kinds."""
    return {cube: number for cube in CUBES if (number := cubes.count(cube))}
