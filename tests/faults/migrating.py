"""Migrate an empty database in processes that die in each migration, before anything of it is committed, and between
two migrations: `python -m tests.faults.migrating killed DEATHS`, where DEATHS is the most in one migration."""

import os
import signal
import sys
from typing import Any

import django

from tests.faults.mailing import in_a_child

ALL = sys.maxsize


def killed(at_most: str) -> None:
    """Migrate in processes that die, until one has nothing left to do. Tells how many did, and how many had to."""
    places = [places_of_death(len(migration.operations), int(at_most)) for migration in pending()]
    deaths = 0
    for migration in places:
        for number in migration:
            deaths += in_a_child(lambda at=number: dying_at(at))  # type: ignore[misc]
    # Nothing comes after the last migration: whoever has done it lives.
    print(deaths, sum(map(len, places)) - 1, len(pending()))  # noqa: T201


def places_of_death(operations: int, at_most: int) -> list[int]:
    """After how many operations of a migration a process dies: so many at most, spread over it, among them none; and
    all, before the next migration. Django adds operations of its own to those that rename models."""
    return sorted({*(operations * part // at_most for part in range(at_most if operations else 0)), ALL})


def pending() -> list[Any]:
    """The migrations that are still to be carried out, in order."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    return [migration for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes())]


def dying_at(number: int) -> None:
    """Migrate, and die when so many operations of the first migration have been carried out and the next one is done;
    where it has no more, before the second migration."""
    from django.core.management import call_command
    from django.db.migrations.migration import Migration

    apply, begun = Migration.apply, False

    def apply_and_die(migration: Any, *state: Any) -> Any:
        nonlocal begun
        if begun:
            os.kill(os.getpid(), signal.SIGKILL)
        begun = True
        if number < len(migration.operations):
            die_after(migration.operations[number])
        return apply(migration, *state)

    Migration.apply = apply_and_die  # type: ignore[method-assign]
    call_command("migrate", verbosity=0)


def die_after(operation: Any) -> None:
    """As soon as the database has been told all of it."""
    carry_out = operation.database_forwards

    def carry_out_and_die(*state: Any) -> None:
        carry_out(*state)
        os.kill(os.getpid(), signal.SIGKILL)

    operation.database_forwards = carry_out_and_die


def finish() -> None:
    """Migrate as whoever starts the site again does, and play."""
    from django.core.management import call_command

    from tests.faults import witness
    from tests.tables import at_phase, clock_runs_out, new_game

    call_command("migrate", verbosity=0)
    witness.watch()
    game = at_phase(new_game("ada", "bob", bots=1), "stock_orders")
    assert clock_runs_out(game).phase_serial > game.phase_serial


if __name__ == "__main__":
    django.setup()
    {"killed": killed, "finish": finish}[sys.argv[1]](*sys.argv[2:])
