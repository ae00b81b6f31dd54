"""How late deadlines are kept that fall as fast as at a large site: while nothing else happens, and while a thousand
mails wait, a game loops and Redis restarts. Beside a bare loop that looks once a second for rows due at the same
instants."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import quantiles
from typing import NamedTuple

import psycopg

from tests.bench.rows import Row
from tests.bench.sizes import size
from tests.faults.test_clock_goes_on import APART, LOOP, MAILS, start
from tests.servers import Mailbox, RedisServer, smtp_server
from tests.service import Service, throwaway_service

A_MINUTE, GAMES = size((200, 200), small=(600, 4))
AHEAD = size(10, small=3)  # seconds until the first deadline
READERS = size(1_100, small=100)  # who are mailed: more than a thousand wait at the first deadline
PAUSE = 0.2  # seconds for a mail
BEFORE = 5.0  # seconds for a mail until everything is laid
GAP = size(3.0, small=0.5)  # seconds without Redis
MOST_HALF, MOST_OF_99 = 0.7, 1.5
LAY = """
from tests.bench.lateness import lay
print(json.dumps(lay({games})))
"""
WATCH = """
    CREATE TABLE bare_due (game bigint PRIMARY KEY, serial int, due_at timestamptz NOT NULL, late float);
    CREATE INDEX ON bare_due (due_at) WHERE late IS NULL;
    CREATE TABLE kept (game bigint, serial int, late float);
    CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO kept VALUES
            (OLD.id, OLD.phase_serial, extract(epoch FROM clock_timestamp() - OLD.deadline_at)); RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER keep AFTER UPDATE ON game_game DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
        WHEN (NEW.phase_serial <> OLD.phase_serial AND OLD.deadline_at IS NOT NULL) EXECUTE FUNCTION keep()
"""  # deferred: the time is that of the commit
FALL = """
    WITH due AS (
        UPDATE game_game SET clock_since = now() - interval '1 day',
            deadline_at = now() + {ahead} * interval '1 second' + (id - {first}) * interval '{apart} seconds'
        WHERE id >= {first} AND id < {first} + {games} RETURNING id, phase_serial, deadline_at
    )
    INSERT INTO bare_due SELECT id, phase_serial, deadline_at FROM due
        ON CONFLICT (game) DO UPDATE SET serial = EXCLUDED.serial, due_at = EXCLUDED.due_at, late = NULL
"""
KEEP_BARE = """
    UPDATE bare_due SET late = extract(epoch FROM clock_timestamp() - due_at) WHERE game = (
        SELECT game FROM bare_due WHERE late IS NULL AND due_at <= now() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
"""
BARE_LEFT = "SELECT count(*) FROM bare_due WHERE late IS NULL"
BARE = "SELECT json_agg(late) FROM bare_due"
KEPT = "SELECT json_agg(kept.late) FROM kept JOIN bare_due USING (game, serial)"
OUTAGES = "SELECT count(*) FROM game_outage"
COUNT = "SELECT count(*) FROM kept JOIN bare_due USING (game, serial)"


class Measured(NamedTuple):
    """Seconds after each deadline, ours and the bare loop's."""

    ours: list[float]
    bare: list[float]
    outages: int
    meanwhile: str


def lateness_rows() -> Iterator[Row]:
    """Half of them and 99 in 100, quiet and in a storm."""
    redis, box = RedisServer(), Mailbox(pause=PAUSE)
    settings = {"DJANGO_SETTINGS_MODULE": "tests.faults.endless_settings"}
    try:
        with (
            smtp_server(box),
            throwaway_service(
                database=os.environ["DATABASE_URL"],
                redis=redis.url,
                EMAIL_URL=f"smtp://127.0.0.1:{box.port}",
                **settings,
            ) as service,
        ):
            first = service.run(LAY.format(games=GAMES))
            service.ask_database(WATCH)
            start(service, *APART)
            yield from _rows("quiet", _measure(service, first, lambda: ""))
            with _storm(service, redis, box) as told:
                yield from _rows("storm", _measure(service, first, told))
            box.pause = 0
    finally:
        redis.stop()


def lay(games: int) -> int:
    """So many games without a deadline, with a decision to be made for one seat of each; the first one's number."""
    from game.store.game import Game
    from tests.bench.copies import lay_copies
    from tests.bench.drain import start_original

    original = start_original()
    lay_copies(original, games)
    Game.objects.update(deadline_at=None)
    return int(Game.objects.exclude(pk=original.pk).order_by("pk").values_list("pk", flat=True)[0])


def _measure(service: Service, first: int, told: Callable[[], str]) -> Measured:
    """Closes of deadlines that fall one after another, and what else there was at the first and at the last."""
    outages = service.ask_database(OUTAGES)
    service.ask_database(FALL.format(first=first, games=GAMES, ahead=AHEAD, apart=60 / A_MINUTE))
    bare = threading.Thread(target=_keep_bare, args=[service.environment["DATABASE_URL"]])
    bare.start()
    time.sleep(AHEAD)
    before = told()
    bare.join()
    latest = time.monotonic() + 120
    while service.ask_database(COUNT) < GAMES:
        assert time.monotonic() < latest, service.words[-3000:]
        time.sleep(0.2)
    ours = service.ask_database(KEPT)
    assert len(ours) == GAMES, "a deadline was kept twice"
    meanwhile = before and f"{before} at the first deadline, {told()} at the last, a game looped and Redis restarted"
    return Measured(ours, service.ask_database(BARE), service.ask_database(OUTAGES) - outages, meanwhile)


def _keep_bare(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as rows:
        while rows.execute(BARE_LEFT).fetchone() != (0,):
            while rows.execute(KEEP_BARE).rowcount:
                continue
            time.sleep(1)


@contextmanager
def _storm(service: Service, redis: RedisServer, box: Mailbox) -> Iterator[Callable[[], str]]:
    """A slow mail server with far too much to do, a game whose rules do not end, and soon a restart of Redis; says how
    many mails wait."""
    box.pause = BEFORE
    service.run(MAILS.format(count=READERS))
    loops = service.run(LOOP)
    box.pause = PAUSE
    restart = threading.Timer(AHEAD + GAMES / A_MINUTE * 60 / 4, _restart, [redis])
    restart.start()
    try:
        yield lambda: f"{READERS - len(box.messages):,} mails waited"
    finally:
        restart.join()
    assert len(box.messages) < READERS, "the mails did not wait long enough"
    assert service.ask_database(f"SELECT attempts FROM game_game WHERE id = {loops}"), "nothing has looped"


def _restart(redis: RedisServer) -> None:
    with redis.away("stopped"):
        time.sleep(GAP)


def _rows(when: str, found: Measured) -> Iterator[Row]:
    earliest, latest = min(found.ours), max(found.ours)
    note = f"{GAMES} deadlines, {A_MINUTE} a minute; the earliest {earliest:+.3f} s, the latest {latest:.2f} s"
    note += f"; {found.outages} outages" + (f"; {found.meanwhile}" if found.meanwhile else "")
    for percent, most in ((50, MOST_HALF), (99, MOST_OF_99)):
        ours, bare = _percentile(found.ours, percent), _percentile(found.bare, percent)
        reached = ours <= most and earliest >= 0 and not found.outages
        name, goal = f"lateness p{percent}, {when}", f"≤ {most} s"
        yield Row(name, ours, "s", "bare loop, s", bare, ours / bare, goal, reached, note)


def _percentile(late: list[float], percent: int) -> float:
    return quantiles(late, n=100, method="inclusive")[percent - 1]
