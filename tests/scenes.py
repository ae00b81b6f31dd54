"""Tables of people for the tests of mail and moderation."""

import re
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group, Permission
from django.db import connection, transaction
from django.db.models.functions import Now
from django.test import Client

from accounts.models import User
from game.bots import playing as bots
from game.engine.actions import Refused
from game.lobby import lobby
from game.moderation import interventions
from game.people import account_closure, two_people
from game.play import moves
from game.store.game import Game, Pace
from game.store.log import Notice
from game.store.moderation_models import ApprovalRequest, Intervention
from tests.tables import READY, come_back, fresh, send, signed_in

TIME_LEFT = re.compile(r"<span[^>]* data-left=[^>]*>[^<]*</span>")
"""How long a deadline is away, which passes between two readings of a page."""


def person(name: str, **fields: Any) -> User:
    """Somebody whose address is confirmed."""
    address = f"{name.lower().replace(' ', '.')}@example.org"
    user = User.objects.create_user(name, address, "correct horse battery", **fields)
    EmailAddress.objects.create(user=user, email=address, primary=True, verified=True)
    return user


def who(name: str) -> User:
    """The account of this name; a new one if there is none."""
    return User.objects.filter(username=name).first() or person(name)


def client_of(name: str) -> Client:
    """A browser in which this person is signed in."""
    return signed_in(who(name))


def moderator(name: str, *powers: str, **fields: Any) -> User:
    """Staff with these powers, or with all that a moderator can have."""
    user = person(name, is_staff=True, **fields)
    chosen = powers or [intervention.value for intervention in Intervention]
    user.user_permissions.set(Permission.objects.filter(codename__in=[f"can_{power}" for power in chosen]))
    return User.objects.get(pk=user.pk)


def of_role(name: str, role: str) -> User:
    """Staff with one of the roles of the site."""
    user = person(name, is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    return User.objects.get(pk=user.pk)


def meanwhile(first: Callable[[], object], second: Callable[[], object]) -> str:
    """The second one begins while the first is not committed, and waits for it; what it is answered."""
    lines: list[str] = []

    def run() -> None:
        try:
            second()
            lines.append("done")
        except Refused as refused:
            lines.append(refused.code)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    with transaction.atomic():
        first()
        thread.start()
        until_it_waits(thread)
        assert lines == [], "it does not wait"
    thread.join(30)
    return lines[0]


def until_it_waits(thread: threading.Thread) -> None:
    """Until this thread waits for what this transaction has locked, or ends without. SQLite cannot say so."""
    if connection.vendor == "sqlite":
        thread.join(1)
    while connection.vendor != "sqlite" and thread.is_alive() and not somebody_waits_for_us():
        continue


def somebody_waits_for_us() -> bool:
    with connection.cursor() as cursor:
        waits = "SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"
        cursor.execute(f"SELECT EXISTS ({waits})")
        return bool(cursor.fetchone()[0])


def seen(game: Game) -> interventions.Seen:
    """What a moderator who looks at the game now decides on."""
    return interventions.seen_of(fresh(game))


def confirm_last(game: Game, name: str = "Second") -> None:
    """Another moderator confirms what was asked for last."""
    user = User.objects.filter(username=name).first() or moderator(name)
    request = ApprovalRequest.objects.filter(game=game).latest("pk")
    two_people.confirm_about_game(request_id=request.pk, moderator=user, seen=seen(game))


def close_by_two(*, user_id: int, moderator: User, reason: str) -> list[int]:
    """A moderator asks for an account to be closed, and another one confirms it at once."""
    request = account_closure.request_closure(user_id=user_id, moderator=moderator, reason=reason)
    second = person(f"Second {request.pk}", is_staff=True, is_superuser=True)
    return account_closure.confirm_closing(request_id=request.pk, moderator=second)


def rewind_by_two(*, game_id: int, moderator: User, seen: interventions.Seen, **asked: Any) -> None:
    """A moderator asks for a rewind, and another one confirms it at once."""
    by_two(Intervention.REWIND_TO, game_id=game_id, moderator=moderator, seen=seen, **asked)


def by_two(what: Intervention, *, seen: interventions.Seen, **asked: Any) -> None:
    """A moderator asks for something that needs two people, and another one confirms it at once."""
    request = two_people.request_game_act(what=what, seen=seen, **asked)
    second = User.objects.filter(username="Second").first() or moderator("Second")
    two_people.confirm_about_game(request_id=request.pk, moderator=second, seen=seen)


def silent(name: str = "Silent") -> User:
    """Somebody whom no mail reaches, so that there is a second person at the table, and a clock."""
    return User.objects.filter(username=name).first() or User.objects.create_user(name)


def table(
    *people: User,
    bots: int = 1,
    pace: str = Pace.DAILY,
    name: str = "The Tuesday Consortium",
    ruleset: str = "sectors",
    **options: Any,
) -> Game:
    """A game that has begun: these people, the first of them its host, and bots."""
    seats = len(people) + bots
    game = lobby.create_game(
        host=people[0], name=name, seats=seats, pace=pace, bots=0, ruleset=ruleset, options=options
    )
    for guest in people[1:]:
        lobby.join_game(game_id=game.pk, user=guest)
    lobby.fill_with_bots(game_id=game.pk, user=people[0])
    return lobby.start_game(game_id=game.pk, user=people[0])


def ready(game: Game, *seats: int) -> None:
    for seat in seats:
        send(game, seat, READY)


def let_time_pass(game: Game, length: timedelta) -> None:
    """Everything of the game that waits for an instant comes nearer by so much."""
    at = fresh(game)
    if at.deadline_at and at.clock_since:
        Game.objects.filter(pk=game.pk).update(deadline_at=at.deadline_at - length, clock_since=at.clock_since - length)
    for notice in Notice.objects.filter(game=game, sent_at=None, cancelled_at=None):
        Notice.objects.filter(pk=notice.pk).update(due_at=notice.due_at - length)


def run_out(game: Game) -> None:
    """The deadline passes and the phase is closed."""
    Game.objects.filter(pk=game.pk, status="running").update(deadline_at=Now())
    moves.close_phase(game_id=game.pk, expected_serial=fresh(game).phase_serial)


def waits_for_bot(game: Game) -> bool:
    """True if a bot is to act: where nothing was left to do for it, a live worker has played it meanwhile, and nobody's
    clock has run out."""
    return any(str(seat) in game.bots for seat in game.waiting_seats)


def play_on(game: Game, most: int = 2000) -> Game:
    """To the end: bots act, and for people the clock runs out; where it pauses for that, they come back."""
    for _ in range(most):
        now = fresh(game)
        if now.deserted_at is not None:
            come_back(now)
            continue
        if not now.is_running:
            return now
        try:
            if not bots.play_bots(game_id=game.pk) and not waits_for_bot(now):
                run_out(now)
        except Refused:
            run_out(now)
    raise AssertionError("The game does not end.")
