"""The only writer of the board's rows: what a stranger sees before and after a move, table by table, where it differs."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any

from django.db import models

from game.engine.position import AnyPosition
from game.models import Company, Contract, Game, Holding, Order
from game.models.statements import insert

See = Callable[[AnyPosition], Any]
Row = tuple[Any, ...]
Rows = dict[Row, Row]  # by the first fields of each, those that tell it from others of its game
Tables = dict[type[models.Model], Rows]
KEYS: dict[type[models.Model], tuple[str, ...]] = {
    Company: ("ticker",),
    Holding: ("company", "seat"),
    Order: ("number",),
    Contract: ("number",),
}
FIELDS: dict[type[models.Model], tuple[str, ...]] = {
    table: (*key, *(field.name for field in table._meta.local_concrete_fields if field.name not in {"id", "game", *key}))
    for table, key in KEYS.items()
}
READ_COMPANY = attrgetter(*FIELDS[Company])
READ_ORDER = attrgetter("id", *FIELDS[Order][1:])  # a row's own id being another, an order's is its number
READ_CONTRACT = attrgetter("id", *FIELDS[Contract][1:-1])
RECENT = 32
_recent: OrderedDict[tuple[int, bytes], Tables] = OrderedDict()  # rows by game and packed state: what comes before the next move


def project(game: Game, before: AnyPosition | None, after: AnyPosition, packed: bytes, *, see: See) -> None:
    """Write the rows that a move changed, and the course of prices into the game itself, which still has the state before.

    `see` is what a stranger sees of a position."""
    seen = see(after)
    was, rows = _rows_before(game, before, see), _tables(seen)
    for table, current in rows.items():
        old = was.get(table, {})
        _upsert(game, table, {key: row for key, row in current.items() if old.get(key) != row} | _gone(table, old, current))
    game.course = extend_course(game.course, seen)
    _remember(game, packed, rows)


def rebuild(game: Game, positions: Iterable[AnyPosition]) -> None:
    """Write all rows afresh from the positions of the game's course, oldest first."""
    rows: Tables = {table: {} for table in KEYS}
    game.course = []
    for position in positions:
        seen = game.rules.view(position, None)
        for table, current in _tables(seen).items():
            rows[table] |= _gone(table, rows[table], current) | current
        game.course = extend_course(game.course, seen)
    for table, wanted in rows.items():
        table._default_manager.filter(game=game).delete()
        _upsert(game, table, wanted)


def extend_course(course: list[dict[str, Any]], seen: Any) -> list[dict[str, Any]]:
    """The course with this moment as the newest state of its turn; the first phase of the game is turn 0."""
    is_start = not course or (seen.phase is not None and seen.phase.serial == 1)
    turn = 0 if is_start else seen.turn
    point = {
        "turn": turn,
        "prices": {company.ticker: company.price for company in seen.companies if company.status != "bankrupt"},
        "worth": [player.net_worth for player in sorted(seen.players, key=lambda player: player.seat)],
    }
    return [*(earlier for earlier in course if earlier["turn"] < turn), point]


def _rows_before(game: Game, before: AnyPosition | None, see: See) -> Tables:
    """What a state's rows are does not change, so they are worked out again only where another process made the last move."""
    if before is None:
        return {}
    return _recent.pop((game.pk, bytes(game.state)), None) or _tables(see(before))


def _remember(game: Game, packed: bytes, rows: Tables) -> None:
    _recent[game.pk, packed] = rows
    if len(_recent) > RECENT:
        _recent.popitem(last=False)


def _tables(seen: Any) -> Tables:
    return {
        Company: _keyed(Company, map(READ_COMPANY, seen.companies)),
        Holding: _keyed(Holding, _holdings(seen)),
        Order: _keyed(Order, map(READ_ORDER, seen.orders)),
        Contract: _keyed(Contract, ((*READ_CONTRACT(contract), False) for contract in seen.contracts)),
    }


def _holdings(seen: Any) -> Iterable[Row]:
    seats = [player.seat for player in seen.players]
    return ((company.ticker, seat, company.holdings.get(seat, 0)) for company in seen.companies for seat in seats)


def _keyed(table: type[models.Model], rows: Iterable[Row]) -> Rows:
    width = len(KEYS[table])
    return {row[:width]: row for row in rows}


def _gone(table: type[models.Model], old: Mapping[Row, Row], rows: Rows) -> Rows:
    """Contracts that left the table stay as rows that say so; orders of finished turns stay as they were last seen."""
    if table is not Contract:
        return {}
    return {key: (*row[:-1], True) for key, row in old.items() if key not in rows and not row[-1]}


def _upsert(game: Game, table: type[models.Model], rows: Rows) -> None:
    if rows:
        fields, unique = ("game", *FIELDS[table]), ("game", *KEYS[table])
        insert(table, fields, [(game.pk, *row) for row in rows.values()], unique=unique)
