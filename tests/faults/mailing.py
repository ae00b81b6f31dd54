"""Rounds of mail in processes that die before each of their statements in turn, and rounds after them that live:
`python -m tests.faults.mailing`."""

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django

MOST_STATEMENTS = 60


def prepare() -> None:
    """A game of two people; one of them is told that a decision is theirs."""
    from tests.faults import witness
    from tests.scenes import person, silent, table

    witness.watch()
    table(person("Ada", quiet_from=0, quiet_until=0), silent())


def rounds() -> None:
    """For each statement of a round: a process that dies before it, and two rounds later on. Tells how it went."""
    for statement in range(1, MOST_STATEMENTS):
        afresh()
        died = in_a_child(lambda at=statement: dying_at(at))  # type: ignore[misc]
        handed = two_rounds_later()
        print(json.dumps({"statement": statement, "died": died, **handed}))  # noqa: T201
        if not died:
            return


def while_it_is_taken() -> None:
    """A round whose process the mail server kills as soon as it has the mail, and two rounds later on."""
    afresh()
    died = in_a_child(one_round)
    print(json.dumps({"statement": 0, "died": died, **two_rounds_later()}))  # noqa: T201


def afresh() -> None:
    """As if nobody had been told of anything yet."""
    from game.store.log import LoggedAction, Notice

    Notice.objects.all().delete()
    LoggedAction.objects.update(is_told=False)


def in_a_child(do: Callable[[], object]) -> bool:
    """Whether a process that does this is killed."""
    from django.db import connection

    connection.close()
    if connection.vendor == "postgresql":
        connection.close_pool()  # type: ignore[attr-defined]  # two processes must not share its connections
    child = os.fork()
    if child == 0:
        do()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def one_round() -> int:
    from game.delivery.notice_sending import send_due_notices

    Path(os.environ["SECTORS_HOME"], "sender").write_text(str(os.getpid()))
    return send_due_notices()


def dying_at(statement: int) -> None:
    from django.db import connection

    asked = 0

    def pull_the_plug(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked == statement:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(pull_the_plug):
        one_round()


def two_rounds_later() -> dict[str, Any]:
    from datetime import timedelta

    from django.db.models import F

    from game.store.log import Notice

    for _ in range(2):
        waiting = Notice.objects.filter(sent_at=None, cancelled_at=None)
        waiting.exclude(kind="reminder").update(due_at=F("due_at") - timedelta(hours=1))
        one_round()
    rows = Notice.objects.get(kind="turn", user__username="Ada")
    return {"handed": rows.handed_at is not None, "sent": rows.sent_at is not None}


if __name__ == "__main__":
    django.setup()
    {"prepare": prepare, "rounds": rounds, "taken": while_it_is_taken}[sys.argv[1]]()
