"""What a sweep asks once a second, among ever more games: it takes up a batch of those that are due, beside the same by
the driver alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from statistics import quantiles
from time import perf_counter

from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Now

from game.play import leases
from game.play.leases import BATCH_SIZE
from game.store.game import Game
from tests.bench.bare import claim_bare, lay_bare
from tests.bench.copies import lay_games, settle_tables
from tests.bench.rows import Row
from tests.bench.sizes import size
from tests.bench.tables import start_table

SIZES = size((1_000, 10_000, 100_000), small=(60, 80))
TIMES, WARM = size((40, 5), small=(2, 1))
MOST_GROWTH = 1.5  # a deeper index, and what a shared machine adds


def claim_rows() -> Iterator[Row]:
    """At each size, and from the smallest to the largest."""
    original = start_table("query", 4)
    ours, bare = {}, {}
    for games in SIZES:
        lay_bare(original, games, due=BATCH_SIZE)
        _lay(original, games)
        ours[games], bare[games] = _in_turns(_claim, claim_bare)
        yield _row(games, ours[games], bare[games])
    least, most = SIZES[0], SIZES[-1]
    growth, theirs = ours[most] / ours[least], bare[most] / bare[least]
    name, goal = f"claim among {most:,}, to that among {least:,}", f"≤ {MOST_GROWTH} ×"
    yield Row(name, growth, "×", "bare, ×", theirs, growth / theirs, goal, growth <= MOST_GROWTH)


def _lay(original: Game, games: int) -> None:
    """So many games that run; a batch of them is due, the others in the days to come."""
    lay_games(original, games)
    laid = Game.objects.exclude(pk=original.pk)
    first = laid.order_by("pk").values_list("pk", flat=True)[0]
    laid.update(deadline_at=Now() + timedelta(hours=1) + timedelta(seconds=1) * (F("pk") - first))
    laid.filter(pk__lt=first + BATCH_SIZE).update(deadline_at=Now())
    settle_tables()


def _in_turns(*claim: Callable[[], object]) -> list[float]:
    """The seconds of each, as in its best tenth; they take turns, since a machine's other work comes and goes."""
    times: list[list[float]] = [[] for _ in claim]
    for _ in range(WARM + TIMES):
        for each, one in zip(times, claim, strict=True):
            began = perf_counter()
            one()
            each.append(perf_counter() - began)
    return [quantiles(each[WARM:], n=10)[0] for each in times]


def _claim() -> None:
    """Take a batch up, and give it back by undoing it."""
    connection.ensure_connection()
    with transaction.atomic():
        assert len(leases.claim_games(leases.due_games())) == BATCH_SIZE
        transaction.set_rollback(True)


def _row(games: int, ours: float, bare: float) -> Row:
    name = f"claim of {BATCH_SIZE} among {games:,} games"
    return Row(name, ours * 1000, "ms", "bare, ms", bare * 1000, ours / bare, "", None)
