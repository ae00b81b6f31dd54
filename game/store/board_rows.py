"""The public board as rows, for queries and the admin, and the course of prices and net worths for charts. Columns hold
what all games share; `details` holds what is specific to one game. Only this module writes the rows: it compares what a
stranger sees before and after a move, and writes the differences."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple

from django.db import models
from msgspec import structs

from game.boards import sheets
from game.boards.base import Board
from game.boards.registry import board_of
from game.engine.language import say_as
from game.engine.position import AnyPosition
from game.engine.ruleset import Ruleset
from game.infra.statements import insert
from game.store.game import Game


class Company(models.Model):
    """A company as everybody sees it; money in whole dollars. `group` is the game's category of companies."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="companies", db_index=False)
    key = models.CharField(max_length=24)
    name = models.CharField(max_length=60)
    group = models.CharField(max_length=40, blank=True)
    status = models.CharField(max_length=30)
    price = models.PositiveIntegerField()
    treasury = models.PositiveIntegerField(null=True)
    details = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "companies"
        constraints = [models.UniqueConstraint(fields=["game", "key"], name="one_company_per_key")]

    def __str__(self) -> str:
        return self.name


class Holding(models.Model):
    """Shares of one company in one seat's hand."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="holdings", db_index=False)
    company = models.CharField(max_length=24)
    seat = models.PositiveSmallIntegerField()
    shares = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "company", "seat"], name="one_holding_per_hand")]

    def __str__(self) -> str:
        return f"{self.shares} {self.company} of seat {self.seat}"


class Order(models.Model):
    """An order as far as a stranger may see it; what is still hidden is null."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="orders", db_index=False)
    number = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    company = models.CharField(max_length=24)
    turn = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=30)
    kind = models.CharField(max_length=24, null=True)
    side = models.CharField(max_length=8, null=True)
    quantity = models.PositiveIntegerField(null=True)
    price = models.PositiveIntegerField(null=True)
    reason = models.CharField(max_length=300, blank=True)
    details = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="one_order_per_number")]

    def __str__(self) -> str:
        return f"order {self.number}"


class Contract(models.Model):
    """A contract between the bank and at most one owner: on sale, owned, or gone."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="contracts", db_index=False)
    number = models.PositiveIntegerField()
    company = models.CharField(max_length=24)
    shares = models.PositiveIntegerField()
    owner = models.PositiveSmallIntegerField(null=True)
    details = models.JSONField(default=dict)
    is_gone = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="one_contract_per_number")]

    def __str__(self) -> str:
        return f"contract {self.number}"


@dataclass(frozen=True)
class History:
    """Prices and net worths by turn, for charts; `opening` prices are those at the end of the previous turn. A point
    within a turn has no label."""

    labels: list[str] = field(default_factory=list)
    prices: dict[str, list[int]] = field(default_factory=dict)
    worth: dict[int, list[int]] = field(default_factory=dict)
    opening: dict[str, int] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)  # company -> its number, by the time of its first price


def history_of(game: Game) -> History:
    """The stored course as lines."""
    return history_of_course(game.course)


def history_of_course(course: Sequence[Mapping[str, Any]], *, by_turn: bool = False) -> History:
    """A course as lines, with the moments within its turns or only `by_turn`; lines that start late are shorter, lines
    that have ended are left out."""
    if not course:
        return History()
    points, companies = course if by_turn else with_moments(course), course[-1]["prices"]
    return History(
        labels=labels_of(points),
        prices={
            company: [point["prices"][company] for point in points if company in point["prices"]]
            for company in companies
        },
        worth={seat: [point["worth"][seat] for point in points] for seat in range(len(course[-1]["worth"]))},
        opening=course[-2]["prices"] if len(course) > 1 else {},
        places=places_of(course),
    )


def labels_of(points: Sequence[Mapping[str, Any]]) -> list[str]:
    """The turns of a course; the first point is the start, and a moment within a turn has no label."""
    return ["" if "phase" in point else str(point["turn"] or say_as("moment", "Start")) for point in points]


def with_moments(course: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """A course in which moments within turns are separate points, each with the `phase` at whose end it was. The moment
    with the final figures of a turn is left out."""
    points: list[Mapping[str, Any]] = []
    for point in course:
        moments = point.get("moments", ())
        is_last = bool(moments) and _figures(moments[-1]) == _figures(point)
        points += [{"turn": point["turn"], **moment} for moment in (moments[:-1] if is_last else moments)]
        points.append(point)
    return points


def _figures(point: Mapping[str, Any]) -> tuple[Any, Any]:
    return point["prices"], point["worth"]


def places_of(course: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """A number for every company that ever had a price, by which it looks the same in every chart."""
    return {company: at for at, company in enumerate(dict.fromkeys(key for point in course for key in point["prices"]))}


Table = type[models.Model]
Rows = Mapping[Any, Any]  # the rows of a board by their key within the game
Tables = dict[Table, Rows]
FIELDS: dict[Table, tuple[str, ...]] = {
    Company: sheets.CompanyRow.__struct_fields__,
    Holding: sheets.HoldingRow.__struct_fields__,
    Order: sheets.OrderRow.__struct_fields__,
    Contract: sheets.ContractRow.__struct_fields__,
}
KEYS: dict[Table, tuple[str, ...]] = {
    Company: ("key",),
    Holding: ("company", "seat"),
    Order: ("number",),
    Contract: ("number",),
}
KEY_OF = {table: attrgetter(*key) for table, key in KEYS.items()}
VALUES_WHEN_GONE: dict[Table, dict[str, Any]] = {Holding: {"shares": 0}, Contract: {"is_gone": True}}
MOST_RECENT = 32
_recent: OrderedDict[tuple[int, bytes], Tables] = (
    OrderedDict()
)  # rows by game and packed state: the state before the next move


class PublicPosition(NamedTuple):
    """A position as a stranger sees it, ready to be stored; `turn` is the turn it counts for, `moments` are the phases
    with which a moment in this turn was over, None after the last one."""

    tables: Tables
    point: sheets.Point
    turn: int
    moments: tuple[str, ...] | None = None


See = Callable[[AnyPosition], PublicPosition]


def seen_of(game: Game, position: AnyPosition) -> PublicPosition:
    """The public rows of a position, by the game's board."""
    board = board_of(game.ruleset)
    return public_position(game.rules, board, position, game.rules.view(position, None))


def public_position(rules: Ruleset, board: Board, position: AnyPosition, view: Any) -> PublicPosition:
    """The public rows of a position that a stranger sees as `view`."""
    return with_place(rules, position, PublicPosition(tables_of(board.rows(view)), board.point(view), 0))


def with_place(rules: Ruleset, position: AnyPosition, seen: PublicPosition) -> PublicPosition:
    """A copy with its place in the course of the game. At the start of a turn, the figures are still those of the
    previous turn."""
    cursor, turn = position.cursor, seen.point.turn
    if turn is None:
        has_just_begun = cursor.row is not None and cursor.step == 0 and len(cursor.trail) == 1
        turn = max(cursor.turn - has_just_begun, 0)
    moments = rules.flow_of(position).moments_in(cursor.trail) if turn == cursor.turn else None
    return seen._replace(turn=turn, moments=moments)


def tables_of(rows: sheets.Rows) -> Tables:
    """A board's rows by table and key."""
    return {
        Company: _by_key(Company, rows.companies),
        Holding: _by_key(Holding, rows.holdings),
        Order: _by_key(Order, rows.orders),
        Contract: _by_key(Contract, rows.contracts),
    }


def project(game: Game, before: AnyPosition | None, after: AnyPosition, packed: bytes, *, see: See) -> None:
    """Write the rows that a move changed, and extend the course in the game, which still has the state from before.

    `see` is `seen_of` for this game, within the caller's budget."""
    public = see(after)
    old_tables = _tables_before(game, before, see)
    for table, current in public.tables.items():
        old = old_tables.get(table, {})
        _upsert(
            game,
            table,
            {key: row for key, row in current.items() if old.get(key) != row} | _removed_rows(table, old, current),
        )
    game.course = extend_course(game.course, public)
    _remember(game, packed, public.tables)


def rebuild(game: Game, positions: Iterable[AnyPosition]) -> None:
    """Rewrite all rows from the positions of the game's course, oldest first."""
    rows: dict[Table, dict[Any, Any]] = {table: {} for table in KEYS}
    game.course = []
    for position in positions:
        public = seen_of(game, position)
        for table, current in public.tables.items():
            rows[table] |= {**_removed_rows(table, rows[table], current), **current}
        game.course = extend_course(game.course, public)
    for table, table_rows in rows.items():
        table._default_manager.filter(game=game).delete()
        _upsert(game, table, table_rows)


def extend_course(course: list[dict[str, Any]], seen: PublicPosition) -> list[dict[str, Any]]:
    """The course with this position as the latest of its turn; the start of the game is turn 0."""
    turn = seen.turn if course else 0
    point = {
        "turn": turn,
        "prices": seen.point.prices,
        "worth": list(seen.point.worth),
        "held": _shares_by_company(seen),
    }
    earlier = [other for other in course if other["turn"] < turn]
    before: dict[str, Any] = next((other for other in course if other["turn"] == turn), {})
    return [*earlier, point | _moments(before, earlier, point, seen.moments)]


def _moments(
    before: Mapping[str, Any], earlier: Sequence[Mapping[str, Any]], now: Mapping[str, Any], over: Sequence[str] | None
) -> dict[str, Any]:
    """The moments that are over in a turn, whose point was `before`: `past` is their number, `moments` are those that
    changed a figure, each with its place among all. Empty for a turn without any."""
    past, moments = before.get("past", 0), before.get("moments", [])
    if over is not None:
        moments = [moment for moment in moments if moment["place"] <= len(over)]
        if len(over) > past:
            last = next(iter([*moments[-1:], *earlier[-1:]]), None)
            if last is None or _figures(last) != _figures(now):
                new = {"place": len(over), "phase": over[-1], "prices": now["prices"], "worth": now["worth"]}
                moments = [*moments, new]
        past = len(over)
    return {"past": past, "moments": moments} if past else {}


def _shares_by_company(seen: PublicPosition) -> dict[str, list[int]]:
    """The shares of each company by seat, for companies with a shareholder."""
    shares_by_company: dict[str, list[int]] = {}
    for company, seat in sorted(key for key, row in seen.tables.get(Holding, {}).items() if row.shares):
        shares = shares_by_company.setdefault(company, [0] * len(seen.point.worth))
        shares[seat] = seen.tables[Holding][company, seat].shares
    return shares_by_company


def _tables_before(game: Game, before: AnyPosition | None, see: See) -> Tables:
    """The rows before a move. Computed again only if another process made the last move."""
    if before is None:
        return {}
    return _recent.pop((game.pk, bytes(game.state)), None) or see(before).tables


def _remember(game: Game, packed: bytes, tables: Tables) -> None:
    _recent[game.pk, packed] = tables
    if len(_recent) > MOST_RECENT:
        _recent.popitem(last=False)


def _by_key(table: Table, rows: Iterable[Any]) -> Rows:
    key_of = KEY_OF[table]
    return {key_of(row): row for row in rows}


def _removed_rows(table: Table, old: Rows, rows: Rows) -> dict[Any, Any]:
    """Updates for rows that the board no longer lists; companies and orders stay as they were last seen."""
    if table not in VALUES_WHEN_GONE:
        return {}
    return {key: structs.replace(row, **VALUES_WHEN_GONE[table]) for key, row in old.items() if key not in rows}


def _upsert(game: Game, table: Table, rows: Rows) -> None:
    if rows:
        fields, unique = ("game", *FIELDS[table]), ("game", *KEYS[table])
        insert(table, fields, [(game.pk, *structs.astuple(row)) for row in rows.values()], unique=unique)
