"""A month in the life of a site: `python -m tests.bench.month [--games N] [--rows N] [--days N]
[--away-every DAYS]`.

Real servers and every process of a service but the web. The clock is not changed: all stored instants are shifted back
instead, by some hours at a time, so that deadlines fall. On some days the service is away for hours. People decide now
and then; the caretaker plays for those who do not, and a game in which nobody is left pauses until they come back. It
ends with the oracle, and says how late deadlines were kept and whether one was missed, early or twice."""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import time
from collections.abc import Iterator

import psycopg

from tests.servers import postgres_server, redis_server
from tests.service import Service, throwaway_service

HOURS = 8  # of one shift; a phase of a daily game lasts a day
AWAY = 10  # hours
GAMES_EACH = 25  # of the thirty that an account may have
TRIES = 20
SETTLES = 120.0  # seconds that the service has for what falls due at once
KEEPING = ("deadlines", "bots", "mail", "beat", "clock")
WATCH = """
    CREATE TABLE watched (game bigint, serial int, late interval);
    CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO watched VALUES (OLD.id, OLD.phase_serial, clock_timestamp() - OLD.deadline_at); RETURN NULL;
    END $$;
    CREATE TRIGGER watch AFTER UPDATE ON game_game FOR EACH ROW
        WHEN (NEW.phase_serial <> OLD.phase_serial AND OLD.deadline_at IS NOT NULL) EXECUTE FUNCTION watch()
"""
SHIFT = """
    DO $$ DECLARE place record; BEGIN
        FOR place IN SELECT table_name,
                string_agg(format('%1$I = %1$I - interval ''{hours} hours''', column_name), ', ') AS sets
            FROM information_schema.columns
            WHERE table_schema = 'public' AND data_type = 'timestamp with time zone' AND table_name LIKE 'game\\_%'
                AND ({with_hearts} OR table_name <> 'game_heartbeat')
            GROUP BY 1 ORDER BY 1
        LOOP EXECUTE format('UPDATE %I SET %s', place.table_name, place.sets); END LOOP;
    END $$
"""
DUE = "SELECT count(*) FROM game_game WHERE status = 'running' AND (deadline_at <= now() OR bots_due)"
UNTOLD = "SELECT count(*) FROM game_loggedaction WHERE NOT is_told"
LATE = "SELECT extract(epoch FROM percentile_disc({share}) WITHIN GROUP (ORDER BY late))::float FROM closed"
CLOSED = """
    CREATE VIEW closed AS SELECT w.game, w.serial, w.late FROM watched w
        JOIN game_loggedaction l ON l.game_id = w.game AND l.serial = w.serial AND l.kind = 'close'
"""
LAY = """
from tests.bench.month import lay
print(json.dumps(lay({games}, {rows})))
"""
PLAY = """
from tests.bench.month import play
print(json.dumps(play({seed})))
"""
JUDGE = """
from tests.faults.oracle import faults
print(json.dumps(list(faults())))
"""


def main() -> None:
    """Live the month; exit 1 where something does not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.month")
    parser.add_argument("--games", type=int, default=1000, help="that are played")
    parser.add_argument("--rows", type=int, default=100_000, help="of games in the table, those included")
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--away-every", type=int, default=6, metavar="DAYS", help="from one outage to the next")
    given = parser.parse_args()
    with (
        postgres_server() as database,
        redis_server() as redis,
        throwaway_service(database=database, redis=redis) as service,
    ):
        service.run(LAY.format(games=given.games, rows=given.rows))
        service.ask_database(WATCH)
        service.ask_database(CLOSED)
        service.start(*KEEPING)
        for day in range(1, given.days + 1):
            _live(service, day, is_away=day % given.away_every == 0)
        wrong = list(_judge(service))
    _print("\n".join(wrong) or "No deadline was missed, none was early, none was kept twice; the oracle is content.")
    sys.exit(bool(wrong))


def _live(service: Service, day: int, *, is_away: bool) -> None:
    """A day; on some of them the service is away, and comes back."""
    for step in range(24 // HOURS):
        service.run(PLAY.format(seed=day * 10 + step))
        _shift(service, HOURS, with_hearts=False)
        _settle(service)
    if is_away:
        service.stop(*KEEPING)
        _shift(service, AWAY, with_hearts=True)
        service.start(*KEEPING)
        _settle(service)
    running = service.ask_database("SELECT count(*) FROM game_game WHERE status = 'running'")
    _print(f"day {day}: {running} games run, {service.ask_database('SELECT count(*) FROM closed')} deadlines kept")


def _shift(service: Service, hours: int, *, with_hearts: bool) -> None:
    """All of it or nothing; tried again where it and the work of the service waited for each other's rows."""
    for _ in range(TRIES):
        with contextlib.suppress(psycopg.errors.DeadlockDetected):
            service.ask_database(SHIFT.format(hours=hours, with_hearts=with_hearts))
            return
    sys.exit(f"The stored instants could not be shifted: {TRIES} deadlocks one after another.")


def _settle(service: Service) -> None:
    """Until nothing is due and everything is told; what takes longer shows as a missed deadline."""
    end = time.monotonic() + SETTLES
    time.sleep(2)  # the first look after an absence
    while time.monotonic() < end and (service.ask_database(DUE) or service.ask_database(UNTOLD)):
        time.sleep(0.5)


def _judge(service: Service) -> Iterator[str]:
    """What does not hold. The service ends first, since a game that moves while its log is read looks damaged."""
    missed = service.ask_database(DUE)
    service.stop(*KEEPING)
    if missed:
        yield f"{missed} deadlines were missed."
    if early := service.ask_database("SELECT count(*) FROM closed WHERE late < interval '0'"):
        yield f"{early} deadlines were kept early."
    twice = "SELECT count(*) FROM (SELECT 1 FROM closed GROUP BY game, serial HAVING count(*) > 1) c"
    if more := service.ask_database(twice):
        yield f"{more} deadlines were kept twice."
    yield from service.run(JUDGE)
    shares = {"half": 0.5, "99 in 100": 0.99, "all": 1.0}
    # A shift makes a deadline late by up to its length: what counts is that the rest is small.
    late = {name: service.ask_database(LATE.format(share=share)) or 0.0 for name, share in shares.items()}
    told = ", ".join(f"{name} within {seconds / 3600:.2f} h" for name, seconds in late.items())
    outages = service.ask_database("SELECT count(*) FROM game_outage")
    _print(f"{service.ask_database('SELECT count(*) FROM closed')} deadlines, {outages} outages; late: {told}")


def lay(games: int, rows: int) -> int:
    """So many games of two people and two bots that run, among rows of games that are over and put away."""
    from game.lobby import lobby
    from game.store.game import Game, Pace, Status
    from tests.bench.tables import make_user

    people = [make_user(f"player {number}") for number in range(max(20, games // GAMES_EACH * 2))]
    for number in range(games):
        host, guest = people[number % len(people)], people[(number + 7) % len(people)]
        game = lobby.create_game(host=host, name=f"Game {number}", seats=4, pace=Pace.DAILY)
        lobby.join_game(game_id=game.pk, user=guest)
        lobby.fill_with_bots(game_id=game.pk, user=host)
        lobby.start_game(game_id=game.pk, user=host)
    over = (
        Game(name=f"Old {number}", seats_wanted=4, status=Status.FINISHED, is_archived=True)
        for number in range(rows - games)
    )
    Game.objects.bulk_create(over, batch_size=1000)
    return Game.objects.count()


def play(seed: int) -> int:
    """Some people come by, take back what the caretaker plays for them, and decide: so many seats."""
    from game.engine.actions import Refused
    from game.play import attendance, moves
    from game.store.game import Game, Status
    from tests.bench.tables import decisions

    chance, decided = random.Random(seed), 0
    for game in Game.objects.filter(status__in=[Status.RUNNING, Status.PAUSED]).order_by("pk"):
        if chance.random() < 0.6:
            continue
        for kept in game.seats.exclude(keeper="").select_related("user"):
            attendance.reclaim_seat(game_id=game.pk, user=kept.user)
        for seat, requests in decisions(game.pk):
            if str(seat) not in game.bots:
                try:
                    moves.submit(game_id=game.pk, seat_number=seat, requests=requests)
                    decided += 1
                except Refused:  # the other's decision has closed the phase
                    continue
    return decided


def _print(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    main()
