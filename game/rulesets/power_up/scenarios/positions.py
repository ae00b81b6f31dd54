"""A position of Power Up as scenarios describe it, and the state built from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from game.engine.ledger import BANK, OUTSIDE, cash_of, hand_of
from game.engine.phrases import plural
from game.engine.scenarios.language import DescriptionError, known
from game.engine.scenarios.standing import Count, Given, Situation, is_in_front, row_named, stand_at
from game.rulesets.power_up import numbers
from game.rulesets.power_up.events import ENDS
from game.rulesets.power_up.flow import FLOW, TURN
from game.rulesets.power_up.forecast import NEUTRAL
from game.rulesets.power_up.numbers import CELLS, NEIGHBOURS
from game.rulesets.power_up.options import Options
from game.rulesets.power_up.setup import setup
from game.rulesets.power_up.state import DOE, PowerUpState
from game.rulesets.power_up.tables import ACTION_WEIGHTS, COMPANIES, HAND_LIMIT, SHARES_PER_COMPANY, STARTING_CASH

LEAST_TILES = 2  # of an active company: the tile that founded it and one that it touched
LEAST_ROLL, MOST_ROLLED = min(ACTION_WEIGHTS), max(ACTION_WEIGHTS)


class PlayerWords(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The words about a player."""

    cash: Count = STARTING_CASH
    hand: list[str] = []
    start_tile: str = ""


class CompanyWords(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The words about an active company."""

    tiles: list[str] = []
    headquarters: str = ""
    shares: dict[str, Count] = {}


class PowerUpGiven(Given, kw_only=True, forbid_unknown_fields=True):
    """A position of Power Up."""

    turn: Annotated[int, Meta(ge=1, le=1_000)] = 1
    players: dict[str, PlayerWords] = {}
    order: list[str] = []
    companies: dict[str, CompanyWords] = {}
    neutral: list[str] = []
    bag: list[str] | None = None
    department: Count = 0
    actions_left: Annotated[int, Meta(ge=1, le=MOST_ROLLED)] = 3
    rolled: Annotated[int, Meta(ge=LEAST_ROLL, le=MOST_ROLLED)] | None = None
    tile_played: bool | None = None
    tile_lock: bool = False
    end: str = ""
    options: Options = msgspec.field(default_factory=Options)


def stand(given: PowerUpGiven) -> Situation:
    """The described state at its phase. Raises `DescriptionError`."""
    state = setup(given.options, len(given.players))
    state.board = board_of(given)
    state.headquarters = {key: _headquarters(key, words) for key, words in given.companies.items()}
    _deal_tiles(state, given)
    _hand_out_shares(state, given)
    _fill_purses(state, given)
    _begin_turn(state, given)
    _set_end(state, given)
    return stand_at(FLOW, given, state)


# --- tiles


def cells_in(words: Iterable[str]) -> Iterator[str]:
    """The listed cells, single or as a block: `A0-B9` are two whole columns."""
    for word in words:
        first, _, last = word.partition("-")
        corners = [first, last or first]
        if wrong := [cell for cell in corners if cell not in CELLS]:
            raise DescriptionError(f"{wrong[0]!r} is no tile; tiles are {CELLS[0]} to {CELLS[-1]}")
        columns, rows = zip(*map(tuple, corners), strict=True)
        block = [cell for cell in CELLS if columns[0] <= cell[0] <= columns[1] and rows[0] <= cell[1] <= rows[1]]
        if not block:
            raise DescriptionError(f"{word!r} is no block; it goes from its upper left to its lower right tile")
        yield from block


def board_of(given: PowerUpGiven) -> dict[str, str]:
    """The owner of each tile on the board; tiles of different owners never touch."""
    board: dict[str, str] = {}
    owners = {known(key, COMPANIES, "company"): words.tiles for key, words in given.companies.items()}
    for owner, cells_text in {**owners, NEUTRAL: given.neutral}.items():
        cells = list(cells_in(cells_text))
        if owner != NEUTRAL and len(cells) < LEAST_TILES:
            has = plural(len(cells), "tile")
            raise DescriptionError(f"{owner} has {has}; an active company has {LEAST_TILES} or more")
        for cell in cells:
            _note_once(board, cell, owner)
    for cell, owner in board.items():
        for near in NEIGHBOURS[cell]:
            if board.get(near, owner) != owner:
                raise DescriptionError(f"{cell} ({owner}) touches {near} ({board[near]}); they would have joined")
    return board


def _note_once(places: dict[str, str], cell: str, where: str) -> None:
    if cell in places:
        raise DescriptionError(f"there is one tile {cell}: it cannot be both {places[cell]} and {where}")
    places[cell] = where


def _headquarters(key: str, words: CompanyWords) -> str:
    cells = list(cells_in(words.tiles))
    if words.headquarters:
        return str(known(words.headquarters, cells, f"tile of {key}"))
    return cells[0]


def _deal_tiles(state: PowerUpState, given: PowerUpGiven) -> None:
    """Hands, bag and start tiles; by default the bag holds all other tiles."""
    places = dict(state.board)
    for seat, (name, player) in enumerate(given.players.items()):
        state.hands[seat] = sorted(cells_in(player.hand))
        if (held := len(state.hands[seat])) > HAND_LIMIT:
            raise DescriptionError(f"{name} holds {held} tiles; a hand has {HAND_LIMIT} at most")
        for cell in state.hands[seat]:
            _note_once(places, cell, f"in {name}'s hand")
        if player.start_tile:
            known(player.start_tile, state.board, "tile on the board")
        state.start_tiles.append(player.start_tile)
    state.bag = [cell for cell in CELLS if cell not in places] if given.bag is None else sorted(cells_in(given.bag))
    for cell in state.bag:
        _note_once(places, cell, "in the bag")


# --- shares and money


def _hand_out_shares(state: PowerUpState, given: PowerUpGiven) -> None:
    """25 shares of every active company; those without a holder can be bought."""
    for key, words in given.companies.items():
        state.ledger.issue(key, BANK, SHARES_PER_COMPANY)
        if (held := sum(words.shares.values())) > SHARES_PER_COMPANY:
            raise DescriptionError(f"{held} shares of {key} are held; there are {SHARES_PER_COMPANY}")
        for holder, count in words.shares.items():
            state.ledger.hand_over(key, BANK, _place(given, holder), count)


def _place(given: PowerUpGiven, holder: str) -> str:
    """The place of a holder's shares."""
    names = list(given.players)
    known(holder, (*names, DOE) if given.options.doe else names, "holder of shares")
    return hand_of(names.index(holder)) if holder in names else DOE


def _fill_purses(state: PowerUpState, given: PowerUpGiven) -> None:
    if given.department and not given.options.doe:
        raise DescriptionError(f"the Department of Energy does not take part, but has {given.department} dollars")
    purses: Mapping[str, int] = {cash_of(seat): player.cash for seat, player in enumerate(given.players.values())}
    for account, dollars in {**purses, DOE: given.department}.items():
        state.ledger.pay(OUTSIDE, account, dollars)


# --- the turn


def _begin_turn(state: PowerUpState, given: PowerUpGiven) -> None:
    """Set the seat to act and its remaining actions. Before a turn, `turn` is the number of the one about to begin."""
    names = list(given.players)
    if given.order and sorted(given.order) != sorted(names):
        raise DescriptionError(f"the turn order {', '.join(given.order)} is not one of {', '.join(names)}")
    state.order = [names.index(name) for name in given.order or names]
    is_turn, in_front = given.phase == TURN.name, is_in_front(given, row_named(FLOW, given.phase))
    state.turn = given.turn - 1 if is_turn and in_front else given.turn
    if in_front:
        return
    state.acting = state.order[(given.turn - 1) % state.seats]
    state.tile_lock = given.tile_lock
    state.tile_played = given.tile_lock if given.tile_played is None else given.tile_played
    spent = int(state.tile_played)
    state.actions_left = given.actions_left
    state.rolled = max(LEAST_ROLL, given.actions_left + spent) if given.rolled is None else given.rolled
    if state.tile_lock and not state.tile_played:
        raise DescriptionError("a tile has joined a company this turn, but none was played")
    if state.actions_left > state.rolled - spent or state.rolled > MOST_ROLLED:
        words = f"{state.actions_left} actions left of {min(state.rolled, MOST_ROLLED)}"
        raise DescriptionError(f"{words}{', though a tile was played,' if spent else ''} are too many")


def _set_end(state: PowerUpState, given: PowerUpGiven) -> None:
    """Set the reason for the end, for the final sale; no turn is played after that."""
    sizes, has_empty = state.sizes().values(), not all(state.hands)
    end = numbers.end_of(sizes, is_bag_empty=not state.bag, has_empty_hand=has_empty)
    if given.phase == TURN.name and (end or given.end):
        raise DescriptionError(f"no turn is played any more: {ENDS[end or given.end]}")
    if given.phase != TURN.name and not (end or given.end):
        raise DescriptionError(f"nothing has ended the game; say which `end` has: {', '.join(ENDS)}")
    state.end = given.end or end
