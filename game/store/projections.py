"""The only writer of the board's rows: what a stranger sees before and after a move, table by table, where it
differs."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any, NamedTuple

from django.db import models
from msgspec import structs

from game.boards import rows as boards
from game.boards.registry import board_of
from game.engine.position import AnyPosition
from game.infra.statements import insert
from game.store.board_rows import Company, Contract, Holding, Order
from game.store.game import Game

Table = type[models.Model]
Rows = Mapping[Any, Any]  # the rows of a board by what tells each from others of its game
Tables = dict[Table, Rows]
FIELDS: dict[Table, tuple[str, ...]] = {
    Company: boards.CompanyRow.__struct_fields__,
    Holding: boards.HoldingRow.__struct_fields__,
    Order: boards.OrderRow.__struct_fields__,
    Contract: boards.ContractRow.__struct_fields__,
}
KEYS: dict[Table, tuple[str, ...]] = {
    Company: ("key",),
    Holding: ("company", "seat"),
    Order: ("number",),
    Contract: ("number",),
}
KEY_OF = {table: attrgetter(*key) for table, key in KEYS.items()}
GONE: dict[Table, dict[str, Any]] = {Holding: {"shares": 0}, Contract: {"is_gone": True}}
RECENT = 32
_recent: OrderedDict[tuple[int, bytes], Tables] = (
    OrderedDict()
)  # rows by game and packed state: what comes before the next move


class PublicPosition(NamedTuple):
    """A position as a stranger sees it, ready to be stored; `turn` is the one that it is counted for."""

    tables: Tables
    point: boards.Point
    turn: int


See = Callable[[AnyPosition], PublicPosition]


def seen_of(game: Game, position: AnyPosition) -> PublicPosition:
    """What the game's board makes of a position."""
    view, board = game.rules.view(position, None), board_of(game.ruleset)
    return PublicPosition(tables_of(board.rows(view)), board.point(view), counted_turn(view))


def counted_turn(view: Any) -> int:
    """The turn that a position is counted for: where a turn has just been opened, all is as the one before it ended, or
    as the game began."""
    phase = view.phase
    has_just_begun = phase is not None and phase.step == 0 and phase.name == view.rail[0].phases[0].name
    return int(view.turn) - has_just_begun


def tables_of(rows: boards.Rows) -> Tables:
    """A board's rows by table and key."""
    return {
        Company: _keyed(Company, rows.companies),
        Holding: _keyed(Holding, rows.holdings),
        Order: _keyed(Order, rows.orders),
        Contract: _keyed(Contract, rows.contracts),
    }


def project(game: Game, before: AnyPosition | None, after: AnyPosition, packed: bytes, *, see: See) -> None:
    """Write the rows that a move changed, and the course of prices into the game itself, which still has the state
    before.

    `see` is `seen_of` this game, under whatever budget its caller gives it."""
    seen = see(after)
    was = _tables_before(game, before, see)
    for table, current in seen.tables.items():
        old = was.get(table, {})
        _upsert(
            game, table, {key: row for key, row in current.items() if old.get(key) != row} | _gone(table, old, current)
        )
    game.course = extend_course(game.course, seen)
    _remember(game, packed, seen.tables)


def rebuild(game: Game, positions: Iterable[AnyPosition]) -> None:
    """Write all rows afresh from the positions of the game's course, oldest first."""
    rows: dict[Table, dict[Any, Any]] = {table: {} for table in KEYS}
    game.course = []
    for position in positions:
        seen = seen_of(game, position)
        for table, current in seen.tables.items():
            rows[table] |= {**_gone(table, rows[table], current), **current}
        game.course = extend_course(game.course, seen)
    for table, wanted in rows.items():
        table._default_manager.filter(game=game).delete()
        _upsert(game, table, wanted)


def extend_course(course: list[dict[str, Any]], seen: PublicPosition) -> list[dict[str, Any]]:
    """The course with this moment as the newest state of its turn; the start of the game is turn 0."""
    turn = seen.turn if course else 0
    point = {"turn": turn, "prices": seen.point.prices, "worth": list(seen.point.worth), "held": _held(seen)}
    return [*(earlier for earlier in course if earlier["turn"] < turn), point]


def _held(seen: PublicPosition) -> dict[str, list[int]]:
    """The shares of each company by seat, where anybody holds some."""
    held: dict[str, list[int]] = {}
    for company, seat in sorted(key for key, row in seen.tables.get(Holding, {}).items() if row.shares):
        shares = held.setdefault(company, [0] * len(seen.point.worth))
        shares[seat] = seen.tables[Holding][company, seat].shares
    return held


def _tables_before(game: Game, before: AnyPosition | None, see: See) -> Tables:
    """The rows of a state do not change, so they are computed again only if another process made the last move."""
    if before is None:
        return {}
    return _recent.pop((game.pk, bytes(game.state)), None) or see(before).tables


def _remember(game: Game, packed: bytes, tables: Tables) -> None:
    _recent[game.pk, packed] = tables
    if len(_recent) > RECENT:
        _recent.popitem(last=False)


def _keyed(table: Table, rows: Iterable[Any]) -> Rows:
    key_of = KEY_OF[table]
    return {key_of(row): row for row in rows}


def _gone(table: Table, old: Rows, rows: Rows) -> dict[Any, Any]:
    """What becomes of rows that the board lists no more; companies and orders stay as they were last seen."""
    if table not in GONE:
        return {}
    return {key: structs.replace(row, **GONE[table]) for key, row in old.items() if key not in rows}


def _upsert(game: Game, table: Table, rows: Rows) -> None:
    if rows:
        fields, unique = ("game", *FIELDS[table]), ("game", *KEYS[table])
        insert(table, fields, [(game.pk, *structs.astuple(row)) for row in rows.values()], unique=unique)
