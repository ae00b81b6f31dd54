"""The form of a turn, in which the map, the hand and the buttons set one field, and its warning before an action that
ends the game. (PU 5, 6)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from game.boards.decision import Question
from game.boards.shapes import Option, Row, Say
from game.engine.language import count, say
from game.engine.leaving import ranked
from game.engine.offers import Choice, Offer
from game.engine.phrases import listed, thousands
from game.rulesets.power_up.events import ENDS
from game.rulesets.power_up.forecast import FOUNDING, Forecast, Result, cash_after, end_after, ending_cells, table_after
from game.rulesets.power_up.numbers import price_at
from game.rulesets.power_up.offers import words_of
from game.rulesets.power_up.scoring import worths
from game.rulesets.power_up.tables import HAND_LIMIT

MOST_NAMED = 3  # tiles that would end the game
MOVE, BUY, DRAW, END = "move", "buy_", "draw", "end_turn"


def end_by_playing(question: Question, ahead: Forecast) -> str:
    """How playing the tile would end the game; empty if it would not. The choice of company makes no difference."""
    view = question.view
    result = ahead.results[0] if ahead.results else None
    sizes = table_after(view.table(), ahead, result, view.seat).sizes
    hands = [player.tiles - (player.seat == view.seat) for player in view.players]
    return end_after(sizes.values(), bag=view.bag, hands=hands)


def end_by_drawing(question: Question) -> str:
    """How a draw would end the game: it may empty the bag while another hand is empty. Empty if it would not. (P-3)"""
    view = question.view
    drawn = min(HAND_LIMIT - question.you.tiles, view.bag)
    hands = [player.tiles + drawn * (player.seat == view.seat) for player in view.players]
    return end_after([company.size for company in view.companies], bag=view.bag - drawn, hands=hands)


def ended(end: str) -> tuple[Say, ...]:
    text = say("{why}. This cannot be undone.", why=say(ENDS[end]))
    return (Say(text, "PU 5", lead=say("This ends the game at once:")),)


def near_end(question: Question, ahead: Forecast, result: Result) -> tuple[Say, ...]:
    """The warning that the next tile, whoever plays it, could end the game."""
    cells = ending_cells(table_after(question.view.table(), ahead, result, question.view.seat))
    if not cells:
        return ()
    if len(cells) <= MOST_NAMED:
        return (Say(say("After that, {tiles} can end the game.", tiles=listed(cells)), "PU 5"),)
    text = count(
        "After that, {n} tile, such as {tile}, can end the game.",
        "After that, {n} tiles, such as {tile}, can end the game.",
        len(cells),
        tile=cells[0],
    )
    return (Say(text, "PU 5"),)


def final_rows(question: Question, ahead: Forecast | None, result: Result | None) -> tuple[Row, ...]:
    """The final standings, best first, with the proceeds of all shares and the bonuses. (PU 6)"""
    view = question.view
    table = view.table() if ahead is None else table_after(view.table(), ahead, result, view.seat)
    cash = cash_after([view.player(seat).cash for seat in range(len(view.players))], result)
    is_drawn = ahead is not None and ahead.case == FOUNDING and view.department is not None
    without = is_drawn and say("cash + sale, without the Department’s new shares")
    rows = [Row(say("Final standings"), "", note=without or say("cash + sale with bonuses"), css="head")]
    for place in ranked(worths(cash, table), view.left):
        sold = place.score - cash[place.seat]
        note = f"{thousands(cash[place.seat])} + {thousands(sold)}"
        css = "total" if place.seat == view.seat else ""
        rows.append(Row(f"{place.place}. {question.name(place.seat)}", thousands(place.score), note=note, css=css))
    return tuple(rows)


class HandTile(msgspec.Struct, frozen=True):
    """A tile in hand: `joins` are the cells that playing it would change, `into` the company, if only one can result,
    `send` the words of the button that plays it. `ends`: playing it ends the game."""

    option: Option
    case: str
    joins: str
    into: str
    send: str
    ends: bool = False


class Named(msgspec.Struct, frozen=True):
    """The choice of a company, which some tiles require; enabled while one of them is selected."""

    name: str
    legend: str
    tiles: tuple[str, ...]
    options: tuple[Option, ...]
    is_on: bool


class TurnForm(msgspec.Struct, frozen=True):
    """The whole form. `locked` says why no tile can be played, `later` why other actions are not possible yet; `ending`
    lists the moves that end the game. `is_last`: the next action ends the turn."""

    hand: tuple[HandTile, ...]
    locked: str
    named: tuple[Named, ...]
    buys: tuple[Option, ...]
    others: tuple[Option, ...]
    later: tuple[str, ...]
    is_last: bool
    ending: tuple[str, ...] = ()


def form_of(question: Question) -> TurnForm:
    """The form with the current choices."""
    playing = question.of("play_tile")[0]
    others = tuple(_other(question, kind) for kind in (DRAW, END))
    hand = tuple(_tile(question, one, playing) for one in sorted(question.view.ahead, key=lambda one: one.tile))
    ending = [tile.option.value for tile in hand if tile.ends]
    return TurnForm(
        hand=hand,
        locked=playing.refused,
        named=tuple(_named(question, field) for field in playing.fields if isinstance(field, Choice)),
        buys=_buys(question) if question.view.tile_played else (),
        others=tuple(option for option in others if not option.refused),
        later=_later(question, others[0]),
        is_last=_is_last(question),
        ending=tuple([*ending, DRAW] if end_by_drawing(question) and not others[0].refused else ending),
    )


def _is_last(question: Question) -> bool:
    return bool(question.view.actions_left == 1)


def _tile(question: Question, ahead: Forecast, playing: Offer) -> HandTile:
    is_chosen = question.filled.get(MOVE) == ahead.tile
    words = say("stays in hand") if playing.refused else words_of(ahead)
    option = Option(ahead.tile, ahead.tile, words, checked=is_chosen, refused=playing.refused, rule=playing.rule)
    into = ahead.companies[0] if len(ahead.results) == 1 else ""
    ends = not playing.refused and bool(end_by_playing(question, ahead))
    send = say("Play {tile} and end turn" if _is_last(question) else "Play {tile}", tile=ahead.tile)
    return HandTile(option, ahead.case, " ".join(_joining(question, ahead)), into, send, ends)


def _joining(question: Question, ahead: Forecast) -> Sequence[str]:
    """The neutral tiles that join, and the tiles of companies that may be taken over."""
    gone = {victim.company for result in ahead.results for victim in result.acquisitions}
    return [*ahead.tiles, *(cell for cell, owner in question.view.board.items() if owner in gone)]


def _named(question: Question, field: Choice) -> Named:
    tiles = tuple(map(str, field.when.values)) if field.when else ()
    chosen = question.filled.get(field.name)
    options = tuple(_company(question, field.name, str(key), words, chosen) for key, words in field.values)
    return Named(field.name, field.label, tiles, options, question.filled.get(MOVE) in tiles)


def _company(question: Question, name: str, key: str, words: str, chosen: str) -> Option:
    """A company with its start price if it would be founded, else with its size."""
    company = question.view.company(key)
    if name == "found":
        detail = say("from {price}", price=thousands(price_at(key, 0)))
    else:
        detail = count("{n} tile", "{n} tiles", company.size)
    return Option(key, words, detail, checked=chosen == key)


def _buying(question: Question, offer: Offer) -> Option:
    company, value = question.view.company(offer.fixed["company"]), f"{BUY}{offer.fixed['company']}"
    cash, cash_after = thousands(question.you.cash), thousands(question.you.cash - company.price)
    return Option(
        value,
        company.title,
        count("{n} share left", "{n} shares left", company.unsold),
        thousands(company.price),
        say("Cash {cash} → {left}", cash=cash, left=cash_after),
        question.filled.get(MOVE) == value,
        _why_not(question, company, offer),
        offer.rule,
        company.key,
        does=say("Cash falls from {cash} to {left}", cash=cash, left=cash_after),
    )


def _why_not(question: Question, company: Any, offer: Offer) -> str:
    """Why no share can be bought, in the few words that have room beside the company's name."""
    if not offer.refused:
        return ""
    if not company.unsold:
        return say("Sold out")
    return say("Not enough cash") if company.price > question.you.cash else offer.refused


def _buys(question: Question) -> tuple[Option, ...]:
    active = [offer for offer in question.of("buy") if question.view.company(offer.fixed["company"]).is_active]
    return tuple(_buying(question, offer) for offer in active)


def _later(question: Question, draw: Option) -> tuple[str, ...]:
    """The other actions of a turn, and when they are possible."""
    early = say("Once you have played a tile, you can buy shares or end your turn.")
    return tuple(filter(None, (draw.refused, "" if question.view.tile_played else early)))


def _other(question: Question, kind: str) -> Option:
    offer = question.of(kind)[0]
    bag = say("{n} in the bag; cannot be undone", n=question.view.bag)
    detail = bag if kind == DRAW else offer.text
    is_chosen = question.filled.get(MOVE) == kind
    return Option(kind, offer.label, detail, checked=is_chosen, refused=offer.refused, rule=offer.rule)
