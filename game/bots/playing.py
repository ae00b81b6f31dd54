"""Bots choose among a seat's offers by the seat's `view`, and act through the same services as people.

Their jobs are queued fairly: the person who has waited longest since their last job comes next, and nobody has more
than one running job, so that many games of one person do not delay the bots of another. The guests of one network count
as one person, because one person can be many guests, and all guests together take turns like one more."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.db import DatabaseError, transaction
from django.db.models import BooleanField, Case, Exists, ExpressionWrapper, F, OuterRef, Q, Subquery, When
from django.db.models.functions import Now

from game.bots.models import BotShare
from game.engine.actions import Ready, Refused
from game.engine.chance import Chance
from game.engine.codec import Newer
from game.play import failures, leases, moves
from game.play.leases import Claim
from game.play.transactions import GameTransaction, ResolutionError
from game.store.game import Game, Keeper
from game.store.rule_limits import Budget
from game.store.shares import GUESTS_END

FALLBACK = "random"
IDLE = "idle"  # in lessons; never acts
SHARE = 0.2  # of a step's budget, for each bot's choice
log = structlog.get_logger("game.services.bots")


def play_bots(*, game_id: int, is_counted: bool = False) -> bool:
    """Let all bots and the caretaker act for the seats that must decide in the open phase, in one transaction. False if
    there are none."""
    try:
        with transaction.atomic():
            game = moves.lock(game_id, waits=False)
            if game is None or not game.is_running or not game.bots_due:
                return False
            change = moves.transaction_of(game)
            _act_for_seats(change)
            change.commit()
    except ResolutionError as error:
        failures.note_failure(game_id=game_id, error=error, is_counted=is_counted)
        return False
    except Newer:
        failures.leave_to_newer(game_id=game_id, is_counted=is_counted)
        return False
    return True


def _act_for_seats(change: GameTransaction) -> None:
    serial, bots = change.serial, change.game.bots
    for seat in change.waiting_on():
        if change.serial != serial:
            return
        if str(seat) in bots:
            _act(change, seat, bots[str(seat)])
        elif (keeper := change.game.keepers.get(str(seat))) is not None:
            _act_as_caretaker(change, seat, keeper)


def _act_as_caretaker(change: GameTransaction, seat: int, keeper: str) -> None:
    """Act as the ruleset's caretaker: a bot's decision, or at once what the deadline would do. (P-16)"""
    caretaker = change.rules.caretaker
    bot = caretaker.resigned if keeper == Keeper.RESIGNED else caretaker.away
    if bot:
        _act(change, seat, bot)
    elif change.is_in_turns:
        change.close()
    else:
        change.take(Ready(actor=seat))


def _act(change: GameTransaction, seat: int, key: str) -> None:
    """Submit those of the bot's requests that the rules allow, and then ready; in turns, one action after another."""
    if change.is_in_turns:
        _play_turn(change, seat, key)
        return
    serial = change.serial
    for request in _ask_bot(change, seat, key):
        try:
            action = change.parse(request, seat)
            if change.serial != serial:
                return
            if not isinstance(action, Ready):
                change.take(action)
        except (Refused, ResolutionError) as refused:
            _skip_request(change, seat, request, refused)
    if change.serial == serial:
        change.take(Ready(actor=seat))


def _play_turn(change: GameTransaction, seat: int, key: str) -> None:
    """Ask the bot again after each action, until its turn is over. If no request moves the turn on, close the phase as
    if the seat were absent: a bot draws the same for the same step."""
    serial = change.serial
    while change.serial == serial and seat in change.waiting_on():
        before = change.position.cursor
        for request in _ask_bot(change, seat, key):
            _try_request(change, seat, request)
            if change.position.cursor != before:
                break
        else:
            change.close()


def _try_request(change: GameTransaction, seat: int, request: dict[str, Any]) -> None:
    """Submit one request, or skip it."""
    try:
        change.take(change.parse(request, seat))
    except (Refused, ResolutionError) as refused:
        _skip_request(change, seat, request, refused)


def _skip_request(change: GameTransaction, seat: int, request: dict[str, Any], why: Refused | ResolutionError) -> None:
    """Log and skip a request that was refused or on which the rules failed. Raises failures in closing."""
    if isinstance(why, ResolutionError) and why.in_closing:
        raise why
    log.info("bot_refused", game=change.game.pk, seat=seat, request=request["kind"], refused=str(why))
    if isinstance(why, ResolutionError):
        failures.note_broken(game_id=change.game.pk, error=why)


def _ask_bot(change: GameTransaction, seat: int, key: str) -> list[dict[str, Any]]:
    """The bot's requests; empty if its code fails, so that a bot never stops a game."""
    if key == IDLE:
        return []
    bots, chance = change.rules.bots, _chance(change, seat)
    bot = bots[key] if key in bots else bots[FALLBACK]
    try:
        return Budget(share=SHARE).run(lambda: bot(change.view(seat), lambda: change.offers(seat), chance))
    except DatabaseError:
        raise
    except Exception:
        log.exception("bot_broke", game=change.game.pk, seat=seat, bot=key)
        return []


def _chance(change: GameTransaction, seat: int) -> Chance:
    """A random stream for each seat and phase, so that a bot's draws never affect the game's."""
    cursor = change.position.cursor
    return Chance(f"{change.game.secret}/bot/{seat}", cursor.branch, cursor.serial, cursor.step or None)


FORGOTTEN_AFTER = timedelta(days=1)
IS_BROKEN = ExpressionWrapper(Q(attempts__gt=0), BooleanField())


@dataclass(frozen=True)
class Job:
    """A game whose bots must act, and the person whose share it uses."""

    claim: Claim
    person: int


@transaction.atomic
def claim_job() -> Job | None:
    """Claim the next job, like `leases.claim_games`; None if there is none, or only for people with a running job."""
    while (game := _next()) is not None:
        until = game.now + leases.lease_length()
        if _give_turn(game.person, until):
            return Job(leases.lease_games([game], until)[0], game.person)
    return None


def finish(job: Job) -> None:
    """Allow the person another job. If a worker dies before this, they may have one when its lease expires."""
    BotShare.objects.filter(person=job.person, until=job.claim.until).update(until=None)


def forget_idle() -> None:
    """Delete rows that no longer affect the order."""
    BotShare.objects.filter(dealt_at__lte=Now() - FORGOTTEN_AFTER).delete()


def _next() -> Game | None:
    """The oldest job of the person who has waited longest; guests have waited since the last job of any guest. A
    person's failed games come last."""
    share = BotShare.objects.filter(person=OuterRef("person"))
    of_guests = BotShare.objects.filter(person__lt=GUESTS_END).order_by("-dealt_at").values("dealt_at")[:1]
    games = leases.idle_games().by_person().annotate(own_at=Subquery(share.values("dealt_at")))
    dealt_at = Case(When(person__lt=GUESTS_END, then=Subquery(of_guests)), default=F("own_at"))
    free = games.exclude(Exists(share.filter(until__gt=Now()))).order_by(
        dealt_at.asc(nulls_first=True), F("own_at").asc(nulls_first=True), IS_BROKEN, "moved_at"
    )
    return leases.lock_free(free, 1).first()


def _give_turn(person: int, until: datetime) -> bool:
    """Reserve the person's share. False if another worker was quicker."""
    free = BotShare.objects.filter(Q(until=None) | Q(until__lte=Now()), person=person)
    if free.update(dealt_at=Now(), until=until):
        return True
    # Two workers may insert the first one at once, which the database would log as an error.
    BotShare.objects.bulk_create([BotShare(person=person, dealt_at=Now())], ignore_conflicts=True)
    return free.update(dealt_at=Now(), until=until) > 0
