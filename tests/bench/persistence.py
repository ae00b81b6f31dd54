"""A persisted resolution beside one bare durable INSERT and COMMIT of Django in the same process, and its SQL
statements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter, thread_time

from django.db import connection, transaction
from django.utils import timezone

from game.engine.ruleset import Ruleset
from game.rulesets.registry import RULESETS
from game.store.board_rows import Company
from game.store.game import Game
from game.store.heartbeats import Heartbeat
from tests.bench.rows import Row
from tests.bench.sizes import size
from tests.bench.tables import is_running, plant, play_phase, start_table, statements, transactions

LIMITS = {"sqlite": 8, "postgresql": 6}
MOST_STATEMENTS = 8  # the lock, the decision, four tables of the board, the game, its log
IN_TURNS: dict[str, dict[str, str]] = {
    "power_up": {},
    "big_shoulders": {},
    "stock_market_tycoon": {"mode": "strategist"},
}
LISTS = {"mode": "strategist", "variant": "extended", "trade_mode": "batch"}
LISTS_SEATS = size(12, small=7)
SEATS_IN_TURNS, ACTIONS = size((2, 3, 4), small=(2,)), size(150, small=10)
FLOOR_CALLS = size(150, small=5)
TURNS, LATE, LATEST = size((8, 19, 23), small=(2, 2, 3))
GRID = size(((2, 8), (4, 8), (6, 20), (8, 15)), small=((2, 1),))  # seats, turns


def persistence_rows() -> Iterator[Row]:
    """Cost of a resolution, its growth over turns, and the number of statements over a grid of tables."""
    vendor = connection.vendor
    game = start_table("cost", 6, max_turns=TURNS)
    before, ours = _floor(), _of_a_game(game.pk)
    floor = before.and_also(_floor())  # on both sides of the game: a machine's other work comes and goes
    ratio = ours.seconds / floor.seconds
    limit = LIMITS[vendor]
    note = (
        f"CPU {ours.cpu * 1000:.2f} ms beside {floor.cpu * 1000:.2f} ms; of the floor {floor.commit * 1000:.2f} ms "
        "are the commit"
    )
    yield Row(
        f"resolution, {vendor}",
        ours.seconds * 1000,
        "ms",
        "INSERT+COMMIT, ms",
        floor.seconds * 1000,
        ratio,
        f"≤ {limit} ×",
        ratio <= limit,
        note,
    )
    yield _growth()
    yield _statement_row()
    for key, options in IN_TURNS.items():
        yield _action_row(RULESETS[key], options)
    yield _lists_row()


@dataclass
class Times:
    """Measured calls: how long each took, and how long this thread worked for it; `commits` are parts of the first."""

    walls: list[float] = field(default_factory=list)
    cpus: list[float] = field(default_factory=list)
    commits: list[float] = field(default_factory=list)

    def measure(self, act: Callable[[], object]) -> None:
        """Carry out one call under both watches."""
        worked, began = thread_time(), perf_counter()
        act()
        self.walls.append(perf_counter() - began)
        self.cpus.append(thread_time() - worked)

    def and_also(self, other: Times) -> Times:
        """These and others taken together."""
        return Times(self.walls + other.walls, self.cpus + other.cpus, self.commits + other.commits)

    @property
    def seconds(self) -> float:
        return median(self.walls)

    @property
    def cpu(self) -> float:
        return median(self.cpus)

    @property
    def commit(self) -> float:
        return median(self.commits)


def _floor() -> Times:
    """One small row in a transaction of its own, on the site's durable settings."""
    times = Times()

    def insert() -> None:
        with transaction.atomic():
            Heartbeat.objects.create(name=f"floor {len(times.walls)}", beat_at=timezone.now())
            made = perf_counter()
        times.commits.append(perf_counter() - made)

    for _ in range(FLOOR_CALLS):
        times.measure(insert)
    Heartbeat.objects.all().delete()
    return times


def _of_a_game(game_id: int) -> Times:
    """The submissions that close a phase, over a whole game; the first few warm up."""
    times = Times()
    while is_running(game_id):
        play_phase(game_id, times.measure)
    return Times(times.walls[3:], times.cpus[3:])


def _growth() -> Row:
    """The stock orders of late turns, and the same positions in a game that has no past: equal companies, no log, no
    old orders."""
    long, fresh = (start_table(name, 6, max_turns=LATEST, bank=20000) for name in ("long", "fresh"))
    late, early = Times(), Times()
    while is_running(long.pk):
        now = Game.objects.get(pk=long.pk)
        is_late = now.turn >= LATE and now.phase_name == "stock_orders"
        if is_late:
            play_phase(plant(fresh.pk, now), early.measure)
        play_phase(long.pk, late.measure if is_late else _carry_out)
    ratio = late.cpu / early.cpu
    note = (
        f"CPU of this thread, {len(late.walls)} resolutions each, at {Company.objects.filter(game=long).count()} "
        "companies"
    )
    beside = "as turn 2 of a game without a past, ms"
    return Row(
        f"resolution at turn ≥ {LATE}",
        late.cpu * 1000,
        "ms",
        beside,
        early.cpu * 1000,
        ratio,
        "≤ 1.15 ×",
        ratio <= 1.15,
        note,
    )


def _carry_out(act: Callable[[], object]) -> None:
    act()


def _statement_row() -> Row:
    """The most statements of any resolution over the grid; it must not depend on players, companies, orders or
    turns."""
    most: dict[tuple[int, int], int] = {}
    for seats, turns in GRID:
        game = start_table(f"grid {seats} {turns}", seats, max_turns={20: 23}.get(turns, turns), bank=20000)
        most[seats, turns] = _most_statements(game.pk, up_to_turn=turns)
    worst = max(most.values())
    spread = ", ".join(f"{seats} seats {turns} turns: {count}" for (seats, turns), count in most.items())
    return Row(
        "SQL statements of a resolution, at most",
        worst,
        "",
        "",
        None,
        None,
        f"≤ {MOST_STATEMENTS}",
        worst <= MOST_STATEMENTS,
        spread,
    )


def _action_row(rules: Ruleset, options: dict[str, str]) -> Row:
    """The most statements of any persisted action of a game in turns, where every action is one submission."""
    most: dict[int, int] = {}
    for seats in SEATS_IN_TURNS:
        game = start_table(f"{rules.key[:10]} grid {seats}", seats, ruleset=rules.key, **options)
        most[seats] = _most_statements(game.pk, actions=ACTIONS)
    worst, goal = max(most.values()), f"≤ {MOST_STATEMENTS}"
    spread = ", ".join(f"{seats} seats: {count}" for seats, count in most.items())
    name = f"{rules.title}: SQL statements of an action, at most"
    return Row(name, worst, "", "", None, None, goal, worst <= MOST_STATEMENTS, spread)


def _most_statements(game_id: int, *, actions: int | None = None, up_to_turn: int | None = None) -> int:
    """The most statements of a submission that closes a phase. The one that ends the game is not counted: it writes the
    standings too."""
    counts: list[int] = []
    while is_running(game_id) and len(counts) != actions:
        if up_to_turn is not None and Game.objects.get(pk=game_id).turn > up_to_turn:
            break
        play_phase(game_id, lambda act: counts.append(len(statements(act))))
    return max(counts if is_running(game_id) else counts[:-1])


def _lists_row() -> Row:
    """The transactions of the submission with which the lists of all seats are resolved."""
    game = start_table("lists", LISTS_SEATS, ruleset="stock_market_tycoon", **LISTS)
    while Game.objects.get(pk=game.pk).phase_name != "orders":
        play_phase(game.pk, _carry_out)
    began: list[int] = []
    play_phase(game.pk, lambda act: began.append(transactions(act)))
    name = f"{RULESETS['stock_market_tycoon'].title}: transactions that resolve the lists of {LISTS_SEATS} seats"
    return Row(name, began[0], "", "", None, None, "1", began[0] == 1)
