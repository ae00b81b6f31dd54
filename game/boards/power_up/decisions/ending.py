"""How a turn's form says that an action ends the game: why, and what everybody would then have. (PU 5, 6)"""

from __future__ import annotations

from game.boards.decision import Asked
from game.boards.shapes import Row, Say
from game.engine.language import count, say
from game.engine.leaving import ranked
from game.engine.phrases import listed, thousands
from game.rulesets.power_up.aftermath import cash_after, end_after, ending_cells, table_after
from game.rulesets.power_up.events import ENDS
from game.rulesets.power_up.forecast import FOUNDING, Forecast, Result
from game.rulesets.power_up.scoring import worths
from game.rulesets.power_up.tables.common import HAND_LIMIT

MOST_NAMED = 3  # tiles that would end the game


def end_of_playing(asked: Asked, ahead: Forecast) -> str:
    """Which end the tile brings; the companies that may be named make no difference."""
    view = asked.view
    result = ahead.results[0] if ahead.results else None
    sizes = table_after(view.table(), ahead, result, view.seat).sizes
    hands = [player.tiles - (player.seat == view.seat) for player in view.players]
    return end_after(sizes.values(), bag=view.bag, hands=hands)


def end_of_drawing(asked: Asked) -> str:
    """Which end a draw brings: it may empty the bag while another hand is empty. (P-3)"""
    view = asked.view
    drawn = min(HAND_LIMIT - asked.you.tiles, view.bag)
    hands = [player.tiles + drawn * (player.seat == view.seat) for player in view.players]
    return end_after([company.size for company in view.companies], bag=view.bag - drawn, hands=hands)


def ended(end: str) -> tuple[Say, ...]:
    """The warning."""
    text = say("{why}. It cannot be taken back.", why=say(ENDS[end]))
    return (Say(text, "PU 5", lead=say("This ends the game at once:")),)


def near_end(asked: Asked, ahead: Forecast, result: Result) -> tuple[Say, ...]:
    """That a next tile could end the game, whoever holds it."""
    cells = ending_cells(table_after(asked.view.table(), ahead, result, asked.view.seat))
    if not cells:
        return ()
    if len(cells) <= MOST_NAMED:
        return (Say(say("After it, {tiles} can end the game.", tiles=listed(cells)), "PU 5"),)
    text = count(
        "After it, {n} tile, such as {tile}, can end the game.",
        "After it, {n} tiles, such as {tile}, can end the game.",
        len(cells),
        tile=cells[0],
    )
    return (Say(text, "PU 5"),)


def final_rows(asked: Asked, ahead: Forecast | None, result: Result | None) -> tuple[Row, ...]:
    """The final standings, best first: what all shares and bonuses would bring. (PU 6)"""
    view = asked.view
    table = view.table() if ahead is None else table_after(view.table(), ahead, result, view.seat)
    cash = cash_after([view.player(seat).cash for seat in range(len(view.players))], result)
    is_drawn = ahead is not None and ahead.case == FOUNDING and view.department is not None
    without = is_drawn and say("cash + sale, without the Department’s new shares")
    rows = [Row(say("Final standings"), "", note=without or say("cash + sale with bonuses"), css="head")]
    for place in ranked(worths(cash, table), view.left):
        sold = place.score - cash[place.seat]
        name = say("You") if place.seat == view.seat else asked.name(place.seat)
        note = f"{thousands(cash[place.seat])} + {thousands(sold)}"
        css = "total" if place.seat == view.seat else ""
        rows.append(Row(f"{place.place}. {name}", thousands(place.score), note=note, css=css))
    return tuple(rows)
