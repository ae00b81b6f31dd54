"""Tables for tests of the site: people seated, games started, deadlines passed, all through the services."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.db import models
from django.db.models import F
from django.db.models.functions import Now
from django.test import Client

from accounts.models import User
from game.bots import playing as bots
from game.clock import outages, sweep
from game.lobby import lobby
from game.play import attendance, moves
from game.rulesets.registry import RULESETS
from game.store import heartbeats
from game.store.board_rows import Company, Contract, Holding, Order
from game.store.game import Game, Seat, Status
from game.store.heartbeats import Heartbeat, Job, Outage
from game.store.proposals import VoteTopic, store_proposal, stored_proposal
from tests.faults import oracle

READY = {"kind": "ready"}
# A page's form tokens, the server's time, and the time that is left.
CHANCE = re.compile(
    r'name="(?:csrfmiddlewaretoken|token)" value="[^"]+"|"X-CSRFToken": "\w+"|data-now="[^"]+"|data-left="[^"]+">[^<]+'
)
SHORTEST = {"max_turns": 2, "years": 3}
"""What makes games short, by the name of the option."""
PROJECTED: tuple[type[models.Model], ...] = (Company, Holding, Order, Contract)


def person(name: str) -> User:
    """Somebody with an account."""
    return User.objects.filter(username=name).first() or User.objects.create_user(
        username=name, password="open sesame 42"
    )


def signed_in(who: User | str) -> Client:
    """A browser in which this account, or the one of this name, is signed in."""
    client = Client()
    client.force_login(person(who) if isinstance(who, str) else who)
    return client


def confirmed(user: User, password: str = "open sesame 42") -> Client:
    """A browser in which they are signed in and have just confirmed that it is them."""
    client = signed_in(user)
    client.post("/accounts/reauthenticate/", {"password": password})
    return client


def new_game(*names: str, bots: int = 0, pace: str = "demo", ruleset: str = "sectors", **options: Any) -> Game:
    """A started game with these people in seats 0, 1, … and bots behind them."""
    host, *guests = [person(name) for name in names]
    seats = len(names) + bots
    game = lobby.create_game(host=host, name="The table", seats=seats, pace=pace, ruleset=ruleset, options=options)
    for guest in guests:
        lobby.join_game(game_id=game.pk, user=guest)
    lobby.fill_with_bots(game_id=game.pk, user=host)
    lobby.start_game(game_id=game.pk, user=host)
    return fresh(game)


def shortest(ruleset: str, **more: Any) -> dict[str, Any]:
    """Options of a short game; `more` are used where the ruleset has them."""
    return {name: value for name, value in (SHORTEST | more).items() if name in RULESETS[ruleset].menus}


def fresh(game: Game) -> Game:
    """The game as it is stored now, with the database's time."""
    return Game.objects.on_the_clock().get(pk=game.pk)


def change_proposal(game: Game, topic: VoteTopic, **times: datetime) -> None:
    """The stored proposal with other times."""
    stored = Game.objects.locked().get(pk=game.pk)
    proposal = stored_proposal(stored, topic)
    assert proposal is not None
    store_proposal(stored, topic, msgspec.structs.replace(proposal, **times))
    stored.write_changes()


def send(game: Game, seat: int, *requests: dict[str, Any], **more: Any) -> moves.Receipt:
    """Submit for a seat; a form is sent by whoever sits there."""
    if "token" in more and "user_id" not in more:
        more["user_id"] = Seat.objects.values_list("user_id").get(game=game, number=seat)[0]
    receipt = moves.submit(game_id=game.pk, seat_number=seat, requests=list(requests), **more)
    oracle.ACKNOWLEDGED[game.pk, seat, receipt.version] += not receipt.is_repeat
    return receipt


def everybody_ready(game: Game) -> Game:
    """Close the open phase by everybody's word."""
    for seat in fresh(game).waiting_seats:
        send(game, seat, READY)
    return fresh(game)


def clock_runs_out(game: Game) -> Game:
    """Let the open phase's deadline pass, and let the sweep find it; where everybody was away, they are back for it."""
    if fresh(game).deserted_at is not None:
        come_back(game)
    Game.objects.filter(pk=game.pk).update(deadline_at=Now(), not_before=None)
    sweep.sweep()
    return fresh(game)


def sweep_again() -> None:
    """Sweep when the pause after a failed attempt is over."""
    Game.objects.update(not_before=None)
    sweep.sweep()


def silent_for(length: timedelta) -> None:
    """So long ago somebody closed phases for the last time; an outage from before that is so much longer ago."""
    Outage.objects.update(began_at=F("began_at") - length, ended_at=F("ended_at") - length)
    Heartbeat.objects.all().delete()
    for job in heartbeats.PRESENT:
        Heartbeat.objects.create(name=job, beat_at=Now())
    Heartbeat.objects.update(beat_at=F("beat_at") - length)


def was_away(game: Game, length: timedelta) -> None:
    """The site comes back from an outage that began in this game's open phase, which began a day earlier."""
    Game.objects.filter(pk=game.pk).update(clock_since=Now() - length - timedelta(days=1))
    silent_for(length)
    heartbeats.beat(Job.CLOCK)
    assert outages.settle()


def come_back(game: Game) -> None:
    """Everybody who is away takes their seat back."""
    for seat in game.seats.filter(keeper="away").select_related("user"):
        assert seat.user is not None
        attendance.reclaim_seat(game_id=game.pk, user=seat.user)


def steps_to_the_end(game: Game) -> Iterator[Game]:
    """Play on, bots by themselves and people by being ready, and stop after every step."""
    while (now := fresh(game)).status == Status.RUNNING:
        if not bots.play_bots(game_id=game.pk):
            send(now, now.waiting_seats[0], READY)
        yield fresh(game)


def at_phase(game: Game, name: str) -> Game:
    """Play on to a phase."""
    if fresh(game).phase_name == name:
        return fresh(game)
    return next(now for now in steps_to_the_end(game) if now.phase_name == name)


def stored_rows(game: Game) -> dict[str, list[tuple[Any, ...]]]:
    """Everything projected of a game, in an order of its own."""
    rows = {}
    for table in PROJECTED:
        columns = [field.name for field in table._meta.local_concrete_fields if field.name != "id"]
        rows[table.__name__] = sorted(table._default_manager.filter(game=game).values_list(*columns), key=repr)
    return rows


def without_chance(page: str) -> str:
    """What two loads of an unchanged page have in common."""
    return CHANCE.sub("", page)


def everything(game: Game) -> tuple[Any, ...]:
    """All that a refused request must leave as it was."""
    now = fresh(game)
    return (
        now.version,
        now.entries,
        bytes(now.state),
        bytes(now.inputs),
        now.ready,
        now.deadline_at,
        stored_rows(game),
    )
